package telegram

import (
	"encoding/json"
	"fmt"
	"regexp"

	"mcbk-sandbox/people"
)

// scope is the audience of a command list.
type scope struct {
	Type   string      `json:"type"`
	ChatID json.Number `json:"chat_id"`
}

func (sc scope) key(language string) string {
	if sc.Type == "" {
		sc.Type = "default"
	}
	return fmt.Sprintf("%s/%s/%s", sc.Type, sc.ChatID, language)
}

var commandShape = regexp.MustCompile(`^[a-z0-9_]{1,32}$`)

func (s *Server) setMyCommands(p params) (any, error) {
	var list []Command
	if err := p.object("commands", &list); err != nil {
		return nil, err
	}
	for _, c := range list {
		if !commandShape.MatchString(c.Command) || c.Description == "" || utf16Len(c.Description) > 256 {
			return nil, badRequest("BOT_COMMAND_INVALID")
		}
	}
	var sc scope
	if err := p.object("scope", &sc); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state.Commands[sc.key(p.text("language_code"))] = list
	s.changed("bot", 0)
	return true, nil
}

// commandsFor returns the most specific list for a private chat, in the Bot API's order. The caller holds the lock.
func (s *Server) commandsFor(p people.Person) []Command {
	id := json.Number(fmt.Sprint(p.ID))
	for _, sc := range []scope{{"chat", id}, {Type: "all_private_chats"}, {Type: "default"}} {
		for _, language := range []string{shortLanguage(p.LanguageCode), ""} {
			if list, ok := s.state.Commands[sc.key(language)]; ok {
				return list
			}
		}
	}
	return []Command{}
}

func shortLanguage(code string) string {
	if len(code) > 2 && code[2] == '-' {
		return code[:2]
	}
	return code
}

func (s *Server) setChatMenuButton(p params) (any, error) {
	b := MenuButton{Type: "default"}
	if err := p.object("menu_button", &b); err != nil {
		return nil, err
	}
	switch b.Type {
	case "web_app":
		if b.Text == "" || b.WebApp == nil {
			return nil, badRequest("menu button text and web_app must be non-empty")
		}
		if err := checkWebApp("menu button", b.WebApp.URL); err != nil {
			return nil, err
		}
	case "commands", "default":
		b = MenuButton{Type: b.Type}
	default:
		return nil, badRequest("unsupported menu button type specified")
	}
	player, err := s.optionalChat(p)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if b.Type == "default" {
		delete(s.state.Menu, player)
	} else {
		s.state.Menu[player] = b
	}
	s.changed("bot", 0)
	return true, nil
}

func (s *Server) optionalChat(p params) (int64, error) {
	if p.text("chat_id") == "" {
		return 0, nil
	}
	person, ok := s.cfg.People.Find(p.number("chat_id"))
	if !ok {
		return 0, badRequest("chat not found")
	}
	return person.ID, nil
}

// menuFor is the player's own menu button or the default one.
func (s *Server) menuFor(player int64) MenuButton {
	for _, id := range []int64{player, 0} {
		if b, ok := s.state.Menu[id]; ok {
			return b
		}
	}
	return MenuButton{Type: "commands"}
}
