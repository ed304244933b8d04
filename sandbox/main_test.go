package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"mcbk-sandbox/check"
)

// words is what the sandbox prints, readable while it runs.
type words struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (w *words) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.buf.Write(p)
}

func (w *words) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.buf.String()
}

var readyLine = regexp.MustCompile(`The sandbox is ready: open (http://localhost:\d+)`)

func fakeGame(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "mcbk")
	if out, err := exec.Command("go", "build", "-o", path, "./child/testdata/fake").CombinedOutput(); err != nil {
		t.Fatal(string(out))
	}
	return path
}

func TestSandboxStartsAndStopsTheGame(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var out, errs words
	code := make(chan int, 1)
	data := t.TempDir()
	go func() {
		code <- run(ctx, []string{
			"-listen", "localhost:0", "-app", "localhost:0", "-ops", "localhost:0",
			"-data", data, "-mcbk", fakeGame(t), "-webhook",
		}, &out, &errs)
	}()
	var address string
	for end := time.Now().Add(30 * time.Second); address == ""; time.Sleep(5 * time.Millisecond) {
		if m := readyLine.FindStringSubmatch(out.String()); m != nil {
			address = m[1]
		}
		if time.Now().After(end) {
			t.Fatalf("never ready: %s %s", out.String(), errs.String())
		}
	}
	resp := check.Must(http.Get(address + "/sandbox/mcbk"))(t)
	var status struct{ State string }
	check.NoError(t, json.NewDecoder(resp.Body).Decode(&status))
	_ = resp.Body.Close()
	check.Equal(t, status.State, "ready", "mcbk is")
	for _, want := range []string{
		"ADMIN_IDS=7000000104", "BOT_TOKEN=" + botToken, "TELEGRAM_API_URL=http://127.0.0.1:", "WEBAPP_URL=http://localhost:",
		"DATABASE_URL=sqlite:" + data + "/mcbk.db", "CLOCK_OFFSET_FILE=" + data + "/clock-offset",
		"BOT_WEBHOOK_SECRET=", "/telegram/webhook", "LOG_FORMAT=text",
		"ADS_SCRIPT_URL=" + address + "/ads/sdk.js", "ADS_CSP=" + address, "ADS_BLOCK_ID=sandbox-reward", "ADS_SECRET=",
		"TON_NETWORK=mainnet", "TON_CONFIG=" + data + "/lite-servers.json", "TREASURY_ADDRESS=UQ",
		"WALLETS_LIST_URL=" + address + "/wallets.json",
	} {
		check.That(t, strings.Contains(out.String(), want), "mcbk did not see %s", want)
	}

	// Another site, even the mini-app beside it, may not press buttons here.
	req := check.Must(http.NewRequestWithContext(t.Context(), http.MethodPost, address+"/sandbox/mcbk/kill", nil))(t)
	req.Header.Set("Sec-Fetch-Site", "same-site")
	resp = check.Must(http.DefaultClient.Do(req))(t)
	_, _ = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
	check.Equal(t, resp.StatusCode, http.StatusForbidden, "a press from the mini-app's origin")

	// But any site may read which wallets there are, and talk to them.
	for path, want := range map[string]int{"/wallets.json": http.StatusOK, "/bridge/events": http.StatusBadRequest} {
		req = check.Must(http.NewRequestWithContext(t.Context(), http.MethodGet, address+path, nil))(t)
		req.Header.Set("Sec-Fetch-Site", "same-site")
		resp = check.Must(http.DefaultClient.Do(req))(t)
		said, _ := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		check.That(t, resp.StatusCode == want && resp.Header.Get("Access-Control-Allow-Origin") == "*", "%s: %d %s", path, resp.StatusCode, said)
		if path == "/wallets.json" && !strings.Contains(string(said), `"universal_url":"`+address+`/wallet"`) {
			t.Errorf("the wallets are %s", said)
		}
	}

	stop()
	select {
	case c := <-code:
		check.That(t, c == 0 && strings.Contains(out.String(), "mcbk | goodbye"), "exit %d after %s", c, out.String())
	case <-time.After(10 * time.Second):
		t.Fatal("it does not stop")
	}
}

func TestTakenPortExitsWithOneLine(t *testing.T) {
	l := check.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer func() { _ = l.Close() }()
	taken := "localhost:" + portOf(l)
	for _, flag := range []string{"-listen", "-app", "-ops"} {
		args := []string{"-listen", "localhost:0", "-app", "localhost:0", "-ops", "localhost:0", "-data", t.TempDir(), flag, taken}
		var out, errs words
		check.Equal(t, run(t.Context(), args, &out, &errs), 2, flag, "exit")
		said := errs.String()
		check.That(t, strings.Count(said, "\n") == 1 && strings.Contains(said, flag), "%s: it said %q", flag, said)
	}
}

func TestMissingBinaryIsReportedAtOnce(t *testing.T) {
	var out, errs words
	args := []string{"-listen", "localhost:0", "-app", "localhost:0", "-ops", "localhost:0", "-data", t.TempDir(), "-mcbk", "no/such/mcbk"}
	code := run(t.Context(), args, &out, &errs)
	check.That(t, code == 2 && strings.Contains(errs.String(), "-mcbk"), "exit %d, %q", code, errs.String())
}
