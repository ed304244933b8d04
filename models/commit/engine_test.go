package commit_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/commit"
	"mcbk/models/db"
	"mcbk/models/ledger"
	"mcbk/models/modelstest"
	"mcbk/models/players"
	"mcbk/models/store"
)

// gift is a command that gives points.
func gift(by commit.Caller, points int64) commit.Command[string] {
	return commit.Command[string]{Caller: by, Now: modelstest.Noon, Decide: func(c *commit.Scope) (string, error) {
		return fmt.Sprint("gift of ", points), c.Post(ledger.Entry{
			Reference: "pred:" + by.Key, Moves: ledger.RewardMoves(models.HouseAdvice, game.Reward{Points: points}),
		})
	}}
}

func TestDecideNeedsNoDatabase(t *testing.T) {
	c := commit.NewScope(models.Player{ID: 1}, modelstest.Noon)
	if told, err := gift(commit.Caller{Key: "1"}, 5).Decide(c); err != nil || told != "gift of 5" || c.Player.Balances.GamePoints != 5 || len(c.Postings) != 1 {
		t.Errorf("told %q, %v, and left %+v", told, err, c.Player.Balances)
	}
}

func TestRepeatedCommandReturnsItsFirstResult(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		by := modelstest.ByKey(player, modelstest.Key(1))
		told, first, err := commit.Run(t.Context(), store.Commit, gift(by, 5))
		if err != nil || told != "gift of 5" || first.Balances.GamePoints != 5 {
			t.Fatalf("told %q of %+v, %v", told, first.Balances, err)
		}
		modelstest.Tap(t, store, player, 3, modelstest.Key(2), modelstest.Noon)
		again := gift(by, 5)
		again.Decide = func(*commit.Scope) (string, error) { return "decided again", nil }
		told, then, err := commit.Run(t.Context(), store.Commit, again)
		if err != nil || told != "gift of 5" || then.Balances != first.Balances || then.Bag.EnergySpent != first.Bag.EnergySpent {
			t.Errorf("told %q of %+v, %v, and first of %+v", told, then, err, first)
		}
		by.BodyHash = []byte("another")
		modelstest.Refuses(commit.Run(t.Context(), store.Commit, gift(by, 5)))(t, models.IdempotencyKeyReused, "another request")
	})
}

func TestCommandThatChangedNothingIsDecidedAgain(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		by := modelstest.ByKey(modelstest.Player(t, store), modelstest.Key(1))
		for day, want := range []bool{true, false, true, true} { // the second is another key of the first day
			if day == 1 {
				by.Key = modelstest.Key(2)
			}
			at := modelstest.Noon.Add(time.Duration(day/2) * 24 * time.Hour)
			if paid, _, err := store.Daily.CheckIn(t.Context(), by, modelstest.Season, at); err != nil || paid != want {
				t.Errorf("check-in %d: %t, %v", day, paid, err)
			}
		}
	})
}

func TestAnswerOfAnEarlierVersionIsReturned(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		by := modelstest.ByKey(player, modelstest.Key(1))
		r := commit.Request{Player: player.ID, Key: by.Key, Operation: by.Operation, BodyHash: by.BodyHash}
		const body = `{"user":{}}`
		modelstest.Must(store.Commit.Once(t.Context(), r, modelstest.Noon, func(ctx context.Context) (commit.Answer, error) {
			_, err := store.Players.SetPreference(ctx, player.ID, players.Preference{Notifications: new(false)}, modelstest.Noon)
			return commit.Answer{Status: 200, Body: []byte(body)}, err
		}))(t)
		_, _, err := commit.Run(t.Context(), store.Commit, gift(by, 5))
		var before *commit.AnsweredError
		if !errors.As(err, &before) || string(before.Body) != body || before.Status != 200 {
			t.Errorf("answered with %v", err)
		}
	})
}

// One that panics, or whose write misses its row, takes no other with it.
func TestFailedCommandFailsAlone(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		missing := commit.Write[int64]{Checked: true, Statement: func(d db.Dialect, rows []int64) db.Statement {
			table, values := d.Values(db.Integers("id", rows, func(id int64) int64 { return id }))
			return db.Statement{Text: "UPDATE friends SET state = 'bound' FROM " + table + " WHERE friends.player_id = v.id", Values: values}
		}}
		var all sync.WaitGroup
		run := func(n int, decide func(c *commit.Scope) error) error {
			player := modelstest.Player(t, store)
			command := gift(modelstest.ByKey(player, modelstest.Key(n)), 5)
			give := command.Decide
			command.Decide = func(c *commit.Scope) (string, error) {
				told, err := give(c)
				return told, errors.Join(err, decide(c))
			}
			_, _, err := commit.Run(t.Context(), store.Commit, command)
			if p, readErr := store.Players.Player(t.Context(), player.ID); readErr != nil || (p.Balances.GamePoints == 5) != (err == nil) {
				t.Errorf("command %d ended with %v and left %+v, %v", n, err, p.Balances, readErr)
			}
			return err
		}
		for n := range 10 {
			all.Go(func() { modelstest.NoError(t, run(n, func(*commit.Scope) error { return nil })) })
			all.Go(func() {
				modelstest.WantFailure(t, run(100+n, func(c *commit.Scope) error { missing.Add(c, -1); return nil }), "", "a write that changed no row succeeded")
			})
			all.Go(func() {
				defer func() {
					if recover() == nil {
						t.Errorf("no panic")
					}
				}()
				_ = run(200+n, func(*commit.Scope) error { panic("a bug") })
			})
		}
		all.Wait()
	})
}

func TestCommandOfAStrangerIsNotFound(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		modelstest.Fails(commit.Run(t.Context(), store.Commit, gift(commit.Caller{TelegramID: -1, Key: "1"}, 5)))(t, db.ErrNotFound, "answered with")
	})
}

func TestCommandThatAsksForItRunsAlone(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		command, asked := gift(modelstest.ByKey(modelstest.Player(t, store), modelstest.Key(1)), 5), 0
		give := command.Decide
		command.Decide = func(c *commit.Scope) (string, error) {
			if asked++; asked == 1 {
				return "", commit.ErrOwnTx
			}
			return give(c)
		}
		if _, p, err := commit.Run(t.Context(), store.Commit, command); err != nil || p.Balances.GamePoints != 5 {
			t.Errorf("left %+v, %v", p.Balances, err)
		}
	})
}

// A row of somebody else, as an inviter's task, may be held by another transaction: nobody else in the round waits in vain.
func TestRoundThatLosesARaceRunsAgain(t *testing.T) {
	address := modelstest.Address(t, "postgres")
	store, twin, raw := modelstest.OpenStore(t, address), modelstest.OpenStore(t, address), modelstest.Raw(t, address)
	first, second := modelstest.Player(t, store), modelstest.Player(t, store)
	rename := commit.Write[models.PlayerID]{Statement: func(_ db.Dialect, rows []models.PlayerID) db.Statement {
		return db.Statement{Text: "UPDATE players SET first_name = first_name WHERE id = ?", Values: []any{rows[0]}}
	}}
	swap := func(commands *commit.Store, by, other models.Player) error { // as the rounds of two processes would, each of which writes a row of the other's player
		command := gift(modelstest.ByKey(by, modelstest.Key(1)), 5)
		give := command.Decide
		command.Decide = func(c *commit.Scope) (string, error) {
			rename.Add(c, other.ID)
			return give(c)
		}
		_, _, err := commit.Run(t.Context(), commands, command)
		return err
	}
	before := modelstest.Deadlocks(t, raw)
	for range 20 { // until they did meet
		if modelstest.Deadlocks(t, raw) > before {
			return
		}
		var both sync.WaitGroup
		both.Go(func() { modelstest.NoError(t, swap(store.Commit, first, second)) })
		both.Go(func() { modelstest.NoError(t, swap(twin.Commit, second, first)) })
		both.Wait()
		first, second = modelstest.Player(t, store), modelstest.Player(t, store)
	}
	t.Error("they never waited for each other")
}

// A caller who leaves during a round gets nothing of it, and the key the whole result.
func TestCommandOfACallerWhoLeavesIsStoredWhole(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		for n := range 50 {
			by := modelstest.ByKey(modelstest.Player(t, store), modelstest.Key(n))
			ctx, leave := context.WithCancel(t.Context())
			command := gift(by, 5)
			give := command.Decide
			command.Decide = func(c *commit.Scope) (string, error) {
				leave()
				return give(c)
			}
			if told, _, err := commit.Run(ctx, store.Commit, command); (told == "") == (err == nil) {
				t.Errorf("told %q, %v", told, err)
			}
			if told, p, err := commit.Run(t.Context(), store.Commit, gift(by, 5)); err != nil || told != "gift of 5" || p.Balances.GamePoints != 5 {
				t.Errorf("repeated: told %q of %+v, %v", told, p.Balances, err)
			}
		}
	})
}
