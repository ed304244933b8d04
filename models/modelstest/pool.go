package modelstest

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"mcbk/models/db"
)

// Making a database takes PostgreSQL a quarter of a second of processor time, and two checkpoints that everybody waits for;
// emptying one takes a hundredth. So the databases of tests stay on the server and are lent again, by every run whose migrations
// are the same.

//go:embed again.sql
var againSQL string

// give names a migrated PostgreSQL database that nobody else uses until the test ends.
func give(t testing.TB) (address string) {
	t.Helper()
	ctx, stop := context.WithTimeout(context.Background(), time.Minute)
	defer stop()
	template, err := migratedTemplate()
	NoError(t, err, "these tests need PostgreSQL, start it with `make services`")
	borrower, err := pgx.Connect(ctx, server()) // its session holds the database, so that a run that is killed gives it back
	NoError(t, err)
	t.Cleanup(func() { borrower.Close(context.Background()) }) //nolint:errcheck // a test's own connection
	name := Must(take(ctx, borrower, template))(t)
	if again(ctx, at(name)) {
		return at(name)
	}
	for _, statement := range []string{"DROP DATABASE IF EXISTS " + name + " WITH (FORCE)", "CREATE DATABASE " + name + " TEMPLATE " + template} {
		if _, err := borrower.Exec(ctx, statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	return at(name)
}

// take locks the first name of a copy that is free.
func take(ctx context.Context, borrower *pgx.Conn, template string) (name string, err error) {
	for n := 1; ; n++ {
		name = fmt.Sprintf("%s_%d", template, n)
		var free bool
		if err := borrower.QueryRow(ctx, "SELECT pg_try_advisory_lock(hashtext($1))", name).Scan(&free); err != nil || free {
			return name, err
		}
	}
}

// again reports whether the database exists and could be reset to its migrated state.
func again(ctx context.Context, address string) (sound bool) {
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return false
	}
	defer conn.Close(ctx) //nolint:errcheck // a test's own connection
	return conn.QueryRow(ctx, "SELECT given.again()").Scan(&sound) == nil && sound
}

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
	for _, statement := range []string{"DROP DATABASE IF EXISTS " + making + " WITH (FORCE)", "CREATE DATABASE " + making + asDeployed} {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return "", err
		}
	}
	if err := migrate(ctx, at(making)); err != nil {
		return "", err
	}
	if err := remember(ctx, at(making)); err != nil {
		return "", err
	}
	if err := dropOlder(ctx, conn); err != nil {
		return "", err
	}
	_, err = conn.Exec(ctx, "ALTER DATABASE "+making+" RENAME TO "+name)
	return name, err
})

// dropOlder drops the copies of every template that nobody has.
func dropOlder(ctx context.Context, conn *pgx.Conn) error {
	rows, err := conn.Query(ctx, "SELECT datname FROM pg_database WHERE datname ~ '^mcbk_given_[0-9a-f]{16}_[0-9]+$' AND pg_try_advisory_lock(hashtext(datname::text))")
	if err != nil {
		return err
	}
	copies, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	for _, name := range copies {
		if _, err := conn.Exec(ctx, "DROP DATABASE "+name+" WITH (FORCE)"); err != nil {
			return err
		}
	}
	return nil
}

// remember stores in a migrated database what it needs to be lent again.
func remember(ctx context.Context, address string) error {
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return err
	}
	defer conn.Close(ctx) //nolint:errcheck // a test's own connection
	if _, err := conn.Exec(ctx, againSQL); err != nil {
		return fmt.Errorf("again.sql: %w", err)
	}
	_, err = conn.Exec(ctx, "INSERT INTO given.migrated TABLE given.catalogue")
	return err
}

// digestOfMigrations changes whenever a migration changes, or what is stored beside it.
func digestOfMigrations() (string, error) {
	hash := sha256.New()
	err := fs.WalkDir(db.Migrations, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := fs.ReadFile(db.Migrations, path)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(hash, "%s %d\n%s", path, len(content), content)
		return err
	})
	if err != nil {
		return "", err
	}
	if _, err := hash.Write([]byte(againSQL + asDeployed)); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)[:8]), nil
}
