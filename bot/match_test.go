package bot_test

import (
	"fmt"
	"strings"
	"testing"

	"mcbk/models"
	"mcbk/models/given"
)

func TestPaymentsThatWaitAreListedAndSettled(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		d := atDesk(t, store)
		says := func(text, want string) {
			t.Helper()
			if said := d.writes(d.adam, text).fields["text"]; !strings.Contains(said, want) {
				t.Errorf("%s got %q, not %q", text, said, want)
			}
		}
		says("/match", "No payment waits for you.")
		given.Held(t, store)
		says("/match", "1: 1 TON, 2026-03-04 12:00")
		says("/match", "no such order\nfrom <code>0:payer</code>\nsays for &lt;my&gt; coins")
		player := given.Player(t, store)
		wallet := "0:wallet"
		if _, err := store.SetWallet(t.Context(), player.ID, &wallet); err != nil {
			t.Fatal(err)
		}
		order, err := store.OrderCoins(t.Context(), player.ID, 1_000_000_000, given.Season, given.Noon)
		if err != nil {
			t.Fatal(err)
		}
		const what = "\n1 TON, from <code>0:payer</code>"
		says("/match 1 "+strings.ToLower(order.Comment), "Give payment 1 to the order "+order.Comment+"?"+what)
		says(fmt.Sprint("/match 1 ", player.ID), fmt.Sprintf("(player %d)?%s", player.ID, what))
		says("/match 1 MC-ABCDEFGH23", "There is no order MC-ABCDEFGH23.")
		says("/match 2 refund", "There is no payment 2.")
		says("/match 1 @nobody", "No player is known by that.")
		said := d.writes(d.adam, "/match 1 refund")
		if !strings.Contains(said.fields["text"], "Mark payment 1 to be sent back?"+what) {
			t.Errorf("refund got %q", said.fields["text"])
		}
		if _, edited := d.presses(d.adam, said.buttons()[0]); !strings.Contains(edited, "payment 1, 1 TON from 0:payer, is to be sent back") {
			t.Errorf("confirmed: %q", edited)
		}
		says("/match", "No payment waits for you.\n\n<b>Marked to be sent back, the last first: 1</b>\nPayment 1: 1 TON, 2026-03-04 12:00")
		says("/match 1 refund", "That cannot be: already claimed.")
		given.Sound(t, store)
	})
}

func TestAPercentInANameIsNoFormat(t *testing.T) {
	store := given.Store(t, "sqlite")
	d := atDesk(t, store)
	given.Held(t, store)
	odd, err := store.Arrive(t.Context(), models.Arrival{TelegramID: given.TelegramID(), FirstName: "100%d"}, given.Noon)
	if err != nil {
		t.Fatal(err)
	}
	if said := d.writes(d.adam, fmt.Sprint("/match 1 ", odd.ID)).fields["text"]; !strings.Contains(said, "Give payment 1 to 100%d (player") {
		t.Errorf("asked %q", said)
	}
}
