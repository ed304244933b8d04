package telegram

import (
	"slices"
	"strconv"
	"strings"
)

// restrictedAway is a restricted user who has left: Telegram's status is restricted, too.
const restrictedAway = "restricted_away"

var statuses = []string{"creator", "administrator", "member", "restricted", restrictedAway, "left", "kicked"}

// getChatMember knows the channels of SetMember and players' visits.
func (s *Server) getChatMember(p params) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	members, ok := s.state.Members[strings.ToLower(p.text("chat_id"))]
	if !ok {
		return nil, badRequest("chat not found")
	}
	person, ok := s.cfg.People.Find(p.number("user_id"))
	if !ok {
		return nil, badRequest("PARTICIPANT_ID_INVALID")
	}
	m := Member{Status: members[person.ID], User: user(person)}
	m.User.LanguageCode = "" // only in updates
	switch m.Status {
	case "":
		m.Status = "left"
	case "restricted", restrictedAway:
		in := m.Status == "restricted"
		m.Status, m.IsMember = "restricted", &in
	case "kicked":
		forever := int64(0)
		m.UntilDate = &forever
	}
	return m, nil
}

// SetMember sets a player's membership of a channel, "@name" or a numeric id, which is created at first use.
func (s *Server) SetMember(channel string, player int64, status string) error {
	if !slices.Contains(statuses, status) {
		return badRequest("status must be one of %s", strings.Join(statuses, ", "))
	}
	if _, ok := s.cfg.People.Find(player); !ok {
		return badRequest("user not found")
	}
	key, err := channelKey(channel)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state.Members[key] == nil {
		s.state.Members[key] = map[int64]string{}
	}
	s.state.Members[key][player] = status
	s.changed("chat", player)
	return nil
}

// MemberStatus returns the player's membership, and creates the channel.
func (s *Server) MemberStatus(channel string, player int64) (string, error) {
	key, err := channelKey(channel)
	if err != nil {
		return "", err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state.Members[key] == nil {
		s.state.Members[key] = map[int64]string{}
		s.dirty = true
	}
	if status := s.state.Members[key][player]; status != "" {
		return status, nil
	}
	return "left", nil
}

func channelKey(channel string) (string, error) {
	channel = strings.ToLower(strings.TrimSpace(channel))
	if channel == "" || channel == "@" {
		return "", badRequest("chat_id is empty")
	}
	if _, err := strconv.ParseInt(channel, 10, 64); err != nil && !strings.HasPrefix(channel, "@") {
		channel = "@" + channel
	}
	return channel, nil
}
