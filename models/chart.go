package models

import "slices"

// CoinKind is the source of coins, as players read it.
type CoinKind string

// The kinds of rows.
const (
	CoinsPurchase CoinKind = "purchase"
	CoinsReferral CoinKind = "referral"
	CoinsCheckIn  CoinKind = "checkin"
	CoinsTask     CoinKind = "task"
	CoinsLoyalty  CoinKind = "loyalty"
	CoinsWheel    CoinKind = "roulette"
	CoinsTap      CoinKind = "tap"
	CoinsOre      CoinKind = "ore"
	CoinsPrize    CoinKind = "prize"
	PaidMine      CoinKind = "mine"      // no coins, but the TON that the player paid
	TONPrize      CoinKind = "ton_prize" // no coins, but TON that was paid to the player, as the chain shows
)

// houseAccount is a line of the chart of accounts.
type houseAccount struct {
	account Account
	title   string  // as /stats names it; empty if it gives no coins
	assets  []Asset // that it gives or takes
	history []coinRow
}

// coinRow says how coins that an account gives are listed in the player's history: by the account of the player that they go to;
// one row per posting or, if daily, one row per UTC day with the sum.
type coinRow struct {
	destination Account
	kind        CoinKind
	daily       bool
}

// chart is the chart of the house's accounts, in the order in which /stats shows them. (decision 0003: ledger)
var chart = []houseAccount{
	{houseTaps, "Bag", []Asset{AssetMCBK}, []coinRow{{AccountGame, CoinsTap, true}}},
	{houseDaily, "Check-in", []Asset{AssetMCBK, AssetPoint}, []coinRow{{AccountGame, CoinsCheckIn, true}}},
	{houseTasks, "Tasks", []Asset{AssetMCBK, AssetPoint}, []coinRow{{AccountGame, CoinsTask, true}}},
	{houseWheel, "Wheel", []Asset{AssetMCBK, AssetPoint, AssetSpin, AssetAdSpin}, []coinRow{{AccountGame, CoinsWheel, true}}},
	{houseLoyalty, "Loyalty", []Asset{AssetMCBK, AssetPoint}, []coinRow{{AccountGame, CoinsLoyalty, true}}},
	{houseSales, "Sales", []Asset{AssetMCBK}, []coinRow{{AccountPurchased, CoinsPurchase, false}, {AccountReferral, CoinsReferral, false}}},
	{houseFriends, "Friends", []Asset{AssetMCBK, AssetPoint}, []coinRow{{AccountReferral, CoinsReferral, false}}},
	{houseMines, "Mines", []Asset{AssetOre, AssetMCBK}, []coinRow{{AccountGame, CoinsOre, false}}},
	{housePrizes, "Prizes", []Asset{AssetMCBK}, []coinRow{{AccountGame, CoinsPrize, false}}},
	{account: houseAdvice, assets: []Asset{AssetPoint}},
}

// inChart finds an account of the house.
func inChart(a Account) (houseAccount, bool) {
	i := slices.IndexFunc(chart, func(h houseAccount) bool { return h.account == a })
	if i < 0 {
		return houseAccount{}, false
	}
	return chart[i], true
}

// givesCoins returns the accounts that give coins, in the order of the chart.
func givesCoins() []houseAccount {
	return slices.DeleteFunc(slices.Clone(chart), func(h houseAccount) bool { return h.title == "" })
}

// holds reports whether the account exists and holds that asset.
func holds(a Account, asset Asset) bool {
	if own, ok := assetOf[a]; ok {
		return own == asset
	}
	house, _ := inChart(a)
	return slices.Contains(house.assets, asset)
}
