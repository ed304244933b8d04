package game

// HoursAwake is in how many hours of a UTC day a person may play. Whoever plays in more is shown to the admins before
// prizes are given. (threat 19)
const HoursAwake = 20

// Prize is what a rank wins.
type Prize struct {
	TON   Nanoton
	Coins MicroMCBK
}

// PrizeRow is a prize that each of some ranks wins.
type PrizeRow struct {
	From, To int
	Prize
}

// Prizes by rank. (spec §9: Tap and mines)
var Prizes = [...]PrizeRow{
	{1, 1, Prize{30 * TON, 100_000 * MCBK}},
	{2, 2, Prize{20 * TON, 50_000 * MCBK}},
	{3, 3, Prize{10 * TON, 25_000 * MCBK}},
	{4, 10, Prize{0, 10_000 * MCBK}},
	{11, 100, Prize{0, 5_000 * MCBK}},
}

// PrizeAt is what a rank wins that nobody shares.
func PrizeAt(rank int) Prize {
	for _, row := range Prizes {
		if rank >= row.From && rank <= row.To {
			return row.Prize
		}
	}
	return Prize{}
}

// Standing is where somebody stands, and what they win by it.
type Standing struct {
	Rank int // from 1; those with the same ore have the same
	Prize
}

// Standings rank those who have dug so much each, the most first. Equal ore shares the prizes of the ranks that it covers,
// rounded down; less than the least wins nothing.
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
