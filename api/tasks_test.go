package api_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
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
	a := g.send(request{method: "GET", path: "/api/tasks", launch: launch})
	if a.status != 200 {
		g.t.Fatalf("tasks: %d %s", a.status, a.body)
	}
	return a
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

// See CONTRACT.
func TestTaskHasAllItsFields(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, g *table) {
		raw := g.arrives(modelstest.TelegramID())
		join, _ := offered(t, g)
		g.send(request{method: "POST", path: "/api/tap/perform-batch-tap", body: `{"total_taps":49,"batch_id":"batch-0001"}`, launch: raw})
		a := g.tasks(raw)
		taps := taskIn(a, "tap_count")
		progress, _ := json.Marshal(taps["progress"]) //nolint:errchkjson // it was JSON
		if string(progress) != `{"current":49,"percentage":9,"target":500}` || taps["status"] != "active" || taps["task_date"] != "2026-03-04" ||
			fmt.Sprintf("%v %v %v %v %q", taps["isPermanent"], taps["claimed_at"], taps["reward_coins"], taps["reward_points"], taps["external_url"]) != `false <nil> 1 50 ""` {
			t.Errorf("%v", taps)
		}
		visited := g.send(visit(join, joinLink, raw))
		if visited.at("success") != "true" || visited.at("task.status") != "completed" || visited.at("task.progress.percentage") != "100" ||
			visited.at("task.task_date") != "permanent" || visited.at("task.isPermanent") != "true" || visited.at("task.external_url") != joinLink {
			t.Errorf("visited: %s", visited.body)
		}
		paid := g.send(claim(visited.at("task.id"), raw))
		if paid.at("isPermanent") != "true" || paid.at("user.balance.game_mcbk") != "3.049" || paid.at("user.balance.game_points") != "100" {
			t.Errorf("claimed: %s", paid.body)
		}
		if a := g.tasks(raw); taskField(a, "exchange_join", "claimed_at") != "2026-03-04T12:00:00Z" || taskField(a, "exchange_join", "status") != "claimed" {
			t.Errorf("afterwards: %v", taskIn(a, "exchange_join"))
		}
	})
}

func TestOnlyStoredLinkAndChannelCount(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, g *table) {
		raw := g.arrives(modelstest.TelegramID())
		join, news := offered(t, g)
		for _, r := range []request{
			visit(join, "https://evil.example/join", raw), visit(join, "javascript:alert(1)", raw), visit(join, "//evil.example", raw),
			check(news, "https://t.me/another_one", raw), check(news, "@another_one", raw), check(news, "javascript:alert(1)", raw),
		} {
			if a := g.send(r); a.status != 400 || a.code() != "validation_failed" {
				t.Errorf("%s: %d %s", r.body, a.status, a.body)
			}
		}
		a := g.tasks(raw)
		if taskField(a, "exchange_join", "status") != "active" || taskField(a, "telegram_subscription", "status") != "active" {
			t.Errorf("completed: %s", a.body)
		}
	})
}

// telegramSays runs the game with a fake Telegram.
func telegramSays(t *testing.T, store *store.Store, says func(ctx context.Context, channel string, telegramID int64) (bool, error), more ...func(*api.Options)) *table {
	t.Helper()
	return serve(t, store, append(more, func(o *api.Options) { o.Subscribed = says })...)
}

func TestSubscriptionFollowsTelegram(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		var (
			asked      atomic.Int64
			subscribed atomic.Bool
			away       atomic.Bool
			id         = modelstest.TelegramID()
		)
		g := telegramSays(t, store, func(_ context.Context, channel string, telegramID int64) (bool, error) {
			asked.Add(1)
			if channel != "@mcbk_news" || telegramID != id {
				t.Errorf("asked about %d in %s", telegramID, channel)
			}
			if away.Load() {
				return true, errors.New("Bad Gateway")
			}
			return subscribed.Load(), nil
		})
		raw := g.arrives(id)
		_, news := offered(t, g)
		if a := g.send(check(news, newsChannel, raw)); a.at("is_subscribed") != "false" || a.at("task.status") != "active" {
			t.Errorf("not subscribed: %d %s", a.status, a.body)
		}
		away.Store(true)
		a := g.send(check(news, newsChannel, raw).with("Idempotency-Key", modelstest.Key(1), true))
		if a.status != 503 || a.code() != "telegram_unavailable" || a.header.Get("Retry-After") == "" {
			t.Errorf("away: %d %s", a.status, a.body)
		}
		if taskField(g.tasks(raw), "telegram_subscription", "status") != "active" {
			t.Error("it was completed by an error")
		}
		away.Store(false)
		subscribed.Store(true)
		first := g.send(check(news, "@mcbk_news", raw).with("Idempotency-Key", modelstest.Key(1), true))
		if first.at("is_subscribed") != "true" || first.at("task.status") != "completed" {
			t.Errorf("subscribed: %d %s", first.status, first.body)
		}
		before := asked.Load()
		away.Store(true)
		if again := g.send(check(news, "@mcbk_news", raw).with("Idempotency-Key", modelstest.Key(1), true)); again.body != first.body || asked.Load() != before {
			t.Errorf("the same request again asked Telegram and got %s", again.body)
		}
		if other := g.send(check(news, newsChannel, raw).with("Idempotency-Key", modelstest.Key(1), true)); other.code() != "idempotency_key_reused" {
			t.Errorf("another request with its key: %d %s", other.status, other.body)
		}
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
			if a := g.send(request{method: "POST", path: "/api/tap/perform-batch-tap", body: `{"total_taps":1}`, launch: raw}); a.status != 200 {
				t.Errorf("a tap meanwhile: %d %s", a.status, a.body)
			}
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
		<-ctx.Done()
		return false, ctx.Err()
	})
	raw := g.arrives(modelstest.TelegramID())
	_, news := offered(t, g)
	if a := g.send(check(news, newsChannel, raw)); a.code() != "telegram_unavailable" {
		t.Errorf("answered %d %s", a.status, a.body)
	}
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
	onEachDatabase(t, func(t *testing.T, g *table) {
		limited := telegramSays(t, g.store, func(context.Context, string, int64) (bool, error) { return false, nil },
			func(o *api.Options) { o.Limits = api.Limits{Player: 10} })
		raw := limited.arrives(modelstest.TelegramID())
		_, news := offered(t, limited)
		for i := range 6 {
			if a := limited.send(check(news, newsChannel, raw)); a.status != 200 {
				t.Errorf("check %d: %d %s", i, a.status, a.body)
			}
		}
		if a := limited.send(check(news, newsChannel, raw)); a.status != 429 || a.code() != "rate_limited" || a.header.Get("Retry-After") != "10" {
			t.Errorf("the seventh: %d %s", a.status, a.body)
		}
		limited.clock.Step(10 * time.Second)
		if a := limited.send(check(news, newsChannel, raw)); a.status != 200 {
			t.Errorf("ten seconds later: %d %s", a.status, a.body)
		}
	})
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

// A thousandth of a second before and after midnight each call sees one day.
func TestTasksAtMidnightBelongToOneDay(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, g *table) {
		raw := g.arrives(modelstest.TelegramID())
		midnight := modelstest.Noon.Truncate(24 * time.Hour).Add(24 * time.Hour)
		g.clock.Step(midnight.Add(-time.Millisecond).Sub(modelstest.Noon))
		last := g.tasks(raw)
		g.clock.Step(2 * time.Millisecond)
		first := g.tasks(raw)
		for _, task := range settings.DefaultSettings().DailyTasks() {
			action := string(task.Action)
			if taskField(last, action, "task_date") != "2026-03-04" || taskField(first, action, "task_date") != "2026-03-05" ||
				taskField(last, action, "id") == taskField(first, action, "id") {
				t.Errorf("%s: %v, then %v", action, taskIn(last, action), taskIn(first, action))
			}
		}
	})
}
