package store_test

import (
	"context"
	"fmt"
	"testing"

	"mcbk/models"
	"mcbk/models/commit"
	"mcbk/models/modelstest"
	"mcbk/models/players"
	"mcbk/models/store"
	"mcbk/models/taps"
)

// What comes under the key of a call that is being answered waits for it, in no circle, and has no effect of its own: not even
// where its first look was before that answer was there.
func TestOneKeyHasOneEffectHoweverItsCallsMeet(t *testing.T) {
	t.Parallel()
	key := modelstest.Key(1)
	batch := func(p models.Player) taps.Batch {
		return taps.Batch{TelegramID: p.TelegramID, Sent: 1, Key: key, Keyed: true}
	}
	type call func(ctx context.Context, store *store.Store, p models.Player) error
	var (
		tapCount call = func(ctx context.Context, store *store.Store, p models.Player) error {
			_, err := store.Taps.Tap(ctx, batch(p), modelstest.Season, modelstest.Noon)
			return err
		}
		digs call = func(ctx context.Context, store *store.Store, p models.Player) error {
			_, err := store.Mines.Dig(ctx, batch(p), modelstest.Season, modelstest.Noon)
			return err
		}
		turns call = func(ctx context.Context, store *store.Store, p models.Player) error {
			_, err := store.Wheel.TurnWheel(ctx, modelstest.KeyedSpin(p, key), modelstest.Season, modelstest.Noon)
			return err
		}
		consents call = func(ctx context.Context, store *store.Store, p models.Player) error {
			_, err := store.Players.SetPreference(ctx, p.ID, players.Preference{Consent: true}, modelstest.Noon)
			return err
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
			modelstest.WantRefusal(t, "what came meanwhile", <-ended, models.IdempotencyKeyReused)
			if met := modelstest.Deadlocks(t, raw) - before; met > 0 {
				t.Errorf("%d times they waited for each other", met)
			}
			modelstest.Sound(t, store)
		})
	}
}

// The bag's line trusts a player whose row has the version that it remembers, and may have looked for keys before this one was there.
func TestACallWithAKeyGivesThePlayersRowAnotherVersion(t *testing.T) {
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
