package api

import (
	"crypto/subtle"
	"encoding/json"
	"errors"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

	lru "github.com/hashicorp/golang-lru/v2"
	initdata "github.com/telegram-mini-apps/init-data-golang"

	"mcbk/game"
	"mcbk/models/players"
)

const (
	maxInitData = 4096
	clockSkew   = 60 * time.Second // tolerance for Telegram's clock
	maxName     = 64               // characters, Telegram's limit
)

// launchData identifies the caller; Telegram signed it with the bot's token.
type launchData struct {
	user     players.LaunchUser
	signedAt time.Time
	raw      string
}

// launchVerifier verifies launch data, with a cache: an open app sends the same data with every call, and parsing is most of the work.
// The age is checked every time. The cache has one entry per player, since a player can write the same data in many ways and could
// evict others.
type launchVerifier struct {
	botToken string
	sandbox  bool // avatars may be on this machine
	good     *lru.Cache[string, launchData]
	of       *lru.Cache[int64, string] // by Telegram ID
}

// cachedLaunches is in players; an entry takes about a kilobyte, at most twice maxInitData.
const cachedLaunches = 1 << 14

func newLaunchVerifier(botToken string, sandbox bool) *launchVerifier {
	return &launchVerifier{botToken, sandbox, newCache[string, launchData](cachedLaunches), newCache[int64, string](cachedLaunches)}
}

func (l *launchVerifier) add(launch launchData) {
	if l.good.Contains(launch.raw) {
		return
	}
	who := launch.user.TelegramID
	if before, had := l.of.Get(who); had && before != launch.raw {
		l.good.Remove(before)
	}
	l.of.Add(who, launch.raw)
	l.good.Add(launch.raw, launch)
}

// verify returns the content of launch data that Telegram signed within oldest for a user. An open app sends the data of its start, so
// they may be old (decision 0007). It refuses with init_data_missing, init_data_invalid or init_data_expired.
func (l *launchVerifier) verify(raw string, oldest time.Duration, now time.Time) (launchData, error) {
	if raw == "" {
		return launchData{}, game.Refuse(initDataMissing)
	}
	launch, known := l.good.Get(raw)
	if !known {
		var err error
		if launch, err = l.read(raw); err != nil {
			return launchData{}, game.Refuse(initDataInvalid)
		}
	}
	switch age := now.Sub(launch.signedAt); {
	case age < -clockSkew:
		return launchData{}, game.Refuse(initDataInvalid)
	case age > oldest:
		return launchData{}, game.Refuse(initDataExpired)
	}
	return launch, nil
}

var errInitData = errors.New("not launch data")

// read returns the content of launch data that Telegram signed at any time. The library alone would accept data without a user, or
// with a duplicate key.
func (l *launchVerifier) read(raw string) (launchData, error) {
	fields, err := signedFields(raw)
	if err != nil {
		return launchData{}, err
	}
	unix, err := strconv.ParseInt(fields["auth_date"], 10, 64)
	if err != nil {
		return launchData{}, errInitData
	}
	at := time.Unix(unix, 0)
	want := initdata.Sign(fields, l.botToken, at)
	if subtle.ConstantTimeCompare([]byte(want), []byte(fields["hash"])) != 1 {
		return launchData{}, errInitData
	}
	var user initdata.User
	if err := json.Unmarshal([]byte(fields["user"]), &user); err != nil || user.ID <= 0 || user.IsBot {
		return launchData{}, errInitData
	}
	return launchData{signedAt: at, raw: raw, user: players.LaunchUser{
		TelegramID: user.ID, FirstName: printable(user.FirstName), Username: printable(user.Username),
		PhotoURL: l.pictureURL(user.PhotoURL), IsPremium: user.IsPremium, LanguageCode: user.LanguageCode,
		StartParam: referralCode(fields["start_param"]), AllowsWrite: user.AllowsWriteToPm, SignedAt: at,
	}}, nil
}

// signedFields parses the data's fields, which must be unique.
func signedFields(raw string) (map[string]string, error) {
	if len(raw) > maxInitData {
		return nil, errInitData
	}
	query, err := url.ParseQuery(raw)
	if err != nil {
		return nil, errInitData
	}
	fields := make(map[string]string, len(query))
	for key, values := range query {
		if len(values) != 1 {
			return nil, errInitData
		}
		fields[key] = values[0]
	}
	return fields, nil
}

// printable returns a name without control characters (including bidirectional ones), cut to Telegram's limit; "" if nothing is visible.
func printable(name string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(name, ""))
	if runes := []rune(name); len(runes) > maxName {
		name = string(runes[:maxName])
	}
	return game.VisibleName(strings.TrimSpace(name))
}

var startCode = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// referralCode returns a code that is valid in a start link, else "".
func referralCode(code string) string { return startCode.FindString(code) }

// pictureHosts are Telegram's avatar hosts; the security policy lists the same.
var pictureHosts = []string{"t.me", "*.telegram.org", "*.telesco.pe", "*.cdn-telegram.org", "*.telegram-cdn.org"}

// pictureURL returns an avatar's address if it is on a host of Telegram, or on this machine in the sandbox, else "".
func (l *launchVerifier) pictureURL(address string) string {
	parsed, err := url.Parse(address)
	if err != nil || parsed.User != nil || len(address) > 1024 {
		return ""
	}
	host := parsed.Hostname()
	if l.sandbox && (host == "localhost" || host == "127.0.0.1") && parsed.Scheme == "http" {
		return address
	}
	if parsed.Scheme != "https" || parsed.Port() != "" {
		return ""
	}
	for _, allowed := range pictureHosts {
		suffix, any := strings.CutPrefix(allowed, "*")
		if host == allowed || (any && strings.HasSuffix(host, suffix)) {
			return address
		}
	}
	return ""
}
