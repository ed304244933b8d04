package bot

import (
	"fmt"
	"html"
)

// mistyped suggests a command to an admin who gave an unknown one.
func mistyped(name string) string {
	said := fmt.Sprintf("There is no command /%s.", html.EscapeString(excerpt(name, longestExcerpt)))
	var names []string
	for _, c := range adminCommands() {
		names = append(names, c.name)
	}
	for _, c := range commands {
		names = append(names, c.name)
	}
	const near = 2 // maximum edit distance
	best, least := "", near+1
	for _, known := range names {
		if d := distance(name, known); d < least && d < len(known) {
			best, least = known, d
		}
	}
	if best != "" {
		said += fmt.Sprintf(" Did you mean /%s?", best)
	}
	return said + " /help lists all of them."
}

// distance is the Damerau–Levenshtein distance (optimal string alignment) of two words.
func distance(from, to string) int {
	a, b := []rune(from), []rune(to)
	if len(a) > 2*len(b)+2 {
		return len(a)
	}
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			differ := 1
			if a[i-1] == b[j-1] {
				differ = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+differ)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
