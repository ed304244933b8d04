package telegram

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"mcbk-sandbox/feed"
	"mcbk-sandbox/people"
)

// state is the persistent state.
type state struct {
	Chats    map[int64]*chat             `json:"chats"`
	Pending  []Update                    `json:"pending"`
	Allowed  []string                    `json:"allowed_updates"`
	Webhook  webhook                     `json:"webhook"`
	Commands map[string][]Command        `json:"commands"` // by scopeKey
	Menu     map[int64]MenuButton        `json:"menu"`     // by chat id, 0 the default
	Members  map[string]map[int64]string `json:"members"`  // by channel and user
	Files    int                         `json:"files"`
	Stars    stars                       `json:"stars"`
}

// chat is one player's private chat with the bot.
type chat struct {
	Started  bool           `json:"started"` // the bot may write
	Blocked  bool           `json:"blocked"`
	LastID   int64          `json:"last_id"`
	Messages []*Message     `json:"messages"`
	Answers  []Answer       `json:"answers,omitempty"`
	Shared   []Shared       `json:"shared,omitempty"`
	queries  map[string]int // open callback queries
}

const (
	messagesKept = 400
	answersKept  = 30
	idsReserved  = 1000
)

func (s *Server) stateFile() string { return filepath.Join(s.cfg.Dir, "telegram.json") }
func (s *Server) idFile() string    { return filepath.Join(s.cfg.Dir, "update-id") }
func (s *Server) filesDir() string  { return filepath.Join(s.cfg.Dir, "files") }

func (s *Server) load() error {
	if err := os.MkdirAll(s.filesDir(), 0o700); err != nil {
		return fmt.Errorf("make the directory for pictures: %w", err)
	}
	raw, err := os.ReadFile(s.stateFile())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read the chats: %w", err)
	}
	if err == nil {
		if err := json.Unmarshal(raw, &s.state); err != nil {
			return fmt.Errorf("read the chats in %s: %w", s.stateFile(), err)
		}
	}
	fill(&s.state.Chats)
	fill(&s.state.Commands)
	fill(&s.state.Menu)
	fill(&s.state.Members)
	fill(&s.state.Stars.Balances)
	fill(&s.state.Stars.Invoices)
	return s.loadIDs()
}

func fill[K comparable, V any](m *map[K]V) {
	if *m == nil {
		*m = map[K]V{}
	}
}

// loadIDs starts update ids at the real Unix time, or after the last reservation: mcbk would drop a repeated id.
func (s *Server) loadIDs() error {
	raw, err := os.ReadFile(s.idFile())
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return fmt.Errorf("read the last update id: %w", err)
	default:
		if s.lastID, err = strconv.ParseInt(strings.TrimSpace(string(raw)), 10, 64); err != nil {
			return fmt.Errorf("read the last update id in %s: %w", s.idFile(), err)
		}
	}
	s.lastID = max(s.lastID, realUnix())
	s.reserved = s.lastID
	return nil
}

// nextUpdateID saves a reservation before it issues an id of it.
func (s *Server) nextUpdateID() (int64, error) {
	if s.lastID == s.reserved {
		upTo := s.reserved + idsReserved
		if err := os.WriteFile(s.idFile(), []byte(strconv.FormatInt(upTo, 10)+"\n"), 0o600); err != nil {
			return 0, fmt.Errorf("reserve update ids: %w", err)
		}
		s.reserved = upTo
	}
	s.lastID++
	return s.lastID, nil
}

func (s *Server) save() error {
	s.mu.Lock()
	if !s.dirty {
		s.mu.Unlock()
		return nil
	}
	s.dirty = false
	raw, err := json.Marshal(s.state)
	s.mu.Unlock()
	if err != nil {
		return fmt.Errorf("keep the chats: %w", err)
	}
	tmp := s.stateFile() + ".new"
	if err := os.WriteFile(tmp, raw, 0o600); err != nil {
		return fmt.Errorf("keep the chats: %w", err)
	}
	return os.Rename(tmp, s.stateFile())
}

// changed marks the state as unsaved and notifies the pages; kind is "chat" or "stars" with a player, or "bot" for all chats.
func (s *Server) changed(kind string, player int64) {
	s.dirty = true
	s.cfg.Feed.Send(feed.Event{Kind: kind, Player: player})
}

// chat returns the player's chat, created at first use.
func (s *Server) chat(player int64) *chat {
	c := s.state.Chats[player]
	if c == nil {
		c = &chat{}
		s.state.Chats[player] = c
	}
	if c.queries == nil {
		c.queries = map[string]int{}
	}
	return c
}

func (c *chat) add(m *Message) {
	c.LastID++
	m.ID = c.LastID
	c.Messages = append(c.Messages, m)
	if len(c.Messages) > messagesKept {
		c.Messages = c.Messages[len(c.Messages)-messagesKept:]
	}
}

func (c *chat) message(id int64) *Message {
	for _, m := range c.Messages {
		if m.ID == id {
			return m
		}
	}
	return nil
}

func user(p people.Person) User {
	return User{
		ID: p.ID, FirstName: p.FirstName, LastName: p.LastName, Username: p.Username,
		LanguageCode: p.LanguageCode, IsPremium: p.IsPremium,
	}
}

func privateChat(p people.Person) Chat {
	return Chat{ID: p.ID, Type: "private", FirstName: p.FirstName, LastName: p.LastName, Username: p.Username}
}
