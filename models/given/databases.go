package given

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"mcbk/models"
)

// Address names a database for this test alone: empty of players and migrated, since it is a
// copy of one that was migrated before. PostgreSQL is at MCBK_TEST_POSTGRES, whose role may
// create databases, by default on this machine; when it is missing the test fails, it never skips.
func Address(t testing.TB, database string) string {
	t.Helper()
	if database == "sqlite" {
		file := filepath.Join(t.TempDir(), "mcbk.db")
		content, err := migratedFile()
		if err != nil {
			t.Fatalf("migrate: %v", err)
		}
		if err := os.WriteFile(file, content, 0o600); err != nil {
			t.Fatal(err)
		}
		return "sqlite:" + file
	}
	template, err := migratedTemplate()
	if err != nil {
		t.Fatalf("these tests need PostgreSQL, start it with `make services`: %v", err)
	}
	return create(t, "TEMPLATE "+template)
}

// Bare names a database for this test alone in which nothing is, not even tables.
func Bare(t testing.TB, database string) string {
	t.Helper()
	if database == "sqlite" {
		return "sqlite:" + filepath.Join(t.TempDir(), "mcbk.db")
	}
	return create(t, "")
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

// migratedTemplate names a PostgreSQL database as the migrations leave it. It stays for the
// next run, whose migrations are the same while its name is.
var migratedTemplate = sync.OnceValues(func() (name string, err error) {
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	digest, err := digestOfMigrations()
	if err != nil {
		return "", err
	}
	name = "mcbk_given_" + digest
	conn, err := pgx.Connect(ctx, server())
	if err != nil {
		return "", err
	}
	defer conn.Close(ctx)                                                                        //nolint:errcheck // a test's own connection
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock(hashtext('mcbk given'))"); err != nil { // tests of several packages begin together
		return "", err
	}
	var there bool
	if err := conn.QueryRow(ctx, "SELECT EXISTS (SELECT 1 FROM pg_database WHERE datname = $1)", name).Scan(&there); err != nil || there {
		return name, err
	}
	making := name + "_making" // a run that ends in the middle leaves no half of a template
	for _, statement := range []string{"DROP DATABASE IF EXISTS " + making + " WITH (FORCE)", "CREATE DATABASE " + making} {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return "", err
		}
	}
	if err := migrate(ctx, at(making)); err != nil {
		return "", err
	}
	_, err = conn.Exec(ctx, "ALTER DATABASE "+making+" RENAME TO "+name)
	return name, err
})

func migrate(ctx context.Context, address string) error {
	store, err := models.Open(ctx, address, func() time.Time { return Noon }, rand.Reader)
	if err != nil {
		return err
	}
	_, err = store.Migrate(ctx)
	return errors.Join(err, store.Close())
}

func digestOfMigrations() (string, error) {
	hash := sha256.New()
	err := fs.WalkDir(models.Migrations, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(models.Migrations, path)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(hash, "%s %d\n%s", path, len(content), content)
		return err
	})
	return hex.EncodeToString(hash.Sum(nil)[:8]), err
}

// server is the PostgreSQL in which tests make their databases.
func server() string {
	if server := os.Getenv("MCBK_TEST_POSTGRES"); server != "" {
		return server
	}
	return "postgres://postgres@127.0.0.1:5432/test?sslmode=disable"
}

// at is the address of a database of the server. Its schema is named, so that a test may have
// another searched beside it.
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

// create makes a PostgreSQL database that ends with the test.
func create(t testing.TB, how string) (address string) {
	t.Helper()
	var random [6]byte
	if _, err := rand.Read(random[:]); err != nil {
		t.Fatal(err)
	}
	name := "mcbk_test_" + hex.EncodeToString(random[:])
	Exec(t, server(), "CREATE DATABASE "+name+" "+how)
	t.Cleanup(func() { Exec(t, server(), "DROP DATABASE "+name+" WITH (FORCE)") })
	return at(name)
}
