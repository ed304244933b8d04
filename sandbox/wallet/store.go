package wallet

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// book is the app's persistent state. Its keys guard play money only.
type book struct {
	// Events is the latest event's number, which must grow.
	Events   int64      `json:"events"`
	Sessions []*session `json:"sessions"`
}

func (a *App) file() string { return filepath.Join(a.cfg.Dir, "wallet-apps.json") }

func (a *App) load() error {
	raw, err := os.ReadFile(a.file())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = json.Unmarshal(raw, &a.kept)
	}
	if err != nil {
		return fmt.Errorf("read the connections in %s: %w", a.file(), err)
	}
	return nil
}

// save replaces the file atomically. The caller holds the lock.
func (a *App) save() error {
	raw, err := json.MarshalIndent(a.kept, "", "  ")
	if err == nil {
		err = os.WriteFile(a.file()+".new", raw, 0o600)
	}
	if err == nil {
		err = os.Rename(a.file()+".new", a.file())
	}
	if err != nil {
		return fmt.Errorf("keep the connections: %w", err)
	}
	return nil
}

// nextEvent returns the next event's number. The caller holds the lock and saves.
func (a *App) nextEvent() int64 {
	a.kept.Events++
	return a.kept.Events
}

// drop removes a connection. The caller holds the lock and saves.
func (a *App) drop(gone *session) {
	a.kept.Sessions = slices.DeleteFunc(a.kept.Sessions, func(s *session) bool { return s == gone })
}
