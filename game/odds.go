package game

// Spins and ads of the wheel (decision 0029: the wheel).
const (
	FreeSpinsADay = 10 // granted at a UTC day's first visit, by default; a receipt without a number means this
	AdSpinsADay   = 10 // maximum of a UTC day
	MostSpins     = 20 // maximum of held free spins
	AdSpinPoints  = 10 // paid with each ad spin
)

// Multipliers of a prize.
const (
	goldenTimes = 5 // of a golden spin; with an ad 10
	doubled     = 2
	tripled     = 3 // by an ad, for prizes marked triple, never on a golden spin
)

// Refusals of the wheel.
const (
	NoSpinsLeft        Code = "no_spins_left"
	AdSpinsExhausted   Code = "ad_spins_exhausted"
	SpinLimitReached   Code = "spin_limit_reached"
	GoldenNotAvailable Code = "golden_not_available"
)

// SpinPrize is the content of a segment or chest.
type SpinPrize struct {
	Reward
	Spins int64 // never multiplied
}

// Times returns the prize with coins and points multiplied.
func (p SpinPrize) Times(factor int64) SpinPrize {
	p.Coins *= MicroMCBK(factor)
	p.Points *= factor
	return p
}

// Segment is a place on the wheel, or in the chest's table.
type Segment struct {
	Type   string
	Weight int // out of 100
	Prize  SpinPrize
	triple bool // an ad triples it instead of doubling
}

// Segment types with special rules.
const (
	ChestType     = "chest"      // its prize is drawn from the chest's table
	BonusSpinType = "bonus_spin" // never multiplied
)

// NoChest is the chest index of a spin without a chest.
const NoChest = -1

// Odds are a version of the wheel's and chest's segments and weights. A used version never changes.
type Odds struct {
	Version int
	Wheel   [10]Segment // in the wheel's order, 36 degrees each
	Chest   []Segment
}

// allOdds holds every version; the first is version 1 (decision 0029: the wheel).
var allOdds = []Odds{{
	Version: 1,
	Wheel: [10]Segment{
		{Type: ChestType, Weight: 6},
		points("points_100", 10, 100),
		coins("coins_2", 11, 2),
		thrice(points("points_200", 4, 200)),
		coins("coins_3", 7, 3),
		points("points_10", 16, 10),
		{Type: BonusSpinType, Weight: 8, Prize: SpinPrize{Reward{Points: 10}, 1}},
		points("points_50", 13, 50),
		coins("coins_1", 15, 1),
		points("points_20", 10, 20),
	},
	Chest: []Segment{
		thrice(Segment{Type: "coin_2_points_75", Weight: 40, Prize: SpinPrize{Reward{2 * MCBK, 75}, 0}}),
		coins("coins_5", 25, 5),
		points("points_150", 20, 150),
		{Type: "spins_2", Weight: 10, Prize: SpinPrize{Spins: 2}},
		{Type: "coin_3_spin_1", Weight: 5, Prize: SpinPrize{Reward{Coins: 3 * MCBK}, 1}},
	},
}}

func coins(name string, weight int, amount MicroMCBK) Segment {
	return Segment{Type: name, Weight: weight, Prize: SpinPrize{Reward{Coins: amount * MCBK}, 0}}
}

func points(name string, weight int, amount int64) Segment {
	return Segment{Type: name, Weight: weight, Prize: SpinPrize{Reward{Points: amount}, 0}}
}

func thrice(s Segment) Segment {
	s.triple = true
	return s
}

// CurrentOdds returns the odds of new spins.
func CurrentOdds() Odds { return allOdds[len(allOdds)-1] }

// OddsOf returns the odds of a version; ok is false for an unknown version.
func OddsOf(version int) (odds Odds, ok bool) {
	if version < 1 || version > len(allOdds) {
		return Odds{}, false
	}
	return allOdds[version-1], true
}

// Outcome is a spin's result.
type Outcome struct {
	Segment int // of the wheel, 0 to 9
	Chest   int // in the chest's table, or NoChest
}

// Draw takes one roll for the wheel, and another one for a chest.
func (o Odds) Draw(roll func() int) Outcome {
	at := Outcome{Segment: place(o.Wheel[:], roll()), Chest: NoChest}
	if o.Wheel[at.Segment].Type == ChestType {
		at.Chest = place(o.Chest, roll())
	}
	return at
}

// place returns the segment of a roll from 0 to 99; each segment has as many rolls as its weight.
func place(segments []Segment, roll int) int {
	for i, s := range segments {
		if roll -= s.Weight; roll < 0 {
			return i
		}
	}
	return len(segments) - 1 // unreachable: the weights sum to 100
}

// Won returns the segment that an outcome pays, of the wheel or the chest.
func (o Odds) Won(at Outcome) Segment {
	if at.Chest != NoChest {
		return o.Chest[at.Chest]
	}
	return o.Wheel[at.Segment]
}

// Spin is an outcome, and whether it was golden.
type Spin struct {
	Outcome
	Golden bool
}

// Times returns a spin's multiplier of coins and points.
func (s Spin) Times() int64 {
	if s.Golden {
		return goldenTimes
	}
	return 1
}

// Prize returns a spin's prize without an ad.
func (o Odds) Prize(s Spin) SpinPrize { return o.Won(s.Outcome).Prize.Times(s.Times()) }

// AtOnce reports whether a spin is paid at once: coins of the wheel itself.
func (o Odds) AtOnce(s Spin) bool {
	prize := o.Won(s.Outcome).Prize
	return s.Chest == NoChest && prize.Points == 0 && prize.Spins == 0
}

// WithAd returns the total multiplier after an ad; 1 if an ad cannot multiply it.
func (o Odds) WithAd(s Spin) int64 {
	won := o.Won(s.Outcome)
	switch {
	case won.Type == BonusSpinType, won.Prize.Reward == Reward{}, o.AtOnce(s) && !s.Golden:
		return 1
	case won.triple && !s.Golden:
		return tripled
	}
	return doubled
}

// Extra returns an ad's additional coins and points.
func (o Odds) Extra(s Spin) Reward {
	return o.Prize(s).Times(o.WithAd(s) - 1).Reward
}
