package bot_test

import (
	"fmt"
	"strings"
	"testing"

	"mcbk/models/modelstest"
	"mcbk/models/players"
	"mcbk/models/privacy"
	"mcbk/models/store"
	"mcbk/models/treasury"
)

func TestHeldPaymentsAreListedAndSettled(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		d := atDesk(t, store)
		d.says("/match", "No payment waits for an admin.")
		modelstest.Held(t, store)
		d.says("/match", "1: 1 TON, 2026-03-04 12:00")
		d.says("/match", "no such order\nfrom <code>0:payer</code>\nsays <code>for &lt;my&gt; coins</code>")
		player := modelstest.Buyer(t, store)
		order := modelstest.OrderCoins(t, store, player, 1_000_000_000, modelstest.Noon)
		const what = "\n1 TON, from <code>0:payer</code>"
		d.says("/match 1 "+strings.ToLower(order.Comment), fmt.Sprintf("Give payment 1 to the order %s?\nIt belongs to player %d, “Ann”: 1 TON for coins.%s", order.Comment, player.ID, what))
		d.says(fmt.Sprint("/match 1 ", player.ID), fmt.Sprintf("player %d, “Ann”?%s", player.ID, what))
		d.says("/match 1 MC-ABCDEFGH23", "There is no order MC-ABCDEFGH23.")
		d.says("/match 2 refund", "There is no payment 2.")
		buyer := modelstest.Player(t, store)
		inStars := modelstest.OrderStars(t, store, buyer, 5, modelstest.Noon)
		d.says("/match 1 "+inStars.Comment, fmt.Sprintf("That order is in another currency. To give the payment to its player: <code>/match 1 %d</code>", buyer.ID))
		d.says("/match 1 @nobody", "No such player.")
		said := d.says("/match 1 Refund", "Mark payment 1 for refund?"+what)
		d.decides(d.adam, said.buttons()[0], "Done.", "payment 1, 1 TON from 0:payer, is marked for refund")
		d.says("/match", "\npayout 1 waits to be approved")
		d.says("/match", "No payment waits for an admin.\n\n<b>Marked for refund, newest first: 1</b>\nPayment 1: 1 TON, 2026-03-04 12:00")
		d.says("/match 1 refund", "Payment 1 is no longer waiting: it was credited, or marked for refund.")
		modelstest.Done(t, store, treasury.ActionCancelPayout, "1", "they want none", "due")
		d.says("/match", "\npayout 1 is cancelled: nothing is refunded")
		modelstest.Sound(t, store)
	})
}

// An erased account can't be credited: the payment is refunded.
func TestErasedPlayerIsNotCredited(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		d := atDesk(t, store)
		modelstest.Held(t, store)
		player := modelstest.Buyer(t, store)
		order := modelstest.OrderCoins(t, store, player, 1_000_000_000, modelstest.Noon)
		modelstest.Tournament(t, store)
		targets := []string{fmt.Sprint(player.ID), order.Comment, modelstest.OrderMine(t, store, player, 1, modelstest.Noon).Comment}
		var asked []string
		for _, to := range targets {
			asked = append(asked, d.writes(d.adam, "/match 1 "+to).buttons()[0])
		}
		modelstest.Done(t, store, privacy.ActionErase, fmt.Sprint(player.ID)) // between the confirmation and the press
		for i, to := range targets {
			d.decides(d.adam, asked[i], "Not done.", "that account was erased for good")
			d.refuses("/match 1 "+to, "That account was erased for good")
		}
		modelstest.WantPurchased(t, store, player, 0, 0)
		modelstest.Sound(t, store)
	})
}

func TestTreasurysOwnTransferIsNotCredited(t *testing.T) {
	store := modelstest.Store(t, "sqlite")
	d := atDesk(t, store)
	modelstest.PaidBy(t, store, "0:treasury", 1_000_000_000, "", modelstest.Noon)
	for _, to := range []string{fmt.Sprint(modelstest.Player(t, store).ID), "MC-ABCDEFGH23"} {
		d.refuses("/match 1 "+to, "The treasury paid itself, so nothing came in; mark it for refund")
	}
	d.says("/match 1 refund", "Mark payment 1 for refund?\n1 TON, from <code>0:treasury</code>, the treasury itself")
}

// The treasury's address is public: anybody may send dust with an advertisement, or with lines that imitate rows of the list.
func TestDustHidesNoPaymentAndHasNoLinks(t *testing.T) {
	store := modelstest.Store(t, "sqlite")
	d := atDesk(t, store)
	for range 30 {
		modelstest.Paid(t, store, 1, "&&&&&&&&&&&\n&&&&&&&&&&&\r\n&&&&&&&&&&&\u2028&&&&&&&&&&&\n7: 1000 TON", modelstest.Noon)
	}
	modelstest.Paid(t, store, 1_000_000_000, "free TON at evil.example", modelstest.Noon)
	list := ""
	for _, said := range d.reads(d.adam, "/match") {
		text := said.fields["text"]
		if list += text; strings.Count(text, "<code>") != strings.Count(text, "</code>") || strings.Contains(text, "\n7: 1000 TON") {
			t.Errorf("said %q", text)
		}
	}
	for _, words := range []string{"Payments that wait for an admin: 31</b>\n31: 1 TON,", "\nsays <code>free TON at evil.example</code>"} { // the largest first
		if !strings.Contains(list, words) {
			t.Errorf("%q is not in %q", words, list)
		}
	}
	for name, shown := range map[string]string{"evil.example\u2028(player 1)": "“evil.\u2060example (player 1)”?", "100%d": "“100%d”?"} {
		odd := modelstest.SignIn(t, store, players.LaunchUser{TelegramID: modelstest.TelegramID(), FirstName: name}, modelstest.Noon)
		d.says(fmt.Sprint("/match 31 ", odd.ID), fmt.Sprintf("to player %d, %s", odd.ID, shown))
	}
}
