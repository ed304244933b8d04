package tasks_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
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
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		join, news := offerTask(t, store)
		player := modelstest.Player(t, store)
		for _, link := range []string{"https://exchange.example/join", "javascript:alert(1)", joinLink + " ", strings.ToUpper(joinLink)} {
			modelstest.Refuses(store.Tasks.TrackLink(t.Context(), player.ID, join, link, modelstest.Season, modelstest.Noon))(t, "validation_failed", link)
		}
		daily := modelstest.TaskOf(t, store, player.ID, game.TapCount, modelstest.Noon)
		for _, task := range []int64{news, daily.Task.ID, 999_999} {
			modelstest.Fails(store.Tasks.TrackLink(t.Context(), player.ID, task, newsChannel, modelstest.Season, modelstest.Noon))(t, db.ErrNotFound, "task", task)
		}
		wantTask(t, store, player.ID, game.ExchangeJoin, modelstest.Noon, models.TaskActive, 0)
		for range 2 {
			row, err := store.Tasks.TrackLink(t.Context(), player.ID, join, joinLink, modelstest.Season, modelstest.Noon)
			if err != nil || row.State != models.TaskCompleted || row.Progress != 1 {
				t.Errorf("the visit: %+v, %v", row, err)
			}
		}
		row := modelstest.TaskOf(t, store, player.ID, game.ExchangeJoin, modelstest.Noon)
		modelstest.Must(claim(t, store, player, row.TaskID, modelstest.Noon))(t)
		modelstest.Equal(t, modelstest.Must(store.Tasks.TrackLink(t.Context(), player.ID, join, joinLink, modelstest.Season, modelstest.Noon))(t).State, models.TaskClaimed, "a visit after the claim")
		wantTask(t, store, player.ID, game.ExchangeJoin, modelstest.Noon.Add(9*24*time.Hour), models.TaskClaimed, 1)
		unseen := modelstest.Player(t, store)
		modelstest.Equal(t, modelstest.Must(store.Tasks.TrackLink(t.Context(), unseen.ID, join, joinLink, modelstest.Season, modelstest.Noon))(t).State, models.TaskCompleted, "a visit before the first look")
		young := modelstest.Player(t, store, modelstest.Unconsented())
		modelstest.Refuses(store.Tasks.TrackLink(t.Context(), young.ID, join, joinLink, modelstest.Season, modelstest.Noon))(t, game.AgeConsentRequired, "without consent")
	})
}

func TestSubscriptionOfStoredChannelCompletesItsTask(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		join, news := offerTask(t, store)
		player := modelstest.Player(t, store)
		for _, channel := range []string{"@evil_news", "https://evil.example/mcbk_news", "mcbk_news", "http://t.me/mcbk_news", ""} {
			modelstest.Refuses(store.Tasks.ChannelOf(t.Context(), player.ID, news, channel, modelstest.Season, modelstest.Noon))(t, "validation_failed", channel)
		}
		modelstest.Fails(store.Tasks.ChannelOf(t.Context(), player.ID, join, newsChannel, modelstest.Season, modelstest.Noon))(t, db.ErrNotFound, "a task of another kind")
		for _, channel := range []string{newsChannel, "@mcbk_news", "@MCBK_News"} {
			modelstest.Returns(store.Tasks.ChannelOf(t.Context(), player.ID, news, channel, modelstest.Season, modelstest.Noon))(t, "@mcbk_news", channel, "Telegram is asked about")
		}
		for _, step := range []struct {
			subscribed bool
			state      models.TaskState
		}{{false, models.TaskActive}, {true, models.TaskCompleted}, {false, models.TaskCompleted}} {
			row := modelstest.Must(store.Tasks.NoteSubscription(t.Context(), player.ID, news, "@mcbk_news", step.subscribed, modelstest.Season, modelstest.Noon))(t)
			modelstest.Equal(t, row.State, step.state, step, row)
		}
	})
}

func TestWithdrawnTaskCanStillBeClaimed(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		join, _ := offerTask(t, store)
		done, late := modelstest.Player(t, store), modelstest.Player(t, store)
		for _, p := range []models.Player{done, late} {
			modelstest.TaskOf(t, store, p.ID, game.ExchangeJoin, modelstest.Noon)
		}
		modelstest.Must(store.Tasks.TrackLink(t.Context(), done.ID, join, joinLink, modelstest.Season, modelstest.Noon))(t)
		modelstest.Done(t, store, tasks.ActionRetireTask, fmt.Sprint(join))
		modelstest.Equal(t, len(modelstest.Must(store.Tasks.Tasks(t.Context(), late, modelstest.Noon))(t).Permanent), 1, "who had not done it sees")
		modelstest.Fails(store.Tasks.TrackLink(t.Context(), late.ID, join, joinLink, modelstest.Season, modelstest.Noon))(t, db.ErrNotFound, "and completes it")
		row := modelstest.TaskOf(t, store, done.ID, game.ExchangeJoin, modelstest.Noon)
		modelstest.Equal(t, modelstest.Must(claim(t, store, done, row.TaskID, modelstest.Noon))(t).Balances.Game, 3*game.MCBK, "who had done it")
		modelstest.Equal(t, len(modelstest.Must(store.Tasks.Tasks(t.Context(), done, modelstest.Noon))(t).Permanent), 1, "and sees afterwards")
		modelstest.Done(t, store, tasks.ActionAddTask, "exchange_join", joinLink, "Again", "Снова")
	})
}

func TestAdminsOfferOnlyLinksThatPlayersMayOpen(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		join, _ := offerTask(t, store)
		before := modelstest.Must(store.Tasks.PermanentTasks(t.Context()))(t)
		for reason, asked := range map[game.Code][][]string{
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
				modelstest.Refused(t, store, reason, tasks.ActionAddTask, args...)
			}
		}
		for _, id := range []string{"999999", "x", fmt.Sprint(modelstest.TaskOf(t, store, modelstest.Player(t, store).ID, game.TapCount, modelstest.Noon).Task.ID)} {
			modelstest.Refused(t, store, "not_found", tasks.ActionRetireTask, id)
		}
		modelstest.Equal(t, len(modelstest.Must(store.Tasks.PermanentTasks(t.Context()))(t)), len(before), "offered are")
		modelstest.Done(t, store, tasks.ActionRetireTask, fmt.Sprint(join))
		modelstest.Refused(t, store, "not_found", tasks.ActionRetireTask, fmt.Sprint(join)) // again
	})
}

func TestTwoAdminsOfferALinkOnce(t *testing.T) {
	t.Parallel()
	address := modelstest.Address(t, "postgres")
	store := modelstest.OpenStore(t, address)
	other := `INSERT INTO tasks (action, target, reward_coins, reward_points, url, title_en, title_ru, created_at)
		VALUES ('exchange_join', 1, 3000000, 100, '` + joinLink + `', 'A', 'Б', now())`
	modelstest.NoError(t, modelstest.Behind(t, address, other, func() error {
		modelstest.Refused(t, store, "already_offered", tasks.ActionAddTask, "exchange_join", joinLink, "A", "Б")
		return nil
	}))
	modelstest.Equal(t, len(modelstest.Must(store.Tasks.PermanentTasks(t.Context()))(t)), 1, "offered are")
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
