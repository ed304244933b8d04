// Package models holds the rows of the tables, which bot, API and jobs share, and the refusals that storing makes.
package models

import "mcbk/game"

// Account is one side of a posting: an account of a player, or of the house if it begins with house:.
type Account string

// The accounts of a player. (decision 0003: ledger)
const (
	AccountGame           Account = "game"
	AccountReferral       Account = "referral"
	AccountPurchased      Account = "purchased"
	AccountGamePoints     Account = "game_points"
	AccountReferralPoints Account = "referral_points"
	AccountMine           Account = "mine"
	AccountSpins          Account = "spins"
	AccountAdSpins        Account = "ad_spins"
)

// The accounts of the house. They have no balance row: their balance is a sum over postings.
const (
	HouseTaps    Account = "house:taps"
	HouseDaily   Account = "house:daily"
	HouseAdvice  Account = "house:advice"
	HouseTasks   Account = "house:tasks"
	HouseWheel   Account = "house:wheel"
	HouseLoyalty Account = "house:loyalty"
	HouseSales   Account = "house:sales"
	HouseFriends Account = "house:friends"
	HouseMines   Account = "house:mines" // source and sink of ore; pays for it in coins
	HousePrizes  Account = "house:prizes"
)

// Asset is what a posting moves.
type Asset string

// The assets and the unit their amounts count.
const (
	AssetMCBK   Asset = "MCBK"    // micro-MCBK
	AssetPoint  Asset = "POINT"   // points
	AssetOre    Asset = "ORE"     // micro-MCBK of ore
	AssetSpin   Asset = "SPIN"    // spins
	AssetAdSpin Asset = "AD_SPIN" // ad spins
)

// AssetOf is the asset that each account of a player holds.
var AssetOf = map[Account]Asset{
	AccountGame: AssetMCBK, AccountReferral: AssetMCBK, AccountPurchased: AssetMCBK,
	AccountGamePoints: AssetPoint, AccountReferralPoints: AssetPoint, AccountMine: AssetOre,
	AccountSpins: AssetSpin, AccountAdSpins: AssetAdSpin,
}

// Balances are what a player owns, one number for each account.
type Balances struct {
	Game, Referral, Purchased  game.MicroMCBK
	GamePoints, ReferralPoints int64
	Mine                       game.MicroMCBK
	Spins, AdSpins             int64
}

// Coins returns the sum of the three coin buckets.
func (b Balances) Coins() game.MicroMCBK { return b.Game + b.Referral + b.Purchased }

// Plus returns the balances with more coins in the game bucket.
func (b Balances) Plus(coins game.MicroMCBK) Balances {
	b.Game += coins
	return b
}

// Amount returns a pointer to the balance of an account, nil for one of the house; only here accounts are paired with balances.
func (b *Balances) Amount(of Account) *int64 {
	switch of {
	case AccountGame:
		return (*int64)(&b.Game)
	case AccountReferral:
		return (*int64)(&b.Referral)
	case AccountPurchased:
		return (*int64)(&b.Purchased)
	case AccountGamePoints:
		return &b.GamePoints
	case AccountReferralPoints:
		return &b.ReferralPoints
	case AccountMine:
		return (*int64)(&b.Mine)
	case AccountSpins:
		return &b.Spins
	case AccountAdSpins:
		return &b.AdSpins
	}
	return nil
}

// Amounts returns pointers to all balances, by account.
func (b *Balances) Amounts() map[Account]*int64 {
	all := make(map[Account]*int64, len(AssetOf))
	for account := range AssetOf {
		all[account] = b.Amount(account)
	}
	return all
}
