package chart

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func someDays(n int) (days []time.Time) {
	for i := range n {
		days = append(days, time.Date(2026, time.October, 25+i, 0, 0, 0, 0, time.UTC))
	}
	return days
}

func rising(n int, from, by float64) (values []float64) {
	for i := range n {
		values = append(values, from+float64(i)*by)
	}
	return values
}

// busy is a picture with everything in it.
func busy() Stats {
	s := Stats{Days: someDays(14), Players: rising(14, 800, 37), Taps: rising(14, 288_000, 9_500), CoinsBefore: 31_784}
	for i, name := range []string{"Bag", "Mines", "Wheel", "Tasks", "Friends"} {
		s.Sources = append(s.Sources, Source{name, rising(14, 1000/float64(i+1), 40)})
	}
	return s
}

// shown reads a picture again. With CHART_PICTURES set it is kept there, to be looked at.
func shown(file []byte, err error) func(t *testing.T) image.Image {
	return func(t *testing.T) image.Image {
		t.Helper()
		if folder := os.Getenv("CHART_PICTURES"); folder != "" && err == nil {
			err = os.WriteFile(filepath.Join(folder, strings.ReplaceAll(t.Name(), "/", "-")+".png"), file, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		picture, err := png.Decode(bytes.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		return picture
	}
}

func drawn(t *testing.T, s Stats) image.Image {
	t.Helper()
	return shown(Draw(s))(t)
}

// painted counts the pixels of each colour.
func painted(picture image.Image) map[color.RGBA]int {
	copied := image.NewRGBA(picture.Bounds())
	draw.Draw(copied, copied.Bounds(), picture, image.Point{}, draw.Src)
	count := map[color.RGBA]int{}
	for pixel := range slices.Chunk(copied.Pix, 4) {
		count[color.RGBA{pixel[0], pixel[1], pixel[2], pixel[3]}]++
	}
	return count
}

func TestABusyGameIsDrawnInTheColoursOfTheGame(t *testing.T) {
	s := busy()
	picture := drawn(t, s)
	if at := picture.Bounds(); at.Dx() != 1200 || at.Dy() < 1200 || at.Dy() > 1700 {
		t.Errorf("it is %s", at)
	}
	before := painted(picture)
	for i, paint := range palette[:5] {
		// A source that gives half as much has about half the colour.
		less := busy()
		for day := range less.Sources[i].Coins {
			less.Sources[i].Coins[day] /= 2
		}
		less.Sources[(i+1)%5].Coins = slices.Clone(s.Sources[(i+1)%5].Coins)
		if n, m := before[paint], painted(drawn(t, less))[paint]; n < 4_000 || m >= n {
			t.Errorf("source %d has %d points of its colour, half as much has %d", i, n, m)
		}
	}
}

func TestEmptySmallAndHugeFiguresAreDrawn(t *testing.T) {
	s := Stats{Days: someDays(14), Players: make([]float64, 14), Taps: make([]float64, 14), Sources: []Source{{"Bag", make([]float64, 14)}}}
	count := painted(drawn(t, s))
	if count[ground] < 10_000 || count[base] < 1_000 || count[muted] < 500 || count[bright] < 500 {
		t.Errorf("ground %d, base lines %d, days %d, figures %d", count[ground], count[base], count[muted], count[bright])
	}
	if count[ton] > 0 || count[jade] > 0 || count[gold] > 600 { // the key has a patch of it
		t.Errorf("bars %d, a line %d, coins %d", count[ton], count[jade], count[gold])
	}
	s.Players[13], s.Taps[13], s.Sources[0].Coins[13] = 1, 7, 0.007
	s.Until = s.Days[13].Add(14*time.Hour + 5*time.Minute)
	if count := painted(drawn(t, s)); count[ton] < 1_000 || count[jade] < 100 || count[gold] < 1_000 {
		t.Errorf("players %d, taps %d, coins %d", count[ton], count[jade], count[gold])
	}
	for i := range 14 {
		s.Players[i], s.Taps[i], s.Sources[0].Coins[i] = 1e6, 5e9, 5e6
	}
	s.CoinsBefore = 71e6
	if count := painted(drawn(t, s)); count[ton] < 10_000 || count[jadeWash] < 10_000 || count[gold] < 10_000 {
		t.Errorf("players %d, taps %d, coins %d", count[ton], count[jadeWash], count[gold])
	}
}

func TestPictureOfAnotherShapeIsRefused(t *testing.T) {
	stats := func(spoil func(s *Stats)) error {
		s := busy()
		spoil(&s)
		_, err := Draw(s)
		return err
	}
	supply := func(spoil func(s *Supply)) error {
		s := season(90)
		spoil(&s)
		_, err := DrawSupply(s)
		return err
	}
	load := func(spoil func(l *Load)) error {
		l := someLoad()
		spoil(&l)
		_, err := DrawLoad(l)
		return err
	}
	card := func(c Card) error {
		_, err := DrawCard(c)
		return err
	}
	for name, err := range map[string]error{
		"no day":              stats(func(s *Stats) { *s = Stats{} }),
		"players":             stats(func(s *Stats) { s.Players = s.Players[1:] }),
		"taps":                stats(func(s *Stats) { s.Taps = append(s.Taps, 1) }),
		"coins":               stats(func(s *Stats) { s.Sources[2].Coins = nil }),
		"many sources":        stats(func(s *Stats) { s.Sources = slices.Repeat(s.Sources, 2) }),
		"no source":           supply(func(s *Supply) { *s = Supply{} }),
		"one day":             supply(func(s *Supply) { *s = season(1) }),
		"other days":          supply(func(s *Supply) { s.Sources[3].Coins = s.Sources[3].Coins[1:] }),
		"many of a season":    supply(func(s *Supply) { s.Sources = slices.Repeat(s.Sources, 2) }),
		"one step":            load(func(l *Load) { l.Steps = l.Steps[:1] }),
		"no limit":            load(func(l *Load) { l.Limit = 0 }),
		"nobody is busy":      load(func(l *Load) { l.Users = nil }),
		"somebody more":       load(func(l *Load) { l.Users = append(l.Users, "Others") }),
		"a card of no ground": card(Card{}),
		"few facts":           card(Card{Ground: GroundSeason, Facts: make([]Fact, 3)}),
		"no such relic":       card(Card{Ground: GroundTournament, Relic: "medal-4", Facts: make([]Fact, 2)}),
	} {
		if err == nil {
			t.Errorf("%s is drawn", name)
		}
	}
}

// season is what a season gave by six sources.
func season(days int) (s Supply) {
	for i, name := range []string{"Bag", "Check-in", "Tasks", "Wheel", "Loyalty", "Friends"} {
		s.Sources = append(s.Sources, Source{name, rising(days, 1000/float64(i+1), 5)})
	}
	return s
}

func TestASeasonIsDrawnWithEachSourceInItsColour(t *testing.T) {
	drawn := func(s Supply) map[color.RGBA]int { return painted(shown(DrawSupply(s))(t)) }
	less := season(90)
	for i := range less.Sources {
		if i%2 == 1 {
			clear(less.Sources[i].Coins)
		}
	}
	before, after := drawn(season(90)), drawn(less)
	for i, paint := range palette[:6] {
		n, m := before[paint], after[paint] // words and the key have some of it, too
		if gives := i%2 == 0; n < 4_000 || gives && m < n || !gives && m > n/2 {
			t.Errorf("source %d has %d points of its colour, and %d when every second gives nothing", i, n, m)
		}
	}
}

func TestFiguresAreWrittenShort(t *testing.T) {
	for v, want := range map[float64][2]string{
		0: {"0", "0"}, 0.007: {"0.007", "0.007"}, 0.0125: {"0.0125", "0.0125"}, 1: {"1", "1"}, 12.345: {"12.3", "12.3"},
		999: {"999", "999"}, 1284: {"1,284", "1.28 K"}, 12_003: {"12,003", "12 K"}, 99_999: {"99,999", "100 K"},
		412_000: {"412 K", "412 K"}, 5e9: {"5 B", "5 B"}, 2_500: {"2,500", "2.5 K"},
	} {
		if got := [2]string{number(v), short(v)}; got != want {
			t.Errorf("%v is %q, want %q", v, got, want)
		}
	}
	for largest, want := range map[float64][2]float64{1: {1, 0.5}, 3: {1, 1}, 10: {5, 5}, 1284: {500, 500}, 0.02: {1, 0.01}} {
		if got := [2]float64{stepFor(largest, true), stepFor(largest, false)}; got != want {
			t.Errorf("the steps up to %v are %v, want %v", largest, got, want)
		}
	}
	days := someDays(14)
	if got := period(days, days[0].Add(845*time.Minute)); got != "25 October to 7 November, up to 14:05" {
		t.Error(got)
	}
	if got := period(days[7:], time.Time{}); got != "1 to 7 November" {
		t.Error(got)
	}
}
