package treasury_test

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

// The account can hold no more, which no play could bring about. What is beside it is credited, and an admin gives the payment afterwards.
func TestPaymentRefusedByDatabaseIsHeld(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		m := modelstest.NewMarket(t, store)
		full, other := modelstest.Buyer(t, store), modelstest.Buyer(t, store)
		paid := modelstest.Noon.Add(time.Minute)
		late := modelstest.OrderCoins(t, store, full, game.TON, modelstest.Noon)
		for _, o := range []models.Order{modelstest.OrderCoins(t, store, other, game.TON, modelstest.Noon), late, modelstest.OrderCoins(t, store, other, game.TON, modelstest.Noon)} {
			m.Pay(game.TON, o.Comment, paid)
		}
		held := fmt.Sprintf("UPDATE players SET balance_purchased = %%d WHERE id = %d", full.ID)
		modelstest.MustExec(t, raw, fmt.Sprintf(held, int64(math.MaxInt64)))
		if err := m.RecordFrom(t, 2, paid); err == nil || !strings.Contains(err.Error(), "balance") || len(m.Next) > 0 {
			t.Errorf("%d transactions are left, %v", len(m.Next), err)
		}
		m.WantKnownUntil(t, paid)
		modelstest.MustExec(t, raw, fmt.Sprintf(held, 0))
		modelstest.WantOrder(t, store, late, models.OrderPending, 0)
		waiting := modelstest.WantHeld(t, store, "the database refused what it brings: 1000000000")
		modelstest.Done(t, store, treasury.ActionMatch, fmt.Sprint(waiting[0].ID), late.Comment)
		modelstest.WantHeld(t, store)
		one := modelstest.Must(store.Players.Player(t.Context(), full.ID))(t)
		if two, err := store.Players.Player(t.Context(), other.ID); err != nil || one.Balances.Purchased == 0 || two.Balances.Purchased != 2*one.Balances.Purchased {
			t.Errorf("they own %+v and %+v, %v", one.Balances, two.Balances, err)
		}
		modelstest.Sound(t, store)
	})
}

// A game may start, sell and run for weeks before a lite server answers it.
func TestOrderBeforeChainIsReadWaitsForIt(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		m := &modelstest.Market{Store: store, Head: modelstest.HistoryStart, Since: modelstest.HistoryStart}
		m.SetPrice(t, 2_500_000, modelstest.Noon)
		if at, ok, err := store.Orders.FirstOrder(t.Context()); ok || err != nil {
			t.Errorf("the first of no orders was made %s, %v", at, err)
		}
		player, run := modelstest.Buyer(t, store), modelstest.Tournament(t, store)
		coins := modelstest.OrderCoins(t, store, player, game.TON, modelstest.Noon.Add(time.Second))
		cancelled := modelstest.OrderCoins(t, store, player, game.TON, modelstest.Noon.Add(time.Second))
		modelstest.Must(store.Orders.CancelOrder(t.Context(), player.ID, cancelled.ID))(t)
		mine := modelstest.OrderMine(t, store, player, 1, modelstest.Noon)
		if at, ok, err := store.Orders.FirstOrder(t.Context()); !ok || err != nil || !at.Equal(modelstest.Noon) {
			t.Errorf("the first order was made %s (%v), %v", at, ok, err)
		}

		over := run.End.Add(time.Hour)
		modelstest.Returns(store.Treasury.ExpireOrders(t.Context()))(t, 0, "orders expired")
		modelstest.AdvanceTournaments(t, store, over)
		modelstest.WantTournament(t, store, game.TournamentClosed)
		modelstest.Sound(t, store)

		modelstest.NoError(t, store.Treasury.BeginRecord(t.Context(), "testnet", "0:treasury", modelstest.HistoryStart))
		for _, o := range []models.Order{coins, cancelled, mine} {
			m.Pay(o.Amount, o.Comment, modelstest.Noon.Add(time.Minute))
		}
		modelstest.AdvanceTournaments(t, store, over)
		modelstest.WantTournament(t, store, game.TournamentClosed)
		m.Record(t, over)
		for _, o := range []models.Order{coins, cancelled, mine} {
			modelstest.WantOrder(t, store, o, models.OrderPaid, o.Amount)
		}
		modelstest.WantPurchased(t, store, player, coins.Coins+cancelled.Coins, 0)
		modelstest.AdvanceTournaments(t, store, over)
		modelstest.WantTournament(t, store, game.TournamentFinal)
	})
}

func TestLargePaymentWaitsForASecondServer(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		m := modelstest.NewMarket(t, store)
		player := modelstest.Buyer(t, store)
		order := modelstest.OrderCoins(t, store, player, 50*game.TON, modelstest.Noon)
		large := modelstest.OrderCoins(t, store, player, 60*game.TON, modelstest.Noon)
		m.Record(t, modelstest.Noon)
		later := modelstest.Noon.Add(2 * time.Minute)
		m.Pay(50*game.TON, order.Comment, modelstest.Noon.Add(time.Minute))
		m.Pay(50*game.TON+1, large.Comment, modelstest.Noon.Add(time.Minute))
		m.Pay(game.TON, "after it", modelstest.Noon.Add(time.Minute))
		for range 2 { // asked again the same is shown
			modelstest.WantError(t, m.RecordFrom(t, 1, later), treasury.ErrOneServer, "one server shows a large payment")
			modelstest.WantPurchased(t, store, player, 50*1250*game.MCBK, 0)
			modelstest.WantHeld(t, store)
			m.WantKnownUntil(t, modelstest.Noon) // nothing expires because of what waits
		}
		modelstest.NoError(t, m.RecordFrom(t, 2, later))
		modelstest.WantPurchased(t, store, player, 100*1250*game.MCBK+1, 0)
		modelstest.WantHeld(t, store, "no such order: 1000000000")
		m.WantKnownUntil(t, later)
		modelstest.Sound(t, store)

		modelstest.Done(t, store, settings.ActionChangeSetting, "large_payment", "1000")
		m.Pay(1000*game.TON, "", later)
		modelstest.NoError(t, m.RecordFrom(t, 1, later.Add(time.Minute)), "an admin allows it")
	})
}

// Its own copy of the settings may be two seconds old, or as old as the last time that the database answered.
func TestLargePaymentThresholdIsTheNewestSetting(t *testing.T) {
	address := modelstest.Address(t, "postgres")
	here, there := modelstest.OpenStore(t, address), modelstest.OpenStore(t, address)
	m := modelstest.NewMarket(t, here)
	order := modelstest.OrderCoins(t, here, modelstest.Buyer(t, here), 11*game.TON, modelstest.Noon)
	there.Settings.RuntimeSettings(t.Context(), modelstest.Noon.Add(time.Hour))
	modelstest.Done(t, here, settings.ActionChangeSetting, "large_payment", "10")
	m.Pay(11*game.TON, order.Comment, modelstest.Noon.Add(time.Minute))
	m.Store = there
	modelstest.WantError(t, m.RecordFrom(t, 1, modelstest.Noon.Add(2*time.Minute)), treasury.ErrOneServer, "one server shows more than admins have just set")
}

// Others are listed and silent: what one shows then may all be made up by whoever runs it.
func TestSingleSourceCoversOneLargePaymentADay(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		m := modelstest.NewMarket(t, store)
		player := modelstest.Buyer(t, store)
		order := modelstest.OrderCoins(t, store, player, 1000*game.TON, modelstest.Noon)
		at := modelstest.Noon.Add(time.Minute)
		alone := func(now time.Time) error {
			history := treasury.History{Since: m.Since, Transactions: m.Next, KnownUntil: at, Agreed: 1, SingleSource: true}
			n, err := m.Store.Treasury.Record(t.Context(), history, modelstest.Season, modelstest.At(now))
			m.Since, m.Next = append([]treasury.ChainTransaction{{ChainCursor: m.Since}}, m.Next[:n]...)[n].ChainCursor, m.Next[n:]
			return err
		}
		for range 3 {
			m.Pay(20*game.TON, order.Comment, at)
		}
		if err := alone(at); !errors.Is(err, treasury.ErrOneServer) || len(m.Next) != 1 {
			t.Errorf("sixty TON in one read: %d are left, %v", len(m.Next), err)
		}
		if err := alone(at.Add(23 * time.Hour)); !errors.Is(err, treasury.ErrOneServer) || len(m.Next) != 1 {
			t.Errorf("twenty more on the same day: %d are left, %v", len(m.Next), err)
		}
		modelstest.WantPurchased(t, store, player, 40*1250*game.MCBK, 0)
		m.WantKnownUntil(t, time.Time{})
		m.Record(t, at) // another shows it too
		m.Pay(10*game.TON, order.Comment, at)
		modelstest.NoError(t, alone(at), "ten more, beside what two showed")
		m.Pay(game.TON, order.Comment, at)
		modelstest.NoError(t, alone(at.Add(24*time.Hour)), "one more, a day later")
		m.WantKnownUntil(t, at) // as two showed
		modelstest.WantPurchased(t, store, player, 71*1250*game.MCBK, 0)
	})
}

func TestForgedAmountDoesNotOverflowSingleSourceLimit(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		m := modelstest.NewMarket(t, store)
		player := modelstest.Buyer(t, store)
		order := modelstest.OrderCoins(t, store, player, 1000*game.TON, modelstest.Noon)
		at := modelstest.Noon.Add(time.Minute)
		m.Pay(1, "", at)
		m.Pay(math.MaxInt64, order.Comment, at)
		m.Pay(1000*game.TON, order.Comment, at)
		history := treasury.History{Since: m.Since, Transactions: m.Next, KnownUntil: at, Agreed: 1, SingleSource: true}
		if n, err := m.Store.Treasury.Record(t.Context(), history, modelstest.Season, modelstest.At(at)); n != 1 || !errors.Is(err, treasury.ErrOneServer) {
			t.Errorf("%d are recorded, %v", n, err)
		}
		modelstest.WantPurchased(t, store, player, 0, 0)
	})
}

func TestSingleSourceSettlesNoPayout(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		m := modelstest.NewMarket(t, store)
		for _, kind := range []string{"outgoing", "bounced"} {
			m.Pay(game.TON, "", modelstest.Noon)
			m.Next[0].Kind = kind
			if kind == "outgoing" {
				m.Next[0].Sent = []treasury.ChainTransfer{{To: "0:winner", Amount: game.TON, Comment: "MCBK-1"}}
			}
			history := treasury.History{Since: m.Since, Transactions: m.Next, KnownUntil: modelstest.Noon, Agreed: 1, SingleSource: true}
			if n, err := store.Treasury.Record(t.Context(), history, modelstest.Season, modelstest.At(modelstest.Noon)); n != 0 || !errors.Is(err, treasury.ErrOneServer) {
				t.Errorf("%s: %d are recorded, %v", kind, n, err)
			}
			modelstest.NoError(t, m.RecordFrom(t, 1, modelstest.Noon), kind, "shown by the only one there is")
		}
	})
}

func TestChainLagIsKnownAfterFirstRead(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		lags := func(now time.Time, want time.Duration, wantKnown bool) {
			t.Helper()
			if lag, known, err := store.Treasury.ChainLag(t.Context(), now); lag != want || known != wantKnown || err != nil {
				t.Errorf("it lags %s, %v, %v", lag, known, err)
			}
		}
		lags(modelstest.Noon, 0, false)
		m := modelstest.NewMarket(t, store)
		lags(modelstest.Noon, 0, false) // pinned, not read
		m.Record(t, modelstest.Noon)
		lags(modelstest.Noon.Add(time.Minute), time.Minute, true)
		lags(modelstest.Noon.Add(-time.Second), 0, true) // a block may be a little ahead of our clock
	})
}

func TestSoldCoinsAreReadAgainAfterFiveSeconds(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		m := modelstest.NewMarket(t, store)
		order := modelstest.OrderCoins(t, store, modelstest.Buyer(t, store), 2*game.TON, modelstest.Noon)
		want := func(after time.Duration, coins game.MicroMCBK) {
			t.Helper()
			modelstest.Returns(store.Treasury.Sold(t.Context(), modelstest.Noon.Add(after)))(t, coins, "after", after, "sold")
		}
		want(0, 0)
		m.Pay(2*game.TON, order.Comment, modelstest.Noon)
		m.Record(t, modelstest.Noon.Add(time.Minute))
		want(4999*time.Millisecond, 0)
		want(5*time.Second, 2500*game.MCBK)
	})
}

// Blocks are made several times a second, and their time is told in seconds: many payments may have
// the time up to which the treasury was known.
func TestPaymentFloodInOneSecondBlocksNothing(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		m, player, order := modelstest.NewOrder(t, store)
		second := modelstest.Noon.Add(time.Minute)
		m.Record(t, second)
		for range 60 { // more than are recorded at once
			m.Pay(game.TON/1000, "", second)
		}
		m.Pay(game.TON, order.Comment, second)
		m.Record(t, second)
		modelstest.WantPurchased(t, store, player, 1250*game.MCBK, 0)
		m.Pay(game.TON, order.Comment, second)
		if err := m.RecordFrom(t, 3, second.Add(-time.Second)); err != nil { // by a server whose clock is a little late
			t.Error(err)
		}
		modelstest.WantPurchased(t, store, player, 2*1250*game.MCBK, 0)
		m.WantKnownUntil(t, second.Add(-time.Second))
	})
}

// A database in which fifty payments take longer than a transaction may would otherwise never
// record any of them.
func TestSlowDatabaseRecordsSmallerBatches(t *testing.T) {
	address := modelstest.Address(t, "postgres")
	store, raw := modelstest.OpenStore(t, address), modelstest.Raw(t, address)
	m, player, order := modelstest.NewOrder(t, store)
	modelstest.MustExec(t, raw, `CREATE FUNCTION too_slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
			IF (SELECT COUNT(*) FROM payments WHERE xmin = pg_current_xact_id()::xid) >= 5 THEN
				RAISE EXCEPTION 'canceling statement due to timeout' USING ERRCODE = '57014';
			END IF;
			RETURN NEW;
		END $$;
		CREATE TRIGGER too_slow BEFORE INSERT ON payments FOR EACH ROW EXECUTE FUNCTION too_slow()`)
	for range 30 {
		m.Pay(game.TON, order.Comment, modelstest.Noon)
	}
	m.Record(t, modelstest.Noon)
	modelstest.WantPurchased(t, store, player, 30*1250*game.MCBK, 0)
	m.WantKnownUntil(t, modelstest.Noon)
	modelstest.MustExec(t, raw, "DROP TRIGGER too_slow ON payments")
	modelstest.Sound(t, store)
}

func TestExecutedActionsAreFoundByIndex(t *testing.T) {
	t.Parallel()
	plans := modelstest.NewPlans(t, "admin_actions")
	plans.WantIndex(t, "admin_actions_executed", treasury.ActionsSince, "match", 1, time.Date(2026, 3, 5, 15, 0, 0, 0, time.UTC))
	plans.WantIndex(t, "admin_actions_executed", treasury.ActionsWith, "settings", "[%")
}
