package modelstest

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"mcbk/models/store"
)

// Address names a migrated database for this test alone, without players: a copy of one that was migrated before, or one reset to
// that state. PostgreSQL is at MCBK_TEST_POSTGRES, whose role may create databases, by default on this machine; if it is missing
// the test fails, it never skips.
func Address(t testing.TB, database string) string {
	t.Helper()
	if database == "sqlite" {
		file := filepath.Join(t.TempDir(), "mcbk.db")
		content := Must(migratedFile())(t)
		NoError(t, os.WriteFile(file, content, 0o600))
		return "sqlite:" + file
	}
	return give(t)
}

// Bare names an empty database for this test alone, without tables.
func Bare(t testing.TB, database string) string {
	t.Helper()
	if database == "sqlite" {
		return "sqlite:" + filepath.Join(t.TempDir(), "mcbk.db")
	}
	return create(t)
}

// migratedFile is a SQLite file as the migrations leave it.
var migratedFile = sync.OnceValues(func() (file []byte, err error) {
	folder, err := os.MkdirTemp("", "mcbk-given")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	path := filepath.Join(folder, "mcbk.db")
	if err := migrate(context.Background(), "sqlite:"+path); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

func migrate(ctx context.Context, address string) error {
	store, err := store.Open(ctx, address, func() time.Time { return Noon }, rand.Reader)
	if err != nil {
		return err
	}
	_, err = store.DB.Migrate(ctx)
	return errors.Join(err, store.Close())
}

// server is the address of the PostgreSQL in which tests make their databases.
func server() string {
	if server := os.Getenv("MCBK_TEST_POSTGRES"); server != "" {
		return server
	}
	return "postgres://postgres@127.0.0.1:5432/test?sslmode=disable"
}

// at returns the address of a database of the server. Its schema is named, so that a test may put another one before it in the
// search path.
func at(database string) string {
	address, err := url.Parse(server())
	if err != nil {
		panic(err) // the test run's own setting
	}
	address.Path = "/" + database
	query := address.Query()
	query.Set("search_path", "public")
	address.RawQuery = query.Encode()
	return address.String()
}

// asDeployed makes texts sort as in a language, like the database of docker-compose.yml, and not by their bytes.
const asDeployed = " TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C' LOCALE_PROVIDER icu ICU_LOCALE 'en-US'"

// create makes a PostgreSQL database that is dropped at the end of the test.
func create(t testing.TB) (address string) {
	t.Helper()
	var random [6]byte
	Must(rand.Read(random[:]))(t)
	name := "mcbk_test_" + hex.EncodeToString(random[:])
	Exec(t, server(), "CREATE DATABASE "+name+asDeployed)
	t.Cleanup(func() { Exec(t, server(), "DROP DATABASE "+name+" WITH (FORCE)") })
	return at(name)
}
