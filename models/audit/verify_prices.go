package audit

import (
	"fmt"
	"math"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/orders"
)

const (
	// seenLate is how much later than its time a reading of the price of TON may be seen: services take time to answer, and the
	// clocks of processes differ.
	seenLate = time.Minute
	// pricedAtOnce is how many orders or payments are in memory at a time.
	pricedAtOnce = 500
)

// priced is a player's order or payment, with the prices that it says were those of its moment.
type priced struct {
	ID        int64
	PlayerID  models.PlayerID
	At        time.Time
	TONPrice  game.MicroUSD `gorm:"column:ton_price"`
	MCBKPrice game.MicroUSD `gorm:"column:mcbk_price"`
	Amount    game.Nanoton
	Coins     game.MicroMCBK
	Until     *time.Time // an order's prices are locked until then; nil for a payment
	ShownBy   int        // of a payment; 0 if it may be from a version that took no price older than ten minutes, or the game has a single lite server
}

// findInvalidPrices lists players with an order or payment at other prices than those of its moment, or with an order that promises other
// coins, or for longer, than they allow.
func findInvalidPrices(tx *gorm.DB, s idRange) ([]models.PlayerID, error) {
	var invalid []models.PlayerID
	for _, rows := range []string{
		`SELECT id, player_id, created_at AS at, ton_price, mcbk_price, amount, coins, expires_at AS until FROM orders
			WHERE kind = 'purchase' AND currency = 'TON' AND (player_id, id) > (?, ?) AND player_id <= ? ORDER BY player_id, id LIMIT ?`,
		`SELECT p.id, p.player_id, t.happened_at AS at, p.ton_price, p.mcbk_price, p.amount, p.coins, t.shown_by FROM payments p JOIN treasury_transactions t ON t.lt = p.lt
			WHERE (p.player_id, p.id) > (?, ?) AND p.player_id <= ? ORDER BY p.player_id, p.id LIMIT ?`,
	} {
		found, err := s.findInvalidPrices(tx, rows)
		if err != nil {
			return nil, err
		}
		invalid = append(invalid, found...)
	}
	return invalid, nil
}

// findInvalidPrices lists the players of those rows that are wrong, page by page.
func (s idRange) findInvalidPrices(tx *gorm.DB, rows string) (invalid []models.PlayerID, err error) {
	last := priced{PlayerID: s.After, ID: math.MaxInt64}
	for page := make([]priced, pricedAtOnce); len(page) == pricedAtOnce; {
		page = nil
		if err := tx.Raw(rows, last.PlayerID, last.ID, s.UpTo, pricedAtOnce).Scan(&page).Error; err != nil {
			return nil, fmt.Errorf("read what was priced: %w", err)
		}
		for _, last = range page {
			sound, err := last.matches(tx, s.season)
			if err != nil {
				return nil, err
			}
			if !sound {
				invalid = addPlayer(invalid, last.PlayerID)
			}
		}
	}
	return invalid, nil
}

func (p priced) matches(tx *gorm.DB, season game.Season) (bool, error) {
	if p.MCBKPrice != game.Price(season.Day(p.At)) {
		return false, nil
	}
	if p.Until != nil {
		coins, ok := (game.Quote{TON: p.TONPrice, MCBK: p.MCBKPrice}).Coins(p.Amount)
		if !ok || coins != p.Coins || p.Until.After(season.LockedUntil(p.At)) {
			return false, nil
		}
	}
	return p.costsWhatWasRead(tx)
}

// costsWhatWasRead reports whether the price of a TON is that of the last reading before. For an order the reading is one of the
// ten minutes before. For a payment it is the last that could be believed, for older versions the last of all; 0 if there is none,
// and for still older versions if it was older than ten minutes.
func (p priced) costsWhatWasRead(tx *gorm.DB) (bool, error) {
	var readings []struct { // back to the first that every process must have seen
		ReadAt time.Time
		Price  game.MicroUSD
	}
	at := p.At.UTC()
	err := tx.Raw(`SELECT read_at, price FROM ton_prices WHERE read_at <= ? AND read_at >= COALESCE((SELECT MAX(read_at) FROM ton_prices WHERE read_at < ?), ?)
		ORDER BY read_at DESC`, at, at.Add(-seenLate), at.Add(-seenLate)).Scan(&readings).Error
	if err != nil {
		return false, fmt.Errorf("read the prices of TON until %s: %w", at, err)
	}
	unknown := true
	for _, r := range readings {
		age := at.Sub(r.ReadAt)
		if r.Price == p.TONPrice && (p.Until == nil || age <= game.PriceFresh) {
			return true, nil
		}
		if p.Until == nil {
			if believed, err := orders.TonPriceAt(tx, r.ReadAt.UTC()); err != nil || believed == p.TONPrice {
				return err == nil, err
			}
		}
		unknown = age <= seenLate || age > game.PriceFresh && p.ShownBy == 0
	}
	return unknown && p.TONPrice == 0 && p.Until == nil, nil
}
