package game

import "time"

// Defaults of a tap on the bag (decision 0005: settings of a tap).
const (
	EnergyPerTap = 1
	CoinsPerTap  = MCBK / 1000 // 0.001 MCBK
	MaxTapBatch  = 10_000      // taps per batch
)

// TapRate is a tap's cost and reward.
type TapRate struct {
	Energy int
	Coins  MicroMCBK
}

// Earns returns the reward of accepted taps.
func (r TapRate) Earns(accepted int) MicroMCBK { return MicroMCBK(accepted) * r.Coins }

// TapRules are a tap's rate and pace: taps are accepted as fast as the allowance grows, so that a script gains nothing over a finger and
// offline taps still count.
type TapRules struct {
	TapRate
	PerSecond int // growth of the allowance
	Most      int // maximum of the allowance
	AtFirst   int // allowance of a new player
}

// milliPerTap is a tap's share of the allowance, in thousandths: at one tap a second it grows by one each millisecond.
const milliPerTap = 1000

// Bag is a player's energy today and pace.
type Bag struct {
	Spins int // roulette spins; they determine the energy level

	Day         Day // UTC day of the two counters
	TapsToday   int // taps accepted that day
	EnergySpent int // energy used that day

	AllowanceMilli int64     // thousandths of a tap that may still be accepted
	AllowanceAt    time.Time // time of AllowanceMilli, UTC
}

// NewBag returns a new player's bag.
func NewBag(rules TapRules, now time.Time) Bag {
	return Bag{Day: DayOf(now), AllowanceMilli: int64(rules.AtFirst) * milliPerTap, AllowanceAt: now}
}

// At returns the bag as of now, refilled after 00:00 UTC. A clock set back changes nothing.
func (b Bag) At(now time.Time) Bag {
	if day := DayOf(now); day > b.Day {
		b.Day, b.TapsToday, b.EnergySpent = day, 0, 0
	}
	return b
}

// grown returns the bag with the allowance as of now.
func (b Bag) grown(rules TapRules, now time.Time) Bag {
	if passed := now.Sub(b.AllowanceAt).Milliseconds(); passed > 0 {
		most := int64(rules.Most) * milliPerTap
		b.AllowanceMilli = min(b.AllowanceMilli+min(passed, most)*int64(rules.PerSecond), most)
		b.AllowanceAt = b.AllowanceAt.Add(time.Duration(passed) * time.Millisecond)
	}
	return b
}

// Level returns the energy level.
func (b Bag) Level() EnergyLevel { return LevelAt(b.Spins) }

// Energy returns the day's remaining energy.
func (b Bag) Energy() int { return max(b.Level().Energy-b.EnergySpent, 0) }

// Tap accepts as many taps as energy and pace allow.
func (b Bag) Tap(rules TapRules, sent int, now time.Time) (after Bag, accepted int) {
	b = b.At(now).grown(rules, now)
	accepted = max(min(sent, b.Energy()/rules.Energy, int(b.AllowanceMilli/milliPerTap)), 0)
	b.TapsToday += accepted
	b.EnergySpent += accepted * rules.Energy
	b.AllowanceMilli -= int64(accepted) * milliPerTap
	return b, accepted
}
