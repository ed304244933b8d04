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
		player := modelstest.Player(t, store)
		wallet := "0:wallet"
		modelstest.Must(store.Wallet.SetWallet(t.Context(), player.ID, &wallet))(t)
		order := modelstest.Must(store.Orders.OrderCoins(t.Context(), player.ID, 1_000_000_000, modelstest.Season, modelstest.Noon))(t)
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
		if _, edited := d.presses(d.adam, said.buttons()[0]); !strings.Contains(edited, "payment 1, 1 TON from 0:payer, is marked for refund") {
			t.Errorf("confirmed: %q", edited)
		}
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
		player := modelstest.Player(t, store)
		wallet := "0:wallet"
		modelstest.Must(store.Wallet.SetWallet(t.Context(), player.ID, &wallet))(t)
		order := modelstest.Must(store.Orders.OrderCoins(t.Context(), player.ID, 1_000_000_000, modelstest.Season, modelstest.Noon))(t)
		modelstest.Tournament(t, store)
		mine := modelstest.Must(store.Mines.OrderMine(t.Context(), player.ID, 1, nil, modelstest.Season, modelstest.Noon))(t)
		var asked []string
		for _, to := range []string{fmt.Sprint(player.ID), order.Comment, mine.Comment} {
			asked = append(asked, d.writes(d.adam, "/match 1 "+to).buttons()[0])
		}
		modelstest.Done(t, store, privacy.ActionErase, fmt.Sprint(player.ID)) // between the confirmation and the press
		for _, button := range asked {
			if toast, edited := d.presses(d.adam, button); toast != "Not done." || !strings.Contains(edited, "that account was erased for good") {
				t.Errorf("pressed: %q, %q", toast, edited)
			}
		}
		for _, to := range []string{fmt.Sprint(player.ID), order.Comment, mine.Comment} {
			if said := d.writes(d.adam, "/match 1 "+to); len(said.buttons()) > 0 || !strings.Contains(said.fields["text"], "That account was erased for good") {
				t.Errorf("to %s: %q", to, said.fields["text"])
			}
		}
		if now, err := store.Players.Player(t.Context(), player.ID); err != nil || now.Balances.Purchased != 0 {
			t.Errorf("has %v, %v", now.Balances.Purchased, err)
		}
		modelstest.Sound(t, store)
	})
}

func TestTreasurysOwnTransferIsNotCredited(t *testing.T) {
	store := modelstest.Store(t, "sqlite")
	d := atDesk(t, store)
	player := modelstest.Player(t, store)
	modelstest.PaidBy(t, store, "0:treasury", 1_000_000_000, "", modelstest.Noon)
	for _, to := range []string{fmt.Sprint(player.ID), "MC-ABCDEFGH23"} {
		if said := d.writes(d.adam, "/match 1 "+to); len(said.buttons()) > 0 || !strings.Contains(said.fields["text"], "The treasury paid itself, so nothing came in; mark it for refund") {
			t.Errorf("to %s: %q", to, said.fields["text"])
		}
	}
	if said := d.writes(d.adam, "/match 1 refund"); !strings.Contains(said.fields["text"], "Mark payment 1 for refund?\n1 TON, from <code>0:treasury</code>, the treasury itself") {
		t.Errorf("asked %q", said.fields["text"])
	}
}

// The treasury's address is public: anybody may send dust with an advertisement.
func TestDustHidesNoPaymentAndHasNoLinks(t *testing.T) {
	store := modelstest.Store(t, "sqlite")
	d := atDesk(t, store)
	for range 30 {
		modelstest.Paid(t, store, 1, "free TON at evil.example", modelstest.Noon)
	}
	modelstest.Paid(t, store, 1_000_000_000, "free TON at evil.example", modelstest.Noon)
	said := d.writes(d.adam, "/match").fields["text"]
	if !strings.Contains(said, "Payments that wait for an admin: 31</b>\n31: 1 TON,") {
		t.Errorf("the largest is not the first: %q", said)
	}
	if !strings.Contains(said, "\nsays <code>free TON at evil.example</code>") {
		t.Errorf("a stranger's comment may be a link: %q", said)
	}
	odd := modelstest.Must(store.Players.SignIn(t.Context(), players.LaunchUser{TelegramID: modelstest.TelegramID(), FirstName: "evil.example\u2028(player 1)"}, modelstest.Noon))(t)
	d.says(fmt.Sprint("/match 31 ", odd.ID), fmt.Sprintf("to player %d, “evil.\u2060example (player 1)”?", odd.ID))
}

// A comment of several lines must not imitate rows of the list, nor be split between two messages.
func TestCommentIsShownOnOneLine(t *testing.T) {
	store := modelstest.Store(t, "sqlite")
	d := atDesk(t, store)
	for range 10 {
		modelstest.Paid(t, store, 1_000_000_000, "&&&&&&&&&&&\n&&&&&&&&&&&\r\n&&&&&&&&&&&\u2028&&&&&&&&&&&\n7: 1000 TON", modelstest.Noon)
	}
	for _, said := range d.asks(d.adam, func(id int64) string { return d.adam.writes(id, "/match") }) {
		text := said.fields["text"]
		if strings.Count(text, "<code>") != strings.Count(text, "</code>") || strings.Contains(text, "\n7: 1000 TON") {
			t.Errorf("said %q", text)
		}
	}
}

func TestPercentInNameIsNoFormat(t *testing.T) {
	store := modelstest.Store(t, "sqlite")
	d := atDesk(t, store)
	modelstest.Held(t, store)
	odd := modelstest.Must(store.Players.SignIn(t.Context(), players.LaunchUser{TelegramID: modelstest.TelegramID(), FirstName: "100%d"}, modelstest.Noon))(t)
	d.says(fmt.Sprint("/match 1 ", odd.ID), "“100%d”?")
}
