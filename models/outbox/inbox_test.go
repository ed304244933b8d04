package outbox_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/modelstest"
	"mcbk/models/outbox"
	"mcbk/models/store"
)

// update is one of a chat; its body is valid UTF-8 or not, the inbox does not care.
func update(id, chat int64) models.BotUpdate {
	return models.BotUpdate{UpdateID: id, ChatID: chat, Body: []byte("body \xff\x00")}
}

func receive(t *testing.T, store *store.Store, updates ...models.BotUpdate) {
	t.Helper()
	modelstest.Must(store.Outbox.ReceiveUpdates(t.Context(), updates, modelstest.Noon))(t)
}

// take returns the next due update, or an empty one.
func take(t *testing.T, store *store.Store, at time.Time) models.BotUpdate {
	t.Helper()
	taken := modelstest.Must(store.Outbox.TakeUpdate(t.Context(), at))(t)
	if taken == nil {
		return models.BotUpdate{}
	}
	return *taken
}

func finish(t *testing.T, store *store.Store, u models.BotUpdate, at time.Time) {
	t.Helper()
	modelstest.NoError(t, store.Outbox.FinishUpdate(t.Context(), u, at))
}

func fail(t *testing.T, store *store.Store, u models.BotUpdate, at time.Time) (dead bool) {
	t.Helper()
	return modelstest.Must(store.Outbox.FailUpdate(t.Context(), u, "it broke", at))(t)
}

func findUpdate(t *testing.T, store *store.Store, id int64) models.BotUpdate {
	t.Helper()
	u, err := store.Outbox.BotUpdate(t.Context(), id)
	if err != nil {
		t.Fatalf("update %d: %v", id, err)
	}
	return u
}

func TestRepeatedUpdateIsStoredOnce(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		for _, c := range []struct {
			updates []models.BotUpdate
			fresh   int
		}{
			{nil, 0},
			{[]models.BotUpdate{update(2, 7)}, 1},
			{[]models.BotUpdate{update(2, 7)}, 0},
			{[]models.BotUpdate{update(1, 7), update(2, 7), update(3, 8), update(3, 8)}, 2},
		} {
			fresh, err := store.Outbox.ReceiveUpdates(t.Context(), c.updates, modelstest.Noon)
			if err != nil || fresh != c.fresh {
				t.Errorf("%v: %d new, %v; want %d", c.updates, fresh, err, c.fresh)
			}
		}
		first := take(t, store, modelstest.Noon)
		if first.UpdateID != 1 || first.ChatID != 7 || string(first.Body) != "body \xff\x00" || first.Tries != 1 {
			t.Errorf("took %+v", first)
		}
		finish(t, store, first, modelstest.Noon)
		receive(t, store, first)
		if again := findUpdate(t, store, 1); again.State != models.UpdateDone || len(again.Body) > 0 {
			t.Errorf("a finished update came back: %+v", again)
		}
	})
}

func TestUpdatesOfAChatStayInOrder(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		receive(t, store, update(1, 7), update(2, 7), update(3, 8), update(4, 0), update(5, 0))

		first := take(t, store, modelstest.Noon)
		others := []int64{
			take(t, store, modelstest.Noon).UpdateID, take(t, store, modelstest.Noon).UpdateID,
			take(t, store, modelstest.Noon).UpdateID, take(t, store, modelstest.Noon).UpdateID,
		}
		if first.UpdateID != 1 || !slices.Equal(others, []int64{3, 4, 5, 0}) {
			t.Fatalf("took %d, then %v", first.UpdateID, others)
		}
		fail(t, store, first, modelstest.Noon)
		if u := take(t, store, modelstest.Noon); u.UpdateID != 0 {
			t.Errorf("%d overtook a failed update of its chat", u.UpdateID)
		}
		again := take(t, store, modelstest.Noon.Add(2*time.Second))
		if again.UpdateID != 1 || again.Tries != 2 {
			t.Errorf("took %+v after the wait", again)
		}
		finish(t, store, again, modelstest.Noon)
		if u := take(t, store, modelstest.Noon); u.UpdateID != 2 {
			t.Errorf("took %d after the first was finished", u.UpdateID)
		}
	})
}

func TestUpdateIsDeadAfterFiveTriesWithBackoff(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		receive(t, store, update(1, 7), update(2, 7))
		at := modelstest.Noon
		for try, wait := range []time.Duration{2 * time.Second, 10 * time.Second, 50 * time.Second, 250 * time.Second} {
			u := take(t, store, at)
			if u.UpdateID != 1 || u.Tries != try+1 {
				t.Fatalf("try %d took %+v", try+1, u)
			}
			if fail(t, store, u, at) {
				t.Fatalf("dead after %d tries", try+1)
			}
			if early := take(t, store, at.Add(wait-time.Millisecond)); early.UpdateID != 0 {
				t.Fatalf("took %d before %s had passed", early.UpdateID, wait)
			}
			at = at.Add(wait)
		}
		if u := take(t, store, at); u.UpdateID != 1 || !fail(t, store, u, at) {
			t.Fatalf("not dead after five tries: %+v", u)
		}
		if dead := findUpdate(t, store, 1); dead.State != models.UpdateDead || dead.LastError != "it broke" || dead.FinishedAt == nil {
			t.Errorf("dead update %+v", dead)
		}
		if next := take(t, store, at); next.UpdateID != 2 {
			t.Errorf("then took %d", next.UpdateID)
		}
	})
}

func TestCrashingUpdateIsDeadAfterFiveTries(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		receive(t, store, update(1, 7), update(2, 7))
		at := modelstest.Noon
		for try := range 5 {
			if u := take(t, store, at); u.UpdateID != 1 {
				t.Fatalf("try %d took %d", try+1, u.UpdateID)
			}
			if u := take(t, store, at.Add(59*time.Second)); u.UpdateID != 0 {
				t.Fatalf("%d was taken from its holder", u.UpdateID)
			}
			at = at.Add(time.Minute)
		}
		if u := take(t, store, at); u.UpdateID != 2 {
			t.Errorf("after five ended processes took %d", u.UpdateID)
		}
		if dead := findUpdate(t, store, 1); dead.State != models.UpdateDead || dead.LastError == "" {
			t.Errorf("the update is %+v", dead)
		}
	})
}

// Telegram takes about a message a second for a chat, and asks everybody for silence after more.
func TestChatUpdatesAreAnsweredOnePerSecond(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		for id := range int64(7) {
			receive(t, store, update(id+1, 7))
		}
		receive(t, store, update(9, 8), update(10, 8))
		for id := range int64(7) { // of a group, which is not answered
			receive(t, store, update(id+20, -7))
		}
		at := modelstest.Noon
		for _, turn := range []struct {
			later time.Duration
			want  int64
		}{
			{0, 1},
			{0, 9},
			{0, 10},
			{0, 20},
			{0, 21},
			{0, 22},
			{0, 23},
			{0, 24},
			{0, 25},
			{0, 26},
			{0, 0},
			{time.Second, 2},
			{0, 0},
			{time.Second, 3},
			{0, 4},
			{0, 5},
		} {
			at = at.Add(turn.later)
			u := take(t, store, at)
			if u.UpdateID != turn.want {
				t.Errorf("at %s took %d, not %d", at, u.UpdateID, turn.want)
			}
			if u.UpdateID > 0 {
				finish(t, store, u, at)
			}
		}
	})
}

func TestPostponingUpdateCountsNoTry(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		receive(t, store, update(1, 7))
		at := modelstest.Noon
		for range 20 {
			u := take(t, store, at)
			if u.UpdateID != 1 || u.Tries != 1 {
				t.Fatalf("took %+v", u)
			}
			at = at.Add(7 * time.Second)
			modelstest.NoError(t, store.Outbox.PostponeUpdate(t.Context(), u, at))
			if early := take(t, store, at.Add(-time.Millisecond)); early.UpdateID != 0 {
				t.Fatal("taken before its time")
			}
		}
	})
}

func TestLateWorkerMayOnlyFinishItsUpdate(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		receive(t, store, update(1, 7))
		late := take(t, store, modelstest.Noon)
		later := modelstest.Noon.Add(time.Minute)
		now := take(t, store, later)

		fail(t, store, late, later)
		modelstest.NoError(t, store.Outbox.PostponeUpdate(t.Context(), late, later))
		if u := findUpdate(t, store, 1); !u.NextTryAt.Equal(now.NextTryAt) || u.Tries != 2 {
			t.Errorf("the late holder changed it to %+v", u)
		}
		finish(t, store, late, later)
		fail(t, store, now, later)
		if u := findUpdate(t, store, 1); u.State != models.UpdateDone {
			t.Errorf("finished by the late holder, yet %+v", u)
		}
	})
}

func TestTwoProcessesNeverClaimOneUpdate(t *testing.T) {
	address := modelstest.Address(t, "postgres")
	processes := []*store.Store{modelstest.OpenStore(t, address), modelstest.OpenStore(t, address)}
	const chats, each = 10, 10
	for i := range int64(chats * each) {
		receive(t, processes[0], update(i+1, -(i%chats)-1)) // of groups, which nothing paces
	}

	var (
		mu      sync.Mutex
		handled = map[int64][]int64{} // by chat, in the order taken
		left    atomic.Int64
		all     sync.WaitGroup
	)
	left.Store(chats * each)
	for i := range 8 {
		store := processes[i%len(processes)]
		all.Go(func() {
			for left.Load() > 0 {
				u, err := store.Outbox.TakeUpdate(t.Context(), modelstest.Noon)
				if err != nil {
					t.Error(err)
					return
				}
				if u == nil {
					continue // the others hold the first of every chat
				}
				mu.Lock()
				handled[u.ChatID] = append(handled[u.ChatID], u.UpdateID)
				mu.Unlock()
				if err := store.Outbox.FinishUpdate(t.Context(), *u, modelstest.Noon); err != nil {
					t.Error(err)
					return
				}
				left.Add(-1)
			}
		})
	}
	all.Wait()
	for chat, ids := range handled {
		if !slices.IsSorted(ids) || len(ids) != each { // none twice
			t.Errorf("chat %d was handled as %v", chat, ids)
		}
	}
}

func TestOnePersonDoesNotFillTheInbox(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		const most = 200
		id := int64(0)
		sends := func(chat int64, many int) {
			t.Helper()
			var sent []models.BotUpdate
			for range many {
				id++
				sent = append(sent, update(id, chat))
			}
			receive(t, store, sent...)
		}
		counts := func(chat int64, want ...int) {
			t.Helper()
			for i, state := range []models.UpdateState{models.UpdateWaiting, models.UpdateDone} {
				if got := store.Outbox.UpdatesOf(t.Context(), chat, state); got != want[i] {
					t.Errorf("of chat %d %d are %s, not %d", chat, got, state, want[i])
				}
			}
		}
		sends(7, most-1)
		sends(7, 100)
		counts(7, most, 99)
		sends(8, 3) // another person, and a group, where nothing is answered anyway
		sends(-7, most+1)
		counts(8, 3, 0)
		counts(-7, most+1, 0)
		finish(t, store, take(t, store, modelstest.Noon), modelstest.Noon)
		sends(7, 2)
		counts(7, most, 101)
	})
}

func TestFullInboxRefusesNewUpdatesOnly(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, st *store.Store) {
		const backlog = 120
		var full []models.BotUpdate
		for id := range int64(backlog) {
			full = append(full, update(id+1, id+1))
		}
		if fresh, err := st.Outbox.ReceiveUpdatesUpTo(t.Context(), backlog, full, modelstest.Noon); err != nil || fresh != backlog {
			t.Fatalf("%d new, %v", fresh, err)
		}
		more := []models.BotUpdate{update(backlog+1, 1), update(backlog+2, 2)}
		if _, err := st.Outbox.ReceiveUpdatesUpTo(t.Context(), backlog, more, modelstest.Noon); !errors.Is(err, outbox.ErrInboxFull) {
			t.Fatalf("a full inbox answered %v", err)
		}
		if _, err := st.Outbox.BotUpdate(t.Context(), backlog+1); !errors.Is(err, db.ErrNotFound) {
			t.Errorf("a refused update is there: %v", err)
		}
		if fresh, err := st.Outbox.ReceiveUpdatesUpTo(t.Context(), backlog, full[:1], modelstest.Noon); err != nil || fresh != 0 {
			t.Errorf("a known update is refused: %d, %v", fresh, err)
		}
		for range more {
			finish(t, st, take(t, st, modelstest.Noon), modelstest.Noon)
		}
		if fresh, err := st.Outbox.ReceiveUpdatesUpTo(t.Context(), backlog, more, modelstest.Noon); err != nil || fresh != len(more) {
			t.Errorf("there is room again, yet %d new, %v", fresh, err)
		}
		if outbox.InboxBacklog != 50_000 {
			t.Errorf("the limit is %d", outbox.InboxBacklog)
		}
	})
}

func TestFinishedUpdatesAreDeletedAfterSevenDays(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		receive(t, store, update(1, 7), update(2, 8), update(3, 9))
		finish(t, store, take(t, store, modelstest.Noon), modelstest.Noon)
		finish(t, store, take(t, store, modelstest.Noon), modelstest.Noon.Add(time.Hour))

		week := modelstest.Noon.Add(7 * 24 * time.Hour)
		for _, c := range []struct {
			at      time.Time
			deleted int64
		}{{week, 0}, {week.Add(time.Minute), 1}, {week.Add(2 * time.Hour), 1}, {week.Add(1000 * time.Hour), 0}} {
			if deleted, err := store.Outbox.ForgetUpdates(t.Context(), c.at); err != nil || deleted != c.deleted {
				t.Errorf("at %s: %d deleted, %v; want %d", c.at, deleted, err, c.deleted)
			}
		}
		if u := findUpdate(t, store, 3); u.State != models.UpdateWaiting {
			t.Errorf("the waiting one is %+v", u)
		}
	})
}

func TestErrorOfAnyBytesCanBeStored(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		receive(t, store, update(1, 7))
		cause := "a\x00b\xff" + strings.Repeat("я", 1000)
		modelstest.Must(store.Outbox.FailUpdate(t.Context(), take(t, store, modelstest.Noon), cause, modelstest.Noon))(t)
		if u := findUpdate(t, store, 1); !strings.HasPrefix(u.LastError, "abя") || len(u.LastError) > 500 {
			t.Errorf("stored %d bytes: %q", len(u.LastError), u.LastError)
		}
	})
}
