package api_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestMain also looks at what only all tests together can show: which codes players were
// answered with.
func TestMain(m *testing.M) {
	code := m.Run()
	if code == 0 && everythingRan() {
		for _, problem := range seenCodes.problems() {
			fmt.Fprintln(os.Stderr, "error codes:", problem)
			code = 1
		}
	}
	os.Exit(code)
}

// someRun reports whether only some cases of a test were asked for, as in -run 'Guarded/sqlite/POST_/api/tap'.
func someRun() bool { return strings.Contains(flag.Lookup("test.run").Value.String(), "/") }

func everythingRan() bool {
	for _, name := range []string{"test.run", "test.skip", "test.list", "test.fuzz"} {
		if flag.Lookup(name).Value.String() != "" {
			return false
		}
	}
	return true
}
