package game

import "testing"

func TestInvisibleNameIsEmpty(t *testing.T) {
	for what, name := range map[string]string{
		"nothing": "", "spaces": " \t\u00a0\u2003\u3000", "Hangul filler": "\u3164\u3164", "Hangul jamo fillers": "\u115f\u1160",
		"halfwidth filler": "\uffa0", "braille blank": "\u2800", "zero-width space": "\u200b", "zero-width joiners": "\u200c\u200d\u2060\ufeff",
		"soft hyphen": "\u00ad", "tag characters": "\U000E0041\U000E0042\U000E007F", "variation selectors": "\ufe0f\U000E0100",
		"combining marks alone": "\u0301\u0489\u20dd", "combining grapheme joiner": "\u034f", "Mongolian vowel separator": "\u180e",
		"Khmer inherent vowels": "\u17b4\u17b5", "musical null notehead": "\U0001D159", "interlinear annotation": "\ufff9\ufffb",
		"directions": "\u200e\u202e\u2066\u2069", "several kinds": " \u3164\u200b\u0301\u2800 ",
	} {
		if got := VisibleName(name); got != "" {
			t.Errorf("%s: %q", what, got)
		}
	}
}

func TestVisibleNameIsUnchanged(t *testing.T) {
	for _, name := range []string{
		"Ann", "Аня", "あ", "\u3164Ann\u3164", ".", "_", "1", "👨\u200d👩\u200d👧", "🏴\U000E0067\U000E0062\U000E007F", "e\u0301", "किरण",
		"김", "\uf8ff",
	} {
		if got := VisibleName(name); got != name {
			t.Errorf("%q became %q", name, got)
		}
	}
}
