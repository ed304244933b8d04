package outbox_test

import (
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
	u := modelstest.Must(store.Outbox.BotUpdate(t.Context(), id))(t)
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
			fresh := modelstest.Must(store.Outbox.ReceiveUpdates(t.Context(), c.updates, modelstest.Noon))(t)
			modelstest.Equal(t, fresh, c.fresh, c.updates, "new")
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
		modelstest.Equal(t, take(t, store, modelstest.Noon).UpdateID, 0, "overtook a failed update of its chat")
		again := take(t, store, modelstest.Noon.Add(2*time.Second))
		if again.UpdateID != 1 || again.Tries != 2 {
			t.Errorf("took %+v after the wait", again)
		}
		finish(t, store, again, modelstest.Noon)
		modelstest.Equal(t, take(t, store, modelstest.Noon).UpdateID, 2, "took after the first was finished")
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
			modelstest.Equal(t, take(t, store, at.Add(wait-time.Millisecond)).UpdateID, 0, "took before", wait, "had passed")
			at = at.Add(wait)
		}
		if u := take(t, store, at); u.UpdateID != 1 || !fail(t, store, u, at) {
			t.Fatalf("not dead after five tries: %+v", u)
		}
		if dead := findUpdate(t, store, 1); dead.State != models.UpdateDead || dead.LastError != "it broke" || dead.FinishedAt == nil {
			t.Errorf("dead update %+v", dead)
		}
		modelstest.Equal(t, take(t, store, at).UpdateID, 2, "then took")
	})
}

func TestCrashingUpdateIsDeadAfterFiveTries(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		receive(t, store, update(1, 7), update(2, 7))
		at := modelstest.Noon
		for try := range 5 {
			modelstest.Equal(t, take(t, store, at).UpdateID, 1, "try", try+1, "took")
			modelstest.Equal(t, take(t, store, at.Add(59*time.Second)).UpdateID, 0, "was taken from its holder")
			at = at.Add(time.Minute)
		}
		modelstest.Equal(t, take(t, store, at).UpdateID, 2, "after five ended processes took")
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
		for second, want := range [][]int64{{1, 9, 10, 20, 21, 22, 23, 24, 25, 26, 0}, {2, 0}, {3, 4, 5}} {
			at := modelstest.Noon.Add(time.Duration(second) * time.Second)
			for _, id := range want {
				u := take(t, store, at)
				modelstest.Equal(t, u.UpdateID, id, "taken in second", second)
				if u.UpdateID > 0 {
					finish(t, store, u, at)
				}
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
			modelstest.Equal(t, take(t, store, at.Add(-time.Millisecond)).UpdateID, 0, "taken before its time")
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
		modelstest.Equal(t, findUpdate(t, store, 1).State, models.UpdateDone, "finished by the late holder")
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
				modelstest.Equal(t, store.Outbox.UpdatesOf(t.Context(), chat, state), want[i], "of chat", chat, state)
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
		modelstest.Returns(st.Outbox.ReceiveUpdatesUpTo(t.Context(), backlog, full, modelstest.Noon))(t, backlog, "new")
		more := []models.BotUpdate{update(backlog+1, 1), update(backlog+2, 2)}
		modelstest.Fails(st.Outbox.ReceiveUpdatesUpTo(t.Context(), backlog, more, modelstest.Noon))(t, outbox.ErrInboxFull, "a full inbox answered")
		modelstest.Fails(st.Outbox.BotUpdate(t.Context(), backlog+1))(t, db.ErrNotFound, "a refused update is there")
		modelstest.Returns(st.Outbox.ReceiveUpdatesUpTo(t.Context(), backlog, full[:1], modelstest.Noon))(t, 0, "a known update is refused")
		for range more {
			finish(t, st, take(t, st, modelstest.Noon), modelstest.Noon)
		}
		modelstest.Returns(st.Outbox.ReceiveUpdatesUpTo(t.Context(), backlog, more, modelstest.Noon))(t, len(more), "new, as there is room again")
		modelstest.Equal(t, outbox.InboxBacklog, 50_000, "the limit is")
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
		modelstest.Equal(t, findUpdate(t, store, 3).State, models.UpdateWaiting, "the waiting one is")
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
