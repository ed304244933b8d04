package store_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"gorm.io/gorm"
	"pgregory.net/rapid"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/modelstest"
	"mcbk/models/store"
	"mcbk/models/taps"
)

// call is what a client asks of the store: to count a batch, to check the player in, or, without a key, how the player stands.
type call struct {
	player  models.Player
	key     string
	sent    int
	checkIn bool
	now     time.Time
}

// told is what the client was told.
type told struct {
	refusal  game.Code
	paid     bool // the check-in
	accepted int
	coins    game.MicroMCBK
	spent    int // energy
	taps     int // of the day; a repeated batch does not tell it
}

// standing is a player as the rules alone would have them: one call after the other, no
// database, nobody else.
type standing struct {
	bag      game.Bag
	coins    game.MicroMCBK
	visited  bool
	receipts map[string]receipt
}

type receipt struct {
	checkIn bool
	sent    int
	answer  told
}

// after is the standing after a call and what the client must be told. It changes nothing.
func (s standing) after(c call) (standing, told) {
	if c.key == "" {
		return s, told{coins: s.coins, spent: s.bag.EnergySpent, taps: s.bag.TapsToday}
	}
	if first, again := s.receipts[c.key]; again {
		if first.sent != c.sent || first.checkIn != c.checkIn {
			return s, told{refusal: models.IdempotencyKeyReused}
		}
		return s, first.answer
	}
	if c.checkIn {
		if s.visited { // nothing of it is stored
			return s, told{coins: s.coins}
		}
		next := standing{bag: s.bag, coins: s.coins + game.DefaultCheckIn.On(1).Coins, visited: true, receipts: maps.Clone(s.receipts)}
		answer := told{paid: true, coins: next.coins}
		next.receipts[c.key] = receipt{checkIn: true, answer: answer}
		return next, answer
	}
	bag, accepted := s.bag.Tap(modelstest.TapRules, c.sent, c.now)
	if accepted == 0 { // nothing of it is stored
		return s, told{coins: s.coins, spent: bag.EnergySpent}
	}
	next := standing{bag: bag, coins: s.coins + modelstest.TapRules.Earns(accepted), visited: s.visited, receipts: maps.Clone(s.receipts)}
	answer := told{accepted: accepted, coins: next.coins, spent: bag.EnergySpent}
	next.receipts[c.key] = receipt{sent: c.sent, answer: answer}
	return next, answer
}

// sequential tells porcupine the same, player by player.
var sequential = porcupine.Model{
	Partition: func(history []porcupine.Operation) (parts [][]porcupine.Operation) {
		of := map[int64][]porcupine.Operation{}
		for _, operation := range history {
			player := operation.Input.(call).player.TelegramID
			of[player] = append(of[player], operation)
		}
		for _, part := range of {
			parts = append(parts, part)
		}
		return parts
	},
	Init: func() any {
		return standing{bag: game.NewBag(modelstest.TapRules, modelstest.Noon), receipts: map[string]receipt{}}
	},
	Step: func(state, input, output any) (bool, any) {
		next, want := state.(standing).after(input.(call))
		return output.(told) == want, next
	},
	Equal: func(a, b any) bool {
		x, y := a.(standing), b.(standing)
		return x.bag == y.bag && x.coins == y.coins && x.visited == y.visited && maps.Equal(x.receipts, y.receipts)
	},
}

// Whatever clients do at once, what they are told must be what they could have been told one
// after the other, in an order that respects who was answered before whom asked.
func TestConcurrentAnswersAreLinearizable(t *testing.T) {
	for name, open := range map[string]func(t *testing.T) []*store.Store{
		"sqlite":   func(t *testing.T) []*store.Store { return []*store.Store{modelstest.Store(t, "sqlite")} },
		"postgres": func(t *testing.T) []*store.Store { return []*store.Store{modelstest.Store(t, "postgres")} },
		"two processes on postgres": func(t *testing.T) []*store.Store {
			address := modelstest.Address(t, "postgres")
			return []*store.Store{modelstest.OpenStore(t, address), modelstest.OpenStore(t, address)}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stores := open(t)
			rapid.Check(t, func(rt *rapid.T) {
				players := []models.Player{modelstest.Player(t, stores[0]), modelstest.Player(t, stores[0])}
				history := played(t, rt, stores, players, scripts(rt, players))
				if porcupine.CheckOperationsTimeout(sequential, history, time.Minute) != porcupine.Ok {
					rt.Fatalf("no order explains what was told:\n%s", written(history))
				}
			})
			modelstest.Sound(t, stores[0])
		})
	}
}

// scripts are what each client will do: batches, check-ins and repeats, some with another count, of few
// keys and two new players, and looks between them.
func scripts(rt *rapid.T, players []models.Player) [][]call {
	one := rapid.Custom(func(rt *rapid.T) call {
		c := call{player: rapid.SampledFrom(players).Draw(rt, "player"), now: modelstest.Noon}
		if rapid.IntRange(0, 2).Draw(rt, "look") == 0 {
			return c
		}
		n := rapid.IntRange(1, 8).Draw(rt, "key")
		c.key, c.sent = modelstest.Key(n), 3*n // all of them together are more than the allowance
		if rapid.IntRange(0, 9).Draw(rt, "altered") == 0 {
			c.sent++
		}
		if rapid.IntRange(0, 3).Draw(rt, "check in") == 0 {
			c.checkIn, c.sent = true, 0
		}
		c.now = c.now.Add(time.Duration(rapid.IntRange(0, 300).Draw(rt, "later")) * time.Millisecond)
		return c
	})
	return rapid.SliceOfN(rapid.SliceOfN(one, 1, 8), 2, 8).Draw(rt, "clients")
}

// played lets each client do its script, all at the same time, while the players are locked now and then, and returns what happened.
// The clock of a history only counts.
func played(t *testing.T, rt *rapid.T, stores []*store.Store, players []models.Player, clients [][]call) (history []porcupine.Operation) {
	var (
		clock   atomic.Int64
		mu      sync.Mutex
		failure error
	)
	modelstest.Concurrently(len(clients)+1, func(client int) {
		if client == len(clients) {
			for _, p := range players {
				modelstest.NoError(t, stores[0].DB.InTx(t.Context(), func(tx *gorm.DB) error {
					_, err := stores[0].Ledger.LockPlayer(tx, p.ID)
					time.Sleep(2 * time.Millisecond)
					return err
				}))
			}
			return
		}
		for _, c := range clients[client] {
			asked := clock.Add(1)
			answer, err := ask(t.Context(), stores[client%len(stores)], c)
			answered := clock.Add(1)
			mu.Lock()
			if err != nil {
				failure = errors.Join(failure, fmt.Errorf("%+v: %w", c, err))
			}
			history = append(history, porcupine.Operation{ClientId: client, Input: c, Call: asked, Output: answer, Return: answered})
			mu.Unlock()
		}
	})
	if failure != nil {
		rt.Fatal(failure)
	}
	return history
}

func ask(ctx context.Context, store *store.Store, c call) (told, error) {
	if c.key == "" {
		p, err := store.Players.PlayerByTelegramID(ctx, c.player.TelegramID)
		return told{coins: p.Balances.Game, spent: p.Bag.EnergySpent, taps: p.Bag.TapsToday}, err
	}
	var (
		answer  told
		err     error
		refusal *game.Refusal
	)
	if c.checkIn {
		var p models.Player
		answer.paid, p, err = store.Daily.CheckIn(ctx, modelstest.ByKey(c.player, c.key), modelstest.Season, c.now)
		answer.coins = p.Balances.Game
	} else {
		var tapped taps.Tapped
		tapped, err = store.Taps.Tap(ctx, taps.Batch{TelegramID: c.player.TelegramID, Sent: c.sent, Key: c.key}, modelstest.Season, c.now)
		answer = told{accepted: tapped.Accepted, coins: tapped.Player.Balances.Game, spent: tapped.Player.Bag.EnergySpent}
	}
	if errors.As(err, &refusal) {
		return told{refusal: refusal.Code}, nil
	}
	return answer, err
}

func written(history []porcupine.Operation) string {
	var lines strings.Builder
	for _, o := range history {
		c := o.Input.(call)
		_, _ = fmt.Fprintf(&lines, "client %d from %d to %d: player %d, key %q, check-in %t, %d sent at %s: %+v\n",
			o.ClientId, o.Call, o.Return, c.player.ID, c.key, c.checkIn, c.sent, c.now.Format("05.000"), o.Output)
	}
	return lines.String()
}
