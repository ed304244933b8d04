package ton_test

import (
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"mcbk/ton"
)

// road is a proxy to a lite server.
type road struct {
	listener net.Listener
	to       string

	mu    sync.Mutex
	state string // open, closed or mute
	cars  []net.Conn
}

func newRoad(t *testing.T, to string) *road {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	r := &road{listener: l, to: to, state: "open"}
	t.Cleanup(func() {
		_ = l.Close()
		r.become("closed")
	})
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			r.take(conn)
		}
	}()
	return r
}

func (r *road) take(conn net.Conn) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.cars = append(r.cars, conn)
	switch r.state {
	case "closed":
		_ = conn.Close()
	case "open":
		server, err := net.Dial("tcp", r.to)
		if err != nil {
			_ = conn.Close()
			return
		}
		r.cars = append(r.cars, server)
		go func() { _, _ = io.Copy(server, conn) }()
		go func() { _, _ = io.Copy(conn, server) }()
	}
}

// become closes the proxy's connections and sets its state.
func (r *road) become(state string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state = state
	for _, c := range r.cars {
		_ = c.Close()
	}
	r.cars = nil
}

// throughRoad is a configuration of one lite server behind a proxy.
func throughRoad(t *testing.T, c *chain) (*road, string) {
	t.Helper()
	text, err := os.ReadFile(c.config)
	must(t, err)
	var all struct {
		Servers []struct{ Port int } `json:"liteservers"`
	}
	must(t, json.Unmarshal(text, &all))
	r := newRoad(t, "127.0.0.1:"+strconv.Itoa(all.Servers[0].Port))
	return r, c.listing(nil, map[string]any{"ip": 2130706433, "port": r.listener.Addr().(*net.TCPAddr).Port})
}

// eventually reads until success and returns the duration.
func (c *chain) eventually(r *ton.Reader, since ton.Cursor) (ton.History, time.Duration) {
	c.t.Helper()
	began := time.Now()
	for {
		h, err := r.Read(c.t.Context(), c.treasury, since, c.now())
		if err == nil {
			return h, time.Since(began)
		}
		if time.Since(began) > 2*time.Minute { // the library may need half a minute to notice
			c.t.Fatalf("it never came back: %v, %+v", err, h.Servers)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func TestDisconnectedServerIsUsedAgain(t *testing.T) {
	t.Parallel() // it waits
	c := startChain(t, t.TempDir())
	road, config := throughRoad(t, c)
	r := ton.NewReader(ton.Mainnet, config)
	head := c.read(r, ton.Cursor{}).Head
	road.become("closed")
	c.pay(1, "")
	_, err := r.Read(t.Context(), c.treasury, head, c.now())
	check(t, errors.Is(err, ton.ErrNoServer), "over a closed road: %v", err)
	road.become("open")
	h, took := c.eventually(r, head)
	if len(h.Transactions) != 1 {
		t.Errorf("%d transactions", len(h.Transactions))
	}
	t.Logf("read again after %v", took)
}

func TestUnansweredHandshakeIsRetried(t *testing.T) {
	t.Parallel() // it waits
	c := startChain(t, t.TempDir())
	road, config := throughRoad(t, c)
	road.become("mute")
	r := ton.NewReader(ton.Mainnet, config)
	r.Impatient(time.Second)
	_, err := r.Read(t.Context(), c.treasury, ton.Cursor{}, c.now())
	check(t, errors.Is(err, ton.ErrNoServer), "over a mute road: %v", err)
	// New connections get through; pending attempts hang.
	road.mu.Lock()
	road.state = "open"
	road.mu.Unlock()
	if _, took := c.eventually(r, ton.Cursor{}); took > 20*time.Second { // the library alone needs half a minute
		t.Errorf("read after %v", took)
	}

	// The same for an established connection.
	road.become("mute")
	_, err = r.Read(t.Context(), c.treasury, ton.Cursor{}, c.now())
	check(t, errors.Is(err, ton.ErrNoServer), "over a mute road: %v", err)
	for range 3 { // the library notices and reconnects
		_, _ = r.Read(t.Context(), c.treasury, ton.Cursor{}, c.now())
	}
	road.mu.Lock()
	road.state = "open"
	road.mu.Unlock()
	_, took := c.eventually(r, ton.Cursor{})
	t.Logf("read again after %v", took)
}

func TestFailedServersAreReplacedFromTheList(t *testing.T) {
	c := startChain(t, t.TempDir())
	gone, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	_ = gone.Close()
	var dead []map[string]any
	for range 6 {
		dead = append(dead, map[string]any{"ip": 2130706433, "port": gone.Addr().(*net.TCPAddr).Port})
	}
	r := ton.NewReader(ton.Mainnet, reversed(t, c.listing([]int{0, 1, 2}, dead...))).Patient()
	h, err := r.Read(t.Context(), c.treasury, ton.Cursor{}, c.now())
	check(t, errors.Is(err, ton.ErrNoServer) && len(h.Servers) == 5, "five that are gone: %v, %s", err, states(h))
	h = c.read(r, ton.Cursor{})
	check(t, h.Agreed == 3 && states(h) == "silent good good good silent", "then: %s", states(h))
	h = c.read(r, ton.Cursor{})
	check(t, h.Agreed == 3 && states(h) == "good good good silent silent", "and on: %s", states(h))
}

// reversed reverses the list of servers.
func reversed(t *testing.T, config string) string {
	t.Helper()
	var list struct {
		Servers []json.RawMessage `json:"liteservers"`
	}
	text, err := os.ReadFile(config)
	must(t, err, json.Unmarshal(text, &list))
	slices.Reverse(list.Servers)
	text, err = json.Marshal(list)
	must(t, err, os.WriteFile(config, text, 0o600))
	return config
}
