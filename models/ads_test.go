package models_test

import (
	"database/sql"
	"errors"
	"sync"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/given"
)

func TestTheNetworksWordCountsForTheOldestTicketOfRightAge(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		player := given.Player(t, store)
		checkIn(t, store, player, given.Noon)
		first := opened(t, store, player, models.AdDaily, given.Noon)
		second := opened(t, store, player, models.AdDaily, given.Noon.Add(time.Second))
		says := func(ticket string, at time.Time) (models.AdTicket, bool) {
			t.Helper()
			settled, any, err := store.ConfirmAd(t.Context(), models.AdCallback{TelegramID: player.TelegramID, Ticket: ticket}, at)
			if err != nil {
				t.Errorf("the network's word: %v", err)
			}
			return settled, any
		}
		if _, any := says("", given.Noon.Add(4999*time.Millisecond)); any {
			t.Error("an ad of less than five seconds counted")
		}
		if settled, any := says("", given.Noon.Add(5*time.Second)); !any || settled.Ticket != first.Ticket || !settled.OpenedAt.Equal(given.Noon) || !settled.Paid {
			t.Errorf("settled %+v, %t; want the oldest", settled, any)
		}
		if _, any := says("", given.Noon.Add(5500*time.Millisecond)); any {
			t.Error("the same word again, before the next ticket is old enough, counted")
		}
		if _, any := says(first.Ticket, given.Noon.Add(time.Minute)); any {
			t.Error("a settled ticket was settled again")
		}
		if _, any := says("", given.Noon.Add(time.Second+models.AdTicketAge+time.Millisecond)); any {
			t.Error("a ticket older than an hour counted")
		}
		if settled, any := says(second.Ticket, given.Noon.Add(time.Second+models.AdTicketAge)); !any || settled.Ticket != second.Ticket || settled.Paid {
			t.Errorf("the named ticket, with nothing left to double: %+v, %t", settled, any)
		}
		given.Sound(t, store)
	})
}

// To a network that is told that all is well the ad is done with, and the player would never be paid.
func TestTheNetworksWordIsNotTakenWhileTheTicketCannotBeRead(t *testing.T) {
	eachAddress(t, func(t *testing.T, store *models.Store, raw *sql.DB) {
		player := given.Player(t, store)
		checkIn(t, store, player, given.Noon)
		ticket := opened(t, store, player, models.AdDaily, given.Noon)
		callback, at := models.AdCallback{TelegramID: player.TelegramID, Ticket: ticket.Ticket}, given.Noon.Add(time.Minute)
		do(t, raw, "ALTER TABLE ad_tickets RENAME TO ad_tickets_out_of_reach")
		if _, settled, err := store.ConfirmAd(t.Context(), callback, at); err == nil {
			t.Errorf("settled %t, without an error", settled)
		}
		do(t, raw, "ALTER TABLE ad_tickets_out_of_reach RENAME TO ad_tickets")
		if _, settled, err := store.ConfirmAd(t.Context(), callback, at); !settled || err != nil {
			t.Errorf("told again: settled %t, %v", settled, err)
		}
	})
}

func TestAStrangersWordSettlesNothing(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		player, other := given.Player(t, store), given.Player(t, store)
		checkIn(t, store, player, given.Noon)
		ticket := opened(t, store, player, models.AdDaily, given.Noon)
		for _, callback := range []models.AdCallback{
			{TelegramID: given.TelegramID()},
			{TelegramID: other.TelegramID},
			{TelegramID: other.TelegramID, Ticket: ticket.Ticket},
			{TelegramID: player.TelegramID, Ticket: "no such ticket"},
		} {
			if _, any, err := store.ConfirmAd(t.Context(), callback, given.Noon.Add(time.Minute)); any || err != nil {
				t.Errorf("%+v settled something: %v", callback, err)
			}
		}
		_, err := store.CompleteAd(t.Context(), other.ID, ticket.Ticket, true, given.Noon.Add(time.Minute))
		if !errors.Is(err, models.ErrNotFound) {
			t.Errorf("another's ticket: %v", err)
		}
		given.Sound(t, store)
	})
}

func TestTheNetworksWordFiftyTimesAtOncePaysOnce(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		player := given.Player(t, store)
		checkIn(t, store, player, given.Noon)
		opened(t, store, player, models.AdDaily, given.Noon)
		var (
			calls sync.WaitGroup
			mu    sync.Mutex
			times int
		)
		for range 50 {
			calls.Go(func() {
				settled, err := patiently(func() (bool, error) {
					_, settled, err := store.ConfirmAd(t.Context(), models.AdCallback{TelegramID: player.TelegramID}, given.Noon.Add(time.Minute))
					return settled, err
				})
				mu.Lock()
				defer mu.Unlock()
				if err != nil {
					t.Errorf("the network's word: %v", err)
				}
				if settled {
					times++
				}
			})
		}
		calls.Wait()
		_, after, err := store.DoubledCheckIn(t.Context(), player.ID, given.Season, given.Noon.Add(time.Minute))
		if err != nil || times != 1 || after.Balances.Game != 2*game.MCBK {
			t.Errorf("settled %d times: %+v, %v", times, after.Balances, err)
		}
		given.Sound(t, store)
	})
}

func TestOnlyATrustedAppsWordConfirms(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		player := given.Player(t, store)
		checkIn(t, store, player, given.Noon)
		ticket := opened(t, store, player, models.AdDaily, given.Noon)
		complete := func(trusted bool, after time.Duration) (bool, error) {
			return store.CompleteAd(t.Context(), player.ID, ticket.Ticket, trusted, given.Noon.Add(after))
		}
		if confirmed, err := complete(false, time.Minute); confirmed || err != nil {
			t.Errorf("the word of an app that is not trusted: %t, %v", confirmed, err)
		}
		_, err := complete(true, 4*time.Second)
		refusedWith(t, "after four seconds", err, models.AdNotConfirmed)
		_, err = complete(true, models.AdTicketAge+time.Second)
		refusedWith(t, "after an hour", err, models.Expired)
		for range 2 {
			if confirmed, err := complete(true, 5*time.Second); !confirmed || err != nil {
				t.Errorf("after five seconds: %t, %v", confirmed, err)
			}
		}
		if confirmed, err := complete(false, 2*time.Hour); !confirmed || err != nil {
			t.Errorf("a confirmed ticket, later: %t, %v", confirmed, err)
		}
		_, after, err := store.DoubledCheckIn(t.Context(), player.ID, given.Season, given.Noon.Add(time.Minute))
		if err != nil || after.Balances.Game != 2*game.MCBK {
			t.Errorf("paid %+v, %v", after.Balances, err)
		}
		given.Sound(t, store)
	})
}

func TestAdsAreLimitedByTheHourAndTheDay(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		player := given.Player(t, store)
		morning := game.DayOf(given.Noon).Start()
		checkIn(t, store, player, morning)
		start := func(at time.Time) error {
			_, err := store.StartAd(t.Context(), player.ID, models.AdDaily, 0, given.Season, at)
			return err
		}
		waits := func(what string, err error, want time.Duration) {
			t.Helper()
			refusedWith(t, what, err, models.RateLimited)
			var refusal *game.Refusal
			if errors.As(err, &refusal) && refusal.RetryAfter != want {
				t.Errorf("%s: wait %s, want %s", what, refusal.RetryAfter, want)
			}
		}
		at := morning
		for hour := range 3 {
			for i := range 20 {
				at = morning.Add(time.Duration(hour)*time.Hour + time.Duration(i)*time.Second)
				if err := start(at); err != nil {
					t.Fatalf("ad %d of hour %d: %v", i+1, hour+1, err)
				}
			}
			if hour < 2 {
				waits("the 21st of an hour", start(at.Add(time.Second)), time.Hour-20*time.Second)
			}
		}
		waits("the 61st of a day", start(morning.Add(23*time.Hour)), time.Hour)
		midnight := morning.Add(day)
		checkIn(t, store, player, midnight)
		if err := start(midnight); err != nil {
			t.Errorf("the next day: %v", err)
		}
		given.Sound(t, store)
	})
}

func TestOnlyTheDayLimitsAdsWhereNoHoursAreCounted(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		store.LiftHourlyLimits()
		player := given.Player(t, store)
		checkIn(t, store, player, given.Noon)
		for range 60 {
			opened(t, store, player, models.AdDaily, given.Noon)
		}
		_, err := store.StartAd(t.Context(), player.ID, models.AdDaily, 0, given.Season, given.Noon)
		refusedWith(t, "the 61st of a day", err, models.RateLimited)
		given.Sound(t, store)
	})
}

func TestOffersThatAreTooOldExpire(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		player := given.Player(t, store)
		checkIn(t, store, player, given.Noon)
		ticket := opened(t, store, player, models.AdDaily, given.Noon)
		advised(t, store, player, given.Noon)
		expire := func(at time.Time, want int64) {
			t.Helper()
			if rows, err := store.ExpireOffers(t.Context(), at); err != nil || rows != want {
				t.Errorf("at %s %d offers expired, want %d: %v", at, rows, want, err)
			}
		}
		expire(given.Noon.Add(models.AdTicketAge), 0)
		expire(given.Noon.Add(models.AdTicketAge+time.Second), 1)
		expire(given.Noon.Add(12*time.Hour), 1)
		_, err := store.CompleteAd(t.Context(), player.ID, ticket.Ticket, true, given.Noon.Add(time.Minute))
		refusedWith(t, "an expired ticket", err, models.Expired)
		given.Sound(t, store)
	})
}
