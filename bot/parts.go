package bot

import (
	"strings"
	"unicode/utf16"

	"mcbk/models"
)

// parts divides a text into messages as long as Telegram accepts, by whole lines. What is beyond mostParts is left out of the last,
// which says so.
func parts(text string) (all []string) {
	for len(all) < mostParts-1 && tooLong(text) {
		end := 0
		for next := strings.Index(text, "\n"); next >= 0 && !tooLong(text[:end+next]); next = strings.Index(text[end:], "\n") {
			end += next + 1
		}
		if end == 0 {
			break // a single line that is longer
		}
		all, text = append(all, text[:end-1]), text[end:]
	}
	return append(all, cut(text))
}

func tooLong(text string) bool { return len(utf16.Encode([]rune(text))) > models.LongestMessage }

// cut shortens a text to what Telegram takes, by whole lines, so that no markup is torn.
func cut(text string) string {
	const more = "\n…"
	for tooLong(text) {
		if !strings.Contains(strings.TrimSuffix(text, more), "\n") {
			return "The answer is longer than a message can be."
		}
		text = text[:max(strings.LastIndex(strings.TrimSuffix(text, more), "\n"), 0)] + more
	}
	return text
}

// mostParts is how many messages an answer may take.
const mostParts = 8
