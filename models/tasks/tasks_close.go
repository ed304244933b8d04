package tasks

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
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/ledger"
)

// CloseTasksJob is the job that runs CloseTasks.
const CloseTasksJob = "close_tasks"

// Sizes of a sweep.
const (
	expireAtOnce = 1000 // rows in one transaction
	PayAtOnce    = 100  // players locked in one transaction
)

// CloseTasks prepares the tasks of today, pays tasks of past days that were completed but not claimed, and closes those that were
// not completed; once the season is over, permanent tasks are paid too, since nobody can claim them any more. It returns how many
// rows it ended. It works in small transactions and is idempotent.
func (s *Store) CloseTasks(ctx context.Context, season game.Season, now time.Time) (rows int64, err error) {
	today := game.DayOf(now)
	if _, err := s.DayTasks(ctx, now); err != nil {
		return 0, err
	}
	var round db.BatchRunner
	paid, err := s.payDays(ctx, today, &round, now)
	if err == nil && now.After(season.Start) && season.Open(now) != nil {
		var permanent int64
		permanent, err = s.payDue(ctx, duePermanent, &round, now)
		paid += permanent
	}
	if failed := round.Err(); err != nil || errors.Is(failed, db.ErrUnavailable) {
		return paid, errors.Join(failed, err)
	}
	expired, err := s.expireTasks(ctx, today)
	return paid + expired, errors.Join(round.Err(), err)
}

// OpenCondition repeats the condition of the index of open tasks, or SQLite would read all tasks there ever were.
const OpenCondition = " AND state IN ('active', 'completed')"

// dueDay finds the first day, between two others, with something to be paid.
const dueDay = "SELECT day FROM player_tasks WHERE state = 'completed'" + OpenCondition + " AND day > ? AND day < ? ORDER BY day LIMIT 1"

// payDays pays what is due of each past day, the oldest first.
func (s *Store) payDays(ctx context.Context, today game.Day, round *db.BatchRunner, now time.Time) (paid int64, err error) {
	for last := game.Day(math.MinInt32); !round.GaveUp; {
		var days []game.Day
		if err := s.db.Committed(ctx).Raw(dueDay, last, today).Scan(&days).Error; err != nil {
			return paid, db.WrapUnavailable(fmt.Errorf("find days to pay: %w", err))
		}
		if len(days) == 0 {
			break
		}
		last = days[0]
		n, err := s.payDue(ctx, dueOn(last), round, now)
		paid += n
		if err != nil {
			return paid, err
		}
	}
	return paid, nil
}

// dueTasks are players' tasks whose time is over, all of one day or all permanent ones: so the index of open tasks lists them
// player by player.
type dueTasks struct {
	where  string
	Values []any
}

// duePermanent are the permanent tasks that were completed and not paid.
var duePermanent = dueTasks{where: "day IS NULL"}

// dueOn are the tasks of a day that were completed and not paid.
func dueOn(day game.Day) dueTasks { return dueTasks{"day = ?", []any{day}} }

// page is a query for the next players with such tasks, after an id and up to a number of them.
func (d dueTasks) page() string {
	return "SELECT DISTINCT day, player_id FROM player_tasks WHERE state = 'completed'" + OpenCondition + " AND " + d.where + " AND player_id > ? ORDER BY day, player_id LIMIT ?"
}

// payDue pays completed tasks, some players at a time, until there are none or the round is over. Players who could not be paid are
// noted in the round.
func (s *Store) payDue(ctx context.Context, due dueTasks, round *db.BatchRunner, now time.Time) (paid int64, err error) {
	for last := models.PlayerID(0); !round.GaveUp; {
		var found []struct{ PlayerID models.PlayerID }
		err := s.db.Committed(ctx).Raw(due.page(), append(slices.Clone(due.Values), last, PayAtOnce)...).Scan(&found).Error
		if err != nil {
			return paid, db.WrapUnavailable(fmt.Errorf("find tasks to pay: %w", err))
		}
		if len(found) == 0 {
			break
		}
		players := db.MapSlice(found, func(u struct{ PlayerID models.PlayerID }) models.PlayerID { return u.PlayerID })
		paid += round.AtOnce(players, func(ids []models.PlayerID) (int64, error) { return s.payPlayers(ctx, ids, due, now) })
		last = players[len(players)-1]
	}
	return paid, nil
}

// payPlayers pays what is due to these players. A concurrent claim locks the player before or after, and either way the second
// finds that the first has paid.
func (s *Store) payPlayers(ctx context.Context, players []models.PlayerID, due dueTasks, now time.Time) (int64, error) {
	return db.Within(ctx, s.db, func(tx *gorm.DB) (paid int64, err error) {
		err = s.ledger.Post(tx, players, func(locked map[models.PlayerID]*models.Player, all *ledger.Tx) error {
			var ids []int64
			err := tx.Raw("UPDATE player_tasks SET state = 'claimed', claimed_at = ? WHERE state = 'completed' AND player_id IN ? AND "+due.where+
				" RETURNING id", append([]any{db.Time(now), players}, due.Values...)...).Scan(&ids).Error
			if err != nil {
				return fmt.Errorf("end tasks of %d players: %w", len(players), err)
			}
			paid = int64(len(ids))
			if paid == 0 {
				return nil
			}
			var rows []models.PlayerTask
			if err := tx.InnerJoins("Task").Where("player_tasks.id IN ?", ids).Find(&rows).Error; err != nil {
				return fmt.Errorf("read tasks to pay: %w", err)
			}
			slices.SortFunc(rows, func(a, b models.PlayerTask) int { return cmp.Compare(a.ID, b.ID) })
			for _, row := range rows {
				if err := payTask(all, locked[row.PlayerID], row, now); err != nil {
					return err
				}
			}
			return nil
		})
		return paid, err
	})
}

// expireTasks expires tasks of past days that were not completed.
func (s *Store) expireTasks(ctx context.Context, today game.Day) (expired int64, err error) {
	for {
		var rows int64
		err := s.db.InTx(ctx, func(tx *gorm.DB) error {
			ended := tx.Exec(`UPDATE player_tasks SET state = 'expired' WHERE state = 'active' AND id IN (
				SELECT id FROM player_tasks WHERE state = 'active'`+OpenCondition+` AND day < ? ORDER BY day, player_id LIMIT ?)`, today, expireAtOnce)
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
