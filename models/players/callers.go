package players

import (
	"context"
	"time"

	"mcbk/models"
	"mcbk/models/db"
)

const (
	// maxCallerGroup is the most players that are read at once.
	maxCallerGroup = 256
	// callerGroupTime is the time limit of such a read. (decision 0004: limits)
	callerGroupTime = 3 * time.Second
)

// waitingCaller is a call whose player is to be read together with those of other calls.
type waitingCaller struct {
	db.Call[models.Player]
	telegramID int64
}

// caller reads the player who makes a call, with which each call begins. Calls that come while others are being read share the next
// statement. It begins after they came, so that each sees what was committed before. (decision 0020)
func (s *Store) caller(ctx context.Context, telegramID int64) (models.Player, error) {
	w := &waitingCaller{db.NewCall[models.Player](ctx), telegramID}
	s.callers.Join(w)
	select {
	case <-w.Done:
		return w.Answer, w.Err
	case <-ctx.Done():
		return models.Player{}, db.WrapUnavailable(ctx.Err())
	}
}

// answerCallers reads a group and answers each of it. No request that is cancelled ends the read, since others wait for the same
// rows.
func (s *Store) answerCallers(group []*waitingCaller) {
	ctx, cancel := context.WithTimeout(context.Background(), s.db.Scale.Of(callerGroupTime))
	defer cancel()
	var found map[int64]*models.Player
	err := db.Recover(func() (err error) {
		found, err = s.playersByTelegramID(ctx, group)
		return err
	})
	for _, w := range group {
		p, known := found[w.telegramID]
		switch {
		case err != nil:
			w.Finish(db.WrapUnavailable(err))
		case !known:
			w.Finish(db.ErrNotFound)
		default:
			w.Answer = *p
			w.Finish(nil)
		}
	}
}

// playersByTelegramID reads the players of a group in one statement.
func (s *Store) playersByTelegramID(ctx context.Context, group []*waitingCaller) (map[int64]*models.Player, error) {
	who, values := s.db.Dialect.Values(db.Integers("telegram_id", group, func(w *waitingCaller) int64 { return w.telegramID }))
	found := make(map[int64]*models.Player, len(group))
	err := s.db.ScanRows(ctx, s.db.Lookups, db.Query{
		Statement: db.Statement{Text: "SELECT " + models.PlayerColumns("p") + " FROM " + who + " JOIN players p ON p.telegram_id = v.telegram_id", Values: values},
		Scan: func(row db.Row) error {
			var p models.Player
			err := row.Scan(p.ScanFields()...)
			found[p.TelegramID] = &p
			return err
		},
	})
	return found, db.Wrap(err, "read players")
}
