package game

import (
	"strings"
	"unicode"
)

// VisibleName returns a name, or nothing if a screen would show nothing of it: people name themselves by fillers, blanks and marks.
func VisibleName(name string) string {
	if strings.ContainsFunc(name, isVisible) {
		return name
	}
	return ""
}

func isVisible(r rune) bool {
	const brailleBlank, nullNotehead = '\u2800', '\U0001D159'
	return r != brailleBlank && r != nullNotehead &&
		!unicode.In(r, unicode.White_Space, unicode.Cc, unicode.Cf, unicode.Cs, unicode.M, unicode.Other_Default_Ignorable_Code_Point)
}
