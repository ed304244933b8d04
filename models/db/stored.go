package db

import (
	"strings"
	"time"
)

// Time returns a time in the precision that both databases keep.
func Time(at time.Time) time.Time { return at.UTC().Truncate(time.Microsecond) }

// maxErrorSize is how many bytes of an error are stored.
const maxErrorSize = 500

// TruncateError returns an error text that a database can hold: valid UTF-8, no NUL, not a whole page.
func TruncateError(cause string) string {
	cause = cause[:min(len(cause), maxErrorSize)]
	return strings.ToValidUTF8(strings.ReplaceAll(cause, "\x00", ""), "")
}
