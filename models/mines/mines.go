package mines

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/treasury"
)

// Mines is the state of a player in the tournament that is shown now.
type Mines struct {
	models.Tournament
	Miner models.Miner       // as of now
	Next  *models.Tournament // that begins after this one; nil when none is planned

	Payout models.PayoutState // of the TON that the player won; empty while none is owed
}

// Mines returns the state of a player in the tournament that began last, or else in the first to come. ErrNotFound if there is
// none.
func (s *Store) Mines(ctx context.Context, id models.PlayerID, now time.Time) (Mines, error) {
	mines, err := minesAt(s.db.Read(ctx), id, now)
	return mines, db.WrapUnavailable(err)
}

func minesAt(tx *gorm.DB, id models.PlayerID, now time.Time) (mines Mines, err error) {
	all, err := FindTournaments(tx.Order("starts_at"))
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("read tournament: %w", db.ErrNotFound)
	}
	if err != nil {
		return Mines{}, err
	}
	for i, t := range all {
		if i > 0 && t.Start.After(db.Time(now)) {
			mines.Next = &all[i]
			break
		}
		mines.Tournament = t
	}
	if mines.Miner, err = FindMiner(tx, mines.ID, id); err != nil {
		return Mines{}, err
	}
	mines.Miner.Digger = mines.Miner.At(now)
	if mines.Miner.Prize.TON > 0 {
		mines.Payout, err = treasury.PrizePayoutState(tx, mines.Miner)
	}
	return mines, err
}

// Miner returns a player's state in a tournament as it was left; the zero state if they had none.
func (s *Store) Miner(ctx context.Context, tournament int64, id models.PlayerID) (models.Miner, error) {
	m, err := FindMiner(s.db.Read(ctx), tournament, id)
	return m, db.WrapUnavailable(err)
}

// minersShown is the number of miners that the board lists.
const minersShown = 100

// MinerRow is a miner on the board.
type MinerRow struct {
	Rank      int // from 1, the same for equal ore; 0 before the first ore
	PlayerID  models.PlayerID
	FirstName string
	Username  string
	PhotoURL  string
	Ore       game.MicroMCBK
	Taps      int64
}

// Miners returns the miners who dug the most in the tournament that is shown now, equal ones by lower id, and the player's own row.
// ErrNotFound if there is no tournament.
func (s *Store) Miners(ctx context.Context, p models.Player, now time.Time) (best []MinerRow, me MinerRow, err error) {
	err = s.db.ReadTx(ctx, func(tx *gorm.DB) error {
		t, err := currentTournament(tx, now)
		if err != nil {
			return err
		}
		err = tx.Raw(`SELECT m.player_id, p.first_name, p.username, p.photo_url, m.ore, m.taps FROM miners m JOIN players p ON p.id = m.player_id
			WHERE m.tournament_id = ? AND m.ore > 0 ORDER BY m.ore DESC, m.player_id LIMIT ?`, t.ID, minersShown).Scan(&best).Error
		if err != nil {
			return fmt.Errorf("list the miners of tournament %d: %w", t.ID, err)
		}
		for i := range best {
			best[i].Rank = i + 1
			if i > 0 && best[i].Ore == best[i-1].Ore {
				best[i].Rank = best[i-1].Rank
			}
		}
		own, err := FindMiner(tx, t.ID, p.ID)
		if err != nil {
			return err
		}
		me = MinerRow{PlayerID: p.ID, FirstName: p.FirstName, Username: p.Username, PhotoURL: p.PhotoURL, Ore: own.Ore, Taps: own.Taps}
		if own.Ore == 0 {
			return nil
		}
		err = tx.Raw("SELECT 1 + COUNT(*) FROM miners WHERE tournament_id = ? AND ore > ? AND ore > 0", t.ID, int64(own.Ore)).Scan(&me.Rank).Error
		return db.Wrap(err, "rank miner %d", p.ID)
	})
	return best, me, err
}
