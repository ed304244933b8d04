package modelstest_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models/modelstest"
)

// recorder is a test that is told of failures.
type recorder struct {
	testing.TB

	failed bool
}

func (*recorder) Helper()                 {}
func (r *recorder) Errorf(string, ...any) { r.failed = true }
func (r *recorder) Fatalf(string, ...any) { r.failed = true }

func TestChecksFailForWrongValuesOnly(t *testing.T) {
	cause := errors.New("cause")
	wrapped := fmt.Errorf("call: %w", cause)
	value := func(err error) (int, error) { return 1, err }
	refused := error(game.Refuse(game.AlreadyClaimed))
	elsewhere := modelstest.Noon.In(time.FixedZone("", 3600))
	for name, c := range map[string]struct{ right, wrong func(t testing.TB) }{
		"That": {
			func(t testing.TB) { modelstest.That(t, true, "wrong") },
			func(t testing.TB) { modelstest.That(t, false, "wrong") },
		},
		"NoError": {
			func(t testing.TB) { modelstest.NoError(t, nil) },
			func(t testing.TB) { modelstest.NoError(t, cause) },
		},
		"Must": {
			func(t testing.TB) { modelstest.Must(value(nil))(t) },
			func(t testing.TB) { modelstest.Must(value(cause))(t) },
		},
		"Succeeds": {
			func(t testing.TB) { modelstest.Succeeds(value(nil))(t) },
			func(t testing.TB) { modelstest.Succeeds(value(cause))(t) },
		},
		"Equal, lists": {
			func(t testing.TB) { modelstest.Equal(t, []int(nil), []int{}) },
			func(t testing.TB) { modelstest.Equal(t, []int{1}, []int{2}) },
		},
		"Equal, times": {
			func(t testing.TB) { modelstest.Equal(t, elsewhere, modelstest.Noon) },
			func(t testing.TB) { modelstest.Equal(t, elsewhere.Add(1), modelstest.Noon) },
		},
		"Returns, a value": {
			func(t testing.TB) { modelstest.Returns(value(nil))(t, 1) },
			func(t testing.TB) { modelstest.Returns(value(nil))(t, 2) },
		},
		"Returns, an error": {
			func(t testing.TB) { modelstest.Returns(value(nil))(t, 1) },
			func(t testing.TB) { modelstest.Returns(value(cause))(t, 1) },
		},
		"Fails": {
			func(t testing.TB) { modelstest.Fails(value(wrapped))(t, cause) },
			func(t testing.TB) { modelstest.Fails(value(nil))(t, cause) },
		},
		"FailsWith, other words": {
			func(t testing.TB) { modelstest.FailsWith(value(wrapped))(t, "call") },
			func(t testing.TB) { modelstest.FailsWith(value(wrapped))(t, "answer") },
		},
		"FailsWith, no error": {
			func(t testing.TB) { modelstest.FailsWith(value(wrapped))(t, "") },
			func(t testing.TB) { modelstest.FailsWith(value(nil))(t, "") },
		},
		"Refuses": {
			func(t testing.TB) { modelstest.Refuses(value(refused))(t, game.AlreadyClaimed) },
			func(t testing.TB) { modelstest.Refuses(value(refused))(t, game.LevelNotNext) },
		},
	} {
		for want, check := range map[bool]func(testing.TB){false: c.right, true: c.wrong} {
			r := &recorder{TB: t}
			check(r)
			if r.failed != want {
				t.Errorf("%s: failed is %t, want %t", name, r.failed, want)
			}
		}
	}
}
