package chart

import (
	"math"
	"strconv"
)

// Load is how long calls take under growing load.
type Load struct {
	Figure, Compared string // the result, in words
	Limit            float64
	Users            []string // of the processors, in the order of Busy
	Steps            []LoadStep
}

// LoadStep is one load that was held for a while. Times are milliseconds.
type LoadStep struct {
	Name     string
	Offered  float64 // percent
	P50, P99 float64
	Carried  bool
	Busy     []float64 // percent of the processors, of each user
}

// overLimit is how many times the limit the scale reaches; longer times are drawn at its top.
const overLimit = 2

// DrawLoad makes a PNG of 1200 pixels' width: response times by load with their limit, and shares of processor time.
func DrawLoad(l Load) (picture []byte, err error) {
	fits := len(l.Steps) > 1 && l.Limit > 0 && len(l.Users) > 0 && len(l.Users) <= legendRow
	for _, s := range l.Steps {
		fits = fits && len(s.Busy) == len(l.Users)
	}
	if !fits {
		return nil, errShape
	}
	const times, busy = above + tall + below + keyRow, above + low + below + keyRow
	sheet := &sheet{canvas: newCanvas(width, times+gap+busy+2*margin, ground)}
	first := card{margin, margin, width - 2*margin, times}
	sheet.open(first, "Time of a call by load", l.Figure, l.Compared)
	sheet.curves(first.plot(tall), l)
	y := first.y + first.height - 30
	for _, key := range []struct {
		x     float64
		name  string
		paint int
	}{{first.x + padding, "99 of 100 calls, ms", 0}, {first.x + 230, "half of them, ms", 1}, {first.x + 420, "the limit", 4}} {
		sheet.label(key.x, y, palette[key.paint], key.name)
	}

	second := card{margin, margin + times + gap, width - 2*margin, busy}
	sheet.open(second, "Processor time by load", strconv.Itoa(int(math.Round(busiest(l))))+" % at most", "percent of all cores")
	var series [][]float64
	for user := range l.Users {
		var values []float64
		for _, s := range l.Steps {
			values = append(values, s.Busy[user])
		}
		series = append(series, values)
	}
	for _, s := range l.Steps {
		sheet.days = append(sheet.days, s.Name)
	}
	sheet.bars(second.plot(low), series, palette, true)
	y = second.y + second.height - 30
	for i, name := range l.Users {
		x := second.x + padding + float64(i)*(second.width-2*padding)/float64(len(l.Users))
		sheet.label(x, y, palette[i], name)
	}
	return sheet.file()
}

func busiest(l Load) (most float64) {
	for _, s := range l.Steps {
		most = max(most, sum(s.Busy))
	}
	return most
}

// curves draws both times with a dot for each step, and the limit.
func (s *sheet) curves(p plot, l Load) {
	top := overLimit * l.Limit
	widest := 0.0
	for _, one := range l.Steps {
		widest = max(widest, one.Offered)
	}
	x := func(measured float64) float64 { return p.x + gutter + measured/(widest*1.03)*(p.width-gutter) }
	y := func(time float64) float64 { return p.base - min(time, top)/top*p.height }
	for i := 1; i <= 4; i++ {
		at := top * float64(i) / 4
		s.dashes(p.x+gutter, p.x+p.width, y(at), grid)
		name := short(at)
		if at == top {
			name += "+"
		}
		s.write(point{p.x + gutter - 8, y(at) + 5}, right, letters{plain, 14}, muted, name)
	}
	step := stepFor(widest, false)
	for i := 0; float64(i)*step <= widest; i++ {
		s.write(point{x(float64(i) * step), p.base + 20}, middle, letters{plain, 14}, muted, short(float64(i)*step)+" %")
	}
	s.rect(p.x+gutter, y(l.Limit)-1, p.width-gutter, 2, palette[4])
	for _, curve := range []struct {
		of    func(LoadStep) float64
		paint int
	}{{func(s LoadStep) float64 { return s.P50 }, 1}, {func(s LoadStep) float64 { return s.P99 }, 0}} {
		var rim []point
		for _, one := range l.Steps {
			rim = append(rim, point{x(one.Offered), y(curve.of(one))})
		}
		s.stroke(rim, 3, palette[curve.paint])
		for i, one := range l.Steps {
			s.disc(rim[i], 5, palette[curve.paint])
			if !one.Carried {
				s.disc(rim[i], 2.5, surface) // hollow: not carried
			}
		}
	}
	s.baseLine(p)
}
