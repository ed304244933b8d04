package wheel

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/commit"
	"mcbk/models/db"
)

// maxSpinGroup is the most spins that share a transaction.
const maxSpinGroup = 64

// Turn is a request for a turn of the wheel.
type Turn struct {
	commit.Request // without the player, who is found by TelegramID; without a key the answer is not stored
	TelegramID     int64
	Golden         bool
	// Encode renders the player's answer, before the commit. It is called again each time the transaction is retried.
	Encode func(models.Spin, models.Player) (commit.Answer, error)
}

// waitingSpin is a turn that waits for its group commit.
type waitingSpin struct {
	Turn
	season game.Season
	free   int // free spins that the day's grant gives
	now    time.Time
	at     *lockedSpinner // set once the spin is allowed
	db.Call[commit.Answer]
}

// openSpinCommits makes the group commits of spins write to this store. All spins of a player go through the same one.
func (s *Store) openSpinCommits() {
	for range s.db.Dialect.SpinCommits() {
		s.spins = append(s.spins, &db.GroupCommit[*waitingSpin]{Write: s.answerSpins, MaxBatch: maxSpinGroup, MaxDelay: db.GroupCommitDelay})
	}
}

// TurnWheel takes a free spin and turns the wheel, and stores the answer: the same request again gets it, and turns nothing. A prize
// still pending from the spin before is paid first, as it is. It refuses with no_spins_left, golden_not_available,
// idempotency_key_reused, and what every earning call refuses with. It returns ErrNotFound if the person has no player.
//
// Spins that arrive while others are being committed are written together, see GroupCommit. A spin that needs new seeds, or whose
// player is locked by another transaction, has a transaction of its own. (decision 0020)
func (s *Store) TurnWheel(ctx context.Context, turn Turn, season game.Season, now time.Time) (commit.Answer, error) {
	w := &waitingSpin{Turn: turn, season: season, free: s.settings.RuntimeSettings(ctx, now).FreeSpins, now: now, Call: db.NewCall[commit.Answer](ctx)}
	if _, inside := db.TxFrom(ctx); !inside { // tests alone turn the wheel inside a transaction of theirs
		if err := s.tasks.LoadTasks(ctx, game.DayOf(now), now); err != nil {
			return commit.Answer{}, err
		}
		s.spins[uint64(turn.TelegramID)%uint64(len(s.spins))].Join(w)
		select {
		case <-w.Done:
		case <-ctx.Done(): // the spin may still be made; its key gets the answer next time
			return commit.Answer{}, db.WrapUnavailable(ctx.Err())
		}
		if !w.OwnTx {
			return w.Answer, w.Err
		}
	}
	err := s.db.InTx(ctx, func(tx *gorm.DB) error {
		left, err := s.writeSpins(tx, []*waitingSpin{w}, false)
		if err != nil {
			return err
		}
		if len(left) > 0 {
			return fmt.Errorf("spin of Telegram %d has no seed", w.TelegramID)
		}
		return w.Err
	})
	if err != nil {
		return commit.Answer{}, err
	}
	return w.Answer, nil
}

// answerSpins writes a group in rounds. A spin that nobody waits for any more is not made: it comes again, with its key.
func (s *Store) answerSpins(group []*waitingSpin) {
	group = slices.DeleteFunc(group, (*waitingSpin).Abandoned)
	for len(group) > 0 {
		var round []*waitingSpin
		round, group = nextRound(group)
		db.AnswerRound(s.db, round, s.writeSpins)
	}
}

// nextRound splits off the spins of a group that may share a transaction: one of each player, on one day.
func nextRound(group []*waitingSpin) (round, rest []*waitingSpin) {
	first, here := group[0], make(map[int64]bool, len(group))
	for _, w := range group {
		if here[w.TelegramID] || w.season != first.season || game.DayOf(w.now) != game.DayOf(first.now) {
			rest = append(rest, w)
			continue
		}
		here[w.TelegramID] = true
		round = append(round, w)
	}
	return round, rest
}
