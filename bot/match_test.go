package bot_test

import (
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
		says("/match 1 MC-ABCDEFGH23", "Give payment 1 to the order MC-ABCDEFGH23?")
		says("/match 1 @nobody", "No player is known by that.")
		said := d.writes(d.adam, "/match 1 refund")
		if !strings.Contains(said.fields["text"], "Mark payment 1 to be sent back?") {
			t.Errorf("refund got %q", said.fields["text"])
		}
		if _, edited := d.presses(d.adam, said.buttons()[0]); !strings.Contains(edited, "is to be sent back") {
			t.Errorf("confirmed: %q", edited)
		}
		says("/match", "No payment waits for you.")
		given.Sound(t, store)
	})
}
