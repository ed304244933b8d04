package trial

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path"
	"strconv"
	"sync"
	"time"
)

// BotAPI is a fake Bot API server with frequent faults. It counts each chat's messages, and calls during a pause after 429.
type BotAPI struct {
	URL string

	server *httptest.Server
	faults Faults
	mu     sync.Mutex
	chance *rand.Rand
	sent   map[int64]int // messages accepted, by chat
	at     []time.Time   // time of each call to send, including failed ones
	quiet  time.Time     // beginning of the pause
	silent time.Time     // end of the pause
	early  int           // calls during the pause
	seen   map[string]int
	closed chan struct{}
	freeze chan struct{} // closed when the next message is accepted without a response
}

// Faults are error responses, each to one call in that many; 0 means never.
type Faults struct {
	TooMany, Broken, Garbled int            // 429 with a second to wait; 502; a page instead of JSON
	Blocked                  map[int64]bool // chats that answer 403
}

// onTheWay is the tolerance for another process's calls in flight during a 429.
const onTheWay = 300 * time.Millisecond

// NewBotAPI starts a fake server; its random choices follow from the seed.
func NewBotAPI(faults Faults, seed uint64) *BotAPI {
	b := &BotAPI{
		faults: faults, sent: map[int64]int{}, seen: map[string]int{}, closed: make(chan struct{}),
		chance: rand.New(rand.NewPCG(seed, 1)), //nolint:gosec // repeatable on purpose
	}
	b.server = httptest.NewServer(b)
	b.URL = b.server.URL
	return b
}

// Close ends the server and drops withheld responses.
func (b *BotAPI) Close() {
	close(b.closed)
	b.server.CloseClientConnections()
	b.server.Close()
}

// Freeze makes the server accept the next message without a response, and returns a channel that is closed then.
func (b *BotAPI) Freeze() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.freeze = make(chan struct{})
	return b.freeze
}

// SentByChat returns the number of messages by chat.
func (b *BotAPI) SentByChat() map[int64]int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return maps.Clone(b.sent)
}

// Early returns the number of calls during pauses, and of 429 responses.
func (b *BotAPI) Early() (calls, silences int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.early, b.seen[strconv.Itoa(http.StatusTooManyRequests)]
}

// Busiest returns the maximum of calls to send within a second.
func (b *BotAPI) Busiest() (most int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	first := 0
	for i, at := range b.at {
		for at.Sub(b.at[first]) >= time.Second {
			first++
		}
		most = max(most, i-first+1)
	}
	return most
}

func (b *BotAPI) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return fmt.Sprintf("calls %v", b.seen)
}

// ServeHTTP answers a call; only calls that send a message may fail.
func (b *BotAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var status int
	var body string
	switch path.Base(r.URL.Path) {
	case "sendMessage":
		chat, _ := strconv.ParseInt(r.FormValue("chat_id"), 10, 64)
		var keepBack bool
		if status, body, keepBack = b.take(chat); keepBack {
			select {
			case <-r.Context().Done():
			case <-b.closed:
			}
			return
		}
	case "getMe":
		status, body = okay(map[string]any{"id": 1, "is_bot": true, "username": "TrialBot"})
	case "getUpdates":
		select {
		case <-r.Context().Done():
		case <-time.After(time.Second):
		}
		status, body = okay([]any{})
	case "getStarTransactions":
		status, body = okay(map[string]any{"transactions": []any{}})
	default:
		status, body = okay(true)
	}
	w.WriteHeader(status)
	_, _ = w.Write([]byte(body)) //nolint:gosec // no browser reads it
}

// take decides the response to a message.
func (b *BotAPI) take(chat int64) (status int, body string, keepBack bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	b.at = append(b.at, now)
	if now.After(b.quiet) && now.Before(b.silent) {
		b.early++
	}
	in := func(calls int) bool { return calls > 0 && b.chance.IntN(calls) == 0 }
	switch {
	case b.freeze != nil && !b.faults.Blocked[chat]:
		close(b.freeze)
		b.freeze = nil
		b.sent[chat]++
		b.seen["taken, not answered"]++
		return 0, "", true
	case in(b.faults.TooMany):
		b.quiet, b.silent = now.Add(onTheWay), now.Add(time.Second)
		status, body = refusal(http.StatusTooManyRequests, "Too Many Requests: retry after 1", map[string]any{"retry_after": 1})
	case in(b.faults.Broken):
		status, body = refusal(http.StatusBadGateway, "Bad Gateway", nil)
	case in(b.faults.Garbled):
		status, body = http.StatusOK, "<html>later</html>"
		b.seen["garbled"]++
		return status, body, false
	case b.faults.Blocked[chat]:
		status, body = refusal(http.StatusForbidden, "Forbidden: bot was blocked by the user", nil)
	default:
		b.sent[chat]++
		status, body = okay(map[string]any{"message_id": len(b.at), "date": now.Unix(), "chat": map[string]any{"id": chat, "type": "private"}})
	}
	b.seen[strconv.Itoa(status)]++
	return status, body, false
}

func okay(result any) (status int, body string) {
	text, _ := json.Marshal(map[string]any{"ok": true, "result": result}) //nolint:errchkjson // plain values
	return http.StatusOK, string(text)
}

func refusal(code int, description string, parameters map[string]any) (status int, body string) {
	text, _ := json.Marshal(map[string]any{ //nolint:errchkjson // plain values
		"ok": false, "error_code": code, "description": description, "parameters": parameters,
	})
	return code, string(text)
}
