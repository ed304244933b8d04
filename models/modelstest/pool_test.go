package modelstest

import (
	"reflect"
	"testing"
)

// rows are those of every table of a PostgreSQL database, and where its sequences stand.
func rows(t *testing.T, address string) map[string][]string {
	t.Helper()
	raw := Raw(t, address)
	all := map[string][]string{"sequences": Lines(t, raw, "SELECT sequencename, last_value FROM pg_sequences WHERE schemaname = 'public' ORDER BY 1")}
	for _, table := range Lines(t, raw, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'") {
		all[table] = Lines(t, raw, "SELECT * FROM "+table)
	}
	return all
}

func TestDatabaseIsResetBeforeReuse(t *testing.T) {
	address := Address(t, "postgres")
	migrated := rows(t, address)
	Player(t, OpenStore(t, address), Tapped(3))
	Exec(t, address, "DELETE FROM outbox_pace")
	if reflect.DeepEqual(rows(t, address), migrated) {
		t.Fatal("a life left no trace that could be swept away")
	}
	if !again(t.Context(), address) {
		t.Fatal("it is not lent again")
	}
	Equal(t, rows(t, address), migrated, "it has")
}

func TestChangedSchemaIsNotReused(t *testing.T) {
	for name, statement := range map[string]string{
		"another table": "CREATE TABLE another (id INT)",
		"a lost table":  "DROP TABLE ad_tickets",
		"a lost check":  "ALTER TABLE postings DROP CONSTRAINT postings_check",
		"a tired guard": "ALTER TABLE postings DISABLE TRIGGER USER",
		"a tired guard that was woken": `ALTER TABLE postings DISABLE TRIGGER postings_no_change;
			ALTER TABLE postings ENABLE TRIGGER postings_no_change`,
		"a guard that does nothing": "CREATE OR REPLACE FUNCTION postings_are_append_only() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'",
		"another default":           "ALTER TABLE players ALTER first_name SET DEFAULT 'Ann'",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := Address(t, "postgres")
			Exec(t, address, statement)
			if again(t.Context(), address) {
				t.Error("it is lent again")
			}
		})
	}
}

func TestDatabaseHasOneUserAtATime(t *testing.T) {
	first, second := Address(t, "postgres"), Address(t, "postgres")
	if first == second {
		t.Errorf("both have %s", first)
	}
}
