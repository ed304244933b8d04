package telegram

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"mcbk-sandbox/feed"
	"mcbk-sandbox/people"
)

// ErrNoButton means an unknown button.
var ErrNoButton = errors.New("no such button")

// View is a chat on the player's phone.
type View struct {
	Player   int64      `json:"player"`
	Bot      User       `json:"bot"`
	Started  bool       `json:"started"`
	Blocked  bool       `json:"blocked"`
	Messages []*Message `json:"messages"`
	Answers  []Answer   `json:"answers"`
	Commands []Command  `json:"commands"`
	Menu     MenuButton `json:"menu"`
	Shared   []Shared   `json:"shared"`
}

// Shared is a link sent by another player.
type Shared struct {
	From int64  `json:"from"`
	URL  string `json:"url"`
	Text string `json:"text"`
}

// View returns the player's chat.
func (s *Server) View(player int64) (View, error) {
	person, ok := s.cfg.People.Find(player)
	if !ok {
		return View{}, people.ErrNoPlayer
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.chat(player)
	v := View{
		Player: player, Bot: s.me, Started: c.Started, Blocked: c.Blocked,
		Messages: make([]*Message, 0, len(c.Messages)),
		Answers:  append([]Answer{}, c.Answers...),
		Commands: s.commandsFor(person), Menu: s.menuFor(player),
		Shared: append([]Shared{}, c.Shared...),
	}
	for _, m := range c.Messages {
		copied := *m
		v.Messages = append(v.Messages, &copied)
	}
	return v, nil
}

// Say sends the player's text to the bot; it starts the chat and ends a block.
func (s *Server) Say(player int64, text string, replyTo int64) (Message, error) {
	person, ok := s.cfg.People.Find(player)
	if !ok {
		return Message{}, people.ErrNoPlayer
	}
	text = strings.TrimSpace(text)
	if text == "" || utf16Len(text) > longestText {
		return Message{}, fmt.Errorf("a message has 1 to %d characters", longestText)
	}
	if err := s.Block(player, false); err != nil {
		return Message{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.chat(player)
	c.Started = true
	m := &Message{
		From: user(person), Chat: privateChat(person), Date: s.cfg.Clock.Now().Unix(),
		Text: text, Entities: addFound(text, nil), ReplyTo: quoted(c.message(replyTo)),
	}
	c.add(m)
	s.changed("chat", player)
	sent := *m
	return sent, s.enqueue(Update{Message: &sent})
}

// AllowWriting allows the bot to write, as the mini-app requested; the bot is notified, and a block ends.
func (s *Server) AllowWriting(player int64) error {
	person, ok := s.cfg.People.Find(player)
	if !ok {
		return people.ErrNoPlayer
	}
	if err := s.Block(player, false); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.chat(player)
	if c.Started {
		return nil
	}
	c.Started = true
	m := &Message{
		From: user(person), Chat: privateChat(person), Date: s.cfg.Clock.Now().Unix(),
		WriteAccess: &WriteAccess{FromRequest: true},
	}
	c.add(m)
	s.changed("chat", player)
	sent := *m
	return s.enqueue(Update{Message: &sent})
}

// Press presses the button with that callback data and returns the query's id.
func (s *Server) Press(player, message int64, data string) (string, error) {
	person, ok := s.cfg.People.Find(player)
	if !ok {
		return "", people.ErrNoPlayer
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.chat(player)
	m := c.message(message)
	if m == nil || !slices.ContainsFunc(buttons(m), func(b InlineButton) bool { return b.Data == data && data != "" }) {
		return "", ErrNoButton
	}
	id := fmt.Sprint(rand.Int64())
	c.queries[id] = 1
	pressed := *m
	return id, s.enqueue(Update{CallbackQuery: &CallbackQuery{
		ID: id, From: user(person), Message: &pressed, ChatInstance: fmt.Sprint(player * 31), Data: data,
	}})
}

// Button returns the index-th button of a message, row by row.
func (s *Server) Button(player, message int64, index int) (InlineButton, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.chat(player).message(message)
	if m == nil || index < 0 || index >= len(buttons(m)) {
		return InlineButton{}, ErrNoButton
	}
	return buttons(m)[index], nil
}

func buttons(m *Message) []InlineButton {
	if m.ReplyMarkup == nil {
		return nil
	}
	return slices.Concat(m.ReplyMarkup.Rows...)
}

// Block blocks or unblocks the bot, which is notified once.
func (s *Server) Block(player int64, blocked bool) error {
	person, ok := s.cfg.People.Find(player)
	if !ok {
		return people.ErrNoPlayer
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.chat(player)
	if c.Blocked == blocked {
		return nil
	}
	c.Blocked = blocked
	s.changed("chat", player)
	in, out := Member{Status: "member", User: s.me}, Member{Status: "kicked", User: s.me, UntilDate: new(int64)}
	u := MemberUpdate{Chat: privateChat(person), From: user(person), Date: s.cfg.Clock.Now().Unix(), Old: in, New: out}
	if !blocked {
		u.Old, u.New = out, in
	}
	return s.enqueue(Update{MyChatMember: &u})
}

// Clear deletes the player's chat.
func (s *Server) Clear(player int64) error {
	if _, ok := s.cfg.People.Find(player); !ok {
		return people.ErrNoPlayer
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.chat(player)
	*c = chat{LastID: c.LastID, queries: c.queries}
	s.changed("chat", player)
	return nil
}

// Share sends a link from one player to another.
func (s *Server) Share(to int64, link Shared) error {
	if _, ok := s.cfg.People.Find(to); !ok {
		return people.ErrNoPlayer
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.chat(to)
	c.Shared = append(c.Shared, link)
	s.changed("chat", to)
	s.cfg.Feed.Send(feed.Event{Kind: "shared", Player: to, Detail: link})
	return nil
}

// Unshare removes the oldest link shared with the player.
func (s *Server) Unshare(player int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.chat(player); len(c.Shared) > 0 {
		c.Shared = c.Shared[1:]
		s.changed("chat", player)
	}
}
