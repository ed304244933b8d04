package models

import (
	"time"

	"mcbk/game"
)

// Worth returns how many coins a payment brings for an order at those prices.
func (p Payment) Worth(order game.Quote) (game.MicroMCBK, bool) {
	return order.Worth(p.Locked, p.Amount-p.Locked, game.Quote{TON: p.TONPrice, MCBK: p.MCBKPrice})
}

// Payment is a transfer to the treasury, or the part of one that is credited or held as a whole, or a charge in Stars.
type Payment struct {
	ID        int64
	LT        *int64  `gorm:"column:lt"` // of its transaction; nil in Stars
	ChargeID  *string // of its charge in Stars; nil in TON
	State     PaymentState
	Amount    game.Nanoton // or Stars
	Reason    HeldReason   // why it was held; empty when it was credited at once
	OrderID   *int64
	PlayerID  *PlayerID
	Locked    game.Nanoton   // sold at the order's prices
	TONPrice  game.MicroUSD  `gorm:"column:ton_price"` // when it was paid; 0 when unknown
	MCBKPrice game.MicroUSD  `gorm:"column:mcbk_price"`
	StarPrice game.MicroUSD  // when it was paid; 0 in TON
	Coins     game.MicroMCBK // credited
	SettledAt *time.Time     // UTC; nil while held
}

// Currency returns what the payment was made in.
func (p Payment) Currency() Currency {
	if p.ChargeID != nil {
		return CurrencyStars
	}
	return CurrencyTON
}

// Sum returns the amount with its currency, for people to read.
func (p Payment) Sum() string { return p.Currency().Format(p.Amount) }

// Books returns the table that counts what payments like this have sold.
func (p Payment) Books() string {
	if p.ChargeID != nil {
		return StarBooks{}.TableName()
	}
	return Treasury{}.TableName()
}

// PaymentState is the state of a payment.
type PaymentState string

// A payment is credited at once, or held until an admin gives it to somebody or marks it for refund.
const (
	PaymentCredited   PaymentState = "credited"
	PaymentHeld       PaymentState = "held"
	PaymentRefundable PaymentState = "refundable"
)

// PaymentSteps are the states that follow each state of a payment.
var PaymentSteps = Steps[PaymentState]{
	PaymentHeld: {PaymentCredited, PaymentRefundable},
}

// HeldReason is why a payment waits for an admin.
type HeldReason string

// The reasons for holding a payment.
const (
	HeldNoComment HeldReason = "no comment"
	HeldUnknown   HeldReason = "no such order"
	HeldSealed    HeldReason = "a comment nobody here can read"
	HeldTooLittle HeldReason = "less than 0.1 TON"
	HeldTooMuch   HeldReason = "beyond 1000 TON of an order"
	HeldErased    HeldReason = "of an account that was erased"
	HeldOwn       HeldReason = "the treasury's own money"
	HeldFailed    HeldReason = "the database refused what it brings"
	HeldCurrency  HeldReason = "of an order in the other currency"
	HeldPayer     HeldReason = "paid by another than who ordered"
	HeldAmount    HeldReason = "another amount than its order's"
	HeldAgain     HeldReason = "its order was paid before"
)
