package chart

import (
	"image"
	"strings"
	"testing"
)

func seasonCard() Card {
	return Card{
		Ground: GroundSeason, Title: "My season", Name: "Anna", Note: "84 of 90 days", Coins: true, Figure: "12,480.25", Unit: "MCBK earned",
		Facts: []Fact{{"My place", "#128"}, {"Taps", "45,200"}, {"Friends", "7"}, {"Best win", "+20"}},
	}
}

func tournamentCard() Card {
	return Card{
		Ground: GroundTournament, Relic: "medal-1", Title: "Victory!", Name: "Марина", Note: "Tournament in the mines", Figure: "1st place",
		Facts: []Fact{{"Ore dug", "3,416.25"}, {"Prize", "30 TON + 100,000 MCBK"}},
	}
}

func drawnCard(t *testing.T, c Card) image.Image {
	t.Helper()
	picture := shown(DrawCard(c))(t)
	if at := picture.Bounds(); at.Dx() != 1024 || at.Dy() != 1280 {
		t.Errorf("it is %s", at)
	}
	return picture
}

// differs reports whether two pictures differ within a part, in pixels.
func differs(a, b image.Image, part image.Rectangle) bool {
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			if a.At(x, y) != b.At(x, y) {
				return true
			}
		}
	}
	return false
}

func TestCardShowsEachOfItsWords(t *testing.T) {
	for name, whole := range map[string]Card{"season": seasonCard(), "tournament": tournamentCard()} {
		t.Run(name, func(t *testing.T) {
			picture := drawnCard(t, whole)
			changed := []func(*Card){
				func(c *Card) { c.Title += "?" }, func(c *Card) { c.Name += "?" }, func(c *Card) { c.Note += "?" },
				func(c *Card) { c.Figure += "0" }, func(c *Card) { c.Unit += "?" }, func(c *Card) { c.Coins = !c.Coins },
			}
			for i := range whole.Facts {
				changed = append(changed, func(c *Card) { c.Facts[i].Name += "?" }, func(c *Card) { c.Facts[i].Figure += "0" })
			}
			for i, change := range changed {
				other := seasonCard()
				if name == "tournament" {
					other = tournamentCard()
				}
				change(&other)
				if !differs(picture, drawnCard(t, other), picture.Bounds()) {
					t.Errorf("change %d is not seen", i)
				}
			}
		})
	}
}

func TestLongestWordsStayOnTheCard(t *testing.T) {
	long := seasonCard()
	long.Title, long.Name, long.Figure = strings.Repeat("Мой сезон ", 4), strings.Repeat("Ш", 60), "123 456 789,25"
	for i := range long.Facts {
		long.Facts[i] = Fact{"Лучший выигрыш из всех", "+1 234 567 890"}
	}
	empty := drawnCard(t, Card{Ground: GroundSeason, Facts: make([]Fact, 4)})
	picture := drawnCard(t, long)
	for name, margin := range map[string]image.Rectangle{
		"left": image.Rect(0, 0, 60, 1280), "right": image.Rect(964, 0, 1024, 1280), "an icon": image.Rect(354, 872, 500, 1230),
	} {
		if differs(picture, empty, margin) {
			t.Errorf("a line reaches %s", name)
		}
	}
}

func TestEveryRelicIsDrawn(t *testing.T) {
	seen := drawnCard(t, Card{Ground: GroundTournament, Facts: make([]Fact, 2)})
	for _, relic := range []string{"medal-1", "medal-2", "medal-3", "ore"} {
		c := tournamentCard()
		c.Relic = relic
		picture := drawnCard(t, c)
		if !differs(picture, seen, image.Rect(400, 300, 600, 600)) {
			t.Errorf("%s looks like another", relic)
		}
		seen = picture
	}
}

func TestNameWithoutGlyphsIsLeftOut(t *testing.T) {
	for name, want := range map[string]string{
		"Anna": "Anna", "Ёлка": "Ёлка", " José ": "José", "王芳": "", "Anna 🎉": "", "": "", strings.Repeat("ы", 25): strings.Repeat("ы", 23) + "…",
	} {
		if got := shownName(name); got != want {
			t.Errorf("%q is shown as %q", name, got)
		}
	}
}
