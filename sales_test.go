package main

import (
	"log/slog"
	"slices"
	"strings"
	"testing"

	"mcbk/api"
	"mcbk/config"
	"mcbk/models/modelstest"
)

// The CSP must allow another list and its bridges.
func TestWalletListDefaultsToOwn(t *testing.T) {
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
		modelstest.Equal(t, publicConfig(c.settings).Wallet.WalletsListURL, c.list, what)
		modelstest.Equal(t, walletHosts(c.settings), c.hosts, what)
	}
}

// Players would be the first to notice a wallet app that our list lacks or whose links don't open: the log warns.
func TestStartWarnsOfUnusableWalletApp(t *testing.T) {
	for what, c := range map[string]struct {
		settings config.Config
		warnings []string // the beginning of each warning
	}{
		"our own":             {config.Config{WalletApp: "tonkeeper"}, nil},
		"another, all named":  {config.Config{WalletApp: "mytonwallet", WalletsListURL: "https://list.example", WalletLinkBase: "https://pay.example"}, nil},
		"a link not opened":   {config.Config{WalletApp: "tonkeeper", WalletLinkBase: "http://pay.example", WebAppURL: "https://game.example"}, []string{"WALLET_LINK_BASE"}},
		"on another host":     {config.Config{WalletApp: "tonkeeper", WalletLinkBase: "http://pay.example", WebAppURL: "http://game.example"}, []string{"WALLET_LINK_BASE"}},
		"on the game's own":   {config.Config{WalletApp: "tonkeeper", WalletLinkBase: "http://127.0.0.1:2", WebAppURL: "http://127.0.0.1:1"}, nil},
		"by a scheme":         {config.Config{WalletApp: "tonkeeper", WalletLinkBase: "tonkeeper://", WebAppURL: "https://game.example"}, nil},
		"another, no list":    {config.Config{WalletApp: "mytonwallet", WalletLinkBase: "https://pay.example"}, []string{"WALLETS_LIST_URL"}},
		"another, no link":    {config.Config{WalletApp: "mytonwallet", WalletsListURL: "https://list.example"}, []string{"WALLET_LINK_BASE"}},
		"another, named only": {config.Config{WalletApp: "mytonwallet"}, []string{"WALLETS_LIST_URL", "WALLET_LINK_BASE"}},
	} {
		var lines strings.Builder
		warnWallet(t.Context(), c.settings, slog.New(slog.NewTextHandler(&lines, nil)))
		var warnings []string
		for line := range strings.Lines(lines.String()) {
			_, message, _ := strings.Cut(line, `level=WARN msg="`)
			setting, _, _ := strings.Cut(message, " ")
			warnings = append(warnings, setting)
			modelstest.That(t, strings.Contains(line, "app="+string(c.settings.WalletApp)), "%s: %q does not name the app", what, line)
		}
		modelstest.That(t, slices.Equal(warnings, c.warnings), "%s: the log says %q", what, lines.String())
	}
}
