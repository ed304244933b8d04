package ads_test

import (
	"database/sql"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/ads"
	"mcbk/models/db"
	"mcbk/models/modelstest"
	"mcbk/models/store"
)

func TestMain(m *testing.M) { modelstest.Main(m) }

func TestCallbackSettlesOldestTicketOfValidAge(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		modelstest.CheckIn(t, store, player, modelstest.Noon)
		first := modelstest.OpenAd(t, store, player, models.AdDaily, modelstest.Noon)
		second := modelstest.OpenAd(t, store, player, models.AdDaily, modelstest.Noon.Add(time.Second))
		says := func(what, ticket string, after time.Duration, want models.AdTicket) (settled models.AdTicket) {
			t.Helper()
			settled, _, err := store.Ads.ConfirmAd(t.Context(), ads.AdCallback{TelegramID: player.TelegramID, Ticket: ticket}, modelstest.Noon.Add(after))
			modelstest.NoError(t, err, what)
			modelstest.Equal(t, settled.Ticket, want.Ticket, what)
			return settled
		}
		none := models.AdTicket{}
		says("an ad of less than five seconds", "", 4999*time.Millisecond, none)
		if settled := says("the oldest", "", 5*time.Second, first); !settled.OpenedAt.Equal(modelstest.Noon) || !settled.Paid {
			t.Errorf("settled %+v", settled)
		}
		says("the same word again, before the next ticket is old enough", "", 5500*time.Millisecond, none)
		says("a settled ticket", first.Ticket, time.Minute, none)
		says("a ticket older than an hour", "", time.Second+models.AdTicketAge+time.Millisecond, none)
		settled := says("the named ticket", second.Ticket, time.Second+models.AdTicketAge, second)
		modelstest.Equal(t, settled.Paid, false, "nothing is left to double")
	})
}

// To a network that is told that all is well the ad is done with, and the player would never be paid.
func TestCallbackFailsWhileTicketIsUnreadable(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		player := modelstest.Player(t, store)
		modelstest.CheckIn(t, store, player, modelstest.Noon)
		ticket := modelstest.OpenAd(t, store, player, models.AdDaily, modelstest.Noon)
		callback, at := ads.AdCallback{TelegramID: player.TelegramID, Ticket: ticket.Ticket}, modelstest.Noon.Add(time.Minute)
		modelstest.MustExec(t, raw, "ALTER TABLE ad_tickets RENAME TO ad_tickets_out_of_reach")
		if _, settled, err := store.Ads.ConfirmAd(t.Context(), callback, at); err == nil {
			t.Errorf("settled %t, without an error", settled)
		}
		modelstest.MustExec(t, raw, "ALTER TABLE ad_tickets_out_of_reach RENAME TO ad_tickets")
		if _, settled, err := store.Ads.ConfirmAd(t.Context(), callback, at); !settled || err != nil {
			t.Errorf("told again: settled %t, %v", settled, err)
		}
	})
}

func TestCallbackOfUnknownPlayerSettlesNothing(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player, other := modelstest.Player(t, store), modelstest.Player(t, store)
		modelstest.CheckIn(t, store, player, modelstest.Noon)
		ticket := modelstest.OpenAd(t, store, player, models.AdDaily, modelstest.Noon)
		for _, callback := range []ads.AdCallback{
			{TelegramID: modelstest.TelegramID()},
			{TelegramID: other.TelegramID},
			{TelegramID: other.TelegramID, Ticket: ticket.Ticket},
			{TelegramID: player.TelegramID, Ticket: "no such ticket"},
		} {
			if _, any, err := store.Ads.ConfirmAd(t.Context(), callback, modelstest.Noon.Add(time.Minute)); any || err != nil {
				t.Errorf("%+v settled something: %v", callback, err)
			}
		}
		modelstest.Fails(store.Ads.CompleteAd(t.Context(), other.ID, ticket.Ticket, true, modelstest.Noon.Add(time.Minute)))(t, db.ErrNotFound, "another's ticket")
	})
}

func TestFiftyConcurrentCallbacksPayOnce(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		modelstest.CheckIn(t, store, player, modelstest.Noon)
		modelstest.OpenAd(t, store, player, models.AdDaily, modelstest.Noon)
		var times atomic.Int32
		modelstest.FiftyAtOnce(t, "", func() error {
			settled, err := modelstest.Retry(func() (bool, error) {
				_, settled, err := store.Ads.ConfirmAd(t.Context(), ads.AdCallback{TelegramID: player.TelegramID}, modelstest.Noon.Add(time.Minute))
				return settled, err
			})
			if settled {
				times.Add(1)
			}
			return err
		})
		_, after, err := store.Daily.DoubledCheckIn(t.Context(), player.ID, modelstest.Season, modelstest.Noon.Add(time.Minute))
		if err != nil || times.Load() != 1 || after.Balances.Game != 2*game.MCBK {
			t.Errorf("settled %d times: %+v, %v", times.Load(), after.Balances, err)
		}
	})
}

func TestOnlyTrustedAppConfirmsAds(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		modelstest.CheckIn(t, store, player, modelstest.Noon)
		ticket := modelstest.OpenAd(t, store, player, models.AdDaily, modelstest.Noon)
		complete := func(trusted bool, after time.Duration) (bool, error) {
			return store.Ads.CompleteAd(t.Context(), player.ID, ticket.Ticket, trusted, modelstest.Noon.Add(after))
		}
		modelstest.Returns(complete(false, time.Minute))(t, false, "the word of an app that is not trusted")
		modelstest.Refuses(complete(true, 4*time.Second))(t, models.AdNotConfirmed, "after four seconds")
		modelstest.Refuses(complete(true, models.AdTicketAge+time.Second))(t, models.Expired, "after an hour")
		for range 2 {
			modelstest.Returns(complete(true, 5*time.Second))(t, true, "after five seconds")
		}
		modelstest.Returns(complete(false, 2*time.Hour))(t, true, "a confirmed ticket, later")
		_, after, err := store.Daily.DoubledCheckIn(t.Context(), player.ID, modelstest.Season, modelstest.Noon.Add(time.Minute))
		if err != nil || after.Balances.Game != 2*game.MCBK {
			t.Errorf("paid %+v, %v", after.Balances, err)
		}
	})
}

func TestAdsAreLimitedByHourAndDay(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		morning := game.DayOf(modelstest.Noon).Start()
		modelstest.CheckIn(t, store, player, morning)
		start := func(at time.Time) error {
			return modelstest.ErrorOf(store.Ads.StartAd(t.Context(), player.ID, models.AdDaily, 0, modelstest.Season, at))
		}
		waits := func(what string, err error, want time.Duration) {
			t.Helper()
			modelstest.WantRefusal(t, err, models.RateLimited, what)
			var refusal *game.Refusal
			if errors.As(err, &refusal) && refusal.RetryAfter != want {
				t.Errorf("%s: wait %s, want %s", what, refusal.RetryAfter, want)
			}
		}
		at := morning
		for hour := range 3 {
			for i := range 20 {
				at = morning.Add(time.Duration(hour)*time.Hour + time.Duration(i)*time.Second)
				modelstest.NoError(t, start(at), "ad", i+1, "of hour", hour+1)
			}
			if hour < 2 {
				waits("the 21st of an hour", start(at.Add(time.Second)), time.Hour-20*time.Second)
			}
		}
		waits("the 61st of a day", start(morning.Add(23*time.Hour)), time.Hour)
		midnight := morning.Add(24 * time.Hour)
		modelstest.CheckIn(t, store, player, midnight)
		modelstest.NoError(t, start(midnight), "the next day")
	})
}

func TestAdsHaveOnlyDailyLimitWithoutHourlyLimit(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		store.DB.LiftHourlyLimits()
		player := modelstest.Player(t, store)
		modelstest.CheckIn(t, store, player, modelstest.Noon)
		for range 60 {
			modelstest.OpenAd(t, store, player, models.AdDaily, modelstest.Noon)
		}
		modelstest.Refuses(store.Ads.StartAd(t.Context(), player.ID, models.AdDaily, 0, modelstest.Season, modelstest.Noon))(t, models.RateLimited, "the 61st of a day")
	})
}

func TestOldOffersExpire(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		modelstest.CheckIn(t, store, player, modelstest.Noon)
		ticket := modelstest.OpenAd(t, store, player, models.AdDaily, modelstest.Noon)
		modelstest.Advice(t, store, player, modelstest.Noon)
		expire := func(at time.Time, want int64) {
			t.Helper()
			modelstest.Returns(store.Ads.ExpireOffers(t.Context(), at))(t, want, "at", at, "offers expired")
		}
		expire(modelstest.Noon.Add(models.AdTicketAge), 0)
		expire(modelstest.Noon.Add(models.AdTicketAge+time.Second), 1)
		expire(modelstest.Noon.Add(12*time.Hour), 1)
		modelstest.Refuses(store.Ads.CompleteAd(t.Context(), player.ID, ticket.Ticket, true, modelstest.Noon.Add(time.Minute)))(t, models.Expired, "an expired ticket")
	})
}
