package game

import (
	"math/big"
	"time"
)

// Limits of a purchase (decision 0032: selling coins).
const (
	LeastPurchase = TON / 10
	MostPurchase  = 1000 * TON
	SalesGoal     = 30_000_000 * MCBK // of the market's progress bar; sales go on beyond it
)

// Validity of an order's price.
const (
	priceLock    = 15 * time.Minute
	lockPastStep = 2 * time.Minute  // maximum beyond a price step
	PaymentGrace = 60 * time.Second // for payments after the lock, by the chain's time
)

// Refusals of a purchase.
const (
	AmountTooSmall Code = "amount_too_small"
	AmountTooLarge Code = "amount_too_large"
)

// MayOrder refuses an amount with amount_too_small or amount_too_large.
func MayOrder(amount Nanoton) error {
	switch {
	case amount < LeastPurchase:
		return Refuse(AmountTooSmall)
	case amount > MostPurchase:
		return Refuse(AmountTooLarge)
	}
	return nil
}

// Quote is the prices of TON and MCBK at a time.
type Quote struct{ TON, MCBK MicroUSD }

// Coins returns the coins for an amount, rounded down. ok is false on overflow, a non-positive price or a negative amount.
func (q Quote) Coins(amount Nanoton) (coins MicroMCBK, ok bool) {
	if amount < 0 || q.TON <= 0 || q.MCBK <= 0 {
		return 0, false
	}
	// (nanoton / 1e9) × TON ÷ MCBK coins are nanoton × TON ÷ (1000 × MCBK) micro-MCBK.
	paid := new(big.Int).Mul(big.NewInt(int64(amount)), big.NewInt(int64(q.TON)))
	whole := paid.Quo(paid, new(big.Int).Mul(big.NewInt(int64(TON)/int64(MCBK)), big.NewInt(int64(q.MCBK))))
	if !whole.IsInt64() {
		return 0, false
	}
	return MicroMCBK(whole.Int64()), true
}

// Or returns q, with the other's price of TON if q has none.
func (q Quote) Or(other Quote) Quote {
	if q.TON <= 0 {
		q.TON = other.TON
	}
	return q
}

// LockedUntil returns the end of the price lock of an order made now.
func (s Season) LockedUntil(now time.Time) time.Time {
	until := now.Add(priceLock)
	if next, ok := StepAt(s.Day(now)).Next(); ok {
		if past := s.DayStart(next.From).Add(lockPastStep); past.Before(until) {
			return past
		}
	}
	return until
}

// Purchase is an order's state when a payment arrives.
type Purchase struct {
	Amount Nanoton   // ordered
	Paid   Nanoton   // by earlier payments, if credited
	Open   bool      // neither paid nor cancelled
	Locked Quote     // the order's prices
	Until  time.Time // end of the lock, UTC
}

// Settlement divides a payment for coins.
type Settlement struct {
	Locked Nanoton // the part sold at the order's prices
	Later  Nanoton // the part sold at whichever prices of order and payment give fewer coins
	Held   Nanoton // the part that waits for an admin
	Coins  MicroMCBK
}

// Settle divides a payment made at a time on the chain; then are the prices of that time. Up to the ordered amount, a payment in time
// counts at the order's prices. Anything more, later, or after the order was paid or cancelled counts at whichever prices give fewer
// coins. A payment below a tenth of a TON is held, and so is any excess over 1000 TON per order.
func (p Purchase) Settle(paid Nanoton, at time.Time, then Quote) Settlement {
	if paid < LeastPurchase {
		return Settlement{Held: paid}
	}
	sold := max(min(paid, MostPurchase-p.Paid), 0)
	s := Settlement{Held: paid - sold}
	if p.Open && !at.After(p.Until.Add(PaymentGrace)) {
		s.Locked = min(sold, p.Amount)
	}
	s.Later = sold - s.Locked
	coins, ok := p.Locked.Worth(s.Locked, s.Later, then)
	if !ok { // no order is sold at such prices
		return Settlement{Held: paid}
	}
	s.Coins = coins
	return s
}

// Worth returns the coins for a payment: the locked part at the order's prices, the later part at whichever prices give fewer coins.
func (q Quote) Worth(locked, later Nanoton, then Quote) (coins MicroMCBK, ok bool) {
	first, ok := q.Coins(locked)
	rest, okLater := q.Coins(later)
	if other, known := then.Or(q).Coins(later); known {
		rest = min(rest, other)
	}
	return first + rest, ok && okLater
}

// ReferralShare returns the inviter's share: a hundredth, rounded down.
func ReferralShare(coins MicroMCBK) MicroMCBK { return coins / 100 }
