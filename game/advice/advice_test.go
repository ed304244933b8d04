package advice

import (
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestEveryTextIsThereInBothLanguages(t *testing.T) {
	if Count() < 60 || len(texts["ru"]) != Count() {
		t.Fatalf("%d texts in English, %d in Russian; want the same and at least 60", Count(), len(texts["ru"]))
	}
	for language, all := range texts {
		seen := map[string]int{}
		for number, text := range all {
			if before, twice := seen[text]; twice {
				t.Errorf("%s %d and %d are the same", language, before, number)
			}
			seen[text] = number
			if letters := utf8.RuneCountInString(text); letters < 20 || letters > 140 {
				t.Errorf("%s %d has %d letters: %q", language, number, letters, text)
			}
			if isRussian(text) != (language == "ru") {
				t.Errorf("%s %d is not in its language: %q", language, number, text)
			}
		}
	}
}

func isRussian(text string) bool {
	for _, letter := range text {
		if unicode.Is(unicode.Cyrillic, letter) {
			return true
		}
	}
	return false
}

func TestALanguageNobodyWroteIsEnglish(t *testing.T) {
	if Text("de", 3) != texts["en"][3] || Text("ru", 3) != texts["ru"][3] || Text("en", Count()+1) != texts["en"][1] {
		t.Error("a text is not the one of its language and number")
	}
}
