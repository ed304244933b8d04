package wheel

import (
	"context"
	"encoding/hex"
	"fmt"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
)

// renewedSeedsOf returns the present and the next seed of a locked player. On the first call of a new day a present seed that was
// used is retired first.
func (s *Store) renewedSeedsOf(tx *gorm.DB, id models.PlayerID, now time.Time) (present, next models.ServerSeed, err error) {
	for range 2 {
		var both []models.ServerSeed
		if err := tx.Where("player_id = ? AND state <> 'retired'", id).Order("id").Find(&both).Error; err != nil {
			return models.ServerSeed{}, models.ServerSeed{}, fmt.Errorf("read the seeds of player %d: %w", id, err)
		}
		if len(both) == 2 && (both[0].BegunDay >= game.DayOf(now) || both[0].Nonce == 0) {
			return both[0], both[1], nil
		}
		if err := s.renewSeeds(tx, id, "", now); err != nil {
			return models.ServerSeed{}, models.ServerSeed{}, err
		}
	}
	return models.ServerSeed{}, models.ServerSeed{}, fmt.Errorf("player %d lacks a seed", id)
}

// renewSeeds retires a locked player's present seed, replaces it with the next and draws another. An empty client keeps the
// previous client seed; a player's first one is drawn.
func (s *Store) renewSeeds(tx *gorm.DB, id models.PlayerID, client string, now time.Time) error {
	var last string
	retired := tx.Raw("UPDATE wheel_seeds SET state = 'retired', retired_at = ? WHERE player_id = ? AND state = 'present' RETURNING client_seed", now, id).Scan(&last)
	if retired.Error != nil {
		return fmt.Errorf("retire a seed of player %d: %w", id, retired.Error)
	}
	if client == "" {
		client = last
	}
	if client == "" {
		drawn, err := s.db.Random(8)
		if err != nil {
			return err
		}
		client = hex.EncodeToString(drawn)
	}
	moved := tx.Model(&models.ServerSeed{}).Where("player_id = ? AND state = 'next'", id).
		Updates(map[string]any{"state": models.SeedCurrent, "client_seed": client, "begun_day": game.DayOf(now)})
	if moved.Error != nil {
		return fmt.Errorf("begin a seed of player %d: %w", id, moved.Error)
	}
	if moved.RowsAffected == 0 {
		if err := s.addSeed(tx, models.ServerSeed{PlayerID: id, ClientSeed: client, State: models.SeedCurrent, BegunDay: game.DayOf(now)}); err != nil {
			return err
		}
	}
	return s.addSeed(tx, models.ServerSeed{PlayerID: id, State: models.SeedNext})
}

func (s *Store) addSeed(tx *gorm.DB, w models.ServerSeed) error {
	var err error
	if w.Seed, err = s.db.Random(len(game.ServerSeed{})); err != nil {
		return err
	}
	if err := tx.Create(&w).Error; err != nil {
		return fmt.Errorf("add a seed of player %d: %w", w.PlayerID, err)
	}
	return nil
}

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
func (s *Store) Fairness(ctx context.Context, id models.PlayerID, page models.Page, now time.Time) (Fairness, error) {
	return s.fairness(ctx, id, page, now, func(*gorm.DB) error { return nil })
}

// SetClientSeed retires a player's present server seed, replaces it with the next one and the client seed they chose, and returns
// the seeds after that. The present seed is retired once, on whatever day: its successor is the seed whose hash was last shown as
// the next one's.
func (s *Store) SetClientSeed(ctx context.Context, id models.PlayerID, client string, page models.Page, now time.Time) (Fairness, error) {
	return s.fairness(ctx, id, page, now, func(tx *gorm.DB) error { return s.renewSeeds(tx, id, client, now) })
}

func (s *Store) fairness(ctx context.Context, id models.PlayerID, page models.Page, now time.Time, before func(tx *gorm.DB) error) (Fairness, error) {
	var f Fairness
	err := s.db.InTx(ctx, func(tx *gorm.DB) (err error) {
		if _, err := s.ledger.LockPlayer(tx, id); err != nil {
			return err
		}
		if err := before(tx); err != nil {
			return err
		}
		f = Fairness{}
		if f.Present, f.Next, err = s.renewedSeedsOf(tx, id, now); err != nil {
			return err
		}
		f.Retired, f.More, err = retiredSeeds(tx, id, page)
		return err
	})
	return f, err
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
