// Package config parses the environment into one checked struct. No other package reads the environment.
package config

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"reflect"
	"regexp"
	"strings"

	"github.com/caarlos0/env/v11"
	"github.com/joho/godotenv"
)

// Config holds every setting. The tag `expects` completes the error message of a missing or malformed one.
type Config struct {
	BotToken         Token   `env:"BOT_TOKEN,required,notEmpty" expects:"the bot's token, like 123456:ABC-DEF"`
	TelegramAPIURL   BaseURL `env:"TELEGRAM_API_URL" envDefault:"https://api.telegram.org" expects:"the address of a Bot API server, like https://host"`
	BotWebhookURL    BaseURL `env:"BOT_WEBHOOK_URL" expects:"the public https address Telegram posts updates to"`
	BotWebhookSecret Secret  `env:"BOT_WEBHOOK_SECRET" expects:"1 to 256 characters of A-Z a-z 0-9 _ -"`
	WebAppURL        BaseURL `env:"WEBAPP_URL,required,notEmpty" expects:"the public https address of the mini-app (http for loopback only), an international name as xn--…"`
	AdminIDs         IDs     `env:"ADMIN_IDS" expects:"Telegram ids separated by commas"`

	Listen    Address `env:"LISTEN" envDefault:":8080" expects:"an address to listen on, like :8080"`
	OpsListen Address `env:"OPS_LISTEN" envDefault:"127.0.0.1:9090" expects:"an address to listen on, like 127.0.0.1:9090"`

	DatabaseURL DatabaseURL `env:"DATABASE_URL" envDefault:"sqlite:data/mcbk.db" expects:"sqlite:PATH or postgres://USER:…@HOST/DATABASE; in a password write @ as %40, / as %2F, # as %23, ? as %3F"`
	RedisURL    RedisURL    `env:"REDIS_URL" expects:"redis://HOST or redis://:…@HOST; in a password write @ as %40, / as %2F, # as %23, ? as %3F"`

	ProjectStart    Date `env:"PROJECT_START" expects:"an RFC 3339 date, like 2026-01-31"`
	TournamentStart Date `env:"TOURNAMENT_START" expects:"an RFC 3339 date, like 2026-01-31"`

	TONNetwork      Network    `env:"TON_NETWORK" envDefault:"mainnet" expects:"mainnet or testnet"`
	TONConfig       string     `env:"TON_CONFIG" expects:"a file or URL of a lite-server configuration"`
	TreasuryAddress TONAddress `env:"TREASURY_ADDRESS" expects:"a TON address with a good checksum"`
	TONPriceURL     URLs       `env:"TON_PRICE_URL" expects:"URLs separated by commas"`
	WalletApp       AppName    `env:"WALLET_APP" envDefault:"tonkeeper" expects:"the app name of a TON wallet"`
	WalletsListURL  URL        `env:"WALLETS_LIST_URL" expects:"the URL of a TON Connect wallets list"`
	WalletsCSP      Hosts      `env:"WALLETS_CSP" expects:"hosts separated by spaces or commas, like bridge.example or https://bridge.example"`
	WalletLinkBase  LinkBase   `env:"WALLET_LINK_BASE" expects:"the URL payment links begin with, or ton://, tonkeeper:// or keeper://"`

	AdsScriptURL URL     `env:"ADS_SCRIPT_URL" expects:"the URL of the ad network's script"`
	AdsBlockID   string  `env:"ADS_BLOCK_ID" expects:"the ad network's unit"`
	AdsCSP       Hosts   `env:"ADS_CSP" expects:"hosts separated by spaces or commas, like ads.example or https://ads.example"`
	AdsMode      AdsMode `env:"ADS_MODE" envDefault:"s2s" expects:"s2s or client"`
	AdsSecret    string  `env:"ADS_SECRET" expects:"the secret of the ad network's callback"`

	RateLimitIP    Rate     `env:"RATE_LIMIT_IP" envDefault:"100" expects:"whole requests a second, 0 for no limit"`
	RateLimitUser  Rate     `env:"RATE_LIMIT_USER" envDefault:"10" expects:"whole requests a second, 0 for no limit"`
	TrustedProxies Prefixes `env:"TRUSTED_PROXIES" expects:"CIDRs separated by commas, like 10.0.0.0/8"`

	ClockOffsetFile string `env:"CLOCK_OFFSET_FILE" expects:"a file with a Go duration; only with a loopback TELEGRAM_API_URL"`

	LogLevel  slog.Level `env:"LOG_LEVEL" envDefault:"info" expects:"debug, info, warn or error"`
	LogFormat LogFormat  `env:"LOG_FORMAT" expects:"json or text"`
}

// Error is a setting that stops the start, in one line.
type Error struct {
	Variable string // the environment variable
	Problem  string
	Expects  string // a valid value
}

func (e *Error) Error() string {
	line := e.Variable + " " + e.Problem
	if e.Expects != "" {
		line += "; it expects " + e.Expects
	}
	return line
}

// Load reads the environment ("NAME=value" lines) over the optional file dotenv: environ takes precedence. It returns the first
// problem as *Error.
func Load(environ []string, dotenv string) (Config, error) {
	values, err := readDotenv(dotenv)
	if err != nil {
		return Config{}, err
	}
	for name, value := range env.ToMap(environ) {
		values[name] = value
	}
	var c Config
	if err := env.ParseWithOptions(&c, env.Options{Environment: values}); err != nil {
		return Config{}, explain(err)
	}
	return c, c.check()
}

// Loopback reports whether the Bot API server is on this machine, like the sandbox.
func (c Config) Loopback() bool { return c.TelegramAPIURL.loopback() }

// ShowsAds reports whether an ad unit and its script are set.
func (c Config) ShowsAds() bool { return c.AdsBlockID != "" && c.AdsScriptURL != "" }

// AdsHosts are the origins of the ad network; none without ads.
func (c Config) AdsHosts() []string {
	script, err := url.Parse(string(c.AdsScriptURL))
	if !c.ShowsAds() || err != nil {
		return nil
	}
	return append([]string{script.Scheme + "://" + script.Host}, c.AdsCSP...)
}

// WalletHosts are the origins of another wallets' list than our own, and of its wallets.
func (c Config) WalletHosts() []string {
	list, err := url.Parse(string(c.WalletsListURL))
	if c.WalletsListURL == "" || err != nil {
		return c.WalletsCSP
	}
	return append([]string{list.Scheme + "://" + list.Host}, c.WalletsCSP...)
}

const publicAPI = "https://api.telegram.org"

// servedPath matches paths of other routes, which a webhook cannot have.
var servedPath = regexp.MustCompile(`^/(api|health)(/|$)|^/(tonconnect-manifest|wallets)\.json$`)

// patternPath matches paths that the router would read as patterns.
var patternPath = regexp.MustCompile(`[*\\]`)

// check validates combinations of settings.
func (c Config) check() error {
	switch {
	case !c.WebAppURL.secure():
		return c.wrong("WEBAPP_URL", "is not https")
	case c.BotWebhookURL != "" && c.BotWebhookSecret == "":
		return c.wrong("BOT_WEBHOOK_SECRET", "is missing while BOT_WEBHOOK_URL is set")
	case c.BotWebhookURL == "" && c.BotWebhookSecret != "":
		return c.wrong("BOT_WEBHOOK_URL", "is missing while BOT_WEBHOOK_SECRET is set")
	case c.BotWebhookURL != "" && c.TelegramAPIURL == publicAPI && !c.BotWebhookURL.takesUpdates():
		return c.wrong("BOT_WEBHOOK_URL", "is not https on port 443, 80, 88 or 8443")
	case servedPath.MatchString(c.BotWebhookURL.Path()):
		return c.wrong("BOT_WEBHOOK_URL", "has a path that serves something else")
	case patternPath.MatchString(c.BotWebhookURL.Path()):
		return c.wrong("BOT_WEBHOOK_URL", `has a * or \ in its path`)
	case c.ClockOffsetFile != "" && !c.Loopback():
		return c.wrong("CLOCK_OFFSET_FILE", "is set although TELEGRAM_API_URL is not a loopback address")
	case c.AdsBlockID != "" && c.AdsMode == "s2s" && c.AdsSecret == "":
		return c.wrong("ADS_SECRET", "is missing while ADS_BLOCK_ID is set and ADS_MODE is s2s")
	case !c.TreasuryAddress.isOf(c.TONNetwork):
		return c.wrong("TREASURY_ADDRESS", "is of the test network only, and TON_NETWORK is mainnet")
	}
	return nil
}

func (c Config) wrong(variable, problem string) *Error {
	return &Error{Variable: variable, Problem: problem, Expects: expects(variable)}
}

func readDotenv(path string) (map[string]string, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return map[string]string{}, nil
	}
	unreadable := func(problem string) error {
		return &Error{Variable: path, Problem: problem, Expects: "lines of NAME=value"}
	}
	if unread, ok := errors.AsType[*fs.PathError](err); ok {
		err = unread.Err
	}
	if err != nil {
		return nil, unreadable("cannot be read: " + err.Error())
	}
	values, err := parseDotenv(string(text))
	if err != nil {
		return nil, unreadable("is garbled" + garbledAt(string(text))) // the parser's message would quote the file with its secrets
	}
	for name := range values {
		if expects(name) == "" {
			return nil, &Error{Variable: name, Problem: "in " + path + " is not a setting", Expects: "one of the names in README.md"}
		}
	}
	return values, nil
}

// parseDotenv parses a file's lines. The library would read a last line without = as a value without a name.
func parseDotenv(text string) (map[string]string, error) {
	values, err := godotenv.Unmarshal(text)
	if _, nameless := values[""]; nameless {
		return nil, errors.New("a line without =")
	}
	return values, err
}

// garbledAt names the first malformed line, if there is one.
func garbledAt(text string) string {
	for i, line := range strings.Split(text, "\n") {
		if _, err := parseDotenv(line); err != nil {
			return fmt.Sprintf(" in line %d", i+1)
		}
	}
	return ""
}

// explain turns the library's errors into one line about the first.
func explain(err error) error {
	if all, ok := errors.AsType[env.AggregateError](err); ok && len(all.Errors) > 0 {
		err = all.Errors[0]
	}
	var (
		missing   env.VarIsNotSetError
		empty     env.EmptyVarError
		malformed env.ParseError
	)
	switch {
	case errors.As(err, &missing):
		return &Error{Variable: missing.Key, Problem: "is missing", Expects: expects(missing.Key)}
	case errors.As(err, &empty):
		return &Error{Variable: empty.Key, Problem: "is empty", Expects: expects(empty.Key)}
	case errors.As(err, &malformed):
		field, _ := reflect.TypeFor[Config]().FieldByName(malformed.Name)
		return &Error{Variable: variable(field), Problem: "is malformed", Expects: field.Tag.Get("expects")}
	}
	return fmt.Errorf("read settings: %w", err)
}

func expects(name string) string {
	t := reflect.TypeFor[Config]()
	for i := range t.NumField() {
		if f := t.Field(i); variable(f) == name {
			return f.Tag.Get("expects")
		}
	}
	return ""
}

func variable(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("env"), ",")
	return name
}
