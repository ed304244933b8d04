// Package store opens the database and holds the store of each feature.
package store

import (
	"context"
	"io"
	"time"

	"mcbk/models"
	"mcbk/models/admin"
	"mcbk/models/ads"
	"mcbk/models/alarms"
	"mcbk/models/audit"
	"mcbk/models/commit"
	"mcbk/models/daily"
	"mcbk/models/db"
	"mcbk/models/friends"
	"mcbk/models/leaderboard"
	"mcbk/models/ledger"
	"mcbk/models/mines"
	"mcbk/models/orders"
	"mcbk/models/outbox"
	"mcbk/models/players"
	"mcbk/models/privacy"
	"mcbk/models/settings"
	"mcbk/models/stars"
	"mcbk/models/taps"
	"mcbk/models/tasks"
	"mcbk/models/treasury"
	"mcbk/models/wallet"
	"mcbk/models/wheel"
)

// Store is the program's database: a SQLite file or PostgreSQL.
type Store struct {
	DB          *db.DB
	Leaderboard *leaderboard.Store
	Settings    *settings.Store
	Ledger      *ledger.Ledger
	Outbox      *outbox.Store
	Commit      *commit.Store
	Friends     *friends.Store
	Players     *players.Store
	Tasks       *tasks.Store
	Taps        *taps.Store
	Ads         *ads.Store
	Wheel       *wheel.Store
	Daily       *daily.Store
	Orders      *orders.Store
	Wallet      *wallet.Store
	Treasury    *treasury.Store
	Mines       *mines.Store
	Stars       *stars.Store
	Privacy     *privacy.Store
	Admin       *admin.Store
	Alarms      *alarms.Store
	Audit       *audit.Auditor
}

// Open connects to address, sqlite:PATH or postgres://…, without migrating it. now stamps the rows that GORM writes; entropy must
// be cryptographically random. A SQLite file that another process serves from returns ErrInUse; a database that may lose what it
// has confirmed is refused.
func Open(ctx context.Context, address string, now func() time.Time, entropy io.Reader) (*Store, error) {
	return OpenScaled(ctx, address, now, entropy, 1)
}

// OpenScaled is Open for a store with longer timeouts than players get, and half the connections.
func OpenScaled(ctx context.Context, address string, now func() time.Time, entropy io.Reader, scale db.TimeoutScale) (*Store, error) {
	database, err := db.Open(ctx, address, now, entropy, scale)
	if err != nil {
		return nil, err
	}
	return on(database), nil
}

// OpenToRead connects for checks only, also beside a serving process.
func OpenToRead(ctx context.Context, address string, now func() time.Time) (*Store, error) {
	database, err := db.OpenToRead(ctx, address, now)
	if err != nil {
		return nil, err
	}
	return on(database), nil
}

// on builds each feature on those below it.
func on(database *db.DB) *Store {
	s := &Store{DB: database}
	s.Leaderboard = leaderboard.New(database)
	s.Settings = settings.New(database)
	s.Ledger = ledger.New(database, s.Leaderboard)
	s.Outbox = outbox.New(database)
	s.Commit = commit.New(database, s.Ledger)
	s.Friends = friends.New(database, s.Ledger)
	s.Players = players.New(database, s.Leaderboard, s.Settings, s.Ledger, s.Outbox, s.Friends)
	s.Tasks = tasks.New(database, s.Ledger, s.Commit)
	s.Taps = taps.New(database, s.Settings, s.Tasks, s.Commit)
	s.Ads = ads.New(database, s.Ledger, s.Players, s.Tasks, adHandlers())
	s.Wheel = wheel.New(database, s.Settings, s.Ledger, s.Tasks, s.Commit)
	s.Daily = daily.New(database, s.Settings, s.Ledger, s.Tasks, s.Commit)
	s.Orders = orders.New(database, s.Ledger)
	s.Wallet = wallet.New(database, s.Ledger)
	settlers := map[models.OrderKind]treasury.Settler{}
	s.Treasury = treasury.New(database, s.Ledger, settlers)
	s.Mines = mines.New(database, s.Settings, s.Ledger, s.Outbox, s.Taps, s.Orders, s.Treasury, s.Commit)
	settlers[models.OrderMine] = treasury.Settler{Settle: s.Mines.SettleMine, Match: s.Mines.MatchMine}
	s.Stars = stars.New(database, s.Settings, s.Ledger, s.Treasury, settlers)
	s.Privacy = privacy.New(database, s.Leaderboard, s.Players)
	s.Admin = admin.New(database, s.Settings, s.actionHandlers())
	s.Alarms = alarms.New(database)
	s.Audit = audit.New(database, s.Ledger, s.Treasury, s.Stars, s.Alarms)
	return s
}

// Close closes the database once everything queued is written or read; no more calls may come.
func (s *Store) Close() error {
	s.Commit.Wait()
	s.Players.Wait()
	return s.DB.Close()
}
