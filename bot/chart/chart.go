// Package chart draws the game's figures as a picture that can be read on a phone.
package chart

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"strconv"
	"time"
)

// Stats is the data of the picture: one figure for each of some consecutive days.
type Stats struct {
	Days        []time.Time // UTC, the oldest first, the last is today
	Players     []float64   // active players by day
	Taps        []float64   // by day
	Sources     []Source    // where coins came from
	CoinsBefore float64     // paid out in as many days before the first
	Until       time.Time   // nothing later is counted; zero when everything is
}

// Source is a source of coins.
type Source struct {
	Name  string
	Coins []float64 // by day
}

// The colours of the game, by their names in tokens.css.
var (
	ground  = color.RGBA{0x17, 0x11, 0x0C, 0xFF}
	surface = color.RGBA{0x23, 0x1A, 0x12, 0xFF} // surface-1
	edge    = color.RGBA{0x39, 0x2E, 0x21, 0xFF} // the light on a card's upper edge
	lip     = color.RGBA{0x0D, 0x09, 0x05, 0xFF} // the dark below it
	grid    = color.RGBA{0x4C, 0x3A, 0x29, 0xFF} // line
	base    = color.RGBA{0x8C, 0x73, 0x55, 0xFF}
	bright  = color.RGBA{0xFF, 0xF3, 0xDF, 0xFF} // text
	muted   = color.RGBA{0xD6, 0xC3, 0xA6, 0xFF} // text-2
	faint   = color.RGBA{0xAD, 0x97, 0x7B, 0xFF} // text-3
	shine   = color.NRGBA{0xFF, 0xFF, 0xFF, 0x59}

	gold, ton, jade = color.RGBA{0xF7, 0xB9, 0x28, 0xFF}, color.RGBA{0x00, 0x98, 0xEA, 0xFF}, color.RGBA{0x58, 0xDC, 0xB5, 0xFF}
	jadeWash        = color.RGBA{0x17, 0x35, 0x2C, 0xFF}

	// palette is in the order of the sources; each is named below the picture, too.
	palette = []color.RGBA{gold, ton, jade, bright, {0xFF, 0x8A, 0x4C, 0xFF}, {0xAE, 0xCF, 0x5C, 0xFF}, {0xFF, 0x9A, 0x7D, 0xFF}, {0xD5, 0xDA, 0xDF, 0xFF}, {0x8C, 0x73, 0x55, 0xFF}}
)

// Measures of the drawing.
const (
	width     = 600
	margin    = 20
	gap       = 14
	padding   = 16 // within a card
	above     = 80 // of a card, up to its chart
	tall      = 216
	low       = 124
	below     = 42 // of a card's chart, with the days
	keyRow    = 49
	legendRow = 5
	header    = 34
)

var errShape = errors.New("the figures are not one for each day")

// Draw makes a PNG of 1200 pixels' width.
func Draw(s Stats) (picture []byte, err error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	const small, half = above + low + below, (width - 2*margin - gap) / 2
	top := float64(margin + header + gap)
	wide := top + small + gap
	coins := card{margin, wide, width - 2*margin, coinsHeight(s.Sources)}
	sheet := &sheet{canvas: newCanvas(width, int(wide+coins.height)+margin, ground), days: dates(s.Days)}
	sheet.head(period(s.Days, s.Until))

	today := len(s.Days) - 1
	players := card{margin, top, half, small}
	sheet.open(players, "Players today", number(s.Players[today]), yesterday(s.Players))
	sheet.bars(players.plot(low), [][]float64{s.Players}, []color.RGBA{ton}, true)

	taps := card{margin + half + gap, top, half, small}
	sheet.open(taps, "Taps today", number(s.Taps[today]), yesterday(s.Taps))
	sheet.line(taps.plot(low), s.Taps)

	sheet.coins(coins, s.Sources, fmt.Sprintf("%s in the %d before", number(s.CoinsBefore), len(s.Days)))
	return sheet.file()
}

// coins draws the card of coins by day and source, stacked.
func (s *sheet) coins(c card, sources []Source, compared string) {
	var series [][]float64
	var total float64
	for _, source := range sources {
		series = append(series, source.Coins)
		total += sum(source.Coins)
	}
	s.open(c, fmt.Sprintf("Coins issued in %d days", len(s.days)), number(total), compared)
	s.bars(c.plot(tall), series, palette, false)
	s.key(c, sources)
}

// coinsHeight is that of the card of coins, with rows for its legend.
func coinsHeight(sources []Source) float64 {
	return float64(above + tall + below + (len(sources)+legendRow-1)/legendRow*keyRow)
}

func (s Stats) check() error {
	days := len(s.Days)
	fits := days > 1 && len(s.Players) == days && len(s.Taps) == days && len(s.Sources) <= len(palette)
	for _, source := range s.Sources {
		fits = fits && len(source.Coins) == days
	}
	if !fits {
		return errShape
	}
	return nil
}

// sheet is a canvas that keeps its first error.
type sheet struct {
	*canvas
	days []string // the label of each, empty for none
	err  error
}

// file returns the sheet as a PNG, or its error.
func (s *sheet) file() ([]byte, error) {
	if s.err != nil {
		return nil, s.err
	}
	var file bytes.Buffer
	if err := png.Encode(&file, s.pixels); err != nil {
		return nil, fmt.Errorf("write a picture: %w", err)
	}
	return file.Bytes(), nil
}

// dates returns the days of the month.
func dates(days []time.Time) (names []string) {
	for _, day := range days {
		names = append(names, strconv.Itoa(day.Day()))
	}
	return names
}

// fail keeps the sheet's first error.
func (s *sheet) fail(err error) {
	if s.err == nil {
		s.err = err
	}
}

// head writes the name of the game and the days.
func (s *sheet) head(period string) {
	s.write(point{width - margin, margin + 23}, right, letters{strong, 17}, muted, period)
	s.paste("wordmark", image.Pt(margin*scale, margin*scale))
}

// card is one framed chart.
type card struct{ x, y, width, height float64 }

// open draws a card with its title, its figure and the figure it is compared with.
func (s *sheet) open(c card, title, figure, compared string) {
	const radius = 16
	s.rounded(c.x, c.y+3, c.width, c.height, radius, lip)
	s.rounded(c.x, c.y, c.width, c.height, radius, edge)
	s.rounded(c.x, c.y+1, c.width, c.height-1, radius, surface)
	s.write(point{c.x + padding, c.y + 29}, left, letters{strong, 16}, muted, title)
	s.write(point{c.x + padding, c.y + 63}, left, letters{display, 28}, bright, figure)
	s.write(point{c.x + c.width - padding, c.y + 63}, right, letters{plain, 14}, faint, compared)
}

// label draws a colour and what it stands for.
func (s *sheet) label(x, y float64, paint color.Color, name string) {
	s.rounded(x, y-11, 11, 11, 3, paint)
	s.write(point{x + 17, y}, left, letters{plain, 15}, muted, name)
}

// key draws the legend: the colours, with the total of each.
func (s *sheet) key(c card, sources []Source) {
	for i, source := range sources {
		column := (c.width - 2*padding) / legendRow
		x := c.x + padding + float64(i%legendRow)*column
		y := c.y + c.height - 12 - keyRow + 10 - float64((len(sources)-1)/legendRow-i/legendRow)*keyRow
		s.label(x, y+15, palette[i], source.Name)
		s.write(point{x, y + 35}, left, letters{display, 15}, bright, number(sum(source.Coins)))
	}
}
