package bot_test

import (
	"bytes"
	"fmt"
	"image/png"
	"strings"
	"testing"
	"time"

	"mcbk/bot"
	"mcbk/models"
	"mcbk/models/modelstest"
	"mcbk/models/store"
)

// card delivers what is queued and returns the picture that was sent last.
func (o *office) card(chat int64) call {
	o.Helper()
	for range 3 {
		o.delivers()
	}
	sent := o.telegram.made("sendPhoto")
	if len(sent) == 0 {
		o.Fatal("no picture was sent")
	}
	last := sent[len(sent)-1]
	if picture, err := png.Decode(bytes.NewReader(last.file)); err != nil || picture.Bounds().Dx() != 1024 || last.fields["chat_id"] != fmt.Sprint(chat) {
		o.Fatalf("sent %v, %v", last.fields, err)
	}
	return last
}

func TestSeasonCardIsSentInPlayersLanguage(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		o := openOffice(t, store)
		modelstest.NoError(t, o.bot.Named(t.Context()))
		player := modelstest.Player(t, store, modelstest.Tapped(40))
		link := "https://t.me/GameBot?start=" + player.ReferralCode
		pictures := map[string]bool{}
		send := func() call {
			o.clock.Step(time.Minute)
			modelstest.NoError(t, store.Outbox.QueueCard(t.Context(), player, models.CardOfSeason, 0, o.clock.Now()))
			sent := o.card(player.TelegramID)
			pictures[string(sent.file)] = true
			return sent
		}
		for language, words := range map[string]string{models.English: "My season in MCBK", models.Russian: "Мой сезон в MCBK"} {
			modelstest.NoError(t, store.Outbox.ChooseLanguage(t.Context(), player.TelegramID, language, modelstest.Noon))
			sent := send()
			if caption := sent.fields["caption"]; !strings.HasPrefix(caption, words) || !strings.HasSuffix(caption, link) || sent.button(t) != game {
				t.Errorf("in %s it says %q", language, caption)
			}
		}
		modelstest.Tap(t, store, player, 10, "batch-0001", o.clock.Now())
		if send(); len(pictures) != 3 {
			t.Errorf("%d of 3 pictures differ", len(pictures))
		}
	})
}

func TestTournamentCardIsOfThatTournament(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		o := openOffice(t, store)
		player := winner(t, store)
		o.clock.Step(modelstest.EndTournament(t, store).Add(time.Minute).Sub(o.clock.Now()))
		modelstest.NoError(t, store.Outbox.QueueCard(t.Context(), player, models.CardOfTournament, 1, o.clock.Now()))
		if sent := o.card(player.TelegramID); sent.fields["caption"] != "My place in the mines of MCBK. Can you dig deeper?" || sent.button(t) != game+"/mines" {
			t.Errorf("it is %v", sent.fields)
		}
	})
}

func TestCardIsRetriedAndSentWithoutRefusedPicture(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		o := openOffice(t, store)
		o.telegram.on("sendPhoto", firstly(badGateway, badRequest))
		player := modelstest.Player(t, store)
		modelstest.NoError(t, store.Outbox.QueueCard(t.Context(), player, models.CardOfSeason, 0, o.clock.Now()))
		for range 10 {
			o.delivers()
		}
		if said := o.telegram.said(); len(said) != 3 || said[2].method != "sendMessage" || !strings.Contains(said[2].fields["text"], "My season") {
			t.Errorf("said %+v", said)
		}
	})
}

func TestPlacesAreOrdinals(t *testing.T) {
	for rank, want := range map[int][2]string{
		1: {"1st place", "1 место"}, 2: {"2nd place", "2 место"}, 3: {"3rd place", "3 место"}, 4: {"4th place", "4 место"}, 11: {"11th place", "11 место"},
		12: {"12th place", "12 место"}, 21: {"21st place", "21 место"}, 111: {"111th place", "111 место"}, 1023: {"1,023rd place", "1\u00a0023 место"},
	} {
		if got := [2]string{bot.PlaceWords(rank, models.English), bot.PlaceWords(rank, models.Russian)}; got != want {
			t.Errorf("%d is %q", rank, got)
		}
	}
}
