package modelstest

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// Tests are the names of the tests of this repository's packages, like "taps.TestTapsKeepConfiguredPace", read from the files below
// its root. Lists that say which test proves what are held to them.
func Tests(t testing.TB, root string) map[string]bool {
	t.Helper()
	declared := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	names := map[string]bool{}
	for _, pattern := range []string{"*/*_test.go", "models/*/*_test.go"} {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("no tests in %s, %v", root, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file) //nolint:gosec // this repository's own
			NoError(t, err)
			for _, found := range declared.FindAllSubmatch(text, -1) {
				names[filepath.Base(filepath.Dir(file))+"."+string(found[1])] = true
			}
		}
	}
	return names
}
