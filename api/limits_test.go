package api_test

import (
	"crypto/rand"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"mcbk/api"
	"mcbk/models/modelstest"
)

// limited is the game with the default limits.
func limited(t *testing.T, change ...func(*api.Options)) *table {
	t.Helper()
	usual := func(o *api.Options) { o.Limits.Address, o.Limits.Player = 100, 10 }
	return serve(t, modelstest.Store(t, "sqlite"), append([]func(*api.Options){usual}, change...)...)
}

// behindProxy lets a request set its address in X-Forwarded-For.
func behindProxy(o *api.Options) {
	o.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
}

func from(address string) map[string]string { return map[string]string{"X-Forwarded-For": address} }

// passed sends a request until it is limited, and returns how many passed.
func (g *table) passed(r request) (calls int) {
	g.t.Helper()
	for calls = range 2000 {
		if g.send(r).code() == "rate_limited" {
			return calls
		}
	}
	g.t.Fatalf("%s %s is not limited", r.method, r.path)
	return calls
}

func TestPlayersCallsAreLimited(t *testing.T) {
	g := limited(t)
	call := request{method: "GET", path: "/api/settings", launch: launch(modelstest.TelegramID(), g.clock.Now())}
	if n := g.passed(call); n != 40 {
		t.Errorf("%d calls passed at once", n)
	}
	a := g.send(call)
	if a.status != 429 || a.header.Get("Retry-After") != "1" || a.at("retryAfter") != "1" {
		t.Errorf("answered %d, Retry-After %q: %s", a.status, a.header.Get("Retry-After"), a.body)
	}
	if g.clock.Step(time.Second); g.passed(call) != 10 {
		t.Error("not ten calls after a second")
	}
	other := call
	other.launch = launch(modelstest.TelegramID(), g.clock.Now())
	if a := g.send(other); a.status != 200 {
		t.Errorf("another player is answered %d", a.status)
	}
}

func TestPlayersWritesAreLimited(t *testing.T) {
	g := limited(t)
	raw := g.arrives(modelstest.TelegramID())
	g.clock.Step(time.Minute)
	tap := request{method: "POST", path: "/api/tap/perform-batch-tap", body: `{"total_taps":1}`, launch: raw}
	beacon := tap
	beacon.path, beacon.launch = tap.path+"?init_data="+url.QueryEscape(raw), "-"
	g.send(beacon)
	wish := request{method: "PUT", path: "/api/user/update", body: `{"language":"ru"}`, launch: raw}
	g.send(wish)
	if n := g.passed(tap); n != 18 {
		t.Errorf("%d taps passed after a beacon and a wish", n)
	}
	for name, r := range map[string]request{"a beacon": beacon, "a wish": wish} {
		if a := g.send(r); a.code() != "rate_limited" {
			t.Errorf("%s is answered %d", name, a.status)
		}
	}
	if a := g.send(request{method: "GET", path: "/api/user/me", launch: raw}); a.status != 200 {
		t.Errorf("reading is answered %d", a.status)
	}
	if g.clock.Step(time.Second); g.passed(tap) != 5 {
		t.Error("not five writes after a second")
	}
}

// Every write stores a row, a batch of taps permanently: the app sends ten a minute.
func TestSustainedWritesAreLimited(t *testing.T) {
	t.Parallel()
	g := limited(t)
	raw := g.arrives(modelstest.TelegramID())
	g.clock.Step(time.Hour)
	written := 0
	for range 15 * 120 {
		g.clock.Step(time.Second / 2)
		if a := g.send(request{method: "POST", path: "/api/tap/perform-batch-tap", body: `{"total_taps":1}`, launch: raw}); a.status == 200 {
			written++
		} else if a.code() != "rate_limited" || a.header.Get("Retry-After") == "" {
			t.Fatalf("answered %d %s", a.status, a.body)
		}
	}
	if most := 600 + (15*120-1)*6000/(2*86_400); written != most {
		t.Errorf("%d writes in a quarter of an hour, not %d", written, most)
	}
	if a := g.send(request{method: "GET", path: "/api/user/me", launch: raw}); a.status != 200 {
		t.Errorf("reading is answered %d", a.status)
	}
}

func TestAddressesCallsAreLimited(t *testing.T) {
	g := limited(t, behindProxy)
	call := func(address string) request {
		return request{method: "GET", path: "/api/config", launch: "-", header: from(address)}
	}
	if n := g.passed(call("203.0.113.1")); n != 400 {
		t.Errorf("%d calls passed at once", n)
	}
	for path, status := range map[string]int{"/api/none": 429, "/api/user/me": 429, "/health/live": 200, "/health/ready": 200, "/": 200} {
		if a := g.send(request{method: "GET", path: path, launch: "-", header: from("203.0.113.1")}); a.status != status {
			t.Errorf("%s is answered %d", path, a.status)
		}
	}
	if a := g.send(call("203.0.113.2")); a.status != 200 {
		t.Errorf("another address is answered %d", a.status)
	}
	if g.clock.Step(time.Second); g.passed(call("203.0.113.1")) != 100 {
		t.Error("not a hundred calls after a second")
	}
}

func TestIPv6PrefixIsOneAddress(t *testing.T) {
	g := limited(t, behindProxy)
	for i := range 400 {
		g.send(request{method: "GET", path: "/api/config", launch: "-", header: from(fmt.Sprintf("2001:db8:1:1::%x", i))})
	}
	for address, status := range map[string]int{"2001:db8:1:1:ffff::1": 429, "2001:db8:1:2::1": 200, "::ffff:203.0.113.1": 200} {
		if a := g.send(request{method: "GET", path: "/api/config", launch: "-", header: from(address)}); a.status != status {
			t.Errorf("%s is answered %d", address, a.status)
		}
	}
}

func TestForgedForwardingHeaderKeepsTheLimit(t *testing.T) {
	g := limited(t)
	for i := range 400 {
		g.send(request{method: "GET", path: "/api/config", launch: "-", header: from(fmt.Sprintf("203.0.113.%d", i%250))})
	}
	if a := g.send(request{method: "GET", path: "/api/config", launch: "-", header: from("198.51.100.1")}); a.status != 429 {
		t.Errorf("answered %d", a.status)
	}
	// Through a trusted proxy the last untrusted address counts.
	g = limited(t, behindProxy)
	for i := range 400 {
		g.send(request{method: "GET", path: "/api/config", launch: "-", header: from(fmt.Sprintf("203.0.113.%d, 192.0.2.7", i%250))})
	}
	if a := g.send(request{method: "GET", path: "/api/config", launch: "-", header: from("198.51.100.1, 192.0.2.7")}); a.status != 429 {
		t.Errorf("behind a proxy answered %d", a.status)
	}
}

// Proxies write addresses with ports, brackets, quotes and zones, in one header or in several.
func TestForwardedAddressesOfEveryFormAreParsed(t *testing.T) {
	g := limited(t, behindProxy)
	config := func(forwarded string) request {
		return request{method: "GET", path: "/api/config", launch: "-", header: from(forwarded)}
	}
	for form, same := range map[string]string{
		"203.0.113.1:1234": "203.0.113.1", "[2001:db8:1::7]:443": "2001:db8:1::8", `"[2001:db8:2::7]:443"`: "2001:db8:2::8", "[2001:db8:3::7]": "2001:db8:3::8",
		"fe80::1%eth0": "fe80::2", "::ffff:203.0.113.2": "203.0.113.2", " 203.0.113.3 , 127.0.0.1:80": "203.0.113.3", "junk, 203.0.113.4:1": "203.0.113.4",
		"203.0.113.5,": "203.0.113.5",
	} {
		for range 400 {
			g.send(config(form))
		}
		if a := g.send(config(same)); a.status != 429 {
			t.Errorf("%q is not %s: %d", form, same, a.status)
		}
		if a := g.send(config("198.51.100.9:5")); a.status != 200 {
			t.Fatalf("after %q somebody else is answered %d", form, a.status)
		}
	}
	for range 400 {
		g.send(config("unknown"))
	}
	if a := g.send(config("")); a.status != 429 {
		t.Errorf("an unreadable address is not its proxy's: %d", a.status)
	}
	if n := strings.Count(g.log.String(), "malformed X-Forwarded-For of a trusted proxy"); n != 1 {
		t.Errorf("%d warnings", n)
	}
}

func TestForgedLaunchDataAreLimited(t *testing.T) {
	g := limited(t)
	me := func(raw string) request { return request{method: "GET", path: "/api/user/me", launch: raw} }
	good := launch(modelstest.TelegramID(), g.clock.Now())
	for range 40 {
		if a := g.send(me(launch(1, g.clock.Now().Add(-25*time.Hour)))); a.code() != "init_data_expired" {
			t.Fatalf("expired data are answered %s", a.body)
		}
		g.send(request{method: "GET", path: "/api/user/me", launch: "-"})
	}
	forged := me(strings.Replace(good, "Ann", "Bob", 1))
	if n := g.passed(forged); n != 30 {
		t.Errorf("%d forged calls were refused as forged", n)
	}
	if a := g.send(me(good)); a.status != 200 {
		t.Errorf("an honest call from there is answered %d", a.status)
	}
	if g.clock.Step(10 * time.Second); g.passed(forged) != 5 {
		t.Error("not five more after ten seconds")
	}
}

func TestSettingsScaleTheLimits(t *testing.T) {
	g := limited(t, func(o *api.Options) { o.Limits.Address, o.Limits.Player = 50, 20 })
	if n := g.passed(request{method: "GET", path: "/api/settings", launch: launch(modelstest.TelegramID(), g.clock.Now())}); n != 80 {
		t.Errorf("%d calls of a player", n)
	}
	if n := g.passed(request{method: "GET", path: "/api/config", launch: "-"}); n != 200-81 {
		t.Errorf("%d more calls of the address", n)
	}
}

func TestZeroSwitchesLimitOff(t *testing.T) {
	g := limited(t, func(o *api.Options) { o.Limits.Address, o.Limits.Player = 0, 0 })
	raw := g.arrives(modelstest.TelegramID())
	for name, r := range map[string]request{
		"a read":  {method: "GET", path: "/api/settings", launch: raw},
		"a write": {method: "PUT", path: "/api/user/update", body: `{"language":"ru"}`, launch: raw},
		"forged":  {method: "GET", path: "/api/settings", launch: raw + "0"},
		"public":  {method: "GET", path: "/api/config", launch: "-"},
	} {
		for range 500 {
			if a := g.send(r); a.status == 429 {
				t.Fatalf("%s is limited", name)
			}
		}
	}
}

// A player taps at the maximum rate on two devices and reloads the app all the time; the app's calls must never be limited.
func TestHonestVisitIsNeverLimited(t *testing.T) {
	g := limited(t)
	raw := g.arrives(modelstest.TelegramID())
	batches := 0
	sync := func() []request {
		batches++
		return []request{{method: "POST", path: "/api/tap/perform-batch-tap", body: fmt.Sprintf(`{"total_taps":100,"batch_id":"batch-%05d"}`, batches), launch: raw}}
	}
	opening := func() []request {
		return []request{
			{method: "GET", path: "/api/config", launch: "-"},
			{method: "GET", path: "/api/settings", launch: raw},
			{method: "GET", path: "/api/user/me", launch: raw},
			{method: "GET", path: "/api/tap/energy-status", launch: raw},
			{method: "GET", path: "/api/tasks", launch: raw},
			{method: "GET", path: "/api/predictions/current", launch: raw},
		}
	}
	for second := range 120 {
		var calls []request
		for range 2 { // devices
			if second%10 == 0 {
				calls = append(calls, sync()...)
			}
			if second%20 == 0 { // the page sends a beacon and is reopened
				calls = append(append(calls, sync()...), opening()...)
			}
		}
		for _, r := range calls {
			if a := g.send(r); a.status == 429 {
				t.Fatalf("second %d: %s %s is limited", second, r.method, r.path)
			}
		}
		g.clock.Step(time.Second)
	}
}

// anyAddress is a random IPv6 address: all test runs share one Redis.
func anyAddress(t *testing.T) string {
	t.Helper()
	home := [16]byte{0x20, 0x01, 0x0d, 0xb8}
	modelstest.Must(rand.Read(home[4:8]))(t)
	return netip.AddrFrom16(home).String()
}

// anyone is a random person, unique across test runs.
func anyone(t *testing.T) int64 {
	t.Helper()
	n := modelstest.Must(rand.Int(rand.Reader, big.NewInt(1<<50)))(t)
	return n.Int64() + 1
}

// sharing makes a server count in the Redis at this address.
func sharing(t *testing.T, address string) func(*api.Options) {
	t.Helper()
	client := modelstest.Must(api.OpenRedis(address))(t)
	t.Cleanup(func() { _ = client.Close() })
	return func(o *api.Options) { o.Limits.Redis = client }
}

// sharingPatiently makes a server count in the tests' Redis with longer time limits.
func sharingPatiently(t *testing.T) func(*api.Options) {
	t.Helper()
	hasty := modelstest.Must(api.OpenRedis(modelstest.Redis()))(t)
	defer hasty.Close() //nolint:errcheck // only its options are used
	options := *hasty.Options()
	options.DialTimeout, options.PoolTimeout, options.ReadTimeout, options.WriteTimeout = time.Minute, time.Minute, time.Minute, time.Minute
	client := redis.NewClient(&options)
	t.Cleanup(func() { _ = client.Close() })
	if err := client.Ping(t.Context()).Err(); err != nil {
		t.Fatalf("these tests need Redis, start it with `make services`: %v", err)
	}
	return func(o *api.Options) { o.Limits.Redis = client }
}

func TestRedisSharesLimitsAcrossProcesses(t *testing.T) {
	few := func(o *api.Options) { o.Limits.Address = 10 } // a busy machine may take more than four seconds for 400 calls, and more would pass
	pair := func(change ...func(*api.Options)) []*table {
		change = append(change, behindProxy, sharingPatiently(t))
		return []*table{limited(t, change...), limited(t, change...)}
	}
	usual, frugal := pair(), pair(few)
	for name, c := range map[string]struct {
		processes []*table
		call      request
		burst     int
		rate      float64 // a second
	}{
		"a player":   {usual, request{method: "GET", path: "/api/settings", launch: launch(anyone(t), modelstest.Noon), header: from(anyAddress(t))}, 40, 10},
		"an address": {frugal, request{method: "GET", path: "/api/config", launch: "-", header: from(anyAddress(t))}, 40, 10},
		"forged":     {usual, request{method: "GET", path: "/api/user/me", launch: "user=1&hash=2", header: from(anyAddress(t))}, 30, 0.5},
	} {
		began, passed, wait := time.Now(), 0, ""
		for i := range c.burst * 5 / 2 {
			a := c.processes[i%2].send(c.call)
			if a.status != 429 {
				passed++
			} else {
				wait = a.header.Get("Retry-After")
			}
		}
		// Redis has its own clock, which is not stepped.
		if most := c.burst + int(time.Since(began).Seconds()*c.rate) + 1; passed < c.burst || passed > most {
			t.Errorf("%s: %d calls passed, not %d to %d", name, passed, c.burst, most)
		}
		if wait == "" || wait == "0" {
			t.Errorf("%s: Retry-After %q", name, wait)
		}
	}
}

// wire is a proxy to Redis that can be cut.
type wire struct {
	listener net.Listener
	mended   atomic.Bool
	taken    atomic.Int32 // connections
}

func newWire(t *testing.T) *wire {
	t.Helper()
	listener := modelstest.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	options := modelstest.Must(redis.ParseURL(modelstest.Redis()))(t)
	w := &wire{listener: listener}
	var all sync.WaitGroup
	t.Cleanup(func() {
		_ = listener.Close()
		all.Wait()
	})
	all.Go(func() {
		for {
			near, err := listener.Accept()
			if err != nil {
				return
			}
			w.taken.Add(1)
			t.Cleanup(func() { _ = near.Close() })
			if !w.mended.Load() {
				continue // accepts and never responds
			}
			far, err := net.Dial("tcp", options.Addr)
			if err != nil {
				t.Error(err)
				return
			}
			t.Cleanup(func() { _ = far.Close() })
			go func() { _, _ = io.Copy(near, far) }()
			go func() { _, _ = io.Copy(far, near) }()
		}
	})
	return w
}

func (w *wire) address() string { return "redis://" + w.listener.Addr().String() }

func TestUnavailableRedisLimitsPerProcess(t *testing.T) {
	nobody := newWire(t)
	_ = nobody.listener.Close()
	for name, w := range map[string]*wire{"refused": nobody, "silent": newWire(t)} {
		g := limited(t, sharing(t, w.address()))
		call := request{method: "GET", path: "/api/settings", launch: launch(modelstest.TelegramID(), g.clock.Now())}
		began := time.Now()
		g.send(call)
		if took := time.Since(began); took > 5*time.Second {
			t.Errorf("%s: a call waited %s", name, took)
		}
		if n := g.passed(call); n != 39 {
			t.Errorf("%s: %d more calls passed", name, n)
		}
		if asked := w.taken.Load(); asked > 1 {
			t.Errorf("%s: Redis was asked %d times, so calls waited for it", name, asked)
		}
		if told := strings.Count(g.log.String(), "Redis unavailable"); told != 1 {
			t.Errorf("%s: said %d times that it is away", name, told)
		}
	}
}

func TestRedisIsUsedAgainAfterRecovery(t *testing.T) {
	t.Parallel()
	w := newWire(t)
	g := limited(t, behindProxy, sharing(t, w.address()))
	other := limited(t, behindProxy, sharingPatiently(t))
	forged := request{method: "GET", path: "/api/user/me", launch: "user=1&hash=2", header: from(anyAddress(t))}
	g.send(forged)
	w.mended.Store(true)
	if other.passed(forged) < 30 {
		t.Fatal("the other process counts too many")
	}
	for deadline := time.Now().Add(20 * time.Second); g.send(forged).status != 429; {
		if time.Now().After(deadline) {
			t.Fatal("Redis is not asked again")
		}
		g.clock.Step(time.Minute) // so that this process's buckets are full
	}
	if !strings.Contains(g.log.String(), "Redis available again") {
		t.Error("the recovery is not logged")
	}
}
