package people

import (
	"fmt"
	"html"
	"unicode/utf8"
)

var grounds = [][2]string{
	{"#C2643B", "#8C3B1F"},
	{"#4C8A6F", "#27543F"},
	{"#4F7CAC", "#2B4B72"},
	{"#8A5BA6", "#553370"},
	{"#B88A2C", "#7A5513"},
	{"#A6495F", "#6B2438"},
}

// Avatar draws the person as a small SVG: a portrait for those with a photo, else the first letter, like Telegram.
func Avatar(p Person) []byte {
	g := grounds[p.ID%int64(len(grounds))]
	ground := fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96">`+
		`<linearGradient id="g" x2="0" y2="1"><stop stop-color="%s"/><stop offset="1" stop-color="%s"/></linearGradient>`+
		`<rect width="96" height="96" fill="url(#g)"/>`, g[0], g[1])
	if p.HasPhoto {
		return []byte(ground + `<circle cx="48" cy="39" r="17" fill="#FFE9CF"/>` +
			`<path d="M14 96c2-24 16-34 34-34s32 10 34 34z" fill="#FFE9CF" opacity=".92"/>` +
			`<path d="M30 38c-2-17 8-25 19-25s20 9 17 24c-4-9-12-12-18-12s-14 4-18 13z" fill="#2B1A10"/></svg>`)
	}
	letter, _ := utf8.DecodeRuneInString(p.FirstName)
	return []byte(ground + `<text x="48" y="49" dy=".35em" text-anchor="middle" font-family="Roboto,Helvetica,Arial,sans-serif" ` +
		`font-size="44" font-weight="600" fill="#fff">` + html.EscapeString(string(letter)) + `</text></svg>`)
}
