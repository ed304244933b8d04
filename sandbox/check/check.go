// Package check ends tests with unexpected errors, and checks values.
package check

import (
	"errors"
	"fmt"
	"testing"
)

// NoError ends the test with an error.
func NoError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Must returns a function that returns the value, or ends the test with the error: Must(call())(t).
func Must[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		NoError(t, err)
		return value
	}
}

// That checks a condition; the rest says what is wrong without it, as for Errorf.
func That(t testing.TB, ok bool, format string, args ...any) {
	t.Helper()
	if !ok {
		t.Errorf(format, args...)
	}
}

// Equal checks a value; what says which.
func Equal[T comparable](t testing.TB, got, want T, what ...any) {
	t.Helper()
	if got != want {
		t.Errorf("%sgot %+v, want %+v", label(what), got, want)
	}
}

// WantError checks why a call failed.
func WantError(t testing.TB, err, cause error, what ...any) {
	t.Helper()
	if !errors.Is(err, cause) {
		t.Errorf("%sgot the error %v, want %v", label(what), err, cause)
	}
}

// Fails returns a function that checks why a call failed: Fails(call())(t, cause).
func Fails[T any](_ T, err error) func(t testing.TB, cause error, what ...any) {
	return func(t testing.TB, cause error, what ...any) {
		t.Helper()
		WantError(t, err, cause, what...)
	}
}

// label joins what says which value is meant.
func label(what []any) string {
	if len(what) == 0 {
		return ""
	}
	text := fmt.Sprintln(what...)
	return text[:len(text)-1] + ": "
}
