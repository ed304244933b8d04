// Package models keeps everything that must survive: players, the ledger, the bot's inbox.
// Exported methods own their transaction; unexported helpers are given one.
package models

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"gorm.io/gorm"
)

// Store is the program's database: a SQLite file or PostgreSQL.
type Store struct {
	db             *gorm.DB // writes and transactions
	read           *gorm.DB // committed state, for reads outside transactions
	grouped        *gorm.DB // transactions of group commits, on connections of their own; taps that lock rows use db
	lookups        *gorm.DB // coalesced reads of callers
	dialect        dialect
	close          func() error
	unhurried      func() (db *sql.DB, done func() error, err error)
	lease          func(name string) (lease, error)
	folder         string // of the SQLite file; empty when the disk is not ours to watch
	patience       Patience
	entropy        io.Reader // seeds and codes; crypto/rand in production
	taps           groupCommit[*waitingTap]
	cache          *playerCache // nil if batches are always written under locks
	lockedTaps     lockedQueue
	spins          []*groupCommit[*waitingSpin]
	digs           groupCommit[*waitingDig]
	callers        groupCommit[*waitingCaller]
	settings       *settingsCache
	boards         *boards
	taskBook       taskBook
	meter          Meter
	ahead          atomic.Int64 // nanoseconds, see CompareClocks
	reminded       atomic.Value // the string that names the notice of prizes given last
	noHourlyLimits bool         // see LiftHourlyLimits
	actions        map[Action]actionHandler
	adPurposes     map[AdPurpose]adPurpose
	settlers       map[OrderKind]settler
}

// Open connects to address, sqlite:PATH or postgres://…, without migrating it. now stamps the rows that GORM writes; entropy must
// be cryptographically random. A SQLite file that another process serves from returns ErrInUse; a database that may lose what it
// has confirmed is refused.
func Open(ctx context.Context, address string, now func() time.Time, entropy io.Reader) (*Store, error) {
	return OpenPatiently(ctx, address, now, entropy, 1)
}

// OpenPatiently is Open for a store with longer timeouts than players get, and half the connections.
func OpenPatiently(ctx context.Context, address string, now func() time.Time, entropy io.Reader, patience Patience) (*Store, error) {
	c, err := connect(ctx, address, now, patience)
	if err != nil {
		return nil, err
	}
	s := &Store{
		db: c.write, read: c.read, grouped: c.grouped, lookups: c.lookups, dialect: c.dialect, close: c.close, unhurried: c.unhurried, lease: c.lease, folder: c.folder,
		patience: patience, entropy: entropy, settings: newSettingsCache(), boards: newBoards(), meter: noMeter{},
	}
	if c.dialect.versionsRows() {
		s.cache = newPlayerCache(c.grouped)
	}
	s.actions = s.actionHandlers()
	s.adPurposes = map[AdPurpose]adPurpose{AdDaily: dailyAd, AdPrediction: adviceAd, AdSpin: spinAd, AdRoulette: prizeAd}
	s.settlers = map[OrderKind]settler{OrderMine: {s.settleMine, s.matchMine}}
	s.openCallers()
	s.openTapCommits()
	s.openSpinCommits()
	s.digs.write, s.digs.most, s.digs.maxDelay = s.answerDigs, maxDigGroup, groupCommitDelay
	return s, nil
}

// actionHandlers returns everything that an admin can have done. None of it mints coins.
func (s *Store) actionHandlers() map[Action]actionHandler {
	return map[Action]actionHandler{
		ActionBan:           s.ban,
		ActionUnban:         s.unban,
		ActionErase:         s.erase,
		ActionChangeSetting: changeSetting,
		ActionMaintenance:   switchMaintenance,

		ActionBroadcast:     s.sendBroadcast,
		ActionStopBroadcast: s.stopBroadcast,

		ActionAddTask:    s.addTask,
		ActionRetireTask: retireTask,

		ActionMatch: s.matchPayment,

		ActionRejectFriend: rejectFriend,
		ActionAward:        s.award,
		ActionTournament:   s.newTournament,

		ActionApprove:      s.approvePayable,
		ActionSent:         s.reportSent,
		ActionCancelPayout: s.cancelPayable,
	}
}

// OpenToRead connects for checks only, also beside a serving process.
func OpenToRead(ctx context.Context, address string, now func() time.Time) (*Store, error) {
	c, err := connectToRead(ctx, address, now)
	if err != nil {
		return nil, err
	}
	return &Store{db: c.write, read: c.read, dialect: c.dialect, close: c.close, patience: 1, settings: newSettingsCache(), boards: newBoards(), meter: noMeter{}}, nil
}

// LiftHourlyLimits lifts the hourly limits on ads and orders. Daily limits, and how many orders may be open, stay. Call it before
// the store is used.
func (s *Store) LiftHourlyLimits() { s.noHourlyLimits = true }

// Close closes the database once everything queued is written or read; no more calls may come.
func (s *Store) Close() error {
	s.taps.wait()
	s.digs.wait()
	s.callers.wait()
	for _, g := range s.spins {
		g.wait()
	}
	return s.close()
}

// DiskFree returns how many bytes the disk of a SQLite file can still take. It is not known for PostgreSQL, whose disk others
// watch.
func (s *Store) DiskFree() (bytes int64, known bool, err error) {
	if s.folder == "" {
		return 0, false, nil
	}
	return freeBytes(s.folder)
}

// Ready returns nil if the database answers, is at the newest migration and agrees on the time; else BehindError, SkewedError or
// the error of the database.
func (s *Store) Ready(ctx context.Context) error {
	newest, err := newestMigration(s.dialect)
	if err != nil {
		return err
	}
	var at int64
	if err := s.read.WithContext(ctx).Raw("SELECT MAX(version_id) FROM goose_db_version WHERE is_applied").Scan(&at).Error; err != nil && !noTable(err) {
		return fmt.Errorf("ask the database: %w", err)
	}
	if at < newest {
		return BehindError{At: at, Newest: newest}
	}
	return s.skewed()
}
