package trial

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"mcbk/game"
)

// Endpoints are the program's current URLs; they change as processes come and go.
type Endpoints struct{ urls atomic.Pointer[[]string] }

// Set replaces the URLs.
func (e *Endpoints) Set(urls ...string) { e.urls.Store(&urls) }

// Crowd is a load generator of concurrent players. They tap, spin, read, change their language and do all actions of a day, repeat
// unanswered writes, sometimes send one twice or late, and record every write with its response for a later comparison with the
// database.
type Crowd struct {
	Seen Seen

	people []*person
	pause  time.Duration
}

// write is a write request; every repetition is identical.
type write struct {
	request   string
	reference string // of its posting, if any; "checkin:" of any day
	key       string // of its stored response; empty for a plain tap batch and the ad network's callback
	language  string // that it sets
	spins     bool   // it turns the wheel
	taps      bool   // it is a tap batch
	orders    bool   // it adds an order
	connects  bool   // it proves a wallet
	action    string // its name; empty for recurring writes
	mayRefuse bool   // its object may be gone or missing
	refused   bool   // the last response was a refusal
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
	unsettled *write    // the last unanswered write
	past      int       // number of writes, for their names
	spun      int       // number of spins
	tapped    int       // number of taps sent
	arrived   time.Time // when signed in

	plan      []action // remaining actions
	doing     *write   // an unanswered action
	pending   int64    // a spin to be claimed
	ticket    string   // of an ad
	watchedAt time.Time
	payload   string // for a wallet's proof
	order     int64
}

// backoffFactor lengthens the pause after an unanswered call.
const backoffFactor = 10

// NewCrowd makes players whose choices follow from the seed. Between calls each waits up to pause. ahead is their clocks' offset from
// this machine's.
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

// SignIn signs all players in, a few at a time.
func (c *Crowd) SignIn(url string) error {
	const few = 8
	var arriving errgroup.Group
	arriving.SetLimit(few)
	for _, p := range c.people {
		arriving.Go(func() error {
			err := p.SignIn(p.client(url))
			p.arrived = time.Now()
			return err
		})
	}
	return arriving.Wait()
}

// Play runs all players until ctx ends, and returns after the last call.
func (c *Crowd) Play(ctx context.Context, endpoints *Endpoints) {
	_ = c.all(func(p *person) error {
		for ctx.Err() == nil {
			pause := c.pause
			if p.act(*endpoints.urls.Load()); p.unsettled != nil {
				pause *= backoffFactor
			}
			select {
			case <-ctx.Done():
			case <-time.After(time.Duration(p.chance.Int64N(int64(pause) + 1))):
			}
		}
		return nil
	})
}

// Leave closes all connections.
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

// act does one thing. An unanswered change of language is repeated first, so that the last one counts; a batch may stay unanswered till
// the end.
func (p *person) act(urls []string) {
	url := urls[p.chance.IntN(len(urls))]
	switch what := p.chance.IntN(100); {
	case p.unsettled != nil && (p.unsettled.language != "" || what < 50):
		p.send(url, p.unsettled)
	case what < 35 && p.canTap():
		p.send(url, p.tap())
	case what < 60:
		p.goesOn(url, urls[p.chance.IntN(len(urls))])
	case what < 65 && p.canTap():
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

// maxTaps is the most taps that the crowd puts into a batch.
const maxTaps = 3

// canTap reports whether energy and pace allow another batch. One without an accepted tap is not stored, so compare would miss it.
func (p *person) canTap() bool {
	const perSecond = 10 // the default of taps_per_second
	return p.tapped+maxTaps <= min(int(time.Since(p.arrived).Seconds()*perSecond), game.EnergyLevels[0].Energy)
}

// tap makes a batch. One in four has an Idempotency-Key that is not its ID.
func (p *person) tap() *write {
	id, taps := p.name(), 1+p.chance.IntN(maxTaps)
	p.tapped += taps
	w := &write{reference: "tap:" + id, taps: true}
	body := fmt.Sprintf(`{"total_taps":%d,"batch_id":%q}`, taps, id)
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
		if kind := a.Text("status"); kind == "pending" && !bytes.Contains(a.Body, []byte(`"type":"`+game.ChestType+`"`)) {
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

// sendTwice sends a write on two connections concurrently, like a page closed during a sync.
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

// observe records a write's result.
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

// same reports whether two responses to a write agree. A stored response is identical. One that is rebuilt has the same result and
// balances, while the player's place, language and wallet are today's; a tap's receipt has the same numbers.
func (w *write) same(a, b Answer) bool {
	if w.key != "" || !w.taps {
		return bytes.Equal(a.Body, b.Body) || reflect.DeepEqual(a.lasting(), b.lasting())
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

// lasting returns a response without what may change of its player.
func (a Answer) lasting() map[string]any {
	var body struct {
		Rest map[string]any
		User struct {
			Balance map[string]any
		}
	}
	if json.Unmarshal(a.Body, &body.Rest) != nil || json.Unmarshal(a.Body, &body) != nil || body.User.Balance == nil {
		return map[string]any{"body": string(a.Body)}
	}
	body.Rest["user"] = body.User.Balance
	return body.Rest
}

// expected reports whether a response is allowed during a fault.
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
