package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"mcbk/game"
	"mcbk/trial"
)

// Players created before a day: new ones, and ones in the middle of it, with rewards to claim.
const (
	freshPlayers = 18_000
	otherPlayers = 6_000
	tasksOfOther = 2 // each has completed: taps and advice
)

// busyTaps complete a task at once; the allowance reaches them in busyAfter.
const (
	busyTaps  = 500
	busyAfter = 50 * time.Second
)

var errUsedUp = errors.New("the players made for this run have done all they can: shorten it")

type stage struct {
	url           string
	fresh, others []trial.Player
	visits, spins atomic.Int64
	advices       atomic.Int64
	claims        atomic.Int64
	batches       atomic.Int64
	lines         lines
}

// newStage creates the players; it takes a minute at most.
func newStage(url string) (*stage, error) {
	s := &stage{url: url, fresh: make([]trial.Player, freshPlayers), others: make([]trial.Player, otherPlayers), lines: lines{url: url}}
	began := time.Now()
	make := func(into []trial.Player, from int64, and func(*actor) error) error {
		var next atomic.Int64
		_, err := inParallel(16, func(int) error {
			client := trial.NewClient(url)
			defer client.Close()
			for i := int(next.Add(1)) - 1; i < len(into); i = int(next.Add(1)) - 1 {
				if into[i].Launch == "" {
					into[i] = trial.NewPlayer(from+int64(i), began)
				}
				if err := and(&actor{stage: s, client: client, player: into[i], heard: &tally{}, due: time.Now()}); err != nil {
					return err
				}
			}
			return nil
		})
		return err
	}
	signIn := func(a *actor) error { return a.player.SignIn(a.client) }
	if err := make(s.others, 6_000_000, signIn); err != nil {
		return nil, err
	}
	ready := time.Now().Add(busyAfter)
	if err := make(s.fresh, 7_000_000, func(a *actor) error { return errors.Join(signIn(a), a.wheel()) }); err != nil {
		return nil, err
	}
	time.Sleep(time.Until(ready))
	return s, make(s.others, 6_000_000, func(a *actor) error {
		_, err := a.write("/api/user/checkin", "")
		return errors.Join(err, a.tap(busyTaps), a.takeAdvice())
	})
}

// act runs a due action.
func (s *stage) act(d action, due time.Time, heard *tally) {
	client := s.lines.take()
	a := &actor{stage: s, client: client, heard: heard, due: due}
	if err := d.do(a); err != nil {
		client.Close()
	}
	s.lines.give(client)
}

// somebody returns any player, for actions that depend little on the player.
func (s *stage) somebody() trial.Player { return s.fresh[rand.IntN(len(s.fresh))] } //nolint:gosec // anyone will do

// lines is a pool of kept-alive connections.
type lines struct {
	mu   sync.Mutex
	url  string
	idle []*trial.Client
}

func (l *lines) take() *trial.Client {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n := len(l.idle); n > 0 {
		client := l.idle[n-1]
		l.idle = l.idle[:n-1]
		return client
	}
	return trial.NewClient(l.url)
}

func (l *lines) give(client *trial.Client) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.idle = append(l.idle, client)
}

func (l *lines) close() {
	for _, client := range l.idle {
		client.Close()
	}
}

// actor is a player in an action. Each call is due at the response of the one before.
type actor struct {
	*stage
	client *trial.Client
	player trial.Player
	heard  *tally
	due    time.Time
}

func (a *actor) send(what, request string) (trial.Answer, error) {
	answer, err := a.client.Do(request)
	if err == nil && (answer.Status < 200 || answer.Status > 299) {
		err = fmt.Errorf("answered %d: %.200s", answer.Status, answer.Body)
	}
	now := time.Now()
	a.heard.hear(what, now.Sub(a.due), err)
	a.due = now
	return answer, err
}

func (a *actor) get(path string) (trial.Answer, error) {
	what, _, _ := strings.Cut(path, "?")
	return a.send("GET "+strings.TrimPrefix(what, "/api"), a.player.Request("GET", path, ""))
}

// write makes a call with an Idempotency-Key, as the app does.
func (a *actor) write(path, body string) (trial.Answer, error) {
	key := fmt.Sprintf("01928c7e-5b1a-7000-a000-%012d", keys.Add(1))
	return a.send("POST "+strings.TrimPrefix(path, "/api"), a.player.Request("POST", path, body, "Idempotency-Key", key))
}

func (a *actor) gets(paths ...string) error {
	for _, path := range paths {
		if _, err := a.get(path); err != nil {
			return err
		}
	}
	return nil
}

// fetch reads as any player.
func (a *actor) fetch(path string) error {
	a.player = a.somebody()
	return a.gets(path)
}

func (a *actor) firstVisit() error {
	n := int(a.visits.Add(1)) - 1
	if n >= len(a.fresh) {
		return a.usedUp()
	}
	a.player = a.fresh[n]
	return a.open()
}

func (a *actor) visit() error {
	a.player = a.others[rand.IntN(len(a.others))] //nolint:gosec // anyone will do
	return a.open()
}

// open makes the calls of an app's start; the app's files are cached.
func (a *actor) open() error {
	if err := a.gets("/", "/api/user/me", "/api/settings", "/api/tap/energy-status", "/api/config"); err != nil {
		return err
	}
	if _, err := a.write("/api/user/checkin", ""); err != nil {
		return err
	}
	return a.gets("/api/circle-ads/status", "/api/tasks", "/api/token/price-info")
}

func (a *actor) energy() error  { return a.fetch("/api/tap/energy-status") }
func (a *actor) wheel() error   { return a.mine("/api/roulette/status") }
func (a *actor) tasks() error   { return a.fetch("/api/tasks") }
func (a *actor) board() error   { return a.fetch("/api/leaderboard?type=coins&limit=100&offset=0") }
func (a *actor) mines() error   { return a.fetch("/api/mines/status") }
func (a *actor) miners() error  { return a.fetch("/api/mines/leaderboard") }
func (a *actor) friends() error { return a.fetch("/api/referral/?status=all&limit=20&offset=0") }
func (a *actor) history() error { return a.fetch("/api/user/transactions?type=all&limit=20&offset=0") }

// mine reads as the actor's player, if set.
func (a *actor) mine(path string) error {
	if a.player.Launch == "" {
		return a.fetch(path)
	}
	return a.gets(path)
}

func (a *actor) sync() error {
	a.player = a.somebody()
	if err := a.tap(tapsASync); err != nil {
		return err
	}
	return a.gets("/api/tasks", "/api/circle-ads/status")
}

func (a *actor) tap(taps int) error {
	_, err := a.send("POST /tap/perform-batch-tap", a.player.Tap(taps, fmt.Sprintf("01928c7e-5b1a-7000-b000-%012d", a.batches.Add(1))))
	return err
}

// spin spins for the player with the fewest spins.
func (a *actor) spin() error {
	n := int(a.spins.Add(1)) - 1
	if n >= len(a.fresh)*game.FreeSpinsADay {
		return a.usedUp()
	}
	a.player = a.fresh[n%len(a.fresh)]
	answer, err := a.write("/api/roulette/spin", `{"is_golden_spin_requested":false}`)
	if err != nil {
		return err
	}
	if err := a.gets("/api/circle-ads/status"); err != nil {
		return err
	}
	var spin struct {
		ID     int64  `json:"spin_id"`
		Status string `json:"status"`
		Reward struct {
			Chest json.RawMessage `json:"chest"`
		} `json:"reward"`
	}
	if err := json.Unmarshal(answer.Body, &spin); err != nil {
		return a.failed(err)
	}
	if spin.Status != "pending" {
		return nil
	}
	path, body := "/api/roulette/claim-reward", fmt.Sprintf(`{"spin_id":%d}`, spin.ID)
	if spin.Reward.Chest != nil {
		path, body = "/api/roulette/claim-chest-reward", fmt.Sprintf(`{"spin_id":%d,"watch_ad":false}`, spin.ID)
	}
	_, err = a.write(path, body)
	return err
}

func (a *actor) advice() error {
	n := int(a.advices.Add(1)) - 1
	if n >= len(a.fresh) {
		return a.usedUp()
	}
	a.player = a.fresh[n]
	return a.takeAdvice()
}

func (a *actor) takeAdvice() error {
	advice, err := a.get("/api/prediction")
	if err != nil {
		return err
	}
	id, err := advice.Number("id")
	if err != nil {
		return a.failed(err)
	}
	_, err = a.write("/api/prediction/claim", fmt.Sprintf(`{"prediction_id":%s}`, id))
	return err
}

// claim claims a completed task.
func (a *actor) claim() error {
	n := int(a.claims.Add(1)) - 1
	if n >= len(a.others)*tasksOfOther {
		return a.usedUp()
	}
	a.player = a.others[n%len(a.others)]
	listed, err := a.get("/api/tasks")
	if err != nil {
		return err
	}
	var all struct {
		Tasks []struct {
			ID     int64  `json:"id"`
			Status string `json:"status"`
		} `json:"tasks"`
	}
	if err := json.Unmarshal(listed.Body, &all); err != nil {
		return a.failed(err)
	}
	for _, task := range all.Tasks {
		if task.Status == "completed" {
			_, err := a.write("/api/tasks/claim", fmt.Sprintf(`{"user_task_id":%d}`, task.ID))
			return err
		}
	}
	return a.failed(fmt.Errorf("nothing to claim in %s", listed.Body))
}

func (a *actor) usedUp() error { return a.failed(errUsedUp) }

func (a *actor) failed(err error) error {
	a.heard.hear("an action", 0, err)
	return err
}
