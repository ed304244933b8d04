package drill

import (
	"crypto/rand"
	"fmt"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"mcbk/models"
	"mcbk/models/modelstest"
	"mcbk/models/outbox"
	"mcbk/models/players"
	"mcbk/models/store"
	"mcbk/trial"
)

// Despite a failing Telegram and killed senders each player gets the message, at most one twice per kill.
func TestKilledBroadcastReachesEveryPlayer(t *testing.T) {
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		broadcast(t, trial.NewSQLite(t.TempDir()), 1)
	})
	t.Run("postgres, two processes", func(t *testing.T) {
		t.Parallel()
		broadcast(t, postgres(t), 2)
	})
}

// callsASecond is above the outbox's 25, since calls delayed by a busy machine coincide with the next ones; two independent processes
// would make 50.
const callsASecond = 40

func broadcast(t *testing.T, db trial.Database, processes int) {
	s := newScene(t, db)
	a := invite(t, db, s.now)
	api := trial.NewBotAPI(trial.Faults{TooMany: 80, Broken: 40, Garbled: 60, Blocked: a.blocked}, *seed)
	t.Cleanup(api.Close)
	s.settings = append(s.settings, "TELEGRAM_API_URL="+api.URL)

	began := time.Now()
	programs := s.startAll(processes)
	s.until("half of them have it", 10*time.Minute, func() bool { return len(api.SentByChat()) > len(a.wanting)/2 })
	taken := api.Freeze()
	s.until("a message is under way", time.Minute, func() bool {
		select {
		case <-taken:
			return true
		default:
			return false
		}
	})
	for _, p := range programs {
		p.Kill()
	}
	programs = s.startAll(processes)
	s.until("nothing is queued any more", 15*time.Minute, func() bool {
		return s.count("SELECT COUNT(*) FROM broadcasts WHERE state <> 'done'")+s.count("SELECT COUNT(*) FROM outbox WHERE state = 'queued'") == 0
	})
	took := time.Since(began)
	for _, p := range programs {
		terminate(t, p)
	}
	a.heard(t, api, processes)
	if marked := s.count("SELECT COUNT(*) FROM chats WHERE blocked_at IS NOT NULL"); marked != int64(len(a.blocked)) {
		t.Errorf("%d are marked as out of reach, not %d", marked, len(a.blocked))
	}
	t.Logf("%d players in %s, at most %d calls a second; %s", len(a.wanting), took.Round(time.Second), api.Busiest(), api)
	must(t, trial.Verify(t.Context(), *binary, s.settings))
}

func (s *scene) startAll(processes int) (all []*trial.Program) {
	s.t.Helper()
	for range processes {
		all = append(all, s.start())
	}
	return all
}

// audience are the recipients of a broadcast.
type audience struct {
	wanting map[int64]bool // by Telegram ID; neither blocked nor off
	blocked map[int64]bool // Telegram will refuse them
	off     map[int64]bool // notifications are off
}

// invite creates players and a broadcast before any program runs.
func invite(t *testing.T, db trial.Database, now func() time.Time) audience {
	t.Helper()
	store, err := store.Open(t.Context(), db.Address, now, rand.Reader)
	must(t, err)
	defer store.Close() //nolint:errcheck // the program opens it again
	_, err = store.DB.Migrate(t.Context())
	must(t, err)
	a := audience{map[int64]bool{}, map[int64]bool{}, map[int64]bool{}}
	var arriving errgroup.Group
	arriving.SetLimit(2)
	for i := range int64(size().audience) {
		id, off := 8_000_000+i, i%50 == 7
		switch {
		case off:
			a.off[id] = true
		case i%20 == 3:
			a.blocked[id] = true
		default:
			a.wanting[id] = true
		}
		arriving.Go(func() error {
			player, err := store.Players.SignIn(t.Context(), players.LaunchUser{TelegramID: id, FirstName: "Ann"}, now())
			if on := false; err == nil && off {
				_, err = store.Players.SetPreference(t.Context(), player.ID, players.Preference{Notifications: &on}, now())
			}
			return err
		})
	}
	must(t, arriving.Wait())
	draft, err := store.Outbox.DraftBroadcast(t.Context(), models.Broadcast{AuthorID: 1, Text: "Hello <all>"}, now())
	must(t, err)
	modelstest.Confirmed(t, store, models.PendingAction{Admin: draft.AuthorID, Action: outbox.ActionBroadcast, Args: []string{fmt.Sprint(draft.ID)}}, now())
	return a
}

// heard checks the delivered messages after each process was killed once.
func (a audience) heard(t *testing.T, api *trial.BotAPI, processes int) {
	t.Helper()
	told, twice := api.SentByChat(), 0
	for id := range a.wanting {
		if told[id] == 0 {
			t.Errorf("%d was told nothing", id)
		}
		twice += max(told[id]-1, 0)
		delete(told, id)
	}
	if len(told) > 0 {
		t.Errorf("some were told who should not be: %v", told)
	}
	switch {
	case twice > processes:
		t.Errorf("%d messages came twice after %d processes were killed", twice, processes)
	case twice == 0:
		t.Error("the killed process had sent nothing that it could not mark: the drill shows nothing")
	}
	// Another process's claimed messages may be in flight for long on a busy machine; without the pause some 17 would come in each.
	if early, silences := api.Early(); early > silences*(processes-1) {
		t.Errorf("%d calls came during %d silences that Telegram had asked for", early, silences)
	}
	if most := api.Busiest(); most > callsASecond {
		t.Errorf("%d calls came within a second", most)
	}
}
