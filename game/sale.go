package game

import (
	"math/big"
	"time"
)

// Limits of a purchase. (decision 0032: selling coins)
const (
	LeastPurchase = TON / 10
	MostPurchase  = 1000 * TON
	SalesGoal     = 30_000_000 * MCBK // on the market's progress bar; sales go on beyond it
)

// How long an order's price holds.
const (
	priceLock    = 15 * time.Minute
	lockPastStep = 2 * time.Minute  // the longest past a step of the price
	PaymentGrace = 60 * time.Second // how much later than the lock a payment may be, by the chain's time
)

// The refusals of a purchase.
const (
	AmountTooSmall Code = "amount_too_small"
	AmountTooLarge Code = "amount_too_large"
)

// MayOrder refuses amounts that are not sold: amount_too_small, amount_too_large.
func MayOrder(amount Nanoton) error {
	switch {
	case amount < LeastPurchase:
		return Refuse(AmountTooSmall)
	case amount > MostPurchase:
		return Refuse(AmountTooLarge)
	}
	return nil
}

// Quote is the price of a TON and of an MCBK at a moment.
type Quote struct{ TON, MCBK MicroUSD }

// Coins returns how many coins an amount buys, rounded down. ok is false if the number is too large to hold, if a price is not
// positive, or the amount negative.
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

// Or returns q, with the other's price of a TON if q has none. The price of an MCBK is always known.
func (q Quote) Or(other Quote) Quote {
	if q.TON <= 0 {
		q.TON = other.TON
	}
	return q
}

// LockedUntil returns until when the price of an order made now holds.
func (s Season) LockedUntil(now time.Time) time.Time {
	until := now.Add(priceLock)
	if next, ok := StepAt(s.Day(now)).Next(); ok {
		if past := s.DayStart(next.From).Add(lockPastStep); past.Before(until) {
			return past
		}
	}
	return until
}

// Purchase is an order for coins as a payment finds it.
type Purchase struct {
	Amount Nanoton   // ordered
	Paid   Nanoton   // by earlier payments, as far as they were credited
	Open   bool      // neither paid nor cancelled
	Locked Quote     // the prices it was ordered at
	Until  time.Time // they are locked, UTC
}

// Settlement is what becomes of a payment for coins.
type Settlement struct {
	Locked Nanoton // the part sold at the order's prices
	Later  Nanoton // the part sold at the order's prices or those of the payment's time, whichever give fewer coins
	Held   Nanoton // the part that waits for an admin
	Coins  MicroMCBK
}

// Settle divides a payment; at is its time on the chain, and then holds the prices of that time. What is paid on time counts at the
// order's prices, up to the amount that was ordered. Anything beyond it, or later, or after the order was paid or cancelled, counts
// at whichever prices give fewer coins. A payment of less than a tenth of a TON is held, and so is whatever exceeds 1000 TON for
// one order.
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

// Worth returns how many coins a payment brings for an order at these prices: its locked part at them, the later part at them or
// at those of the payment's time, whichever give fewer coins.
func (q Quote) Worth(locked, later Nanoton, then Quote) (coins MicroMCBK, ok bool) {
	first, ok := q.Coins(locked)
	rest, okLater := q.Coins(later)
	if other, known := then.Or(q).Coins(later); known {
		rest = min(rest, other)
	}
	return first + rest, ok && okLater
}

// ReferralShare returns what a buyer's inviter gets: one part in a hundred, rounded down.
func ReferralShare(coins MicroMCBK) MicroMCBK { return coins / 100 }
