package wheel_test

import (
	"encoding/hex"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/modelstest"
	"mcbk/models/store"
	"mcbk/models/wheel"
)

func fairnessOf(t *testing.T, store *store.Store, player models.Player, at time.Time) wheel.Fairness {
	t.Helper()
	return modelstest.Must(store.Wheel.Fairness(t.Context(), player, models.Page{Limit: 10}, at))(t)
}

// The promise: what was shown before a spin is what made it.
func TestRetiredSeedMatchesItsPublishedHash(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		before := fairnessOf(t, store, player, modelstest.Noon)
		if before.Present.Hash() == before.Next.Hash() || before.Present.ClientSeed == "" || len(before.Retired) != 0 {
			t.Errorf("at first: %+v", before)
		}
		var spins []models.Spin
		for range 3 {
			spin, _, err := modelstest.SpinOnce(t.Context(), store, player, false, modelstest.Noon)
			modelstest.NoError(t, err)
			spins = append(spins, spin)
		}
		after := modelstest.Must(store.Wheel.SetClientSeed(t.Context(), player, "my-own-choice", models.Page{Limit: 10}, modelstest.Noon))(t)
		if after.Present.Hash() != before.Next.Hash() || after.Present.ClientSeed != "my-own-choice" || after.Present.Nonce != 0 {
			t.Errorf("the next seed is not the one that was shown: %+v", after.Present)
		}
		if len(after.Retired) != 1 || after.Retired[0].Hash() != before.Present.Hash() || len(after.Retired[0].Spins) != 3 {
			t.Fatalf("retired: %+v", after.Retired)
		}
		var seed game.ServerSeed
		copy(seed[:], after.Retired[0].Seed)
		for i, spin := range after.Retired[0].Spins {
			again := game.CurrentOdds().Draw(game.Rolls(seed, before.Present.ClientSeed, int64(i)))
			if spin.ID != spins[i].ID || spin.Nonce != int64(i) || again != spin.Drawn().Outcome {
				t.Errorf("spin %d stopped at %+v, its seeds say %+v", i, spin.Drawn(), again)
			}
		}
	})
}

// The choice may come on a later day, from a page that was left open.
func TestClientSeedKeepsPublishedHashOnAnyDay(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		modelstest.NoError(t, spinError(t, store, player, false, modelstest.Noon))
		shown := fairnessOf(t, store, player, modelstest.Noon)
		after := modelstest.Must(store.Wheel.SetClientSeed(t.Context(), player, "my-own-choice", models.Page{Limit: 10}, modelstest.Noon.Add(24*time.Hour)))(t)
		if after.Present.Hash() != shown.Next.Hash() || len(after.Retired) != 1 || after.Retired[0].Hash() != shown.Present.Hash() {
			t.Errorf("present is %s, shown as the next was %s; retired %d", after.Present.Hash(), shown.Next.Hash(), len(after.Retired))
		}
		first, err := store.Wheel.SetClientSeed(t.Context(), modelstest.Player(t, store), "a-newcomers", models.Page{Limit: 10}, modelstest.Noon)
		if err != nil || first.Present.ClientSeed != "a-newcomers" || len(first.Retired) != 0 {
			t.Errorf("the first call of a player: %+v, %v", first, err)
		}
	})
}

func TestUsedSeedIsRetiredTheNextDay(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		first := fairnessOf(t, store, player, modelstest.Noon)
		modelstest.Equal(t, fairnessOf(t, store, player, modelstest.Noon.Add(24*time.Hour)).Present.Hash(), first.Present.Hash(), "a seed nobody used was retired")
		modelstest.NoError(t, spinError(t, store, player, false, modelstest.Noon.Add(24*time.Hour)))
		modelstest.NoError(t, spinError(t, store, player, false, modelstest.Noon.Add(2*24*time.Hour)))
		later := fairnessOf(t, store, player, modelstest.Noon.Add(2*24*time.Hour))
		if later.Present.Hash() != first.Next.Hash() || later.Present.ClientSeed != first.Present.ClientSeed || later.Present.Nonce != 1 {
			t.Errorf("present after a day: %+v", later.Present)
		}
		if len(later.Retired) != 1 || hex.EncodeToString(later.Retired[0].Seed) != hex.EncodeToString(first.Present.Seed) || later.Retired[0].RetiredAt == nil {
			t.Errorf("retired after a day: %+v", later.Retired)
		}
	})
}

func TestRetiredSeedsArePaged(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		var shown []string
		for range 5 {
			shown = append(shown, fairnessOf(t, store, player, modelstest.Noon).Present.Hash())
			modelstest.Must(store.Wheel.SetClientSeed(t.Context(), player, "another-one", models.Page{Limit: 1}, modelstest.Noon))(t)
		}
		for offset := range 5 {
			page, err := store.Wheel.Fairness(t.Context(), player, models.Page{Limit: 1, Offset: offset}, modelstest.Noon)
			if err != nil || len(page.Retired) != 1 || page.Retired[0].Hash() != shown[4-offset] || page.More != (offset < 4) {
				t.Errorf("page %d: %d seeds, more: %t, %v", offset, len(page.Retired), page.More, err)
			}
		}
	})
}

func TestFiftyConcurrentFirstSpinsShareOneSeedPair(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		turned := modelstest.FiftyAtOnce(t, game.NoSpinsLeft, func() error { return spinError(t, store, player, false, modelstest.Noon) })
		if turned < game.FreeSpinsADay || turned > 2*game.FreeSpinsADay { // bonus spins come on top
			t.Errorf("%d spins", turned)
		}
	})
}
