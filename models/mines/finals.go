package mines

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/ledger"
	"mcbk/models/outbox"
	"mcbk/models/settings"
)

// TournamentResult tells a miner the result of a tournament: rank, and ore, coins, ton and prize in their units.
const TournamentResult models.MessageKind = "tournament_result"

// TournamentsJob is the job that runs AdvanceTournaments.
const TournamentsJob = "run_tournaments"

// minersAtOnce is the most miners paid in one transaction, mostPaid the most in one call: the reader of the chain calls it, and
// payments wait meanwhile.
const (
	minersAtOnce = 100
	mostPaid     = 2000
)

// AdvanceTournaments takes tournaments as far as the clock and the chain allow: it starts and closes them, ranks their miners and
// pays their ore once the chain is known beyond the end, and gives what is left of prizes that an admin has confirmed. Until an
// admin has confirmed them, it reminds the admins each day. It returns how much it did. It is idempotent, and safe in several
// processes at once: nothing is paid twice.
func (s *Store) AdvanceTournaments(ctx context.Context, admins []int64, now time.Time) (done int64, err error) {
	open, err := FindTournaments(s.db.Read(ctx).Where("state <> 'awarded' OR EXISTS (SELECT 1 FROM miners m WHERE m.tournament_id = tournaments.id AND " + PrizeDue + ")").Order("starts_at"))
	if err != nil {
		return 0, db.WrapUnavailable(err)
	}
	var failed []error
	for _, t := range open {
		some, err := s.advanceTournament(ctx, t, admins, now)
		if done += some; err != nil {
			failed = append(failed, fmt.Errorf("advance tournament %d: %w", t.ID, err))
		}
	}
	return done, errors.Join(failed...)
}

// advanceTournament takes one tournament as far as the clock and the chain allow.
func (s *Store) advanceTournament(ctx context.Context, t models.Tournament, admins []int64, now time.Time) (done int64, err error) {
	if reached := t.At(now); reached != t.State && reached != game.TournamentScheduled { // a clock that is behind takes nothing back
		moved, err := s.moveTournament(ctx, t, reached)
		if err != nil || !moved {
			return 0, err // another process has moved it meanwhile; the next call goes on from there
		}
		t.State, done = reached, 1
	}
	switch t.State {
	case game.TournamentClosed:
		known, err := s.knownBeyond(ctx, t.End)
		if err != nil || !known {
			return done, err
		}
		paid, err := s.finish(ctx, t, now)
		return done + paid, err
	case game.TournamentFinal:
		return done, s.remindOfPrizes(ctx, t, admins, now)
	case game.TournamentAwarded:
		paid, err := s.givePrizes(ctx, t, now)
		return done + paid, err
	}
	return done, nil
}

// moveTournament stores the state that the clock has reached, and with the closing what a prize of the tournament needs; moved tells
// whether the tournament was still in the state it was read in. Batches that are being written are waited for; later ones see the
// new state.
func (s *Store) moveTournament(ctx context.Context, t models.Tournament, to game.TournamentState) (moved bool, err error) {
	err = s.db.InTx(ctx, func(tx *gorm.DB) error {
		var least *int64
		if to == game.TournamentClosed {
			set, err := settings.ReadSettings(tx)
			if err != nil {
				return err
			}
			least = new(int64(set.Runtime.LeastPrizeOre()))
		}
		done := tx.Model(&models.Tournament{}).Where("id = ? AND starts_at = ? AND state = ?", t.ID, db.Time(t.Start), t.State).
			Updates(map[string]any{"state": to, "least_prize_ore": least})
		moved = done.RowsAffected == 1
		return db.Wrap(done.Error, "take it from %s to %s", t.State, to)
	})
	return moved && err == nil, err
}

// knownBeyond reports whether no payment of a time can come to light any more. If nothing was ever ordered there is none.
func (s *Store) knownBeyond(ctx context.Context, at time.Time) (bool, error) {
	t, pinned, err := s.treasury.Treasury(ctx)
	if err != nil || pinned {
		return t.KnownUntil.After(at), err
	}
	_, ordered, err := s.orders.FirstOrder(ctx)
	return !ordered, err
}

// finish ranks the miners of a closed tournament and pays their ore. Their ore no longer changes, so another process that continues
// finds the same ranks.
func (s *Store) finish(ctx context.Context, t models.Tournament, now time.Time) (paid int64, err error) {
	if t, err = oneTournament(s.db.Read(ctx).Where("id = ?", t.ID)); err != nil { // as stored at the closing, by whichever process
		return 0, db.WrapUnavailable(err)
	}
	if t.State != game.TournamentClosed { // another process, whose clock may differ, is in charge of it
		return 0, nil
	}
	var rows []struct {
		PlayerID models.PlayerID
		Ore      game.MicroMCBK
		Paid     bool
	}
	err = s.db.Snapshot(ctx, func(tx *gorm.DB) error { // a million are read, and ranked, for longer than a player would wait
		return tx.Raw(`SELECT player_id, ore, paid_at IS NOT NULL AS paid FROM miners WHERE tournament_id = ? ORDER BY ore DESC, player_id`, t.ID).Scan(&rows).Error
	})
	if err != nil {
		return 0, db.WrapUnavailable(fmt.Errorf("read the miners: %w", err))
	}
	ores := make([]game.MicroMCBK, len(rows))
	for i, row := range rows {
		ores[i] = row.Ore
	}
	standings := map[models.PlayerID]game.Standing{}
	var unpaid []models.PlayerID
	for i, standing := range game.Standings(ores, t.PrizeNeeded()) {
		if !rows[i].Paid {
			standings[rows[i].PlayerID] = standing
			unpaid = append(unpaid, rows[i].PlayerID)
		}
	}
	var round db.BatchRunner
	for ids := range slices.Chunk(unpaid, minersAtOnce) {
		if paid >= mostPaid || round.GaveUp { // the next call goes on
			return paid, round.Err()
		}
		paid += round.AtOnce(ids, func(ids []models.PlayerID) (int64, error) { return s.payOre(ctx, t, ids, standings, now) })
	}
	if err := round.Err(); err != nil {
		return paid, err
	}
	var ended int64
	err = s.db.InTx(ctx, func(tx *gorm.DB) error {
		// A mine that was opened meanwhile, by a payment of before the end, waits for the next time. A transaction that opens one
		// shares the row: an UPDATE that waited for that alone would judge by what it saw before.
		if _, err := oneTournament(tx.Scopes(db.ForUpdate).Where("id = ?", t.ID)); err != nil {
			return err
		}
		moved := tx.Model(&models.Tournament{}).Where("id = ? AND state = ?", t.ID, game.TournamentClosed).
			Where("NOT EXISTS (SELECT 1 FROM miners m WHERE m.tournament_id = tournaments.id AND m.paid_at IS NULL)").
			Updates(map[string]any{"state": game.TournamentFinal, "final_at": db.Time(now)})
		ended = moved.RowsAffected
		return db.Wrap(moved.Error, "end it")
	})
	return paid + ended, err
}

// payOre ranks some miners and pays the ore of those not paid yet.
func (s *Store) payOre(ctx context.Context, t models.Tournament, ids []models.PlayerID, standings map[models.PlayerID]game.Standing, now time.Time) (int64, error) {
	return db.Within(ctx, s.db, func(tx *gorm.DB) (paid int64, err error) {
		err = s.ledger.Post(tx, ids, func(locked map[models.PlayerID]*models.Player, all *ledger.Tx) error {
			for id := range locked {
				m, err := FindMiner(tx, t.ID, id)
				if err != nil {
					return err
				}
				if m.PaidAt != nil {
					continue
				}
				paid++
				if err := s.payMiner(ledger.Settlement{Tx: tx, Locked: locked, Ledger: all, Now: now}, t, m, standings[id]); err != nil {
					return err
				}
			}
			return nil
		})
		return paid, err
	})
}

func (s *Store) payMiner(in ledger.Settlement, t models.Tournament, m models.Miner, at game.Standing) error {
	player, coins := in.Locked[m.PlayerID], m.Pays(t.Tournament)
	err := db.UpdateOne(in.Tx.Model(&models.Miner{}).Where("tournament_id = ? AND player_id = ? AND paid_at IS NULL AND ore = ?", t.ID, m.PlayerID, m.Ore).
		Updates(map[string]any{"place": at.Rank, "prize_ton": at.TON, "prize_coins": at.Coins, "ore_coins": coins, "paid_at": db.Time(in.Now)}))
	if err != nil {
		return fmt.Errorf("rank miner %d: %w", m.PlayerID, err)
	}
	if m.Ore == 0 {
		return nil
	}
	err = in.Ledger.Record(player, ledger.Entry{
		Reference: fmt.Sprint("ore:", t.ID), Memo: ledger.OreReceipt{Ore: m.Ore, LastDay: game.DayOf(t.End.Add(-time.Nanosecond))}.Encode(),
		Moves: []ledger.Move{
			{From: models.AccountMine, To: models.HouseMines, Asset: models.AssetOre, Amount: int64(m.Ore)},
			{From: models.HouseMines, To: models.AccountGame, Asset: models.AssetMCBK, Amount: int64(coins)},
		},
	}, in.Now)
	if err != nil {
		return err
	}
	return outbox.Enqueue(in.Tx, s.db.Dialect, in.Now, models.Message{
		Key: fmt.Sprintf("tournament:%d:%d", t.ID, m.PlayerID), ChatID: player.TelegramID, Kind: TournamentResult, Urgency: models.UrgencyBulk,
		Params: map[string]string{
			"rank": fmt.Sprint(at.Rank), "ore": fmt.Sprint(int64(m.Ore)), "coins": fmt.Sprint(int64(coins)),
			"ton": fmt.Sprint(int64(at.TON)), "prize": fmt.Sprint(int64(at.Coins)),
		},
	})
}

// remindOfPrizes tells the admins, once a UTC day, that winners wait for them.
func (s *Store) remindOfPrizes(ctx context.Context, t models.Tournament, admins []int64, now time.Time) error {
	key := fmt.Sprintf("award:%d:%d", t.ID, game.DayOf(now))
	if len(admins) == 0 || s.reminded.Load() == key {
		return nil
	}
	due, err := prizesOf(s.db.Read(ctx), t.ID, PrizeDue)
	if err != nil || due.Winners == 0 {
		return db.WrapUnavailable(err)
	}
	text := fmt.Sprintf("The tournament of %s is over. Waiting for /tournament award: %s.", t.Start.Format(time.DateOnly), due)
	err = s.outbox.NoticeAdmins(ctx, key, text, models.UrgencyPersonal, admins, now)
	if err == nil {
		s.reminded.Store(key)
	}
	return err
}
