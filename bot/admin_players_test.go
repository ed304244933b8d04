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

func TestPlayerDetailsShowWhetherWalletIsProven(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		d, player, wallet := atDesk(t, store), modelstest.Player(t, store), "0:wallet"
		says := func(want string) {
			t.Helper()
			d.says(fmt.Sprint("/player ", player.ID), "\nWallet: "+want+"\n")
		}
		says("none")
		modelstest.Must(store.Wallet.SetWallet(t.Context(), player.ID, &wallet))(t)
		says("<code>0:wallet</code>, not proven")
		modelstest.ProveWallet(t, store, player, wallet, modelstest.Noon)
		says("<code>0:wallet</code>, proven")
	})
}

func TestAmbiguousNameListsNamesakes(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		d := atDesk(t, store)
		modelstest.Held(t, store)
		var ids []int64
		for _, name := range []string{"Ann", "<b>Annie"} {
			p := modelstest.SignIn(t, store, players.LaunchUser{TelegramID: modelstest.TelegramID(), FirstName: name, Username: "ann"}, modelstest.Noon)
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
