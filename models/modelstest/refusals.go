package modelstest

import (
	"errors"
	"sync/atomic"
	"testing"

	"mcbk/game"
)

// FiftyAtOnce makes fifty calls together and returns how many succeeded; the others must be refused so.
func FiftyAtOnce(t *testing.T, code game.Code, call func() error) int {
	t.Helper()
	var succeeded atomic.Int32
	Concurrently(50, func(int) {
		switch err := call(); {
		case err == nil:
			succeeded.Add(1)
		case !IsRefused(err, code):
			t.Errorf("neither done nor refused with %s: %v", code, err)
		}
	})
	return int(succeeded.Load())
}

// IsRefused reports whether an error is the refusal with that code.
func IsRefused(err error, code game.Code) bool {
	var no *game.Refusal
	return errors.As(err, &no) && no.Code == code
}
