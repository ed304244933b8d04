package models

import (
	"fmt"
	"time"

	"mcbk/game"
)

// Currency is what an order is paid in.
type Currency string

// The currencies, as Telegram and the API name them.
const (
	CurrencyTON   Currency = "TON"
	CurrencyStars Currency = "XTR"
)

// Format returns an amount with its currency, for people to read.
func (c Currency) Format(amount game.Nanoton) string {
	if c == CurrencyStars {
		return fmt.Sprintf("%d Stars", amount)
	}
	return amount.Decimal() + " TON"
}

// StarCharge is a payment in Telegram Stars, as Telegram tells of it: by an update, by its list of transactions, or both.
type StarCharge struct {
	ChargeID          string `gorm:"primaryKey"` // Telegram's; a refund has the same
	Payer             int64  // Telegram's id of the person
	Stars             game.Stars
	Payload           string    // of the invoice: its order's comment
	PaidAt            time.Time // Telegram's time, UTC
	SeenAt            time.Time
	Listed            bool       // by getStarTransactions
	RefundRequestedAt *time.Time // by an admin
	RefundedAt        *time.Time // Telegram has said so
	RefundListed      bool       // by getStarTransactions
}

// StarBooks are how far Telegram's list of transactions was read, and what was sold for Stars.
type StarBooks struct {
	ID           int64
	Transactions int64      // that are recorded
	Stars        game.Stars // that the charges and refunds among them come to
	Sold         game.MicroMCBK
}

// TableName implements schema.Tabler.
func (StarBooks) TableName() string { return "star_books" }

// StarClaim is coins that a refund takes back from an account: at once as far as they are there, the rest from what later purchases
// bring.
type StarClaim struct {
	ID       int64
	ChargeID string
	PlayerID PlayerID
	Account  Account        // AccountPurchased of the buyer, AccountReferral of the inviter
	Coins    game.MicroMCBK // that the payment had brought
	Taken    game.MicroMCBK
	MadeAt   time.Time
}
