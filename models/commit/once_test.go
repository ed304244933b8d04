package commit_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"reflect"
	"sync/atomic"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/commit"
	"mcbk/models/modelstest"
	"mcbk/models/players"
	"mcbk/models/store"
	"mcbk/models/taps"
)

// What comes under the key of a call that is being answered waits for it, in no circle, and has no effect of its own: not even
// where its first look was before that answer was there.
func TestConcurrentCallsWithOneKeyHaveOneEffect(t *testing.T) {
	t.Parallel()
	key := modelstest.Key(1)
	batch := func(p models.Player) taps.Batch {
		return taps.Batch{TelegramID: p.TelegramID, Sent: 1, Key: key}
	}
	type call func(ctx context.Context, store *store.Store, p models.Player) error
	var (
		tapCount call = func(ctx context.Context, store *store.Store, p models.Player) error {
			return modelstest.ErrorOf(store.Taps.Tap(ctx, batch(p), modelstest.Season, modelstest.Noon))
		}
		digs call = func(ctx context.Context, store *store.Store, p models.Player) error {
			return modelstest.ErrorOf(store.Mines.Dig(ctx, batch(p), modelstest.Season, modelstest.Noon))
		}
		turns call = func(ctx context.Context, store *store.Store, p models.Player) error {
			return modelstest.ErrorOf(store.Wheel.TurnWheel(ctx, modelstest.ByKey(p, key), false, modelstest.Season, modelstest.Noon))
		}
		consents call = func(ctx context.Context, store *store.Store, p models.Player) error {
			return modelstest.ErrorOf(store.Players.SetPreference(ctx, p.ID, players.Preference{Consent: true}, modelstest.Noon))
		}
	)
	for name, c := range map[string]struct {
		under           string // the key of the call that is being answered
		does, meanwhile call
	}{
		"a batch and a call":        {key, consents, tapCount},
		"taps in a mine and a call": {key, consents, digs},
		"a spin and a call":         {key, consents, turns},
		"a spin and a batch":        {modelstest.Key(2), tapCount, turns},
		"a batch and another batch under its key": {key, func(ctx context.Context, store *store.Store, p models.Player) error {
			_, err := store.Taps.Tap(ctx, taps.Batch{TelegramID: p.TelegramID, Sent: 1, Key: modelstest.Key(3)}, modelstest.Season, modelstest.Noon)
			return err
		}, tapCount},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := modelstest.Address(t, "postgres")
			store, raw := modelstest.OpenStore(t, address), modelstest.Raw(t, address)
			p, before := modelstest.Player(t, store), modelstest.Deadlocks(t, raw)
			ended := make(chan error, 1)
			r := request(p)
			r.Key = c.under
			answer, err := store.Commit.Once(t.Context(), r, modelstest.Noon, func(ctx context.Context) (commit.Answer, error) {
				go func() { ended <- c.meanwhile(t.Context(), store, p) }()
				modelstest.AwaitLock(t, raw, ended)
				return commit.Answer{Status: 200}, c.does(ctx, store, p)
			})
			if err != nil || answer.Status != 200 {
				t.Errorf("answered %+v, %v", answer, err)
			}
			modelstest.WantRefusal(t, <-ended, models.IdempotencyKeyReused, "what came meanwhile")
			if met := modelstest.Deadlocks(t, raw) - before; met > 0 {
				t.Errorf("%d times they waited for each other", met)
			}
			modelstest.Sound(t, store)
		})
	}
}

// The bag's line trusts a player whose row has the version that it remembers, and may have looked for keys before this one was there.
func TestCallWithKeyChangesPlayerRowVersion(t *testing.T) {
	t.Parallel()
	address := modelstest.Address(t, "postgres")
	store, raw := modelstest.OpenStore(t, address), modelstest.Raw(t, address)
	p := modelstest.Player(t, store)
	version := fmt.Sprintf("SELECT CAST(CAST(xmin AS text) AS bigint) FROM players WHERE id = %d", p.ID)
	before := modelstest.Count(t, raw, version)
	if _, err := store.Commit.Once(t.Context(), request(p), modelstest.Noon, func(context.Context) (commit.Answer, error) {
		return commit.Answer{Status: 200}, nil
	}); err != nil {
		t.Fatal(err)
	}
	if modelstest.Count(t, raw, version) == before {
		t.Error("a call that changes nothing of its player leaves the row as it was")
	}
}

func request(player models.Player) commit.Request {
	return commit.Request{Player: player.ID, Key: modelstest.Key(1), Operation: "setPreference", BodyHash: []byte("one")}
}

// consenting accepts the rules as a handler would, and answers with a status.
func consenting(store *store.Store, id models.PlayerID, status int) func(context.Context) (commit.Answer, error) {
	return func(ctx context.Context) (commit.Answer, error) {
		if _, err := store.Players.SetPreference(ctx, id, players.Preference{Consent: true}, modelstest.Noon); err != nil {
			return commit.Answer{}, err
		}
		answer := commit.Answer{Status: status}
		if status != 204 { // which has no body
			answer.Body = []byte(`{"ok":true}`)
		}
		return answer, nil
	}
}

// never is a second effect.
func never(t *testing.T) func(context.Context) (commit.Answer, error) {
	return func(context.Context) (commit.Answer, error) {
		t.Error("the request had a second effect")
		return commit.Answer{Status: 200}, nil
	}
}

func consented(t *testing.T, store *store.Store, player models.Player) bool {
	t.Helper()
	saved := modelstest.Must(store.Players.Player(t.Context(), player.ID))(t)
	return saved.Consented()
}

func TestRepeatedRequestGetsSameAnswerWithoutSecondEffect(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		for _, status := range []int{200, 201, 202, 204, 299} {
			player := modelstest.Player(t, store, modelstest.Unconsented())
			first := modelstest.Must(store.Commit.Once(t.Context(), request(player), modelstest.Noon, consenting(store, player.ID, status)))(t)
			modelstest.Equal(t, first.Status, status, "first", first)
			again, err := store.Commit.Once(t.Context(), request(player), modelstest.Noon.Add(time.Hour), never(t))
			if err != nil || again.Status != status || !bytes.Equal(again.Body, first.Body) {
				t.Errorf("again %+v, %v, first %+v", again, err, first)
			}
			if !consented(t, store, player) {
				t.Errorf("status %d was answered without an effect", status)
			}
		}
	})
}

func TestKeyWithAnotherBodyOrCallIsRefused(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		modelstest.Must(store.Commit.Once(t.Context(), request(player), modelstest.Noon, consenting(store, player.ID, 200)))(t)
		body, call := request(player), request(player)
		body.BodyHash, call.Operation = []byte("two"), "buy"
		for name, r := range map[string]commit.Request{"another body": body, "another call": call} {
			answer, err := store.Commit.Once(t.Context(), r, modelstest.Noon, never(t))
			if !modelstest.IsRefused(err, models.IdempotencyKeyReused) || answer.Body != nil {
				t.Errorf("%s: %+v, %v", name, answer, err)
			}
		}
	})
}

func TestKeyBelongsToOnePlayer(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		for _, player := range []models.Player{modelstest.Player(t, store, modelstest.Unconsented()), modelstest.Player(t, store, modelstest.Unconsented())} {
			if _, err := store.Commit.Once(t.Context(), request(player), modelstest.Noon, consenting(store, player.ID, 200)); err != nil || !consented(t, store, player) {
				t.Errorf("player %d: %v", player.ID, err)
			}
		}
	})
}

func TestFiftyCopiesOfARequestHaveOneEffect(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		// PostgreSQL may run the effect again after a lost race; what stays is what counts.
		var ran atomic.Int64
		answers := make([]commit.Answer, 50)
		modelstest.Concurrently(len(answers), func(i int) {
			answer, err := modelstest.Retry(func() (commit.Answer, error) {
				return store.Commit.Once(t.Context(), request(player), modelstest.Noon, func(ctx context.Context) (commit.Answer, error) {
					tapped, err := store.Taps.Tap(ctx, taps.Batch{TelegramID: player.TelegramID, Sent: 1}, modelstest.Season, modelstest.Noon)
					return commit.Answer{Status: 200, Body: []byte{byte(ran.Add(1)), byte(tapped.Accepted)}}, err
				})
			})
			if err != nil {
				t.Errorf("copy %d: %v", i, err)
			}
			answers[i] = answer
		})
		for i, answer := range answers {
			if answer.Status != 200 || !reflect.DeepEqual(answer, answers[0]) {
				t.Errorf("copy %d got %+v, another %+v", i, answer, answers[0])
			}
		}
		saved, err := store.Players.Player(t.Context(), player.ID)
		if err != nil || saved.Balances.Game != modelstest.TapRules.Earns(1) || saved.Bag.EnergySpent != 1 {
			t.Errorf("saved %+v, %v", saved, err)
		}
	})
}

func TestFailureAnswerIsReturnedButNotStored(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		for _, status := range []int{0, 199, 300, 404, 409, 422, 500, 503} {
			player := modelstest.Player(t, store, modelstest.Unconsented())
			answer, err := store.Commit.Once(t.Context(), request(player), modelstest.Noon, consenting(store, player.ID, status))
			if err != nil || answer.Status != status || string(answer.Body) != `{"ok":true}` {
				t.Errorf("status %d: answered %+v, %v", status, answer, err)
			}
			if consented(t, store, player) {
				t.Errorf("status %d: the effect stayed", status)
			}
			// the key is free again, also for another body
			retry := request(player)
			retry.BodyHash = []byte("two")
			if _, err := store.Commit.Once(t.Context(), retry, modelstest.Noon, consenting(store, player.ID, 200)); err != nil || !consented(t, store, player) {
				t.Errorf("status %d, tried again: %v", status, err)
			}
		}
	})
}

func TestErrorOrPanicRollsBackStoreCalls(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		broken := errors.New("broken")
		for name, fail := range map[string]func() error{
			"error":   func() error { return broken },
			"refusal": func() error { return game.Refuse(game.SeasonOver) },
			"panic":   func() error { panic(broken) },
		} {
			player := modelstest.Player(t, store, modelstest.Unconsented())
			err := func() (err error) {
				defer func() {
					if recover() != nil {
						err = broken
					}
				}()
				_, err = store.Commit.Once(t.Context(), request(player), modelstest.Noon, func(ctx context.Context) (commit.Answer, error) {
					answer, err := consenting(store, player.ID, 200)(ctx)
					if inside, readErr := store.Players.Player(ctx, player.ID); err != nil || readErr != nil || !inside.Consented() {
						t.Errorf("%s: inside %+v, %v, %v", name, inside, err, readErr)
					}
					if consented(t, store, player) {
						t.Errorf("%s: the effect is seen outside before the end", name)
					}
					return answer, fail()
				})
				return err
			}()
			if err == nil {
				t.Errorf("%s: no error", name)
			}
			if consented(t, store, player) {
				t.Errorf("%s: the effect stayed", name)
			}
			if _, err := store.Commit.Once(t.Context(), request(player), modelstest.Noon, consenting(store, player.ID, 200)); err != nil || !consented(t, store, player) {
				t.Errorf("%s: tried again: %v", name, err)
			}
		}
	})
}

func TestAnswersAreDeletedAfterSevenDays(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		const week = 7 * 24 * time.Hour
		old, kept := modelstest.Player(t, store, modelstest.Unconsented()), modelstest.Player(t, store, modelstest.Unconsented())
		for player, at := range map[models.PlayerID]time.Time{
			old.ID:  modelstest.Noon.Add(-time.Millisecond),
			kept.ID: modelstest.Noon,
		} {
			r := commit.Request{Player: player, Key: modelstest.Key(1), Operation: "x", BodyHash: []byte("one")}
			modelstest.Must(store.Commit.Once(t.Context(), r, at, consenting(store, player, 200)))(t)
		}
		modelstest.Returns(store.Commit.ForgetAnswers(t.Context(), modelstest.Noon.Add(week)))(t, 1, "answers forgotten")
		again := commit.Request{Player: kept.ID, Key: modelstest.Key(1), Operation: "x", BodyHash: []byte("one")}
		modelstest.Must(store.Commit.Once(t.Context(), again, modelstest.Noon.Add(week), never(t)))(t)
		ran := false
		again.Player = old.ID
		if _, err := store.Commit.Once(t.Context(), again, modelstest.Noon.Add(week), func(context.Context) (commit.Answer, error) {
			ran = true
			return commit.Answer{Status: 200}, nil
		}); err != nil || !ran {
			t.Errorf("a forgotten request ran %t, %v", ran, err)
		}
		modelstest.Returns(store.Commit.ForgetAnswers(t.Context(), modelstest.Noon.Add(2*week+time.Millisecond)))(t, 2, "answers forgotten later")
	})
}

func TestAnyNumberOfOldAnswersIsDeleted(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		player := modelstest.Player(t, store)
		const kept = 2500
		modelstest.MustExec(t, raw, fmt.Sprintf(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
			INSERT INTO idempotency_keys (player_id, key, operation, body_hash, status, answer, created_at)
			SELECT %d, 'key-' || i, 'x', '', 200, '', '2026-01-01 00:00:00+00:00' FROM n`, kept, player.ID))
		modelstest.Returns(store.Commit.ForgetAnswers(t.Context(), modelstest.Noon))(t, kept, "forgotten")
	})
}
