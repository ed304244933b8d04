package ads_test

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/ads"
	"mcbk/models/modelstest"
	"mcbk/models/store"
)

// adDay is a player's day of ads in a model of a few lines: what they should own after it.
type adDay struct {
	now       time.Time
	visited   map[game.Day]bool
	doubled   map[game.Day]bool
	asked     map[game.Day]int64
	settled   map[int64]models.AdviceState
	open      []models.AdTicket
	rewards   int // that callbacks paid
	points    int64
	coins     game.MicroMCBK
	confirmed int // callbacks that settled a ticket
}

// Whatever is started, closed, called back, repeated or late: every word of the network that
// settles a ticket pays at most once what the ticket was for, and nothing else pays.
func TestAnyAdSchedulePaysEachConfirmedReward(t *testing.T) {
	t.Parallel()
	store := modelstest.Store(t, "sqlite")
	settled := 0
	schedule := func(r *rapid.T) {
		player := modelstest.Player(t, store)
		d := adDay{
			now: modelstest.Noon.Add(rapid.SampledFrom([]time.Duration{0, 12*time.Hour - 20*time.Second}).Draw(r, "the first moment")), visited: map[game.Day]bool{},
			doubled: map[game.Day]bool{}, asked: map[game.Day]int64{}, settled: map[int64]models.AdviceState{},
		}
		for range rapid.IntRange(4, 16).Draw(r, "steps") {
			step := rapid.SampledFrom([]string{"check in", "ask", "claim", "start daily", "start prediction", "start prediction", "callback", "callback", "callback named"}).Draw(r, "step")
			d.now = d.now.Add(rapid.SampledFrom([]time.Duration{0, time.Second, 5 * time.Second, 12 * time.Second, 3 * time.Minute, 59 * time.Minute}).Draw(r, "wait"))
			d.step(t, r, store, player, step)
		}
		after, err := store.Players.Player(t.Context(), player.ID)
		if err != nil || after.Balances.Game != d.coins || after.Balances.GamePoints != d.points {
			r.Fatalf("owns %d and %d, want %d and %d: %v", after.Balances.Game, after.Balances.GamePoints, d.coins, d.points, err)
		}
		settled += d.confirmed
		var paid int
		err = store.DB.Read(t.Context()).Raw("SELECT COUNT(*) FROM ad_tickets WHERE player_id = ? AND paid", player.ID).Scan(&paid).Error
		if err != nil || paid != d.rewards {
			r.Fatalf("%d tickets paid, want %d: %v", paid, d.rewards, err)
		}
	}
	for range 4 { // a schedule is short, and what is wrong with few of them is found by many
		rapid.Check(t, schedule)
	}
	modelstest.Sound(t, store)
	if settled == 0 {
		t.Error("nobody watched an ad")
	}
}

func (d *adDay) step(t *testing.T, r *rapid.T, store *store.Store, player models.Player, step string) {
	t.Helper()
	today := game.DayOf(d.now)
	pays := func(reward game.Reward) { d.coins, d.points = d.coins+reward.Coins, d.points+reward.Points }
	switch step {
	case "check in":
		paid, after, err := store.Daily.CheckIn(t.Context(), modelstest.By(player), modelstest.Season, d.now)
		if err != nil || paid == d.visited[today] {
			r.Fatalf("check in: %t, %v", paid, err)
		}
		if paid {
			d.visited[today] = true
			pays(game.DefaultCheckIn.On(after.Visits.Streak))
		}
	case "ask":
		advice, err := store.Daily.Advice(t.Context(), modelstest.By(player), modelstest.AdviceTexts, modelstest.Season, d.now)
		if state := d.settled[d.asked[today]]; (err != nil) != (state != "") {
			r.Fatalf("ask: %v, its advice is %q", err, state)
		}
		if err == nil {
			d.asked[today] = advice.ID
		}
	case "claim":
		_, err := store.Daily.ClaimAdvice(t.Context(), modelstest.By(player), d.asked[today], modelstest.Season, d.now)
		if may := d.asked[today] != 0 && d.settled[d.asked[today]] == ""; (err == nil) != may {
			r.Fatalf("claim: %v", err)
		}
		if err == nil {
			d.settled[d.asked[today]] = models.AdviceClaimed
			pays(game.Reward{Points: game.AdvicePoints})
		}
	case "start daily":
		d.start(t, r, store, player, models.AdDaily, d.visited[today] && !d.doubled[today])
	case "start prediction":
		d.start(t, r, store, player, models.AdPrediction, d.asked[today] != 0 && d.settled[d.asked[today]] == "")
	case "callback":
		d.called(t, r, store, ads.AdCallback{TelegramID: player.TelegramID}, pays)
	case "callback named":
		if len(d.open) > 0 {
			named := rapid.SampledFrom(d.open).Draw(r, "ticket")
			d.called(t, r, store, ads.AdCallback{TelegramID: player.TelegramID, Ticket: named.Ticket}, pays)
		}
	}
}

func (d *adDay) start(t *testing.T, r *rapid.T, store *store.Store, player models.Player, purpose models.AdPurpose, offered bool) {
	t.Helper()
	ticket, err := store.Ads.StartAd(t.Context(), player.ID, purpose, 0, modelstest.Season, d.now)
	if (err == nil) != offered {
		r.Fatalf("start %s: %v", purpose, err)
	}
	if err == nil {
		d.open = append(d.open, ticket)
	}
}

// called compares what the network's word settled with the oldest ticket that is open and of
// the right age, and adds what it should have paid.
func (d *adDay) called(t *testing.T, r *rapid.T, store *store.Store, c ads.AdCallback, pays func(game.Reward)) {
	t.Helper()
	got, settled, err := store.Ads.ConfirmAd(t.Context(), c, d.now)
	i := slices.IndexFunc(d.open, func(o models.AdTicket) bool {
		age := d.now.Sub(o.OpenedAt)
		return age >= 5*time.Second && age <= models.AdTicketAge && (c.Ticket == "" || c.Ticket == o.Ticket)
	})
	if err != nil || settled != (i >= 0) {
		r.Fatalf("a callback at %s settled %t, %v; open are %+v", d.now, settled, err, d.open)
	}
	if !settled {
		return
	}
	ticket := d.open[i]
	if !got.OpenedAt.Equal(ticket.OpenedAt) {
		r.Fatalf("settled the ticket of %s, not of %s", got.OpenedAt, ticket.OpenedAt)
	}
	i = slices.IndexFunc(d.open, func(o models.AdTicket) bool { return o.Ticket == got.Ticket }) // of two at once, either
	ticket = d.open[i]
	d.open = slices.Delete(d.open, i, i+1)
	d.confirmed++
	switch {
	case ticket.Purpose == models.AdDaily && !d.doubled[ticket.Day]:
		d.doubled[ticket.Day] = true
		streak := 1
		if d.visited[ticket.Day-1] {
			streak = 2
		}
		d.rewards++
		pays(game.DefaultCheckIn.On(streak))
	case ticket.Purpose == models.AdPrediction && d.settled[ticket.TargetID] != models.AdviceDoubled:
		if d.settled[ticket.TargetID] == "" {
			pays(game.Reward{Points: game.AdvicePoints})
		}
		d.settled[ticket.TargetID] = models.AdviceDoubled
		d.rewards++
		pays(game.Reward{Points: game.AdvicePoints})
	}
}
