package repo

import (
	"strings"
	"testing"
)

// A mutant of a reworded line would stop `make mutants`, which runs rarely.
func TestEachMutantChangesAnExistingLine(t *testing.T) {
	_, list, _ := strings.Cut(readPage(t, "scripts/mutants.sh"), "\nmutants='\n")
	list, _, _ = strings.Cut(list, "\n'\n")
	mutants := strings.Split(list, "\n")
	for _, mutant := range mutants {
		parts := strings.Split(mutant, " ~ ")
		if len(parts) != 4 {
			t.Errorf("not file ~ original ~ replacement ~ tests: %s", mutant)
			continue
		}
		original := strings.ReplaceAll(parts[1], "??", "''")
		if n := strings.Count(readPage(t, parts[0]), original); n != 1 {
			t.Errorf("%s: %q stands there %d times", parts[0], original, n)
		}
	}
	if len(mutants) < 30 {
		t.Errorf("only %d are found", len(mutants))
	}
}
