package models

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/glebarez/sqlite"
	"gorm.io/gorm"

	"mcbk/game"
)

// InboxBacklog is the limit that ReceiveUpdates keeps.
const InboxBacklog = inboxBacklog

// ReceiveUpdatesUpTo is ReceiveUpdates with a limit that a test can reach.
func (s *Store) ReceiveUpdatesUpTo(ctx context.Context, backlog int64, updates []BotUpdate, now time.Time) (int, error) {
	return s.receiveUpdates(ctx, updates, backlog, now)
}

// DurableSQLite opens a file the way source says and checks it like the connection that writes.
func DurableSQLite(ctx context.Context, source string) error {
	view, err := openGORM(sqlite.Open(source), 1, time.Now)
	if err != nil {
		return err
	}
	defer closeGORM(view) //nolint:errcheck // a test's own connection
	return sqLite.durable(ctx, view)
}

// Guards lists what guards the database, one in a line.
func (s *Store) Guards(ctx context.Context) (lines []string, err error) {
	found, err := guardsOf(s.DB.committed(ctx), s.DB.dialect)
	for _, g := range found {
		lines = append(lines, g.String())
	}
	return lines, err
}

// InSnapshot runs fn while a snapshot that has read something is open.
func (s *Store) InSnapshot(ctx context.Context, fn func() error) error {
	return s.DB.snapshot(ctx, func(tx *gorm.DB) error {
		if err := eachPosting(tx.Raw("SELECT "+postingColumns+" FROM postings"), func(int64, Posting) {}); err != nil {
			return err
		}
		return fn()
	})
}

// Move is one posting of an Entry.
type Move struct {
	From, To Account
	Asset    Asset
	Amount   int64
}

// Entry is one for the journal.
type Entry struct {
	Player    PlayerID
	Reference string
	Moves     []Move
}

// AssetOf is what an account of a player holds.
var AssetOf = assetOf

// TestHouse is an account of the house that gives and takes every asset, in tests only.
const TestHouse Account = "house:test"

// OpenTestHouse lets entries name it.
func OpenTestHouse() {
	chart = append(chart, houseAccount{account: TestHouse, assets: slices.Collect(maps.Values(assetOf))})
}

// Post records entries in one transaction and tells how often it was begun.
func (s *Store) Post(ctx context.Context, entries []Entry, now time.Time) (runs int, err error) {
	err = s.DB.inTx(ctx, func(tx *gorm.DB) error {
		runs++
		var ids []PlayerID
		for _, e := range entries {
			ids = append(ids, e.Player)
		}
		return s.post(tx, ids, func(locked map[PlayerID]*Player, all *journal) error {
			for _, e := range entries {
				moves := make([]move, len(e.Moves))
				for i, m := range e.Moves {
					moves[i] = move{from: m.From, to: m.To, asset: m.Asset, amount: m.Amount}
				}
				if err := all.record(locked[e.Player], entry{reference: e.Reference, moves: moves}, now); err != nil {
					return err
				}
			}
			return nil
		})
	})
	return runs, err
}

// Within is inTx for tests of what it does with a transaction that fails.
func (s *Store) Within(ctx context.Context, fn func(tx *gorm.DB) error) error {
	return s.DB.inTx(ctx, fn)
}

// Attempts is how often inTx runs a transaction that lost a race.
const Attempts = attempts

// Accounts is what each account of a player holds.
func (b Balances) Accounts() map[Account]int64 {
	held := map[Account]int64{}
	for account, amount := range b.amounts() {
		held[account] = *amount
	}
	return held
}

// Queue stores messages as their causes do.
func (s *Store) Queue(ctx context.Context, now time.Time, messages ...Message) error {
	return s.DB.inTx(ctx, func(tx *gorm.DB) error { return queue(tx, s.DB.dialect, now, messages...) })
}

// OutboxBacklog is the limit that StartBroadcast keeps.
const OutboxBacklog = outboxBacklog

// StartBroadcast starts a draft, as the confirmed question of an admin does.
func (s *Store) StartBroadcast(ctx context.Context, id int64, now time.Time) (Broadcast, error) {
	return s.StartBroadcastUpTo(ctx, outboxBacklog, id, now)
}

// StartBroadcastUpTo is StartBroadcast with a limit that a test can reach.
func (s *Store) StartBroadcastUpTo(ctx context.Context, backlog, id int64, now time.Time) (b Broadcast, err error) {
	err = s.DB.inTx(ctx, func(tx *gorm.DB) (err error) {
		b, err = s.startBroadcast(tx, id, backlog, now)
		return err
	})
	return b, err
}

// CountAudience is BroadcastAudience by pages of so many players.
func (s *Store) CountAudience(ctx context.Context, players int64) (int64, error) {
	return s.countAudience(ctx, players)
}

// FanBroadcastAhead is FanBroadcast with a limit that a test can reach.
func (s *Store) FanBroadcastAhead(ctx context.Context, ahead int64, now time.Time) (more bool, err error) {
	return s.fanBroadcast(ctx, ahead, now)
}

// InTx runs fn in a transaction that Store methods called with its ctx join.
func (s *Store) InTx(ctx context.Context, fn func(ctx context.Context) error) error {
	return s.DB.inTx(ctx, func(tx *gorm.DB) error { return fn(withTx(ctx, tx)) })
}

// PayOrder notes a payment in an order as it was read.
func (s *Store) PayOrder(ctx context.Context, o Order, at time.Time) error {
	return s.DB.inTx(ctx, func(tx *gorm.DB) error { return addToOrder(tx, &o, o.Amount, at, "hash") })
}

// CloseOrder cancels an order as it was read.
func (s *Store) CloseOrder(ctx context.Context, o Order) error {
	return s.DB.inTx(ctx, func(tx *gorm.DB) error { return cancelOrder(tx, &o) })
}

// HeldLease is a lease that is asked nothing unless a test does.
type HeldLease struct{ lease }

// TakeLease takes a free lease.
func (s *Store) TakeLease(ctx context.Context, name string) (HeldLease, error) {
	l, err := s.DB.lease(name)
	if err != nil {
		return HeldLease{}, err
	}
	ours, err := l.take(ctx)
	if err == nil && !ours {
		err = ErrNotLeading
	}
	return HeldLease{l}, err
}

// Held asks once.
func (l HeldLease) Held(ctx context.Context) (bool, error) { return l.held(ctx) }

// Close lets go.
func (l HeldLease) Close() error { return l.close() }

// AdvanceAsRead takes a tournament on from what was read of it earlier.
func (s *Store) AdvanceAsRead(ctx context.Context, t Tournament, now time.Time) (int64, error) {
	return s.advanceTournament(ctx, t, nil, now)
}

// Finish is the part of AdvanceTournaments that ranks and pays a closed tournament.
func (s *Store) Finish(ctx context.Context, t Tournament, now time.Time) (int64, error) {
	return s.finish(ctx, t, now)
}

// CountMessages counts those whose key begins so.
func (s *Store) CountMessages(ctx context.Context, prefix string) (n int, err error) {
	err = s.DB.committed(ctx).Raw("SELECT COUNT(*) FROM outbox WHERE key LIKE ?", prefix+"%").Scan(&n).Error
	return n, err
}

// CountEffect adds one to the setting "effects".
func (s *Store) CountEffect(ctx context.Context) error {
	return s.DB.inTx(ctx, func(tx *gorm.DB) error {
		return tx.Exec("UPDATE settings SET value = CAST(CAST(value AS integer) + 1 AS text) WHERE key = 'effects'").Error
	})
}

// CountDaysBy is CountDays in chunks of a size that a test can reach.
func (s *Store) CountDaysBy(ctx context.Context, chunk int, now time.Time) (int64, error) {
	return s.countDays(ctx, chunk, now)
}

// DaysWith is Days with a limit that a test can reach on what is not counted yet.
func (s *Store) DaysWith(ctx context.Context, now time.Time, days, tail int) (Days, error) {
	return s.days(ctx, now, days, tail)
}

// HouseSources are the accounts of the house that give coins, and which of them have a name.
func HouseSources() (giving []Account, named map[Account]string) {
	named = map[Account]string{}
	for _, house := range chart {
		if slices.Contains(house.assets, AssetMCBK) {
			giving = append(giving, house.account)
		}
		if house.title != "" {
			named[house.account] = house.title
		}
	}
	return giving, named
}

// MigrationLimits are the limits of PostgreSQL on a connection that migrates.
func (s *Store) MigrationLimits(ctx context.Context) (statement, lock, idle string, err error) {
	db, done, err := s.DB.unhurried()
	if err != nil {
		return "", "", "", err
	}
	defer done() //nolint:errcheck // a test's own connection
	err = db.QueryRowContext(ctx, `SELECT current_setting('statement_timeout'), current_setting('lock_timeout'),
		current_setting('idle_in_transaction_session_timeout')`).Scan(&statement, &lock, &idle)
	return statement, lock, idle, err
}

// UpdatesOf counts a chat's updates in a state.
func (s *Store) UpdatesOf(ctx context.Context, chat int64, state UpdateState) (n int) {
	if err := s.DB.reading(ctx).Raw("SELECT COUNT(*) FROM bot_updates WHERE chat_id = ? AND state = ?", chat, state).Scan(&n).Error; err != nil {
		return -1
	}
	return n
}

// AdvanceTask counts an event as its feature does.
func (s *Store) AdvanceTask(ctx context.Context, id PlayerID, action game.TaskAction, by int64, now time.Time) error {
	return s.DB.inTx(ctx, func(tx *gorm.DB) error { return advanceTask(tx, s, id, action, by, game.DayOf(now), now) })
}

// LearnTasks caches the tasks of a day, and reports whether they are known then.
func (s *Store) LearnTasks(ctx context.Context, now time.Time) (known bool, err error) {
	day := game.DayOf(now)
	err = s.learnTasks(ctx, day, now)
	_, known = s.knownTasks(day)
	return known, err
}

// ForgetTaskBook makes the store remember no tasks, like a process that has just begun.
func (s *Store) ForgetTaskBook() { s.taskBook.cached.Store(nil) }

// AdsPaid counts the tickets that paid a player something.
func (s *Store) AdsPaid(ctx context.Context, id PlayerID) (paid int, err error) {
	found, err := adTickets(s.DB.reading(ctx), "player_id = ? AND paid", id)
	return len(found), err
}

// CoinMoves are the accounts of the house that give coins, and to which accounts of a player each
// is told to give some.
func CoinMoves() (givers []Account, told map[Account][]Account) {
	told = map[Account][]Account{}
	for _, house := range chart {
		if house.account != TestHouse && slices.Contains(house.assets, AssetMCBK) {
			givers = append(givers, house.account)
		}
		for _, row := range house.history {
			told[house.account] = append(told[house.account], row.destination)
		}
	}
	return givers, told
}

// FollowLedger is the part of FollowRanks that reads the ledger, two rows at once; the rest would hide what it misses.
func (s *Store) FollowLedger(ctx context.Context) error { return s.followLedger(ctx, 2) }

// Away reports whether an error means that the database could not do its work now.
var Away = away

// FreshPlans has connections forget old plans.
var FreshPlans = freshPlans

// Statements as a test can explain them.
const (
	DueDay          = dueDay
	LeftOpen        = leftOpen
	PermanentTasks  = permanentTasks
	UntriedMessages = untriedMessages
	ActionsSince    = actionsSince
	ActionsWith     = actionsWith
	SettledPrizes   = settledPrizes
)

// Statements that name their columns, and one beside them.
var (
	NewestQuestions = newestQuestions
	RefusedSince    = refusedSince
	NewestPostings  = newestPostings
)

// DueOf is the page of CloseTasks for a day.
func DueOf(day game.Day) (statement string, values []any) {
	return dueOn(day).page(), dueOn(day).values
}

// Permanent is that of tasks that stay.
func Permanent() string { return duePermanent.page() }

// MissedAfter are those whom Remind finds after one who checked in at a time.
func (s *Store) MissedAfter(ctx context.Context, at time.Time, id PlayerID, now time.Time) (ids []PlayerID, err error) {
	found, err := missedToday(s.DB.reading(ctx), remindable{ID: id, CheckedInAt: at}, now)
	for _, r := range found {
		ids = append(ids, r.ID)
	}
	return ids, err
}

// WriteBeside writes a journal that holds a statement, and no entry.
func (s *Store) WriteBeside(ctx context.Context) error {
	all := journal{besides: []statement{{text: "UPDATE players SET id = id"}}}
	return s.DB.inTx(ctx, func(tx *gorm.DB) error { return s.writeJournal(tx, &all) })
}

// MigrateTo migrates an empty database to a version.
func (s *Store) MigrateTo(ctx context.Context, version int64) error {
	view, done, err := s.DB.unhurried()
	if err != nil {
		return err
	}
	goosed, err := migrator(view, s.DB.dialect)
	if err == nil {
		_, err = goosed.UpTo(ctx, version)
	}
	return errors.Join(err, done())
}
