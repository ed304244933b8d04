package wheel

import (
	"context"
	"errors"
	"fmt"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/commit"
	"mcbk/models/db"
	"mcbk/models/ledger"
	"mcbk/models/tasks"
)

// spinInputs is what a spin is made with: the present seed with its next nonce, and the spin's id.
type spinInputs struct {
	seed models.ServerSeed
	spin int64
}

// rolls returns the rolls of the spin.
func (in spinInputs) rolls() func() int {
	return game.Rolls(in.seed.Server(), in.seed.ClientSeed, in.seed.Nonce)
}

// currentSeed reads a player's present seed.
var currentSeed = commit.Rows[spinInputs]{
	Columns: "e.id, e.seed, e.client_seed, e.nonce, e.begun_day", Computed: func(d db.Dialect) string { return d.NextID("spins", "w.nr") },
	From: "JOIN wheel_seeds e ON e.player_id = w.player_id AND e.state = 'present'",
	Fields: func(in *spinInputs) []any {
		return []any{&in.seed.ID, &in.seed.Seed, &in.seed.ClientSeed, &in.seed.Nonce, &in.seed.BegunDay, &in.spin}
	},
}

// useNonce uses up the next nonce of seeds.
var useNonce = commit.Write[models.ServerSeed]{Checked: true, Statement: func(d db.Dialect, rows []models.ServerSeed) db.Statement {
	return d.Update("wheel_seeds", "nonce = v.nonce + 1", "wheel_seeds.id = v.id AND wheel_seeds.nonce = v.nonce AND state = 'present'",
		db.Integers("id", rows, func(s models.ServerSeed) int64 { return s.ID }),
		db.Integers("nonce", rows, func(s models.ServerSeed) int64 { return s.Nonce }),
	)
}}

var insertSpin = commit.Write[models.Spin]{Statement: insertSpins}

// TurnWheel takes a free spin and turns the wheel. A prize still pending from the spin before is paid first, as it is. It refuses
// with no_spins_left, golden_not_available, and what every earning call refuses with.
func (s *Store) TurnWheel(ctx context.Context, by commit.Caller, golden bool, season game.Season, now time.Time) (models.Spin, models.Player, error) {
	spin, p, err := s.turnWheel(ctx, by, golden, season, now)
	if errors.Is(err, errSeedsDue) {
		if _, _, err := s.renewSeeds(ctx, by.TelegramID, "", now, nil); err != nil {
			return spin, p, err
		}
		spin, p, err = s.turnWheel(ctx, by, golden, season, now)
	}
	if errors.Is(err, errSeedsDue) { // by a process of another clock
		err = fmt.Errorf("%w: %w", db.ErrUnavailable, err)
	}
	return spin, p, err
}

// errSeedsDue is that a player spins before the day's seeds are there, which the grant of daily spins renews.
var errSeedsDue = errors.New("the seeds must be renewed first")

func (s *Store) turnWheel(ctx context.Context, by commit.Caller, golden bool, season game.Season, now time.Time) (models.Spin, models.Player, error) {
	free := s.settings.RuntimeSettings(ctx, now).FreeSpins
	day, err := s.tasks.DayTasks(ctx, now)
	if err != nil {
		return models.Spin{}, models.Player{}, err
	}
	return commit.Run(ctx, s.commit, commit.Command[models.Spin]{
		Caller: by, Now: now, Wants: []commit.Want{currentSeed.For(0, ""), pendingSpins.For(0, "")},
		Decide: func(c *commit.Scope) (models.Spin, error) {
			p, before := c.Player, *c.Player
			if err := p.CanSpin(golden, season, free, now); err != nil {
				return models.Spin{}, err
			}
			in, err := currentSeed.One(c)
			if err != nil || in.seed.UsedBefore(game.DayOf(now)) {
				return models.Spin{}, errSeedsDue
			}
			if err := giveSpins(p, free, &c.Tx, now); err != nil {
				return models.Spin{}, err
			}
			for _, spin := range pendingSpins.In(c) {
				if err := pay(c, spin); err != nil {
					return models.Spin{}, err
				}
			}
			spin, err := turn(p, in, golden, &c.Tx, now)
			if err != nil {
				return models.Spin{}, err
			}
			useNonce.Add(c, in.seed)
			insertSpin.Add(c, spin)
			tasks.CompleteFulfilled(c, day, before)
			return spin, nil
		},
	})
}

// turn makes a spin of a locked player: what it costs, where it stops and, for coins, what it pays.
func turn(p *models.Player, in spinInputs, golden bool, all *ledger.Tx, now time.Time) (models.Spin, error) {
	odds := game.CurrentOdds()
	at := odds.Draw(in.rolls())
	spin := models.Spin{
		ID: in.spin, PlayerID: p.ID, SeedID: in.seed.ID, Nonce: in.seed.Nonce, OddsVersion: odds.Version, Segment: at.Segment, Chest: at.Chest,
		Golden: golden, State: models.SpinPending, SpunAt: now,
	}
	if golden {
		end := p.Wheel.SpunDay
		spin.StreakEnd = &end
	}
	if odds.AtOnce(spin.Drawn()) {
		spin.State, spin.SettledAt = models.SpinCredited, &now
	}
	err := all.Record(p, ledger.Entry{
		Reference: fmt.Sprint("roll:", spin.ID), Memo: Receipt(spin),
		Moves: []ledger.Move{{From: models.AccountSpins, To: models.HouseWheel, Asset: models.AssetSpin, Amount: 1}},
	}, now)
	if err != nil {
		return models.Spin{}, err
	}
	p.Bag.Spins++
	p.Wheel = p.Wheel.Spun(game.DayOf(now), golden)
	if spin.State == models.SpinCredited {
		p.Wheel.Won += odds.Prize(spin.Drawn()).Coins
		if err := all.Record(p, PrizeEntry(p, spin), now); err != nil {
			return models.Spin{}, err
		}
	}
	return spin, nil
}

func insertSpins(d db.Dialect, rows []models.Spin) db.Statement {
	return d.Insert("spins",
		db.Integers("id", rows, func(s models.Spin) int64 { return s.ID }),
		db.Integers("player_id", rows, func(s models.Spin) models.PlayerID { return s.PlayerID }),
		db.Integers("seed_id", rows, func(s models.Spin) int64 { return s.SeedID }),
		db.Integers("nonce", rows, func(s models.Spin) int64 { return s.Nonce }),
		db.Integers("odds_version", rows, func(s models.Spin) int { return s.OddsVersion }),
		db.Integers("segment", rows, func(s models.Spin) int { return s.Segment }),
		db.Integers("chest", rows, func(s models.Spin) int { return s.Chest }),
		db.List("golden", "boolean", rows, func(s models.Spin) bool { return s.Golden }),
		db.List("streak_end", "integer", rows, func(s models.Spin) *game.Day { return s.StreakEnd }),
		db.Texts("state", rows, func(s models.Spin) models.SpinState { return s.State }),
		db.Times("spun_at", rows, func(s models.Spin) time.Time { return s.SpunAt }),
		db.List("settled_at", "timestamptz", rows, func(s models.Spin) *time.Time { return s.SettledAt }),
	)
}
