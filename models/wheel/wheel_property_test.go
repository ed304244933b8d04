package wheel_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/ads"
	"mcbk/models/modelstest"
	"mcbk/models/store"
	"mcbk/models/wheel"
)

// wheelWeeks are some weeks of a player at the wheel, in a model of a few lines.
type wheelWeeks struct {
	now            time.Time
	looked, spun   game.Day
	streak         int
	spins, adSpins int64
	owned          game.Reward
	made           []models.Spin     // by the states they should be in
	open           []models.AdTicket // not confirmed yet
	taken          map[game.Day]int  // ad spins, by their tickets' days
}

// Whatever is spun, claimed, watched, confirmed late or left alone, on whatever days: a player
// owns what the outcomes pay, once each, and never more than twenty spins.
func TestAnySequencePaysEachSpinExactlyOnce(t *testing.T) {
	t.Parallel()
	store := modelstest.Store(t, "sqlite")
	golden, doubled := 0, 0
	schedule := func(r *rapid.T) {
		player := modelstest.Player(t, store)
		w := wheelWeeks{now: modelstest.Noon, taken: map[game.Day]int{}}
		if rapid.Bool().Draw(r, "a week of spins first") { // which is rare
			for range 7 {
				w.now = w.now.Add(24 * time.Hour)
				w.step(t, r, store, player, "spin")
			}
		}
		steps := []string{"spin", "spin", "spin", "claim", "chest", "golden", "watch", "watch for a spin", "callback", "callback", "pay"}
		for range rapid.IntRange(10, 40).Draw(r, "steps") {
			w.now = w.now.Add(rapid.SampledFrom([]time.Duration{
				time.Second, 6 * time.Second, 4 * time.Minute, 13 * time.Hour, 24 * time.Hour, 24 * time.Hour, 24 * time.Hour,
			}).Draw(r, "wait"))
			w.step(t, r, store, player, rapid.SampledFrom(steps).Draw(r, "step"))
		}
		after, err := store.Players.Player(t.Context(), player.ID)
		owned, _ := modelstest.Gained(models.Player{}, after)
		if b := after.Balances; err != nil || owned != w.owned || b.Spins != w.spins || b.AdSpins != w.adSpins {
			r.Fatalf("owns %+v, want %+v, %d spins and %d ad spins: %v", b, w.owned, w.spins, w.adSpins, err)
		}
		for _, spin := range w.made {
			if spin.Golden {
				golden++
			}
			if spin.State == models.SpinDoubled {
				doubled++
			}
		}
	}
	for n := 0; n < 1 || n < 12 && (golden == 0 || doubled == 0); n++ {
		rapid.Check(t, schedule)
	}
	modelstest.Sound(t, store)
	if golden == 0 || doubled == 0 {
		t.Errorf("%d golden spins, %d doubled: the schedules are too tame", golden, doubled)
	}
}

func (w *wheelWeeks) step(t *testing.T, r *rapid.T, store *store.Store, player models.Player, step string) {
	t.Helper()
	switch step {
	case "spin", "golden":
		w.turn(t, r, store, player, step == "golden")
	case "claim", "chest":
		w.claim(t, r, store, player, step == "chest")
	case "watch":
		w.watch(t, r, store, player)
	case "watch for a spin":
		spins, adSpins := w.atALook()
		ticket, err := store.Ads.StartAd(t.Context(), player.ID, models.AdSpin, 0, modelstest.Season, w.now)
		if (err == nil) != (spins < 20 && adSpins > 0) && !modelstest.IsRefused(err, models.RateLimited) {
			r.Fatalf("watch for a spin with %d and %d: %v", spins, adSpins, err)
		}
		if err == nil {
			w.look()
			w.open = append(w.open, ticket)
		}
	case "callback":
		w.called(t, r, store, player)
	case "pay":
		if _, err := store.Wheel.PaySpins(t.Context(), w.now); err != nil {
			r.Fatalf("pay: %v", err)
		}
		if i := w.waiting(); i >= 0 && w.now.Sub(w.made[i].SpunAt) >= wheel.PendingPrizeTimeout {
			w.pay(i, models.SpinClaimed)
		}
	}
}

// atALook are the spins there are once the day's are given.
func (w *wheelWeeks) atALook() (spins, adSpins int64) {
	if w.looked == game.DayOf(w.now) {
		return w.spins, w.adSpins
	}
	return min(w.spins+10, 20), 10
}

func (w *wheelWeeks) look() {
	w.spins, w.adSpins = w.atALook()
	w.looked = game.DayOf(w.now)
}

func (w *wheelWeeks) waiting() int {
	return slices.IndexFunc(w.made, func(s models.Spin) bool { return s.State == models.SpinPending })
}

// pay moves a spin to a state in which it is paid as it is.
func (w *wheelWeeks) pay(i int, to models.SpinState) {
	prize := game.CurrentOdds().Prize(w.made[i].Drawn())
	w.owned.Coins, w.owned.Points = w.owned.Coins+prize.Coins, w.owned.Points+prize.Points
	w.spins = min(w.spins+prize.Spins, 20)
	w.made[i].State = to
}

func (w *wheelWeeks) turn(t *testing.T, r *rapid.T, store *store.Store, player models.Player, golden bool) {
	t.Helper()
	spins, _ := w.atALook()
	today := game.DayOf(w.now)
	if w.streak < 7 && today > w.spun+1 {
		w.streak = 0
	}
	may := spins > 0 && (!golden || w.streak == 7)
	spin, _, err := modelstest.SpinOnce(t.Context(), store, player, golden, w.now)
	if (err == nil) != may {
		r.Fatalf("spin, golden %t, with %d spins and a streak of %d: %v", golden, spins, w.streak, err)
	}
	if err != nil {
		return
	}
	w.look()
	if i := w.waiting(); i >= 0 {
		w.pay(i, models.SpinClaimed)
	}
	w.spins--
	switch {
	case golden:
		w.streak = 0
	case today > w.spun && w.streak < 7:
		w.streak++
	}
	w.spun = today
	w.made = append(w.made, spin)
	if spin.State == models.SpinCredited {
		w.pay(len(w.made)-1, models.SpinCredited)
	}
}

func (w *wheelWeeks) claim(t *testing.T, r *rapid.T, store *store.Store, player models.Player, chest bool) {
	t.Helper()
	if len(w.made) == 0 {
		return
	}
	i := rapid.IntRange(0, len(w.made)-1).Draw(r, "spin")
	spin := w.made[i]
	may := spin.State == models.SpinPending && (!chest || spin.Chest != game.NoChest)
	var err error
	if chest {
		_, _, err = store.Wheel.ClaimChest(t.Context(), modelstest.By(player), spin.ID, modelstest.Season, w.now)
	} else {
		_, err = store.Wheel.ClaimSpin(t.Context(), modelstest.By(player), spin.ID, modelstest.Season, w.now)
	}
	if (err == nil) != may {
		r.Fatalf("claim %+v, a chest %t: %v", spin, chest, err)
	}
	if err == nil {
		w.pay(i, models.SpinClaimed)
	}
}

func (w *wheelWeeks) watch(t *testing.T, r *rapid.T, store *store.Store, player models.Player) {
	t.Helper()
	if len(w.made) == 0 {
		return
	}
	spin := w.made[len(w.made)-1]
	open := spin.State == models.SpinPending || spin.State == models.SpinCredited && w.now.Sub(spin.SpunAt) < wheel.PendingPrizeTimeout
	may := open && game.CurrentOdds().Extra(spin.Drawn()) != (game.Reward{})
	ticket, err := store.Ads.StartAd(t.Context(), player.ID, models.AdRoulette, spin.ID, modelstest.Season, w.now)
	if (err == nil) != may && !modelstest.IsRefused(err, models.RateLimited) {
		r.Fatalf("watch for %+v: %v", spin, err)
	}
	if err == nil {
		w.open = append(w.open, ticket)
	}
}

func (w *wheelWeeks) called(t *testing.T, r *rapid.T, store *store.Store, player models.Player) {
	t.Helper()
	got, settled, err := store.Ads.ConfirmAd(t.Context(), ads.AdCallback{TelegramID: player.TelegramID}, w.now)
	fits := slices.ContainsFunc(w.open, func(o models.AdTicket) bool {
		age := w.now.Sub(o.OpenedAt)
		return age >= 5*time.Second && age <= models.AdTicketAge
	})
	if err != nil || settled != fits {
		r.Fatalf("a callback settled %t, %v", settled, err)
	}
	if !settled {
		return
	}
	w.open = slices.DeleteFunc(w.open, func(o models.AdTicket) bool { return o.Ticket == got.Ticket })
	if got.Purpose == models.AdSpin {
		if sameDay := got.Day == w.looked; w.spins >= 20 || sameDay && w.adSpins < 1 || w.taken[got.Day] >= 10 {
			return
		} else if sameDay {
			w.adSpins--
		}
		w.spins++
		w.taken[got.Day]++
		w.owned.Points += game.AdSpinPoints
		return
	}
	i := slices.IndexFunc(w.made, func(s models.Spin) bool { return s.ID == got.TargetID })
	switch w.made[i].State {
	case models.SpinDoubled:
		return
	case models.SpinPending:
		w.pay(i, models.SpinDoubled)
	}
	w.made[i].State = models.SpinDoubled
	extra := game.CurrentOdds().Extra(w.made[i].Drawn())
	w.owned.Coins, w.owned.Points = w.owned.Coins+extra.Coins, w.owned.Points+extra.Points
}

// Each call at the wheel, a millisecond before and after midnight, belongs to one day.
func TestWheelCallsAroundMidnightBelongToOneDay(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		midnight := modelstest.Season.Start.Add(24 * time.Hour)
		before, after := midnight.Add(-time.Millisecond), midnight.Add(time.Millisecond)
		player := modelstest.Player(t, store)
		_, evening := modelstest.Spun(t, store, player, false, modelstest.Segment(t, "coins_1"), before)
		wantSpins(t, "before midnight", evening, 9, 10)
		_, morning := modelstest.Spun(t, store, player, false, modelstest.Segment(t, "coins_1"), after)
		wantSpins(t, "after midnight", morning, 18, 10)
		if morning.Wheel.Streak != 2 || morning.Wheel.SpunDay != game.DayOf(after) {
			t.Errorf("two days: %+v", morning.Wheel)
		}
		// A process whose clock is a little behind neither gives yesterday's spins again nor counts its day.
		_, late, err := modelstest.SpinOnce(t.Context(), store, player, false, before)
		if err != nil || late.Wheel.SpinsGrantedDay != game.DayOf(after) || late.Wheel.Streak != 2 {
			t.Errorf("a call of yesterday after today's: %+v, %v", late.Wheel, err)
		}
	})
}

var errCut = errors.New("cut")

// A spin that is not committed leaves nothing: neither its cost nor the place on the wheel.
func TestRolledBackSpinLeavesNoTrace(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := readWheel(t, store, modelstest.Player(t, store).ID, modelstest.Noon)
		seeds := fairnessOf(t, store, player, modelstest.Noon)
		var first models.Spin
		err := modelstest.InTx(t.Context(), store, func(ctx context.Context) (err error) {
			if first, _, err = modelstest.SpinOnce(ctx, store, player, false, modelstest.Noon); err != nil {
				return err
			}
			return errCut
		})
		modelstest.WantError(t, err, errCut)
		wantSpins(t, "rolled back", readWheel(t, store, player.ID, modelstest.Noon), 10, 10)
		again, _, err := modelstest.SpinOnce(t.Context(), store, player, false, modelstest.Noon)
		if err != nil || again.Nonce != 0 || again.Drawn() != first.Drawn() {
			t.Errorf("the same seeds and nonce gave %+v, then %+v: %v", first.Drawn(), again.Drawn(), err)
		}
		if now := fairnessOf(t, store, player, modelstest.Noon); now.Present.Hash() != seeds.Present.Hash() || now.Present.Nonce != 1 {
			t.Errorf("the seed changed: %+v", now.Present)
		}
	})
}
