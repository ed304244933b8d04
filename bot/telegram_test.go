package bot_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

type call struct {
	method string
	fields map[string]string
	file   []byte // an uploaded picture
}

// button is the first inline button's web_app address.
func (c call) button(t *testing.T) string {
	t.Helper()
	var markup struct {
		Rows [][]struct {
			WebApp struct {
				URL string `json:"url"`
			} `json:"web_app"`
		} `json:"inline_keyboard"`
	}
	if strings.Contains(c.fields["reply_markup"], "copy_text") {
		t.Errorf("a button copies nothing: %s", c.fields["reply_markup"])
	}
	if err := json.Unmarshal([]byte(c.fields["reply_markup"]), &markup); err != nil || len(markup.Rows) == 0 {
		t.Fatalf("%s has no button: %q, %v", c.method, c.fields["reply_markup"], err)
	}
	return markup.Rows[0][0].WebApp.URL
}

type reply struct {
	status int
	body   string
}

var (
	usual       = reply{} // the successful result
	fine        = reply{200, `{"ok":true,"result":true}`}
	sent        = reply{200, `{"ok":true,"result":{"message_id":1}}`}
	empty       = reply{200, `{"ok":true,"result":[]}`}
	blocked     = reply{403, `{"ok":false,"error_code":403,"description":"Forbidden: bot was blocked by the user"}`}
	badRequest  = reply{400, `{"ok":false,"error_code":400,"description":"Bad Request: no"}`}
	neverMet    = reply{400, `{"ok":false,"error_code":400,"description":"Bad Request: chat not found"}`}
	badGateway  = reply{502, "<html>\x00502</html>"}
	wrongToken  = reply{401, `{"ok":false,"error_code":401,"description":"Unauthorized"}`}
	slow        = reply{504, "slow"} // times out
	unavailable = reply{503, `{"ok":false,"error_code":503,"description":"Service Unavailable"}`}
)

func tooMany(seconds int) reply {
	return reply{429, fmt.Sprintf(`{"ok":false,"error_code":429,"description":"Too Many Requests","parameters":{"retry_after":%d}}`, seconds)}
}

// fakeTelegram is a Bot API server: it holds updates until a higher offset confirms them, and answers calls as the test sets.
type fakeTelegram struct {
	server *httptest.Server
	over   chan struct{} // closed to release waiting requests, at the latest when the test ends
	letGo  func()        // closes it

	mu      sync.Mutex
	calls   []call
	replies map[string]func(c call) reply // by method; usual by default
	updates map[int64]string              // unconfirmed
	fresh   chan struct{}                 // closed when an update arrives
	busy    map[string]func()             // runs before a method is answered
}

func newTelegram(t testing.TB) *fakeTelegram {
	t.Helper()
	f := &fakeTelegram{
		over:    make(chan struct{}),
		updates: map[int64]string{}, fresh: make(chan struct{}), busy: map[string]func(){},
		replies: map[string]func(call) reply{"getMe": always(reply{200, `{"ok":true,"result":{"id":1,"is_bot":true,"username":"GameBot"}}`})},
	}
	f.letGo = sync.OnceFunc(func() { close(f.over) })
	f.server = httptest.NewServer(f)
	t.Cleanup(func() {
		f.letGo()
		f.server.Close()
	})
	return f
}

func always(r reply) func(call) reply { return func(call) reply { return r } }

// firstly returns the replies in order, then usual.
func firstly(replies ...reply) func(call) reply {
	return func(call) reply { // called under the lock
		if len(replies) == 0 {
			return usual
		}
		r := replies[0]
		replies = replies[1:]
		return r
	}
}

func (f *fakeTelegram) on(method string, replies func(call) reply) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.replies[method] = replies
}

// before runs a function, without the lock, before a method is answered.
func (f *fakeTelegram) before(method string, do func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.busy[method] = do
}

func (f *fakeTelegram) push(id int64, body string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.updates[id] = body
	close(f.fresh)
	f.fresh = make(chan struct{})
}

func (f *fakeTelegram) made(methods ...string) []call {
	f.mu.Lock()
	defer f.mu.Unlock()
	var found []call
	for _, c := range f.calls {
		if slices.Contains(methods, c.method) {
			found = append(found, c)
		}
	}
	return found
}

// offset is that of the last request for updates.
func (f *fakeTelegram) offset() string {
	calls := f.made("getUpdates")
	return calls[len(calls)-1].fields["offset"]
}

// said lists the calls that send or show something.
func (f *fakeTelegram) said() []call {
	return f.made("sendMessage", "sendPhoto", "copyMessage", "editMessageText", "answerCallbackQuery")
}

func (f *fakeTelegram) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := call{method: path.Base(r.URL.Path), fields: map[string]string{}}
	if r.ParseMultipartForm(1<<20) == nil {
		for name, values := range r.MultipartForm.Value {
			c.fields[name] = values[0]
		}
		for _, files := range r.MultipartForm.File {
			if file, err := files[0].Open(); err == nil {
				c.file, _ = io.ReadAll(file)
				_ = file.Close()
			}
		}
	}
	f.mu.Lock()
	f.calls = append(f.calls, c)
	answer, fresh, busy := usual, f.fresh, f.busy[c.method]
	if replies, ok := f.replies[c.method]; ok {
		answer = replies(c)
	}
	if answer == usual && c.method == "getUpdates" {
		answer = f.page(c)
	}
	f.mu.Unlock()
	if busy != nil {
		busy()
	}
	switch {
	case answer == slow:
		select {
		case <-r.Context().Done(): // which a server may not notice
		case <-f.over:
		}
		return
	case answer == empty: // long poll
		select {
		case <-fresh:
		case <-r.Context().Done():
		case <-f.over:
		}
		f.mu.Lock()
		answer = f.page(c)
		f.mu.Unlock()
	case answer == usual && (c.method == "sendMessage" || c.method == "sendPhoto" || c.method == "copyMessage" || c.method == "editMessageText"):
		answer = sent
	case answer == usual:
		answer = fine
	}
	w.WriteHeader(answer.status)
	_, _ = io.WriteString(w, answer.body)
}

// page drops confirmed updates and lists the rest. Like Telegram's queue it ignores an offset far above it.
func (f *fakeTelegram) page(c call) reply {
	offset, _ := strconv.ParseInt(c.fields["offset"], 10, 64)
	if held := slices.Collect(maps.Keys(f.updates)); len(held) > 0 && offset > slices.Max(held)+10 {
		offset = 0
	}
	maps.DeleteFunc(f.updates, func(id int64, _ string) bool { return id < offset })
	result := []json.RawMessage{}
	for _, id := range slices.Sorted(maps.Keys(f.updates)) {
		result = append(result, json.RawMessage(f.updates[id]))
	}
	body, _ := json.Marshal(map[string]any{"ok": true, "result": result})
	return reply{200, string(body)}
}
