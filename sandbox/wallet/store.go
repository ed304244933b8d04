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

// book is what the app keeps across restarts. Its keys guard play money only.
type book struct {
	// Events is the number of the latest event; apps refuse one that does not grow.
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

// save writes beside the file first, so that a kill leaves the one or the other whole. The caller holds the lock.
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

// nextEvent is the number of an event about to be sent. The caller holds the lock and saves.
func (a *App) nextEvent() int64 {
	a.kept.Events++
	return a.kept.Events
}

// drop takes a connection off the book. The caller holds the lock and saves.
func (a *App) drop(gone *session) {
	a.kept.Sessions = slices.DeleteFunc(a.kept.Sessions, func(s *session) bool { return s == gone })
}
