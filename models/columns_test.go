package models

import (
	"reflect"
	"slices"
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

	saved := map[string]bool{ // by a statement of their own, each with what changes them
		"id": true, "telegram_id": true, "first_name": true, "username": true, "photo_url": true, "is_premium": true, "language": true, "notifications": true,
		"referral_code": true, "referrer_id": true, "consented_at": true, "consent_version": true, "created_at": true, "banned_at": true, "ban_reason": true,
		"erased_at": true, "wallet": true, "wallet_proven": true, "advised_day": true,
		"visits_day": true, "visits_streak": true, "visits_total": true, "visits_doubled": true, "visits_coins": true, "visits_points": true,
	}
	for _, c := range append(playColumns(nil), wheelColumns(nil)...) {
		if saved[c.name] {
			t.Errorf("%s is saved twice", c.name)
		}
		saved[c.name] = true
	}
	for _, column := range allPlayerColumns {
		if !saved[column] {
			t.Errorf("%s is saved by nothing", column)
		}
	}
}
