package db_test

import (
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"mcbk/models/db"
	"mcbk/models/modelstest"
	"mcbk/models/store"
)

func TestDiskSpaceOfSQLiteFileIsKnown(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		free, known, err := store.DB.DiskFree()
		if err != nil || known == modelstest.IsPostgres(t) || (known && free <= 0) {
			t.Errorf("%d bytes free, %t, %v", free, known, err)
		}
	})
}

func TestSQLiteFileThatLosesCommitsIsRefused(t *testing.T) {
	good := []string{"journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(ON)"}
	for name, c := range map[string]struct {
		pragmas []string
		names   string // in the refusal; nothing when it is fine
	}{
		"as we open it":   {good, ""},
		"another journal": {append(good, "journal_mode(DELETE)"), "journal_mode"},
		"no full sync":    {append(good, "synchronous(NORMAL)"), "synchronous"},
		"no foreign keys": {append(good, "foreign_keys(OFF)"), "foreign_keys"},
	} {
		source := filepath.Join(t.TempDir(), "mcbk.db") + "?" + url.Values{"_pragma": c.pragmas}.Encode()
		err := db.DurableSQLite(t.Context(), source)
		if (err == nil) != (c.names == "") || (err != nil && !strings.Contains(err.Error(), c.names)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestInMemoryDatabaseIsRefused(t *testing.T) {
	t.Chdir(t.TempDir()) // the lock's file
	modelstest.FailsWith(open(t, "sqlite::memory:"))(t, "keeps nothing", "opened")
}

func TestPostgresThatLosesCommitsIsRefused(t *testing.T) {
	plain := modelstest.Address(t, "postgres")
	for _, setting := range []string{"fsync", "full_page_writes"} { // of the server, so that they are shown wrong
		address := modelstest.Shadow(t, modelstest.Address(t, "postgres"),
			"CREATE VIEW pg_settings AS SELECT name, CASE name WHEN '"+setting+"' THEN 'off' ELSE setting END AS setting FROM pg_catalog.pg_settings")
		modelstest.FailsWith(open(t, address))(t, setting+" is off", setting, "off")
	}
	for commit, good := range map[string]bool{"off": false, "local": true, "on": true} {
		_, err := open(t, plain+"&synchronous_commit="+commit)
		if (err == nil) != good || (err != nil && !strings.Contains(err.Error(), "synchronous_commit is off")) {
			t.Errorf("synchronous_commit %s: %v", commit, err)
		}
	}
}
