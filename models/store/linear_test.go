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
	"pgregory.net/rapid"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/modelstest"
	"mcbk/models/store"
	"mcbk/models/taps"
)

// call is what a client asks of the store: to count a batch, or, without a key, how the player stands.
type call struct {
	player int64 // Telegram's id
	key    string
	sent   int
	now    time.Time
}

// told is what the client was told.
type told struct {
	refusal  game.Code
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
	receipts map[string]receipt
}

type receipt struct {
	sent   int
	answer told
}

// after is the standing after a call and what the client must be told. It changes nothing.
func (s standing) after(c call) (standing, told) {
	if c.key == "" {
		return s, told{coins: s.coins, spent: s.bag.EnergySpent, taps: s.bag.TapsToday}
	}
	if first, again := s.receipts[c.key]; again {
		if first.sent != c.sent {
			return s, told{refusal: models.IdempotencyKeyReused}
		}
		return s, first.answer
	}
	bag, accepted := s.bag.Tap(modelstest.TapRules, c.sent, c.now)
	if accepted == 0 { // nothing of it is stored
		return s, told{coins: s.coins, spent: bag.EnergySpent}
	}
	next := standing{bag: bag, coins: s.coins + modelstest.TapRules.Earns(accepted), receipts: maps.Clone(s.receipts)}
	answer := told{accepted: accepted, coins: next.coins, spent: bag.EnergySpent}
	next.receipts[c.key] = receipt{c.sent, answer}
	return next, answer
}

// sequential tells porcupine the same, player by player.
var sequential = porcupine.Model{
	Partition: func(history []porcupine.Operation) (parts [][]porcupine.Operation) {
		of := map[int64][]porcupine.Operation{}
		for _, operation := range history {
			player := operation.Input.(call).player
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
		return x.bag == y.bag && x.coins == y.coins && maps.Equal(x.receipts, y.receipts)
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
				history := played(t, rt, stores, scripts(t, rt, stores[0]))
				if porcupine.CheckOperationsTimeout(sequential, history, time.Minute) != porcupine.Ok {
					rt.Fatalf("no order explains what was told:\n%s", written(history))
				}
			})
			modelstest.Sound(t, stores[0])
		})
	}
}

// scripts are what each client will do: batches and repeats, some with another count, of few
// keys and two new players, and looks between them.
func scripts(t *testing.T, rt *rapid.T, store *store.Store) [][]call {
	players := []int64{modelstest.Player(t, store).TelegramID, modelstest.Player(t, store).TelegramID}
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
		c.now = c.now.Add(time.Duration(rapid.IntRange(0, 300).Draw(rt, "later")) * time.Millisecond)
		return c
	})
	return rapid.SliceOfN(rapid.SliceOfN(one, 1, 8), 2, 8).Draw(rt, "clients")
}

// played lets each client do its script, all at the same time, and returns what happened. The
// clock of a history only counts.
func played(t *testing.T, rt *rapid.T, stores []*store.Store, clients [][]call) (history []porcupine.Operation) {
	var (
		clock   atomic.Int64
		mu      sync.Mutex
		failure error
	)
	modelstest.Concurrently(len(clients), func(client int) {
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
		p, err := store.Players.PlayerByTelegramID(ctx, c.player)
		return told{coins: p.Balances.Game, spent: p.Bag.EnergySpent, taps: p.Bag.TapsToday}, err
	}
	tapped, err := store.Taps.Tap(ctx, taps.Batch{TelegramID: c.player, Sent: c.sent, Key: c.key}, modelstest.Season, c.now)
	var refusal *game.Refusal
	if errors.As(err, &refusal) {
		return told{refusal: refusal.Code}, nil
	}
	return told{accepted: tapped.Accepted, coins: tapped.Player.Balances.Game, spent: tapped.Player.Bag.EnergySpent}, err
}

func written(history []porcupine.Operation) string {
	var lines strings.Builder
	for _, o := range history {
		c := o.Input.(call)
		_, _ = fmt.Fprintf(&lines, "client %d from %d to %d: player %d, key %q, %d sent at %s: %+v\n",
			o.ClientId, o.Call, o.Return, c.player, c.key, c.sent, c.now.Format("05.000"), o.Output)
	}
	return lines.String()
}
