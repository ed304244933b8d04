package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"
	initdata "github.com/telegram-mini-apps/init-data-golang"

	"mcbk/api"
	"mcbk/models/modelstest"
	"mcbk/models/orders"
	"mcbk/models/store"
)

const (
	token    = "1234:test-token"
	inFlight = 100 // less than MaxInFlight, so that a test can reach it
)

// table is the game for its clients: the real handler over a real database.
type table struct {
	t      *testing.T
	store  *store.Store
	clock  *modelstest.Clock
	server *httptest.Server
	log    *bytes.Buffer
	router routers.Router
	visits *visits
	// invoiced is the title of the last invoice that Telegram made.
	invoiced *atomic.Value

	contents func(testing.TB) modelstest.Contents // of the database, in some tests
	twin     *table                               // another process on the same database, if any
}

// in is the same game for a subtest.
func (g *table) in(t *testing.T) *table {
	seen := *g
	seen.t = t
	return &seen
}

// onEachDatabase runs a test on a fresh SQLite file and a fresh PostgreSQL database.
func onEachDatabase(t *testing.T, play func(t *testing.T, g *table)) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) { play(t, serve(t, store)) })
}

// serve is the real handler; without limits of calls, which tests would reach, unless asked.
func serve(t *testing.T, store *store.Store, change ...func(*api.Options)) *table {
	t.Helper()
	return serveAt(t, store, modelstest.NewClock(), change...)
}

func serveAt(t *testing.T, store *store.Store, clock *modelstest.Clock, change ...func(*api.Options)) *table {
	t.Helper()
	g := &table{t: t, store: store, clock: clock, log: &bytes.Buffer{}, router: modelstest.Must(contractRouter())(t), invoiced: &atomic.Value{}}
	options := api.Options{
		BotToken: token, BotUsername: func() string { return "mcbk_bot" },
		WebAppURL: "https://game.example",
		WebApp: fstest.MapFS{
			"index.html":       {Data: []byte("<!doctype html><title>MCBK</title>")},
			"assets/app-1a.js": {Data: []byte("export {};")},
		},
		Season: modelstest.Season, InFlight: inFlight, Ads: api.Ads{BlockID: "unit-1", Secret: adsSecret},
		Subscribed: func(context.Context, string, int64) (bool, error) { return true, nil },
		InvoiceLink: func(_ context.Context, i orders.InvoiceRequest) (string, error) {
			g.invoiced.Store(i.Title)
			return "https://t.me/$" + i.Payload, nil
		},
		Config: api.Config{Product: "MCBK", Network: "mainnet", Languages: []api.Language{"en", "ru"}, Ads: api.AdsConfig{Mode: "s2s"}},
	}
	selling(&options)
	for _, c := range change {
		c(&options)
	}
	handler := modelstest.Must(api.New(options, store, g.clock.Now, slog.New(slog.NewMultiHandler(
		slog.NewTextHandler(g.log, &slog.HandlerOptions{Level: slog.LevelDebug}),
		slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelError}), // why an answer was 500
	))))(t)
	g.visits = visitsOf(api.Engine(handler))
	g.server = httptest.NewServer(handler)
	t.Cleanup(g.server.Close)
	return g
}

var contractRouter = sync.OnceValues(func() (routers.Router, error) {
	doc, err := readDocument()
	if err != nil {
		return nil, err
	}
	return legacy.NewRouter(doc)
})

// launch is signed launch data of a person.
func launch(telegramID int64, at time.Time, extra ...string) string {
	fields := map[string]string{
		"user":      fmt.Sprintf(`{"id":%d,"first_name":"Ann","username":"ann","language_code":"en"}`, telegramID),
		"query_id":  "AAH",
		"signature": "any",
	}
	for i := 0; i+1 < len(extra); i += 2 {
		fields[extra[i]] = extra[i+1]
	}
	return signed(fields, at)
}

func signed(fields map[string]string, at time.Time) string { return signedBy(token, fields, at) }

func signedBy(token string, fields map[string]string, at time.Time) string {
	query := url.Values{"hash": {initdata.Sign(fields, token, at)}, "auth_date": {strconv.FormatInt(at.Unix(), 10)}}
	for key, value := range fields {
		query.Set(key, value)
	}
	return query.Encode()
}

// request is what a client sends; the zero values send launch data of a new person and JSON.
type request struct {
	method, path, body string
	launch             string // raw launch data; "-" for none
	header             map[string]string
}

type answer struct {
	status int
	header http.Header
	body   string
}

// code is the refusal's.
func (a answer) code() string {
	var e struct{ Code string }
	_ = json.Unmarshal([]byte(a.body), &e)
	return e.Code
}

// at reads a field like user.balance.game_mcbk as it stands in the text.
func (a answer) at(path string) string {
	var value any
	decoder := json.NewDecoder(strings.NewReader(a.body))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		return "not JSON: " + a.body
	}
	for part := range strings.SplitSeq(path, ".") {
		switch of := value.(type) {
		case map[string]any:
			value = of[part]
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i >= len(of) {
				return "no " + path
			}
			value = of[i]
		default:
			return "no " + path
		}
	}
	return fmt.Sprint(value)
}

// send makes a request and holds the answer to the contract.
func (g *table) send(r request) answer {
	g.t.Helper()
	a, req, response := g.exchange(r)
	g.keepsContract(req, response, []byte(a.body))
	return a
}

// asks sends a call of a player and checks its status and some fields of the answer.
func (g *table) asks(raw, method, path, body string, want int, shows map[string]string) answer {
	g.t.Helper()
	return g.answers(path+" "+body, request{method: method, path: "/api" + path, body: body, launch: raw}, want, shows)
}

// refuses checks that a request is refused with a code.
func (g *table) refuses(what string, q request, status int, code string) answer {
	g.t.Helper()
	return g.answers(what, q, status, map[string]string{"code": code})
}

// answers sends a request and checks its status and some fields of the answer.
func (g *table) answers(what string, q request, status int, shows map[string]string) answer {
	g.t.Helper()
	a := g.send(q)
	if a.status != status {
		g.t.Errorf("%s: %s %s is answered %d %s, not %d", what, q.method, q.path, a.status, a.body, status)
	}
	for field, value := range shows {
		if got := a.at(field); got != value {
			g.t.Errorf("%s: %s is %s, not %s: %s", what, field, got, value, a.body)
		}
	}
	return a
}

// unchanged checks that the database has the rows that it had.
func (g *table) unchanged(before modelstest.Contents) {
	g.t.Helper()
	if tables := g.contents(g.t).Changed(before); len(tables) > 0 {
		g.t.Errorf("changed %v", tables)
	}
}

// exchange makes a request; the answer's body may be compressed if the request accepts that.
func (g *table) exchange(r request) (answer, *http.Request, *http.Response) {
	g.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	req := modelstest.Must(http.NewRequestWithContext(ctx, r.method, g.server.URL+r.path, strings.NewReader(r.body)))(g.t)
	if r.launch != "-" {
		req.Header.Set("Authorization", "tma "+r.launch)
	}
	if r.body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for name, value := range r.header {
		req.Header.Set(name, value)
	}
	response, err := g.server.Client().Do(req)
	if err != nil {
		g.t.Fatalf("%s %s: %v", r.method, r.path, err)
	}
	defer response.Body.Close() //nolint:errcheck // read only
	body := modelstest.Must(io.ReadAll(response.Body))(g.t)
	if response.Header.Get("X-Request-Id") == "" {
		g.t.Errorf("%s %s: answer without a request id", r.method, r.path)
	}
	g.visits.note(r.method, r.path)
	a := answer{response.StatusCode, response.Header, string(body)}
	seenCodes.note(a.code())
	return a, req, response
}

// keepsContract fails the test when an answer is not what openapi.yaml describes.
func (g *table) keepsContract(req *http.Request, response *http.Response, body []byte) {
	g.t.Helper()
	described := req.Clone(req.Context())
	described.URL = &url.URL{Path: req.URL.Path}
	route, params, err := g.router.FindRoute(described)
	if err != nil {
		return // not a call of the contract
	}
	err = openapi3filter.ValidateResponse(req.Context(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: req, PathParams: params, Route: route},
		Status:                 response.StatusCode, Header: response.Header, Body: io.NopCloser(bytes.NewReader(body)),
		Options: &openapi3filter.Options{IncludeResponseStatus: true},
	})
	if err != nil {
		g.t.Errorf("%s %s answers %d %s, against the contract: %v", req.Method, req.URL.Path, response.StatusCode, body, err)
	}
}

// arrives signs a person in and accepts the rules.
func (g *table) arrives(telegramID int64) string {
	g.t.Helper()
	raw := launch(telegramID, g.clock.Now())
	g.asks(raw, "GET", "/user/me", "", 200, nil)
	g.asks(raw, "PUT", "/user/update", `{"age_consent_accepted":true}`, 200, nil)
	return raw
}

// posted are a person's postings as text, like "house:taps>game 20000".
func (g *table) posted(telegramID int64) (lines []string) {
	g.t.Helper()
	player, err := g.store.Players.PlayerByTelegramID(g.t.Context(), telegramID)
	if err != nil {
		return nil
	}
	for _, p := range modelstest.Must(g.store.Ledger.Postings(g.t.Context(), player.ID))(g.t) {
		if !strings.HasPrefix(p.Reference, "spins:") { // daily spins
			lines = append(lines, fmt.Sprintf("%s>%s %d", p.Source, p.Destination, p.Amount))
		}
	}
	return lines
}
