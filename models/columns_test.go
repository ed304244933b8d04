package models

import (
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"gorm.io/gorm/schema"
)

// A column that is left out of one of the lists is no error anywhere: it is read as zero, or is never saved.
func TestEveryColumnOfAPlayerIsReadAndThoseOfPlayAreSaved(t *testing.T) {
	parsed, err := schema.Parse(&Player{}, &sync.Map{}, schema.NamingStrategy{})
	if err != nil {
		t.Fatal(err)
	}
	if known := slices.Sorted(slices.Values(parsed.DBNames)); !slices.Equal(known, slices.Sorted(slices.Values(allPlayerColumns))) {
		t.Fatalf("read are %q of %q", allPlayerColumns, known)
	}

	var p Player
	for i, target := range p.fields() {
		column := allPlayerColumns[i]
		if field := parsed.FieldsByDBName[column].ReflectValueOf(t.Context(), reflect.ValueOf(&p).Elem()); field.Addr().Interface() != target {
			t.Errorf("%s is read into another field", column)
		}
	}

	for what, list := range map[string]struct {
		saved    []column
		prefixes []string
	}{
		"any play":  {playColumns(nil), []string{"balance_", "bag_"}},
		"the wheel": {wheelColumns(nil), []string{"wheel_"}},
	} {
		var saved []string
		for _, c := range list.saved {
			saved = append(saved, c.name)
		}
		missed := slices.DeleteFunc(slices.Clone(allPlayerColumns), func(column string) bool {
			return slices.Contains(saved, column) || !slices.ContainsFunc(list.prefixes, func(prefix string) bool { return strings.HasPrefix(column, prefix) })
		})
		if len(missed) > 0 {
			t.Errorf("%s does not save %q", what, missed)
		}
	}
}
