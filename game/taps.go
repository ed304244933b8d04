package game

import "time"

// One tap on the bag, unless admins change it. (decision 0005: settings of a tap)
const (
	EnergyPerTap = 1
	CoinsPerTap  = MCBK / 1000 // 0.001 MCBK
	MaxTapBatch  = 10_000      // taps one batch may claim
)

// TapRate is what a tap costs and what it earns.
type TapRate struct {
	Energy int
	Coins  MicroMCBK
}

// Earns returns what a number of accepted taps bring.
func (r TapRate) Earns(accepted int) MicroMCBK { return MicroMCBK(accepted) * r.Coins }

// TapRules are a tap's rate and the pace a person can keep: taps are accepted as fast as the allowance grows, so that a script
// gains nothing over a finger and taps made offline still count.
type TapRules struct {
	TapRate
	PerSecond int // taps that the allowance grows by
	Most      int // taps that a long pause builds up
	AtFirst   int // taps that a new player starts with
}

// milliPerTap is what a tap takes of the allowance, in thousandths. At one tap a second the allowance grows by one thousandth each
// millisecond.
const milliPerTap = 1000

// Bag is a player's state at the money bag: the energy left today and the pace kept so far.
type Bag struct {
	Spins int // roulette spins ever; they make the energy level

	Day         Day // UTC day the two counters belong to
	TapsToday   int // taps accepted that day
	EnergySpent int // energy used that day

	AllowanceMilli int64     // thousandths of a tap that may still be accepted
	AllowanceAt    time.Time // when AllowanceMilli was true, UTC
}

// NewBag returns the bag of a player who has just arrived.
func NewBag(rules TapRules, now time.Time) Bag {
	return Bag{Day: DayOf(now), AllowanceMilli: int64(rules.AtFirst) * milliPerTap, AllowanceAt: now}
}

// At returns the bag as of now: full again after 00:00 UTC. Time that seems to run backwards changes nothing.
func (b Bag) At(now time.Time) Bag {
	if day := DayOf(now); day > b.Day {
		b.Day, b.TapsToday, b.EnergySpent = day, 0, 0
	}
	return b
}

// grown returns the bag with the allowance grown until now.
func (b Bag) grown(rules TapRules, now time.Time) Bag {
	if passed := now.Sub(b.AllowanceAt).Milliseconds(); passed > 0 {
		most := int64(rules.Most) * milliPerTap
		b.AllowanceMilli = min(b.AllowanceMilli+min(passed, most)*int64(rules.PerSecond), most)
		b.AllowanceAt = b.AllowanceAt.Add(time.Duration(passed) * time.Millisecond)
	}
	return b
}

// Level returns the energy level that was reached.
func (b Bag) Level() EnergyLevel { return LevelAt(b.Spins) }

// Energy returns what is left of the day's energy.
func (b Bag) Energy() int { return max(b.Level().Energy-b.EnergySpent, 0) }

// Tap accepts as many of the sent taps as energy and pace allow, possibly none.
func (b Bag) Tap(rules TapRules, sent int, now time.Time) (after Bag, accepted int) {
	b = b.At(now).grown(rules, now)
	accepted = max(min(sent, b.Energy()/rules.Energy, int(b.AllowanceMilli/milliPerTap)), 0)
	b.TapsToday += accepted
	b.EnergySpent += accepted * rules.Energy
	b.AllowanceMilli -= int64(accepted) * milliPerTap
	return b, accepted
}
