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

// Count is how many texts there are in each language.
func Count() int { return len(texts["en"]) }

// Text is a text in a language, English when there is none of that language. Texts are only ever
// added: a number that was given out means the same advice for good, and one beyond the list begins again.
func Text(language string, number int) string {
	all, ok := texts[language]
	if !ok {
		all = texts["en"]
	}
	return all[number%len(all)]
}

func lines(file string) []string { return strings.Split(strings.TrimSpace(file), "\n") }
