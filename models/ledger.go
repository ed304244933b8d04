package models

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
)

// Account is one side of a posting: a player's account, or the house's when it begins with house:.
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

// The accounts of the house. They have no balance row: theirs is a sum over postings.
const houseTaps Account = "house:taps"

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

// assetOf is what each account of a player holds.
var assetOf = map[Account]Asset{
	AccountGame: AssetMCBK, AccountReferral: AssetMCBK, AccountPurchased: AssetMCBK,
	AccountGamePoints: AssetPoint, AccountReferralPoints: AssetPoint, AccountMine: AssetOre,
	AccountSpins: AssetSpin, AccountAdSpins: AssetAdSpin,
}

// Posting moves an amount from one account to another.
type Posting struct {
	PlayerID    PlayerID
	Reference   string // the entry's reference, unique per player
	Line        int    // place within the entry, from 0
	Source      Account
	Destination Account
	Asset       Asset
	Amount      int64  // in the asset's unit, never negative
	Memo        string // what the entry's answer was, for a repeated request
	PostedAt    time.Time
}

// entry is one fact about one player: its postings are written together, once.
type entry struct {
	reference string
	memo      string
	moves     []move
}

type move struct {
	from, to Account
	asset    Asset
	amount   int64
}

// Balances are what a player owns, one number for each account.
type Balances struct {
	Game, Referral, Purchased  game.MicroMCBK
	GamePoints, ReferralPoints int64
	Mine                       game.MicroMCBK
	Spins, AdSpins             int64
}

// Coins is the sum of the three coin buckets.
func (b Balances) Coins() game.MicroMCBK { return b.Game + b.Referral + b.Purchased }

// plus is the balances with more coins in the game bucket.
func (b Balances) plus(coins game.MicroMCBK) Balances {
	b.Game += coins
	return b
}

// amounts points at each account's balance; it is the one place that pairs them.
func (b *Balances) amounts() map[Account]*int64 {
	return map[Account]*int64{
		AccountGame: (*int64)(&b.Game), AccountReferral: (*int64)(&b.Referral), AccountPurchased: (*int64)(&b.Purchased),
		AccountGamePoints: &b.GamePoints, AccountReferralPoints: &b.ReferralPoints, AccountMine: (*int64)(&b.Mine),
		AccountSpins: &b.Spins, AccountAdSpins: &b.AdSpins,
	}
}

// post is the only door to a balance. It writes the entry's postings and the player's row as
// it stands now: balances changed by the entry, the bag as the caller left it. The row must
// be locked by lockPlayer in the same transaction. An entry posted before is an error: callers
// look for it first, under the lock.
func post(tx *gorm.DB, p *Player, e entry, now time.Time) error {
	amounts := p.Balances.amounts()
	for line, m := range e.moves {
		if from, ok := amounts[m.from]; ok {
			if *from < m.amount {
				return fmt.Errorf("entry %q of player %d: account %s holds %d, %d asked", e.reference, p.ID, m.from, *from, m.amount)
			}
			*from -= m.amount
		}
		if to, ok := amounts[m.to]; ok {
			*to += m.amount
		}
		err := tx.Exec(`INSERT INTO postings (player_id, reference, line, source, destination, asset, amount, memo, posted_at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			p.ID, e.reference, line, m.from, m.to, m.asset, m.amount, e.memo, now).Error
		if err != nil {
			return fmt.Errorf("write posting %q of player %d: %w", e.reference, p.ID, err)
		}
	}
	return saveHot(tx, p)
}

// saveHot writes the columns that play changes, and no other.
func saveHot(tx *gorm.DB, p *Player) error {
	result := tx.Exec(`UPDATE players SET balance_game = ?, balance_referral = ?, balance_purchased = ?,
		balance_game_points = ?, balance_referral_points = ?, balance_mine = ?, balance_spins = ?, balance_ad_spins = ?,
		bag_spins = ?, bag_day = ?, bag_taps_today = ?, bag_energy_spent = ?, bag_allowance_milli = ?, bag_allowance_at = ?
		WHERE id = ?`,
		p.Balances.Game, p.Balances.Referral, p.Balances.Purchased,
		p.Balances.GamePoints, p.Balances.ReferralPoints, p.Balances.Mine, p.Balances.Spins, p.Balances.AdSpins,
		p.Bag.Spins, p.Bag.Day, p.Bag.TapsToday, p.Bag.EnergySpent, p.Bag.AllowanceMilli, p.Bag.AllowanceAt, p.ID)
	if result.Error != nil {
		return fmt.Errorf("write player %d: %w", p.ID, result.Error)
	}
	if result.RowsAffected != 1 {
		return fmt.Errorf("write player %d: %d rows", p.ID, result.RowsAffected)
	}
	return nil
}

// posted finds the first posting of an entry; nil when it was never posted.
func posted(tx *gorm.DB, id PlayerID, reference string) (*Posting, error) {
	var found []Posting
	err := tx.Raw("SELECT * FROM postings WHERE player_id = ? AND reference = ? AND line = 0", id, reference).Scan(&found).Error
	if err != nil {
		return nil, fmt.Errorf("look for entry %q of player %d: %w", reference, id, err)
	}
	if len(found) == 0 {
		return nil, nil
	}
	return &found[0], nil
}

// Postings lists a player's postings, oldest first.
func (s *Store) Postings(ctx context.Context, id PlayerID) ([]Posting, error) {
	var all []Posting
	err := s.read.WithContext(ctx).Raw("SELECT * FROM postings WHERE player_id = ? ORDER BY id", id).Scan(&all).Error
	return all, explained(err)
}
