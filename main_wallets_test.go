package main

import (
	"slices"
	"testing"

	"mcbk/api"
	"mcbk/config"
)

// Whoever names another list must be able to reach it, and the bridges that only they know.
func TestTheListOfWalletsIsOurOwnUnlessAnotherIsNamed(t *testing.T) {
	bridge := config.Hosts{"https://bridge.example"}
	for what, c := range map[string]struct {
		settings config.Config
		list     string
		hosts    []string
	}{
		"our own": {config.Config{WebAppURL: "https://game.example"}, "https://game.example/wallets.json", api.OwnWalletHosts},
		"our own and a host": {
			config.Config{WebAppURL: "https://game.example", WalletsCSP: bridge},
			"https://game.example/wallets.json", append(slices.Clone(api.OwnWalletHosts), bridge...),
		},
		"another": {
			config.Config{WebAppURL: "https://game.example", WalletsListURL: "https://list.example:8443/all.json?v=2", WalletsCSP: bridge},
			"https://list.example:8443/all.json?v=2",
			[]string{"https://list.example:8443", "https://bridge.example"},
		},
	} {
		if list := publicConfig(c.settings).Wallet.WalletsListURL; list != c.list {
			t.Errorf("%s: the list is %q", what, list)
		}
		if hosts := walletHosts(c.settings); !slices.Equal(hosts, c.hosts) {
			t.Errorf("%s: the hosts are %q", what, hosts)
		}
	}
}
