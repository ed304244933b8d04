package modelstest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/commit"
	"mcbk/models/store"
)

// Steered makes a player's next spin stop at an outcome, by choosing a client seed for it. Only somebody who sees the database can
// do so: the server's seed is no secret to a test.
func Steered(t testing.TB, store *store.Store, player models.Player, stop game.Outcome, at time.Time) {
	t.Helper()
	seeds := Must(store.Wheel.Fairness(t.Context(), player, models.Page{Limit: 1}, at))(t)
	var next game.ServerSeed
	copy(next[:], seeds.Next.Seed)
	for n := 0; ; n++ {
		client := fmt.Sprintf("steered-%d", n)
		if game.CurrentOdds().Draw(game.Rolls(next, client, 0)) != stop {
			continue
		}
		Must(store.Wheel.SetClientSeed(t.Context(), player, client, models.Page{Limit: 1}, at))(t)
		return
	}
}

// Spun makes a spin that stops at an outcome.
func Spun(t testing.TB, store *store.Store, player models.Player, golden bool, stop game.Outcome, at time.Time) (models.Spin, models.Player) {
	t.Helper()
	Steered(t, store, player, stop, at)
	spin, player, err := SpinOnce(t.Context(), store, player, golden, at)
	NoError(t, err, "spin")
	if got := spin.Drawn().Outcome; got != stop {
		t.Fatalf("the wheel stopped at %+v, not %+v", got, stop)
	}
	return spin, player
}

// SpinOnce makes a spin without a key, and returns what the player is told.
func SpinOnce(ctx context.Context, store *store.Store, who models.Player, golden bool, at time.Time) (spin models.Spin, player models.Player, err error) {
	return store.Wheel.TurnWheel(ctx, By(who), golden, Season, at)
}

// Segment returns the outcome at which the wheel, or a chest, has that type.
func Segment(t testing.TB, name string) game.Outcome {
	t.Helper()
	for i, segment := range game.CurrentOdds().Wheel {
		if segment.Type == name && name != game.ChestType {
			return game.Outcome{Segment: i, Chest: game.NoChest}
		}
	}
	for i, content := range game.CurrentOdds().Chest {
		if content.Type == name {
			return game.Outcome{Segment: 0, Chest: i}
		}
	}
	t.Fatalf("nothing holds %q", name)
	return game.Outcome{}
}

// By returns a player as the caller of a command without a key.
func By(p models.Player) commit.Caller { return commit.Caller{TelegramID: p.TelegramID} }

// ByKey returns a player as the caller of a spin under a key.
func ByKey(p models.Player, key string) commit.Caller {
	return commit.Caller{TelegramID: p.TelegramID, Key: key, Operation: "Spin", BodyHash: []byte("hash")}
}

// DoubleSpin watches an ad for a spin's prize.
func DoubleSpin(t *testing.T, store *store.Store, player models.Player, spin models.Spin, at time.Time) models.Player {
	t.Helper()
	ticket := Must(store.Ads.StartAd(t.Context(), player.ID, models.AdRoulette, spin.ID, Season, at))(t)
	ConfirmAd(t, store, player, at.Add(10*time.Second), ticket)
	spin, player, err := store.Wheel.DoubledSpin(t.Context(), player.ID, spin.ID, at.Add(11*time.Second))
	if err != nil || spin.State != models.SpinDoubled {
		t.Fatalf("doubled: %+v, %v", spin, err)
	}
	return player
}
