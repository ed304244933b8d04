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
	keys, err := p.markup()
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c, person, err := s.reach(p)
	if err != nil {
		return nil, err
	}
	if m.ReplyTo, err = replyTo(p, c); err != nil {
		return nil, err
	}
	m.From, m.Chat, m.Date = s.me, privateChat(person), s.cfg.Clock.Now().Unix()
	m.ReplyMarkup = keys.Inline
	if keys.Keyboard != nil || keys.Remove {
		c.Keyboard = keys.Keyboard
	}
	c.add(m)
	s.changed("chat", person.ID)
	sent := *m
	return sent, nil
}

func replyTo(p params, c *chat) (*Message, error) {
	var reply struct {
		ID    int64 `json:"message_id"`
		Lax   bool  `json:"allow_sending_without_reply"`
		Other any   `json:"chat_id"`
	}
	if err := p.object("reply_parameters", &reply); err != nil {
		return nil, err
	}
	if reply.ID == 0 {
		reply.ID = p.number("reply_to_message_id")
	}
	if reply.ID == 0 {
		return nil, nil
	}
	m := c.message(reply.ID)
	if m == nil && !reply.Lax {
		return nil, badRequest("message to be replied not found")
	}
	return quoted(m), nil
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

func (s *Server) editMessageText(p params) (any, error) {
	text, entities, err := bodyText(p)
	if err != nil {
		return nil, err
	}
	return s.edit(p, func(m *Message) error {
		if m.Text == "" {
			return badRequest("there is no text in the message to edit")
		}
		m.Text, m.Entities = text, entities
		return nil
	})
}

func (s *Server) editMessageCaption(p params) (any, error) {
	caption, entities, err := captionText(p)
	if err != nil {
		return nil, err
	}
	return s.edit(p, func(m *Message) error {
		if len(m.Photo) == 0 {
			return badRequest("there is no caption in the message to edit")
		}
		m.Caption, m.CaptionEntities = caption, entities
		return nil
	})
}

func (s *Server) editMessageReplyMarkup(p params) (any, error) {
	return s.edit(p, func(*Message) error { return nil })
}

// edit changes one of the bot's messages; an omitted keyboard is removed.
func (s *Server) edit(p params, change func(*Message) error) (any, error) {
	keys, err := p.markup()
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
	if m == nil {
		return nil, badRequest("message to edit not found")
	}
	if !m.From.IsBot {
		return nil, badRequest("message can't be edited")
	}
	next := *m
	if err := change(&next); err != nil {
		return nil, err
	}
	next.ReplyMarkup = keys.Inline
	if reflect.DeepEqual(next, *m) {
		return nil, badRequest("message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message")
	}
	next.EditDate = s.cfg.Clock.Now().Unix()
	*m = next
	s.changed("chat", person.ID)
	return next, nil
}

func (s *Server) deleteMessage(p params) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	person, err := s.person(p, "chat_id")
	if err != nil {
		return nil, err
	}
	c := s.chat(person.ID)
	for i, m := range c.Messages {
		if m.ID == p.number("message_id") {
			c.Messages = append(c.Messages[:i:i], c.Messages[i+1:]...)
			s.changed("chat", person.ID)
			return true, nil
		}
	}
	return nil, badRequest("message to delete not found")
}

func (s *Server) sendChatAction(p params) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, person, err := s.reach(p)
	if err != nil {
		return nil, err
	}
	s.cfg.Feed.Send(feed.Event{Kind: "action", Player: person.ID, Detail: p.text("action")})
	return true, nil
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
