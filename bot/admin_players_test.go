package bot_test

import (
	"fmt"
	"strings"
	"testing"

	"mcbk/models"
	"mcbk/models/given"
)

func TestPlayerDetailsTellWhetherTheWalletIsProven(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		d, player, wallet := atDesk(t, store), given.Player(t, store), "0:wallet"
		says := func(want string) {
			t.Helper()
			if said := d.writes(d.adam, fmt.Sprint("/player ", player.ID)).fields["text"]; !strings.Contains(said, "\nWallet: "+want+"\n") {
				t.Errorf("the details are %q, without %q", said, want)
			}
		}
		says("none")
		if _, err := store.SetWallet(t.Context(), player.ID, &wallet); err != nil {
			t.Fatal(err)
		}
		says("<code>0:wallet</code>, not proven")
		payload, _, err := store.NewWalletNonce(t.Context(), player.ID, given.Noon)
		if err != nil {
			t.Fatal(err)
		}
		signed := func() error { return nil }
		if _, err := store.ProveWallet(t.Context(), player.ID, wallet, given.Proof(wallet, payload), signed, given.Noon); err != nil {
			t.Fatal(err)
		}
		says("<code>0:wallet</code>, proven")
	})
}

func TestAnAdminIsAskedWhichOfTwoNamesakesIsMeant(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		d := atDesk(t, store)
		given.Held(t, store)
		var ids []int64
		for _, name := range []string{"Ann", "<b>Annie"} {
			p, err := store.Arrive(t.Context(), models.Arrival{TelegramID: given.TelegramID(), FirstName: name, Username: "ann"}, given.Noon)
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, p.TelegramID)
		}
		for _, command := range []string{"/player @ann", "/ban @Ann a script", "/unban @ann", "/erase @ANN", "/match 1 @ann", "/friends @ann", "/friends reject @ann"} {
			said := d.writes(d.adam, command).fields
			for _, id := range ids {
				if !strings.Contains(said["text"], fmt.Sprintf("\n<code>%d</code>: ", id)) {
					t.Errorf("%s got %q, without %d", command, said["text"], id)
				}
			}
			if strings.Contains(said["text"], "<b>Annie") || said["reply_markup"] != "" {
				t.Errorf("%s got %v", command, said)
			}
		}
		if said := d.writes(d.adam, fmt.Sprint("/match 1 ", ids[0])).fields; !strings.Contains(said["text"], "to player ") || said["reply_markup"] == "" {
			t.Errorf("by Telegram's number: %v", said)
		}
	})
}
