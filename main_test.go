package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"mcbk/models/db"
	"mcbk/models/modelstest"
	"mcbk/trial"
)

const testToken = trial.Token

// The test binary serves as the program.
func TestMain(m *testing.M) {
	if os.Getenv("MCBK_TEST_SERVE") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// program runs mcbk with these settings; Telegram is unavailable.
func program(t *testing.T, args []string, settings ...string) *exec.Cmd {
	t.Helper()
	self := modelstest.Must(os.Executable())(t)
	cmd := exec.Command(self, args...)
	cmd.Dir = t.TempDir()
	cmd.Env = append([]string{"MCBK_TEST_SERVE=1", "PATH=" + os.Getenv("PATH")}, settings...)
	return cmd
}

func minimal(database string) []string {
	return []string{
		"BOT_TOKEN=" + testToken, "WEBAPP_URL=http://localhost:8080", "TELEGRAM_API_URL=http://127.0.0.1:1",
		"LISTEN=127.0.0.1:0", "OPS_LISTEN=127.0.0.1:0", "DATABASE_URL=" + database, "LOG_FORMAT=json",
		"RATE_LIMIT_IP=0", "RATE_LIMIT_USER=0",
	}
}

const treasuryAddress = "UQBwFYyDVf38wV9PMPoSbfP9dZ97NJ4a1WygkQPhh3nvNsWa"

// selling is minimal with sales, though no external service answers.
func selling(database string) []string {
	return append(minimal(database), "TREASURY_ADDRESS="+treasuryAddress, "TON_CONFIG=http://127.0.0.1:1/servers.json", "TON_PRICE_URL=http://127.0.0.1:1/")
}

// server is a running mcbk.
type server struct {
	cmd *exec.Cmd
	url string
	ops string // metrics and profiles
	log *transcript
}

// transcript is the program's output.
type transcript struct {
	mu    sync.Mutex
	text  strings.Builder
	ended chan struct{} // closed at the end of the output
}

func (w *transcript) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.Write(b)
}

func (w *transcript) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.text.String()
}

// startTime limits a start on a busy machine.
const startTime = 3 * time.Minute

var readyLine = regexp.MustCompile(`"msg":"ready","address":"([^"]+)".*"ops":"([^"]+)"`)

func start(t *testing.T, settings []string) server {
	t.Helper()
	cmd := program(t, nil, settings...)
	stderr := modelstest.Must(cmd.StderrPipe())(t)
	log := &transcript{ended: make(chan struct{})}
	cmd.Stdout = log
	modelstest.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	ready := make(chan []string, 1)
	go func() {
		defer close(log.ended)
		lines := bufio.NewScanner(stderr)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			_, _ = fmt.Fprintln(log, lines.Text())
			if match := readyLine.FindStringSubmatch(lines.Text()); match != nil {
				ready <- match
			}
		}
		close(ready)
	}()
	select {
	case match, ok := <-ready:
		if !ok {
			t.Fatal("the program ended before it was ready")
		}
		return server{cmd, "http://" + match[1], "http://" + match[2], log}
	case <-time.After(startTime):
		t.Fatalf("the program is not ready after %s", startTime)
	}
	return server{}
}

func ends(t *testing.T, cmd *exec.Cmd) (code int, stderr string) {
	t.Helper()
	var output strings.Builder
	cmd.Stderr = &output
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), output.String()
}

func TestFailedStartPrintsItsCauseInOneLine(t *testing.T) {
	taken := modelstest.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer taken.Close() //nolint:errcheck // a test's own listener
	good := minimal("sqlite:mcbk.db")
	noServers := filepath.Join(t.TempDir(), "none.json")
	modelstest.NoError(t, os.WriteFile(noServers, []byte(`{"liteservers":[]}`), 0o600))
	for name, c := range map[string]struct {
		args     []string
		settings []string
		names    string
	}{
		"no token":                            {nil, good[1:], "BOT_TOKEN"},
		"a bad token":                         {nil, append(good[1:], "BOT_TOKEN=1"), "BOT_TOKEN"},
		"a bad database":                      {nil, append(good, "DATABASE_URL=mysql://"), "DATABASE_URL"},
		"a port that is not":                  {nil, append(good, "LISTEN=127.0.0.1:99999"), "LISTEN"},
		"a bad Redis":                         {nil, append(good, "REDIS_URL=redis://:secretsecret@127.0.0.1/zero"), "REDIS_URL: is not the address of a Redis server"},
		"an absent list of lite servers":      {nil, append(good, "TON_CONFIG=absent.json"), "TON_CONFIG"},
		"a list of lite servers that is none": {nil, append(good, "TON_CONFIG=/etc/hostname"), "TON_CONFIG"},
		"a list without lite servers":         {nil, append(good, "TON_CONFIG="+noServers), "TON_CONFIG"},
		"a year far away":                     {nil, append(good, "PROJECT_START=9999-12-31"), "PROJECT_START"},
		"a taken port":                        {nil, append(good, "LISTEN="+taken.Addr().String()), taken.Addr().String()},
		"a taken ops port":                    {nil, append(good, "OPS_LISTEN="+taken.Addr().String()), "OPS_LISTEN " + taken.Addr().String()},
		"an absent database":                  {nil, append(good, "DATABASE_URL=postgres://postgres@127.0.0.1:1/none"), "database"},
		"a database that may lose commits": {
			nil, append(good, "DATABASE_URL="+modelstest.Address(t, "postgres")+"&synchronous_commit=off"), "synchronous_commit is off",
		},
		"a wrong clock at the first start": {
			nil, append(good, "DATABASE_URL="+modelstest.Shadow(t, modelstest.Address(t, "postgres"),
				"CREATE FUNCTION clock_timestamp() RETURNS timestamptz LANGUAGE sql AS $$ SELECT pg_catalog.clock_timestamp() + interval '1 hour' $$")),
			"behind the database's",
		},
		"settings that cannot be read": {
			nil, append(good, "DATABASE_URL="+modelstest.Shadow(t, modelstest.Address(t, "postgres"),
				`CREATE FUNCTION never(text, text) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not today'; END $$;
				CREATE OPERATOR ~~ (LEFTARG = text, RIGHTARG = text, FUNCTION = never)`)),
			"read what admins set",
		},
		"a database in memory": {nil, append(good, "DATABASE_URL=sqlite::memory:"), "keeps nothing"},
		"an unknown command":   {[]string{"mint"}, good, "usage"},
		"nothing to verify":    {[]string{"verify"}, good, "mcbk.db"},
		"nobody to check":      {[]string{"healthcheck"}, append(good, "LISTEN=127.0.0.1:1"), "127.0.0.1:1"},
	} {
		code, stderr := ends(t, program(t, c.args, c.settings...))
		modelstest.That(t, code == 2 && strings.Count(stderr, "\n") == 1 && strings.Contains(stderr, c.names), "%s: exit %d, printed %q", name, code, stderr)
	}
}

// Mistakes of operators that players would notice first.
func TestStartWarnsOfEmptyDatabaseLostTreasuryUnknownWallet(t *testing.T) {
	t.Parallel()
	const (
		empty, unknown = "the database was empty", "WALLETS_LIST_URL is empty"
		free, lost     = "TREASURY_ADDRESS is empty: players pay with Telegram Stars alone", "TREASURY_ADDRESS is empty: until it is set again"
	)
	logOf := func(settings []string) string {
		s := start(t, settings)
		modelstest.NoError(t, s.cmd.Process.Signal(syscall.SIGTERM))
		<-s.log.ended
		return s.log.String()
	}
	address := modelstest.Bare(t, "postgres")
	log := logOf(minimal(address))
	modelstest.That(t, strings.Contains(log, empty) && strings.Contains(log, free) && !strings.Contains(log, lost) && !strings.Contains(log, unknown), "the first start logged %s", log)
	// Sales start although no lite server answers.
	sells := selling(address)
	log = logOf(sells)
	modelstest.That(t, !strings.Contains(log, empty) && !strings.Contains(log, lost) && !strings.Contains(log, free), "the second start logged %s", log)
	if log := logOf(append(minimal(address), "WALLET_APP=mytonwallet")); strings.Contains(log, empty) || !strings.Contains(log, lost) ||
		!strings.Contains(log, treasuryAddress) || !strings.Contains(log, unknown) {
		t.Errorf("the third start logged %s", log)
	}
	const other = "TREASURY_ADDRESS=UQA_sR6rfR24MjYF6iyPIIWB6-iU54iN9yjRvYs_azSaSAgq"
	if code, line := ends(t, program(t, nil, append(minimal(address), other)...)); code != 2 || !strings.Contains(line, "it was "+treasuryAddress) {
		t.Errorf("another treasury: exit %d, printed %q", code, line)
	}
	arrive(t, start(t, minimal(address)).url)
	log = logOf(append(minimal(address), "TOURNAMENT_START=2030-01-01"))
	modelstest.That(t, strings.Contains(log, "the first tournament stays where it was planned"), "a start with another tournament logged %s", log)
	code, line := ends(t, program(t, nil, append(minimal(address), "PROJECT_START=2020-01-01")...))
	modelstest.That(t, code == 2 && strings.HasPrefix(line, "mcbk: PROJECT_START: "), "another start: exit %d, printed %q", code, line)
	code, line = ends(t, program(t, []string{"verify"}, append(minimal(address), "PROJECT_START=2020-01-01")...))
	if code != 2 || !strings.HasPrefix(line, "mcbk: PROJECT_START: ") || !strings.Contains(line, "not 2020-01-01T00:00:00Z") {
		t.Errorf("verified by another start: exit %d, printed %q", code, line)
	}
}

func TestAdUnitWithoutScriptShowsNoAds(t *testing.T) {
	t.Parallel()
	const warning = "ADS_SCRIPT_URL is empty"
	for script, shown := range map[string]bool{"": false, "https://ads.example/sdk.js": true} {
		s := start(t, append(minimal("sqlite:mcbk.db"), "ADS_BLOCK_ID=unit-1", "ADS_SECRET=ads-secret", "ADS_SCRIPT_URL="+script))
		_, config := fetch(t, s.url+"/api/config")
		for _, want := range []string{fmt.Sprintf(`"enabled":%t`, shown), `"block_id":` + map[bool]string{true: `"unit-1"`, false: "null"}[shown]} {
			modelstest.That(t, strings.Contains(config, want), "with the script %q the web app lacks %s: %s", script, want, config)
		}
		warned := strings.Contains(s.log.String(), warning)
		modelstest.That(t, warned != shown, "with the script %q it is warned: %t", script, warned)
	}
}

// A fault report or an upgrade needs the exact build.
func TestVersionNamesTheBuild(t *testing.T) {
	cmd := program(t, []string{"version"}) // without a setting
	out := modelstest.Must(cmd.Output())(t)
	files := modelstest.Must(db.Migrations.ReadDir("migrations/postgres"))(t)
	newest := strings.TrimLeft(files[len(files)-1].Name()[:4], "0")
	want := "mcbk development\ncommit unknown\n" + runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH + "\nmigration " + newest + "\n"
	modelstest.Equal(t, string(out), want, "it tells")
	code, stderr := ends(t, program(t, []string{"version", "please"}))
	modelstest.That(t, code == 2 && strings.Contains(stderr, "usage"), "a word too many: exit %d, printed %q", code, stderr)
}

func TestHelpExitsWithZero(t *testing.T) {
	for _, word := range []string{"help", "--help", "-h"} {
		out, err := program(t, []string{word}).Output() // without a setting
		modelstest.That(t, err == nil && strings.HasPrefix(string(out), "usage: mcbk [migrate | verify [--chain|--stars] |"), "%s: %v, printed %q", word, err, out)
	}
}

func TestSecondServerOnOneFileIsRefused(t *testing.T) {
	database := modelstest.Address(t, "sqlite")
	start(t, minimal(database))
	code, stderr := ends(t, program(t, nil, minimal(database)...))
	modelstest.That(t, code == 2 && strings.Contains(stderr, "in use by another process") && strings.Count(stderr, "\n") == 1, "exit %d, printed %q", code, stderr)
	if code, stderr = ends(t, program(t, []string{"verify"}, minimal(database)...)); code != 0 {
		t.Errorf("verify beside the server: exit %d, %s", code, stderr)
	}
}

// Beside a request that never ends. TestSIGTERMDrainsAndLosesNothing has a crowd tap meanwhile.
func TestSIGTERMFinishesRequestsThatHaveBegun(t *testing.T) {
	s := start(t, minimal(modelstest.Address(t, "sqlite")))
	slow, never := hang(t, s), hang(t, s)
	began := time.Now()
	modelstest.NoError(t, s.cmd.Process.Signal(syscall.SIGTERM))
	for { // until the limit refuses new players
		conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
		if err != nil {
			break
		}
		_ = conn.Close()
	}
	modelstest.Equal(t, slow.finish(t), http.StatusOK, "a request that had begun is answered")
	modelstest.Succeeds(s.cmd.Wait())(t, "ended with")
	took := time.Since(began)
	modelstest.That(t, took <= 20*time.Second, "it took %s", took)
	_ = never.conn.Close()
}

func TestMetricsAndProfilesAreOnlyOnOpsAddress(t *testing.T) {
	t.Parallel()
	s := start(t, append(minimal(modelstest.Address(t, "sqlite")), "BOT_WEBHOOK_URL=https://game.example/hook-"+testToken, "BOT_WEBHOOK_SECRET=s"))
	player := arrive(t, s.url)
	modelstest.Must(player.tap(s.url, modelstest.Key(1)))(t)
	for _, at := range []string{s.url + "/api/orders/77", s.url + "/api/secretsecret", s.url + "/secretsecret"} {
		fetch(t, at)
	}
	if status := player.ask(t, s.url, "POST", "/hook-"+testToken, "{}"); status == http.StatusOK {
		t.Error("the webhook takes no secret")
	}
	for _, path := range []string{"/metrics", "/debug/pprof/", "/debug/pprof/goroutine", "/debug/pprof/cmdline", "/debug"} {
		if status, _ := fetch(t, s.url+path); status != http.StatusNotFound {
			t.Errorf("players are answered %d at %s", status, path)
		}
	}
	for _, path := range []string{"/debug/pprof/", "/debug/pprof/heap", "/debug/pprof/goroutine?debug=2", "/debug/pprof/profile?seconds=1"} {
		if status, _ := fetch(t, s.ops+path); status != http.StatusOK {
			t.Errorf("%s is answered %d", path, status)
		}
	}
	var metrics string
	wants := []string{
		`mcbk_http_requests_total{method="POST",route="/api/tap/perform-batch-tap",status="200"} 1`,
		`mcbk_http_requests_total{method="GET",route="/api/orders/:id",status="401"} 1`,
		`mcbk_http_requests_total{method="GET",route="unknown",status="404"} 1`,
		`mcbk_http_request_duration_seconds_count{method="POST",route="/api/tap/perform-batch-tap"} 1`,
		`mcbk_http_requests_total{method="POST",route="webhook",status="401"} 1`, "mcbk_http_requests_in_flight 0", `go_sql_in_use_connections{db_name="write"} 0`, "go_goroutines", "process_resident_memory_bytes",
		"mcbk_tap_group_size_count 2", `mcbk_postings_total{kind="tap"} 1`, "mcbk_build_info", "mcbk_leader", "mcbk_clock_ahead_seconds",
	}
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(50 * time.Millisecond) { // a job may be using a connection
		_, metrics = fetch(t, s.ops+"/metrics")
		missing := slices.DeleteFunc(slices.Clone(wants), func(want string) bool { return strings.Contains(metrics, want) })
		if len(missing) == 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("the metrics lack %q", missing)
		}
	}
	for _, secret := range []string{"secretsecret", "77", testToken, "hook-", strconv.FormatInt(player.id, 10)} {
		modelstest.Equal(t, regexp.MustCompile(`(?m)^mcbk_.*\{.*`+regexp.QuoteMeta(secret)+`.*\}`).FindString(metrics), "", "a label tells", secret)
	}
}

// The database's clock is 31 s behind, and later right again.
func TestSkewedClockStopsWrites(t *testing.T) {
	t.Parallel()
	plain := modelstest.Address(t, "postgres")
	shadow := func(behind string) string {
		return modelstest.Shadow(t, plain, `CREATE OR REPLACE FUNCTION clock_timestamp() RETURNS timestamptz LANGUAGE sql AS
			$$ SELECT pg_catalog.clock_timestamp() - interval '`+behind+`' $$`)
	}
	address := shadow("0 s")
	sells := selling(address)
	s := start(t, sells)
	player := arrive(t, s.url)
	shadow("31 s")
	ready := func(want int) (body string) {
		t.Helper()
		again := time.NewTicker(50 * time.Millisecond)
		defer again.Stop()
		for range 600 {
			status, body := fetch(t, s.url+"/health/ready")
			if status == want {
				return body
			}
			<-again.C
		}
		t.Fatalf("ready is not answered %d", want)
		return ""
	}
	logs := func(off string) {
		t.Helper()
		for deadline := time.Now().Add(time.Minute); !strings.Contains(ready(http.StatusServiceUnavailable), off); time.Sleep(50 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("the log does not say %s", off)
			}
		}
	}
	logs("the clock is 31s ahead of the database's")
	status, _ := fetch(t, s.url+"/health/live")
	modelstest.That(t, status == http.StatusOK, "live is answered %d", status)
	_, err := player.tap(s.url, modelstest.Key(1))
	modelstest.That(t, err != nil && strings.Contains(err.Error(), "503"), "tapped: %v", err)
	// However large the skew, in either direction, a day has no second check-in.
	for behind, off := range map[string]string{"-5 minutes": "5m0s behind", "1 day": "24h0m0s ahead", "-1 day": "24h0m0s behind"} {
		shadow(behind)
		logs(off)
		modelstest.Equal(t, player.ask(t, s.url, "POST", "/api/user/checkin", ""), http.StatusServiceUnavailable, off, "checking in is answered")
	}
	// A second start detects the skew at once; it runs, for the clock may be corrected.
	status, body := fetch(t, start(t, sells).url+"/health/ready")
	modelstest.That(t, status == http.StatusServiceUnavailable, "a second process is ready at its start: %s", body)
	shadow("0 s")
	ready(http.StatusOK)
	modelstest.Succeeds(player.tap(s.url, modelstest.Key(1)))(t, "tapped")
	for range 2 {
		modelstest.Equal(t, player.ask(t, s.url, "POST", "/api/user/checkin", ""), http.StatusOK, "checking in is answered")
	}
	days := 0
	err = modelstest.Raw(t, plain).QueryRowContext(t.Context(), "SELECT COUNT(*) FROM checkins").Scan(&days)
	modelstest.That(t, err == nil && days == 1, "%d check-ins are in the database, %v", days, err)
}

// No output contains a secret, after success or failure.
func TestSecretsAreNeverLogged(t *testing.T) {
	t.Parallel()
	const webhookSecret, adsSecret, databasePassword, redisPassword = "webhook-secret", "ads-secret", "database-password", "redis-password"
	plain := modelstest.Address(t, "postgres")
	address := modelstest.Must(url.Parse(plain))(t)
	address.User = url.UserPassword(address.User.Username(), databasePassword) // ignored by a server that trusts local connections
	s := start(t, append(minimal(address.String()), "LOG_LEVEL=debug", "BOT_WEBHOOK_URL=https://game.example/hook", "BOT_WEBHOOK_SECRET="+webhookSecret,
		"ADS_SCRIPT_URL=https://ads.example/sdk.js", "ADS_BLOCK_ID=1", "ADS_SECRET="+adsSecret,
		"REDIS_URL=redis://:"+redisPassword+"@127.0.0.1:1", "RATE_LIMIT_USER=100", "RATE_LIMIT_IP=100"))
	player := arrive(t, s.url)
	forged := &tapper{launch: strings.Replace(player.launch, "Ann", "Bob", 1)}
	send := func(p *tapper, want int, method, path, body string, header ...string) {
		t.Helper()
		modelstest.Equal(t, p.ask(t, s.url, method, path, body, header...), want, method, strings.SplitN(path, "?", 2)[0], "is answered")
	}
	const taps, wish = `{"total_taps":1}`, `{"language":"ru"}`
	nobody := &tapper{}
	inQuery := func(p *tapper) string { return "?init_data=" + url.QueryEscape(p.launch) }
	// Valid and forged launch data, in every place.
	send(player, 200, "POST", "/api/tap/perform-batch-tap", taps)
	send(forged, 401, "POST", "/api/tap/perform-batch-tap", taps)
	send(nobody, 200, "GET", "/api/user/me", "", "X-Telegram-Init-Data", player.launch)
	send(nobody, 200, "POST", "/api/tap/perform-batch-tap"+inQuery(player), taps)
	send(nobody, 401, "POST", "/api/tap/perform-batch-tap"+inQuery(forged), taps)
	send(nobody, 400, "POST", "/api/tap/perform-batch-tap"+inQuery(player), `{"init_data":"`+player.launch+`"}`)
	send(nobody, 401, "GET", "/api/user/me"+inQuery(player), "")
	send(nobody, 404, "GET", "/api/"+player.launch, "")
	send(nobody, 404, "GET", "/api/bot"+testToken+"/getMe", "")
	send(nobody, 200, "GET", "/api/ads/reward?userid=1&key="+adsSecret, "")
	send(nobody, 401, "GET", "/api/ads/reward?userid=1&key="+adsSecret+"x", "")
	// The webhook; the reply to /start fails, since Telegram is unavailable.
	update := `{"update_id":7,"message":{"message_id":1,"date":1,"chat":{"id":5,"type":"private"},"from":{"id":5,"first_name":"Ann"},"text":"/start"}}`
	send(nobody, 401, "POST", "/hook", update, "X-Telegram-Bot-Api-Secret-Token", webhookSecret+"x")
	send(nobody, 200, "POST", "/hook", update, "X-Telegram-Bot-Api-Secret-Token", webhookSecret)
	send(nobody, 200, "POST", "/hook", `{}`, "X-Telegram-Bot-Api-Secret-Token", webhookSecret)
	// A panic: this status is invalid.
	send(player, 200, "PUT", "/api/user/update", wish, "Idempotency-Key", "key-00001")
	modelstest.Exec(t, plain, "UPDATE idempotency_keys SET status = 42")
	send(player, 0, "PUT", "/api/user/update", wish, "Idempotency-Key", "key-00001")
	// The database fails, in two ways.
	modelstest.Exec(t, plain, "ALTER TABLE players RENAME TO lost")
	send(player, 500, "GET", "/api/user/me", "")
	modelstest.Exec(t, plain, "ALTER TABLE lost RENAME TO players")
	release := modelstest.HoldPlayers(t, plain)
	send(player, 503, "POST", "/api/tap/perform-batch-tap", taps)
	release()

	for deadline := time.Now().Add(20 * time.Second); !strings.Contains(s.log.String(), `"update":7`); {
		if time.Now().After(deadline) {
			t.Fatal("the update is not logged")
		}
	}
	modelstest.NoError(t, s.cmd.Process.Signal(syscall.SIGTERM))
	<-s.log.ended
	modelstest.Succeeds(s.cmd.Wait())(t, "ended with")
	log := s.log.String()
	for what, words := range map[string]string{
		"requests": `"route":"/api/tap/perform-batch-tap"`, "the panic": "panic: invalid WriteHeader code 42", "the database": "42P01",
		"a try again": "request must be tried again", "Redis": "Redis unavailable", "Telegram": "127.0.0.1:1",
	} {
		modelstest.That(t, strings.Contains(log, words), "the log does not tell %s", what)
	}
	fields := modelstest.Must(url.ParseQuery(player.launch))(t)
	_, key, _ := strings.Cut(testToken, ":")
	for what, secret := range map[string]string{
		"the token": key, "the token in an address": url.QueryEscape(key), "the webhook's secret": webhookSecret, "the ads' secret": adsSecret,
		"the database's password": databasePassword, "Redis' password": redisPassword,
		"launch data": player.launch, "launch data in an address": url.QueryEscape(player.launch), "their hash": fields.Get("hash"),
		"their name in an address": "init_data", "their user": fields.Get("user"), "their user in an address": url.QueryEscape(fields.Get("user")),
	} {
		if at := strings.Index(log, secret); at >= 0 {
			t.Errorf("%s is in the log: …%s…", what, log[max(0, at-200):min(len(log), at+100)])
		}
	}
}

// fetch requests without launch data.
func fetch(t *testing.T, address string) (status int, body string) {
	t.Helper()
	status, answer := (&tapper{}).send(address, http.MethodGet, "", "")
	return status, string(answer)
}

// tapper is a player.
type tapper struct {
	id     int64 // Telegram's
	launch string
}

const tapsEach = 2

// RATE_LIMIT_USER=0 switches the limit off.
func TestUnlimitedPlayersCountNoHours(t *testing.T) {
	t.Parallel()
	for limit, last := range map[string]int{"0": 200, "1000": 429} {
		s := start(t, append(minimal("sqlite:mcbk.db"), "RATE_LIMIT_USER="+limit,
			"ADS_SCRIPT_URL=https://ads.example/sdk.js", "ADS_BLOCK_ID=1", "ADS_SECRET=ads-secret"))
		player := arrive(t, s.url)
		if status := player.ask(t, s.url, "POST", "/api/user/checkin", ""); status != 200 {
			t.Fatalf("RATE_LIMIT_USER=%s: checked in with %d", limit, status)
		}
		for ad := range 21 {
			want := 200
			if ad == 20 {
				want = last
			}
			modelstest.Equal(t, player.ask(t, s.url, "POST", "/api/ads/start", `{"purpose":"daily"}`), want, "by RATE_LIMIT_USER", limit, "ad", ad+1, "of the hour is answered")
		}
	}
}

// hanging is a request whose body is incomplete.
type hanging struct {
	conn   net.Conn
	answer *bufio.Reader
}

const lateBody = `{"total_taps":1}`

// hang begins a request and returns once the program waits for its body.
func hang(t *testing.T, s server) hanging {
	t.Helper()
	launch := arrive(t, s.url).launch // before the header timeout begins
	conn := modelstest.Must(net.Dial("tcp", strings.TrimPrefix(s.url, "http://")))(t)
	modelstest.Must(fmt.Fprintf(conn, "POST /api/tap/perform-batch-tap HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n"+
		"Expect: 100-continue\r\nAuthorization: tma %s\r\n\r\n", len(lateBody), launch))(t)
	answer := bufio.NewReader(conn)
	line, err := answer.ReadString('\n')
	if err != nil || !strings.Contains(line, "100 Continue") {
		t.Fatalf("the program waits for no body: %q, %v", line, err)
	}
	if _, err := answer.ReadString('\n'); err != nil { // the empty line after it
		t.Fatal(err)
	}
	return hanging{conn, answer}
}

func (h hanging) finish(t *testing.T) (status int) {
	t.Helper()
	if _, err := fmt.Fprint(h.conn, lateBody); err != nil {
		t.Errorf("send the body: %v", err)
		return 0
	}
	response, err := http.ReadResponse(h.answer, nil)
	if err != nil {
		t.Errorf("read the answer: %v", err)
		return 0
	}
	defer response.Body.Close() //nolint:errcheck // read only
	return response.StatusCode
}

// arrive signs in and accepts the rules.
func arrive(t *testing.T, base string) *tapper {
	t.Helper()
	id := modelstest.TelegramID()
	player, client := trial.NewPlayer(id, time.Now()), trial.NewClient(base)
	defer client.Close()
	modelstest.NoError(t, player.SignIn(client))
	return &tapper{id, player.Launch}
}

func (p *tapper) tap(base, id string) (accepted int, err error) {
	status, body := p.send(base, "POST", "/api/tap/perform-batch-tap", fmt.Sprintf(`{"total_taps":%d,"batch_id":%q}`, tapsEach, id))
	if status != http.StatusOK {
		return 0, fmt.Errorf("taps are answered %d %s", status, body)
	}
	var answer struct{ Accepted int }
	err = json.Unmarshal(body, &answer)
	return answer.Accepted, err
}

// ask sends a request with optional launch data and header pairs. The status is 0 without a response.
func (p *tapper) ask(t *testing.T, base, method, path, body string, header ...string) (status int) {
	t.Helper()
	status, _ = p.send(base, method, path, body, header...)
	return status
}

func (p *tapper) send(base, method, path, body string, header ...string) (status int, answer []byte) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, base+path, strings.NewReader(body))
	if err != nil {
		return 0, nil
	}
	if p.launch != "" {
		req.Header.Set("Authorization", "tma "+p.launch)
	}
	req.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	response, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, nil
	}
	defer response.Body.Close() //nolint:errcheck // read only
	answer, _ = io.ReadAll(response.Body)
	return response.StatusCode, answer
}
