package repo

import (
	"os"
	"testing"
)

// Paths are written from the repository's root.
func TestMain(m *testing.M) {
	if err := os.Chdir("../.."); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
