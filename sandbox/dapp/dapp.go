// Package dapp is an app's side of TON Connect, for tests.
package dapp

import (
	"bufio"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/nacl/box"
)

// walletTimeout limits the wait for the wallet.
const walletTimeout = 10 * time.Second

// App is an app with its keys and received messages.
type App struct {
	// Wallet is the wallet's public key, once it has written.
	Wallet *[32]byte
	// Heard is closed when the bridge hangs up.
	Heard <-chan Heard

	t              testing.TB
	bridge         string
	public, secret *[32]byte
	last           string // the number of the latest message on the bridge
	requests       int
}

// Heard is a wallet's message: an event or a response.
type Heard struct {
	Event   string          `json:"event"`
	ID      json.RawMessage `json:"id"`
	Payload json.RawMessage `json:"payload"`
	Result  json.RawMessage `json:"result"`
	Error   *Error          `json:"error"`
}

// Error is a wallet's error response.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// New makes an app of the bridge, such as http://localhost:8090/bridge.
func New(t testing.TB, bridge string) *App {
	t.Helper()
	public, secret, err := box.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	a := &App{t: t, bridge: bridge, public: public, secret: secret}
	a.Listen()
	return a
}

// ID is the app's id for wallets.
func (a *App) ID() string { return hex.EncodeToString(a.public[:]) }

// Link is the connect link; items are JSON.
func (a *App) Link(manifest, items string) string {
	r := fmt.Sprintf(`{"manifestUrl":%q,"items":%s}`, manifest, items)
	return "http://localhost:8090/wallet?" + url.Values{"v": {"2"}, "id": {a.ID()}, "r": {r}, "ret": {"back"}}.Encode()
}

// Listen connects to the bridge after the last message.
func (a *App) Listen() {
	a.t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	a.t.Cleanup(stop)
	query := url.Values{"client_id": {a.ID()}}
	if a.last != "" {
		query.Set("last_event_id", a.last)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, a.bridge+"/events?"+query.Encode(), nil)
	if err != nil {
		a.t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request) //nolint:bodyclose // read closes it
	if err != nil {
		a.t.Fatal(err)
	}
	if response.StatusCode != http.StatusOK {
		a.t.Fatalf("the bridge's events: %s", response.Status)
	}
	heard := make(chan Heard, 64)
	a.Heard = heard
	go a.read(response, heard)
}

// read decrypts messages until the stream ends.
func (a *App) read(response *http.Response, into chan<- Heard) {
	defer close(into)
	defer func() { _ = response.Body.Close() }()
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		if id, ok := strings.CutPrefix(lines.Text(), "id: "); ok {
			a.last = id
		}
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		h, err := a.open(data)
		if err != nil {
			a.t.Errorf("the wallet says %q: %v", data, err)
			return
		}
		into <- h
	}
}

func (a *App) open(data string) (h Heard, err error) {
	var m struct{ From, Message string }
	if err := json.Unmarshal([]byte(data), &m); err != nil {
		return h, err
	}
	sender, err := hex.DecodeString(m.From)
	if err != nil {
		return h, err
	}
	raw, err := base64.StdEncoding.DecodeString(m.Message)
	if err != nil {
		return h, err
	}
	if len(sender) != 32 || len(raw) < 24 {
		return h, fmt.Errorf("a key of %d bytes, a message of %d", len(sender), len(raw))
	}
	a.Wallet = (*[32]byte)(sender)
	plain, ok := box.Open(nil, raw[24:], (*[24]byte)(raw), a.Wallet, a.secret)
	if !ok {
		return h, fmt.Errorf("it is not for %s", a.ID())
	}
	return h, json.Unmarshal(plain, &h)
}

// Hears waits for the wallet's next message.
func (a *App) Hears() Heard {
	a.t.Helper()
	select {
	case h, open := <-a.Heard:
		if !open {
			a.t.Fatal("the bridge has hung up")
		}
		return h
	case <-time.After(walletTimeout):
		a.t.Fatal("the wallet says nothing")
	}
	return Heard{}
}

// Asks sends a request and returns its number as JSON.
func (a *App) Asks(method string, params ...string) string {
	a.t.Helper()
	a.requests++
	number := fmt.Sprint(a.requests)
	a.Repeats(number, method, params...)
	return `"` + number + `"`
}

// Repeats sends a request with that number.
func (a *App) Repeats(number, method string, params ...string) {
	a.t.Helper()
	plain, err := json.Marshal(map[string]any{"method": method, "params": params, "id": number})
	if err != nil {
		a.t.Fatal(err)
	}
	if status := a.Posts(plain); status != http.StatusOK {
		a.t.Fatalf("the bridge answers %d", status)
	}
}

// Posts sends any text and returns the bridge's status.
func (a *App) Posts(plain []byte) int {
	a.t.Helper()
	var nonce [24]byte
	_, _ = rand.Read(nonce[:])
	text := base64.StdEncoding.EncodeToString(box.Seal(nonce[:], plain, &nonce, a.Wallet, a.secret))
	query := url.Values{"client_id": {a.ID()}, "to": {hex.EncodeToString(a.Wallet[:])}, "ttl": {"300"}}
	response, err := http.Post(a.bridge+"/message?"+query.Encode(), "text/plain", strings.NewReader(text)) //nolint:noctx // a test's
	if err != nil {
		a.t.Fatal(err)
	}
	_ = response.Body.Close()
	return response.StatusCode
}
