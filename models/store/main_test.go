package store_test

import (
	"flag"
	"log"
	"os"
	"testing"

	"mcbk/models/store"
)

// Each check of a property here writes to a disk, so that fewer than the usual hundred must do;
// -rapid.checks on the command line still wins.
func TestMain(m *testing.M) {
	if err := flag.Set("rapid.checks", "20"); err != nil {
		log.Fatal(err)
	}
	store.OpenTestHouse()
	os.Exit(m.Run())
}
