package bot_test

import (
	"fmt"
	"strings"
	"testing"

	"mcbk/models"
	"mcbk/models/modelstest"
	"mcbk/models/players"
	"mcbk/models/store"
)

func TestSuspectedReferralFraudIsListed(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		d := atDesk(t, store)
		inviter := modelstest.Player(t, store)
		arrives := func(name, origin, wallet string) models.Player {
			t.Helper()
			user := players.LaunchUser{TelegramID: modelstest.TelegramID(), FirstName: name, StartParam: inviter.ReferralCode, Origin: origin}
			p := modelstest.SignIn(t, store, user, modelstest.Noon)
			if wallet != "" {
				modelstest.Must(store.Wallet.SetWallet(t.Context(), p.ID, &wallet))(t)
			}
			return p
		}
		const home, office = "00000000000000aa", "00000000000000bb"
		ann, bob := arrives("<Ann>", home, ""), arrives("Bob", home, "0:one")
		arrives("Carl", office, "0:other")
		arrives("Emma", "", "")
		dan := arrives("Dan", "", "0:one")
		text := d.says(fmt.Sprint("/friends ", inviter.ID),
			"5 on the way, 0 waiting for the reward, 0 rewarded, 0 rejected", "3 share an address or a wallet",
			fmt.Sprintf("\n%d: “&lt;Ann&gt;”, on the way, day 0, same address\n", ann.ID), fmt.Sprintf("\n%d: “Bob”, on the way, day 0, same address and wallet\n", bob.ID),
			fmt.Sprintf("\n%d: “Dan”, on the way, day 0, same wallet\n", dan.ID),
		).fields["text"]
		for _, honest := range []string{"Carl", "Emma"} {
			if strings.Contains(text, honest) {
				t.Errorf("%s is in %q", honest, text)
			}
		}
		d.says("/friends 7777", "No such player.")
	})
}
