package wheel

import (
	"cmp"
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/commit"
	"mcbk/models/db"
)

// Fairness is what a player needs to check that the wheel did not cheat.
type Fairness struct {
	Present, Next models.ServerSeed
	Retired       []RetiredSeed // newest first
	More          bool          // there are older ones
}

// RetiredSeed is a seed that is no longer secret, with its spins by nonce.
type RetiredSeed struct {
	models.ServerSeed
	Spins []models.Spin
}

// Fairness returns a player's seeds and a page of the retired ones.
func (s *Store) Fairness(ctx context.Context, p models.Player, page models.Page, now time.Time) (Fairness, error) {
	return s.fairness(ctx, p, "", page, now)
}

// SetClientSeed retires a player's present server seed, replaces it with the next one and the client seed they chose, and returns
// the seeds after that. The present seed is retired once, on whatever day: its successor is the seed whose hash was last shown as
// the next one's.
func (s *Store) SetClientSeed(ctx context.Context, p models.Player, client string, page models.Page, now time.Time) (Fairness, error) {
	return s.fairness(ctx, p, client, page, now)
}

func (s *Store) fairness(ctx context.Context, p models.Player, client string, page models.Page, now time.Time) (Fairness, error) {
	f, _, err := s.renewSeeds(ctx, p.TelegramID, client, now, nil)
	if err == nil {
		f.Retired, f.More, err = retiredSeeds(s.db.Read(ctx), p.ID, page)
	}
	return f, err
}

// renewSeeds returns a player's seeds once they serve a spin of now's day. A present seed that was used on an earlier day is retired
// first, and one that the player replaces by choosing a client seed; without a choice they keep the previous one, and the first is
// drawn. What also changes, which may be nil, is stored together with the seeds.
func (s *Store) renewSeeds(ctx context.Context, telegramID int64, client string, now time.Time, also func(c *commit.Scope) error) (Fairness, models.Player, error) {
	const length = len(game.ServerSeed{})
	random, err := s.db.Random(2*length + 8)
	if err != nil {
		return Fairness{}, models.Player{}, err
	}
	return commit.Run(ctx, s.commit, commit.Command[Fairness]{
		Caller: commit.Caller{TelegramID: telegramID, Operation: "RenewSeeds"}, Now: now, Wants: []commit.Want{seedsInUse.For(0, "")},
		Decide: func(c *commit.Scope) (f Fairness, err error) {
			for _, seed := range seedsInUse.In(c) {
				if seed.State == models.SeedNext {
					f.Next = seed
				} else {
					f.Present = seed
				}
			}
			r := renewal{client: cmp.Or(client, f.Present.ClientSeed, hex.EncodeToString(random[2*length:])), day: game.DayOf(now), at: now}
			if f.Present.UsedBefore(r.day) || client != "" {
				r.retired, f.Present = f.Present.ID, models.ServerSeed{}
			}
			if f.Present.ID == 0 {
				f.Present, f.Next = f.Next, models.ServerSeed{}
				f.Present.ClientSeed, f.Present.BegunDay, f.Present.State = r.client, r.day, models.SeedCurrent
				if r.begun = f.Present.ID; r.begun == 0 {
					f.Present.PlayerID, f.Present.Seed = c.Player.ID, random[:length]
					r.drawn = append(r.drawn, f.Present)
				}
			}
			if f.Next.ID == 0 {
				f.Next = models.ServerSeed{PlayerID: c.Player.ID, Seed: random[length : 2*length], State: models.SeedNext}
				r.drawn = append(r.drawn, f.Next)
			}
			if len(r.drawn) > 0 {
				storeRenewal.Add(c, r)
			}
			if also != nil {
				err = also(c)
			}
			return f, err
		},
	})
}

// seedsInUse reads a player's present and next seed; a new player has none.
var seedsInUse = commit.Rows[models.ServerSeed]{
	Columns: "e.id, e.seed, e.client_seed, e.nonce, e.state, e.begun_day", From: "JOIN wheel_seeds e ON e.player_id = w.player_id AND e.state <> 'retired'",
	Fields: func(e *models.ServerSeed) []any {
		return []any{&e.ID, &e.Seed, &e.ClientSeed, &e.Nonce, &e.State, &e.BegunDay}
	},
}

// renewal is how the seeds of a player change.
type renewal struct {
	retired, begun int64 // ids; 0 for none
	client         string
	day            game.Day
	at             time.Time
	drawn          []models.ServerSeed
}

// storeRenewal makes room for a seed before it stores it: a player has one of each state.
var storeRenewal = commit.Write[renewal]{Statements: func(d db.Dialect, rows []renewal) []db.Query {
	var queries []db.Query
	if some := withSeed(rows, func(r renewal) int64 { return r.retired }); len(some) > 0 {
		queries = append(queries, db.Query{Statement: retireSeeds(d, some), Changes: int64(len(some))})
	}
	if some := withSeed(rows, func(r renewal) int64 { return r.begun }); len(some) > 0 {
		queries = append(queries, db.Query{Statement: beginSeeds(d, some), Changes: int64(len(some))})
	}
	return append(queries, db.Query{Statement: addSeeds(d, rows)})
}}

// withSeed returns the renewals with such a seed.
func withSeed(rows []renewal, id func(renewal) int64) []renewal {
	return slices.DeleteFunc(slices.Clone(rows), func(r renewal) bool { return id(r) == 0 })
}

func retireSeeds(d db.Dialect, rows []renewal) db.Statement {
	return d.Update("wheel_seeds", "state = 'retired', retired_at = v.at", "wheel_seeds.id = v.id AND state = 'present'",
		db.Integers("id", rows, func(r renewal) int64 { return r.retired }),
		db.Times("at", rows, func(r renewal) time.Time { return db.Time(r.at) }),
	)
}

func beginSeeds(d db.Dialect, rows []renewal) db.Statement {
	return d.Update("wheel_seeds", "state = 'present', client_seed = v.client, begun_day = v.day", "wheel_seeds.id = v.id AND state = 'next'",
		db.Integers("id", rows, func(r renewal) int64 { return r.begun }),
		db.Texts("client", rows, func(r renewal) string { return r.client }),
		db.Integers("day", rows, func(r renewal) game.Day { return r.day }),
	)
}

func addSeeds(d db.Dialect, rows []renewal) db.Statement {
	var drawn []models.ServerSeed
	for _, r := range rows {
		drawn = append(drawn, r.drawn...)
	}
	return d.Insert("wheel_seeds",
		db.Integers("player_id", drawn, func(e models.ServerSeed) models.PlayerID { return e.PlayerID }),
		db.List("seed", "bytea", drawn, func(e models.ServerSeed) []byte { return e.Seed }),
		db.Texts("client_seed", drawn, func(e models.ServerSeed) string { return e.ClientSeed }),
		db.Texts("state", drawn, func(e models.ServerSeed) models.SeedState { return e.State }),
		db.Integers("begun_day", drawn, func(e models.ServerSeed) game.Day { return e.BegunDay }),
	)
}

func retiredSeeds(tx *gorm.DB, id models.PlayerID, page models.Page) (retired []RetiredSeed, more bool, err error) {
	var seeds []models.ServerSeed
	if err := tx.Scopes(db.OnPage(page)).Where("player_id = ? AND state = 'retired'", id).Order("id DESC").Find(&seeds).Error; err != nil {
		return nil, false, fmt.Errorf("read retired seeds of player %d: %w", id, err)
	}
	seeds, more = models.CutTo(seeds, page)
	if len(seeds) == 0 {
		return nil, false, nil
	}
	var spins []models.Spin
	err = tx.Where("player_id = ? AND seed_id BETWEEN ? AND ?", id, seeds[len(seeds)-1].ID, seeds[0].ID).Order("seed_id, nonce").Find(&spins).Error
	if err != nil {
		return nil, false, fmt.Errorf("read spins of player %d: %w", id, err)
	}
	made := map[int64][]models.Spin{}
	for _, spin := range spins {
		made[spin.SeedID] = append(made[spin.SeedID], spin)
	}
	for _, seed := range seeds {
		retired = append(retired, RetiredSeed{seed, made[seed.ID]})
	}
	return retired, more, nil
}
