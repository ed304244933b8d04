package store_test

import (
	"database/sql"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/modelstest"
	"mcbk/models/settings"
	"mcbk/models/store"
	"mcbk/models/treasury"
)

// recordsOf is like records, with what so many servers show; it returns what Record does.
func (m *market) recordsOf(t *testing.T, agreed int, until time.Time) error {
	t.Helper()
	history := treasury.History{Since: m.since, Transactions: m.next, KnownUntil: until, Agreed: agreed}
	n, err := m.store.Treasury.Record(t.Context(), history, modelstest.Season, modelstest.At(modelstest.Noon.Add(time.Hour)))
	if n > 0 {
		m.since, m.next = m.next[n-1].ChainCursor, m.next[n:]
	}
	return err
}

func (m *market) knownUntil(t *testing.T, want time.Time) {
	t.Helper()
	if treasury, _, err := m.store.Treasury.Treasury(t.Context()); err != nil || !treasury.KnownUntil.Equal(want) || treasury.Cursor != m.since {
		t.Errorf("known until %s up to %v, want %s up to %v: %v", treasury.KnownUntil, treasury.Cursor, want, m.since, err)
	}
}

// The account can hold no more, which no play could bring about. What is beside it is credited, and an admin gives the payment afterwards.
func TestAPaymentThatTheDatabaseRefusesIsHeld(t *testing.T) {
	eachAddress(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		m := sells(t, store)
		full, other := buyer(t, store), buyer(t, store)
		paid := modelstest.Noon.Add(time.Minute)
		late := ordered(t, store, full, game.TON, modelstest.Noon)
		for _, o := range []models.Order{ordered(t, store, other, game.TON, modelstest.Noon), late, ordered(t, store, other, game.TON, modelstest.Noon)} {
			m.comes(game.TON, o.Comment, paid)
		}
		held := fmt.Sprintf("UPDATE players SET balance_purchased = %%d WHERE id = %d", full.ID)
		do(t, raw, fmt.Sprintf(held, int64(math.MaxInt64)))
		if err := m.recordsOf(t, 2, paid); err == nil || !strings.Contains(err.Error(), "balance") || len(m.next) > 0 {
			t.Errorf("%d transactions are left, %v", len(m.next), err)
		}
		m.knownUntil(t, paid)
		do(t, raw, fmt.Sprintf(held, 0))
		orderIs(t, store, late, models.OrderPending, 0)
		waiting := waits(t, store, "the database refused what it brings: 1000000000")
		modelstest.Done(t, store, treasury.ActionMatch, fmt.Sprint(waiting[0].ID), late.Comment)
		waits(t, store)
		one, err := store.Players.Player(t.Context(), full.ID)
		if err != nil {
			t.Fatal(err)
		}
		if two, err := store.Players.Player(t.Context(), other.ID); err != nil || one.Balances.Purchased == 0 || two.Balances.Purchased != 2*one.Balances.Purchased {
			t.Errorf("they own %+v and %+v, %v", one.Balances, two.Balances, err)
		}
		modelstest.Sound(t, store)
	})
}

// A game may start, sell and run for weeks before a lite server answers it.
func TestWhatIsOrderedBeforeTheChainIsReadWaitsForIt(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		m := &market{store: store, head: beginning, since: beginning}
		m.costs(t, 2_500_000, modelstest.Noon)
		if at, ok, err := store.Orders.FirstOrder(t.Context()); ok || err != nil {
			t.Errorf("the first of no orders was made %s, %v", at, err)
		}
		player, run := buyer(t, store), modelstest.Tournament(t, store)
		coins := ordered(t, store, player, game.TON, modelstest.Noon.Add(time.Second))
		cancelled := ordered(t, store, player, game.TON, modelstest.Noon.Add(time.Second))
		if _, err := store.Orders.CancelOrder(t.Context(), player.ID, cancelled.ID); err != nil {
			t.Fatal(err)
		}
		mine := mineOrdered(t, store, player, 1, modelstest.Noon)
		if at, ok, err := store.Orders.FirstOrder(t.Context()); !ok || err != nil || !at.Equal(modelstest.Noon) {
			t.Errorf("the first order was made %s (%v), %v", at, ok, err)
		}

		over := run.End.Add(time.Hour)
		if n, err := store.Treasury.ExpireOrders(t.Context()); n != 0 || err != nil {
			t.Errorf("%d orders expired, %v", n, err)
		}
		advances(t, store, over)
		stateIs(t, store, game.TournamentClosed)
		modelstest.Sound(t, store)

		if err := store.Treasury.BeginRecord(t.Context(), "testnet", "0:treasury", beginning); err != nil {
			t.Fatal(err)
		}
		for _, o := range []models.Order{coins, cancelled, mine} {
			m.comes(o.Amount, o.Comment, modelstest.Noon.Add(time.Minute))
		}
		advances(t, store, over)
		stateIs(t, store, game.TournamentClosed)
		m.records(t, over)
		for _, o := range []models.Order{coins, cancelled, mine} {
			orderIs(t, store, o, models.OrderPaid, o.Amount)
		}
		owns(t, store, player, coins.Coins+cancelled.Coins, 0)
		advances(t, store, over)
		stateIs(t, store, game.TournamentFinal)
		modelstest.Sound(t, store)
	})
}

func TestATournamentOfAGameThatNeverSoldAnythingWaitsForNoChain(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		run := modelstest.Tournament(t, store)
		advances(t, store, run.End)
		stateIs(t, store, game.TournamentFinal)
	})
}

func TestALargePaymentWaitsForASecondServer(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		m := sells(t, store)
		player := buyer(t, store)
		order := ordered(t, store, player, 50*game.TON, modelstest.Noon)
		large := ordered(t, store, player, 60*game.TON, modelstest.Noon)
		m.records(t, modelstest.Noon)
		later := modelstest.Noon.Add(2 * time.Minute)
		m.comes(50*game.TON, order.Comment, modelstest.Noon.Add(time.Minute))
		m.comes(50*game.TON+1, large.Comment, modelstest.Noon.Add(time.Minute))
		m.comes(game.TON, "after it", modelstest.Noon.Add(time.Minute))
		for range 2 { // asked again the same is shown
			if err := m.recordsOf(t, 1, later); !errors.Is(err, treasury.ErrOneServer) {
				t.Errorf("one server shows a large payment: %v", err)
			}
			owns(t, store, player, 50*1250*game.MCBK, 0)
			waits(t, store)
			m.knownUntil(t, modelstest.Noon) // nothing expires because of what waits
		}
		if err := m.recordsOf(t, 2, later); err != nil {
			t.Error(err)
		}
		owns(t, store, player, 100*1250*game.MCBK+1, 0)
		waits(t, store, "no such order: 1000000000")
		m.knownUntil(t, later)
		modelstest.Sound(t, store)

		modelstest.Done(t, store, settings.ActionChangeSetting, "large_payment", "1000")
		m.comes(1000*game.TON, "", later)
		if err := m.recordsOf(t, 1, later.Add(time.Minute)); err != nil {
			t.Errorf("an admin allows it: %v", err)
		}
		modelstest.Sound(t, store)
	})
}

// Its own copy of the settings may be two seconds old, or as old as the last time that the database answered.
func TestALargePaymentIsWhatAdminsHaveJustSet(t *testing.T) {
	address := modelstest.Address(t, "postgres")
	here, there := modelstest.OpenStore(t, address), modelstest.OpenStore(t, address)
	m := sells(t, here)
	order := ordered(t, here, buyer(t, here), 11*game.TON, modelstest.Noon)
	there.Settings.RuntimeSettings(t.Context(), modelstest.Noon.Add(time.Hour))
	modelstest.Done(t, here, settings.ActionChangeSetting, "large_payment", "10")
	m.comes(11*game.TON, order.Comment, modelstest.Noon.Add(time.Minute))
	m.store = there
	if err := m.recordsOf(t, 1, modelstest.Noon.Add(2*time.Minute)); !errors.Is(err, treasury.ErrOneServer) {
		t.Errorf("one server shows more than admins have just set: %v", err)
	}
}

// Others are listed and silent: what one shows then may all be made up by whoever runs it.
func TestOneServersWordIsWorthOneLargePaymentADay(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		m := sells(t, store)
		player := buyer(t, store)
		order := ordered(t, store, player, 1000*game.TON, modelstest.Noon)
		at := modelstest.Noon.Add(time.Minute)
		alone := func(now time.Time) error {
			history := treasury.History{Since: m.since, Transactions: m.next, KnownUntil: at, Agreed: 1, SingleSource: true}
			n, err := m.store.Treasury.Record(t.Context(), history, modelstest.Season, modelstest.At(now))
			m.since, m.next = append([]treasury.ChainTransaction{{ChainCursor: m.since}}, m.next[:n]...)[n].ChainCursor, m.next[n:]
			return err
		}
		for range 3 {
			m.comes(20*game.TON, order.Comment, at)
		}
		if err := alone(at); !errors.Is(err, treasury.ErrOneServer) || len(m.next) != 1 {
			t.Errorf("sixty TON in one read: %d are left, %v", len(m.next), err)
		}
		if err := alone(at.Add(23 * time.Hour)); !errors.Is(err, treasury.ErrOneServer) || len(m.next) != 1 {
			t.Errorf("twenty more on the same day: %d are left, %v", len(m.next), err)
		}
		owns(t, store, player, 40*1250*game.MCBK, 0)
		m.knownUntil(t, time.Time{})
		m.records(t, at) // another shows it too
		m.comes(10*game.TON, order.Comment, at)
		if err := alone(at); err != nil {
			t.Errorf("ten more, beside what two showed: %v", err)
		}
		m.comes(game.TON, order.Comment, at)
		if err := alone(at.Add(24 * time.Hour)); err != nil {
			t.Errorf("one more, a day later: %v", err)
		}
		m.knownUntil(t, at) // as two showed
		owns(t, store, player, 71*1250*game.MCBK, 0)
		modelstest.Sound(t, store)
	})
}

func TestNoAmountThatOneServerMakesUpOverflowsWhatItIsBelieved(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		m := sells(t, store)
		player := buyer(t, store)
		order := ordered(t, store, player, 1000*game.TON, modelstest.Noon)
		at := modelstest.Noon.Add(time.Minute)
		m.comes(1, "", at)
		m.comes(math.MaxInt64, order.Comment, at)
		m.comes(1000*game.TON, order.Comment, at)
		history := treasury.History{Since: m.since, Transactions: m.next, KnownUntil: at, Agreed: 1, SingleSource: true}
		if n, err := m.store.Treasury.Record(t.Context(), history, modelstest.Season, modelstest.At(at)); n != 1 || !errors.Is(err, treasury.ErrOneServer) {
			t.Errorf("%d are recorded, %v", n, err)
		}
		owns(t, store, player, 0, 0)
		modelstest.Sound(t, store)
	})
}

func TestOneServersWordSettlesNoPayoutWhileOthersAreSilent(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		m := sells(t, store)
		for _, kind := range []string{"outgoing", "bounced"} {
			m.comes(game.TON, "", modelstest.Noon)
			m.next[0].Kind = kind
			if kind == "outgoing" {
				m.next[0].Sent = []treasury.ChainTransfer{{To: "0:winner", Amount: game.TON, Comment: "MCBK-1"}}
			}
			history := treasury.History{Since: m.since, Transactions: m.next, KnownUntil: modelstest.Noon, Agreed: 1, SingleSource: true}
			if n, err := store.Treasury.Record(t.Context(), history, modelstest.Season, modelstest.At(modelstest.Noon)); n != 0 || !errors.Is(err, treasury.ErrOneServer) {
				t.Errorf("%s: %d are recorded, %v", kind, n, err)
			}
			if err := m.recordsOf(t, 1, modelstest.Noon); err != nil {
				t.Errorf("%s, shown by the only one there is: %v", kind, err)
			}
		}
	})
}

func TestTheLagOfTheChainIsKnownOnceItWasRead(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		lags := func(now time.Time, want time.Duration, wantKnown bool) {
			t.Helper()
			if lag, known, err := store.Treasury.ChainLag(t.Context(), now); lag != want || known != wantKnown || err != nil {
				t.Errorf("it lags %s, %v, %v", lag, known, err)
			}
		}
		lags(modelstest.Noon, 0, false)
		m := sells(t, store)
		lags(modelstest.Noon, 0, false) // pinned, not read
		m.records(t, modelstest.Noon)
		lags(modelstest.Noon.Add(time.Minute), time.Minute, true)
		lags(modelstest.Noon.Add(-time.Second), 0, true) // a block may be a little ahead of our clock
	})
}

// Blocks are made several times a second, and their time is told in seconds: many payments may have
// the time up to which the treasury was known.
func TestAFloodWithinASecondHoldsNothingUp(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		m := sells(t, store)
		player := buyer(t, store)
		order := ordered(t, store, player, game.TON, modelstest.Noon)
		second := modelstest.Noon.Add(time.Minute)
		m.records(t, second)
		for range 60 { // more than are recorded at once
			m.comes(game.TON/1000, "", second)
		}
		m.comes(game.TON, order.Comment, second)
		m.records(t, second)
		owns(t, store, player, 1250*game.MCBK, 0)
		m.comes(game.TON, order.Comment, second)
		if err := m.recordsOf(t, 3, second.Add(-time.Second)); err != nil { // by a server whose clock is a little late
			t.Error(err)
		}
		owns(t, store, player, 2*1250*game.MCBK, 0)
		m.knownUntil(t, second.Add(-time.Second))
		modelstest.Sound(t, store)
	})
}

// A database in which fifty payments take longer than a transaction may would otherwise never
// record any of them.
func TestASlowDatabaseRecordsFewerPaymentsAtOnce(t *testing.T) {
	address := modelstest.Address(t, "postgres")
	store, raw := modelstest.OpenStore(t, address), modelstest.Raw(t, address)
	m := sells(t, store)
	player := buyer(t, store)
	order := ordered(t, store, player, game.TON, modelstest.Noon)
	do(t, raw, `CREATE FUNCTION too_slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
			IF (SELECT COUNT(*) FROM payments WHERE xmin = pg_current_xact_id()::xid) >= 5 THEN
				RAISE EXCEPTION 'canceling statement due to timeout' USING ERRCODE = '57014';
			END IF;
			RETURN NEW;
		END $$;
		CREATE TRIGGER too_slow BEFORE INSERT ON payments FOR EACH ROW EXECUTE FUNCTION too_slow()`)
	for range 30 {
		m.comes(game.TON, order.Comment, modelstest.Noon)
	}
	m.records(t, modelstest.Noon)
	owns(t, store, player, 30*1250*game.MCBK, 0)
	m.knownUntil(t, modelstest.Noon)
	do(t, raw, "DROP TRIGGER too_slow ON payments")
	modelstest.Sound(t, store)
}
