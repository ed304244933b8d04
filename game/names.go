package game

import (
	"strings"
	"unicode"
)

// VisibleName returns a name, or "" if it has only invisible characters.
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
