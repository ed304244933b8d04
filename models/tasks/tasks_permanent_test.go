package tasks_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/admin"
	"mcbk/models/db"
	"mcbk/models/modelstest"
	"mcbk/models/store"
	"mcbk/models/tasks"
)

const (
	joinLink    = "https://exchange.example/join?a=b"
	newsChannel = "https://t.me/mcbk_news"
)

// offerTask is the game with both kinds of permanent tasks; it returns their numbers.
func offerTask(t *testing.T, store *store.Store) (join, news int64) {
	t.Helper()
	modelstest.Done(t, store, tasks.ActionAddTask, "exchange_join", joinLink, "Join <us>", "Вступайте", "3 MCBK and 100 points")
	modelstest.Done(t, store, tasks.ActionAddTask, "telegram_subscription", "@mcbk_news", "News", "Новости")
	all, err := store.Tasks.PermanentTasks(t.Context())
	if err != nil || len(all) != 2 || all[0].URL != newsChannel || all[1].URL != joinLink {
		t.Fatalf("offered are %+v, %v", all, err)
	}
	return all[1].ID, all[0].ID
}

func TestVisitOfStoredLinkCompletesItsTask(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		join, news := offerTask(t, store)
		player := modelstest.Player(t, store)
		for _, link := range []string{"https://exchange.example/join", "javascript:alert(1)", joinLink + " ", strings.ToUpper(joinLink)} {
			if _, err := store.Tasks.TrackLink(t.Context(), player.ID, join, link, modelstest.Season, modelstest.Noon); !modelstest.IsRefused(err, "validation_failed") {
				t.Errorf("%s: %v", link, err)
			}
		}
		daily := modelstest.TaskOf(t, store, player.ID, game.TapCount, modelstest.Noon)
		for _, task := range []int64{news, daily.Task.ID, 999_999} {
			if _, err := store.Tasks.TrackLink(t.Context(), player.ID, task, newsChannel, modelstest.Season, modelstest.Noon); !errors.Is(err, db.ErrNotFound) {
				t.Errorf("task %d: %v", task, err)
			}
		}
		wantTask(t, store, player.ID, game.ExchangeJoin, modelstest.Noon, models.TaskActive, 0)
		for range 2 {
			row, err := store.Tasks.TrackLink(t.Context(), player.ID, join, joinLink, modelstest.Season, modelstest.Noon)
			if err != nil || row.State != models.TaskCompleted || row.Progress != 1 {
				t.Errorf("the visit: %+v, %v", row, err)
			}
		}
		row := modelstest.TaskOf(t, store, player.ID, game.ExchangeJoin, modelstest.Noon)
		if _, _, err := store.Tasks.ClaimTask(t.Context(), modelstest.By(player), row.TaskID, modelstest.Season, modelstest.Noon); err != nil {
			t.Fatal(err)
		}
		if row, err := store.Tasks.TrackLink(t.Context(), player.ID, join, joinLink, modelstest.Season, modelstest.Noon); err != nil || row.State != models.TaskClaimed {
			t.Errorf("a visit after the claim: %+v, %v", row, err)
		}
		wantTask(t, store, player.ID, game.ExchangeJoin, modelstest.Noon.Add(9*24*time.Hour), models.TaskClaimed, 1)
		unseen := modelstest.Player(t, store)
		if row, err := store.Tasks.TrackLink(t.Context(), unseen.ID, join, joinLink, modelstest.Season, modelstest.Noon); err != nil || row.State != models.TaskCompleted {
			t.Errorf("a visit before the first look: %+v, %v", row, err)
		}
		young := modelstest.Player(t, store, modelstest.Unconsented())
		if _, err := store.Tasks.TrackLink(t.Context(), young.ID, join, joinLink, modelstest.Season, modelstest.Noon); !modelstest.IsRefused(err, game.AgeConsentRequired) {
			t.Errorf("without consent: %v", err)
		}
		modelstest.Sound(t, store)
	})
}

func TestSubscriptionOfStoredChannelCompletesItsTask(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		join, news := offerTask(t, store)
		player := modelstest.Player(t, store)
		for _, channel := range []string{"@evil_news", "https://evil.example/mcbk_news", "mcbk_news", "http://t.me/mcbk_news", ""} {
			if _, err := store.Tasks.ChannelOf(t.Context(), player.ID, news, channel, modelstest.Season, modelstest.Noon); !modelstest.IsRefused(err, "validation_failed") {
				t.Errorf("%s: %v", channel, err)
			}
		}
		if _, err := store.Tasks.ChannelOf(t.Context(), player.ID, join, newsChannel, modelstest.Season, modelstest.Noon); !errors.Is(err, db.ErrNotFound) {
			t.Errorf("a task of another kind: %v", err)
		}
		for _, channel := range []string{newsChannel, "@mcbk_news", "@MCBK_News"} {
			if name, err := store.Tasks.ChannelOf(t.Context(), player.ID, news, channel, modelstest.Season, modelstest.Noon); err != nil || name != "@mcbk_news" {
				t.Errorf("%s: Telegram is asked about %s, %v", channel, name, err)
			}
		}
		for _, step := range []struct {
			subscribed bool
			state      models.TaskState
		}{{false, models.TaskActive}, {true, models.TaskCompleted}, {false, models.TaskCompleted}} {
			row, err := store.Tasks.NoteSubscription(t.Context(), player.ID, news, "@mcbk_news", step.subscribed, modelstest.Season, modelstest.Noon)
			if err != nil || row.State != step.state {
				t.Errorf("%+v: %+v, %v", step, row, err)
			}
		}
		modelstest.Sound(t, store)
	})
}

func TestWithdrawnTaskCanStillBeClaimed(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		join, _ := offerTask(t, store)
		done, late := modelstest.Player(t, store), modelstest.Player(t, store)
		for _, p := range []models.Player{done, late} {
			modelstest.TaskOf(t, store, p.ID, game.ExchangeJoin, modelstest.Noon)
		}
		modelstest.Must(store.Tasks.TrackLink(t.Context(), done.ID, join, joinLink, modelstest.Season, modelstest.Noon))(t)
		modelstest.Done(t, store, tasks.ActionRetireTask, fmt.Sprint(join))
		if lists, err := store.Tasks.Tasks(t.Context(), late, modelstest.Noon); err != nil || len(lists.Permanent) != 1 {
			t.Errorf("who had not done it sees %+v, %v", lists.Permanent, err)
		}
		if _, err := store.Tasks.TrackLink(t.Context(), late.ID, join, joinLink, modelstest.Season, modelstest.Noon); !errors.Is(err, db.ErrNotFound) {
			t.Errorf("and completes it: %v", err)
		}
		row := modelstest.TaskOf(t, store, done.ID, game.ExchangeJoin, modelstest.Noon)
		if _, paid, err := store.Tasks.ClaimTask(t.Context(), modelstest.By(done), row.TaskID, modelstest.Season, modelstest.Noon); err != nil || paid.Balances.Game != 3*game.MCBK {
			t.Errorf("who had done it: %+v, %v", paid.Balances, err)
		}
		if lists, err := store.Tasks.Tasks(t.Context(), done, modelstest.Noon); err != nil || len(lists.Permanent) != 1 {
			t.Errorf("and sees afterwards %+v, %v", lists.Permanent, err)
		}
		modelstest.Done(t, store, tasks.ActionAddTask, "exchange_join", joinLink, "Again", "Снова")
		modelstest.Sound(t, store)
	})
}

func TestAdminsOfferOnlyLinksThatPlayersMayOpen(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		join, _ := offerTask(t, store)
		before := modelstest.Must(store.Tasks.PermanentTasks(t.Context()))(t)
		for reason, asked := range map[string][][]string{
			"validation_failed": {
				{"tap_count", "https://exchange.example", "A", "Б"},
				{"exchange_join", "javascript:alert(1)", "A", "Б"},
				{"exchange_join", "//evil.example", "A", "Б"},
				{"telegram_subscription", "https://evil.example/news", "A", "Б"},
				{"exchange_join", "https://a.example", " ", "Б"},
				{"exchange_join", "https://a.example", "A", strings.Repeat("я", 101)},
			},
			"not_eligible":    {{"exchange_join", "https://a.example", "A", "Б", "3 MCBK and 101 points"}},
			"already_offered": {{"exchange_join", joinLink, "A", "Б"}, {"telegram_subscription", "https://t.me/MCBK_news", "A", "Б"}},
		} {
			for _, args := range asked {
				if a := confirmAction(t, store, tasks.ActionAddTask, args...); a.State != models.ActionRefused || a.Outcome != reason {
					t.Errorf("%q: %+v", args, a)
				}
			}
		}
		for _, id := range []string{"999999", "x", fmt.Sprint(modelstest.TaskOf(t, store, modelstest.Player(t, store).ID, game.TapCount, modelstest.Noon).Task.ID)} {
			if a := confirmAction(t, store, tasks.ActionRetireTask, id); a.State != models.ActionRefused || a.Outcome != "not_found" {
				t.Errorf("retire %s: %+v", id, a)
			}
		}
		if after, err := store.Tasks.PermanentTasks(t.Context()); err != nil || len(after) != len(before) {
			t.Errorf("offered are %+v, %v", after, err)
		}
		modelstest.Done(t, store, tasks.ActionRetireTask, fmt.Sprint(join))
		if a := confirmAction(t, store, tasks.ActionRetireTask, fmt.Sprint(join)); a.Outcome != "not_found" {
			t.Errorf("retired again: %+v", a)
		}
	})
}

func TestTwoAdminsOfferALinkOnce(t *testing.T) {
	t.Parallel()
	address := modelstest.Address(t, "postgres")
	store := modelstest.OpenStore(t, address)
	other := `INSERT INTO tasks (action, target, reward_coins, reward_points, url, title_en, title_ru, created_at)
		VALUES ('exchange_join', 1, 3000000, 100, '` + joinLink + `', 'A', 'Б', now())`
	var a models.AdminAction
	modelstest.NoError(t, modelstest.Behind(t, address, other, func() error {
		a = confirmAction(t, store, tasks.ActionAddTask, "exchange_join", joinLink, "A", "Б")
		return nil
	}))
	if a.State != models.ActionRefused || a.Outcome != "already_offered" {
		t.Errorf("the second: %+v", a)
	}
	if all, err := store.Tasks.PermanentTasks(t.Context()); err != nil || len(all) != 1 {
		t.Errorf("offered are %+v, %v", all, err)
	}
}

func TestAdminSeesHowManyCompletedATask(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		join, _ := offerTask(t, store)
		for range 2 {
			modelstest.Must(store.Tasks.TrackLink(t.Context(), modelstest.Player(t, store).ID, join, joinLink, modelstest.Season, modelstest.Noon))(t)
		}
		modelstest.TaskOf(t, store, modelstest.Player(t, store).ID, game.ExchangeJoin, modelstest.Noon)
		all, err := store.Tasks.PermanentTasks(t.Context())
		if i := slices.IndexFunc(all, func(p tasks.PermanentTask) bool { return p.ID == join }); err != nil || all[i].Done != 2 {
			t.Errorf("%+v, %v", all, err)
		}
	})
}

// confirmAction is an admin's question that was confirmed, whatever came of it.
func confirmAction(t *testing.T, store *store.Store, action models.Action, args ...string) models.AdminAction {
	t.Helper()
	nonce := modelstest.Must(store.Admin.RequestConfirmation(t.Context(), models.PendingAction{Admin: modelstest.Admin, Action: action, Args: args}, modelstest.Noon))(t)
	press := admin.Confirmation{Admin: modelstest.Admin, ChatID: modelstest.Admin, Nonce: nonce, Admins: []int64{modelstest.Admin}}
	decision, err := store.Admin.ConfirmAction(t.Context(), press, modelstest.Noon)
	if err != nil || decision.Refusal != "" {
		t.Fatalf("%+v, %v", decision, err)
	}
	return decision.Action
}
