package models_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"mcbk/models"
	"mcbk/models/given"
)

var updateGuards = flag.Bool("update", false, "write guards/*.txt as the migrations make them")

func TestTheGuardsLookedForAreThoseTheMigrationsMake(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		lines, err := store.Guards(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		made := strings.Join(lines, "\n") + "\n"
		file := filepath.Join("guards", filepath.Base(t.Name())+".txt")
		if *updateGuards {
			if err := os.WriteFile(file, []byte(made), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if known, err := os.ReadFile(file); err != nil || string(known) != made {
			t.Errorf("%v; after a migration run `go test ./models -run Guards -update`, the database has\n%s", err, made)
		}
	})
}
