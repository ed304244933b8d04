// Package modelstest sets the scene for tests: databases, a clock that is stepped by hand, and
// players whose lives went through the real store.
package modelstest

import (
	"cmp"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/admin"
	"mcbk/models/db"
	"mcbk/models/players"
	"mcbk/models/store"
	"mcbk/models/taps"
)

// Noon is when most tests begin: an ordinary moment.
var Noon = time.Date(2026, time.March, 4, 12, 0, 0, 0, time.UTC)

// Season is open at Noon, which is on its first day.
var Season = game.Season{Start: time.Date(2026, time.March, 4, 0, 0, 0, 0, time.UTC)}

// TapRules are the rules of a tap unless admins change them.
var TapRules = game.TapRules{
	TapRate: game.TapRate{Energy: 1, Coins: game.MCBK / 1000}, PerSecond: 10, Most: 5_000, AtFirst: 50,
}

// Databases are the two that every scenario runs on.
var Databases = []string{"sqlite", "postgres"}

// Each runs a test for each of the Databases, in parallel with other tests of this kind.
func Each(t *testing.T, test func(t *testing.T, database string)) {
	t.Helper()
	t.Parallel()
	for _, database := range Databases {
		t.Run(database, func(t *testing.T) {
			t.Parallel()
			test(t, database)
		})
	}
}

// EachDatabase runs a test on a fresh SQLite file and in a fresh PostgreSQL database.
func EachDatabase(t *testing.T, test func(t *testing.T, store *store.Store)) {
	t.Helper()
	Each(t, func(t *testing.T, database string) { test(t, Store(t, database)) })
}

// EachSound is EachDatabase for a test after which every invariant has to hold.
func EachSound(t *testing.T, test func(t *testing.T, store *store.Store)) {
	t.Helper()
	EachDatabase(t, func(t *testing.T, store *store.Store) {
		test(t, store)
		Sound(t, store)
	})
}

// Store returns a migrated database of that name, deleted after the test.
func Store(t testing.TB, database string) *store.Store {
	t.Helper()
	return OpenStore(t, Address(t, database))
}

// OpenStore opens and migrates the database at an address of Address; a second store on one PostgreSQL address is a second process.
func OpenStore(t testing.TB, address string) *store.Store {
	t.Helper()
	return open(t, address, timeoutScale)
}

// WithTimeouts is OpenStore with the timeouts that players get.
func WithTimeouts(t testing.TB, address string) *store.Store {
	t.Helper()
	return open(t, address, 1)
}

// timeoutScale is for tests that are not about waiting: with four tests side by side and the race detector on two processors, fifty
// calls that want one row may need longer than players are kept waiting.
const timeoutScale = 5

func open(t testing.TB, address string, timeoutScale db.TimeoutScale) *store.Store {
	t.Helper()
	store := Must(store.OpenScaled(t.Context(), address, func() time.Time { return Noon }, rand.Reader, timeoutScale))(t)
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Errorf("close the store: %v", err)
		}
	})
	Must(store.DB.Migrate(t.Context()))(t)
	return store
}

// Exec runs one statement at a PostgreSQL address, past the store.
func Exec(t testing.TB, server, statement string) {
	t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), 2*time.Minute)
	defer stop()
	conn, err := pgx.Connect(ctx, server)
	NoError(t, err, "these tests need PostgreSQL, start it with `make services`")
	defer conn.Close(ctx) //nolint:errcheck // a test's own connection
	if _, err := conn.Exec(ctx, statement); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

// Shadow makes sessions at a PostgreSQL address of Address see definitions of their own before
// PostgreSQL's: "CREATE VIEW pg_settings AS …" in its schema hides the real one.
func Shadow(t testing.TB, address, statement string) (shadowed string) {
	t.Helper()
	Exec(t, address, statement)
	at := Must(url.Parse(address))(t)
	query := at.Query()
	query.Set("search_path", query.Get("search_path")+",pg_catalog")
	at.RawQuery = query.Encode()
	return at.String()
}

// ComparedClocks is how far wall is ahead of the store's database, once that could be measured.
func ComparedClocks(t testing.TB, store *store.Store, wall func() time.Time) (ahead time.Duration) {
	t.Helper()
	ahead, err := store.DB.CompareClocks(t.Context(), wall)
	for try := 1; err != nil && try < 10; try++ { // a busy machine may take longer than a comparison may
		ahead, err = store.DB.CompareClocks(t.Context(), wall)
	}
	NoError(t, err)
	return ahead
}

// Redis returns the address of a Redis server that all tests share: MCBK_TEST_REDIS, by default on this machine.
func Redis() string {
	if address := os.Getenv("MCBK_TEST_REDIS"); address != "" {
		return address
	}
	return "redis://127.0.0.1:6379"
}

// HoldPlayers locks every player of a PostgreSQL address, so that calls that change one wait,
// until release is called.
func HoldPlayers(t testing.TB, address string) (release func()) {
	t.Helper()
	return Hold(t, address, "SELECT 1 FROM players FOR UPDATE")
}

// Hold keeps the locks that a statement takes at a PostgreSQL address until release is called, which commits it.
func Hold(t testing.TB, address, statement string) (release func()) {
	t.Helper()
	conn := Must(pgx.Connect(t.Context(), address))(t)
	Must(conn.Exec(t.Context(), "BEGIN; "+statement))(t)
	var once sync.Once
	release = func() {
		once.Do(func() {
			defer conn.Close(context.Background()) //nolint:errcheck // a test's own connection
			if _, err := conn.Exec(context.Background(), "COMMIT"); err != nil {
				t.Errorf("commit %s: %v", statement, err)
			}
		})
	}
	t.Cleanup(release)
	return release
}

// Behind returns what a call comes to that must wait for a statement's locks at a PostgreSQL address, until the statement is
// committed.
func Behind(t *testing.T, address, statement string, call func() error) error {
	t.Helper()
	release := Hold(t, address, statement)
	ended := make(chan error, 1)
	go func() { ended <- call() }()
	AwaitLock(t, Raw(t, address), ended)
	release()
	return <-ended
}

// Clock is a clock that moves only when it is told to.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// NewClock returns a clock that stands at Noon.
func NewClock() *Clock { return &Clock{now: Noon} }

// Now returns the clock's time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// At returns a clock that stands at that time.
func At(t time.Time) func() time.Time { return func() time.Time { return t } }

// Step moves the clock.
func (c *Clock) Step(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

var people struct {
	sync.Mutex
	last int64
}

// TelegramID returns the id of a person that nobody else in this run has.
func TelegramID() int64 {
	people.Lock()
	defer people.Unlock()
	people.last++
	return 1_000_000 + people.last
}

// Detail is something about a player that matters to a test.
type Detail func(*life)

type life struct {
	user      players.LaunchUser
	consented bool
	taps      int
	at        time.Time
}

// Unconsented is a player who has not accepted the rules yet.
func Unconsented() Detail { return func(l *life) { l.consented = false } }

// Tapped is a player who has tapped that often, up to the starting allowance.
func Tapped(times int) Detail { return func(l *life) { l.taps = times } }

// ArrivedAt sets the time at which the player came.
func ArrivedAt(at time.Time) Detail { return func(l *life) { l.at = at } }

// InvitedBy is a player who came by that inviter's link.
func InvitedBy(inviter models.Player) Detail {
	return func(l *life) { l.user.StartParam = inviter.ReferralCode }
}

// Player takes a new player through the real store: they arrive at Noon, accept the rules, and do what the details say.
func Player(t testing.TB, store *store.Store, details ...Detail) models.Player {
	t.Helper()
	l := life{user: players.LaunchUser{TelegramID: TelegramID(), FirstName: "Ann", LanguageCode: "en"}, consented: true, at: Noon}
	for _, detail := range details {
		detail(&l)
	}
	ctx := t.Context()
	player := Must(store.Players.SignIn(ctx, l.user, l.at))(t)
	if l.consented {
		player = Must(store.Players.SetPreference(ctx, player.ID, players.Preference{Consent: true}, l.at))(t)
	}
	if l.taps > 0 {
		tapped, err := store.Taps.Tap(ctx, taps.Batch{TelegramID: player.TelegramID, Sent: l.taps}, game.Season{Start: l.at}, l.at)
		if err != nil || tapped.Accepted != l.taps {
			t.Fatalf("tap %d times: %d accepted, %v", l.taps, tapped.Accepted, err)
		}
		player = tapped.Player
	}
	return player
}

// Admin is the Telegram id of the admin who does what Done says.
const Admin int64 = 900_001

// Done has Admin ask for an action and confirm it at Noon.
func Done(t testing.TB, store *store.Store, action models.Action, args ...string) models.AdminAction {
	t.Helper()
	done := Confirmed(t, store, models.PendingAction{Admin: Admin, Action: action, Args: args}, Noon)
	if done.State != models.ActionExecuted {
		t.Fatalf("%s %q ended as %+v", action, args, done)
	}
	return done
}

// Refused has Admin confirm at Noon what the rules refuse.
func Refused(t testing.TB, store *store.Store, why game.Code, action models.Action, args ...string) {
	t.Helper()
	refused := Confirmed(t, store, models.PendingAction{Admin: Admin, Action: action, Args: args}, Noon)
	if refused.State != models.ActionRefused || refused.Outcome != string(why) {
		t.Fatalf("%s %q ended as %+v, not refused with %s", action, args, refused, why)
	}
}

// Audit returns all rows of the audit log, the oldest first.
func Audit(t testing.TB, store *store.Store) []models.AdminAction {
	t.Helper()
	const all = 1_000_000
	asked := Must(store.Admin.Audit(t.Context(), all))(t)
	refused, _, err := store.Admin.RefusedAttempts(t.Context(), all, Noon)
	NoError(t, err)
	return slices.SortedFunc(slices.Values(append(asked, refused...)), func(a, b models.AdminAction) int { return cmp.Compare(a.ID, b.ID) })
}

// Ask has Admin ask for an action at Noon, and returns the nonce of the question.
func Ask(t testing.TB, store *store.Store, action models.Action, args ...string) (nonce string) {
	t.Helper()
	return ask(t, store, models.PendingAction{Admin: Admin, Action: action, Args: args}, Noon)
}

func ask(t testing.TB, store *store.Store, q models.PendingAction, at time.Time) (nonce string) {
	t.Helper()
	return Must(store.Admin.RequestConfirmation(t.Context(), q, at))(t)
}

// Confirm has Admin press the button of a question at Noon.
func Confirm(t testing.TB, store *store.Store, nonce string) admin.Decision {
	t.Helper()
	return confirm(t, store, Admin, nonce, Noon)
}

func confirm(t testing.TB, store *store.Store, who int64, nonce string, at time.Time) admin.Decision {
	t.Helper()
	return Must(store.Admin.ConfirmAction(t.Context(), admin.Confirmation{Admin: who, ChatID: who, Nonce: nonce, Admins: []int64{who}}, at))(t)
}

// Confirmed asks a question, has its admin confirm it at once, and returns the action after that.
func Confirmed(t testing.TB, store *store.Store, q models.PendingAction, at time.Time) models.AdminAction {
	t.Helper()
	decision := confirm(t, store, q.Admin, ask(t, store, q, at), at)
	if decision.Refusal != "" {
		t.Fatalf("confirm %s %q: %+v", q.Action, q.Args, decision)
	}
	return decision.Action
}

// Broken are the invariants that verify finds broken, with what breaks each.
func Broken(t testing.TB, store *store.Store) map[string][]string {
	t.Helper()
	report := Must(store.Audit.Verify(t.Context(), Season, Noon))(t)
	broken := map[string][]string{}
	for _, v := range report.Broken() {
		broken[v.Invariant] = v.Broken
	}
	return broken
}

// Sound checks the store's invariants.
func Sound(t testing.TB, store *store.Store) {
	t.Helper()
	for invariant, by := range Broken(t, store) {
		t.Errorf("not true that %s: %s", invariant, strings.Join(by, ", "))
	}
}

// Key makes an idempotency key.
func Key(n int) string { return fmt.Sprintf("key-%05d", n) }

// walletKey signs for every wallet of the tests.
var walletKey = ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))

// Proof is what the key of a wallet, like 0:ab, has signed.
func Proof(wallet, payload string) game.WalletProof {
	proof := game.WalletProof{Timestamp: Noon.Unix(), Domain: "game.example", Payload: payload, PublicKey: walletKey.Public().(ed25519.PublicKey)}
	hash, _ := hex.DecodeString(strings.TrimPrefix(wallet, "0:")) //nolint:errcheck // verify finds a wallet that is no address
	digest := proof.Digest(0, hash)
	proof.Signature = ed25519.Sign(walletKey, digest[:])
	return proof
}
