package audit_test

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"mcbk/models/audit"
	"mcbk/models/modelstest"
	"mcbk/models/store"
)

var updateGuards = flag.Bool("update", false, "write guards/*.txt as the migrations make them")

func TestGuardsMatchMigrations(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		lines := modelstest.Must(audit.Guards(store.DB.Committed(t.Context()), store.DB.Dialect))(t)
		made := strings.Join(lines, "\n") + "\n"
		file := filepath.Join("../audit/guards", filepath.Base(t.Name())+".txt")
		if *updateGuards {
			modelstest.NoError(t, os.WriteFile(file, []byte(made), 0o600))
		}
		known := modelstest.Must(os.ReadFile(file))(t)
		if string(known) != made {
			t.Errorf("%s is not what the migrations make: if you changed them, run `go test ./models/audit -run Guards -update`", file)
			was := strings.Split(string(known), "\n")
			for _, line := range lines {
				if !slices.Contains(was, line) {
					t.Errorf("only in the database: %s", line)
				}
			}
			for _, line := range was {
				if line != "" && !slices.Contains(lines, line) {
					t.Errorf("only in the file: %s", line)
				}
			}
		}
	})
}
