package main

import (
	"path/filepath"
	"strconv"
	"strings"

	"mcbk-sandbox/ads"
	"mcbk-sandbox/chain"
	"mcbk-sandbox/clock"
	"mcbk-sandbox/people"
	"mcbk-sandbox/rates"
	"mcbk-sandbox/wallet"
)

// told are the variables that a developer who runs mcbk alone must set.
var told = []string{
	"BOT_TOKEN", "TELEGRAM_API_URL", "WEBAPP_URL", "ADMIN_IDS", "LISTEN", "OPS_LISTEN", "DATABASE_URL", "CLOCK_OFFSET_FILE", "ADS_SCRIPT_URL", "ADS_BLOCK_ID", "ADS_SECRET", "ADS_CSP",
	"TON_NETWORK", "TON_CONFIG", "TON_PRICE_URL", "WALLET_LINK_BASE", "WALLETS_LIST_URL", "TREASURY_ADDRESS",
}

// environment returns mcbk's environment variables.
func environment(f flags, at ports, dir string, hours *clock.Clock, book *people.Book, ton *chain.Network) map[string]string {
	var admins []string
	for _, p := range book.All() {
		if p.IsAdmin {
			admins = append(admins, strconv.FormatInt(p.ID, 10))
		}
	}
	env := map[string]string{
		"BOT_TOKEN":         botToken,
		"TELEGRAM_API_URL":  "http://127.0.0.1:" + at.own,
		"WEBAPP_URL":        at.appURL(),
		"ADMIN_IDS":         strings.Join(admins, ","),
		"LISTEN":            "127.0.0.1:" + at.app,
		"OPS_LISTEN":        "127.0.0.1:" + at.ops,
		"DATABASE_URL":      f.database,
		"CLOCK_OFFSET_FILE": hours.File(),
		"LOG_FORMAT":        "text",
		"ADS_SCRIPT_URL":    at.address() + "/ads/sdk.js",
		"ADS_BLOCK_ID":      ads.BlockID,
		"ADS_SECRET":        adsSecret,
		"ADS_CSP":           at.address(),
		"TON_NETWORK":       "mainnet",
		"TON_CONFIG":        ton.ConfigFile,
		"TON_PRICE_URL":     "http://127.0.0.1:" + at.own + rates.Path,
		"WALLET_LINK_BASE":  at.address(),
		"WALLETS_LIST_URL":  at.address() + wallet.ListPath,
		"TREASURY_ADDRESS":  ton.Treasury.WalletAddress().Bounce(false).String(),
	}
	if f.database == "" {
		env["DATABASE_URL"] = "sqlite:" + filepath.Join(dir, "mcbk.db")
	}
	if f.webhook {
		env["BOT_WEBHOOK_URL"] = "http://localhost:" + at.app + "/telegram/webhook"
		env["BOT_WEBHOOK_SECRET"] = webhookSecret
	}
	return env
}
