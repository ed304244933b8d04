package players_test

import (
	"database/sql"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/ledger"
	"mcbk/models/modelstest"
	"mcbk/models/players"
	"mcbk/models/privacy"
	"mcbk/models/store"
	"mcbk/models/taps"
)

func TestConcurrentFirstRequestsMakeOnePlayer(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		var friends [5]models.Player
		for i := range friends {
			friends[i] = modelstest.Player(t, store)
		}
		person := players.LaunchUser{TelegramID: modelstest.TelegramID(), FirstName: "Bob"}

		players := make([]models.Player, 50)
		modelstest.Concurrently(len(players), func(i int) {
			a := person
			a.StartParam = friends[i%len(friends)].ReferralCode
			player, err := store.Players.SignIn(t.Context(), a, modelstest.Noon)
			if err != nil {
				t.Errorf("request %d: %v", i, err)
			}
			players[i] = player
		})

		for i, p := range players {
			if p.ID == 0 || !reflect.DeepEqual(p, players[0]) {
				t.Errorf("request %d got %+v, another %+v", i, p, players[0])
			}
		}
		if players[0].ReferrerID == nil {
			t.Error("no friend is bound")
		}
		if n := modelstest.Count(t, raw, fmt.Sprintf("SELECT COUNT(*) FROM players WHERE telegram_id = %d", person.TelegramID)); n != 1 {
			t.Errorf("%d players, want 1", n)
		}
		modelstest.Sound(t, store)
	})
}

func TestFirstValidReferralCodeBinds(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		signed, bots, query := modelstest.Player(t, store), modelstest.Player(t, store), modelstest.Player(t, store)
		erased := modelstest.Player(t, store)
		modelstest.Done(t, store, privacy.ActionErase, fmt.Sprint(erased.ID))
		const unknown = "nobodyscode1"
		for _, c := range []struct {
			name                string
			signed, bots, query string
			bound               *models.PlayerID
		}{
			{"the signed one before all", signed.ReferralCode, bots.ReferralCode, query.ReferralCode, &signed.ID},
			{"the bot's before the address's", "", bots.ReferralCode, query.ReferralCode, &bots.ID},
			{"the address's when it is alone", "", "", query.ReferralCode, &query.ID},
			{"an unknown signed one gives way", unknown, bots.ReferralCode, query.ReferralCode, &bots.ID},
			{"an unknown bot's gives way", "", unknown, query.ReferralCode, &query.ID},
			{"two unknown ones give way", unknown, unknown, query.ReferralCode, &query.ID},
			{"an erased account's gives way", erased.ReferralCode, bots.ReferralCode, "", &bots.ID},
			{"only unknown ones", unknown, unknown, unknown, nil},
			{"none", "", "", "", nil},
		} {
			a := players.LaunchUser{TelegramID: modelstest.TelegramID(), StartParam: c.signed, QueryCode: c.query}
			if c.bots != "" {
				modelstest.NoError(t, store.Outbox.RememberStart(t.Context(), a.TelegramID, c.bots, modelstest.Noon))
			}
			if player := modelstest.SignIn(t, store, a, modelstest.Noon); !reflect.DeepEqual(player.ReferrerID, c.bound) {
				t.Errorf("%s: bound to %v, want %v", c.name, player.ReferrerID, c.bound)
			}
		}
	})
}

func TestLastReferralCodeOfBotCounts(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		first, last := modelstest.Player(t, store), modelstest.Player(t, store)
		person := modelstest.TelegramID()
		for _, friend := range []models.Player{first, last} {
			modelstest.NoError(t, store.Outbox.RememberStart(t.Context(), person, friend.ReferralCode, modelstest.Noon))
		}
		if player := modelstest.SignIn(t, store, players.LaunchUser{TelegramID: person}, modelstest.Noon); player.ReferrerID == nil || *player.ReferrerID != last.ID {
			t.Errorf("bound to %v, want %d", player.ReferrerID, last.ID)
		}
	})
}

func TestExistingPlayerIsNotBoundByCode(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		friend, other := modelstest.Player(t, store), modelstest.Player(t, store)
		alone := players.LaunchUser{TelegramID: modelstest.TelegramID(), FirstName: "Bob"}
		invited := players.LaunchUser{TelegramID: modelstest.TelegramID(), FirstName: "Cid", StartParam: friend.ReferralCode}
		for _, a := range []players.LaunchUser{alone, invited} {
			player := modelstest.SignIn(t, store, a, modelstest.Noon)
			for _, code := range []string{player.ReferralCode, other.ReferralCode} {
				modelstest.NoError(t, store.Outbox.RememberStart(t.Context(), a.TelegramID, code, modelstest.Noon))
				again := a
				again.StartParam, again.QueryCode = code, code
				if got := modelstest.SignIn(t, store, again, modelstest.Noon.Add(time.Hour)); !reflect.DeepEqual(got, player) {
					t.Errorf("%s came with a code as %+v, was %+v", a.FirstName, got, player)
				}
				again.FirstName = "Renamed"
				if got := modelstest.SignIn(t, store, again, modelstest.Noon.Add(time.Hour)); !reflect.DeepEqual(got.ReferrerID, player.ReferrerID) {
					t.Errorf("%s was renamed and bound to %v, was %v", a.FirstName, got.ReferrerID, player.ReferrerID)
				}
				player = modelstest.SignIn(t, store, a, modelstest.Noon)
			}
		}
	})
}

func TestNewPlayerStartsEmpty(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		player := modelstest.SignIn(t, store, players.LaunchUser{TelegramID: modelstest.TelegramID(), FirstName: "Bob", Username: "bob", PhotoURL: "https://t.me/p.svg", IsPremium: true}, modelstest.Noon)
		want := models.Player{
			ID: player.ID, TelegramID: player.TelegramID, FirstName: "Bob", Username: "bob", PhotoURL: "https://t.me/p.svg", IsPremium: true,
			Language: models.English, Notifications: true, ReferralCode: player.ReferralCode, CreatedAt: modelstest.Noon, Bag: game.NewBag(modelstest.TapRules, modelstest.Noon),
		}
		if !reflect.DeepEqual(player, want) {
			t.Errorf("arrived\n%+v, want\n%+v", player, want)
		}
		if len(player.ReferralCode) != 12 || player.Consented() {
			t.Errorf("code %q, consented %t", player.ReferralCode, player.Consented())
		}
	})
}

func TestSignInUpdatesOnlyTelegramProfile(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		before := modelstest.Player(t, store, modelstest.Tapped(20))
		for _, a := range []players.LaunchUser{
			{FirstName: "Anna"},
			{FirstName: "Anna", Username: "anna"},
			{FirstName: "Anna", Username: "anna", PhotoURL: "https://t.me/a.svg"},
			{FirstName: "Anna", Username: "anna", PhotoURL: "https://t.me/a.svg", IsPremium: true},
			{FirstName: "Анна", LanguageCode: "ru"},
		} {
			a.TelegramID = before.TelegramID
			before.Revision++
			want := before
			want.FirstName, want.Username, want.PhotoURL, want.IsPremium = a.FirstName, a.Username, a.PhotoURL, a.IsPremium
			if got := modelstest.SignIn(t, store, a, modelstest.Noon.Add(time.Hour)); !reflect.DeepEqual(got, want) {
				t.Errorf("arrived\n%+v, want\n%+v", got, want)
			}
			saved, err := store.Players.Player(t.Context(), before.ID)
			if err != nil || !reflect.DeepEqual(saved, want) {
				t.Errorf("saved\n%+v, %v, want\n%+v", saved, err, want)
			}
		}
		modelstest.Sound(t, store)
	})
}

func TestLanguageIsFromBotThenTelegram(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		for _, c := range []struct{ chosen, telegrams, language string }{
			{"", "", "en"},
			{"", "de", "en"},
			{"", "en-GB", "en"},
			{"", "ru", "ru"},
			{"", "RU-ru", "ru"},
			{"en", "ru", "en"},
			{"ru", "en", "ru"},
		} {
			person := modelstest.TelegramID()
			if c.chosen != "" {
				modelstest.NoError(t, store.Outbox.ChooseLanguage(t.Context(), person, c.chosen, modelstest.Noon))
			}
			if got, err := store.Outbox.LanguageOf(t.Context(), person, c.telegrams); err != nil || got != c.language {
				t.Errorf("%+v: the bot answers in %q, %v", c, got, err)
			}
			if player := modelstest.SignIn(t, store, players.LaunchUser{TelegramID: person, LanguageCode: c.telegrams}, modelstest.Noon); player.Language != c.language {
				t.Errorf("%+v: the game begins in %q", c, player.Language)
			}
		}
	})
}

func TestChosenLanguageAndReferralCodeAreIndependent(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		friend, person := modelstest.Player(t, store), modelstest.TelegramID()
		modelstest.NoError(t, store.Outbox.ChooseLanguage(t.Context(), person, models.Russian, modelstest.Noon))
		modelstest.NoError(t, store.Outbox.RememberStart(t.Context(), person, friend.ReferralCode, modelstest.Noon))
		modelstest.NoError(t, store.Outbox.ChooseLanguage(t.Context(), person, models.Russian, modelstest.Noon))
		player := modelstest.SignIn(t, store, players.LaunchUser{TelegramID: person, LanguageCode: "en"}, modelstest.Noon)
		if player.Language != models.Russian || player.ReferrerID == nil || *player.ReferrerID != friend.ID {
			t.Errorf("arrived %+v", player)
		}
	})
}

func TestLanguageChosenInBotChangesTheGame(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		modelstest.NoError(t, store.Outbox.ChooseLanguage(t.Context(), player.TelegramID, models.Russian, modelstest.Noon))
		player.Language = models.Russian
		player.Revision++
		if saved, err := store.Players.Player(t.Context(), player.ID); err != nil || !reflect.DeepEqual(saved, player) {
			t.Errorf("saved %+v, %v", saved, err)
		}
		english := models.English
		modelstest.Must(store.Players.SetPreference(t.Context(), player.ID, players.Preference{Language: &english}, modelstest.Noon))(t)
		if got, err := store.Outbox.LanguageOf(t.Context(), player.TelegramID, "ru"); err != nil || got != models.English {
			t.Errorf("the bot answers in %q, %v, though the game was set to English later", got, err)
		}
	})
}

func TestConsentIsGivenOnce(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store, modelstest.Unconsented())
		for _, at := range []time.Time{modelstest.Noon, modelstest.Noon.Add(time.Hour)} {
			answer, err := store.Players.SetPreference(t.Context(), player.ID, players.Preference{Consent: true}, at)
			if err != nil || answer.ConsentedAt == nil || !answer.ConsentedAt.Equal(modelstest.Noon) || answer.ConsentVersion != 1 {
				t.Errorf("at %s: %+v, %v", at, answer, err)
			}
			saved, err := store.Players.Player(t.Context(), player.ID)
			if err != nil || !reflect.DeepEqual(saved, answer) {
				t.Errorf("saved %+v, %v, answered %+v", saved, err, answer)
			}
		}
		if answer, err := store.Players.SetPreference(t.Context(), player.ID, players.Preference{}, modelstest.Noon); err != nil || !answer.Consented() {
			t.Errorf("no wish: %+v, %v", answer, err)
		}
	})
}

func TestPreferenceChangesOneThing(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		want := modelstest.Player(t, store, modelstest.Tapped(20))
		no, yes, russian := false, true, models.Russian
		for _, c := range []struct {
			name   string
			wish   players.Preference
			change func()
		}{
			{"language", players.Preference{Language: &russian}, func() { want.Language = russian }},
			{"silence", players.Preference{Notifications: &no}, func() { want.Notifications = no }},
			{"silence again", players.Preference{Notifications: &no}, func() {}},
			{"news", players.Preference{Notifications: &yes}, func() { want.Notifications = yes }},
		} {
			c.change()
			want.Revision++
			answer, err := store.Players.SetPreference(t.Context(), want.ID, c.wish, modelstest.Noon.Add(time.Hour))
			if err != nil || !reflect.DeepEqual(answer, want) {
				t.Errorf("%s: answered\n%+v, %v, want\n%+v", c.name, answer, err, want)
			}
			if saved, err := store.Players.Player(t.Context(), want.ID); err != nil || !reflect.DeepEqual(saved, want) {
				t.Errorf("%s: saved\n%+v, %v, want\n%+v", c.name, saved, err, want)
			}
		}
		modelstest.Sound(t, store)
	})
}

func TestUnknownPlayerIsNotFound(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		modelstest.Player(t, store)
		ctx := t.Context()
		for name, ask := range map[string]func() error{
			"by number":   func() error { _, err := store.Players.Player(ctx, 999); return err },
			"by Telegram": func() error { _, err := store.Players.PlayerByTelegramID(ctx, 999); return err },
			"wish": func() error {
				_, err := store.Players.SetPreference(ctx, 999, players.Preference{Consent: true}, modelstest.Noon)
				return err
			},
			"tap": func() error {
				_, err := store.Taps.Tap(ctx, taps.Batch{TelegramID: 999, Sent: 1, Key: modelstest.Key(1)}, modelstest.Season, modelstest.Noon)
				return err
			},
		} {
			if err := ask(); !errors.Is(err, db.ErrNotFound) || errors.Is(err, db.ErrUnavailable) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// Whoever has not played for long has only old postings, which are far from the newest.
func TestOldPostingsAreFoundByIndex(t *testing.T) {
	t.Parallel()
	plans := modelstest.NewPlans(t, "postings")
	for _, plan := range []string{
		plans.Postgres(t, players.NewestPostings, 7, 5), plans.Postgres(t, ledger.TapReceipts, 7, models.HouseTaps),
	} {
		if !strings.Contains(plan, "postings_player_id_reference_line_key") {
			t.Error(plan)
		}
	}
}
