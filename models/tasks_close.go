package models

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
)

// CloseTasksJob is the job that runs CloseTasks.
const CloseTasksJob = "close_tasks"

const (
	expireAtOnce = 1000 // rows in one transaction
	payAtOnce    = 100  // players locked in one transaction
)

// CloseTasks prepares the tasks of today, pays what was completed on days gone by but not
// claimed, and closes what was not completed; once the season is over, permanent tasks are paid
// too, since nobody can claim them any more. It returns how many rows it ended. It goes in small
// transactions, and done again it finds nothing to do.
func (s *Store) CloseTasks(ctx context.Context, season game.Season, now time.Time) (rows int64, err error) {
	today := game.DayOf(now)
	if err := s.learnTasks(ctx, today, now); err != nil {
		return 0, err
	}
	paid, failed := s.payDays(ctx, today, now)
	if now.After(season.Start) && season.Open(now) != nil && !errors.Is(failed, ErrTryAgain) {
		n, err := s.payDue(ctx, dueTasks{where: "day IS NULL"}, now)
		paid, failed = paid+n, errors.Join(failed, err)
	}
	if errors.Is(failed, ErrTryAgain) {
		return paid, failed
	}
	expired, err := s.expireTasks(ctx, today)
	return paid + expired, errors.Join(failed, err)
}

// payDays pays what is due of each day gone by, the oldest first.
func (s *Store) payDays(ctx context.Context, today game.Day, now time.Time) (paid int64, failed error) {
	for last := game.Day(math.MinInt32); ; {
		var days []game.Day
		err := s.read.WithContext(ctx).Raw("SELECT day FROM player_tasks WHERE state = 'completed' AND day > ? AND day < ? ORDER BY day LIMIT 1", last, today).Scan(&days).Error
		if err != nil {
			return paid, errors.Join(failed, explained(fmt.Errorf("find days to pay: %w", err)))
		}
		if len(days) == 0 {
			return paid, failed
		}
		n, err := s.payDue(ctx, dueTasks{"day = ?", []any{days[0]}}, now)
		paid, failed, last = paid+n, errors.Join(failed, err), days[0]
		if errors.Is(err, ErrTryAgain) {
			return paid, failed
		}
	}
}

// dueTasks are players' tasks whose time is over, all of one day, or all that are permanent: so the index of open ones gives them player by player.
type dueTasks struct {
	where  string
	values []any
}

// page finds the next players with such tasks, after one and at most so many.
func (d dueTasks) page() string {
	return "SELECT DISTINCT player_id FROM player_tasks WHERE state = 'completed' AND " + d.where + " AND player_id > ? ORDER BY player_id LIMIT ?"
}

// payDue pays completed tasks, some players at a time, until there are none; the error names who could not be paid.
func (s *Store) payDue(ctx context.Context, due dueTasks, now time.Time) (paid int64, err error) {
	var round apart
	for last := PlayerID(0); !round.over; {
		var players []PlayerID
		err := s.read.WithContext(ctx).Raw(due.page(), append(slices.Clone(due.values), last, payAtOnce)...).Scan(&players).Error
		if err != nil {
			return paid, errors.Join(round.err(), explained(fmt.Errorf("find tasks to pay: %w", err)))
		}
		if len(players) == 0 {
			break
		}
		paid += round.together(players, func(ids []PlayerID) (int64, error) { return s.payPlayers(ctx, ids, due, now) })
		last = players[len(players)-1]
	}
	return paid, round.err()
}

// payPlayers pays what is due to these players. Who claims at the same moment is locked first or
// afterwards, and either way finds the other has paid.
func (s *Store) payPlayers(ctx context.Context, players []PlayerID, due dueTasks, now time.Time) (paid int64, err error) {
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		return s.post(tx, players, func(locked map[PlayerID]*Player, all *journal) error {
			var ids []int64
			err := tx.Raw("UPDATE player_tasks SET state = 'claimed', claimed_at = ? WHERE state = 'completed' AND player_id IN ? AND "+due.where+
				" RETURNING id", append([]any{stored(now), players}, due.values...)...).Scan(&ids).Error
			if err != nil {
				return fmt.Errorf("end tasks of %d players: %w", len(players), err)
			}
			paid = int64(len(ids))
			if paid == 0 {
				return nil
			}
			var rows []PlayerTask
			err = tx.Raw("SELECT "+playerTaskColumns+" FROM player_tasks u JOIN tasks t ON t.id = u.task_id WHERE u.id IN ?", ids).Scan(&rows).Error
			if err != nil {
				return fmt.Errorf("read tasks to pay: %w", err)
			}
			slices.SortFunc(rows, func(a, b PlayerTask) int { return cmp.Compare(a.ID, b.ID) })
			for _, row := range rows {
				if err := all.payTask(locked[row.PlayerID], row, now); err != nil {
					return err
				}
			}
			return nil
		})
	})
	if err != nil {
		return 0, err
	}
	return paid, nil
}

// expireTasks ends tasks of days gone by that were not completed.
func (s *Store) expireTasks(ctx context.Context, today game.Day) (expired int64, err error) {
	for {
		var rows int64
		err := s.inTx(ctx, func(tx *gorm.DB) error {
			ended := tx.Exec(`UPDATE player_tasks SET state = 'expired' WHERE state = 'active' AND id IN (
				SELECT id FROM player_tasks WHERE state = 'active' AND day < ? ORDER BY day, player_id LIMIT ?)`, today, expireAtOnce)
			rows = ended.RowsAffected
			return ended.Error
		})
		if err != nil {
			return expired, fmt.Errorf("close tasks: %w", err)
		}
		if expired += rows; rows == 0 {
			return expired, nil
		}
	}
}
