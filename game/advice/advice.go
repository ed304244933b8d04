// Package advice holds the texts of the daily advice, written for this game.
package advice

import (
	_ "embed"
	"strings"
)

var (
	//go:embed en.txt
	english string
	//go:embed ru.txt
	russian string

	texts = map[string][]string{"en": lines(english), "ru": lines(russian)}
)

// Count returns how many texts there are in each language.
func Count() int { return len(texts["en"]) }

// Text returns a text in a language, or in English if there is none in that language. Texts are only ever added: a stored number
// always means the same text. A number past the end of the list wraps around.
func Text(language string, number int) string {
	all, ok := texts[language]
	if !ok {
		all = texts["en"]
	}
	return all[number%len(all)]
}

func lines(file string) []string { return strings.Split(strings.TrimSpace(file), "\n") }
