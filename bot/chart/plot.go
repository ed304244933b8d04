package chart

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// gutter is the room for the scale beside a chart.
const gutter = 46

// plot is the place of a chart: its left edge with the scale, its base line, its size.
type plot struct{ x, base, width, height float64 }

func (c card) plot(height float64) plot {
	return plot{c.x + padding, c.y + above + 6 + height, c.width - 2*padding, height}
}

// column returns the middle of a day and the room it has.
func (p plot) column(day, days int) (middle, room float64) {
	room = (p.width - gutter) / float64(days)
	return p.x + gutter + (float64(day)+0.5)*room, room
}

// bars draws a day's figures stacked.
func (s *sheet) bars(p plot, series [][]float64, paints []color.RGBA, whole bool) {
	totals := make([]float64, len(s.days))
	for _, values := range series {
		for day, v := range values {
			totals[day] += v
		}
	}
	most := s.frame(p, totals, whole)
	for day := range s.days {
		middle, room := p.column(day, len(s.days))
		x, wide, y := middle-room*0.36, room*0.72, p.base
		for i, values := range series {
			high := values[day] / most * p.height
			if values[day] <= 0 || most == 0 {
				continue
			}
			high = max(high, 1.5) // so that a small figure can be seen
			s.rect(x, y-high, wide, max(high-1, 1), paints[i])
			s.rect(x, y-high, wide, min(2, high), shine)
			y -= high
		}
	}
	s.baseLine(p)
}

// line draws one figure over the days, with a dot for today.
func (s *sheet) line(p plot, values []float64) {
	most := s.frame(p, values, true)
	if most > 0 {
		var rim []point
		for day, v := range values {
			middle, _ := p.column(day, len(values))
			rim = append(rim, point{middle, p.base - v/most*p.height})
		}
		first, last := rim[0], rim[len(rim)-1]
		s.fill(append([]point{{first.x, p.base}}, append(rim, point{last.x, p.base})...), jadeWash)
		s.stroke(rim, 4, jade)
		s.disc(last, 7.5, surface)
		s.disc(last, 5, jade)
	}
	s.baseLine(p)
}

// frame draws the scale and the days and returns the figure at the top; 0 if there is nothing to draw, which it writes.
func (s *sheet) frame(p plot, values []float64, whole bool) (most float64) {
	largest := max(slices.Max(values), 0)
	every := 1
	if p.width < width/2 {
		every = 3
	}
	for day := range s.days {
		if (len(s.days)-1-day)%every == 0 {
			middle, _ := p.column(day, len(s.days))
			s.write(point{middle, p.base + 20}, 0.5, letters{plain, 14}, muted, s.days[day])
		}
	}
	if largest == 0 {
		s.write(point{p.x + gutter + (p.width-gutter)/2, p.base - p.height/2 + 5}, middle, letters{plain, 15}, faint, "Nothing yet")
		return 0
	}
	most = largest * 1.04
	step := stepFor(largest, whole)
	for i := 1; float64(i)*step <= largest; i++ {
		y := p.base - float64(i)*step/most*p.height
		s.dashes(p.x+gutter, p.x+p.width, y, grid)
		s.write(point{p.x + gutter - 8, y + 5}, right, letters{plain, 14}, muted, short(float64(i)*step))
	}
	return most
}

func (s *sheet) baseLine(p plot) {
	s.rect(p.x+gutter, p.base-0.5, p.width-gutter, 1, base)
}

// stepFor returns a round distance for about three lines below the largest figure.
func stepFor(largest float64, whole bool) float64 {
	raw := largest / 3.2
	unit := math.Pow(10, math.Floor(math.Log10(raw)))
	step := 10 * unit
	for _, times := range []float64{1, 2, 2.5, 5} {
		if times*unit >= raw {
			step = times * unit
			break
		}
	}
	if whole {
		step = max(math.Ceil(step), 1)
	}
	return step
}

// short writes a figure in few characters: 2.5 K.
func short(v float64) string {
	for _, unit := range []struct {
		size float64
		name string
	}{{1e12, " T"}, {1e9, " B"}, {1e6, " M"}, {1e3, " K"}} {
		if v >= unit.size {
			return digits(v/unit.size, 3) + unit.name
		}
	}
	return digits(v, 3)
}

// number writes a figure that people may want to know exactly, up to 99,999.
func number(v float64) string {
	switch {
	case v >= 99_999.5:
		return short(v)
	case v < 1000:
		return digits(v, 3)
	}
	whole := strconv.FormatFloat(v, 'f', 0, 64)
	return whole[:len(whole)-3] + "," + whole[len(whole)-3:]
}

// digits writes a number of significant digits, none of them cut off before the point.
func digits(v float64, many int) string {
	if v <= 0 {
		return "0"
	}
	after := max(many-1-int(math.Floor(math.Log10(v))), 0)
	text := strconv.FormatFloat(v, 'f', after, 64)
	if strings.Contains(text, ".") {
		text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	}
	return text
}

func sum(values []float64) (total float64) {
	for _, v := range values {
		total += v
	}
	return total
}

// yesterday is the figure that today's is compared with.
func yesterday(values []float64) string { return number(values[len(values)-2]) + " yesterday" }

// period writes the days: 8 to 21 November.
func period(days []time.Time, until time.Time) string {
	first, last := days[0], days[len(days)-1]
	from := first.Format("2 January")
	if first.Month() == last.Month() {
		from = first.Format("2")
	}
	text := fmt.Sprintf("%s to %s", from, last.Format("2 January"))
	if !until.IsZero() {
		text += ", up to " + until.UTC().Format("15:04")
	}
	return text
}
