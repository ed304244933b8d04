package chart

import "strconv"

// Supply is the coins of a season for each of its days, counted from 1.
type Supply struct{ Sources []Source }

// longAgo is the distance in days of the labels of a season's days.
const longAgo = 10

// DrawSupply makes a PNG of 1200 pixels' width: coins by day and source, stacked.
func DrawSupply(s Supply) (picture []byte, err error) {
	days := 0
	if len(s.Sources) > 0 {
		days = len(s.Sources[0].Coins)
	}
	fits := days > 1 && len(s.Sources) <= len(palette)
	for _, source := range s.Sources {
		fits = fits && len(source.Coins) == days
	}
	if !fits {
		return nil, errShape
	}
	coins := card{margin, margin, width - 2*margin, coinsHeight(s.Sources)}
	sheet := &sheet{canvas: newCanvas(width, int(coins.height)+2*margin, ground)}
	for day := 1; day <= days; day++ {
		name := ""
		if day%longAgo == 0 || day == 1 {
			name = strconv.Itoa(day)
		}
		sheet.days = append(sheet.days, name)
	}
	sheet.coins(coins, s.Sources, "by day")
	return sheet.file()
}
