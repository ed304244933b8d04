package game

// Spins and ads of the wheel. (decision 0029: the wheel)
const (
	FreeSpinsADay = 10 // given at the first look of a UTC day, unless admins change it; a receipt without a number means this
	AdSpinsADay   = 10 // most free spins that ads give on a UTC day
	MostSpins     = 20 // most free spins that a player holds
	AdSpinPoints  = 10 // paid with each spin that an ad gives
)

// Multipliers of a prize.
const (
	goldenTimes = 5 // of a golden spin; with an ad 10
	doubled     = 2
	tripled     = 3 // by an ad, of the prizes marked triple, but never on a golden spin
)

// The refusals of the wheel.
const (
	NoSpinsLeft        Code = "no_spins_left"
	AdSpinsExhausted   Code = "ad_spins_exhausted"
	SpinLimitReached   Code = "spin_limit_reached"
	GoldenNotAvailable Code = "golden_not_available"
)

// SpinPrize is what a segment or a chest holds.
type SpinPrize struct {
	Reward
	Spins int64 // free spins, never multiplied
}

// Times returns the prize multiplied by factor; its spins stay as they are.
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
	triple bool // an ad pays it three times in all, not twice
}

// Segment types with rules of their own.
const (
	ChestType     = "chest"      // what it holds is drawn from the chest's table
	BonusSpinType = "bonus_spin" // never paid twice
)

// NoChest stands for the place in the chest's table if a spin won no chest.
const NoChest = -1

// Odds are one version of the segments of the wheel and the chest, and their weights. A version that players have spun under never
// changes.
type Odds struct {
	Version int
	Wheel   [10]Segment // in the wheel's order, 36 degrees each
	Chest   []Segment
}

// allOdds holds every version there ever was; the first is version 1. (decision 0029: the wheel)
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

// CurrentOdds returns the odds that spins are made under now.
func CurrentOdds() Odds { return allOdds[len(allOdds)-1] }

// OddsOf returns the odds of a version; ok is false if that version never existed.
func OddsOf(version int) (odds Odds, ok bool) {
	if version < 1 || version > len(allOdds) {
		return Odds{}, false
	}
	return allOdds[version-1], true
}

// Outcome is where a spin has stopped.
type Outcome struct {
	Segment int // of the wheel, 0 to 9
	Chest   int // in the chest's table, or NoChest
}

// Draw takes one roll for the wheel, and another for the chest's table if it stopped at a chest.
func (o Odds) Draw(roll func() int) Outcome {
	at := Outcome{Segment: place(o.Wheel[:], roll()), Chest: NoChest}
	if o.Wheel[at.Segment].Type == ChestType {
		at.Chest = place(o.Chest, roll())
	}
	return at
}

// place returns the segment that a roll from 0 to 99 falls on; each segment takes as many rolls as its weight.
func place(segments []Segment, roll int) int {
	for i, s := range segments {
		if roll -= s.Weight; roll < 0 {
			return i
		}
	}
	return len(segments) - 1 // the weights make 100, see their test
}

// Won returns the segment whose prize an outcome pays: for a chest, that of the chest's table.
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

// Times returns the factor by which a spin multiplies coins and points.
func (s Spin) Times() int64 {
	if s.Golden {
		return goldenTimes
	}
	return 1
}

// Prize returns what a spin pays without an ad.
func (o Odds) Prize(s Spin) SpinPrize { return o.Won(s.Outcome).Prize.Times(s.Times()) }

// AtOnce reports whether a spin is paid when it is made: if its prize is coins, on the wheel itself.
func (o Odds) AtOnce(s Spin) bool {
	prize := o.Won(s.Outcome).Prize
	return s.Chest == NoChest && prize.Points == 0 && prize.Spins == 0
}

// WithAd returns the factor by which an ad multiplies what a spin pays in all; 1 if an ad cannot.
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

// Extra returns what an ad adds to what a spin pays: coins and points, no spins.
func (o Odds) Extra(s Spin) Reward {
	return o.Prize(s).Times(o.WithAd(s) - 1).Reward
}
