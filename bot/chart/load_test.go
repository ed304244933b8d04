package chart

import (
	"image/color"
	"testing"
)

func someLoad() Load {
	return Load{
		Figure: "2 % carried", Compared: "120,000 players a day", Limit: 100, Users: []string{"Program", "PostgreSQL"},
		Steps: []LoadStep{
			{Name: "1 %", Offered: 1, P50: 2, P99: 20, Carried: true, Busy: []float64{20, 10}},
			{Name: "2 %", Offered: 2, P50: 4, P99: 60, Carried: true, Busy: []float64{40, 20}},
			{Name: "4 %", Offered: 4, P50: 90, P99: 5000, Busy: []float64{60, 40}},
		},
	}
}

// What took longer than the picture reaches stands at its top, within the card.
func TestALoadIsDrawnWithinItsCard(t *testing.T) {
	picture := shown(DrawLoad(someLoad()))(t)
	if got := picture.Bounds().Dx(); got != 1200 {
		t.Errorf("the picture is %d pixels wide", got)
	}
	gold := color.RGBA{0xF7, 0xB9, 0x28, 0xFF}
	highest := picture.Bounds().Max.Y
	for y := range picture.Bounds().Max.Y {
		for x := range picture.Bounds().Max.X {
			if picture.At(x, y) == gold {
				highest = min(highest, y)
			}
		}
	}
	if least, most := 2*(20+80), 2*(20+80+30); highest < least || highest > most {
		t.Errorf("the curve's highest point is at %d", highest)
	}
}
