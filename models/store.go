// Package models keeps everything that must survive: players, the ledger, the bot's inbox.
// Exported methods own their transaction; unexported helpers are given one.
package models

import (
	"context"
	"io"
	"sync/atomic"
	"time"
)

// Store is the program's database: a SQLite file or PostgreSQL.
type Store struct {
	*DB
	taps       groupCommit[*waitingTap]
	cache      *playerCache // nil if batches are always written under locks
	lockedTaps lockedQueue
	spins      []*groupCommit[*waitingSpin]
	digs       groupCommit[*waitingDig]
	callers    groupCommit[*waitingCaller]
	settings   *settingsCache
	boards     *boards
	taskBook   taskBook
	reminded   atomic.Value // the string that names the notice of prizes given last
	actions    map[Action]actionHandler
	adPurposes map[AdPurpose]adPurpose
	settlers   map[OrderKind]settler
}

// Open connects to address, sqlite:PATH or postgres://…, without migrating it. now stamps the rows that GORM writes; entropy must
// be cryptographically random. A SQLite file that another process serves from returns ErrInUse; a database that may lose what it
// has confirmed is refused.
func Open(ctx context.Context, address string, now func() time.Time, entropy io.Reader) (*Store, error) {
	return OpenPatiently(ctx, address, now, entropy, 1)
}

// OpenPatiently is Open for a store with longer timeouts than players get, and half the connections.
func OpenPatiently(ctx context.Context, address string, now func() time.Time, entropy io.Reader, patience Patience) (*Store, error) {
	view, err := connect(ctx, address, now, patience)
	if err != nil {
		return nil, err
	}
	view.entropy = entropy
	s := &Store{DB: view, settings: newSettingsCache(), boards: newBoards()}
	if view.dialect.versionsRows() {
		s.cache = newPlayerCache(view.grouped)
	}
	s.actions = s.actionHandlers()
	s.adPurposes = adHandlers()
	s.settlers = s.settlersOf()
	s.openCallers()
	s.openTapCommits()
	s.openSpinCommits()
	s.digs.write, s.digs.most, s.digs.maxDelay = s.answerDigs, maxDigGroup, groupCommitDelay
	return s, nil
}

// OpenToRead connects for checks only, also beside a serving process.
func OpenToRead(ctx context.Context, address string, now func() time.Time) (*Store, error) {
	view, err := connectToRead(ctx, address, now)
	if err != nil {
		return nil, err
	}
	view.patience, view.meter = 1, noMeter{}
	return &Store{DB: view, settings: newSettingsCache(), boards: newBoards()}, nil
}

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
