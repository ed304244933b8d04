package telegram

import (
	"reflect"
	"strings"

	"mcbk-sandbox/feed"
	"mcbk-sandbox/people"
)

const (
	longestText    = 4096
	longestCaption = 1024
)

// reach finds the chat of a bot's message. The caller holds the lock.
func (s *Server) reach(p params) (*chat, people.Person, error) {
	person, err := s.person(p, "chat_id")
	if err != nil {
		return nil, person, err
	}
	c := s.chat(person.ID)
	switch {
	case c.Blocked:
		return nil, person, errBlocked
	case !c.Started:
		return nil, person, errNotStarted
	}
	return c, person, nil
}

func (s *Server) person(p params, name string) (people.Person, error) {
	if p.text(name) == "" {
		return people.Person{}, badRequest("%s is empty", name)
	}
	person, ok := s.cfg.People.Find(p.number(name))
	if !ok {
		return people.Person{}, badRequest("chat not found")
	}
	return person, nil
}

func (s *Server) sendMessage(p params) (any, error) {
	text, entities, err := bodyText(p)
	if err != nil {
		return nil, err
	}
	return s.send(p, &Message{Text: text, Entities: entities})
}

func bodyText(p params) (string, []Entity, error) {
	text, entities, err := readText(p, "text", "entities", longestText, "message is too long")
	if err == nil && strings.TrimSpace(text) == "" {
		err = badRequest("message text is empty")
	}
	return text, entities, err
}

func captionText(p params) (string, []Entity, error) {
	return readText(p, "caption", "caption_entities", longestCaption, "message caption is too long")
}

func readText(p params, name, entitiesName string, longest int, tooLong string) (string, []Entity, error) {
	var given []Entity
	if err := p.object(entitiesName, &given); err != nil {
		return "", nil, err
	}
	text, entities, err := formatted(p.text(name), p.text("parse_mode"), given)
	if err != nil {
		return "", nil, err
	}
	if utf16Len(text) > longest {
		return "", nil, badRequest("%s", tooLong)
	}
	return text, addFound(text, entities), nil
}

// send adds the bot's message m to the parameters' chat.
func (s *Server) send(p params, m *Message) (any, error) {
	keys, err := p.keyboard()
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c, person, err := s.reach(p)
	if err != nil {
		return nil, err
	}
	m.From, m.Chat, m.Date = s.me, privateChat(person), s.cfg.Clock.Now().Unix()
	m.ReplyMarkup = keys
	c.add(m)
	s.changed("chat", person.ID)
	sent := *m
	return sent, nil
}

// quoted copies a message without its own quote, like Telegram.
func quoted(m *Message) *Message {
	if m == nil {
		return nil
	}
	q := *m
	q.ReplyTo = nil
	return &q
}

func (s *Server) copyMessage(p params) (any, error) {
	s.mu.Lock()
	from, err := s.person(p, "from_chat_id")
	if err != nil {
		s.mu.Unlock()
		return nil, err
	}
	original := s.chat(from.ID).message(p.number("message_id"))
	if original == nil {
		s.mu.Unlock()
		return nil, badRequest("message to copy not found")
	}
	m := &Message{
		Text: original.Text, Entities: original.Entities, Photo: original.Photo,
		Caption: original.Caption, CaptionEntities: original.CaptionEntities,
	}
	s.mu.Unlock()
	if _, err := s.send(p, m); err != nil {
		return nil, err
	}
	return map[string]int64{"message_id": m.ID}, nil
}

// editMessageText also replaces the keyboard; an omitted one is removed.
func (s *Server) editMessageText(p params) (any, error) {
	text, entities, err := bodyText(p)
	if err != nil {
		return nil, err
	}
	keys, err := p.keyboard()
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	person, err := s.person(p, "chat_id")
	if err != nil {
		return nil, err
	}
	m := s.chat(person.ID).message(p.number("message_id"))
	switch {
	case m == nil:
		return nil, badRequest("message to edit not found")
	case !m.From.IsBot:
		return nil, badRequest("message can't be edited")
	case m.Text == "":
		return nil, badRequest("there is no text in the message to edit")
	}
	next := *m
	next.Text, next.Entities, next.ReplyMarkup = text, entities, keys
	if reflect.DeepEqual(next, *m) {
		return nil, badRequest("message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message")
	}
	next.EditDate = s.cfg.Clock.Now().Unix()
	*m = next
	s.changed("chat", person.ID)
	return next, nil
}

func (s *Server) answerCallbackQuery(p params) (any, error) {
	a := Answer{QueryID: p.text("callback_query_id"), Text: p.text("text"), Alert: p.flag("show_alert"), URL: p.text("url")}
	if utf16Len(a.Text) > 200 {
		return nil, badRequest("MESSAGE_TOO_LONG")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for player, c := range s.state.Chats {
		if _, open := c.queries[a.QueryID]; !open {
			continue
		}
		c.Answers = append(c.Answers, a)
		if len(c.Answers) > answersKept {
			c.Answers = c.Answers[len(c.Answers)-answersKept:]
		}
		s.dirty = true
		s.cfg.Feed.Send(feed.Event{Kind: "answer", Player: player, Detail: a})
		return true, nil
	}
	return nil, errOldQuery
}
