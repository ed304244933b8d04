package jobs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/mines"
	"mcbk/models/modelstest"
	"mcbk/models/treasury"
	"mcbk/ton"
)

// fakeChain has one more transaction at each read, or fails.
type fakeChain struct {
	reads    []models.ChainCursor
	heads    int // calls of Head
	backs    int // calls of ReadBack
	fails    error
	head     int64
	single   bool                        // only one lite server is listed
	past     []treasury.ChainTransaction // oldest first
	back     error                       // of ReadBack, after all of the past
	onHead   func()                      // may be nil
	duration time.Duration               // of Read
}

func (c *fakeChain) Servers(context.Context) (int, error) {
	if c.single {
		return 1, nil
	}
	return treasury.EnoughServers, nil
}

func (c *fakeChain) Head(context.Context, time.Time) (models.ChainCursor, error) {
	c.heads++
	if c.onHead != nil {
		c.onHead()
	}
	return cursorAt(c.head), c.fails
}

// ReadBack has one transaction a page.
func (c *fakeChain) ReadBack(_ context.Context, _ models.ChainCursor, _ time.Time, take func([]treasury.ChainTransaction) error) (treasury.History, error) {
	c.backs++
	for _, one := range slices.Backward(c.past) {
		if err := take([]treasury.ChainTransaction{one}); err != nil {
			return treasury.History{}, err
		}
	}
	return treasury.History{}, c.back
}

func (c *fakeChain) Read(_ context.Context, since models.ChainCursor, now time.Time) (treasury.History, error) {
	c.reads = append(c.reads, since)
	time.Sleep(c.duration)
	if c.fails != nil {
		return treasury.History{}, c.fails
	}
	c.head++
	tx := treasury.ChainTransaction{ChainCursor: cursorAt(c.head), Prev: since, At: now, Kind: "other", BoC: []byte{1}}
	return treasury.History{Since: since, Head: tx.ChainCursor, Transactions: []treasury.ChainTransaction{tx}, KnownUntil: now, Agreed: treasury.EnoughServers}, nil
}

// sell begins a leader's term that reads the treasury 0:treasury on testnet from a chain.
func (h *harness) sell(c Chain) *leaderTerm {
	leader := h.lead()
	leader.o.Sales = Sales{Network: "testnet", Treasury: "0:treasury", Chain: c}
	return leader
}

func (h *harness) readFor(leader *leaderTerm, d time.Duration) {
	ctx, cancel := context.WithTimeout(h.Context(), d)
	defer cancel()
	leader.readChain(ctx)
}

// order stores an order that a player made at a time.
func (h *harness) order(made, expires time.Time) {
	h.Helper()
	player := modelstest.Player(h, h.store)
	h.exec(`INSERT INTO orders (player_id, kind, comment, amount, coins, ton_price, mcbk_price, state, created_at, expires_at)
		VALUES (?, 'purchase', 'MC-' || ?, 1, 1, 1, 1, 'pending', ?, ?)`, player.ID, player.ID, made, expires)
}

// treasury is the pinned treasury.
func (h *harness) treasury() (t models.Treasury, pinned bool) {
	h.Helper()
	t, pinned, err := h.store.Treasury.Treasury(h.Context())
	modelstest.NoError(h, err)
	return t, pinned
}

func TestTreasuryIsPinnedAndReadFromItsHead(t *testing.T) {
	bubble(t, func(h *harness) {
		c := &fakeChain{head: 40}
		leader := h.sell(c)
		h.readFor(leader, time.Second)
		if is, pinned := h.treasury(); !pinned || is.Network != "testnet" || is.Address != "0:treasury" || is.Since != cursorAt(40) {
			h.Errorf("pinned %t: %+v", pinned, is)
		}
		h.order(modelstest.Noon.Add(-2*daily), modelstest.Noon.Add(-daily))
		h.readFor(leader, time.Second)
		if expired := h.number("SELECT COUNT(*) FROM orders WHERE state = 'expired'"); expired != 1 { // as soon as the chain is known
			h.Errorf("%d orders are expired", expired)
		}
		c.single = true
		h.readFor(leader, chainInterval+time.Second)
		if want := []models.ChainCursor{cursorAt(40), cursorAt(41), cursorAt(42)}; !slices.Equal(c.reads, want) || c.heads != 1 {
			h.Errorf("read after %v, want %v; %d heads", c.reads, want, c.heads)
		}
		if is, _ := h.treasury(); is.Cursor != cursorAt(43) || strings.Count(h.log.String(), "too few lite servers") != 1 {
			h.Errorf("recorded up to %v; the log says %s", is.Cursor, h.log.String())
		}
	})
}

// history is a chain of transactions so long before noon, each after the other.
func history(ago ...time.Duration) (past []treasury.ChainTransaction) {
	var last models.ChainCursor
	for i, d := range ago {
		one := treasury.ChainTransaction{ChainCursor: cursorAt(int64(i+1) * 10), Prev: last, At: modelstest.Noon.Add(-d)}
		past, last = append(past, one), one.ChainCursor
	}
	return past
}

func TestRecordBeginsBeforeTheFirstOrder(t *testing.T) {
	const never = -1
	past := history(time.Hour, maxClockDifference+time.Second, maxClockDifference, time.Second, 0)
	gone, away := fmt.Errorf("no server: %w", ton.ErrTruncated), errors.New("no server")
	for _, c := range []struct {
		name    string
		ordered time.Duration // so long before noon, or never
		past    []treasury.ChainTransaction
		back    error
		begins  models.ChainCursor
		backs   int
		logged  int // that something is missing
	}{
		{name: "without an order, at the head", ordered: never, past: past, begins: cursorAt(99)},
		{name: "before the first order, by more than clocks differ", past: past, begins: past[1].ChainCursor, backs: 1},
		{name: "long before all that came", ordered: 2 * time.Hour, past: past, backs: 1},
		{name: "nothing ever came", backs: 1},
		{name: "forgotten, at the oldest that is kept", past: past[3:], back: gone, begins: past[2].ChainCursor, backs: maxTruncatedReads, logged: 1},
		{name: "all is forgotten", back: gone, begins: cursorAt(99), backs: maxTruncatedReads, logged: 1},
		{name: "unreadable, nowhere: payments made meanwhile would be lost", past: past[4:], back: away, backs: 2 * maxTruncatedReads},
	} {
		t.Run(c.name, func(t *testing.T) {
			h, chain := newHarness(t), &fakeChain{head: 99, past: c.past, back: c.back}
			if c.ordered != never {
				h.order(modelstest.Noon.Add(-c.ordered), modelstest.Noon.Add(time.Hour))
			}
			leader := h.sell(chain)
			for range 2 * maxTruncatedReads {
				if err := leader.read(t.Context()); err == nil {
					break
				}
			}
			if is, pinned := h.treasury(); pinned == errors.Is(c.back, away) || is.Since != c.begins || chain.backs != c.backs {
				t.Errorf("pinned %v after %+v, read back %d times; want %+v, %d times", pinned, is.Since, chain.backs, c.begins, c.backs)
			}
			if logged := strings.Count(h.log.String(), "level=ERROR"); logged != c.logged {
				t.Errorf("logged %d times that something is missing: %s", logged, h.log.String())
			}
		})
	}
}

// An order made after the head was read is paid after it; one made before must be found.
func TestHeadIsReadBeforeOrders(t *testing.T) {
	h, past := newHarness(t), history(time.Hour, 0)
	c := &fakeChain{head: 99, past: past, onHead: func() { h.order(modelstest.Noon, modelstest.Noon.Add(time.Hour)) }}
	modelstest.NoError(h, h.sell(c).read(t.Context()))
	if is, _ := h.treasury(); is.Since != past[0].ChainCursor {
		t.Errorf("pinned after %+v", is.Since)
	}
}

// A mine opens on the day of recording: on the day before nobody can dig in it, and a daily digger must dig every day.
func TestReadThatSpansMidnightIsRecordedOnTheNewDay(t *testing.T) {
	bubble(t, func(h *harness) {
		midnight := (game.DayOf(h.now()) + 1).Start()
		modelstest.Must(h.store.Mines.FirstTournament(h.Context(), midnight))(h)
		leader := h.sell(&fakeChain{duration: 3 * time.Second})
		modelstest.NoError(h, leader.read(h.Context())) // it is pinned
		time.Sleep(midnight.Add(-time.Second).Sub(h.now()))
		modelstest.NoError(h, leader.read(h.Context()))
		if n := h.number("SELECT COUNT(*) FROM treasury_transactions WHERE seen_at = ?", midnight.Add(2*time.Second)); n != 1 {
			h.Error("the transaction was recorded on the old day")
		}
		if is, _ := h.treasury(); !is.KnownUntil.Equal(midnight.Add(-time.Second)) {
			h.Errorf("the chain was read at %s", is.KnownUntil)
		}
		if n := h.number("SELECT COUNT(*) FROM tournaments WHERE state = 'running'"); n != 1 {
			h.Error("the tournament of the new day is not running")
		}
	})
}

func TestWakeUpReadsTheChainSoonerUnlessReadingFails(t *testing.T) {
	for _, c := range []struct {
		fails error
		d     time.Duration
		reads int
	}{
		{nil, 12 * time.Second, 13},                     // each second
		{errors.New("no server"), 100 * time.Second, 5}, // at 0, 8, 24, 54 and 84 seconds
	} {
		bubble(t, func(h *harness) {
			wake, chain := make(chan struct{}, 1), &fakeChain{fails: c.fails}
			leader := h.sell(chain)
			leader.o.Sales.Wake = wake
			go func() {
				for h.Context().Err() == nil {
					select {
					case wake <- struct{}{}:
					default:
					}
					pause(h.Context(), 10*time.Millisecond)
				}
			}()
			h.readFor(leader, c.d+time.Millisecond)
			if _, pinned := h.treasury(); chain.heads+len(chain.reads) != c.reads || pinned != (c.fails == nil) {
				h.Errorf("failing with %v: read %d times, want %d; pinned %t", c.fails, chain.heads+len(chain.reads), c.reads, pinned)
			}
		})
	}
}

func TestTournamentsAdvanceWithTheChainAndByTheClock(t *testing.T) {
	h := newHarness(t)
	ends := modelstest.Tournament(t, h.store).End
	is := func(state string) {
		t.Helper()
		if n := h.number("SELECT COUNT(*) FROM tournaments WHERE state = ?", state); n != 1 {
			t.Errorf("the tournament is not %s: %s", state, h.log.String())
		}
	}
	leader := h.sell(new(fakeChain))
	for _, j := range schedule(h.store, leader.o) {
		if j.name == mines.TournamentsJob {
			leader.jobs = append(leader.jobs, &scheduledJob{job: j})
		}
	}
	leader.runAll(t.Context())
	is("running")
	h.clock.Step(ends.Sub(h.now()) + time.Second)
	modelstest.NoError(h, leader.read(t.Context())) // pins the treasury
	is("running")
	modelstest.NoError(h, leader.read(t.Context()))
	is("final")
	player := modelstest.Player(t, h.store)
	h.exec(`INSERT INTO miners (tournament_id, player_id, level, energy_window, energy_spent, allowance_milli, allowance_at, ore, taps, first_day, last_day, days, place, prize_ton, paid_at)
		SELECT id, ?, 1, 0, 0, 0, ends_at, 1, 1, 1, 1, 1, 1, 1, ends_at FROM tournaments`, player.ID)
	modelstest.NoError(h, leader.read(t.Context()))
	if n := h.number("SELECT COUNT(DISTINCT chat_id) FROM outbox WHERE chat_id IN (1, 2) AND key LIKE 'admin:award:%'"); n != 2 {
		t.Errorf("%d admins are reminded of the prizes by reading the chain", n)
	}
	h.clock.Step(daily)
	leader.runAll(t.Context())
	if n := h.number("SELECT COUNT(*) FROM outbox WHERE chat_id IN (1, 2) AND key LIKE 'admin:award:%'"); n != 4 {
		t.Errorf("the admins are sent %d reminders of the prizes", n)
	}
}

// One miner's failing payment must not delay the recording of payments.
func TestFailingTournamentDoesNotSlowReading(t *testing.T) {
	bubble(t, func(h *harness) {
		c := &fakeChain{head: 40}
		h.exec("ALTER TABLE tournaments RENAME TO hidden")
		h.readFor(h.sell(c), 13*time.Second)
		if text := h.log.String(); len(c.reads) != 3 || strings.Contains(text, "the treasury was not read") || strings.Contains(text, "too few lite servers") || strings.Count(text, "no such table: tournaments") != 1 {
			h.Errorf("read %d times: %s", len(c.reads), text)
		}
	})
}

func TestReaderThatPanicsIsCountedAndRetried(t *testing.T) {
	bubble(t, func(h *harness) {
		c, asked := new(fakeChain), 0
		c.onHead = func() {
			if c.heads <= 2 {
				panic("no such cell")
			}
		}
		leader := h.sell(c)
		leader.o.Sales.Price = func(_ context.Context, now time.Time) (game.PriceReading, error) {
			if asked++; asked == 1 {
				panic("no such price")
			}
			return game.PriceReading{At: now, Price: game.USD}, nil
		}
		h.readFor(leader, 25*time.Second) // at 0, 8 and 24 seconds
		if _, pinned := h.treasury(); !pinned || h.meter.failed["read_treasury"] != 2 || strings.Count(h.log.String(), "panic: no such cell") != 2 {
			h.Errorf("read %d times, counted %v: %s", c.heads, h.meter.failed, h.log.String())
		}
		ctx, cancel := context.WithTimeout(h.Context(), 20*time.Second)
		defer cancel()
		leader.readPrices(ctx) // at 0 and 15 seconds
		if stored := h.number("SELECT COUNT(*) FROM ton_prices"); asked != 2 || stored != 1 || h.meter.failed["read_price"] != 1 {
			h.Errorf("asked %d times, stored %d, counted %v", asked, stored, h.meter.failed)
		}
		if text := h.log.String(); !strings.Contains(text, "panic: no such price") || !strings.Contains(text, "chain_test.go") || strings.Contains(text, "level=WARN") {
			h.Errorf("the log says %s", text)
		}
	})
}

func TestOnlyLeaseHolderRecordsPinnedTreasury(t *testing.T) {
	for name, c := range map[string]struct {
		network, address string
		lostAt           int // the check of the lease that finds it lost
		reads, recorded  int
	}{
		"its own":                 {"testnet", "0:treasury", 0, 1, 1},
		"another address":         {"testnet", "0:another", 0, 1, 0},
		"another network":         {"mainnet", "0:treasury", 0, 1, 0},
		"no lease":                {"testnet", "0:treasury", 1, 0, 0},
		"no lease after the read": {"testnet", "0:treasury", 2, 1, 0},
	} {
		h, chain, checks := newHarness(t), new(fakeChain), 0
		modelstest.NoError(h, h.store.Treasury.BeginRecord(t.Context(), c.network, c.address, models.ChainCursor{}))
		leader := h.sell(chain)
		leader.holdsLease = func() error {
			if checks++; checks == c.lostAt {
				return db.ErrNotLeading
			}
			return nil
		}
		err := leader.read(t.Context())
		recorded := h.number("SELECT COUNT(*) FROM treasury_transactions")
		if (err == nil) != (c.recorded > 0) || int(recorded) != c.recorded || len(chain.reads) != c.reads {
			t.Errorf("%s: read %d times, recorded %d: %v", name, len(chain.reads), recorded, err)
		}
	}
}

func TestPriceIsStoredEveryTwoMinutesAndSoonAfterFailure(t *testing.T) {
	bubble(t, func(h *harness) {
		leader, asked := h.lead(), 0
		leader.o.Sales.Price = func(_ context.Context, now time.Time) (game.PriceReading, error) {
			switch asked++; asked {
			case 2:
				return game.PriceReading{At: now}, errors.New("no service")
			case 3:
				time.Sleep(priceTimeout + time.Second) // the process was suspended: the price is outdated
			}
			return game.PriceReading{At: now, Price: 2_500_000}, nil
		}
		ctx, cancel := context.WithTimeout(h.Context(), 7*time.Minute)
		defer cancel()
		leader.readPrices(ctx)
		if stored := h.number("SELECT COUNT(*) FROM ton_prices"); asked != 6 || stored != 4 { // at 0, 120, again 135, again 167, 287 and 407 seconds
			h.Errorf("asked %d times, stored %d", asked, stored)
		}
	})
}
