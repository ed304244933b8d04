package drill

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"mcbk/trial"
)

var (
	long   = flag.Bool("long", false, "the long form")
	seed   = flag.Uint64("seed", 0, "what chance follows from; 0 takes any")
	binary = flag.String("mcbk", "", "the built program; empty builds it")
)

// form is the size of a drill.
type form struct {
	atOnce, people, kills, terms, turns, cuts, restarts, fills, leaders, audience, crashes, doubts, purchases int

	pause                  time.Duration // longest delay between two calls
	ail, cut, full, frozen time.Duration // durations of faults: bad network, no network, full disk, frozen leader
}

var (
	shortForm = form{atOnce: 6, people: 40, kills: 5, terms: 2, turns: 4, cuts: 5, restarts: 2, fills: 1, leaders: 1, audience: 200, crashes: 4, doubts: 3, purchases: 30, pause: 300 * time.Millisecond, ail: 12 * time.Second, cut: 20 * time.Second, full: 5 * time.Second, frozen: 10 * time.Second}
	longForm  = form{atOnce: 4, people: 200, kills: 50, terms: 10, turns: 20, cuts: 30, restarts: 10, fills: 3, leaders: 3, audience: 10_000, crashes: 50, doubts: 5, purchases: 200, pause: 50 * time.Millisecond, ail: 20 * time.Second, cut: 60 * time.Second, full: 20 * time.Second, frozen: 60 * time.Second}
)

func size() form {
	if *long {
		return longForm
	}
	return shortForm
}

// Time limits of a drill (decision 0004: limits).
const (
	startsAgain   = 10 * time.Second // after kill -9
	recovers      = 15 * time.Second // after the end of a fault
	unaided       = time.Minute      // after a network fault: lost connections may cost 5 s each
	drains        = 20 * time.Second // after SIGTERM
	answersWithin = 10 * time.Second // a call may take 8 s
)

// scaleTimeout lengthens a timeout in the short form, which shares the machine with all other tests. The long form runs alone.
func scaleTimeout(promised time.Duration) time.Duration {
	if *long {
		return promised
	}
	return 20 * promised
}

// terminate sends SIGTERM, and expects the program to exit in time.
func terminate(t *testing.T, program *trial.Program) {
	t.Helper()
	must(t, program.Term(scaleTimeout(drains)))
}

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(run(m))
}

func run(m *testing.M) int {
	if *seed == 0 {
		*seed = rand.Uint64N(1_000_000) + 1
	}
	fmt.Printf("drill with -seed=%d\n", *seed)
	// Drills mostly wait, so several run concurrently.
	if err := flag.Set("test.parallel", strconv.Itoa(size().atOnce)); err != nil {
		panic(err)
	}
	folder, err := os.MkdirTemp("", "drill")
	if err != nil {
		panic(err)
	}
	scratch = folder
	defer os.RemoveAll(folder)                      //nolint:errcheck // temporary
	if err := os.Chmod(folder, 0o755); err != nil { //nolint:gosec // PostgreSQL's user has to pass
		panic(err)
	}
	if os.Getenv(onDisk) == "" { // the process of a full disk has its own
		if shared, err = trial.NewPostgresServer(context.Background(), folder+"/postgres", ""); err != nil {
			fmt.Println("drills need PostgreSQL's programs, `make services` installs them:", err)
			return 1
		}
		defer shared.Stop(true)
	}
	if *binary == "" {
		*binary = filepath.Join(folder, "mcbk")
		if told, err := exec.Command("go", "build", "-o", *binary, "mcbk").CombinedOutput(); err != nil {
			fmt.Printf("build the program: %v: %s\n", err, told)
			return 1
		}
	}
	return m.Run()
}

// scene is a database, a crowd, and their program.
type scene struct {
	t         *testing.T
	db        trial.Database
	clock     string        // CLOCK_OFFSET_FILE
	ahead     time.Duration // the initial offset
	settings  []string
	crowd     *trial.Crowd
	endpoints trial.Endpoints
	chance    *rand.Rand
	raw       *sql.DB // of books
	revive    func()  // restarts a database that has ended itself; nil without
}

func newScene(t *testing.T, db trial.Database) *scene {
	t.Helper()
	s := &scene{t: t, db: db, clock: filepath.Join(t.TempDir(), "clock"), ahead: ahead(time.Now()), chance: rand.New(rand.NewPCG(*seed, 0))}
	s.setClock(s.ahead)
	s.settings = trial.Settings(db.Address, "CLOCK_OFFSET_FILE="+s.clock)
	s.crowd = trial.NewCrowd(size().people, *seed, size().pause, s.ahead)
	return s
}

// ahead is the clock offset of a new drill: in a UTC day's last hour it skips past midnight, so that a day ends only where a drill ends
// it.
func ahead(now time.Time) time.Duration {
	const hour, day = time.Hour, 24 * time.Hour
	if left := now.Truncate(day).Add(day).Sub(now); left <= hour {
		return hour + time.Minute
	}
	return 0
}

// setClock sets the program's clock offset, which it reloads.
func (s *scene) setClock(offset time.Duration) {
	s.t.Helper()
	must(s.t, os.WriteFile(s.clock+".new", []byte(offset.String()), 0o600))
	must(s.t, os.Rename(s.clock+".new", s.clock)) // atomically
}

// now is the time by the initial offset.
func (s *scene) now() time.Time { return time.Now().Add(s.ahead).UTC() }

// eachDatabase runs a drill on a SQLite file and on a PostgreSQL database.
func eachDatabase(t *testing.T, drill func(s *scene)) {
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		drill(newScene(t, trial.NewSQLite(t.TempDir())))
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		drill(newScene(t, postgres(t)))
	})
}

// scratch is a folder shared by all drills.
var scratch string

// shared is the PostgreSQL of drills that don't break it. The tests' server would run out of connections.
var shared *trial.Postgres

func postgres(t *testing.T) trial.Database {
	t.Helper()
	db, err := trial.NewPostgres(t.Context(), shared.Address)
	must(t, err)
	t.Cleanup(func() { must(t, db.Drop()) })
	return db
}

// server is a drill's own PostgreSQL.
func server(t *testing.T, folder, wal string) *trial.Postgres {
	t.Helper()
	p, err := trial.NewPostgresServer(t.Context(), folder, wal)
	must(t, err)
	t.Cleanup(func() { p.Stop(true) })
	return p
}

// start starts a program; its logged errors fail the test.
func (s *scene) start() *trial.Program {
	s.t.Helper()
	return s.startWith(s.settings)
}

func (s *scene) startWith(settings []string) *trial.Program {
	s.t.Helper()
	program, err := trial.Start(s.t.Context(), *binary, settings)
	must(s.t, err)
	s.t.Cleanup(func() {
		program.Kill()
		for _, line := range program.Failures() {
			s.t.Errorf("the program failed: %s", line)
		}
		if s.t.Failed() {
			s.t.Logf("the program said last: %s", program.Log())
		}
	})
	return program
}

func (s *scene) arrive(urls ...string) {
	s.t.Helper()
	s.endpoints.Set(urls...)
	must(s.t, s.crowd.SignIn(urls[0]))
}

func (s *scene) during(happens func()) {
	ctx, stop := context.WithCancel(s.t.Context())
	var playing sync.WaitGroup
	playing.Go(func() { s.crowd.Play(ctx, &s.endpoints) })
	defer playing.Wait()
	defer stop()
	happens()
}

// playOn lets the crowd play until there is enough to check.
func (s *scene) playOn() {
	s.t.Helper()
	s.until("the crowd has played", time.Minute, func() bool { return s.crowd.Seen.Answers("200") > 5*size().people })
}

// wait waits up to a duration.
func (s *scene) wait(most time.Duration) {
	select {
	case <-time.After(time.Duration(s.chance.Int64N(int64(most)))):
	case <-s.t.Context().Done():
	}
}

// until waits for a condition with a time limit.
func (s *scene) until(what string, within time.Duration, holds func() bool) {
	s.t.Helper()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for deadline := time.Now().Add(scaleTimeout(within)); !holds(); <-again.C {
		if time.Now().After(deadline) {
			s.t.Fatalf("not within %s: %s", scaleTimeout(within), what)
		}
	}
}

// recovered waits until a write without postings succeeds, and returns the duration.
func (s *scene) recovered(url string, within time.Duration) time.Duration {
	s.t.Helper()
	client, began := trial.NewClient(url), time.Now()
	defer client.Close()
	nobody := trial.NewPlayer(6_999_999, s.now())
	s.until("writes are answered", within, func() bool {
		s.keepDatabase()
		for _, call := range []string{
			nobody.Request("GET", "/api/user/me", ""), nobody.Request("PUT", "/api/user/update", `{"language":"en"}`),
		} {
			if answer, err := client.Do(call); err != nil || answer.Status != http.StatusOK {
				return false
			}
		}
		return true
	})
	return time.Since(began)
}

// keepDatabase restarts a database that has ended itself.
func (s *scene) keepDatabase() {
	if s.revive != nil {
		s.revive()
	}
}

// onFile reports whether the database is a SQLite file.
func (s *scene) onFile() bool { return strings.HasPrefix(s.db.Address, "sqlite:") }

// books is a separate connection to the database, which reads a SQLite file only.
func (s *scene) books() *sql.DB {
	if s.raw == nil {
		raw, err := s.db.Open()
		must(s.t, err)
		s.t.Cleanup(func() { _ = raw.Close() })
		s.raw = raw
	}
	return s.raw
}

func (s *scene) count(query string, values ...any) (n int64) {
	s.t.Helper()
	must(s.t, s.books().QueryRowContext(s.t.Context(), query, values...).Scan(&n))
	return n
}

func (s *scene) do(statement string) {
	s.t.Helper()
	_, err := s.books().ExecContext(s.t.Context(), statement)
	must(s.t, err)
}

// slowly makes PostgreSQL take that long for each row of an event, like "BEFORE INSERT ON payments".
func (s *scene) slowly(event string, seconds float64) {
	s.t.Helper()
	name := "slowly_" + strings.ToLower(strings.ReplaceAll(event, " ", "_"))
	s.do(fmt.Sprintf(`CREATE OR REPLACE FUNCTION take_a_while() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(%g); RETURN NEW; END';
		CREATE TRIGGER %s %s FOR EACH ROW EXECUTE FUNCTION take_a_while()`, seconds, name, event))
}

// normally ends slowly.
func (s *scene) normally() {
	s.t.Helper()
	s.do("DROP FUNCTION IF EXISTS take_a_while CASCADE")
}

func (s *scene) prove() trial.Proof {
	s.t.Helper()
	s.crowd.Leave()
	seen := s.crowd.Seen.String()
	proof, err := s.crowd.Prove(s.t.Context(), *binary, s.settings, s.db)
	s.t.Logf("%s: %s", proof, seen)
	must(s.t, err)
	if proof.Acknowledged < size().people {
		s.t.Errorf("only %d writes were acknowledged: the drill shows nothing", proof.Acknowledged)
	}
	return proof
}

// allAnswered checks that a live process answered every call in time.
func (s *scene) allAnswered() {
	s.t.Helper()
	if n := s.crowd.Seen.Unanswered(); n > 0 {
		s.t.Errorf("%d calls got no answer from a program that lives", n)
	}
	if slowest := s.crowd.Seen.Slowest(); slowest > scaleTimeout(answersWithin) {
		s.t.Errorf("an answer took %s", slowest)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
