package modelstest

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"mcbk/game"
)

// NoError ends the test with an error.
func NoError(t testing.TB, err error, what ...any) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s%v", label(what), err)
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

// ErrorOf returns the error, which is the last result of a call: ErrorOf(call()).
func ErrorOf(results ...any) error {
	if last := results[len(results)-1]; last != nil {
		return last.(error)
	}
	return nil
}

// Succeeds returns a function that checks that a call returned no error, also in a goroutine: Succeeds(call())(t).
func Succeeds(results ...any) func(t testing.TB, what ...any) {
	return func(t testing.TB, what ...any) {
		t.Helper()
		if err := ErrorOf(results...); err != nil {
			t.Errorf("%s%v", label(what), err)
		}
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
func Equal[T any](t testing.TB, got, want T, what ...any) {
	t.Helper()
	if !equal(got, want) {
		t.Errorf("%sgot %+v, want %+v", label(what), got, want)
	}
}

// Returns returns a function that checks what a call returned: Returns(call())(t, want).
func Returns[T any](got T, err error) func(t testing.TB, want T, what ...any) {
	return func(t testing.TB, want T, what ...any) {
		t.Helper()
		if err != nil || !equal(got, want) {
			t.Errorf("%sgot %+v, %v, want %+v", label(what), got, err, want)
		}
	}
}

// WantError checks why a call failed; a cause of nil, that it did not.
func WantError(t testing.TB, err, cause error, what ...any) {
	t.Helper()
	if !errors.Is(err, cause) {
		t.Errorf("%sgot the error %v, want %v", label(what), err, cause)
	}
}

// Fails returns a function that checks why a call failed: Fails(call())(t, cause).
func Fails(results ...any) func(t testing.TB, cause error, what ...any) {
	return func(t testing.TB, cause error, what ...any) {
		t.Helper()
		WantError(t, ErrorOf(results...), cause, what...)
	}
}

// WantRefusal checks with which code a call was refused.
func WantRefusal(t testing.TB, err error, code game.Code, what ...any) {
	t.Helper()
	if !IsRefused(err, code) {
		t.Errorf("%sgot the error %v, want %s", label(what), err, code)
	}
}

// Refuses returns a function that checks with which code a call was refused: Refuses(call())(t, code).
func Refuses(results ...any) func(t testing.TB, code game.Code, what ...any) {
	return func(t testing.TB, code game.Code, what ...any) {
		t.Helper()
		WantRefusal(t, ErrorOf(results...), code, what...)
	}
}

// WantFailure checks that a call failed, with words in its error.
func WantFailure(t testing.TB, err error, words string, what ...any) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), words) {
		t.Errorf("%sgot the error %v, want one with %q", label(what), err, words)
	}
}

// FailsWith returns a function that checks that a call failed, with words in its error: FailsWith(call())(t, words).
func FailsWith(results ...any) func(t testing.TB, words string, what ...any) {
	return func(t testing.TB, words string, what ...any) {
		t.Helper()
		WantFailure(t, ErrorOf(results...), words, what...)
	}
}

// equal compares as == does, also what lists, maps and pointers hold; a time by itself is equal in any zone, and none of a list is an empty list.
func equal[T any](got, want T) bool {
	if at, is := any(got).(time.Time); is {
		return at.Equal(any(want).(time.Time))
	}
	if kind := reflect.TypeFor[T]().Kind(); kind == reflect.Slice || kind == reflect.Map {
		if reflect.ValueOf(got).Len()+reflect.ValueOf(want).Len() == 0 {
			return true
		}
	}
	return reflect.DeepEqual(got, want)
}

// label joins what says which value is meant.
func label(what []any) string {
	if len(what) == 0 {
		return ""
	}
	text := fmt.Sprintln(what...)
	return text[:len(text)-1] + ": "
}
