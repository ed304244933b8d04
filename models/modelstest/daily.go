package modelstest

import (
	"slices"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/ads"
	"mcbk/models/players"
	"mcbk/models/store"
)

// AdviceTexts is how many texts of advice there are.
const AdviceTexts = 60

// Advice is the advice of a player's day.
func Advice(t *testing.T, store *store.Store, player models.Player, at time.Time) models.Advice {
	t.Helper()
	return Must(store.Daily.Advice(t.Context(), By(player), AdviceTexts, Season, at))(t)
}

// ClaimAdvice claims a day's advice.
func ClaimAdvice(t *testing.T, store *store.Store, player models.Player, id int64, at time.Time) error {
	t.Helper()
	_, err := store.Daily.ClaimAdvice(t.Context(), By(player), id, Season, at)
	return err
}

// CheckIn checks a player in, and reports whether that was paid.
func CheckIn(t *testing.T, store *store.Store, player models.Player, at time.Time) (models.Player, bool) {
	t.Helper()
	paid, after, err := store.Daily.CheckIn(t.Context(), By(player), Season, at)
	NoError(t, err, "check in at", at)
	return after, paid
}

// WatchAd opens a ticket and has the network confirm it ten seconds later.
func WatchAd(t *testing.T, store *store.Store, player models.Player, purpose models.AdPurpose, at time.Time) models.AdTicket {
	t.Helper()
	ticket := OpenAd(t, store, player, purpose, at)
	return confirmAd(t, store, ads.AdCallback{TelegramID: player.TelegramID, Ticket: ticket.Ticket}, at.Add(10*time.Second), ticket)
}

// OpenAd opens a ticket for an ad.
func OpenAd(t *testing.T, store *store.Store, player models.Player, purpose models.AdPurpose, at time.Time) models.AdTicket {
	t.Helper()
	return Must(store.Ads.StartAd(t.Context(), player.ID, purpose, 0, Season, at))(t)
}

// ConfirmAd is what the network's word settled at that time, which must be this ticket.
func ConfirmAd(t *testing.T, store *store.Store, player models.Player, at time.Time, want models.AdTicket) models.AdTicket {
	t.Helper()
	return confirmAd(t, store, ads.AdCallback{TelegramID: player.TelegramID}, at, want)
}

func confirmAd(t *testing.T, store *store.Store, word ads.AdCallback, at time.Time, want models.AdTicket) models.AdTicket {
	t.Helper()
	settled, any, err := store.Ads.ConfirmAd(t.Context(), word, at)
	if err != nil || !any || settled.Ticket != want.Ticket {
		t.Fatalf("the network's word at %s settled %+v, %t, %v; want %s", at, settled, any, err, want.Ticket)
	}
	return settled
}

// CheckInDays checks a player in on so many days in a row, from a day on.
func CheckInDays(t *testing.T, store *store.Store, player models.Player, from time.Time, days int) {
	t.Helper()
	for i := range days {
		CheckIn(t, store, player, from.Add(time.Duration(i)*24*time.Hour))
	}
}

// RewardFriends pays for friends as the job does, and returns how many.
func RewardFriends(t *testing.T, store *store.Store, at time.Time) int64 {
	t.Helper()
	return Must(store.Friends.RewardFriends(t.Context(), at))(t)
}

// Loyal is a player who did all that a day's bonus asks, but for what is left out.
func Loyal(t *testing.T, store *store.Store, but models.AdPurpose) models.Player {
	t.Helper()
	return EarnLoyalty(t, store, Player(t, store), Noon, but)
}

// EarnLoyalty does from a time on all that its day's bonus asks, but for what is left out.
func EarnLoyalty(t *testing.T, store *store.Store, player models.Player, at time.Time, but models.AdPurpose) models.Player {
	t.Helper()
	if but != models.AdDaily {
		CheckIn(t, store, player, at)
		WatchAd(t, store, player, models.AdDaily, at)
	}
	if but != models.AdPrediction {
		Advice(t, store, player, at)
		WatchAd(t, store, player, models.AdPrediction, at.Add(time.Minute))
	}
	tickets := 10
	if but == models.AdSpin {
		tickets = 9
	}
	for i := range tickets {
		player = WatchAdForSpin(t, store, player, at.Add(time.Duration(2+i)*time.Minute))
	}
	return player
}

// SignIn is a player's call of the app.
func SignIn(t *testing.T, store *store.Store, a players.LaunchUser, at time.Time) models.Player {
	t.Helper()
	return Must(store.Players.SignIn(t.Context(), a, at))(t)
}

// WatchAdForSpin watches an ad for a spin and is told of it.
func WatchAdForSpin(t *testing.T, store *store.Store, player models.Player, at time.Time) models.Player {
	t.Helper()
	WatchAd(t, store, player, models.AdSpin, at)
	return Must(store.Wheel.TakenAdSpin(t.Context(), player.ID, Season, at.Add(11*time.Second)))(t)
}

// Gained is what lies between two moments of a player.
func Gained(before, after models.Player) (reward game.Reward, spins int64) {
	return game.Reward{
		Coins: after.Balances.Game - before.Balances.Game, Points: after.Balances.GamePoints - before.Balances.GamePoints,
	}, after.Balances.Spins - before.Balances.Spins
}

// WantGained checks what a player was paid between two moments.
func WantGained(t *testing.T, before, after models.Player, want game.Reward) {
	t.Helper()
	reward, _ := Gained(before, after)
	Equal(t, reward, want, "paid")
}

// TaskOf is a player's task of an action, as listed.
func TaskOf(t *testing.T, store *store.Store, id models.PlayerID, action game.TaskAction, now time.Time) models.PlayerTask {
	t.Helper()
	p := Must(store.Players.Player(t.Context(), id))(t)
	lists := Must(store.Tasks.Tasks(t.Context(), p, now))(t)
	all := slices.Concat(lists.Daily, lists.Permanent)
	i := slices.IndexFunc(all, func(task models.PlayerTask) bool { return task.Task.Action == action })
	if i < 0 {
		t.Fatalf("player %d has no %s", id, action)
	}
	return all[i]
}

// AdvanceTask does what a task asks, so many times.
func AdvanceTask(t *testing.T, store *store.Store, id models.PlayerID, action game.TaskAction, by int64, now time.Time) {
	t.Helper()
	player := Must(store.Players.Player(t.Context(), id))(t)
	switch action {
	case game.InviteFriends:
		for range by {
			CheckIn(t, store, Player(t, store, InvitedBy(player), ArrivedAt(now)), now)
		}
	case game.GetPrediction:
		Advice(t, store, player, now)
	default: // the event alone
		NoError(t, CountTask(t.Context(), store, id, action, by, now))
	}
}
