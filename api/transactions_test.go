package api_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"mcbk/api"
	"mcbk/game"
	"mcbk/models"
	"mcbk/models/ledger"
	"mcbk/models/modelstest"
	"mcbk/models/treasury"
	"mcbk/models/wallet"
)

func (g *table) lists(raw, query, more string, want ...string) {
	g.t.Helper()
	a := g.asks(raw, "GET", "/user/transactions"+query, "", 200, map[string]string{"hasMore": more})
	var rows []string
	for i := 0; a.at(fmt.Sprintf("transactions.%d.id", i)) != fmt.Sprintf("no transactions.%d.id", i); i++ {
		row := ""
		for _, field := range []string{"kind", "name", "amount", "asset", "amount_usd", "type", "is_withdraw", "created_at"} {
			row += a.at(fmt.Sprintf("transactions.%d.%s", i, field)) + "; "
		}
		rows = append(rows, row)
	}
	if !slices.Equal(rows, want) {
		g.t.Errorf("%s lists %q,\nwant %q", query, rows, want)
	}
}

func TestTransactionsListCoinCredits(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, g *table) {
		friend := modelstest.Player(t, g.store)
		id := modelstest.TelegramID()
		raw := launch(id, g.clock.Now(), "start_param", friend.ReferralCode)
		send := func(method, path, body string) answer {
			t.Helper()
			return g.asks(raw, method, path, body, 200, nil)
		}
		send("GET", "/user/me", "")
		send("PUT", "/user/update", `{"age_consent_accepted":true}`)
		g.lists(raw, "", "false")
		send("POST", "/tap/perform-batch-tap", `{"total_taps":40}`)
		g.clock.Step(time.Second)
		send("POST", "/user/checkin", "")
		g.buys(raw)
		order := send("POST", "/token/purchase", `{"ton_amount":1}`)
		g.records(treasury.ChainTransaction{
			ChainCursor: models.ChainCursor{LT: 5, Hash: fmt.Sprintf("%064x", 5)}, At: modelstest.Noon.Add(time.Second), Kind: treasury.ChainIncoming,
			Amount: game.TON, Comment: order.at("order.comment"), BoC: []byte{1},
		})
		g.clock.Step(time.Second)
		send("POST", "/tap/perform-batch-tap", `{"total_taps":10}`)

		taps := "tap; Taps on the bag; 0.05; MCBK; +0.00; other; false; 2026-03-04T12:00:00Z; "
		checkIn := "checkin; Daily Reward; 1; MCBK; +0.00; other; false; 2026-03-04T12:00:01Z; "
		bought := "purchase; Coins bought; 1250; MCBK; +2.50; other; false; 2026-03-04T12:00:00Z; "
		g.lists(raw, "", "false", bought, checkIn, taps)
		g.lists(raw, "?type=all&limit=2", "true", bought, checkIn)
		g.lists(raw, "?type=all&limit=2&offset=2", "false", taps)
		g.lists(raw, "?type=purchases", "false", bought)
		g.lists(raw, "?type=referrals", "false")

		inviter := launch(friend.TelegramID, g.clock.Now())
		shared := "referral; From a friend; 12.5; MCBK; +0.02; referral; false; 2026-03-04T12:00:00Z; "
		g.lists(inviter, "", "false", shared)
		g.lists(inviter, "?type=referrals", "false", shared)
		g.lists(inviter, "?type=purchases", "false")

		send("PUT", "/user/update", `{"language":"ru"}`)
		g.clock.Step(80 * 24 * time.Hour) // a coin costs more then
		g.lists(launch(id, g.clock.Now()), "?type=purchases", "false", "purchase; Покупка монет; 1250; MCBK; +2.50; other; false; 2026-03-04T12:00:00Z; ")
	})
}

func TestTONPrizeIsListedAsCredit(t *testing.T) {
	row := api.TransactionOf(wallet.CoinRow{ID: -7, Kind: ledger.TONPrize, At: modelstest.Noon, Paid: 30 * game.TON, Price: 2_500_000})
	got := fmt.Sprint(row.ID, row.Kind, row.Name, row.Amount, row.Asset, row.AmountUSD, row.Type, row.IsWithdraw)
	if want := fmt.Sprint(int64(-7), "prize", "Tournament prize", "30", "TON", "+75.00", "other", false); got != want {
		t.Errorf("a prize in TON is listed as %s, want %s", got, want)
	}
}
