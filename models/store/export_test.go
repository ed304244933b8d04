package store

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/glebarez/sqlite"
	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/admin"
	"mcbk/models/ads"
	"mcbk/models/audit"
	"mcbk/models/db"
	"mcbk/models/ledger"
	"mcbk/models/orders"
	"mcbk/models/outbox"
	"mcbk/models/players"
	"mcbk/models/tasks"
	"mcbk/models/treasury"
	"mcbk/models/wallet"
)

// InboxBacklog is the limit that ReceiveUpdates keeps.
const InboxBacklog = outbox.InboxBacklog

// ReceiveUpdatesUpTo is ReceiveUpdates with a limit that a test can reach.
func (s *Store) ReceiveUpdatesUpTo(ctx context.Context, backlog int64, updates []models.BotUpdate, now time.Time) (int, error) {
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

// InSnapshot runs fn while a snapshot that has read something is open.
func (s *Store) InSnapshot(ctx context.Context, fn func() error) error {
	return s.DB.Snapshot(ctx, func(tx *gorm.DB) error {
		if err := ledger.EachPosting(tx.Raw("SELECT "+models.PostingColumns+" FROM postings"), func(int64, models.Posting) {}); err != nil {
			return err
		}
		return fn()
	})
}

// Move is one posting of an Entry.
type Move struct {
	From, To models.Account
	Asset    models.Asset
	Amount   int64
}

// Entry is one for the journal.
type Entry struct {
	Player    models.PlayerID
	Reference string
	Moves     []Move
}

// AssetOf is what an account of a player holds.
var AssetOf = models.AssetOf

// TestHouse is an account of the house that gives and takes every asset, in tests only.
const TestHouse models.Account = "house:test"

// OpenTestHouse lets entries name it.
func OpenTestHouse() {
	ledger.Chart = append(ledger.Chart, ledger.HouseAccount{Account: TestHouse, Assets: slices.Collect(maps.Values(models.AssetOf))})
}

// Post records entries in one transaction and tells how often it was begun.
func (s *Store) Post(ctx context.Context, entries []Entry, now time.Time) (runs int, err error) {
	err = s.DB.InTx(ctx, func(tx *gorm.DB) error {
		runs++
		var ids []models.PlayerID
		for _, e := range entries {
			ids = append(ids, e.Player)
		}
		return s.Ledger.Post(tx, ids, func(locked map[models.PlayerID]*models.Player, all *ledger.Tx) error {
			for _, e := range entries {
				moves := make([]ledger.Move, len(e.Moves))
				for i, m := range e.Moves {
					moves[i] = ledger.Move{From: m.From, To: m.To, Asset: m.Asset, Amount: m.Amount}
				}
				if err := all.Record(locked[e.Player], ledger.Entry{Reference: e.Reference, Moves: moves}, now); err != nil {
					return err
				}
			}
			return nil
		})
	})
	return runs, err
}

// Within is InTx for tests of what it does with a transaction that fails.
func (s *Store) Within(ctx context.Context, fn func(tx *gorm.DB) error) error {
	return s.DB.InTx(ctx, fn)
}

// Attempts is how often InTx runs a transaction that lost a race.
const Attempts = db.Attempts

// Accounts is what each account of a player holds.
func Accounts(b models.Balances) map[models.Account]int64 {
	held := map[models.Account]int64{}
	for account, amount := range b.Amounts() {
		held[account] = *amount
	}
	return held
}

// Queue stores messages as their causes do.
func (s *Store) Queue(ctx context.Context, now time.Time, messages ...models.Message) error {
	return s.DB.InTx(ctx, func(tx *gorm.DB) error { return outbox.Enqueue(tx, s.DB.Dialect, now, messages...) })
}

// OutboxBacklog is the limit that StartBroadcast keeps.
const OutboxBacklog = outbox.OutboxBacklog

// StartBroadcast starts a draft, as the confirmed question of an admin does.
func (s *Store) StartBroadcast(ctx context.Context, id int64, now time.Time) (models.Broadcast, error) {
	return s.StartBroadcastUpTo(ctx, outbox.OutboxBacklog, id, now)
}

// StartBroadcastUpTo is StartBroadcast with a limit that a test can reach.
func (s *Store) StartBroadcastUpTo(ctx context.Context, backlog, id int64, now time.Time) (b models.Broadcast, err error) {
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

// InTx runs fn in a transaction that Store methods called with its ctx join.
func (s *Store) InTx(ctx context.Context, fn func(ctx context.Context) error) error {
	return s.DB.InTx(ctx, func(tx *gorm.DB) error { return fn(db.WithTx(ctx, tx)) })
}

// PayOrder notes a payment in an order as it was read.
func (s *Store) PayOrder(ctx context.Context, o models.Order, at time.Time) error {
	return s.DB.InTx(ctx, func(tx *gorm.DB) error { return treasury.AddToOrder(tx, &o, o.Amount, at, "hash") })
}

// CloseOrder cancels an order as it was read.
func (s *Store) CloseOrder(ctx context.Context, o models.Order) error {
	return s.DB.InTx(ctx, func(tx *gorm.DB) error { return orders.CancelOrder(tx, &o) })
}

// HeldLease is a lease that is asked nothing unless a test does.
type HeldLease struct{ db.Lease }

// TakeLease takes a free lease.
func (s *Store) TakeLease(ctx context.Context, name string) (HeldLease, error) {
	l, err := s.DB.Lease(name)
	if err != nil {
		return HeldLease{}, err
	}
	ours, err := l.Take(ctx)
	if err == nil && !ours {
		err = db.ErrNotLeading
	}
	return HeldLease{l}, err
}

// AdvanceAsRead takes a tournament on from what was read of it earlier.
func (s *Store) AdvanceAsRead(ctx context.Context, t models.Tournament, now time.Time) (int64, error) {
	return s.Mines.AdvanceTournament(ctx, t, nil, now)
}

// Finish is the part of AdvanceTournaments that ranks and pays a closed tournament.
func (s *Store) Finish(ctx context.Context, t models.Tournament, now time.Time) (int64, error) {
	return s.Mines.Finish(ctx, t, now)
}

// CountMessages counts those whose key begins so.
func (s *Store) CountMessages(ctx context.Context, prefix string) (n int, err error) {
	err = s.DB.Committed(ctx).Raw("SELECT COUNT(*) FROM outbox WHERE key LIKE ?", prefix+"%").Scan(&n).Error
	return n, err
}

// CountEffect adds one to the setting "effects".
func (s *Store) CountEffect(ctx context.Context) error {
	return s.DB.InTx(ctx, func(tx *gorm.DB) error {
		return tx.Exec("UPDATE settings SET value = CAST(CAST(value AS integer) + 1 AS text) WHERE key = 'effects'").Error
	})
}

// CountDaysBy is CountDays in chunks of a size that a test can reach.
func (s *Store) CountDaysBy(ctx context.Context, chunk int, now time.Time) (int64, error) {
	return s.Ledger.CountDaysInChunks(ctx, chunk, now)
}

// DaysWith is Days with a limit that a test can reach on what is not counted yet.
func (s *Store) DaysWith(ctx context.Context, now time.Time, days, tail int) (ledger.Days, error) {
	return s.Ledger.DaysWithTail(ctx, now, days, tail)
}

// HouseSources are the accounts of the house that give coins, and which of them have a name.
func HouseSources() (giving []models.Account, named map[models.Account]string) {
	named = map[models.Account]string{}
	for _, house := range ledger.Chart {
		if slices.Contains(house.Assets, models.AssetMCBK) {
			giving = append(giving, house.Account)
		}
		if house.Title != "" {
			named[house.Account] = house.Title
		}
	}
	return giving, named
}

// MigrationLimits are the limits of PostgreSQL on a connection that migrates.
func (s *Store) MigrationLimits(ctx context.Context) (statement, lock, idle string, err error) {
	db, done, err := s.DB.NoStatementTimeout()
	if err != nil {
		return "", "", "", err
	}
	defer done() //nolint:errcheck // a test's own connection
	err = db.QueryRowContext(ctx, `SELECT current_setting('statement_timeout'), current_setting('lock_timeout'),
		current_setting('idle_in_transaction_session_timeout')`).Scan(&statement, &lock, &idle)
	return statement, lock, idle, err
}

// UpdatesOf counts a chat's updates in a state.
func (s *Store) UpdatesOf(ctx context.Context, chat int64, state models.UpdateState) (n int) {
	if err := s.DB.Read(ctx).Raw("SELECT COUNT(*) FROM bot_updates WHERE chat_id = ? AND state = ?", chat, state).Scan(&n).Error; err != nil {
		return -1
	}
	return n
}

// AdvanceTask counts an event as its feature does.
func (s *Store) AdvanceTask(ctx context.Context, id models.PlayerID, action game.TaskAction, by int64, now time.Time) error {
	return s.DB.InTx(ctx, func(tx *gorm.DB) error { return tasks.AdvanceTask(tx, s.Tasks, id, action, by, game.DayOf(now), now) })
}

// LearnTasks caches the tasks of a day, and reports whether they are known then.
func (s *Store) LearnTasks(ctx context.Context, now time.Time) (known bool, err error) {
	day := game.DayOf(now)
	err = s.Tasks.LoadTasks(ctx, day, now)
	_, known = s.Tasks.CachedTasks(day)
	return known, err
}

// AdsPaid counts the tickets that paid a player something.
func (s *Store) AdsPaid(ctx context.Context, id models.PlayerID) (paid int, err error) {
	found, err := ads.AdTickets(s.DB.Read(ctx), "player_id = ? AND paid", id)
	return len(found), err
}

// CoinMoves are the accounts of the house that give coins, and to which accounts of a player each
// is told to give some.
func CoinMoves() (givers []models.Account, told map[models.Account][]models.Account) {
	told = map[models.Account][]models.Account{}
	for _, house := range ledger.Chart {
		if house.Account != TestHouse && slices.Contains(house.Assets, models.AssetMCBK) {
			givers = append(givers, house.Account)
		}
		for _, row := range house.History {
			told[house.Account] = append(told[house.Account], row.Destination)
		}
	}
	return givers, told
}

// FollowLedger is the part of FollowRanks that reads the ledger, two rows at once; the rest would hide what it misses.
func (s *Store) FollowLedger(ctx context.Context) error { return s.Leaderboard.FollowLedger(ctx, 2) }

// Away reports whether an error means that the database could not do its work now.
var Away = db.IsUnavailable

// FreshPlans has connections forget old plans.
var FreshPlans = db.FreshPlans

// Statements as a test can explain them.
const (
	DueDay          = tasks.DueDay
	LeftOpen        = audit.StaleTasks
	PermanentTasks  = tasks.PermanentTasks
	UntriedMessages = outbox.UntriedMessages
	ActionsSince    = treasury.ActionsSince
	ActionsWith     = treasury.ActionsWith
	SettledPrizes   = wallet.SettledPrizes
)

// Statements that name their columns, and one beside them.
var (
	NewestQuestions = admin.NewestQuestions
	RefusedSince    = admin.RefusedSince
	NewestPostings  = players.NewestPostings
)

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

// WriteBeside writes a journal that holds a statement, and no entry.
func (s *Store) WriteBeside(ctx context.Context) error {
	all := ledger.Tx{Extra: []db.Statement{{Text: "UPDATE players SET id = id"}}}
	return s.DB.InTx(ctx, func(tx *gorm.DB) error { return s.Ledger.WriteJournal(tx, &all) })
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
