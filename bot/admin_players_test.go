package bot_test

import (
	"fmt"
	"strings"
	"testing"

	"mcbk/models"
	"mcbk/models/given"
)

func TestADossierTellsWhetherTheWalletIsProven(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		d, player, wallet := atDesk(t, store), given.Player(t, store), "0:wallet"
		says := func(want string) {
			t.Helper()
			if said := d.writes(d.adam, fmt.Sprint("/player ", player.ID)).fields["text"]; !strings.Contains(said, "\nWallet: "+want+"\n") {
				t.Errorf("the dossier is %q, without %q", said, want)
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
		if _, err := store.ProveWallet(t.Context(), player.ID, wallet, payload, signed, given.Noon); err != nil {
			t.Fatal(err)
		}
		says("<code>0:wallet</code>, proven")
	})
}
