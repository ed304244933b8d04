package bot_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"mcbk/bot"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/modelstest"
	"mcbk/models/outbox"
	"mcbk/models/store"
)

func TestBroadcastIsPreviewedBeforeSending(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		d := atDesk(t, store)
		said := d.reads(d.adam, "/broadcast  <b>New</b> & bold\nsecond line ")
		if len(said) != 2 || said[0].fields["text"] != "&lt;b&gt;New&lt;/b&gt; &amp; bold\nsecond line" || said[0].button(t) != game {
			t.Fatalf("shown is %+v", said)
		}
		if !strings.Contains(said[1].fields["text"], "to 1 player? At 25 a second it takes less than a minute. Meanwhile /broadcast without a text offers to stop it.") || len(said[1].buttons()) != 2 {
			t.Errorf("asked is %+v", said[1])
		}
		said = d.asks(d.adam, d.adam.answers("/broadcast"))
		if len(said) != 2 || said[0].method != "copyMessage" || said[0].fields["message_id"] != "77" || said[0].fields["chat_id"] != d.adam.chat() {
			t.Fatalf("shown is %+v", said)
		}
		d.decides(d.adam, said[1].buttons()[0], "Done.", "to stop it: /broadcast")
		d.until("the player has it", func() bool {
			d.step(time.Second) // so that the other admin is notified first
			copies := d.telegram.made("copyMessage")
			return len(copies) == 2 && copies[1].fields["chat_id"] == person{id: player.TelegramID}.chat() && copies[1].fields["message_id"] == "77"
		})
		if said := d.asks(d.adam, d.adam.answers("/broadcast and a text")); len(said) != 1 || !strings.Contains(said[0].fields["text"], "Either") {
			t.Errorf("with both: %+v", said)
		}
	})
}

func TestBroadcastDurationIsRoundedUp(t *testing.T) {
	for messages, want := range map[int64]string{
		1499: "less than a minute", 1501: "about 2 minutes", 179_999: "about 120 minutes", 180_000: "about 2 hours", 1_000_000: "about 12 hours",
	} {
		if got := bot.Lasting(messages); got != want {
			t.Errorf("%d messages take %s, not %s", messages, got, want)
		}
	}
}

// answers is a private message that answers message 77 of the same chat.
func (p person) answers(text string) func(id int64) string {
	return func(id int64) string {
		return strings.Replace(p.writes(id, text), `"message":{`, `"message":{"reply_to_message":{"message_id":77,"date":1,"chat":{"id":`+
			p.chat()+`,"type":"private"}},`, 1)
	}
}

func TestRefusedBroadcastIsNotDrafted(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		modelstest.Player(t, store)
		d := atDesk(t, store)
		d.telegram.on("copyMessage", always(reply{400, `{"ok":false,"error_code":400,"description":"Bad Request: message can't be copied <here>"}`}))
		said := d.asks(d.adam, d.adam.answers("/broadcast"))
		if len(said) != 2 || said[1].fields["text"] != "Telegram does not accept this message: message can&#39;t be copied &lt;here&gt;" || len(said[1].buttons()) > 0 {
			t.Errorf("of a copy it says %+v", said)
		}
		d.telegram.on("sendMessage", firstly(badRequest))
		said = d.reads(d.adam, "/broadcast Hello")
		if len(said) != 2 || said[1].fields["text"] != "Telegram does not accept this message: no" || len(said[1].buttons()) > 0 {
			t.Errorf("of a text it says %+v", said)
		}
		if said := d.reads(d.adam, "/broadcast "+strings.Repeat("x", 4097)); len(said) != 1 {
			t.Errorf("of a long one it shows %+v", said)
		}
		if b, err := store.Outbox.Broadcast(t.Context(), 1); !errors.Is(err, db.ErrNotFound) {
			t.Errorf("drafted is %+v, %v", b, err)
		}
	})
}

func TestBroadcastShowsItsProgress(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		var players []string
		for range 3 {
			players = append(players, fmt.Sprint(modelstest.Player(t, store).TelegramID))
		}
		modelstest.NoError(t, store.Outbox.PauseSending(t.Context(), modelstest.Noon.Add(time.Hour))) // so that all wait
		d := atDesk(t, store)
		newest := func() models.Broadcast {
			return modelstest.Must(store.Outbox.NewestBroadcast(t.Context()))(t)
		}
		startBroadcast(t, store, d.adam.id)
		d.until("all are queued", func() bool { return newest().State == models.BroadcastDone })
		d.step(time.Hour + time.Second)
		d.until("all are sent", func() bool {
			progress, err := store.Outbox.BroadcastProgress(t.Context(), newest().ID)
			d.step(time.Second)
			return err == nil && progress.Sent == 3
		})
		var reached []string
		for _, c := range d.telegram.made("sendMessage") {
			if c.fields["text"] == "Hello" {
				reached = append(reached, c.fields["chat_id"])
			}
		}
		if !slices.Equal(reached, players) {
			t.Errorf("it went to %v, not %v", reached, players)
		}
		if said := d.writes(d.adam, "/broadcast"); !strings.Contains(said.fields["text"], "to 3 players: sent\n") || !strings.Contains(said.fields["text"], "Sent: 3, not wanted or not reached: 0, waiting: 0") || len(said.buttons()) > 0 {
			t.Errorf("afterwards: %+v", said)
		}
	})
}

func TestEachRunningBroadcastCanBeStopped(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		for range 3 {
			modelstest.Player(t, store)
		}
		d := atDesk(t, store)
		// Every message is postponed, so that the broadcast stays under way.
		d.telegram.on("sendMessage", func(c call) reply {
			if c.fields["text"] == "Hello" {
				return unavailable
			}
			return usual
		})
		for range 2 {
			startBroadcast(t, store, d.adam.id)
		}
		state := func(id int64) models.BroadcastState {
			b := modelstest.Must(store.Outbox.Broadcast(t.Context(), id))(t)
			return b.State
		}
		d.until("both are queued", func() bool { return state(1) == models.BroadcastDone && state(2) == models.BroadcastDone })
		said := d.reads(d.adam, "/broadcast")
		if len(said) != 2 {
			t.Fatalf("of two it says %+v", said)
		}
		for i, c := range said {
			if !strings.Contains(c.fields["text"], "Broadcast "+string(rune('1'+i))+"</b> to 3 players: being sent\n“Hello”") || len(c.buttons()) != 2 {
				t.Errorf("asked is %+v", c)
			}
		}
		if toast, _ := d.presses(d.adam, said[0].buttons()[0]); toast != "Done." || state(1) != models.BroadcastCancelled || state(2) != models.BroadcastDone {
			t.Errorf("the earlier: %q, %s and %s", toast, state(1), state(2))
		}
		d.bot.ProgressWith(func(context.Context, int64) (outbox.Progress, error) {
			return outbox.Progress{}, fmt.Errorf("%w: a statement took too long", db.ErrUnavailable)
		})
		last := d.says("/broadcast", "Broadcast 2</b> to 3 players: “Hello”\nIts messages take too long to count.")
		if toast, _ := d.presses(d.adam, last.buttons()[0]); toast != "Done." || state(2) != models.BroadcastCancelled {
			t.Errorf("the later: %q, %s", toast, state(2))
		}
		d.bot.ProgressWith(store.Outbox.BroadcastProgress)
		if none := d.writes(d.adam, "/broadcast"); !strings.Contains(none.fields["text"], "Broadcast 2</b> to 3 players: stopped") || len(none.buttons()) > 0 {
			t.Errorf("at last it says %+v", none)
		}
		d.until("all their messages are dead", func() bool { // by the bot's own work: none of them is due
			first, second := modelstest.Must(store.Outbox.BroadcastProgress(t.Context(), 1))(t), modelstest.Must(store.Outbox.BroadcastProgress(t.Context(), 2))(t)
			return first.Dead == 3 && second.Dead == 3
		})
	})
}

func startBroadcast(t *testing.T, store *store.Store, author int64) {
	t.Helper()
	draft := modelstest.Must(store.Outbox.DraftBroadcast(t.Context(), models.Broadcast{AuthorID: author, Text: "Hello"}, modelstest.Noon))(t)
	modelstest.Done(t, store, outbox.ActionBroadcast, fmt.Sprint(draft.ID))
}
