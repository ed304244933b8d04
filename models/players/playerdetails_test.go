package players_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/modelstest"
	"mcbk/models/players"
	"mcbk/models/store"
)

func TestPlayerIsFoundByNumberTelegramIDAndUsername(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		arrive := func(a players.LaunchUser) models.Player {
			return modelstest.Must(store.Players.SignIn(t.Context(), a, modelstest.Noon))(t)
		}
		ann := arrive(players.LaunchUser{TelegramID: modelstest.TelegramID(), Username: "ann_b"})
		small := arrive(players.LaunchUser{TelegramID: int64(ann.ID)}) // Telegram's number is Ann's here
		for who, want := range map[string]models.PlayerID{
			fmt.Sprint(ann.ID): ann.ID, fmt.Sprint(ann.TelegramID): ann.ID, "@ANN_B": ann.ID, fmt.Sprint(small.ID): small.ID,
		} {
			modelstest.Equal(t, modelstest.Must(store.Players.FindPlayer(t.Context(), who))(t).ID, want, who)
		}
		for _, who := range []string{"", "@", "@nobody", "ann_b", "0", "-1", "1.5", "99999999999999999999", "' OR 1=1 --"} {
			if p, err := store.Players.FindPlayer(t.Context(), who); !errors.Is(err, db.ErrNotFound) {
				t.Errorf("%q is %d, %v", who, p.ID, err)
			}
		}
	})
}

func TestAmbiguousUsernameFindsNobody(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		var called []models.PlayerID // the last first
		for i := range 12 {
			p := modelstest.Must(store.Players.SignIn(t.Context(), players.LaunchUser{TelegramID: modelstest.TelegramID(), Username: []string{"Ann_B", "ann_b"}[i%2]}, modelstest.Noon))(t)
			called = slices.Insert(called, 0, p.ID)
			all := new(players.NamesakesError)
			switch p, err := store.Players.FindPlayer(t.Context(), "@ANN_b"); {
			case i == 0:
				if err != nil || p.ID != called[0] {
					t.Errorf("the only one is %d, %v", p.ID, err)
				}
			case !errors.As(err, &all) || p.ID != 0:
				t.Errorf("of %d it is %d, %v", i+1, p.ID, err)
			case all.More != (i >= 10) || !slices.EqualFunc(all.Players, called[:min(i+1, 10)], func(p models.Player, id models.PlayerID) bool { return p.ID == id }):
				t.Errorf("of %d it may be %+v, more %t", i+1, all.Players, all.More)
			}
		}
	})
}
