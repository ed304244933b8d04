package store

import (
	"context"
	"errors"
	"time"

	"github.com/glebarez/sqlite"
	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/audit"
	"mcbk/models/db"
	"mcbk/models/ledger"
	"mcbk/models/orders"
	"mcbk/models/outbox"
	"mcbk/models/tasks"
	"mcbk/models/treasury"
)

// ReceiveUpdatesUpTo is ReceiveUpdates with a limit that a test can reach.
func (s *Store) ReceiveUpdatesUpTo(ctx context.Context, backlog int64, updates []outbox.BotUpdate, now time.Time) (int, error) {
	return s.Outbox.ReceiveUpdatesWithin(ctx, updates, backlog, now)
}

// DurableSQLite opens a file the way source says and checks it like the connection that writes.
func DurableSQLite(ctx context.Context, source string) error {
	view, err := db.OpenGORM(sqlite.Open(source), 1, time.Now)
	if err != nil {
		return err
	}
	defer db.CloseGORM(view) //nolint:errcheck // a test's own connection
	return db.SQLite.Durable(ctx, view)
}

// Guards lists what guards the database, one in a line.
func (s *Store) Guards(ctx context.Context) (lines []string, err error) {
	found, err := audit.GuardsOf(s.DB.Committed(ctx), s.DB.Dialect)
	for _, g := range found {
		lines = append(lines, g.String())
	}
	return lines, err
}

// StartBroadcast starts a draft, as the confirmed question of an admin does.
func (s *Store) StartBroadcast(ctx context.Context, id int64, now time.Time) (outbox.Broadcast, error) {
	return s.StartBroadcastUpTo(ctx, outbox.OutboxBacklog, id, now)
}

// StartBroadcastUpTo is StartBroadcast with a limit that a test can reach.
func (s *Store) StartBroadcastUpTo(ctx context.Context, backlog, id int64, now time.Time) (b outbox.Broadcast, err error) {
	err = s.DB.InTx(ctx, func(tx *gorm.DB) (err error) {
		b, err = s.Outbox.StartBroadcast(tx, id, backlog, now)
		return err
	})
	return b, err
}

// CountAudience is BroadcastAudience by pages of so many players.
func (s *Store) CountAudience(ctx context.Context, players int64) (int64, error) {
	return s.Outbox.CountAudience(ctx, players)
}

// FanBroadcastAhead is FanBroadcast with a limit that a test can reach.
func (s *Store) FanBroadcastAhead(ctx context.Context, ahead int64, now time.Time) (more bool, err error) {
	return s.Outbox.FanBroadcastBy(ctx, ahead, now)
}

// PayOrder notes a payment in an order as it was read.
func (s *Store) PayOrder(ctx context.Context, o orders.Order, at time.Time) error {
	return s.DB.InTx(ctx, func(tx *gorm.DB) error { return treasury.AddToOrder(tx, &o, o.Amount, at, "hash") })
}

// CloseOrder cancels an order as it was read.
func (s *Store) CloseOrder(ctx context.Context, o orders.Order) error {
	return s.DB.InTx(ctx, func(tx *gorm.DB) error { return orders.CancelOrder(tx, &o) })
}

// AdvanceAsRead takes a tournament on from what was read of it earlier.
func (s *Store) AdvanceAsRead(ctx context.Context, t models.Tournament, now time.Time) (int64, error) {
	return s.Mines.AdvanceTournament(ctx, t, nil, now)
}

// Finish is the part of AdvanceTournaments that ranks and pays a closed tournament.
func (s *Store) Finish(ctx context.Context, t models.Tournament, now time.Time) (int64, error) {
	return s.Mines.Finish(ctx, t, now)
}

// CountDaysBy is CountDays in chunks of a size that a test can reach.
func (s *Store) CountDaysBy(ctx context.Context, chunk int, now time.Time) (int64, error) {
	return s.Ledger.CountDaysInChunks(ctx, chunk, now)
}

// DaysWith is Days with a limit that a test can reach on what is not counted yet.
func (s *Store) DaysWith(ctx context.Context, now time.Time, days, tail int) (ledger.Days, error) {
	return s.Ledger.DaysWithTail(ctx, now, days, tail)
}

// UpdatesOf counts a chat's updates in a state.
func (s *Store) UpdatesOf(ctx context.Context, chat int64, state outbox.UpdateState) (n int) {
	if err := s.DB.Read(ctx).Raw("SELECT COUNT(*) FROM bot_updates WHERE chat_id = ? AND state = ?", chat, state).Scan(&n).Error; err != nil {
		return -1
	}
	return n
}

// LearnTasks caches the tasks of a day, and reports whether they are known then.
func (s *Store) LearnTasks(ctx context.Context, now time.Time) (known bool, err error) {
	day := game.DayOf(now)
	err = s.Tasks.LoadTasks(ctx, day, now)
	_, known = s.Tasks.CachedTasks(day)
	return known, err
}

// FollowLedger is the part of FollowRanks that reads the ledger, two rows at once; the rest would hide what it misses.
func (s *Store) FollowLedger(ctx context.Context) error { return s.Leaderboard.FollowLedger(ctx, 2) }

// DueOf is the page of CloseTasks for a day.
func DueOf(day game.Day) (statement string, values []any) {
	return tasks.DueOn(day).Page(), tasks.DueOn(day).Values
}

// Permanent is that of tasks that stay.
func Permanent() string { return tasks.DuePermanent.Page() }

// MissedAfter are those whom Remind finds after one who checked in at a time.
func (s *Store) MissedAfter(ctx context.Context, at time.Time, id models.PlayerID, now time.Time) (ids []models.PlayerID, err error) {
	found, err := outbox.MissedToday(s.DB.Read(ctx), outbox.Remindable{ID: id, CheckedInAt: at}, now)
	for _, r := range found {
		ids = append(ids, r.ID)
	}
	return ids, err
}

// MigrateTo migrates an empty database to a version.
func (s *Store) MigrateTo(ctx context.Context, version int64) error {
	view, done, err := s.DB.NoStatementTimeout()
	if err != nil {
		return err
	}
	goosed, err := db.Migrator(view, s.DB.Dialect)
	if err == nil {
		_, err = goosed.UpTo(ctx, version)
	}
	return errors.Join(err, done())
}
