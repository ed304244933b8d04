package chart

import (
	"embed"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

//go:embed fonts/*.ttf cards/*.png wordmark.png
var files embed.FS

// scale is how many pixels a unit of the drawing has, as on a phone.
const scale = 2

// canvas is drawn on in the units of the design, 600 to its width.
type canvas struct {
	pixels *image.RGBA
	faces  map[letters]font.Face
}

// letters are a font in a size.
type letters struct {
	font string
	size float64
}

// The fonts of the game, in the weights of the picture.
const (
	display = "unbounded-700"
	strong  = "golos-600"
	plain   = "golos-500"
)

func newCanvas(width, height int, ground color.Color) *canvas {
	c := &canvas{pixels: image.NewRGBA(image.Rect(0, 0, width*scale, height*scale)), faces: map[letters]font.Face{}}
	draw.Draw(c.pixels, c.pixels.Bounds(), image.NewUniform(ground), image.Point{}, draw.Src)
	return c
}

type point struct{ x, y float64 }

// fill fills the inside of a closed line.
func (c *canvas) fill(line []point, paint color.Color) {
	if len(line) == 0 {
		return
	}
	least, most := line[0], line[0]
	for _, p := range line {
		least = point{min(least.x, p.x), min(least.y, p.y)}
		most = point{max(most.x, p.x), max(most.y, p.y)}
	}
	at := image.Rect(int(math.Floor(least.x*scale)), int(math.Floor(least.y*scale)), int(math.Ceil(most.x*scale)), int(math.Ceil(most.y*scale)))
	if at.Empty() {
		return
	}
	pen := vector.NewRasterizer(at.Dx(), at.Dy())
	for i, p := range line {
		x, y := float32(p.x*scale-float64(at.Min.X)), float32(p.y*scale-float64(at.Min.Y))
		if i == 0 {
			pen.MoveTo(x, y)
		} else {
			pen.LineTo(x, y)
		}
	}
	pen.ClosePath()
	pen.Draw(c.pixels, at, image.NewUniform(paint), image.Point{})
}

func (c *canvas) rect(x, y, width, height float64, paint color.Color) {
	c.fill([]point{{x, y}, {x + width, y}, {x + width, y + height}, {x, y + height}}, paint)
}

// arc goes around a centre, clockwise as one sees it, between two angles in quarters of a turn.
func arc(centre point, radius, from, to float64) (line []point) {
	const steps = 24
	for i := range steps + 1 {
		angle := (from + (to-from)*float64(i)/steps) * math.Pi / 2
		line = append(line, point{centre.x + radius*math.Cos(angle), centre.y + radius*math.Sin(angle)})
	}
	return line
}

func (c *canvas) rounded(x, y, width, height, radius float64, paint color.Color) {
	line := arc(point{x + width - radius, y + radius}, radius, 3, 4)
	line = append(line, arc(point{x + width - radius, y + height - radius}, radius, 0, 1)...)
	line = append(line, arc(point{x + radius, y + height - radius}, radius, 1, 2)...)
	c.fill(append(line, arc(point{x + radius, y + radius}, radius, 2, 3)...), paint)
}

func (c *canvas) disc(centre point, radius float64, paint color.Color) {
	c.fill(arc(centre, radius, 0, 4), paint)
}

// stroke draws a line with round ends and corners.
func (c *canvas) stroke(line []point, width float64, paint color.Color) {
	for i, p := range line {
		c.disc(p, width/2, paint)
		if i == 0 {
			continue
		}
		from := line[i-1]
		length := math.Hypot(p.x-from.x, p.y-from.y)
		if length == 0 {
			continue
		}
		across := point{(p.y - from.y) / length * width / 2, (from.x - p.x) / length * width / 2}
		c.fill([]point{
			{from.x + across.x, from.y + across.y},
			{p.x + across.x, p.y + across.y},
			{p.x - across.x, p.y - across.y},
			{from.x - across.x, from.y - across.y},
		}, paint)
	}
}

// dashes draws a thin dashed horizontal line.
func (c *canvas) dashes(from, to, y float64, paint color.Color) {
	for x := from; x < to; x += 7 {
		c.rect(x, y-0.5, min(2, to-x), 1, paint)
	}
}

// align says which point of a text is given.
type align float64

const (
	left   align = 0
	middle align = 0.5
	right  align = 1
)

// write writes on a base line.
func (s *sheet) write(at point, from align, as letters, paint color.Color, words string) {
	face, err := s.face(as)
	if err != nil {
		s.fail(err)
		return
	}
	pen := font.Drawer{Dst: s.pixels, Src: image.NewUniform(paint), Face: face}
	advance := pen.MeasureString(words)
	pen.Dot = fixed.Point26_6{
		X: fixed.Int26_6(at.x*scale*64) - fixed.Int26_6(float64(advance)*float64(from)),
		Y: fixed.Int26_6(at.y * scale * 64),
	}
	pen.DrawString(words)
}

func (c *canvas) face(as letters) (font.Face, error) {
	if face := c.faces[as]; face != nil {
		return face, nil
	}
	fonts, err := parsed()
	if err != nil {
		return nil, err
	}
	face, err := opentype.NewFace(fonts[as.font], &opentype.FaceOptions{Size: as.size * scale, DPI: 72, Hinting: font.HintingNone})
	if err != nil {
		return nil, fmt.Errorf("a face of %s: %w", as.font, err)
	}
	c.faces[as] = face
	return face, nil
}

// parsed are the fonts, read once.
var parsed = sync.OnceValues(func() (map[string]*opentype.Font, error) {
	fonts := map[string]*opentype.Font{}
	for _, name := range []string{display, strong, plain} {
		file, err := files.ReadFile("fonts/" + name + ".ttf")
		if err != nil {
			return nil, err
		}
		if fonts[name], err = opentype.Parse(file); err != nil {
			return nil, fmt.Errorf("read the font %s: %w", name, err)
		}
	}
	return fonts, nil
})
