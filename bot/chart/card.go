package chart

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
)

// Card is a picture to share: what a player has done.
type Card struct {
	Ground Ground
	Relic  string // on the ground of a tournament: "medal-1" to "medal-3" or "ore"
	Title  string
	Name   string // the player's; left out where the fonts lack a letter of it
	Note   string // below the title, after the name
	Coins  bool   // the figure is of coins
	Figure string // the largest
	Unit   string // below it; may be empty
	Facts  []Fact // one for each place of the ground
}

// Fact is a figure and what it counts.
type Fact struct{ Name, Figure string }

// Ground is what a card is drawn on: a picture with places for facts, each with its icon.
type Ground string

// The grounds; their art is the web app's (webapp/src/art).
const (
	GroundSeason     Ground = "season"     // places: rank, taps, friends, best win
	GroundTournament Ground = "tournament" // places: ore, prize
)

// place is where a fact stands: the left end of its lines, and their width.
type place struct{ x, y, width float64 }

var places = map[Ground][]place{
	GroundSeason:     {{46, 436, 126}, {276, 436, 126}, {46, 530, 126}, {276, 530, 126}},
	GroundTournament: {{128, 442, 322}, {128, 532, 322}},
}

// Measures of a card, which Telegram shows as it is: 1024 by 1280 pixels.
const (
	cardWidth  = 512
	cardHeight = 640
	cardText   = cardWidth - 64 // widest line
	relicTop   = 126
	longName   = 24 // runes
)

var errCard = errors.New("the facts are not one for each place of the ground")

// DrawCard makes a PNG of 1024 by 1280 pixels.
func DrawCard(c Card) (picture []byte, err error) {
	at := places[c.Ground]
	if len(at) == 0 || len(c.Facts) != len(at) {
		return nil, errCard
	}
	s := &sheet{canvas: newCanvas(cardWidth, cardHeight, ground)}
	s.paste("cards/"+string(c.Ground), image.Point{})
	if c.Relic != "" {
		s.paste("cards/"+c.Relic, image.Pt(cardWidth*scale/2-relicSize/2, relicTop*scale))
	}
	s.fit(point{cardWidth / 2, 94}, middle, letters{display, 26}, bright, c.Title, cardText)
	note := c.Note
	if name := shownName(c.Name); name != "" {
		note = strings.Trim(name+" · "+note, " ·")
	}
	s.fit(point{cardWidth / 2, 119}, middle, letters{strong, 16}, muted, note, cardText)
	s.figure(c)
	s.fit(point{cardWidth / 2, 370}, middle, letters{strong, 16}, muted, c.Unit, cardText)
	for i, fact := range c.Facts {
		s.fit(point{at[i].x, at[i].y + 25}, left, letters{strong, 15}, muted, fact.Name, at[i].width)
		s.fit(point{at[i].x, at[i].y + 57}, left, letters{display, 24}, bright, fact.Figure, at[i].width)
	}
	return s.file()
}

// figure writes the largest figure, with a coin before it if it is of coins.
func (s *sheet) figure(c Card) {
	const size, coin, gap = 42, 46, 10
	baseline, taken := 384.0, 0.0
	if c.Unit != "" {
		baseline = 346
	}
	if c.Coins {
		taken = coin + gap
	}
	as, width := s.fitted(letters{display, size}, c.Figure, cardText-taken)
	x := (cardWidth - width - taken) / 2
	if c.Coins {
		s.paste("cards/coin", image.Pt(int(x*scale), int((baseline-as.size*0.36-coin/2)*scale)))
	}
	s.write(point{x + taken, baseline}, left, as, bright, c.Figure)
}

// relicSize is the width of a relic in pixels.
const relicSize = 420

// paste draws an embedded picture at a place in pixels.
func (s *sheet) paste(name string, at image.Point) {
	file, err := files.Open(name + ".png")
	if err != nil {
		s.fail(err)
		return
	}
	defer file.Close() //nolint:errcheck // embedded
	art, err := png.Decode(file)
	if err != nil {
		s.fail(fmt.Errorf("read the picture %s: %w", name, err))
		return
	}
	draw.Draw(s.pixels, art.Bounds().Add(at), art, image.Point{}, draw.Over)
}

// fit writes a line, smaller where it would be wider than width.
func (s *sheet) fit(at point, from align, as letters, paint color.Color, words string, width float64) {
	as, _ = s.fitted(as, words, width)
	s.write(at, from, as, paint, words)
}

// fitted returns the letters in which words are at most so wide, and how wide they are.
func (s *sheet) fitted(as letters, words string, most float64) (letters, float64) {
	face, err := s.face(as)
	if err != nil {
		s.fail(err)
		return as, 0
	}
	width := float64(font.MeasureString(face, words)) / 64 / scale
	if width > most {
		as.size, width = as.size*most/width, most
	}
	return as, width
}

// shownName returns a name cut to what a line holds; empty where the fonts lack a letter of it.
func shownName(name string) string {
	fonts, err := parsed()
	if err != nil {
		return ""
	}
	var buffer sfnt.Buffer
	for _, r := range name {
		if glyph, err := fonts[strong].GlyphIndex(&buffer, r); err != nil || glyph == 0 {
			return ""
		}
	}
	if letters := []rune(name); len(letters) > longName {
		return string(letters[:longName-1]) + "…"
	}
	return strings.TrimSpace(name)
}
