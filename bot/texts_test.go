package bot

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"mcbk/game"
	"mcbk/models"
)

func TestAllTextsExistInBothLanguages(t *testing.T) {
	all := reflect.ValueOf(texts)
	for i := range all.NumField() {
		name, p := all.Type().Field(i).Name, all.Field(i)
		english, russian := p.Field(0).String(), p.Field(1).String()
		if english == "" || russian == "" || english == russian {
			t.Errorf("%s is %q and %q", name, english, russian)
		}
		for _, mark := range []string{"%s", "%d", "<b>", "</b>", "\n\n", "/", "MC-"} {
			if a, b := strings.Count(english, mark), strings.Count(russian, mark); a != b {
				t.Errorf("%s has %q %d times in English, %d times in Russian", name, mark, a, b)
			}
		}
	}
}

func TestTextsFitTelegramsLimits(t *testing.T) {
	for _, language := range []string{models.English, models.Russian} {
		for what, size := range map[string]struct {
			text string
			most int
		}{
			"caption":    {texts.greeting.in(language) + strings.Repeat("я", 64), 1024},
			"help":       {help(language, game.TapRate{Energy: 1, Coins: 1000}), 4096},
			"privacy":    {texts.privacy.in(language), 4096},
			"paysupport": {texts.paysupport.in(language), 4096},
			"toast":      {texts.languageChosen.in(language), 200},
		} {
			if runes := utf8.RuneCountInString(size.text); runes > size.most {
				t.Errorf("%s in %s has %d characters", what, language, runes)
			}
			if strings.Contains(size.text, "%!") {
				t.Errorf("%s in %s: %s", what, language, size.text)
			}
		}
		for _, c := range commands {
			if n := utf8.RuneCountInString(c.does.in(language)); n < 3 || n > 256 {
				t.Errorf("/%s: %q", c.name, c.does.in(language))
			}
		}
	}
}

// The number follows a setting; Russian nouns inflect with it.
func TestHelpInflectsAnyNumberOfTaps(t *testing.T) {
	for language, words := range map[string]string{models.English: "334 taps make one MCBK", models.Russian: "на один MCBK нужно тапов: 334."} {
		if said := help(language, game.TapRate{Energy: 1, Coins: 3000}); !strings.Contains(said, words) {
			t.Errorf("in %s: %q", language, said)
		}
	}
}
