package audit_test

import (
	"database/sql"
	"fmt"
	"slices"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models/modelstest"
	"mcbk/models/store"
	"mcbk/models/treasury"
)

const (
	paymentsPosted  = "every credited payment was posted once, and its inviter's part"
	paymentsValued  = "every payment brought the coins of its order, time and prices"
	pricesAreTrue   = "every order and payment has the prices of its moment"
	ordersArePaid   = "every order was paid what its payments say"
	historyIsWhole  = "the treasury's history is unbroken, and nothing that came in is forgotten"
	ordersAreClosed = "no order stays open long after the chain is known beyond its time"
)

func TestVerifyFindsWronglySettledPayments(t *testing.T) {
	const sold = "coins sold are counted as 2500000000"
	cases := map[string]finding{
		"coins of no payment":   {"UPDATE payments SET coins = coins + 100 WHERE player_id = {player} AND locked > 0", []string{paymentsPosted, paymentsValued, of(historyIsWhole, sold)}},
		"another price":         {"UPDATE orders SET ton_price = ton_price + 1 WHERE player_id = {player}", []string{paymentsValued, pricesAreTrue}},
		"locked after its time": {"UPDATE orders SET expires_at = '2026-03-04 12:00:10+00:00' WHERE player_id = {player}", []string{paymentsValued}},
		"paid more":             {"UPDATE orders SET paid = paid + 1 WHERE player_id = {player}", []string{ordersArePaid}},
		"still open":            {"UPDATE orders SET state = 'pending' WHERE player_id = {player}", []string{ordersArePaid}},
		"another's order": {
			"UPDATE orders SET player_id = player_id - 1 WHERE player_id = {player}",
			[]string{paymentsValued, of(rowsAreDecided, "payment 1 has another order than its comment names"), of(rowsAreDecided, "payment 2 has another order than its comment names")},
		},
		"never posted":         {"DELETE FROM postings WHERE player_id = {player} AND reference LIKE 'pay:%' AND amount > 700000000", []string{paymentsPosted, balancesAreSums}},
		"posted more":          {"UPDATE postings SET amount = amount + 1 WHERE player_id = {player} AND reference LIKE 'pay:%' AND amount > 700000000", []string{paymentsPosted, balancesAreSums}},
		"a part of it":         {"UPDATE payments SET amount = amount - 1 WHERE player_id = {player} AND locked = 0", []string{of(historyIsWhole, "transaction 120 is not what its payments add up to"), ordersArePaid, paymentsValued}},
		"sold otherwise":       {"UPDATE treasury SET sold = 7", []string{of(historyIsWhole, "coins sold are counted as 7")}},
		"a gap":                {"UPDATE treasury_transactions SET prev_lt = 1 WHERE lt = 120", []string{of(historyIsWhole, "transaction 120 does not follow the one before it")}},
		"the treasury's own":   {"UPDATE treasury_transactions SET source = (SELECT address FROM treasury) WHERE lt = 120", []string{of(historyIsWhole, "the treasury's own money of transaction 120 bought something")}},
		"one server's, or old": {"UPDATE treasury_transactions SET shown_by = 0, source = (SELECT address FROM treasury) WHERE lt = 120", nil},
		"another cursor":       {"UPDATE treasury SET lt = 500", []string{of(historyIsWhole, "the cursor is not at the last transaction but at 500")}},
	}
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		m := modelstest.NewMarket(t, store)
		modelstest.Player(t, store)
		p := modelstest.Buyer(t, store)
		order := modelstest.OrderCoins(t, store, p, game.TON, modelstest.Noon)
		m.Pay(game.TON, order.Comment, modelstest.Noon.Add(2*time.Minute))
		m.Pay(game.TON, order.Comment, modelstest.Noon.Add(3*time.Minute))
		m.Pay(game.TON/2, "", modelstest.Noon.Add(3*time.Minute))
		m.Record(t, modelstest.Noon.Add(4*time.Minute))
		modelstest.Sound(t, store)
		dropGuards(t, raw)
		wantFound(t, store, raw, p.ID, cases)
	})
}

func TestVerifyFindsWrongPrices(t *testing.T) {
	const (
		order  = "UPDATE orders SET "
		first  = "UPDATE payments SET ton_price = %d WHERE lt = 110"
		second = "UPDATE payments SET ton_price = %d WHERE lt = 120" // an hour after the last reading
	)
	read := func(at string, price int) string {
		return fmt.Sprintf("INSERT INTO ton_prices (read_at, price, doubtful) VALUES ('2026-03-04 %s+00:00', %d, FALSE)", at, price)
	}
	moved := func(at string) string { return "UPDATE ton_prices SET read_at = '2026-03-04 " + at + "+00:00'" }
	cases := map[string]struct {
		changes []string
		sound   bool
	}{
		"an order's coins":              {changes: []string{order + "coins = coins + 1"}},
		"an order's price of TON":       {changes: []string{order + "ton_price = 5000000, coins = 2 * coins"}},
		"an order's price of MCBK":      {changes: []string{order + "mcbk_price = 1000, coins = 2 * coins"}},
		"both prices a tenth of theirs": {changes: []string{order + "ton_price = 250000, mcbk_price = 200"}},
		"a longer time":                 {changes: []string{order + "expires_at = '2026-03-04 12:20:00.000001+00:00'"}},
		"a price of ten minutes ago":    {[]string{moved("11:55:00")}, true},
		"an older one":                  {changes: []string{moved("11:54:59.999999")}},
		"one of later":                  {changes: []string{moved("12:05:00.000001")}},
		"not the newest":                {changes: []string{read("12:03:59.999999", 2_600_000), fmt.Sprintf(first, 2_600_000)}},
		"one before one nobody had yet": {[]string{read("12:05:00", 2_600_000), fmt.Sprintf(second, 2_600_000)}, true},
		"a payment's, not the newest":   {changes: []string{read("12:04:10", 2_600_000)}},
		"the last believed, not a jump": {[]string{read("12:04:00", 1_000_000)}, true},
		"a jump, by an older version":   {[]string{read("12:04:00", 1_000_000), fmt.Sprintf(first, 1_000_000)}, true},
		"a payment's price of TON":      {changes: []string{fmt.Sprintf(first, 2_500_001)}},
		"a payment's price of MCBK":     {changes: []string{"UPDATE payments SET mcbk_price = 2300 WHERE lt = 110"}},
		"no price though one was read":  {changes: []string{fmt.Sprintf(first, 0)}},
		"not that of long ago":          {changes: []string{fmt.Sprintf(second, 2_500_001)}},
		"none, as that is old":          {[]string{fmt.Sprintf(second, 0), "UPDATE treasury_transactions SET shown_by = 0"}, true}, // by a version that took none so old
		"none, though that is known":    {changes: []string{fmt.Sprintf(second, 0)}},
	}
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		m := modelstest.NewMarket(t, store)
		modelstest.Player(t, store)
		p := modelstest.Buyer(t, store)
		at := modelstest.Noon.Add(5 * time.Minute)
		bought := modelstest.OrderCoins(t, store, p, game.TON, at)
		m.Pay(game.TON, bought.Comment, at.Add(20*time.Second))
		m.Pay(game.TON/20, bought.Comment, at.Add(time.Hour))
		m.Record(t, at.Add(time.Hour))
		modelstest.Sound(t, store)
		dropGuards(t, raw)
		restore := snapshots(t, raw)
		for name, c := range cases {
			for _, change := range c.changes {
				modelstest.MustExec(t, raw, change)
			}
			found := findBrokenRows(t, store)[pricesAreTrue]
			if sound := len(found) == 0; sound != c.sound || !sound && !slices.Equal(found, []string{fmt.Sprint("player ", p.ID)}) {
				t.Errorf("%s: found %v", name, found)
			}
			restore()
		}
	})
}

func TestVerifyFindsStaleOrder(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		m := modelstest.NewMarket(t, store)
		m.SetPrice(t, 2_500_000, modelstest.Noon.Add(-20*time.Minute))
		order := modelstest.OrderCoins(t, store, modelstest.Buyer(t, store), game.TON, modelstest.Noon)
		dropFixed(t, raw)
		modelstest.MustExec(t, raw, "UPDATE orders SET created_at = '2026-03-04 11:40:00+00:00', expires_at = '2026-03-04 11:49:00+00:00'")
		wantBroken(t, store, 0) // the chain is not known so far
		m.Record(t, modelstest.Noon)
		wantBroken(t, store, 0) // until a minute and ten later
		modelstest.MustExec(t, raw, "UPDATE orders SET expires_at = '2026-03-04 11:48:59+00:00'")
		modelstest.Equal(t, findBrokenRows(t, store), map[string][]string{ordersAreClosed: {fmt.Sprint("order ", order.ID)}})
		modelstest.Returns(store.Treasury.ExpireOrders(t.Context()))(t, 1, "expired")
		wantBroken(t, store, 0)
	})
}

// A leader's clock may be a little behind that of the leader before it.
func TestVerifyReadsPaymentsInPostingOrder(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		m, _, order := modelstest.NewOrder(t, store)
		for _, now := range []time.Duration{2 * time.Minute, time.Minute} {
			m.Pay(game.TON, order.Comment, modelstest.Noon.Add(30*time.Second))
			history := treasury.History{Since: m.Since, Transactions: m.Next, KnownUntil: modelstest.Noon.Add(time.Minute), Agreed: 2}
			modelstest.Must(store.Treasury.Record(t.Context(), history, modelstest.Season, modelstest.At(modelstest.Noon.Add(now))))(t)
			m.Since, m.Next = m.Head, nil
		}
	})
}
