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
		modelstest.Equal(t, modelstest.Count(t, raw, fmt.Sprintf("SELECT COUNT(*) FROM players WHERE telegram_id = %d", person.TelegramID)), 1, "players")
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
			modelstest.Equal(t, modelstest.SignIn(t, store, a, modelstest.Noon).ReferrerID, c.bound, c.name, "bound to")
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
				modelstest.Equal(t, modelstest.SignIn(t, store, again, modelstest.Noon.Add(time.Hour)), player, a.FirstName, "came with a code as")
				again.FirstName = "Renamed"
				modelstest.Equal(t, modelstest.SignIn(t, store, again, modelstest.Noon.Add(time.Hour)).ReferrerID, player.ReferrerID, a.FirstName, "was renamed and bound to")
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
		modelstest.Equal(t, player, want, "arrived")
		if len(player.ReferralCode) != 12 || player.Consented() {
			t.Errorf("code %q, consented %t", player.ReferralCode, player.Consented())
		}
	})
}

func TestSignInUpdatesOnlyTelegramProfile(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
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
			modelstest.Equal(t, modelstest.SignIn(t, store, a, modelstest.Noon.Add(time.Hour)), want, "arrived")
			saved := modelstest.Must(store.Players.Player(t.Context(), before.ID))(t)
			modelstest.Equal(t, saved, want, "saved")
		}
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
			modelstest.Returns(store.Outbox.LanguageOf(t.Context(), person, c.telegrams))(t, c.language, c, "the bot answers in")
			modelstest.Equal(t, modelstest.SignIn(t, store, players.LaunchUser{TelegramID: person, LanguageCode: c.telegrams}, modelstest.Noon).Language, c.language, c, "the game begins in")
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
		modelstest.Returns(store.Players.Player(t.Context(), player.ID))(t, player, "saved")
		english := models.English
		modelstest.Must(store.Players.SetPreference(t.Context(), player.ID, players.Preference{Language: &english}, modelstest.Noon))(t)
		modelstest.Returns(store.Outbox.LanguageOf(t.Context(), player.TelegramID, "ru"))(t, models.English, "the bot's language, though the game was set to English later")
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
			saved := modelstest.Must(store.Players.Player(t.Context(), player.ID))(t)
			modelstest.Equal(t, saved, answer, "saved")
		}
		if answer, err := store.Players.SetPreference(t.Context(), player.ID, players.Preference{}, modelstest.Noon); err != nil || !answer.Consented() {
			t.Errorf("no wish: %+v, %v", answer, err)
		}
	})
}

func TestPreferenceChangesOneThing(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
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
			modelstest.Returns(store.Players.SetPreference(t.Context(), want.ID, c.wish, modelstest.Noon.Add(time.Hour)))(t, want, c.name, "answered")
			modelstest.Returns(store.Players.Player(t.Context(), want.ID))(t, want, c.name, "saved")
		}
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
				return modelstest.ErrorOf(store.Players.SetPreference(ctx, 999, players.Preference{Consent: true}, modelstest.Noon))
			},
			"tap": func() error {
				return modelstest.ErrorOf(store.Taps.Tap(ctx, taps.Batch{TelegramID: 999, Sent: 1, Key: modelstest.Key(1)}, modelstest.Season, modelstest.Noon))
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
