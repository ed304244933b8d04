package main

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"

	"mcbk/game"
	"mcbk/trial"
)

// load is the result of one measurement.
type load struct {
	answers int
	length  time.Duration
	times   []time.Duration // response times, sorted
}

func (l load) perSecond() float64 { return float64(l.answers) / l.length.Seconds() }

func (l load) percentile(share float64) time.Duration {
	return l.times[min(int(float64(len(l.times))*share), len(l.times)-1)]
}

func measure(into *[]load, of func() (load, error)) error {
	l, err := of()
	if err == nil && l.answers == 0 {
		err = errors.New("nobody was answered")
	}
	*into = append(*into, l)
	return err
}

func count(loads []load) (answers int) {
	for _, l := range loads {
		answers += l.answers
	}
	return answers
}

// crowd is consenting players with their receipts.
type crowd struct {
	players  []trial.Player
	accepted []atomic.Int64 // taps
	spun     []atomic.Int64 // turns of the wheel
	batches  atomic.Int64
	spins    atomic.Int64
}

const tapsPerBatch = 1

func newCrowd(url string, size int) (*crowd, error) {
	c := &crowd{players: newPlayers(5_000_000, size, time.Now()), accepted: make([]atomic.Int64, size), spun: make([]atomic.Int64, size)}
	return c, (&stage{url: url}).each(c.players, (*actor).signIn)
}

// tap sends batches over some connections for a time; each response must be 200.
func (c *crowd) tap(url string, connections int, length time.Duration) func() (load, error) {
	return c.drive(url, connections, length, func(client *trial.Client, n int64) error {
		who := int(n) % len(c.players)
		answer, err := client.Do(c.players[who].Tap(tapsPerBatch, fmt.Sprintf("bench-%012d", c.batches.Add(1))))
		if err != nil {
			return err
		}
		if answer.Status != http.StatusOK {
			return fmt.Errorf("a tap is answered with %d: %s", answer.Status, answer.Body)
		}
		accepted, err := answer.Number("accepted")
		if err != nil {
			return err
		}
		taps, err := accepted.Int64()
		c.accepted[who].Add(taps)
		return err
	})
}

// spin spins over some connections for a time, each with its own key; players stay within the daily spins.
func (c *crowd) spin(url string, connections int, length time.Duration) func() (load, error) {
	return c.drive(url, connections, length, func(client *trial.Client, _ int64) error {
		n := c.spins.Add(1)
		who := int(n) % len(c.players)
		if c.spun[who].Add(1) > game.FreeSpinsADay {
			return errors.New("there are more spins in this measurement than the players have")
		}
		answer, err := client.Do(c.players[who].Request("POST", "/api/roulette/spin", `{"is_golden_spin_requested":false}`,
			"Idempotency-Key", fmt.Sprintf("spin-%012d", n)))
		if err == nil && answer.Status != http.StatusOK {
			err = fmt.Errorf("a spin is answered with %d: %s", answer.Status, answer.Body)
		}
		return err
	})
}

// What is read: the player, and the leaderboard.
const (
	playerPath = "/api/user/me"
	boardPath  = "/api/leaderboard"
	readers    = 32
)

// read fetches a path over readers connections for a time.
func (c *crowd) read(url, path string, length time.Duration) func() (load, error) {
	return c.drive(url, readers, length, func(client *trial.Client, n int64) error {
		answer, err := client.Do(c.players[int(n)%len(c.players)].Request("GET", path, ""))
		if err == nil && answer.Status != http.StatusOK {
			err = fmt.Errorf("a read is answered with %d: %s", answer.Status, answer.Body)
		}
		return err
	})
}

func (c *crowd) drive(url string, connections int, length time.Duration, call func(client *trial.Client, n int64) error) func() (load, error) {
	return func() (load, error) {
		var calls atomic.Int64
		times := make([][]time.Duration, connections)
		end := time.Now().Add(length)
		took, err := inParallel(connections, func(worker int) error {
			client := trial.NewClient(url)
			defer client.Close()
			for began := time.Now(); began.Before(end); began = time.Now() {
				if err := call(client, calls.Add(1)); err != nil {
					return err
				}
				times[worker] = append(times[worker], time.Since(began))
			}
			return nil
		})
		all := slices.Concat(times...)
		slices.Sort(all)
		return load{answers: len(all), length: took, times: all}, err
	}
}

// check compares every player's coins, except the wheel's, with the acknowledged taps.
func (c *crowd) check(url string) error {
	client := trial.NewClient(url)
	defer client.Close()
	for i, p := range c.players {
		answer, err := client.Do(p.Request("GET", "/api/user/me", ""))
		if err != nil {
			return err
		}
		coins, err := answer.Number("game_mcbk")
		if err != nil {
			return err
		}
		won, err := answer.Number("won_mcbk")
		if err != nil {
			return err
		}
		held, err := coins.Float64()
		fromWheel, wonErr := won.Float64()
		err = errors.Join(err, wonErr)
		if want := c.accepted[i].Load(); err != nil || int64((held-fromWheel)*float64(game.MCBK)+0.5) != want*int64(game.CoinsPerTap) {
			return fmt.Errorf("player %d holds %s coins after %d accepted taps", i, coins, want)
		}
	}
	return nil
}

// newConstant is a Gin server that returns the program's response for each path.
func newConstant(program string, player trial.Player) (*httptest.Server, error) {
	gin.SetMode(gin.ReleaseMode)
	engine := gin.New()
	client := trial.NewClient(program)
	defer client.Close()
	for _, path := range []string{playerPath, boardPath} {
		answer, err := client.Do(player.Request("GET", path, ""))
		if err != nil {
			return nil, err
		}
		engine.GET(path, func(g *gin.Context) { g.Data(http.StatusOK, gin.MIMEJSON, answer.Body) })
	}
	return httptest.NewServer(engine), nil
}

func inParallel(workers int, work func(worker int) error) (took time.Duration, err error) {
	began := time.Now()
	failures := make([]error, workers)
	var all sync.WaitGroup
	for worker := range workers {
		all.Go(func() { failures[worker] = work(worker) })
	}
	all.Wait()
	return time.Since(began), errors.Join(failures...)
}
