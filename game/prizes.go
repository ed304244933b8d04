package game

// HoursAwake is the number of active hours in a UTC day beyond which a winner is a suspected bot (threat 19).
const HoursAwake = 20

// Prize is a rank's prize.
type Prize struct {
	TON   Nanoton
	Coins MicroMCBK
}

// PrizeRow is the prize of each rank from From to To.
type PrizeRow struct {
	From, To int
	Prize
}

// Prizes are by rank (spec §9: Tap and mines).
var Prizes = [...]PrizeRow{
	{1, 1, Prize{30 * TON, 100_000 * MCBK}},
	{2, 2, Prize{20 * TON, 50_000 * MCBK}},
	{3, 3, Prize{10 * TON, 25_000 * MCBK}},
	{4, 10, Prize{0, 10_000 * MCBK}},
	{11, 100, Prize{0, 5_000 * MCBK}},
}

// PrizeAt returns the prize of an unshared rank.
func PrizeAt(rank int) Prize {
	for _, row := range Prizes {
		if rank >= row.From && rank <= row.To {
			return row.Prize
		}
	}
	return Prize{}
}

// Standing is a rank and its prize.
type Standing struct {
	Rank int // from 1; equal ore has the same rank
	Prize
}

// Standings ranks ore in descending order. Equal amounts share the prizes of their ranks, rounded down; an amount below least wins
// nothing.
func Standings(ores []MicroMCBK, least MicroMCBK) []Standing {
	all := make([]Standing, 0, len(ores))
	for first := 0; first < len(ores); {
		end := first + 1
		for end < len(ores) && ores[end] == ores[first] {
			end++
		}
		shared := Standing{Rank: first + 1}
		if ores[first] >= least {
			for place := first + 1; place <= min(end, Prizes[len(Prizes)-1].To); place++ {
				prize := PrizeAt(place)
				shared.TON += prize.TON
				shared.Coins += prize.Coins
			}
			shared.TON /= Nanoton(end - first)
			shared.Coins /= MicroMCBK(end - first)
		}
		for ; first < end; first++ {
			all = append(all, shared)
		}
	}
	return all
}
