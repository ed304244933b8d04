package config_test

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"mcbk/config"
)

// One address in its two forms.
const (
	rawAddress      = "0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe"
	friendlyAddress = "EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs"
)

const token = "123456:ABC-DEF"

// required is the smallest environment that starts.
var required = []string{"BOT_TOKEN=" + token, "WEBAPP_URL=https://game.example"}

// load reads the required settings and more, without a .env file.
func load(t *testing.T, more ...string) (config.Config, error) {
	t.Helper()
	return config.Load(append(required[:len(required):len(required)], more...), filepath.Join(t.TempDir(), "none"))
}

func loaded(t *testing.T, more ...string) config.Config {
	t.Helper()
	c, err := load(t, more...)
	if err != nil {
		t.Fatalf("%q: %v", more, err)
	}
	return c
}

// dotenv writes a .env file.
func dotenv(t *testing.T, lines ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), ".env")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// refuses checks that err is one line that begins with the variable and says what it expects.
func refuses(t *testing.T, err error, variable string) {
	t.Helper()
	var wrong *config.Error
	if !errors.As(err, &wrong) {
		t.Errorf("%s: not refused: %v", variable, err)
		return
	}
	line := err.Error()
	if wrong.Variable != variable || !strings.HasPrefix(line, variable+" ") || strings.ContainsAny(line, "\n\r") {
		t.Errorf("%s: %q does not name it in one line", variable, line)
	}
	if _, expected, _ := strings.Cut(line, "; it expects "); expected == "" || wrong.Problem == "" {
		t.Errorf("%s: %q does not say what it expects", variable, line)
	}
}

func variables() []string {
	t := reflect.TypeFor[config.Config]()
	var all []string
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("env"), ",")
		all = append(all, name)
	}
	return all
}

// malformed lists, for every setting, values that stop the start. Free text has none.
var malformed = map[string][]string{
	"BOT_TOKEN":          {"", "secretsecret", "123456", ":ABC", "123456:", "x23456:secretsecret", "123456:secret secretsecret", token + "\n"},
	"TELEGRAM_API_URL":   {"api.telegram.org", "ftp://host", "https://", "https://user:secretsecret@host", "https://host/#part", "https://host/#", "https://host/?", "https://host/?query", "https://ho st", "://", "https://host:65536", "https://host:0", "https://host:"},
	"BOT_WEBHOOK_URL":    {"host/path", "ftp://host/path"},
	"BOT_WEBHOOK_SECRET": {"secret secret", "secretsecret!", strings.Repeat("s", 257)},
	"WEBAPP_URL":         {"", "game.example", "/game", "javascript:alert(1)", "https://game.example?a=1", "https://game.example/#x", "https://münchen.example", "https://m%C3%BCnchen.example"},
	"ADMIN_IDS":          {"x", "1,x", "0", "-1", "1;2", "1.5", "9223372036854775808"},
	"LISTEN":             {"8080", "host", ":x", ":65536", ":-1", "::1:80"},
	"OPS_LISTEN":         {"9090", ":65536"},
	"DATABASE_URL": {
		"mysql://root:secretsecret@host/db", "sqlite:", "data/mcbk.db", "sqlite:x?mode=memory", "sqlite:x#y", "sqlite:file:x", "postgres://u:secretsecret@host:port/db", "postgres://", "postgres://host/",
		"postgres://u:secretsecret@secretsecret@host/db", "postgres://u:1/secretsecret@host/db", "postgres://u:1#secretsecret@host/db", "postgres://u:1?secretsecret@host/db", "postgres://u:1/2?secretsecret@host/db", "sqlite:postgres://u:secretsecret@h/x", "postgres://u:secretsecret%@host/db",
	},
	"REDIS_URL":         {"localhost:6379", "redis://", "http://:secretsecret@host", "redis://:secretsecret@ho st", "redis://:secretsecret@host:70000", "redis://:secretsecret@secretsecret@host", "redis://:1/secretsecret@host", "redis://:1#secretsecret@host"},
	"PROJECT_START":     {"today", "31.01.2026", "2026-1-31", "2026-02-30", "2026-01-31T00:00:00", "2026-01-31 00:00:00Z", "2026-01-31T00:00:00.5Z"},
	"TOURNAMENT_START":  {"today", "2026-13-01"},
	"TON_NETWORK":       {"main", "MAINNET", "-239"},
	"TON_CONFIG":        nil,
	"TREASURY_ADDRESS":  {"x", "0:00", rawAddress[1:], "1" + rawAddress, rawAddress + "0", friendlyAddress[1:], friendlyAddress + "A"},
	"TON_PRICE_URL":     {"rates.example", "https://rates.example,x", "https://rates.example/#x"},
	"WALLET_APP":        {"<x>", "two words", "tonkeeper,other", strings.Repeat("a", 65)},
	"WALLETS_LIST_URL":  {"wallets.json"},
	"WALLETS_CSP":       {"bridge", "*", "https://bridge.example/bridge"},
	"WALLET_LINK_BASE":  {"tonkeeper", "ton://x", "javascript://", "https://", "http://", "https://app.example/?a=1"},
	"ADS_SCRIPT_URL":    {"sad.min.js", "//ads.example/sad.min.js"},
	"ADS_BLOCK_ID":      nil,
	"ADS_CSP":           {"localhost", "https://ads.example;script-src", "unsafe-inline", "*", "https://ads.example/path"},
	"ADS_MODE":          {"server", "S2S"},
	"ADS_SECRET":        nil,
	"RATE_LIMIT_IP":     {"-1", "x", "1.5", "2147483648"},
	"RATE_LIMIT_USER":   {"-1", "ten"},
	"TRUSTED_PROXIES":   {"10.0.0.1", "10.0.0.0/33", "10.0.0.0/8;x", "::ffff:10.0.0.0/8"},
	"CLOCK_OFFSET_FILE": {"offset"}, // beside the public Bot API
	"LOG_LEVEL":         {"loud", "verbose"},
	"LOG_FORMAT":        {"xml", "JSON"},
}

func TestMalformedSettingIsNamedInOneLine(t *testing.T) {
	for _, variable := range variables() {
		values, known := malformed[variable]
		if !known {
			t.Errorf("%s has no malformed value in this test", variable)
		}
		for _, value := range values {
			_, err := load(t, variable+"="+value)
			refuses(t, err, variable)
			if err != nil && strings.Contains(err.Error(), "secretsecret") {
				t.Errorf("%s: a secret is repeated in %q", variable, err)
			}
			_, err = config.Load(nil, dotenv(t, append(required, variable+"='"+value+"'")...))
			refuses(t, err, variable)
		}
	}
	if len(malformed) != len(variables()) {
		t.Errorf("%d settings, %d in this test", len(variables()), len(malformed))
	}
}

func TestMissingRequiredSettingIsRefused(t *testing.T) {
	for i, variable := range []string{"BOT_TOKEN", "WEBAPP_URL"} {
		_, err := config.Load([]string{required[1-i]}, "")
		refuses(t, err, variable)
	}
	_, err := config.Load(nil, "")
	refuses(t, err, "BOT_TOKEN") // one line, also when both are missing
}

func TestRequiredSettingsAreSufficientAndEmptyOnesUnset(t *testing.T) {
	want := config.Config{
		BotToken: token, TelegramAPIURL: "https://api.telegram.org", WebAppURL: "https://game.example",
		Listen: ":8080", OpsListen: "127.0.0.1:9090", DatabaseURL: "sqlite:data/mcbk.db",
		TONNetwork: "mainnet", WalletApp: "tonkeeper", AdsMode: "s2s",
		RateLimitIP: 100, RateLimitUser: 10, LogLevel: slog.LevelInfo,
	}
	var empty []string
	for _, variable := range variables() {
		if variable != "BOT_TOKEN" && variable != "WEBAPP_URL" {
			empty = append(empty, variable+"=")
		}
	}
	for _, more := range [][]string{nil, empty} {
		if got := loaded(t, more...); !reflect.DeepEqual(got, want) {
			t.Errorf("with %q\n%+v, want\n%+v", more, got, want)
		}
	}
}

func TestEverySettingIsRead(t *testing.T) {
	got := loaded(t,
		"TELEGRAM_API_URL=http://127.0.0.1:8081/", "BOT_WEBHOOK_URL=https://game.example/bot", "BOT_WEBHOOK_SECRET=abc_DEF-1",
		"ADMIN_IDS=1, 2,", "LISTEN=:0", "OPS_LISTEN=localhost:9091", "DATABASE_URL=postgres://mcbk@db/mcbk", "REDIS_URL=redis://cache:6379/1",
		"PROJECT_START=2026-01-31", "TOURNAMENT_START=2026-01-31T03:00:00+03:00", "TON_NETWORK=testnet", "TON_CONFIG=global.json",
		"TREASURY_ADDRESS="+friendlyAddress, "TON_PRICE_URL=https://a.example/ton?vs=usd,https://b.example", "WALLET_APP=other",
		"WALLETS_LIST_URL=https://w.example/list.json?v=2", "WALLETS_CSP=https://bridge.example", "WALLET_LINK_BASE=https://app.example/", "ADS_SCRIPT_URL=https://ads.example/sad.js?v=1",
		"ADS_BLOCK_ID=int-1", "ADS_CSP=ads.example, https://*.cdn.example:8443 *.more.example", "ADS_MODE=client", "ADS_SECRET=hush",
		"RATE_LIMIT_IP=0", "RATE_LIMIT_USER=7", "TRUSTED_PROXIES=10.0.0.0/8,::1/128", "CLOCK_OFFSET_FILE=offset",
		"LOG_LEVEL=debug", "LOG_FORMAT=text")
	start := config.Date{Time: time.Date(2026, time.January, 31, 0, 0, 0, 0, time.UTC)}
	proxies := got.TrustedProxies
	got.TrustedProxies = nil
	want := config.Config{
		BotToken: token, TelegramAPIURL: "http://127.0.0.1:8081", BotWebhookURL: "https://game.example/bot", BotWebhookSecret: "abc_DEF-1",
		WebAppURL: "https://game.example", AdminIDs: config.IDs{1, 2}, Listen: ":0", OpsListen: "localhost:9091",
		DatabaseURL: "postgres://mcbk@db/mcbk", RedisURL: "redis://cache:6379/1", ProjectStart: start, TournamentStart: start,
		TONNetwork: "testnet", TONConfig: "global.json", TreasuryAddress: friendlyAddress,
		TONPriceURL: got.TONPriceURL, WalletApp: "other", WalletsListURL: "https://w.example/list.json?v=2", WalletsCSP: config.Hosts{"https://bridge.example"},
		WalletLinkBase: "https://app.example", AdsScriptURL: "https://ads.example/sad.js?v=1", AdsBlockID: "int-1",
		AdsCSP: config.Hosts{"https://ads.example", "https://*.cdn.example:8443", "https://*.more.example"}, AdsMode: "client", AdsSecret: "hush",
		RateLimitIP: 0, RateLimitUser: 7, ClockOffsetFile: "offset", LogLevel: slog.LevelDebug, LogFormat: "text",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read\n%+v, want\n%+v", got, want)
	}
	if len(proxies) != 2 || proxies[0].String() != "10.0.0.0/8" || proxies[1].String() != "::1/128" {
		t.Errorf("proxies %v", proxies)
	}
	if prices := got.TONPriceURL; len(prices) != 2 || prices[0] != "https://a.example/ton?vs=usd" || prices[1] != "https://b.example" {
		t.Errorf("prices from %q", prices)
	}
}

func TestDependentSettingsAreChecked(t *testing.T) {
	const sandbox = "TELEGRAM_API_URL=http://localhost:8081"
	for _, c := range []struct {
		name    string
		more    []string
		refused string // the variable, empty when all is well
	}{
		{"a webhook without its secret", []string{"BOT_WEBHOOK_URL=https://game.example/bot"}, "BOT_WEBHOOK_SECRET"},
		{"a secret without its webhook", []string{"BOT_WEBHOOK_SECRET=hush"}, "BOT_WEBHOOK_URL"},
		{"a webhook at a path of the API", []string{"BOT_WEBHOOK_URL=https://game.example/api/hook", "BOT_WEBHOOK_SECRET=hush"}, "BOT_WEBHOOK_URL"},
		{"a webhook beside the API", []string{"BOT_WEBHOOK_URL=https://game.example/apihook", "BOT_WEBHOOK_SECRET=hush"}, ""},
		{"a webhook at a star", []string{"BOT_WEBHOOK_URL=https://game.example/bot*", "BOT_WEBHOOK_SECRET=hush"}, "BOT_WEBHOOK_URL"},
		{"a webhook at a backslash", []string{`BOT_WEBHOOK_URL=https://game.example/a%5Cb`, "BOT_WEBHOOK_SECRET=hush"}, "BOT_WEBHOOK_URL"},
		{"a webhook at the bot's token", []string{"BOT_WEBHOOK_URL=https://game.example/1:bc", "BOT_WEBHOOK_SECRET=hush"}, ""},
		{"a webhook at another of Telegram's ports", []string{"BOT_WEBHOOK_URL=https://game.example:8443/t", "BOT_WEBHOOK_SECRET=hush"}, ""},
		{"a webhook at no port of Telegram's", []string{"BOT_WEBHOOK_URL=https://game.example:1234/t", "BOT_WEBHOOK_SECRET=hush"}, "BOT_WEBHOOK_URL"},
		{"a webhook in the open", []string{"BOT_WEBHOOK_URL=http://127.0.0.1:8080/t", "BOT_WEBHOOK_SECRET=hush"}, "BOT_WEBHOOK_URL"},
		{"the same for a server of one's own", []string{"BOT_WEBHOOK_URL=http://127.0.0.1:8080/t", "BOT_WEBHOOK_SECRET=hush", sandbox}, ""},

		{"a treasury of the test network alone", []string{"TREASURY_ADDRESS=0QCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_iaj"}, "TREASURY_ADDRESS"},
		{"the same where it belongs", []string{"TREASURY_ADDRESS=0QCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_iaj", "TON_NETWORK=testnet"}, ""},
		{"links by a wallet's scheme", []string{"WALLET_LINK_BASE=tonkeeper://"}, ""},
		{"by its other scheme", []string{"WALLET_LINK_BASE=keeper://"}, ""},
		{"by any wallet's", []string{"WALLET_LINK_BASE=ton://"}, ""},
		{"a clock offset beside the public Bot API", []string{"CLOCK_OFFSET_FILE=x"}, "CLOCK_OFFSET_FILE"},
		{"a clock offset beside another machine's", []string{"CLOCK_OFFSET_FILE=x", "TELEGRAM_API_URL=http://10.0.0.1"}, "CLOCK_OFFSET_FILE"},
		{"beside a name that only looks local", []string{"CLOCK_OFFSET_FILE=x", "TELEGRAM_API_URL=http://localhost.example"}, "CLOCK_OFFSET_FILE"},
		{"a clock offset beside this machine's", []string{"CLOCK_OFFSET_FILE=x", sandbox}, ""},
		{"by its number", []string{"CLOCK_OFFSET_FILE=x", "TELEGRAM_API_URL=http://[::1]:8081"}, ""},

		{"an ad unit without a script", []string{"ADS_BLOCK_ID=1", "ADS_SECRET=hush"}, ""}, // which is warned of
		{"an ad unit without a script or the callback's secret", []string{"ADS_BLOCK_ID=1"}, "ADS_SECRET"},
		{"an ad unit without the callback's secret", []string{"ADS_BLOCK_ID=1", "ADS_SCRIPT_URL=https://ads.example/s.js"}, "ADS_SECRET"},
		{"a network without callbacks", []string{"ADS_BLOCK_ID=1", "ADS_SCRIPT_URL=https://ads.example/s.js", "ADS_MODE=client"}, ""},
		{"an ad unit with all it needs", []string{"ADS_BLOCK_ID=1", "ADS_SCRIPT_URL=https://ads.example/s.js", "ADS_SECRET=hush"}, ""},
		{"no ad unit and no secret", []string{"ADS_SCRIPT_URL=https://ads.example/s.js"}, ""},

		{"a web app in the open", []string{"WEBAPP_URL=http://game.example"}, "WEBAPP_URL"},
		{"a web app in the open on another machine", []string{"WEBAPP_URL=http://192.168.0.1"}, "WEBAPP_URL"},
		{"a web app on this machine", []string{"WEBAPP_URL=http://localhost:5173"}, ""},
		{"by its number", []string{"WEBAPP_URL=http://127.0.0.1:5173"}, ""},
	} {
		_, err := load(t, c.more...)
		if c.refused == "" {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		refuses(t, err, c.refused)
		if err != nil && strings.Contains(err.Error(), "hush") {
			t.Errorf("%s: a secret is repeated in %q", c.name, err)
		}
	}
}

func TestEnvironmentOverridesFile(t *testing.T) {
	path := dotenv(t, "# development", "BOT_TOKEN="+token, "WEBAPP_URL=https://file.example", "WALLET_APP=file", "LOG_LEVEL=loud")
	c, err := config.Load([]string{"WEBAPP_URL=https://environment.example", "LOG_LEVEL=warn", "BOT_TOKN=any"}, path) // an unknown name there is another program's
	if err != nil || c.BotToken != token || c.WebAppURL != "https://environment.example" || c.WalletApp != "file" || c.LogLevel != slog.LevelWarn {
		t.Errorf("read %+v, %v", c, err)
	}
}

func TestUnreadableFileIsRefused(t *testing.T) { // a missing one is none
	folder := t.TempDir()
	_, err := config.Load(required, folder)
	refuses(t, err, folder)
}

func TestUnknownKeyInFileIsRefused(t *testing.T) {
	for _, key := range []string{"BOT_TOKN", "bot_token", "PATH"} {
		_, err := config.Load(required, dotenv(t, key+"=secretsecret"))
		refuses(t, err, key)
		if err != nil && strings.Contains(err.Error(), "secretsecret") {
			t.Errorf("the value is repeated in %q", err)
		}
	}
}

func TestMalformedFileErrorContainsNoSecrets(t *testing.T) {
	for _, garbled := range []struct {
		line  int
		lines []string
	}{
		{1, []string{"BOT-TOKEN=123456:secretsecret"}},
		{0, []string{"123456:secretsecret", "BOT_TOKEN=" + token}}, // a name like any other, and unknown
		{2, []string{"# mine", "secretsecret"}},
		{1, []string{"secretsecret", "BOT_TOKEN=" + token}},
		{3, []string{"", "LOG_LEVEL=info", `BOT_TOKEN="123456:secretsecret`, "ADS_SECRET=secretsecret"}},
		{1, []string{"BOT_TOKEN='123456:secretsecret"}},
		{2, []string{"BOT_TOKEN=" + token, "LISTEN"}},
		{1, []string{"\ufeffBOT_TOKEN=" + token}},
	} {
		_, err := config.Load(required, dotenv(t, garbled.lines...))
		if err == nil || strings.Contains(err.Error(), "secretsecret") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", garbled.lines, err)
		} else if line := fmt.Sprintf(" is garbled in line %d;", garbled.line); garbled.line > 0 && !strings.Contains(err.Error(), line) {
			t.Errorf("%q: %v, without %q", garbled.lines, err, line)
		}
	}
}
