package ledger

import (
	"slices"

	"mcbk/models"
)

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
	CoinsRefunded CoinKind = "refund"    // taken back by a refund in Stars
	PaidMine      CoinKind = "mine"      // no coins, but the TON or Stars that the player paid
	TONPrize      CoinKind = "ton_prize" // no coins, but TON that was paid to the player, as the chain shows
)

// HouseAccount is a line of the chart of accounts.
type HouseAccount struct {
	Account models.Account
	Title   string         // as /stats names it; empty if it gives no coins
	Assets  []models.Asset // that it gives or takes
	History []coinRow
}

// coinRow says how coins that an account gives are listed in the player's history: by the account of the player that they go to;
// one row per posting or, if daily, one row per UTC day with the sum.
type coinRow struct {
	Destination models.Account
	Kind        CoinKind
	Daily       bool
}

// Chart is the chart of the house's accounts, in the order in which /stats shows them. (decision 0003: ledger)
var Chart = []HouseAccount{
	{models.HouseTaps, "Bag", []models.Asset{models.AssetMCBK}, []coinRow{{models.AccountGame, CoinsTap, true}}},
	{models.HouseDaily, "Check-in", []models.Asset{models.AssetMCBK, models.AssetPoint}, []coinRow{{models.AccountGame, CoinsCheckIn, true}}},
	{models.HouseTasks, "Tasks", []models.Asset{models.AssetMCBK, models.AssetPoint}, []coinRow{{models.AccountGame, CoinsTask, true}}},
	{models.HouseWheel, "Wheel", []models.Asset{models.AssetMCBK, models.AssetPoint, models.AssetSpin, models.AssetAdSpin}, []coinRow{{models.AccountGame, CoinsWheel, true}}},
	{models.HouseLoyalty, "Loyalty", []models.Asset{models.AssetMCBK, models.AssetPoint}, []coinRow{{models.AccountGame, CoinsLoyalty, true}}},
	{models.HouseSales, "Sales", []models.Asset{models.AssetMCBK}, []coinRow{{models.AccountPurchased, CoinsPurchase, false}, {models.AccountReferral, CoinsReferral, false}}},
	{models.HouseFriends, "Friends", []models.Asset{models.AssetMCBK, models.AssetPoint}, []coinRow{{models.AccountReferral, CoinsReferral, false}}},
	{models.HouseMines, "Mines", []models.Asset{models.AssetOre, models.AssetMCBK}, []coinRow{{models.AccountGame, CoinsOre, false}}},
	{models.HousePrizes, "Prizes", []models.Asset{models.AssetMCBK}, []coinRow{{models.AccountGame, CoinsPrize, false}}},
	{Account: models.HouseAdvice, Assets: []models.Asset{models.AssetPoint}},
}

// inChart finds an account of the house.
func inChart(a models.Account) (HouseAccount, bool) {
	i := slices.IndexFunc(Chart, func(h HouseAccount) bool { return h.Account == a })
	if i < 0 {
		return HouseAccount{}, false
	}
	return Chart[i], true
}

// givesCoins returns the accounts that give coins, in the order of the chart.
func givesCoins() []HouseAccount {
	return slices.DeleteFunc(slices.Clone(Chart), func(h HouseAccount) bool { return h.Title == "" })
}

// holds reports whether the account exists and holds that asset.
func holds(a models.Account, asset models.Asset) bool {
	if own, ok := models.AssetOf[a]; ok {
		return own == asset
	}
	house, _ := inChart(a)
	return slices.Contains(house.Assets, asset)
}
