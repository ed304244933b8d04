package ton_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"mcbk/ton"
	"mcbk/trial"
)

// The chain is the sandbox as a separate program: neither module imports the other, and the reader uses lite servers only.

var must, check = ton.Must, ton.Check

var built string

// builtSandbox builds the sandbox once.
var builtSandbox = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "mcbk-ton")
	if err != nil {
		return "", err
	}
	built = dir
	binary := filepath.Join(dir, "sandbox")
	if err := trial.BuildSandbox(context.Background(), "../sandbox", binary); err != nil {
		return "", err
	}
	return binary, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if built != "" {
		_ = os.RemoveAll(built)
	}
	os.Exit(code)
}

// chain is a running sandbox.
type chain struct {
	*trial.Chain
	t        *testing.T
	config   string
	treasury ton.Address
	offset   time.Duration
}

const marina = trial.Payer

func startChain(t *testing.T, data string) *chain {
	t.Helper()
	binary, err := builtSandbox()
	must(t, err)
	running, err := trial.StartChain(t.Context(), binary, data)
	must(t, err)
	t.Cleanup(running.Stop)
	treasury, err := ton.ParseAddress(running.Exported["TREASURY_ADDRESS"], ton.Mainnet)
	must(t, err)
	return &chain{Chain: running, t: t, config: running.Exported["TON_CONFIG"], treasury: treasury}
}

// ask calls the sandbox's control API.
func (c *chain) ask(path, body string) {
	c.t.Helper()
	resp, err := http.Post(c.URL+"/sandbox/"+path, "application/json", strings.NewReader(body))
	must(c.t, err)
	defer func() { _ = resp.Body.Close() }()
	if said, _ := io.ReadAll(resp.Body); resp.StatusCode != http.StatusOK {
		c.t.Fatalf("%s %s: %d %s", path, body, resp.StatusCode, said)
	}
}

// pay sends nanotons from Marina; fields are more of the call's.
func (c *chain) pay(nanotons uint64, fields string) {
	c.t.Helper()
	c.ask("chain/pay", fmt.Sprintf(`{"player":%d,"nanotons":%d%s}`, marina, nanotons, fields))
}

// breakServers sets a fault of one lite server or (-1) of all.
func (c *chain) breakServers(server int, fault string) {
	c.t.Helper()
	one := ""
	if server >= 0 {
		one = fmt.Sprintf(`,"server":%d`, server)
	}
	c.ask("chain/fault", fmt.Sprintf(`{"fault":%q%s}`, fault, one))
}

// pass steps the sandbox's clock and waits for a block of the new time.
func (c *chain) pass(d time.Duration) {
	c.t.Helper()
	c.offset += d
	c.ask("clock", fmt.Sprintf(`{"set":%q}`, c.offset))
	c.pay(1, "")
}

func (c *chain) now() time.Time { return time.Now().Add(c.offset) }

func (c *chain) reader() *ton.Reader { return ton.NewReader(ton.Mainnet, c.config).Patient() }

func (c *chain) read(r *ton.Reader, since ton.Cursor) ton.History {
	c.t.Helper()
	h, err := r.Read(c.t.Context(), c.treasury, since, c.now())
	if err != nil {
		c.t.Fatalf("%v: %+v", err, h.Servers)
	}
	at := since
	for _, tx := range h.Transactions {
		if tx.Prev != at {
			c.t.Fatalf("transaction %d does not follow %d", tx.LT, at.LT)
		}
		at = tx.Cursor
	}
	if at != h.Head {
		c.t.Fatalf("the last transaction is %d, the head %d", at.LT, h.Head.LT)
	}
	return h
}

func states(h ton.History) string {
	var all []string
	for _, s := range h.Servers {
		all = append(all, string(s.State))
	}
	return strings.Join(all, " ")
}

// listing writes a configuration with some of the chain's lite servers and one at this address.
func (c *chain) listing(servers []int, more ...map[string]any) string {
	c.t.Helper()
	text, err := os.ReadFile(c.config)
	must(c.t, err)
	var all, some struct {
		Servers []map[string]any `json:"liteservers"`
	}
	must(c.t, json.Unmarshal(text, &all))
	for _, i := range servers {
		some.Servers = append(some.Servers, all.Servers[i])
	}
	for _, m := range more {
		m["id"] = all.Servers[0]["id"]
		some.Servers = append(some.Servers, m)
	}
	path := filepath.Join(c.t.TempDir(), "some.json")
	text, err = json.Marshal(some)
	must(c.t, err, os.WriteFile(path, text, 0o600))
	return path
}
