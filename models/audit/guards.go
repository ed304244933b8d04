package audit

import (
	"cmp"
	"context"
	"embed"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"mcbk/models/db"
)

// Constraints, indexes and triggers that keep rows right, as the newest migration leaves them in a database.
// Written by `go test ./models/audit -run Guards -update`.
//
//go:embed guards/*.txt
var guardFiles embed.FS

// guard is one trigger, constraint or unique index that keeps rows right; on SQLite, the definition of a table, index or trigger.
type guard struct {
	Name       string // "trigger postings_no_update on postings"
	Definition string // in the database's words, each space a single one
}

func (g guard) String() string {
	return g.Name + ": " + g.Definition
}

// guardsOf lists the guards of a database by name.
func guardsOf(tx *gorm.DB, d db.Dialect) ([]guard, error) {
	var found []guard
	if err := tx.Raw(d.Guards()).Scan(&found).Error; err != nil {
		return nil, fmt.Errorf("read what guards the database: %w", err)
	}
	for i := range found {
		found[i].Definition = strings.Join(strings.Fields(found[i].Definition), " ")
	}
	slices.SortFunc(found, func(a, b guard) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Definition, b.Definition))
	})
	return found, nil
}

// unexpectedKinds are kinds of objects that change rows or their guards: there must be none but ours.
var unexpectedKinds = []string{"trigger ", "event trigger ", "rule ", "view ", "policy ", "row security ", "session_replication_role "}

// missingGuards lists the guards that are gone, switched off or changed, and what the migrations do not make that may change rows, hide
// them or switch guards off. Additional constraints and indexes do not matter.
func missingGuards(ctx context.Context, s *Auditor, _ time.Time) ([]string, error) {
	file, err := guardFiles.ReadFile("guards/" + string(s.db.Dialect) + ".txt")
	if err != nil {
		return nil, err
	}
	found, err := guardsOf(s.db.Committed(ctx), s.db.Dialect)
	if err != nil {
		return nil, err
	}
	there, known := make(map[string]bool, len(found)), map[string]bool{}
	for _, g := range found {
		there[g.String()] = true
	}
	var wrong []string
	for line := range strings.Lines(string(file)) {
		line = strings.TrimSpace(line)
		name, _, _ := strings.Cut(line, ": ")
		known[name] = true
		if !there[line] {
			wrong = append(wrong, name)
		}
	}
	for _, g := range found {
		is := func(kind string) bool { return strings.HasPrefix(g.Name, kind) }
		if !known[g.Name] && slices.ContainsFunc(unexpectedKinds, is) {
			wrong = append(wrong, "unknown "+g.Name)
		}
	}
	return wrong, nil
}
