package season

import (
	"context"
	"database/sql"
	"flag"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"mcbk/game"
	"mcbk/trial"
)

var (
	long   = flag.Bool("long", false, "the whole season")
	seed   = flag.Uint64("seed", 0, "what chance follows from; 0 takes any")
	binary = flag.String("mcbk", "", "the built program; empty builds it")
	folder = flag.String("out", "", "where the figures are written, as emission.md and emission.png; empty writes none")
)

// firstDay is the season's start, independent of the wall clock.
var firstDay = time.Date(2027, time.January, 1, 0, 0, 0, 0, time.UTC)

const (
	atOnce = 8                      // connections
	seen   = 110 * time.Millisecond // the program has reloaded its clock's file
	waits  = 5 * time.Minute        // for jobs, which check every few seconds
)

// scene is a program with its clock and players.
type scene struct {
	t        *testing.T
	form     form
	db       trial.Database
	settings []string
	program  *trial.Program
	clients  []*trial.Client
	people   []*person

	clock  string        // CLOCK_OFFSET_FILE
	offset time.Duration // its content
}

func TestSeasonPaysByItsRules(t *testing.T) {
	if *seed == 0 {
		*seed = rand.Uint64N(1_000_000) + 1
	}
	t.Logf("a season with -seed=%d", *seed)
	began, waited := time.Now(), time.Duration(0)
	s := newScene(t)
	for day := 1; day <= s.form.days; day++ {
		for _, step := range steps {
			s.set(day, step.at)
			s.everybody(func(p *person, c *trial.Client) error {
				return p.plays(step, &visit{c, day, s.moment(day, step.at)})
			})
		}
		waited += s.settled(day)
		if day%10 == 0 {
			t.Logf("day %d after %s, %s of them waiting for jobs", day, time.Since(began).Round(time.Second), waited.Round(time.Second))
		}
	}
	after := s.form.days + 1
	s.set(after, steps[0].at)
	s.settled(after)
	if *long {
		s.over(after)
	}
	must(t, s.program.Term(waits))
	must(t, trial.Verify(t.Context(), *binary, s.settings))
	s.judge(began)
}

// newScene starts a program with an empty database on the day before the season.
func newScene(t *testing.T) *scene {
	t.Helper()
	scratch, err := os.MkdirTemp("", "season") // in memory where scripts/memory.env.sh says so; t.TempDir goes by GOTMPDIR
	must(t, err)
	t.Cleanup(func() { must(t, os.RemoveAll(scratch)) })
	if *binary == "" {
		*binary = filepath.Join(scratch, "mcbk")
		if told, err := exec.Command("go", "build", "-o", *binary, "mcbk").CombinedOutput(); err != nil {
			t.Fatalf("build the program: %v: %s", err, told)
		}
	}
	telegram := trial.NewBotAPI(trial.Faults{}, *seed)
	t.Cleanup(telegram.Close)
	s := &scene{t: t, form: size(), db: trial.NewSQLite(scratch), clock: filepath.Join(scratch, "clock")}
	s.people = s.form.crowd(*seed)
	s.settings = trial.Settings(s.db.Address,
		"TELEGRAM_API_URL="+telegram.URL, "CLOCK_OFFSET_FILE="+s.clock, "PROJECT_START="+firstDay.Format(time.DateOnly),
		"ADS_SCRIPT_URL=http://localhost/ad.js", "ADS_BLOCK_ID=season", "ADS_SECRET="+adSecret)
	s.set(0, steps[0].at) // the day before
	program, err := trial.Start(t.Context(), *binary, s.settings)
	must(t, err)
	s.program = program
	t.Cleanup(func() {
		program.Kill()
		for _, line := range program.Failures() {
			t.Errorf("the program failed: %s", line)
		}
	})
	for range atOnce {
		client := trial.NewClient(program.URL)
		t.Cleanup(client.Close)
		s.clients = append(s.clients, client)
	}
	return s
}

// moment is a time on a day of the season, counted from 1.
func (s *scene) moment(day int, at time.Duration) time.Time {
	return firstDay.Add(time.Duration(day-1)*24*time.Hour + at)
}

// set sets the program's clock, which never goes back.
func (s *scene) set(day int, at time.Duration) {
	s.t.Helper()
	wall, wanted := time.Now(), s.moment(day, at)
	if s.offset != 0 && !wall.Add(s.offset).Before(wanted) {
		s.t.Fatalf("it is later than %s on day %d already: a step took too long", at, day)
	}
	s.offset = wanted.Sub(wall)
	must(s.t, os.WriteFile(s.clock+".new", []byte(s.offset.String()), 0o600))
	must(s.t, os.Rename(s.clock+".new", s.clock)) // atomically
	time.Sleep(seen)
}

// everybody runs a step for all players, a few concurrently; their order does not matter.
func (s *scene) everybody(do func(p *person, c *trial.Client) error) {
	s.t.Helper()
	next := make(chan *person)
	group, ctx := errgroup.WithContext(s.t.Context())
	for _, client := range s.clients {
		group.Go(func() error {
			for p := range next {
				if err := do(p, client); err != nil {
					return err
				}
			}
			return nil
		})
	}
	group.Go(func() error {
		defer close(next)
		for _, p := range s.people {
			select {
			case next <- p:
			case <-ctx.Done():
				return nil
			}
		}
		return nil
	})
	must(s.t, group.Wait())
}

func (p *person) plays(at step, v *visit) error {
	if at.at == steps[0].at {
		if p.today = (today{}); !p.wantsToCome(v.day) {
			return nil
		}
		if err := p.opens(v); err != nil {
			return err
		}
		if err := p.checksIn(v); err != nil {
			return err
		}
	}
	do := at.honest
	if p.kind == greedy {
		do = at.greedy
	}
	if !p.today.here || p.kind == fake || do == nil {
		return nil
	}
	return do(p, v)
}

func (p *person) wantsToCome(day int) bool {
	switch {
	case day < p.arrives:
		return false
	case p.kind == fake:
		return p.days < friendDays
	case p.kind == honest:
		return p.chance.Float64() < p.comes || day == p.arrives || p.invites[day]
	}
	return true
}

// settled waits for the program's own payments, past days' tasks and friends, and returns the duration.
func (s *scene) settled(day int) time.Duration {
	s.t.Helper()
	began := time.Now()
	db, err := s.db.Open()
	must(s.t, err)
	defer db.Close() //nolint:errcheck // read only
	today := game.DayOf(s.moment(day, 0))
	for deadline := time.Now().Add(waits); ; time.Sleep(50 * time.Millisecond) {
		owed := count(s.t, db, "SELECT COUNT(*) FROM player_tasks WHERE state = 'completed' AND day < $1", today) +
			count(s.t, db, `SELECT COUNT(*) FROM (SELECT 1 FROM friends GROUP BY inviter_id
				HAVING SUM(state = 'qualified') > 0 AND SUM(COALESCE(date(rewarded_at) = $1, FALSE)) < $2)`, s.moment(day, 0).Format(time.DateOnly), game.FriendsADay)
		if owed == 0 {
			return time.Since(began)
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("on day %d the jobs have left something undone for %s: %s", day, waits, s.program.Log())
		}
	}
}

// over checks that nothing can be earned after the season.
func (s *scene) over(day int) {
	s.t.Helper()
	p := s.people[0]
	p.Player = trial.NewPlayer(p.id, s.moment(day, steps[0].at))
	answer, err := s.clients[0].Do(p.Request("POST", "/api/user/checkin", ""))
	must(s.t, err)
	if answer.Status != http.StatusConflict {
		s.t.Errorf("a check-in after the season is answered %d: %s", answer.Status, answer.Body)
	}
}

func count(t *testing.T, db *sql.DB, query string, args ...any) (n int64) {
	t.Helper()
	must(t, db.QueryRowContext(context.WithoutCancel(t.Context()), query, args...).Scan(&n))
	return n
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// form is a season's length and players.
type form struct {
	days, honest, greedy int
	owners               [][]int // by owner: the arrival day of each invented friend
}

func size() form {
	if !*long {
		return form{days: 16, honest: 14, greedy: 2, owners: [][]int{waves(22, 22)}}
	}
	// One owner invents all friends at once, one a friend a day, one as many as are paid in a day, repeatedly.
	return form{days: game.SeasonDays, honest: 354, greedy: 8, owners: [][]int{waves(45, 45), waves(30, 1), waves(60, 20, 2, 22, 42)}}
}

// waves are the arrival days of so many friends, some at a time: on the named days, else on each from the second on.
func waves(friends, some int, on ...int) (days []int) {
	for i := range friends {
		wave := i / some
		if len(on) > 0 {
			days = append(days, on[wave])
			continue
		}
		days = append(days, 2+wave)
	}
	return days
}

// crowd creates the players; their choices follow from the seed.
func (f form) crowd(seed uint64) (people []*person) {
	add := func(k kind, arrives int, inviter *person) *person {
		n := len(people)
		chance := rand.New(rand.NewPCG(seed, uint64(n)))
		p := &person{
			kind: k, id: int64(9_000_000 + n), arrives: arrives, inviter: inviter, invites: map[int]bool{}, chance: chance,
			comes: 0.5 + 0.48*chance.Float64(), spins: 0.8 * chance.Float64(), energyShare: 0.3 + 0.7*chance.Float64(),
			advice: chance.IntN(2) == 0, ads: chance.IntN(3) == 0,
		}
		people = append(people, p)
		if inviter != nil {
			inviter.invites[arrives] = true
		}
		return p
	}
	for range f.greedy {
		add(greedy, 1, nil)
	}
	for _, arrivals := range f.owners {
		host := add(owner, 1, nil)
		for _, day := range arrivals {
			add(fake, day, host)
		}
	}
	// Six in ten arrive on the first day and invite some of the others.
	var first []*person
	chance := rand.New(rand.NewPCG(seed, 1<<32))
	for i := range f.honest {
		switch {
		case i*10 < f.honest*6:
			first = append(first, add(honest, 1, nil))
		case i%2 == 0:
			add(honest, 2+chance.IntN(f.days*2/3), first[chance.IntN(len(first))])
		default:
			add(honest, 2+chance.IntN(f.days*2/3), nil)
		}
	}
	return people
}
