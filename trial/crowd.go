package trial

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"mcbk/game"
)

// Endpoints are the URLs at which the program can be reached at the moment; they change as processes come and go.
type Endpoints struct{ urls atomic.Pointer[[]string] }

// Set replaces the URLs.
func (e *Endpoints) Set(urls ...string) { e.urls.Store(&urls) }

// Crowd is a load generator: people who play at once. They tap, spin, look around and change their language, do each of the
// actions that a day offers, repeat what was not answered, sometimes send the same thing twice at once or long afterwards, and
// remember every write with its answer, so that the answers can be checked against the database afterwards.
type Crowd struct {
	Seen Seen

	people []*person
	pause  time.Duration
}

// Seen is what a crowd has experienced.
type Seen struct {
	mu         sync.Mutex
	answers    map[string]int // by status, and code where it is not a 200
	actions    map[string]int // acknowledged
	unsettled  []string       // comments of orders of mines
	unanswered int
	slowest    time.Duration // of the answers
	wrong      []string      // the first answers that are never allowed
}

func (s *Seen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return fmt.Sprintf("answers %v, unanswered %d, slowest %s", s.answers, s.unanswered, s.slowest.Round(time.Millisecond))
}

// Slowest returns the longest time that anybody waited for an answer.
func (s *Seen) Slowest() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.slowest
}

// Answers returns how many answers began like this: "200", "503 try_again".
func (s *Seen) Answers(like string) (answers int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for status, n := range s.answers {
		if strings.HasPrefix(status, like) {
			answers += n
		}
	}
	return answers
}

// Unanswered returns how many calls got no answer at all.
func (s *Seen) Unanswered() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.unanswered
}

// Err returns the answers that are never allowed, as an error.
func (s *Seen) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.wrong) > 0 {
		return errors.New(strings.Join(s.wrong, "\n"))
	}
	return nil
}

const complaints = 10 // more of them would tell nothing new

func (s *Seen) complain(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.wrong) < complaints {
		s.wrong = append(s.wrong, fmt.Sprintf(format, args...))
	}
}

func (s *Seen) hear(answer Answer, took time.Duration, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err != nil {
		s.unanswered++
		return
	}
	s.answers[answer.kind()]++
	s.slowest = max(s.slowest, took)
}

func (s *Seen) done(action string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if action != "" {
		s.actions[action]++
	}
}

func (s *Seen) order(comment string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unsettled = append(s.unsettled, comment)
}

// write is a call that changes something; it is the same to the byte every time it is sent.
type write struct {
	request   string
	reference string // of the posting that it adds, if any; "checkin:" of any day
	key       string // of the answer that is stored for it; empty for a plain tap batch and the ad network's callback
	language  string // that it sets
	spins     bool   // it turns the wheel
	taps      bool   // it is a tap batch
	orders    bool   // it adds an order
	connects  bool   // it proves a wallet
	action    string // its name, unless it is done all the time
	mayRefuse bool   // its object may be gone, or not there yet
	refused   bool   // whether it was, the last time
	heard     func(Answer)
	answer    *Answer
}

// person is one of a crowd.
type person struct {
	Player
	id        int64
	ahead     time.Duration // of this machine's clock
	seen      *Seen
	chance    *rand.Rand
	clients   map[string]*Client
	writes    []*write
	unsettled *write // the last one that was not answered
	past      int    // number of writes made, for their names
	spun      int    // number of writes that turn the wheel

	plan      []action // that are still to be done
	doing     *write   // an action that was not answered yet
	pending   int64    // a spin that waits to be claimed
	ticket    string   // of an ad
	watchedAt time.Time
	payload   string // of a wallet's proof
	order     int64
}

// patience is the factor by which somebody who was not answered waits longer.
const maxTries = 10

// NewCrowd makes people; all their choices follow from the seed. Between two calls each waits up to pause. Their clocks are so far
// ahead of this machine's.
func NewCrowd(size int, seed uint64, pause, ahead time.Duration) *Crowd {
	c := &Crowd{Seen: Seen{answers: map[string]int{}, actions: map[string]int{}}, pause: pause}
	for i := range size {
		id, chance := int64(7_000_000+i), rand.New(rand.NewPCG(seed, uint64(i))) //nolint:gosec // repeatable on purpose
		c.people = append(c.people, &person{
			Player: NewPlayer(id, time.Now().Add(ahead)), id: id, ahead: ahead, seen: &c.Seen, clients: map[string]*Client{},
			chance: chance, plan: plans(chance),
		})
	}
	return c
}

// SignIn lets everybody open the game for the first time, a few at a time.
func (c *Crowd) SignIn(url string) error {
	const few = 8
	var arriving errgroup.Group
	arriving.SetLimit(few)
	for _, p := range c.people {
		arriving.Go(func() error { return p.SignIn(p.client(url)) })
	}
	return arriving.Wait()
}

// Play lets everybody act until ctx ends. It returns when the last call is answered or given up.
func (c *Crowd) Play(ctx context.Context, endpoints *Endpoints) {
	_ = c.all(func(p *person) error {
		for ctx.Err() == nil {
			pause := c.pause
			if p.act(*endpoints.urls.Load()); p.unsettled != nil {
				pause *= maxTries
			}
			select {
			case <-ctx.Done():
			case <-time.After(time.Duration(p.chance.Int64N(int64(pause) + 1))):
			}
		}
		return nil
	})
}

// Leave drops everybody's connections.
func (c *Crowd) Leave() {
	for _, p := range c.people {
		for url, client := range p.clients {
			client.Close()
			delete(p.clients, url)
		}
	}
}

func (c *Crowd) all(do func(p *person) error) error {
	var all sync.WaitGroup
	failures := make([]error, len(c.people))
	for i, p := range c.people {
		all.Go(func() { failures[i] = do(p) })
	}
	all.Wait()
	failures = slices.DeleteFunc(failures, func(err error) bool { return err == nil })
	return errors.Join(failures[:min(len(failures), complaints)]...)
}

func (p *person) client(url string) *Client {
	if p.clients[url] == nil {
		p.clients[url] = NewClient(url)
	}
	return p.clients[url]
}

// act is one thing a person does. A wish is repeated before anything else, so that the last
// wish is the one that counts; a batch may stay unanswered till the end.
func (p *person) act(urls []string) {
	url := urls[p.chance.IntN(len(urls))]
	switch what := p.chance.IntN(100); {
	case p.unsettled != nil && (p.unsettled.language != "" || what < 50):
		p.send(url, p.unsettled)
	case what < 35:
		p.send(url, p.tap())
	case what < 60:
		p.goesOn(url, urls[p.chance.IntN(len(urls))])
	case what < 65:
		p.sendTwice(url, urls[p.chance.IntN(len(urls))], p.tap())
	case what < 70 && p.spun < game.FreeSpinsADay:
		p.sendTwice(url, urls[p.chance.IntN(len(urls))], p.spin())
	case what < 75:
		p.send(url, p.wish())
	case what < 80 && len(p.writes) > 0:
		p.send(url, p.writes[p.chance.IntN(len(p.writes))])
	default:
		p.browse(url)
	}
}

func (p *person) name() string {
	p.past++
	return fmt.Sprintf("drill-%06d", p.past)
}

// tap makes a batch. One in four carries an Idempotency-Key that is not its id.
func (p *person) tap() *write {
	id := p.name()
	w := &write{reference: "tap:" + id, taps: true}
	body := fmt.Sprintf(`{"total_taps":%d,"batch_id":%q}`, 1+p.chance.IntN(3), id)
	const path = "/api/tap/perform-batch-tap"
	if p.chance.IntN(4) == 0 {
		w.key = "other-" + id
		w.request = p.Request("POST", path, body, "Idempotency-Key", w.key)
	} else {
		w.request = p.Request("POST", path, body)
	}
	p.writes = append(p.writes, w)
	return w
}

func (p *person) wish() *write {
	w := &write{key: p.name(), language: []string{"en", "ru"}[p.chance.IntN(2)]}
	w.request = p.Request("PUT", "/api/user/update", fmt.Sprintf(`{"language":%q}`, w.language), "Idempotency-Key", w.key)
	p.writes = append(p.writes, w)
	return w
}

func (p *person) spin() *write {
	p.spun++
	w := &write{key: p.name(), spins: true, heard: func(a Answer) {
		if kind := a.text("status"); kind == "pending" && !bytes.Contains(a.Body, []byte(`"type":"`+game.ChestType+`"`)) {
			if id, err := a.Number("spin_id"); err == nil {
				p.pending, _ = id.Int64()
			}
		}
	}}
	w.request = p.Request("POST", "/api/roulette/spin", `{"is_golden_spin_requested":false}`, "Idempotency-Key", w.key)
	p.writes = append(p.writes, w)
	return w
}

func (p *person) browse(url string) {
	path := []string{"/api/user/me", "/api/tap/energy-status", "/api/settings"}[p.chance.IntN(3)]
	began := time.Now()
	answer, err := p.client(url).Do(p.Request("GET", path, ""))
	p.seen.hear(answer, time.Since(began), err)
	if err == nil && !answer.expected() {
		p.seen.complain("GET %s is answered %d: %s", path, answer.Status, answer.Body)
	}
}

func (p *person) send(url string, w *write) {
	began := time.Now()
	answer, err := p.client(url).Do(w.request)
	p.observe(w, answer, time.Since(began), err)
}

// sendTwice sends a write on two connections at once, as a page that is closed while it syncs.
func (p *person) sendTwice(url, other string, w *write) {
	var (
		began  = time.Now()
		second Answer
		took   time.Duration
		failed error
		both   sync.WaitGroup
	)
	both.Go(func() {
		client := NewClient(other)
		defer client.Close()
		second, failed = client.Do(w.request)
		took = time.Since(began)
	})
	p.send(url, w)
	both.Wait()
	p.observe(w, second, took, failed)
}

// observe records what is now known about a write.
func (p *person) observe(w *write, answer Answer, took time.Duration, err error) {
	p.seen.hear(answer, took, err)
	switch {
	case err != nil || answer.Status == http.StatusServiceUnavailable || answer.kind() == "409 request_in_progress":
		if w.answer == nil {
			p.unsettled = w
		}
	case w.mayRefuse && w.answer == nil && answer.Status >= http.StatusBadRequest && answer.Status < http.StatusInternalServerError:
		w.refused = true
		if p.unsettled == w {
			p.unsettled = nil
		}
	case answer.Status != http.StatusOK:
		p.seen.complain("%s of %d is answered %d: %s", w, p.id, answer.Status, answer.Body)
	case w.answer != nil && !w.same(*w.answer, answer):
		p.seen.complain("%s of %d is answered %s, and before %s", w, p.id, answer.Body, w.answer.Body)
	default:
		if w.answer == nil {
			w.answer, w.refused = &answer, false
			p.seen.done(w.action)
			if w.heard != nil {
				w.heard(answer)
			}
		}
		if p.unsettled == w {
			p.unsettled = nil
		}
	}
}

func (w *write) String() string { return strings.TrimSpace(w.action + " " + w.reference + " " + w.key) }

// same reports whether two answers to the write agree. An answer that is stored under a key is the same to the byte; a tap's
// receipt keeps its numbers, while the rest of the player may change.
func (w *write) same(a, b Answer) bool {
	if w.key != "" || !w.taps {
		return bytes.Equal(a.Body, b.Body)
	}
	for _, name := range []string{"accepted", "current_energy", "game_mcbk"} {
		one, err := a.Number(name)
		other, otherErr := b.Number(name)
		if err != nil || otherErr != nil || one != other {
			return false
		}
	}
	return true
}

// expected reports whether an answer is one that people may get while something is broken.
func (a Answer) expected() bool {
	return a.Status == http.StatusOK || a.Status == http.StatusServiceUnavailable
}

func (a Answer) kind() string {
	if a.Status == http.StatusOK {
		return "200"
	}
	_, after, _ := bytes.Cut(a.Body, []byte(`"code":"`))
	code, _, _ := bytes.Cut(after, []byte(`"`))
	return fmt.Sprintf("%d %s", a.Status, code)
}
