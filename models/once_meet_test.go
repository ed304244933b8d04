package models_test

import (
	"context"
	"fmt"
	"testing"

	"mcbk/models"
	"mcbk/models/given"
)

// What comes under the key of a call that is being answered waits for it, in no circle, and has no effect of its own: not even
// where its first look was before that answer was there.
func TestOneKeyHasOneEffectHoweverItsCallsMeet(t *testing.T) {
	t.Parallel()
	key := given.Key(1)
	batch := func(p models.Player) models.Batch {
		return models.Batch{TelegramID: p.TelegramID, Sent: 1, Key: key, Keyed: true}
	}
	type call func(ctx context.Context, store *models.Store, p models.Player) error
	var (
		tapCount call = func(ctx context.Context, store *models.Store, p models.Player) error {
			_, err := store.Tap(ctx, batch(p), given.Season, given.Noon)
			return err
		}
		digs call = func(ctx context.Context, store *models.Store, p models.Player) error {
			_, err := store.Dig(ctx, batch(p), given.Season, given.Noon)
			return err
		}
		turns call = func(ctx context.Context, store *models.Store, p models.Player) error {
			_, err := store.TurnWheel(ctx, keyedTurn(p, key), given.Season, given.Noon)
			return err
		}
		consents call = func(ctx context.Context, store *models.Store, p models.Player) error {
			_, err := store.SetPreference(ctx, p.ID, models.Preference{Consent: true}, given.Noon)
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
		"a spin and a batch":        {given.Key(2), tapCount, turns},
		"a batch and another batch under its key": {key, func(ctx context.Context, store *models.Store, p models.Player) error {
			_, err := store.Tap(ctx, models.Batch{TelegramID: p.TelegramID, Sent: 1, Key: given.Key(3)}, given.Season, given.Noon)
			return err
		}, tapCount},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := given.Address(t, "postgres")
			store, raw := given.OpenStore(t, address), given.Raw(t, address)
			p, before := given.Player(t, store), deadlocks(t, raw)
			ended := make(chan error, 1)
			r := request(p)
			r.Key = c.under
			answer, err := store.Once(t.Context(), r, given.Noon, func(ctx context.Context) (models.Answer, error) {
				go func() { ended <- c.meanwhile(t.Context(), store, p) }()
				untilLocked(t, raw, ended)
				return models.Answer{Status: 200}, c.does(ctx, store, p)
			})
			if err != nil || answer.Status != 200 {
				t.Errorf("answered %+v, %v", answer, err)
			}
			refusedAs(t, "what came meanwhile", <-ended, models.IdempotencyKeyReused)
			if met := deadlocks(t, raw) - before; met > 0 {
				t.Errorf("%d times they waited for each other", met)
			}
			given.Sound(t, store)
		})
	}
}

// The bag's line trusts a player whose row has the version that it remembers, and may have looked for keys before this one was there.
func TestACallWithAKeyGivesThePlayersRowAnotherVersion(t *testing.T) {
	t.Parallel()
	address := given.Address(t, "postgres")
	store, raw := given.OpenStore(t, address), given.Raw(t, address)
	p := given.Player(t, store)
	version := fmt.Sprintf("SELECT CAST(CAST(xmin AS text) AS bigint) FROM players WHERE id = %d", p.ID)
	before := count(t, raw, version)
	if _, err := store.Once(t.Context(), request(p), given.Noon, func(context.Context) (models.Answer, error) {
		return models.Answer{Status: 200}, nil
	}); err != nil {
		t.Fatal(err)
	}
	if count(t, raw, version) == before {
		t.Error("a call that changes nothing of its player leaves the row as it was")
	}
}
