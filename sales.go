package main

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"mcbk/api"
	"mcbk/config"
	"mcbk/game"
	"mcbk/jobs"
	"mcbk/models"
	"mcbk/models/store"
	"mcbk/models/treasury"
	"mcbk/ops"
	"mcbk/ton"
)

// treasuryOf returns the address of payments; nil without sales. It refuses another treasury than the pinned one, where payments
// would not be found.
func treasuryOf(ctx context.Context, settings config.Config, store *store.Store) (*ton.Address, error) {
	if settings.TreasuryAddress == "" {
		return nil, nil
	}
	address, err := ton.ParseAddress(string(settings.TreasuryAddress), ton.Network(settings.TONNetwork))
	if err != nil {
		return nil, fmt.Errorf("TREASURY_ADDRESS: %w", err)
	}
	pinned, _, err := store.Treasury.Treasury(ctx)
	if err == nil && pinned.Address != "" && (pinned.Address != address.Raw() || pinned.Network != string(settings.TONNetwork)) {
		err = fmt.Errorf("TREASURY_ADDRESS: %w: it was %s on %s", treasury.ErrOtherTreasury, shownTreasury(pinned), pinned.Network)
	}
	return &address, err
}

// pinTreasury is treasuryOf, and stores the address: from then on another one is refused.
func pinTreasury(ctx context.Context, settings config.Config, store *store.Store, metrics *prometheus.Registry, now func() time.Time) (*ton.Address, error) {
	treasury, err := treasuryOf(ctx, settings, store)
	if err != nil || treasury == nil {
		return nil, err
	}
	if err := store.Treasury.PinTreasury(ctx, string(settings.TONNetwork), treasury.Raw(), now()); err != nil {
		return nil, fmt.Errorf("TREASURY_ADDRESS: %w", err)
	}
	ops.WatchChain(metrics, func(ctx context.Context) (time.Duration, bool, error) { return store.Treasury.ChainLag(ctx, now()) })
	return treasury, nil
}

// logTreasury warns of missing sales. If coins were sold before, payments are read only when the setting is back, and ended
// tournaments wait for them.
func logTreasury(ctx context.Context, store *store.Store, log *slog.Logger) error {
	pinned, _, err := store.Treasury.Treasury(ctx)
	switch {
	case err != nil:
		return err
	case pinned.Address == "":
		log.WarnContext(ctx, "TREASURY_ADDRESS is empty: players pay with Telegram Stars alone")
	default:
		log.WarnContext(ctx, "TREASURY_ADDRESS is empty: until it is set again nothing is sold, no payment is read and no ended tournament is paid", "was", shownTreasury(pinned))
	}
	return nil
}

// shownTreasury returns the address in the setting's form, except for the bounceable flag.
func shownTreasury(pinned models.Treasury) string {
	return ton.Friendly(pinned.Address, ton.Network(pinned.Network))
}

// market returns the external services of sales. On this machine alone and without a treasury only price services named in the settings
// are used: elsewhere mines are sold for Stars at the price of TON.
func market(settings config.Config, treasury *ton.Address, chain *ton.Reader, wake <-chan struct{}, log *slog.Logger) jobs.Sales {
	sales := jobs.Sales{Network: string(settings.TONNetwork), Wake: wake}
	services := settings.TONPriceURL
	if treasury != nil {
		sales.Treasury = treasury.Raw()
		sales.Chain = jobs.NewChain(chain, *treasury, log)
	}
	if len(services) == 0 && (treasury != nil || !settings.Loopback()) {
		services = publicPrices
	}
	if len(services) > 0 {
		sales.Price = func(ctx context.Context, now time.Time) (game.PriceReading, error) {
			return ton.ReadPrice(ctx, services, now)
		}
	}
	return sales
}

// wakeChainReader wakes the receiver; hints are coalesced.
func wakeChainReader(wake chan<- struct{}) {
	select {
	case wake <- struct{}{}:
	default:
	}
}

// payoutLink returns a function that makes an admin's payment links.
func payoutLink(settings config.Config) func(address string, amount game.Nanoton, comment string) string {
	return func(address string, amount game.Nanoton, comment string) string {
		to, err := ton.ParseAddress(address, ton.Network(settings.TONNetwork))
		if err != nil {
			return "" // no such address is stored
		}
		return ton.Invoice{To: to, Amount: amount, Comment: comment}.Link(linkBase(settings), ton.Network(settings.TONNetwork))
	}
}

// shownAddress returns a function that formats addresses in user-friendly form.
func shownAddress(settings config.Config) func(raw string) string {
	return func(raw string) string { return ton.Friendly(raw, ton.Network(settings.TONNetwork)) }
}

func liteServers(settings config.Config) string {
	return cmp.Or(settings.TONConfig, publicServers[settings.TONNetwork])
}

var (
	publicServers = map[config.Network]string{
		"mainnet": "https://ton.org/global.config.json", "testnet": "https://ton.org/testnet-global.config.json",
	}
	publicPrices = []string{
		"https://tonapi.io/v2/rates?tokens=ton&currencies=usd",
		"https://api.coingecko.com/api/v3/simple/price?ids=the-open-network&vs_currencies=usd",
	}
)

// warnWallet warns of a wallet app that players cannot connect, or whose payment links may not open.
func warnWallet(ctx context.Context, settings config.Config, log *slog.Logger) {
	if !opensLinks(settings) {
		log.WarnContext(ctx, "WALLET_LINK_BASE is an http address of another host than WEBAPP_URL: the game opens no payment link there, use https",
			"app", settings.WalletApp)
	}
	if settings.WalletApp == api.OwnWallet {
		return
	}
	if settings.WalletsListURL == "" {
		log.WarnContext(ctx, "WALLETS_LIST_URL is empty, and our own list lacks the app of WALLET_APP: no player can connect a wallet",
			"app", settings.WalletApp, "has", api.OwnWallet)
	}
	if settings.WalletLinkBase == "" {
		log.WarnContext(ctx, "WALLET_LINK_BASE is empty, and the address of the app of WALLET_APP is not known: payment links begin with ton://, "+
			"which opens whichever wallet app a phone has, and nothing where it has none", "app", settings.WalletApp)
	}
}

// opensLinks reports whether the web app opens links of WALLET_LINK_BASE: https, a wallet's scheme, or the app's own origin
// (webapp/src/telegram/links.ts).
func opensLinks(settings config.Config) bool {
	base, err := url.Parse(string(settings.WalletLinkBase))
	if err != nil || base.Scheme != "http" {
		return true
	}
	app, err := url.Parse(string(settings.WebAppURL))
	return err == nil && app.Scheme == base.Scheme && app.Hostname() == base.Hostname()
}

// linkBase returns the prefix of payment links: the named app's address, or a scheme of any wallet.
func linkBase(settings config.Config) string {
	switch {
	case settings.WalletLinkBase != "":
		return string(settings.WalletLinkBase)
	case settings.WalletApp == api.OwnWallet:
		return "https://app.tonkeeper.com"
	}
	return "ton://"
}

// walletsList returns the address of the wallets' list.
func walletsList(settings config.Config) string {
	return cmp.Or(string(settings.WalletsListURL), string(settings.WebAppURL)+api.WalletsPath)
}

// walletHosts returns the origins of that list's wallets.
func walletHosts(settings config.Config) []string {
	if settings.WalletsListURL == "" {
		return append(slices.Clone(api.OwnWalletHosts), settings.WalletHosts()...)
	}
	return settings.WalletHosts()
}
