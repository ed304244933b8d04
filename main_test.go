package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	initdata "github.com/telegram-mini-apps/init-data-golang"

	"mcbk/models/given"
)

const testToken = "1234:test-token"

// The test binary is the program when it is told so.
func TestMain(m *testing.M) {
	if os.Getenv("MCBK_TEST_SERVE") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// program starts mcbk with these settings; Telegram is down.
func program(t *testing.T, args []string, settings ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Dir = t.TempDir()
	cmd.Env = append([]string{"MCBK_TEST_SERVE=1", "PATH=" + os.Getenv("PATH")}, settings...)
	return cmd
}

func minimal(database string) []string {
	return []string{
		"BOT_TOKEN=" + testToken, "WEBAPP_URL=http://localhost:8080", "TELEGRAM_API_URL=http://127.0.0.1:1",
		"LISTEN=127.0.0.1:0", "DATABASE_URL=" + database, "LOG_FORMAT=json",
	}
}

// server is a running mcbk.
type server struct {
	cmd *exec.Cmd
	url string
}

var readyLine = regexp.MustCompile(`"msg":"ready","address":"([^"]+)"`)

func start(t *testing.T, settings []string) server {
	t.Helper()
	cmd := program(t, nil, settings...)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	address := make(chan string, 1)
	go func() {
		lines := bufio.NewScanner(stderr)
		for lines.Scan() {
			if match := readyLine.FindStringSubmatch(lines.Text()); match != nil {
				address <- match[1]
			}
		}
		close(address)
	}()
	select {
	case at, ok := <-address:
		if !ok {
			t.Fatal("the program ended before it was ready")
		}
		return server{cmd, "http://" + at}
	case <-time.After(30 * time.Second):
		t.Fatal("the program is not ready after 30 s")
	}
	return server{}
}

// ends runs a command to its end.
func ends(t *testing.T, cmd *exec.Cmd) (code int, stderr string) {
	t.Helper()
	var told strings.Builder
	cmd.Stderr = &told
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), told.String()
}

func TestAStartThatCannotBeEndsWithOneLineThatNamesWhy(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close() //nolint:errcheck // a test's own listener
	good := minimal("sqlite:mcbk.db")
	for name, c := range map[string]struct {
		args     []string
		settings []string
		names    string
	}{
		"no token":           {nil, good[1:], "BOT_TOKEN"},
		"a bad token":        {nil, append(good[1:], "BOT_TOKEN=1"), "BOT_TOKEN"},
		"a bad database":     {nil, append(good, "DATABASE_URL=mysql://"), "DATABASE_URL"},
		"a port that is not": {nil, append(good, "LISTEN=127.0.0.1:99999"), "LISTEN"},
		"a taken port":       {nil, append(good, "LISTEN="+taken.Addr().String()), taken.Addr().String()},
		"an absent database": {nil, append(good, "DATABASE_URL=postgres://postgres@127.0.0.1:1/none"), "database"},
		"an unknown command": {[]string{"mint"}, good, "usage"},
		"nothing to verify":  {[]string{"verify"}, good, "mcbk.db"},
		"nobody to check":    {[]string{"healthcheck"}, append(good, "LISTEN=127.0.0.1:1"), "127.0.0.1:1"},
	} {
		code, stderr := ends(t, program(t, c.args, c.settings...))
		if code != 2 || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, c.names) {
			t.Errorf("%s: exit %d, told %q", name, code, stderr)
		}
	}
}

func TestASecondServerOnOneFileIsRefused(t *testing.T) {
	database := given.Address(t, "sqlite")
	start(t, minimal(database))
	code, stderr := ends(t, program(t, nil, minimal(database)...))
	if code != 2 || !strings.Contains(stderr, "in use by another process") {
		t.Errorf("exit %d, told %q", code, stderr)
	}
	if code, stderr = ends(t, program(t, []string{"verify"}, minimal(database)...)); code != 0 {
		t.Errorf("verify beside the server: exit %d, %s", code, stderr)
	}
}

func TestTermEndsTheProgramInPeace(t *testing.T) {
	s := start(t, minimal(given.Address(t, "sqlite")))
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Wait(); err != nil {
		t.Errorf("ended with %v", err)
	}
}

// tapper is a player whose every batch has its own id, and what the server said to it.
type tapper struct {
	launch  string
	batches map[string]*int // accepted taps; nil while nobody knows
}

const tapsEach = 2

func TestKillNineLosesNoAcknowledgedTap(t *testing.T) {
	for _, database := range given.Databases {
		t.Run(database, func(t *testing.T) {
			t.Parallel()
			settings := minimal(given.Address(t, database))
			first := start(t, settings)
			players := make([]*tapper, 8)
			for i := range players {
				players[i] = arrive(t, first.url)
			}

			var all sync.WaitGroup
			acknowledged := make(chan struct{}, 1000)
			for _, p := range players {
				all.Go(func() { p.tapUntilCut(first.url, acknowledged) })
			}
			for range 30 { // somewhere in the middle of it
				select {
				case <-acknowledged:
				case <-time.After(20 * time.Second):
					t.Fatal("taps are not acknowledged")
				}
			}
			if err := first.cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			all.Wait()
			_ = first.cmd.Wait()

			second := start(t, settings)
			for i, p := range players {
				total := 0
				for id, before := range p.batches {
					now, err := p.tap(second.url, id)
					if err != nil || (before != nil && now != *before) {
						t.Errorf("player %d, batch %s: %d accepted, %v; was told %v", i, id, now, err, before)
					}
					total += now
				}
				if got, want := p.coins(t, second.url), strconv.FormatFloat(float64(total)/1000, 'f', -1, 64); got != want {
					t.Errorf("player %d has %s, taps make %s", i, got, want)
				}
			}
			if code, stderr := ends(t, program(t, []string{"verify"}, settings...)); code != 0 {
				t.Errorf("verify: exit %d, %s", code, stderr)
			}
		})
	}
}

// arrive opens the game and accepts the rules.
func arrive(t *testing.T, base string) *tapper {
	t.Helper()
	now := time.Now()
	fields := map[string]string{"user": fmt.Sprintf(`{"id":%d,"first_name":"Ann"}`, given.TelegramID()), "signature": "any"}
	query := url.Values{"hash": {initdata.Sign(fields, testToken, now)}, "auth_date": {strconv.FormatInt(now.Unix(), 10)}}
	for key, value := range fields {
		query.Set(key, value)
	}
	p := &tapper{launch: query.Encode(), batches: map[string]*int{}}
	for _, r := range [][3]string{{"GET", "/api/user/me", ""}, {"PUT", "/api/user/update", `{"age_consent_accepted":true}`}} {
		if err := p.call(base, r[0], r[1], r[2], &struct{}{}); err != nil {
			t.Fatalf("%s: %v", r[1], err)
		}
	}
	return p
}

// tapUntilCut sends batches until the server is gone, noting each answer.
func (p *tapper) tapUntilCut(base string, acknowledged chan<- struct{}) {
	for i := range 25 { // as many taps as a new player's allowance
		id := given.Key(i)
		p.batches[id] = nil
		accepted, err := p.tap(base, id)
		if err != nil {
			return
		}
		p.batches[id] = &accepted
		acknowledged <- struct{}{}
	}
}

func (p *tapper) tap(base, id string) (accepted int, err error) {
	var answer struct{ Accepted int }
	err = p.call(base, "POST", "/api/tap/perform-batch-tap", fmt.Sprintf(`{"total_taps":%d,"batch_id":%q}`, tapsEach, id), &answer)
	return answer.Accepted, err
}

func (p *tapper) coins(t *testing.T, base string) string {
	t.Helper()
	var me struct {
		Balance struct {
			GameMCBK json.Number `json:"game_mcbk"`
		}
	}
	if err := p.call(base, "GET", "/api/user/me", "", &me); err != nil {
		t.Fatal(err)
	}
	return me.Balance.GameMCBK.String()
}

func (p *tapper) call(base, method, path, body string, into any) error {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, base+path, strings.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "tma "+p.launch)
	req.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer response.Body.Close() //nolint:errcheck // read only
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", path, response.Status)
	}
	return json.NewDecoder(response.Body).Decode(into)
}
