package api_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestMain also checks the codes of all responses in all tests.
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

// someRun reports whether -run selects a part of the tests, as in -run 'AbuseCases/sqlite/POST_/api/tap'.
func someRun() bool { return strings.Contains(flag.Lookup("test.run").Value.String(), "/") }

func everythingRan() bool {
	for _, name := range []string{"test.run", "test.skip", "test.list", "test.fuzz"} {
		if flag.Lookup(name).Value.String() != "" {
			return false
		}
	}
	return true
}
