package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/given"
	"mcbk/ton"
)

// chain tells of one more transaction at each read, or fails.
type chain struct {
	mu    sync.Mutex
	reads []models.ChainCursor
	fails error
	head  int64
	heads int // how often it was asked for
	alone bool
	past  []models.ChainTransaction // oldest first
	back  error                     // of reading the past, after all of it was told
	backs int
	asked func()        // while the head is on its way; may be nil
	takes time.Duration // a read of what happened since
}

func (c *chain) Servers(context.Context) (int, error) {
	if c.alone {
		return 1, nil
	}
	return models.EnoughServers, nil
}

func (c *chain) Head(context.Context, time.Time) (models.ChainCursor, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.heads++
	if c.asked != nil {
		c.asked()
	}
	return models.ChainCursor{LT: c.head}, c.fails
}

// ReadBack tells of one transaction a page.
func (c *chain) ReadBack(_ context.Context, _ models.ChainCursor, _ time.Time, take func([]models.ChainTransaction) error) (models.History, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.backs++
	for _, one := range slices.Backward(c.past) {
		if err := take([]models.ChainTransaction{one}); err != nil {
			return models.History{}, err
		}
	}
	return models.History{}, c.back
}

func (c *chain) Read(_ context.Context, since models.ChainCursor, now time.Time) (models.History, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.reads = append(c.reads, since)
	time.Sleep(c.takes) // the bubble's
	if c.fails != nil {
		return models.History{}, c.fails
	}
	c.head++
	tx := models.ChainTransaction{ChainCursor: models.ChainCursor{LT: c.head}, Prev: since}
	return models.History{Since: since, Head: tx.ChainCursor, Transactions: []models.ChainTransaction{tx}, KnownUntil: now}, nil
}

// till is the shelf's treasury.
type till struct {
	mu       sync.Mutex
	pinned   models.Treasury
	is       bool
	recorded []models.History
	written  []time.Time          // when that was, by who recorded it
	expired  []models.ChainCursor // how far the chain was known
	prices   []game.PriceReading
	rate     game.Rate
	held     int64
	newest   time.Time // held payment
	returned int64
	ordered  time.Time            // the first order, if there is one
	stray    map[string]time.Time // when TON was seen that left with a payout's comment and did not settle it
	strayErr error
}

func (s *shelf) Treasury(context.Context) (models.Treasury, bool, error) {
	s.till.mu.Lock()
	defer s.till.mu.Unlock()
	return s.till.pinned, s.till.is, nil
}

func (s *shelf) BeginRecord(_ context.Context, network, address string, since models.ChainCursor) error {
	s.till.mu.Lock()
	defer s.till.mu.Unlock()
	s.till.pinned, s.till.is = models.Treasury{Network: network, Address: address, Cursor: since}, true
	return nil
}

func (s *shelf) FirstOrder(context.Context) (time.Time, bool, error) {
	s.till.mu.Lock()
	defer s.till.mu.Unlock()
	return s.till.ordered, !s.till.ordered.IsZero(), nil
}

func (s *shelf) Record(_ context.Context, h models.History, _ game.Season, now func() time.Time) (int, error) {
	s.till.mu.Lock()
	defer s.till.mu.Unlock()
	s.till.written = append(s.till.written, now())
	s.till.recorded = append(s.till.recorded, h)
	s.till.pinned.Cursor = h.Head
	return len(h.Transactions), nil
}

func (s *shelf) ExpireOrders(context.Context) (int64, error) {
	s.till.mu.Lock()
	defer s.till.mu.Unlock()
	s.till.expired = append(s.till.expired, s.till.pinned.Cursor)
	return 1, nil
}

func (s *shelf) KeepPrice(_ context.Context, r game.PriceReading) error {
	s.till.mu.Lock()
	defer s.till.mu.Unlock()
	s.till.prices = append(s.till.prices, r)
	return nil
}

// leads is a term with a treasury, by the time of the bubble it runs in.
func leads(store *shelf, sales Sales, held func() error) *leaderTerm {
	now := time.Now //nolint:forbidigo // the bubble's
	return newLeaderTerm(store, Options{Now: now, Season: given.Season, Sales: sales, Log: slog.New(slog.DiscardHandler)}, held)
}

func TestTheTreasuryIsPinnedAtItsHeadAndReadFromThereOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, c := new(shelf), &chain{head: 40}
		ctx, cancel := context.WithTimeout(t.Context(), 13*time.Second)
		defer cancel()
		leads(store, Sales{Network: "testnet", Treasury: "0:treasury", Chain: c}, holds).readChain(ctx)
		want := []models.ChainCursor{{LT: 40}, {LT: 41}, {LT: 42}}
		if !slices.Equal(c.reads, want) || c.heads != 1 || len(store.till.recorded) != 3 {
			t.Errorf("read after %v, recorded %d times; want %v", c.reads, len(store.till.recorded), want)
		}
		if want := []models.ChainCursor{{LT: 41}, {LT: 42}, {LT: 43}}; !slices.Equal(store.till.expired, want) {
			t.Errorf("orders were closed with the chain read to %v, want %v", store.till.expired, want)
		}
		if p := store.till.pinned; p.Network != "testnet" || p.Address != "0:treasury" {
			t.Errorf("pinned %+v", p)
		}
	})
}

// lived is a history of transactions so long before noon, each after the other.
func lived(ago ...time.Duration) (past []models.ChainTransaction) {
	var last models.ChainCursor
	for i, d := range ago {
		one := models.ChainTransaction{ChainCursor: models.ChainCursor{LT: int64(i+1) * 10, Hash: d.String()}, Prev: last, At: given.Noon.Add(-d)}
		past, last = append(past, one), one.ChainCursor
	}
	return past
}

func TestOrdersMadeBeforeTheFirstReadingAreBehindWhereTheRecordBegins(t *testing.T) {
	past := lived(time.Hour, maxClockDifference+time.Second, maxClockDifference, time.Second, 0)
	gone := fmt.Errorf("no server: %w", ton.ErrTruncated)
	for _, c := range []struct {
		name    string
		ordered time.Duration // so long before noon; negative for never
		past    []models.ChainTransaction
		back    error
		begins  models.ChainCursor
		backs   int
		told    bool // that something is missing
	}{
		{name: "without an order, at the head", ordered: -1, past: past, begins: models.ChainCursor{LT: 99}},
		{name: "before the first order, by more than clocks differ", past: past, begins: past[1].ChainCursor, backs: 1},
		{name: "long before all that came", ordered: 2 * time.Hour, past: past, backs: 1},
		{name: "nothing ever came", backs: 1},
		{name: "forgotten, at the oldest that is told", past: past[3:], back: gone, begins: past[2].ChainCursor, backs: maxTruncatedReads, told: true},
		{name: "all is forgotten", back: gone, begins: models.ChainCursor{LT: 99}, backs: maxTruncatedReads, told: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			store, chain := new(shelf), &chain{head: 99, past: c.past, back: c.back}
			if c.ordered >= 0 {
				store.till.ordered = given.Noon.Add(-c.ordered)
			}
			var log strings.Builder
			leaderTerm := leads(store, Sales{Treasury: "0:treasury", Chain: chain}, holds)
			leaderTerm.o.Log = slog.New(slog.NewTextHandler(&log, nil))
			for range 2 * maxTruncatedReads {
				if err := leaderTerm.read(t.Context()); err == nil {
					break
				}
			}
			if !store.till.is || store.till.pinned.Cursor != c.begins || chain.backs != c.backs {
				t.Errorf("pinned %v after %+v, read back %d times; want %+v, %d times", store.till.is, store.till.pinned.Cursor, chain.backs, c.begins, c.backs)
			}
			if told := strings.Count(log.String(), "level=ERROR"); (told == 1) != c.told || told > 1 {
				t.Errorf("told %d times that something is missing: %s", told, log.String())
			}
		})
	}
}

// While the chain cannot be read back nothing is pinned: what is paid meanwhile would be lost.
func TestNothingIsPinnedWhileThePastCannotBeRead(t *testing.T) {
	store, chain := new(shelf), &chain{head: 99, past: lived(0), back: errors.New("no server")}
	store.till.ordered = given.Noon
	leaderTerm := leads(store, Sales{Treasury: "0:treasury", Chain: chain}, holds)
	for range 2 * maxTruncatedReads {
		if err := leaderTerm.read(t.Context()); err == nil || store.till.is {
			t.Fatalf("pinned %v: %v", store.till.is, err)
		}
	}
}

// An order that is made once the head was read is paid after it; one that was made before must be seen.
func TestOrdersAreLookedForOnceTheHeadIsKnown(t *testing.T) {
	store, chain := new(shelf), &chain{head: 99, past: lived(time.Hour, 0)}
	chain.asked = func() { store.till.ordered = given.Noon }
	if err := leads(store, Sales{Treasury: "0:treasury", Chain: chain}, holds).read(t.Context()); err != nil || store.till.pinned.Cursor != chain.past[0].ChainCursor {
		t.Errorf("pinned after %+v, %v", store.till.pinned.Cursor, err)
	}
}

// A mine's first day is the one on which it is opened here: on the day before nobody can dig in it, and a daily digger must on each.
func TestAReadingThatSpansMidnightIsRecordedOnTheNewDay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, c := newShelf(), &chain{takes: 3 * time.Second}
		leaderTerm := leads(store, Sales{Network: "testnet", Treasury: "0:treasury", Chain: c}, holds)
		if err := leaderTerm.read(t.Context()); err != nil { // it is pinned
			t.Fatal(err)
		}
		today := game.DayOf(leaderTerm.o.Now())
		pause(t.Context(), (today + 1).Start().Add(-time.Second).Sub(leaderTerm.o.Now()))
		if err := leaderTerm.read(t.Context()); err != nil {
			t.Fatal(err)
		}
		want := []time.Time{(today + 1).Start().Add(2 * time.Second)}
		if advanced := store.did[models.TournamentsJob]; !slices.EqualFunc(store.till.written, want, time.Time.Equal) || !slices.EqualFunc(advanced, want, time.Time.Equal) {
			t.Errorf("recorded at %v, tournaments taken on at %v, want %v", store.till.written, advanced, want)
		}
		if known := store.till.recorded[0].KnownUntil; game.DayOf(known) != today { // the fake knows the chain as far as it was asked for
			t.Errorf("the chain was asked at %v", known)
		}
	})
}

func TestAHintMakesTheTreasuryBeReadSoonerButNotWhileThatFails(t *testing.T) {
	for fails, want := range map[bool]int{false: 13, true: 2} {
		synctest.Test(t, func(t *testing.T) {
			look := make(chan struct{}, 1)
			c := new(chain)
			if fails {
				c.fails = errors.New("no server")
			}
			ctx, cancel := context.WithTimeout(t.Context(), 12*time.Second+time.Millisecond)
			defer cancel()
			go func() {
				for ctx.Err() == nil {
					select {
					case look <- struct{}{}:
					default:
					}
					pause(ctx, 10*time.Millisecond)
				}
			}()
			leads(new(shelf), Sales{Treasury: "0:treasury", Chain: c, Wake: look}, holds).readChain(ctx)
			if got := c.heads + len(c.reads); got != want { // each second; at 0 and 8 seconds
				t.Errorf("failing %v: read %d times, want %d", fails, got, want)
			}
		})
	}
}

func TestTournamentsGoOnWithEachReadingOfTheChainAndByTheClock(t *testing.T) {
	store := newShelf()
	leaderTerm := newOffice().leader(store)
	leaderTerm.runAll(t.Context())
	if len(store.did[models.TournamentsJob]) != 1 || !slices.Equal(store.reminded, leaderTerm.o.Admins) {
		t.Errorf("took tournaments on at %v, reminding %v", store.did[models.TournamentsJob], store.reminded)
	}
	leaderTerm.o.Sales = Sales{Network: "testnet", Treasury: "0:treasury", Chain: new(chain)}
	for range 2 { // the first pins the treasury
		if err := leaderTerm.read(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if len(store.did[models.TournamentsJob]) != 2 {
		t.Errorf("took tournaments on at %v", store.did[models.TournamentsJob])
	}
}

// One miner who cannot be paid is no reason to show everybody's payments later.
func TestATournamentThatFailsDoesNotSlowTheReading(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, c := newShelf(), &chain{head: 40}
		store.err = errors.New("a miner's row is locked")
		ctx, cancel := context.WithTimeout(t.Context(), 13*time.Second)
		defer cancel()
		var log strings.Builder
		leaderTerm := leads(store, Sales{Treasury: "0:treasury", Chain: c}, holds)
		leaderTerm.o.Log = slog.New(slog.NewTextHandler(&log, nil))
		leaderTerm.readChain(ctx)
		if told := log.String(); len(c.reads) != 3 || strings.Contains(told, "the treasury was not read") || strings.Count(told, "a miner's row is locked") != 1 {
			t.Errorf("read %d times: %s", len(c.reads), told)
		}
	})
}

func TestAChainThatFailsIsReadAgainEverSlower(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, c := new(shelf), &chain{fails: errors.New("no server")}
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Second)
		defer cancel()
		leads(store, Sales{Treasury: "0:treasury", Chain: c}, holds).readChain(ctx)
		if n := c.heads; n != 5 { // at 0, 8, 24, 54 and 84 seconds
			t.Errorf("%d reads in a hundred seconds", n)
		}
		if store.till.is || len(store.till.recorded) > 0 {
			t.Errorf("kept %+v", store.till.recorded)
		}
	})
}

// panicking is a chain whose first readings end in a panic.
type panicking struct {
	chain
	reads int
}

func (c *panicking) Head(ctx context.Context, now time.Time) (models.ChainCursor, error) {
	if c.reads++; c.reads <= 2 {
		panic("no such cell")
	}
	return c.chain.Head(ctx, now)
}

func TestAReaderThatPanicsIsToldCountedAndTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, c, told, meter := new(shelf), new(panicking), new(strings.Builder), newGauge()
		asked := 0
		price := func(_ context.Context, now time.Time) (game.PriceReading, error) {
			if asked++; asked == 1 {
				panic("no such price")
			}
			return game.PriceReading{At: now, Price: game.USD}, nil
		}
		leader := leads(store, Sales{Treasury: "0:treasury", Chain: c, Price: price}, holds)
		leader.o.Log, leader.o.Meter = slog.New(slog.NewTextHandler(told, nil)), meter
		ctx, cancel := context.WithTimeout(t.Context(), 25*time.Second)
		defer cancel()
		leader.readChain(ctx) // at 0, 8 and 24 seconds
		if !store.till.is || meter.failed["read_treasury"] != 2 || strings.Count(told.String(), "panic: no such cell") != 2 {
			t.Errorf("read %d times, counted %v, told %s", c.reads, meter.failed, told)
		}
		ctx, cancel = context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		leader.readPrices(ctx) // at 0 and 15 seconds
		if asked != 2 || len(store.till.prices) != 1 || meter.failed["read_price"] != 1 || !strings.Contains(told.String(), "panic: no such price") ||
			!strings.Contains(told.String(), "chain_test.go") || strings.Contains(told.String(), "level=WARN") {
			t.Errorf("asked %d times, kept %d, counted %v, told %s", asked, len(store.till.prices), meter.failed, told)
		}
	})
}

func TestNothingIsRecordedForAnotherTreasuryOrWithoutTheLease(t *testing.T) {
	for name, change := range map[string]func(*shelf, *func() error){
		"another address": func(s *shelf, _ *func() error) { s.till.pinned.Address = "0:another" },
		"another network": func(s *shelf, _ *func() error) { s.till.pinned.Network = "mainnet" },
		"no lease":        func(_ *shelf, held *func() error) { *held = func() error { return errors.New("lost") } },
	} {
		store, c := new(shelf), new(chain)
		store.till.pinned, store.till.is = models.Treasury{Network: "testnet", Address: "0:treasury"}, true
		held := holds
		change(store, &held)
		if err := leads(store, Sales{Network: "testnet", Treasury: "0:treasury", Chain: c}, held).read(t.Context()); err == nil || len(store.till.recorded) > 0 {
			t.Errorf("%s: %v, recorded %+v", name, err, store.till.recorded)
		}
	}
}

func TestThePriceIsKeptEveryTwoMinutesAndAskedAgainSoonAfterAFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store, asked := new(shelf), 0
		price := func(_ context.Context, now time.Time) (game.PriceReading, error) {
			switch asked++; asked {
			case 2:
				return game.PriceReading{At: now}, errors.New("no service")
			case 3:
				time.Sleep(31 * time.Second) // the process stood still: by now it is a price of the past
			}
			return game.PriceReading{At: now, Price: 2_500_000}, nil
		}
		ctx, cancel := context.WithTimeout(t.Context(), 7*time.Minute)
		defer cancel()
		leads(store, Sales{Price: price}, holds).readPrices(ctx)
		if asked != 6 || len(store.till.prices) != 4 { // at 0, 120, again 135, again 167, 287 and 407 seconds
			t.Errorf("asked %d times, kept %d", asked, len(store.till.prices))
		}
	})
}

func (s *shelf) Rate(context.Context, time.Time) (game.Rate, error) { return s.till.rate, nil }

func (s *shelf) HeldPayments(context.Context, int) ([]models.HeldPayment, int64, error) {
	return nil, s.till.held, nil
}

func (s *shelf) NewestHeld(context.Context) (time.Time, error) { return s.till.newest, nil }

func TestTheAdminsAreToldOfWhatIsWrongWithSales(t *testing.T) {
	store := newShelf()
	leaderTerm := newOffice().leader(store)
	leaderTerm.o.Sales.Treasury = "0:treasury"
	raised := map[alarmKey]bool{} // by the last leader
	alarms := func(after time.Duration) map[models.AlarmName]bool {
		t.Helper()
		readings, err := leaderTerm.salesReadings(t.Context(), leaderTerm.since.Add(after), raised)
		if err != nil {
			t.Fatal(err)
		}
		on := map[models.AlarmName]bool{}
		for _, r := range readings {
			on[r.Name] = r.On
		}
		return on
	}
	is := func(what string, got map[models.AlarmName]bool, chain, price bool) {
		t.Helper()
		if want := map[models.AlarmName]bool{models.AlarmChainBehind: chain, models.AlarmPriceStale: price}; !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v", what, got)
		}
	}
	is("just leading", alarms(time.Minute), false, false)
	is("nothing is read", alarms(11*time.Minute), true, true)
	lastRead := func(before time.Duration) {
		store.till.is, store.till.pinned.KnownUntil, store.till.rate.At = true, leaderTerm.since.Add(-before), leaderTerm.since.Add(-before)
	}
	lastRead(time.Minute)
	is("read by the last leader, not by this one", alarms(time.Minute+time.Second), true, false)
	is("for longer", alarms(game.PriceFresh), true, true)
	lastRead(maxChainLag + handoverTime)
	is("too old from the beginning", alarms(gracePeriod), false, false)
	is("and not read soon", alarms(gracePeriod+time.Second), true, false)
	lastRead(maxChainLag + handoverTime + time.Second)
	is("after minutes in which nobody led", alarms(time.Minute), false, false)
	store.till.is, store.till.pinned.KnownUntil, store.till.rate.At = false, time.Time{}, time.Time{}
	raised[alarmKey{models.AlarmChainBehind, ""}], raised[alarmKey{models.AlarmPriceStale, ""}] = true, true
	is("just leading, and never was anything read", alarms(0), true, true)
	store.till.is, store.till.pinned.KnownUntil, store.till.rate.At = true, leaderTerm.since.Add(-time.Hour), leaderTerm.since.Add(-time.Hour)
	is("just leading, and what was read is old", alarms(0), true, true)
	store.till.is, store.till.pinned.KnownUntil, store.till.rate.At = true, leaderTerm.since.Add(9*time.Minute), leaderTerm.since.Add(2*time.Minute)
	is("read, and still late", alarms(10*time.Minute), true, false)
	is("read", alarms(10*time.Minute-time.Second), false, false)
}

func TestOneLiteServerIsWarnedOfOnce(t *testing.T) {
	for alone, want := range map[bool]int{true: 1, false: 0} {
		synctest.Test(t, func(t *testing.T) {
			var log strings.Builder
			ctx, cancel := context.WithTimeout(t.Context(), 13*time.Second)
			defer cancel()
			leaderTerm := leads(new(shelf), Sales{Network: "testnet", Treasury: "0:treasury", Chain: &chain{alone: alone}}, holds)
			leaderTerm.o.Log = slog.New(slog.NewTextHandler(&log, nil))
			leaderTerm.readChain(ctx)
			if got := strings.Count(log.String(), "too few lite servers"); got != want {
				t.Errorf("alone %v: warned %d times, want %d:\n%s", alone, got, want, log.String())
			}
		})
	}
}

// Each payout is told of by itself, lest the second of an evening hide behind the first.
func TestTheAdminsAreToldForADayOfEachPayoutThatMayHaveBeenPaidTwice(t *testing.T) {
	store, o := newShelf(), newOffice()
	leader := o.leader(store)
	leader.o.Sales.Treasury = "0:treasury"
	leader.runAll(t.Context())
	looks := func(after time.Duration) []string {
		o.clock.Step(after)
		store.till.mu.Lock()
		store.till.is, store.till.pinned.KnownUntil, store.till.rate.At = true, o.clock.Now(), o.clock.Now()
		store.till.mu.Unlock()
		leader.runAll(t.Context())
		return store.heard(t.Context(), leader)
	}
	heard(t, "before", looks(time.Minute))
	store.till.stray = map[string]time.Time{"MCBK-3": o.clock.Now()}
	heard(t, "one strays", looks(time.Second), "raised payout_stray MCBK-3")
	heard(t, "hours later", looks(5*time.Hour))
	store.till.stray["MCBK-5"] = o.clock.Now()
	heard(t, "another strays", looks(time.Second), "raised payout_stray MCBK-5")
	store.till.stray = nil
	store.till.strayErr = errors.New("slow")
	heard(t, "nobody knows", looks(time.Minute))
	store.till.strayErr = nil
	store.till.stray = map[string]time.Time{"MCBK-5": o.clock.Now()}
	heard(t, "the first is a day old", looks(time.Minute), "ended payout_stray MCBK-3")
	heard(t, "all are", looks(24*time.Hour), "ended payout_stray MCBK-5")
}
