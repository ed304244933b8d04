package audit_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"mcbk/models/modelstest"
)

// Whatever changes a player's row must count the change, or the app would take an older answer for the newer one.
func TestEveryUpdateOfPlayersCountsAsRevision(t *testing.T) {
	update := regexp.MustCompile(`UPDATE players SET |Model\(&models\.Player\{\}\)[^{}]*\.Updates\(`)
	found := 0
	modelstest.NoError(t, filepath.WalkDir("..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, at := range update.FindAllIndex(source, -1) {
			found++
			if statement := string(source[max(at[0]-200, 0):min(at[1]+400, len(source))]); !strings.Contains(statement, "revision") && !strings.Contains(statement, "sets") {
				t.Errorf("%s changes players without their revision: %.100s", path, statement)
			}
		}
		return err
	}))
	if found < 8 {
		t.Errorf("found only %d statements", found)
	}
}
