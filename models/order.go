package models

import (
	"time"

	"mcbk/game"
)

// Order is something that a player wants to pay for.
type Order struct {
	ID        int64
	PlayerID  PlayerID
	Kind      OrderKind
	Comment   string         // MC- or in Stars MS-, and ten letters and digits, the comment that the payment must have, or payload of the invoice
	Amount    game.Nanoton   // ordered; Stars in that currency
	Coins     game.MicroMCBK // that it brings if it is paid in time
	TONPrice  game.MicroUSD  `gorm:"column:ton_price"` // locked
	MCBKPrice game.MicroUSD  `gorm:"column:mcbk_price"`
	State     OrderState
	CreatedAt time.Time
	ExpiresAt time.Time    // the prices are locked until then, UTC
	Paid      game.Nanoton // credited so far; Stars in that currency
	PaidAt    *time.Time   // chain time, or Telegram's, of the first payment, UTC
	TxHash    *string      // of the first payment, hex; the charge's id in Stars

	Currency      Currency
	StarPrice     game.MicroUSD // of a Star, locked; 0 in TON
	InvoiceLink   *string       // of an order in Stars
	ReservedUntil *time.Time    // Telegram was told that it can be paid, UTC

	TournamentID *int64 // of an order for a mine, which has no prices
	MineLevel    *int

	// Sums over its payments, if it is read for its player.
	Credited game.MicroMCBK `gorm:"->"` // coins credited by them
	Held     game.Nanoton   `gorm:"->"` // paid for it and waiting for an admin
	Refunded bool           `gorm:"->"` // its Stars went back
}

// OrderKind is what an order buys.
type OrderKind string

// The kinds of orders.
const (
	OrderPurchase OrderKind = "purchase"
	OrderMine     OrderKind = "mine"
)

// OrderState is the state of an order.
type OrderState string

// A pending order becomes paid, cancelled or expired. A payment for an order that is no longer pending is still accepted; if it
// came in time by the chain's clock, an expired order counts as open.
const (
	OrderPending   OrderState = "pending"
	OrderPaid      OrderState = "paid"
	OrderExpired   OrderState = "expired"
	OrderCancelled OrderState = "cancelled"
)

// OrderSteps are the states that follow each state of an order.
var OrderSteps = Steps[OrderState]{
	OrderPending:   {OrderPaid, OrderExpired, OrderCancelled},
	OrderExpired:   {OrderPaid},
	OrderCancelled: {OrderPaid},
}

// Stars returns the ordered amount of an order in Stars.
func (o Order) Stars() game.Stars { return game.Stars(o.Amount) }

// Sale returns the order as a payment finds it.
func (o Order) Sale() game.Purchase {
	return game.Purchase{
		Amount: o.Amount, Paid: o.Paid, Open: o.State == OrderPending || o.State == OrderExpired,
		Locked: game.Quote{TON: o.TONPrice, MCBK: o.MCBKPrice}, Until: o.ExpiresAt,
	}
}
