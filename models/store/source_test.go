package store_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"mcbk/models/modelstest"
)

// What changes a balance or the ledger stands in ledger.go alone; elsewhere nobody writes a whole
// row, whose columns others may have changed meanwhile.
var onlyIn = map[string]struct {
	file string
	text *regexp.Regexp
}{
	"a balance is changed": {"ledger/ledger.go", regexp.MustCompile(`(?is)UPDATE\s+players\s+SET[^"` + "`" + `]*balance_|"balance_\w+":|(?:db\.)?(Integers|Texts|Times)\("balance_`)},
	"a posting is written": {"ledger/ledger.go", regexp.MustCompile(`(?i)INTO\s+postings|Insert\("postings"|Create\(&?\[?\]?Posting|Table\("postings"\)`)},
	"a bag is changed":     {"ledger/ledger.go", regexp.MustCompile(`(?is)UPDATE\s+players\s+SET[^"` + "`" + `]*bag_|"bag_\w+":|(?:db\.)?(Integers|Texts|Times)\("bag_`)},
	// PostgreSQL refuses a planned one once a later version adds a column.
	"all columns of a table are read": {"", regexp.MustCompile(`(?i)^\s*[^/]*\braw\(["` + "`" + `]SELECT (\w+\.)?\*,?\s+(FROM [a-z]|\w)`)},
	"a row is updated by a struct":    {"", regexp.MustCompile(`\.Updates?\(&?\w+\{`)},
}

func TestMoneyIsWrittenInOnePlace(t *testing.T) {
	files, err := filepath.Glob("../*/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	found := map[string]bool{}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") || strings.HasPrefix(file, "../modelstest/") {
			continue
		}
		text := modelstest.Must(os.ReadFile(file))(t)
		for what, rule := range onlyIn {
			if at := rule.text.FindString(string(text)); at != "" {
				if found[what] = true; strings.TrimPrefix(file, "../") != rule.file {
					t.Errorf("%s: %s: %s", file, what, at)
				}
			}
		}
	}
	for what, rule := range onlyIn {
		if rule.file != "" && !found[what] {
			t.Errorf("nowhere is it that %s: the rule looks for the wrong words", what)
		}
	}
}
