package telegram

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	initdata "github.com/telegram-mini-apps/init-data-golang"
	"mcbk-sandbox/people"
)

// Theme is Telegram's night theme, for the mini-app and the page.
var Theme = map[string]string{
	"accent_text_color": "#6ab2f2", "bg_color": "#17212b", "bottom_bar_bg_color": "#17212b",
	"button_color": "#5288c1", "button_text_color": "#ffffff", "destructive_text_color": "#ec3942",
	"header_bg_color": "#17212b", "hint_color": "#708499", "link_color": "#6ab3f3",
	"secondary_bg_color": "#232e3c", "section_bg_color": "#17212b", "section_header_text_color": "#6ab3f3",
	"section_separator_color": "#111921", "subtitle_text_color": "#708499", "text_color": "#f5f5f5",
}

// Launch is an opening of the mini-app.
type Launch struct {
	Player int64
	URL    string // the button's address
	// StartParam is the code of a direct link t.me/<bot>/app?startapp=CODE.
	StartParam string
	// Direct marks a direct link without a code.
	Direct bool
	// Shift offsets auth_date from now: minus 25 hours is a stale launch.
	Shift time.Duration
}

// Opened are the phone's data of an open mini-app.
type Opened struct {
	InitData string `json:"init_data"`
	URL      string `json:"url"`
}

// Open signs launch data and builds the URL that Telegram would open. A button is in a chat with the bot, so it allows writing; a direct
// link does not.
func (s *Server) Open(l Launch) (Opened, error) {
	person, ok := s.cfg.People.Find(l.Player)
	if !ok {
		return Opened{}, people.ErrNoPlayer
	}
	at := s.cfg.Clock.Now().Add(l.Shift)
	data, err := s.initData(person, l, s.knock(l), at)
	if err != nil {
		return Opened{}, err
	}
	address, err := launchURL(l, data)
	if err != nil {
		return Opened{}, err
	}
	return Opened{InitData: data, URL: address}, nil
}

// direct reports whether a link opened the mini-app outside the bot's chat.
func (l Launch) direct() bool { return l.Direct || l.StartParam != "" }

// knock starts the chat implied by a button, and reports whether the bot may write.
func (s *Server) knock(l Launch) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.chat(l.Player)
	if !c.Started && !l.direct() {
		c.Started = true
		s.dirty = true
	}
	return c.Started && !c.Blocked
}

func (s *Server) initData(p people.Person, l Launch, mayWrite bool, at time.Time) (string, error) {
	type launchUser struct {
		ID           int64  `json:"id"`
		FirstName    string `json:"first_name"`
		LastName     string `json:"last_name"`
		Username     string `json:"username,omitempty"`
		LanguageCode string `json:"language_code,omitempty"`
		IsPremium    bool   `json:"is_premium,omitempty"`
		AllowsWrite  bool   `json:"allows_write_to_pm,omitempty"`
		PhotoURL     string `json:"photo_url,omitempty"`
	}
	u := launchUser{
		ID: p.ID, FirstName: p.FirstName, LastName: p.LastName, Username: p.Username,
		LanguageCode: p.LanguageCode, IsPremium: p.IsPremium, AllowsWrite: mayWrite,
	}
	if p.HasPhoto {
		u.PhotoURL = fmt.Sprintf("%s/avatar/%d.svg", s.cfg.Address, p.ID)
	}
	var who strings.Builder
	enc := json.NewEncoder(&who)
	enc.SetEscapeHTML(false) // as Telegram does
	if err := enc.Encode(u); err != nil {
		return "", err
	}
	fields := map[string]string{
		"user": strings.TrimSpace(who.String()),
		// Only Telegram can make the real ed25519 signature; here any value serves as a part of the hash.
		"signature": "sandbox-signature",
	}
	if l.direct() {
		fields["chat_instance"] = strconv.FormatInt(-p.ID*31, 10)
		fields["chat_type"] = "sender"
		if l.StartParam != "" {
			fields["start_param"] = l.StartParam
		}
	} else {
		raw := binary.BigEndian.AppendUint64(nil, uint64(p.ID))
		fields["query_id"] = "AAE" + base64.RawURLEncoding.EncodeToString(raw)
	}
	hash := initdata.Sign(fields, s.cfg.Token, at)
	fields["auth_date"] = strconv.FormatInt(at.Unix(), 10)

	var b strings.Builder
	for _, name := range []string{"query_id", "user", "chat_instance", "chat_type", "start_param", "auth_date", "signature"} {
		if value, ok := fields[name]; ok {
			b.WriteString(name + "=" + escape(value) + "&")
		}
	}
	return b.String() + "hash=" + hash, nil
}

// launchURL adds the launch parameters to the button's URL as its fragment; a direct link's code is also added to the query, unsigned.
func launchURL(l Launch, data string) (string, error) {
	u, err := url.Parse(l.URL)
	if err != nil || u.Host == "" {
		return "", fmt.Errorf("the mini-app has no address to open: %q", l.URL)
	}
	if l.StartParam != "" {
		if u.RawQuery != "" {
			u.RawQuery += "&"
		}
		u.RawQuery += "tgWebAppStartParam=" + escape(l.StartParam)
	}
	u.Fragment = ""
	theme, err := json.Marshal(Theme)
	if err != nil {
		return "", err
	}
	return u.String() + "#tgWebAppData=" + escape(data) +
		"&tgWebAppVersion=8.0&tgWebAppPlatform=android&tgWebAppThemeParams=" + escape(string(theme)), nil
}

// escape is encodeURIComponent: a space is %20, never a plus.
func escape(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }
