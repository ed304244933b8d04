package bot

import (
	"strings"
	"unicode/utf16"

	"mcbk/models"
)

// splitMessage divides a text into messages as long as Telegram accepts, by whole lines. What is beyond maxParts is left out of the last,
// which says so.
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

// truncateMessage shortens a text to what Telegram takes, by whole lines, so that no markup is torn.
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

// maxParts is how many messages an answer may take.
const maxParts = 8
