package outbox_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/modelstest"
	"mcbk/models/outbox"
	"mcbk/models/players"
	"mcbk/models/store"
)

// draftBroadcast is a broadcast of a text, not started.
func draftBroadcast(t *testing.T, store *store.Store) models.Broadcast {
	t.Helper()
	b, err := store.Outbox.DraftBroadcast(t.Context(), models.Broadcast{AuthorID: 5, Text: "Hello <b>all"}, modelstest.Noon)
	if err != nil || b.State != models.BroadcastDraft || b.ID == 0 {
		t.Fatalf("drafted %+v, %v", b, err)
	}
	return b
}

func startBroadcast(t *testing.T, store *store.Store) models.Broadcast {
	t.Helper()
	b := modelstest.Must(store.Outbox.StartBroadcast(t.Context(), draftBroadcast(t, store).ID, modelstest.Noon))(t)
	modelstest.Equal(t, b.State, models.BroadcastFanning, "started", b)
	return b
}

// fanOut spreads all that is under way and returns in how many steps.
func fanOut(t *testing.T, store *store.Store) (steps int) {
	t.Helper()
	for {
		more := modelstest.Must(store.Outbox.FanBroadcast(t.Context(), modelstest.Noon))(t)
		if !more {
			return steps
		}
		steps++
	}
}

// stopBroadcast has an admin stop a broadcast, and returns why that was refused.
func stopBroadcast(t *testing.T, store *store.Store, id int64) (refusal string) {
	t.Helper()
	if d := modelstest.Confirm(t, store, modelstest.Ask(t, store, outbox.ActionStopBroadcast, fmt.Sprint(id))); d.Action.State != models.ActionExecuted {
		return d.Action.Outcome
	}
	return ""
}

// markAllDead clears away what stopped broadcasts left and returns in how many steps.
func markAllDead(t *testing.T, store *store.Store) (steps int) {
	t.Helper()
	for more := true; more; steps++ {
		more = modelstest.Must(store.Outbox.DropCancelled(t.Context(), modelstest.Noon))(t)
	}
	return steps
}

func storedBroadcast(t *testing.T, store *store.Store, id int64) models.Broadcast {
	t.Helper()
	return modelstest.Must(store.Outbox.Broadcast(t.Context(), id))(t)
}

func progress(t *testing.T, store *store.Store, id int64) outbox.Progress {
	t.Helper()
	return modelstest.Must(store.Outbox.BroadcastProgress(t.Context(), id))(t)
}

func TestBroadcastTextIsValidForTelegram(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		for _, c := range []struct {
			b    models.Broadcast
			good bool
		}{
			{models.Broadcast{Text: "x"}, true},
			{models.Broadcast{Text: strings.Repeat("я", 4096)}, true},
			{models.Broadcast{SourceChatID: 7, SourceMessageID: 3}, true},
			{models.Broadcast{}, false},
			{models.Broadcast{Text: " \n"}, false},
			{models.Broadcast{Text: "a\x00"}, false},
			{models.Broadcast{Text: "\xff"}, false},
			{models.Broadcast{Text: strings.Repeat("я", 4097)}, false},
			{models.Broadcast{Text: strings.Repeat("😀", 2049)}, false},
			{models.Broadcast{SourceChatID: 7}, false},
			{models.Broadcast{SourceMessageID: 7}, false},
			{models.Broadcast{Text: "x", SourceChatID: 7, SourceMessageID: 3}, false},
		} {
			c.b.AuthorID = 5
			got, err := store.Outbox.DraftBroadcast(t.Context(), c.b, modelstest.Noon)
			if (err == nil) != c.good || (!c.good && !errors.Is(err, outbox.ErrBroadcastContent)) {
				t.Errorf("%.20q: %v", c.b.Text, err)
			}
			if c.good {
				if kept := storedBroadcast(t, store, got.ID); kept.Text != c.b.Text || kept.SourceMessageID != c.b.SourceMessageID || kept.AuthorID != 5 {
					t.Errorf("%+v is kept as %+v", c.b, kept)
				}
			}
		}
	})
}

func TestBroadcastReachesEachPlayerWhoWantsIt(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		var wanting []models.PlayerID
		for i := range 7 {
			p, off := modelstest.Player(t, store), false
			switch i {
			case 2:
				modelstest.Must(store.Players.SetPreference(t.Context(), p.ID, players.Preference{Notifications: &off}, modelstest.Noon))(t)
			case 4:
				modelstest.NoError(t, store.Outbox.SetReach(t.Context(), p.TelegramID, false, modelstest.Noon))
			case 5: // a chat, and not blocked
				modelstest.NoError(t, store.Outbox.ChooseLanguage(t.Context(), p.TelegramID, models.Russian, modelstest.Noon))
				fallthrough
			default:
				wanting = append(wanting, p.ID)
			}
		}
		b := draftBroadcast(t, store)
		var want []string
		for _, id := range wanting {
			want = append(want, fmt.Sprintf("broadcast:%d:%d", b.ID, id))
		}
		for _, page := range []int64{1, 2, 7, 8, 1000} {
			modelstest.Returns(store.Outbox.CountAudience(t.Context(), page))(t, 5, "by pages of", page, "an audience of")
		}
		modelstest.Returns(store.Outbox.FanBroadcast(t.Context(), modelstest.Noon))(t, false, "a draft is fanned")
		modelstest.Equal(t, modelstest.Must(store.Outbox.StartBroadcast(t.Context(), b.ID, modelstest.Noon))(t).Audience, 5, "started")
		fanOut(t, store)
		var went []string
		for at := modelstest.Noon; ; at = at.Add(slot) {
			key, m := takeMessage(t, store, at)
			if key == "" {
				break
			}
			if m.Kind != models.BroadcastCopy || m.Urgency != models.UrgencyBulk || m.BroadcastID == nil || *m.BroadcastID != b.ID {
				t.Errorf("a copy is %+v", m)
			}
			finishMessage(t, store, m, at)
			went = append(went, key)
		}
		modelstest.Equal(t, went, want, "went")
		modelstest.Equal(t, progress(t, store, b.ID), outbox.Progress{Sent: 5}, "the progress is")
		if b := storedBroadcast(t, store, b.ID); b.State != models.BroadcastDone || b.Queued != 5 || b.EndedAt == nil {
			t.Errorf("it ended as %+v", b)
		}
	})
}

func TestBroadcastContinuesAfterItsProcessEnds(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		const ids = 1001
		modelstest.ManyPlayers(t, store, raw, ids)
		b := startBroadcast(t, store)
		broken := errors.New("the process ended")
		for step := int64(0); step < 3; step++ {
			err := modelstest.InTx(t.Context(), store, func(ctx context.Context) error {
				modelstest.Returns(store.Outbox.FanBroadcast(ctx, modelstest.Noon))(t, true, "step", step)
				return broken
			})
			if p := progress(t, store, b.ID); !errors.Is(err, broken) || p.Queued != step*500 {
				t.Errorf("step %d: %+v, %v", step, p, err)
			}
			modelstest.Returns(store.Outbox.FanBroadcast(t.Context(), modelstest.Noon))(t, true, "step", step)
		}
		modelstest.Equal(t, fanOut(t, store), 1, "more steps")
		if p, b := progress(t, store, b.ID), storedBroadcast(t, store, b.ID); p.Queued != ids || b.Queued != ids || b.State != models.BroadcastDone {
			t.Errorf("%+v of %+v", p, b)
		}
	})
}

func TestTwoProcessesFanOutABroadcastOnce(t *testing.T) {
	address := modelstest.Address(t, "postgres")
	processes := []*store.Store{modelstest.OpenStore(t, address), modelstest.OpenStore(t, address)}
	const ids = 1200
	modelstest.ManyPlayers(t, processes[0], modelstest.Raw(t, address), ids)
	b := startBroadcast(t, processes[0])
	modelstest.Concurrently(4, func(i int) {
		for {
			if _, err := processes[i%2].Outbox.FanBroadcast(t.Context(), modelstest.Noon); err != nil {
				t.Error(err)
				return
			}
			if b, err := processes[i%2].Outbox.Broadcast(t.Context(), b.ID); err != nil || b.State == models.BroadcastDone {
				return
			}
		}
	})
	if p, b := progress(t, processes[0], b.ID), storedBroadcast(t, processes[0], b.ID); p.Queued != ids || b.Queued != ids {
		t.Errorf("%+v of %+v", p, b)
	}
}

func TestBroadcastIsStartedOnce(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		modelstest.Player(t, store)
		b := startBroadcast(t, store)
		modelstest.Fails(store.Outbox.StartBroadcast(t.Context(), b.ID, modelstest.Noon))(t, outbox.ErrBroadcastState, "started twice")
		fanOut(t, store)
		modelstest.Fails(store.Outbox.StartBroadcast(t.Context(), b.ID+1, modelstest.Noon))(t, db.ErrNotFound, "an unknown one was started")
		modelstest.Fails(store.Outbox.Broadcast(t.Context(), b.ID+1))(t, db.ErrNotFound, "an unknown one")
		modelstest.Fails(store.Outbox.StartBroadcast(t.Context(), b.ID, modelstest.Noon))(t, outbox.ErrBroadcastState, "a done one was started")
	})
}

// What an admin confirms is written with the confirmation or not at all.
func TestBroadcastStartsInSurroundingTransaction(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		b, broken := draftBroadcast(t, store), errors.New("the rest failed")
		err := modelstest.InTx(t.Context(), store, func(ctx context.Context) error {
			if _, err := store.Outbox.StartBroadcast(ctx, b.ID, modelstest.Noon); err != nil {
				return err
			}
			return broken
		})
		if b := storedBroadcast(t, store, b.ID); !errors.Is(err, broken) || b.State != models.BroadcastDraft {
			t.Errorf("it is %+v, %v", b, err)
		}
	})
}

func TestFullOutboxRefusesABroadcast(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, st *store.Store) {
		modelstest.Player(t, st)
		modelstest.Player(t, st)
		queueAt(t, st, modelstest.Noon, message("a", 7))
		b := draftBroadcast(t, st)
		modelstest.Fails(st.Outbox.StartBroadcastUpTo(t.Context(), 1, b.ID, modelstest.Noon))(t, outbox.ErrOutboxFull, "a full outbox answers")
		modelstest.Equal(t, modelstest.Must(st.Outbox.StartBroadcastUpTo(t.Context(), 2, b.ID, modelstest.Noon))(t).Audience, 2, "there is room")
		modelstest.Equal(t, outbox.OutboxBacklog, 1_000_000, "the limit is")
	})
}

// Only so is a broadcast to more players possible than may wait in the outbox.
func TestBroadcastIsQueuedLittleAheadOfSending(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		const ids, ahead = 501, 500
		modelstest.ManyPlayers(t, store, raw, ids)
		b := startBroadcast(t, store)
		late := modelstest.SignIn(t, store, players.LaunchUser{TelegramID: modelstest.TelegramID()}, modelstest.Noon.Add(time.Second))
		for _, want := range []bool{true, false} {
			modelstest.Returns(store.Outbox.FanBroadcastBy(t.Context(), ahead, modelstest.Noon))(t, want, progress(t, store, b.ID), "it goes on")
		}
		_, m := takeMessage(t, store, modelstest.Noon)
		if _, err := store.Outbox.FailMessage(t.Context(), m, "not now", modelstest.Noon); err != nil { // it is tried again, and holds nobody up
			t.Fatal(err)
		}
		modelstest.Returns(store.Outbox.FanBroadcastBy(t.Context(), ahead, modelstest.Noon))(t, true, "there is room")
		fanOut(t, store)
		if b := storedBroadcast(t, store, b.ID); b.State != models.BroadcastDone || b.Queued != ids {
			t.Errorf("it ended as %+v", b)
		}
		modelstest.Fails(store.Outbox.Message(t.Context(), fmt.Sprintf("broadcast:%d:%d", b.ID, late.ID)))(t, db.ErrNotFound, "who came after it began is told")
	})
}

// Of a broadcast that takes hours the evening's reminders do not wait for the end.
func TestLongBroadcastLetsOtherMessagesThrough(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		modelstest.Player(t, store)
		startBroadcast(t, store)
		later := modelstest.Noon.Add(time.Hour)
		modelstest.NoError(t, store.Outbox.NoticeAdmins(t.Context(), "evening", "Come back", models.UrgencyBulk, []int64{modelstest.TelegramID()}, later))
		later = later.Add(time.Minute)
		modelstest.Must(store.Outbox.FanBroadcast(t.Context(), later))(t)
		for _, want := range []string{"admin:evening:", "broadcast:"} {
			key, _ := takeMessage(t, store, later)
			if !strings.HasPrefix(key, want) {
				t.Errorf("%q is sent in place of %q", key, want)
			}
			later = later.Add(time.Second)
		}
	})
}

func TestCancelledBroadcastSendsNothingMore(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		told := counting(store)
		for range 5 {
			modelstest.Player(t, store)
		}
		b := startBroadcast(t, store)
		modelstest.Returns(store.Outbox.FanBroadcast(t.Context(), modelstest.Noon))(t, true)
		queueAt(t, store, modelstest.Noon.Add(time.Minute), message("other", 7))
		_, sent := takeMessage(t, store, modelstest.Noon)
		finishMessage(t, store, sent, modelstest.Noon)
		_, underWay := takeMessage(t, store, modelstest.Noon.Add(slot))
		modelstest.Equal(t, stopBroadcast(t, store, b.ID), "", "it is not stopped")
		markAllDead(t, store)
		modelstest.Equal(t, progress(t, store, b.ID), outbox.Progress{Sent: 1, Dead: 4}, "the progress is")
		finishMessage(t, store, underWay, modelstest.Noon) // it had been sent after all
		modelstest.Equal(t, progress(t, store, b.ID), outbox.Progress{Sent: 2, Dead: 3}, "then it is")
		modelstest.Equal(t, takeKey(t, store, modelstest.Noon.Add(time.Minute)), "other", "took")
		modelstest.Equal(t, fanOut(t, store), 0, "it is fanned on")
		modelstest.Equal(t, stopBroadcast(t, store, b.ID), "already_so", "stopped twice")
		modelstest.Equal(t, stopBroadcast(t, store, b.ID+1), "not_found", "an unknown one")
		told.are(t, map[string]int{"sent": 2, "cancelled": 4})
	})
}

// backlog queues so many messages of a broadcast, as if it had that many players.
func backlog(t *testing.T, raw *sql.DB, b models.Broadcast, messages int) {
	t.Helper()
	modelstest.MustExec(t, raw, fmt.Sprintf(`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
		INSERT INTO outbox (key, chat_id, kind, params, urgency, state, tries, next_try_at, queued_at, last_error, broadcast_id)
		SELECT 'crowd:' || b.id || ':' || i, 1000000 + i, 'broadcast', '{}', 2, 'queued', 0, b.started_at, b.started_at, '', b.id
		FROM n, broadcasts b WHERE b.id = %d`, messages, b.ID))
}

// The sweep has not come to them yet.
func TestCancelledBroadcastDoesNotDelayTheNext(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		wrong := startBroadcast(t, store)
		backlog(t, raw, wrong, 150)
		modelstest.Equal(t, stopBroadcast(t, store, wrong.ID), "", "it is not stopped")
		modelstest.Player(t, store)
		right := startBroadcast(t, store)
		fanOut(t, store)
		m, wait, err := store.Outbox.TakeMessage(t.Context(), modelstest.Noon)
		if m != nil || wait != 0 || err != nil {
			t.Errorf("the first look finds %+v, wait %s, %v", m, wait, err)
		}
		modelstest.Equal(t, progress(t, store, wrong.ID), outbox.Progress{Dead: 100, Queued: 50}, "it buried")
		m, _, err = store.Outbox.TakeMessage(t.Context(), modelstest.Noon)
		if err != nil || m == nil || m.BroadcastID == nil || *m.BroadcastID != right.ID {
			t.Errorf("the second look finds %+v, %v", m, err)
		}
		modelstest.Equal(t, progress(t, store, wrong.ID), outbox.Progress{Dead: 150}, "then")
	})
}

func TestQueuedMessagesOfCancelledBroadcastAreDeleted(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		told := counting(store)
		wrong, right := startBroadcast(t, store), startBroadcast(t, store)
		backlog(t, raw, wrong, 5001)
		backlog(t, raw, right, 3)
		modelstest.Equal(t, markAllDead(t, store), 1, "steps to clear nothing away")
		modelstest.Equal(t, stopBroadcast(t, store, wrong.ID), "", "it is not stopped")
		modelstest.Equal(t, progress(t, store, wrong.ID), outbox.Progress{Queued: 5001}, "stopping did")
		modelstest.Equal(t, markAllDead(t, store), 2, "steps to clear it away")
		modelstest.Equal(t, progress(t, store, wrong.ID), outbox.Progress{Dead: 5001}, "its messages")
		modelstest.Equal(t, progress(t, store, right.ID), outbox.Progress{Queued: 3}, "the other's messages")
		told.are(t, map[string]int{"cancelled": 5001})
	})
}

func TestTwoProcessesDeleteQueuedMessagesWithoutConflict(t *testing.T) {
	address := modelstest.Address(t, "postgres")
	processes := []*store.Store{modelstest.OpenStore(t, address), modelstest.OpenStore(t, address)}
	told := counting(processes[0])
	processes[1].DB.Measure(told)
	for range 60 {
		modelstest.Player(t, processes[0])
	}
	b := startBroadcast(t, processes[0])
	fanOut(t, processes[0])
	modelstest.Equal(t, stopBroadcast(t, processes[0], b.ID), "", "it is not stopped")
	modelstest.Concurrently(4, func(i int) {
		modelstest.Succeeds(processes[i%2].Outbox.DropCancelled(t.Context(), modelstest.Noon))(t)
	})
	modelstest.Equal(t, progress(t, processes[0], b.ID), outbox.Progress{Dead: 60}, "its messages")
	told.are(t, map[string]int{"cancelled": 60})
}

func TestOnlyUnfinishedBroadcastIsStopped(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		modelstest.Player(t, store)
		sent, waiting := startBroadcast(t, store), startBroadcast(t, store)
		draft := modelstest.Must(store.Outbox.DraftBroadcast(t.Context(), models.Broadcast{AuthorID: 6, Text: "not yet"}, modelstest.Noon))(t)
		fanOut(t, store)
		key, m := takeMessage(t, store, modelstest.Noon)
		if !strings.HasPrefix(key, fmt.Sprintf("broadcast:%d:", sent.ID)) {
			t.Fatalf("took %q", key)
		}
		finishMessage(t, store, m, modelstest.Noon)
		for _, c := range []struct {
			b     models.Broadcast
			no    string
			state models.BroadcastState
		}{
			{draft, "already_so", models.BroadcastDraft},
			{sent, "already_so", models.BroadcastDone},
			{waiting, "", models.BroadcastCancelled},
			{startBroadcast(t, store), "", models.BroadcastCancelled},
		} {
			if no := stopBroadcast(t, store, c.b.ID); no != c.no {
				t.Errorf("stopping the %s one is refused with %q, not %q", c.b.State, no, c.no)
			}
			if state := storedBroadcast(t, store, c.b.ID).State; state != c.state {
				t.Errorf("broadcast %d is %s, not %s", c.b.ID, state, c.state)
			}
		}
	})
}

func TestAbandonedBroadcastNotifiesOnce(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		told := counting(store)
		modelstest.Player(t, store)
		modelstest.Player(t, store)
		b := startBroadcast(t, store)
		fanOut(t, store)
		_, first := takeMessage(t, store, modelstest.Noon)
		_, second := takeMessage(t, store, modelstest.Noon.Add(slot)) // by another process
		for _, m := range []models.Message{first, second} {
			modelstest.NoError(t, store.Outbox.AbandonBroadcast(t.Context(), m, "gone", []int64{modelstest.Admin}, modelstest.Noon))
		}
		modelstest.Equal(t, storedBroadcast(t, store, b.ID).State, models.BroadcastCancelled)
		modelstest.Equal(t, progress(t, store, b.ID), outbox.Progress{Dead: 2}, "its messages")
		modelstest.Returns(store.Outbox.QueuedMessages(t.Context()))(t, 1, "notices wait")
		told.are(t, map[string]int{"refused": 2})
		modelstest.WantError(t, store.Outbox.AbandonBroadcast(t.Context(), message("other", 7), "gone", nil, modelstest.Noon), db.ErrNotFound, "a message of its own")
	})
}

func TestUnfinishedBroadcastsAreListed(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		listed := func() (ids []int64) {
			t.Helper()
			found := modelstest.Must(store.Outbox.BroadcastsUnderWay(t.Context()))(t)
			for _, b := range found {
				ids = append(ids, b.ID)
			}
			return ids
		}
		draftBroadcast(t, store)
		startBroadcast(t, store)
		fanOut(t, store) // to nobody
		modelstest.Player(t, store)
		first, second := startBroadcast(t, store).ID, startBroadcast(t, store).ID
		fanOut(t, store)
		third := startBroadcast(t, store).ID
		modelstest.Equal(t, listed(), []int64{third, second, first}, "listed are")
		stopBroadcast(t, store, second)
		modelstest.Equal(t, listed(), []int64{third, first}, "after a stop")
		for range 10 {
			third = startBroadcast(t, store).ID
		}
		if got := listed(); len(got) != 10 || got[0] != third {
			t.Errorf("of twelve %v", got)
		}
	})
}

func TestOnlyOldDraftsAreDeleted(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		written := 0
		draft := func(at time.Time) models.Broadcast {
			t.Helper()
			written++
			return modelstest.Must(store.Outbox.DraftBroadcast(t.Context(), models.Broadcast{AuthorID: modelstest.Admin, Text: fmt.Sprint("hello ", written)}, at))(t)
		}
		started, cancelled, old, edge := draft(modelstest.Noon), draft(modelstest.Noon), draft(modelstest.Noon), draft(modelstest.Noon.Add(time.Microsecond))
		modelstest.Must(store.Outbox.StartBroadcast(t.Context(), started.ID, modelstest.Noon))(t)
		modelstest.Must(store.Outbox.StartBroadcast(t.Context(), cancelled.ID, modelstest.Noon))(t)
		modelstest.Equal(t, stopBroadcast(t, store, cancelled.ID), "", "it is not stopped")
		later := modelstest.Noon.Add(24*time.Hour + time.Microsecond)
		for _, want := range []int64{1, 0} {
			modelstest.Returns(store.Outbox.ForgetDrafts(t.Context(), later))(t, want, "forgotten are")
		}
		for _, b := range []models.Broadcast{started, cancelled, edge} {
			modelstest.Must(store.Outbox.Broadcast(t.Context(), b.ID))(t)
		}
		modelstest.Fails(store.Outbox.Broadcast(t.Context(), old.ID))(t, db.ErrNotFound, "the old draft")
	})
}

// The bot shows a draft again when it did not hear that it was shown: two questions, but one broadcast.
func TestRepeatedDraftIsOneBroadcastUntilConfirmed(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		draft := func(b models.Broadcast, at time.Time) int64 {
			t.Helper()
			drafted := modelstest.Must(store.Outbox.DraftBroadcast(t.Context(), b, at))(t)
			return drafted.ID
		}
		hello := models.Broadcast{AuthorID: 5, Text: "hello"}
		first := draft(hello, modelstest.Noon)
		modelstest.Equal(t, draft(hello, modelstest.Noon.Add(119*time.Second)), first, "shown again it is")
		for what, b := range map[string]models.Broadcast{
			"another text": {AuthorID: 5, Text: "hello!"}, "another author": {AuthorID: 6, Text: "hello"},
			"a copy": {AuthorID: 5, SourceChatID: 5, SourceMessageID: 7},
		} {
			if other := draft(b, modelstest.Noon); other == first {
				t.Errorf("%s is the same", what)
			}
		}
		if late := draft(hello, modelstest.Noon.Add(120*time.Second)); late == first {
			t.Error("a question that nobody can confirm any more is the same")
		}
		modelstest.Must(store.Outbox.StartBroadcast(t.Context(), first, modelstest.Noon))(t)
		modelstest.Fails(store.Outbox.StartBroadcast(t.Context(), first, modelstest.Noon))(t, outbox.ErrBroadcastState, "started again")
	})
}
