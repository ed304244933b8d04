package chart

import (
	"fmt"
	"strconv"
)

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
	var series [][]float64
	var total float64
	for _, source := range s.Sources {
		fits = fits && len(source.Coins) == days
		series = append(series, source.Coins)
		total += sum(source.Coins)
	}
	if !fits {
		return nil, errShape
	}
	keys := (len(s.Sources) + legendRow - 1) / legendRow
	high := float64(above + tall + below + keys*keyRow)
	sheet := &sheet{canvas: newCanvas(width, int(high)+2*margin, ground)}
	for day := 1; day <= days; day++ {
		name := ""
		if day%longAgo == 0 || day == 1 {
			name = strconv.Itoa(day)
		}
		sheet.days = append(sheet.days, name)
	}
	coins := card{margin, margin, width - 2*margin, high}
	sheet.open(coins, fmt.Sprintf("Coins issued in %d days", days), number(total), "by day")
	sheet.bars(coins.plot(tall), series, palette, false)
	sheet.key(coins, s.Sources)
	return sheet.file()
}
