package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"mcbk/game"
	"mcbk/trial"
)

// One of four players is in the middle of a day, with rewards to claim; the others are new.
const (
	oneOf        = 4
	tasksOfOther = 2 // each has completed: taps and advice
)

// busyTaps complete a task at once; the allowance reaches them in busyAfter.
const (
	busyTaps  = 500
	busyAfter = 50 * time.Second
)

var errUsedUp = errors.New("the players made for this run have done all they can: shorten it")

// stage is the players of one program, and what its web app calls.
type stage struct {
	url           string
	calls         calls
	fresh, others []trial.Player
	visits, spins atomic.Int64
	advices       atomic.Int64
	claims        atomic.Int64
	usedUp        atomic.Bool
	lines         lines
}

// newStage creates the players; it takes a minute at most.
func newStage(url string, calls calls, players int) (*stage, error) {
	now, others := time.Now(), players/oneOf
	s := &stage{
		url: url, calls: calls, lines: lines{url: url},
		fresh: newPlayers(7_000_000, players-others, now), others: newPlayers(6_000_000, others, now),
	}
	if err := s.each(s.others, (*actor).signIn); err != nil {
		return nil, err
	}
	ready := time.Now().Add(busyAfter)
	if err := s.each(s.fresh, (*actor).signIn); err != nil {
		return nil, err
	}
	time.Sleep(time.Until(ready))
	return s, s.each(s.others, func(a *actor) error {
		return errors.Join(a.call("POST /api/user/checkin"), a.tap(busyTaps), a.call(adviceCall), a.call("POST /api/prediction/claim"))
	})
}

func newPlayers(firstID int64, count int, now time.Time) (all []trial.Player) {
	for i := range count {
		all = append(all, trial.NewPlayer(firstID+int64(i), now))
	}
	return all
}

// each lets every player act, a few at once.
func (s *stage) each(players []trial.Player, do func(*actor) error) error {
	var next atomic.Int64
	_, err := inParallel(16, func(int) error {
		client := trial.NewClient(s.url)
		defer client.Close()
		for i := int(next.Add(1)) - 1; i < len(players); i = int(next.Add(1)) - 1 {
			a := s.actor(client, &tally{}, time.Now())
			a.player = players[i]
			if err := do(a); err != nil {
				return err
			}
		}
		return nil
	})
	return err
}

// signIn also looks at the wheel, which grants the day's spins.
func (a *actor) signIn() error {
	return errors.Join(a.player.SignIn(a.client), a.call("GET /api/roulette/status"))
}

func (s *stage) actor(client *trial.Client, heard *tally, due time.Time) *actor {
	return &actor{stage: s, client: client, heard: heard, due: due, answers: map[string]trial.Answer{}}
}

// act runs a due action.
func (s *stage) act(d action, due time.Time, heard *tally) {
	a := s.actor(s.lines.take(), heard, due)
	if err := d.who(a); err != nil {
		s.usedUp.Store(true)
		_ = a.failed(err)
	} else if a.play(s.calls[d.name]) != nil {
		a.client.Close()
	}
	s.lines.give(a.client)
}

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
	client  *trial.Client
	player  trial.Player
	heard   *tally
	due     time.Time
	answers map[string]trial.Answer // the last to each call
}

// next chooses the next player, each so many times.
func (a *actor) next(players []trial.Player, taken *atomic.Int64, times int) error {
	n := int(taken.Add(1)) - 1
	if n >= len(players)*times {
		return errUsedUp
	}
	a.player = players[n%len(players)]
	return nil
}

func (a *actor) newcomer() error  { return a.next(a.fresh, &a.visits, 1) }
func (a *actor) unadvised() error { return a.next(a.fresh, &a.advices, 1) }
func (a *actor) spinner() error   { return a.next(a.fresh, &a.spins, game.FreeSpinsADay) }
func (a *actor) claimant() error  { return a.next(a.others, &a.claims, tasksOfOther) }
func (a *actor) regular() error   { return a.anyOf(a.others) }
func (a *actor) anyone() error    { return a.anyOf(a.fresh) }

func (a *actor) anyOf(players []trial.Player) error {
	a.player = players[rand.IntN(len(players))] //nolint:gosec // anyone will do
	return nil
}

// play makes calls of the app; a spin's prize decides which follow.
func (a *actor) play(calls []string) error {
	for _, call := range calls {
		if err := a.call(call); err != nil {
			return err
		}
		if call != spinCall {
			continue
		}
		won, err := a.won()
		switch {
		case err != nil:
			return a.failed(err)
		case won.Status == "pending":
			return a.play(slices.Concat(a.calls[spin][1:], a.calls[claimOfPrize]))
		default:
			return a.play(a.calls[spinForCoins][1:])
		}
	}
	return nil
}

const (
	spinCall   = "POST /api/roulette/spin"
	adviceCall = "GET /api/prediction"
	tasksCall  = "GET /api/tasks"
)

// call makes a call of the app. What it has to name comes from the answers before.
func (a *actor) call(call string) error {
	method, path, _ := strings.Cut(call, " ")
	var body string
	var err error
	switch call {
	case "POST /api/user/checkin":
	case "POST /api/tap/perform-batch-tap":
		return a.tap(tapsASync)
	case spinCall:
		body = `{"is_golden_spin_requested":false}`
	case "POST /api/roulette/claim-reward":
		var won wonSpin
		won, err = a.won()
		body = fmt.Sprintf(`{"spin_id":%d}`, won.ID)
		if won.Reward.Chest != nil {
			path, body = "/api/roulette/claim-chest-reward", fmt.Sprintf(`{"spin_id":%d,"watch_ad":false}`, won.ID)
		}
	case "POST /api/prediction/claim":
		var id json.Number
		id, err = a.answers[adviceCall].Number("id")
		body = fmt.Sprintf(`{"prediction_id":%s}`, id)
	case "POST /api/tasks/claim":
		var completed []int64
		completed, err = completedTasks(a.answers[tasksCall])
		if err == nil && len(completed) == 0 {
			err = fmt.Errorf("nothing to claim in %s", a.answers[tasksCall].Body)
		}
		if err == nil {
			body = fmt.Sprintf(`{"user_task_id":%d}`, completed[0])
		}
	default:
		if method != http.MethodGet {
			err = errors.New("the load test knows no body for it")
		}
	}
	if err != nil {
		return a.failed(fmt.Errorf("%s: %w", call, err))
	}
	return a.send(call, method, path, body, newKey())
}

func (a *actor) tap(taps int) error {
	const path = "/api/tap/perform-batch-tap"
	id := newKey()
	return a.send("POST "+path, http.MethodPost, path, fmt.Sprintf(`{"total_taps":%d,"batch_id":%q}`, taps, id), id)
}

var keys atomic.Int64

// newKey returns an id as the app makes them.
func newKey() string { return fmt.Sprintf("01928c7e-5b1a-7000-a000-%012d", keys.Add(1)) }

// send makes a call as the app does: a write has an Idempotency-Key.
func (a *actor) send(call, method, path, body, key string) error {
	headers := []string{"Accept-Encoding", "gzip"}
	if method != http.MethodGet {
		headers = []string{"Accept-Encoding", "gzip", "Idempotency-Key", key}
	}
	answer, err := a.client.Do(a.player.Request(method, path, body, headers...))
	if err == nil && (answer.Status < 200 || answer.Status > 299) {
		err = fmt.Errorf("answered %d: %.200s", answer.Status, answer.Body)
	}
	now := time.Now()
	what, _, _ := strings.Cut(path, "?")
	a.heard.hear(method+" "+strings.TrimPrefix(what, "/api"), now.Sub(a.due), err)
	a.due = now
	a.answers[call] = answer
	return err
}

type wonSpin struct {
	ID     int64  `json:"spin_id"`
	Status string `json:"status"`
	Reward struct {
		Chest json.RawMessage `json:"chest"`
	} `json:"reward"`
}

func (a *actor) won() (won wonSpin, err error) {
	return won, json.Unmarshal(a.answers[spinCall].Body, &won)
}

// completedTasks returns the ids of the tasks whose reward can be claimed.
func completedTasks(answer trial.Answer) (ids []int64, err error) {
	var all struct {
		Tasks []struct {
			ID     int64  `json:"id"`
			Status string `json:"status"`
		} `json:"tasks"`
	}
	var body io.Reader = bytes.NewReader(answer.Body)
	if bytes.HasPrefix(answer.Body, []byte{0x1f, 0x8b}) { // a long list is gzipped
		if body, err = gzip.NewReader(body); err != nil {
			return nil, err
		}
	}
	err = json.NewDecoder(body).Decode(&all)
	for _, task := range all.Tasks {
		if task.Status == "completed" {
			ids = append(ids, task.ID)
		}
	}
	return ids, err
}

func (a *actor) failed(err error) error {
	a.heard.hear("an action", 0, err)
	return err
}
