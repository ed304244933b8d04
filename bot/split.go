package bot

import (
	"strings"
	"unicode/utf16"

	"mcbk/models"
)

// splitMessage divides a text by whole lines into messages of Telegram's size. The last of maxParts says when more is left out.
func splitMessage(text string) (all []string) {
	for len(all) < maxParts-1 && exceedsLimit(text) {
		end := 0
		for next := strings.Index(text, "\n"); next >= 0 && !exceedsLimit(text[:end+next]); next = strings.Index(text[end:], "\n") {
			end += next + 1
		}
		if end == 0 {
			break // a single line that is longer
		}
		all, text = append(all, text[:end-1]), text[end:]
	}
	return append(all, truncateMessage(text))
}

func exceedsLimit(text string) bool { return len(utf16.Encode([]rune(text))) > models.LongestMessage }

// truncateMessage cuts a text to Telegram's size by whole lines, so that markup stays balanced.
func truncateMessage(text string) string {
	const more = "\n…"
	for exceedsLimit(text) {
		if !strings.Contains(strings.TrimSuffix(text, more), "\n") {
			return "The answer is longer than a message can be."
		}
		text = text[:max(strings.LastIndex(strings.TrimSuffix(text, more), "\n"), 0)] + more
	}
	return text
}

const maxParts = 8
