package admin_test

import (
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models/admin"
	"mcbk/models/modelstest"
	"mcbk/models/store"
)

func TestFiguresCountPlayersTapsAndCoins(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		modelstest.Returns(store.Admin.Figures(t.Context(), modelstest.Noon))(t, admin.Figures{}, "of nobody")
		modelstest.Player(t, store, modelstest.Tapped(20))
		modelstest.Player(t, store, modelstest.Tapped(5))
		modelstest.Player(t, store, modelstest.Unconsented())
		yesterday := modelstest.Noon.Add(-24 * time.Hour)
		modelstest.Player(t, store, modelstest.ArrivedAt(yesterday), modelstest.Tapped(7))
		want := admin.Figures{Players: 4, Consented: 3, ActiveToday: 2, TapsToday: 25}
		want.Held.Game = 32 * game.CoinsPerTap
		modelstest.Returns(store.Admin.Figures(t.Context(), modelstest.Noon))(t, want, "counted")
	})
}
