package api_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"mcbk/api"
	"mcbk/game"
	"mcbk/models/modelstest"
	"mcbk/models/settings"
	"mcbk/models/store"
)

// taskIn is an action's task in a response.
func taskIn(a answer, action string) map[string]any {
	var lists map[string][]map[string]any
	decoder := json.NewDecoder(strings.NewReader(a.body))
	decoder.UseNumber()
	if decoder.Decode(&lists) != nil {
		return nil
	}
	all := slices.Concat(lists["tasks"], lists["permanent_tasks"])
	if i := slices.IndexFunc(all, func(task map[string]any) bool { return task["action_type"] == action }); i >= 0 {
		return all[i]
	}
	return nil
}

func taskField(a answer, action, field string) string { return fmt.Sprint(taskIn(a, action)[field]) }

func (g *table) tasks(launch string) answer {
	g.t.Helper()
	return g.asks(launch, "GET", "/tasks", "", 200, nil)
}

func claim(id, launch string) request {
	return request{method: "POST", path: "/api/tasks/claim", body: `{"user_task_id":` + id + `}`, launch: launch}
}

func TestTasksUsePlayersLanguage(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, g *table) {
		raw := g.arrives(modelstest.TelegramID())
		offered(t, g)
		titles := func() (all []string) {
			a := g.tasks(raw)
			for _, action := range []string{
				"roulette_spin", "tap_count", "watch_ads", "get_prediction", "invite_friends", "energy_spend", "exchange_join", "telegram_subscription",
			} {
				if taskField(a, action, "description") == "" {
					t.Errorf("%s has no description", action)
				}
				all = append(all, taskField(a, action, "title"))
			}
			return all
		}
		if got, want := titles(), []string{
			"Spin the wheel 10 times", "Tap the bag 500 times", "Watch ads 5 times", "Ask for advice", "Invite a friend", "Spend 1,000 energy", "Join", "News",
		}; !slices.Equal(got, want) {
			t.Errorf("English: %q", got)
		}
		g.send(request{method: "PUT", path: "/api/user/update", body: `{"language":"ru"}`, launch: raw})
		if got, want := titles(), []string{
			"Покрутите колесо 10 раз", "Тапните по мешку 500 раз", "Посмотрите рекламу 5 раз", "Спросите совет", "Пригласите друга",
			"Потратьте 1\u00a0000 энергии", "Вступайте", "Новости",
		}; !slices.Equal(got, want) {
			t.Errorf("Russian: %q", got)
		}
	})
}

func TestTaskHasAllItsFields(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, g *table) {
		raw := g.arrives(modelstest.TelegramID())
		join, _ := offered(t, g)
		g.asks(raw, "POST", "/tap/perform-batch-tap", `{"total_taps":49,"batch_id":"batch-0001"}`, 200, nil)
		taps := taskIn(g.tasks(raw), "tap_count")
		progress, _ := json.Marshal(taps["progress"]) //nolint:errchkjson // it was JSON
		if string(progress) != `{"current":49,"percentage":9,"target":500}` || taps["status"] != "active" || taps["task_date"] != "2026-03-04" ||
			fmt.Sprintf("%v %v %v %v %q", taps["isPermanent"], taps["claimed_at"], taps["reward_coins"], taps["reward_points"], taps["external_url"]) != `false <nil> 1 50 ""` {
			t.Errorf("%v", taps)
		}
		g.refuses("another link", visit(join, "https://evil.example/join", raw), 400, "validation_failed")
		visited := g.answers("visited", visit(join, joinLink, raw), 200, map[string]string{
			"success": "true", "task.status": "completed", "task.progress.percentage": "100", "task.task_date": "permanent", "task.isPermanent": "true", "task.external_url": joinLink,
		})
		g.answers("claimed", claim(visited.at("task.id"), raw), 200, map[string]string{
			"isPermanent": "true", "user.balance.game_mcbk": "3.049", "user.balance.game_points": "100",
		})
		if a := g.tasks(raw); taskField(a, "exchange_join", "claimed_at") != "2026-03-04T12:00:00Z" || taskField(a, "exchange_join", "status") != "claimed" {
			t.Errorf("afterwards: %v", taskIn(a, "exchange_join"))
		}
	})
}

// telegramSays runs the game with a fake Telegram.
func telegramSays(t *testing.T, store *store.Store, says func(ctx context.Context, channel string, telegramID int64) (bool, error)) *table {
	t.Helper()
	return serve(t, store, func(o *api.Options) { o.Subscribed = says })
}

func TestSubscriptionFollowsTelegram(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		var (
			asked            int
			subscribed, away bool
			id               = modelstest.TelegramID()
		)
		g := telegramSays(t, store, func(_ context.Context, channel string, telegramID int64) (bool, error) {
			if asked++; channel != "@mcbk_news" || telegramID != id {
				t.Errorf("asked about %d in %s", telegramID, channel)
			}
			if away {
				return true, errors.New("Bad Gateway")
			}
			return subscribed, nil
		})
		raw := g.arrives(id)
		_, news := offered(t, g)
		keyed := func(channel string) request {
			return check(news, channel, raw).with("Idempotency-Key", modelstest.Key(1), true)
		}
		g.refuses("another channel", check(news, "@another_one", raw), 400, "validation_failed")
		g.answers("not subscribed", check(news, newsChannel, raw), 200, map[string]string{"is_subscribed": "false", "task.status": "active"})
		away = true
		if a := g.refuses("away", keyed(newsChannel), 503, "telegram_unavailable"); a.header.Get("Retry-After") == "" {
			t.Error("no Retry-After")
		}
		if taskField(g.tasks(raw), "telegram_subscription", "status") != "active" {
			t.Error("it was completed by an error")
		}
		away, subscribed = false, true
		first := g.answers("subscribed", keyed("@mcbk_news"), 200, map[string]string{"is_subscribed": "true", "task.status": "completed"})
		away = true
		if again := g.send(keyed("@mcbk_news")); again.body != first.body || asked != 3 {
			t.Errorf("the same request again got %s, Telegram was asked %d times", again.body, asked)
		}
		g.refuses("another request with its key", keyed(newsChannel), 422, "idempotency_key_reused")
	})
}

// On SQLite a transaction would block every writer.
func TestSlowTelegramDelaysNoOtherCalls(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		asked, answer := make(chan struct{}, 1), make(chan struct{})
		g := telegramSays(t, store, func(context.Context, string, int64) (bool, error) {
			asked <- struct{}{}
			<-answer
			return true, nil
		})
		raw := g.arrives(modelstest.TelegramID())
		_, news := offered(t, g)
		checked := make(chan string, 1)
		go func() {
			checked <- g.send(check(news, newsChannel, raw).with("Idempotency-Key", modelstest.Key(1), true)).at("task.status")
		}()
		<-asked
		for range 2 {
			g.asks(raw, "POST", "/tap/perform-batch-tap", `{"total_taps":1}`, 200, nil)
		}
		close(answer)
		if status := <-checked; status != "completed" {
			t.Errorf("the task is %s", status)
		}
	})
}

func TestTelegramTimeoutIsUnavailable(t *testing.T) {
	g := telegramSays(t, modelstest.Store(t, "sqlite"), func(ctx context.Context, _ string, _ int64) (bool, error) {
		if end, ends := ctx.Deadline(); !ends || time.Until(end) > 5*time.Second {
			t.Errorf("it may answer until %s", end)
		}
		return false, context.DeadlineExceeded
	})
	raw := g.arrives(modelstest.TelegramID())
	_, news := offered(t, g)
	g.refuses("a timeout", check(news, newsChannel, raw), 503, "telegram_unavailable")
}

func TestConcurrentTelegramCallsAreLimited(t *testing.T) {
	answer := make(chan struct{})
	g := telegramSays(t, modelstest.Store(t, "sqlite"), func(context.Context, string, int64) (bool, error) {
		<-answer
		return true, nil
	})
	raw := g.arrives(modelstest.TelegramID())
	_, news := offered(t, g)
	const some = 40
	codes := make(chan string, some)
	for range some {
		go func() { codes <- g.send(check(news, newsChannel, raw)).code() }()
	}
	for range some - 32 {
		if code := <-codes; code != "telegram_unavailable" {
			t.Errorf("beyond the limit: %q", code)
		}
	}
	close(answer)
	for range 32 {
		if code := <-codes; code != "" {
			t.Errorf("within the limit: %q", code)
		}
	}
}

func TestSubscriptionChecksAreLimited(t *testing.T) {
	g := limited(t)
	raw := g.arrives(modelstest.TelegramID())
	_, news := offered(t, g)
	if n := g.passed(check(news, newsChannel, raw)); n != 6 {
		t.Errorf("%d checks at once", n)
	}
	if a := g.send(check(news, newsChannel, raw)); a.header.Get("Retry-After") != "10" {
		t.Errorf("Retry-After %q", a.header.Get("Retry-After"))
	}
	if g.clock.Step(10 * time.Second); g.passed(check(news, newsChannel, raw)) != 1 {
		t.Error("not one more after ten seconds")
	}
}

// The process that closes a day's tasks may be ahead at midnight.
func TestTasksClosedEarlyStayActiveUntilMidnight(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, g *table) {
		raw := g.arrives(modelstest.TelegramID())
		midnight := modelstest.Noon.Truncate(24 * time.Hour).Add(24 * time.Hour)
		g.clock.Step(midnight.Add(-time.Second).Sub(modelstest.Noon))
		g.send(request{method: "POST", path: "/api/tap/perform-batch-tap", body: `{"total_taps":49,"batch_id":"batch-0001"}`, launch: raw})
		modelstest.NoError(t, modelstest.CountTask(t.Context(), g.store, g.player(raw).ID, game.WatchAds, 1, g.clock.Now())) // begins a row
		before := g.tasks(raw)
		if closed, err := g.store.Tasks.CloseTasks(t.Context(), modelstest.Season, midnight); err != nil || closed != 1 {
			t.Fatalf("closed %d: %v", closed, err)
		}
		after := g.tasks(raw)
		for _, task := range settings.DefaultSettings().DailyTasks() {
			action := string(task.Action)
			if was, is := taskField(before, action, "progress"), taskField(after, action, "progress"); taskField(after, action, "status") != "active" || is != was {
				t.Errorf("%s: %v, before %s", action, taskIn(after, action), was)
			}
		}
	})
}
