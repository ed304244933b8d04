package api_test

import (
	"fmt"
	"testing"

	"mcbk/game"
	"mcbk/models/modelstest"
	"mcbk/models/tasks"
)

const (
	joinLink    = "https://exchange.example/join"
	newsChannel = "https://t.me/mcbk_news"
)

// offered are permanent tasks of both kinds, created once per table.
func offered(t testing.TB, g *table) (join, news int64) {
	t.Helper()
	if all := modelstest.Must(g.store.Tasks.PermanentTasks(t.Context()))(t); len(all) == 0 {
		modelstest.Done(t, g.store, tasks.ActionAddTask, "exchange_join", joinLink, "Join", "Вступайте")
		modelstest.Done(t, g.store, tasks.ActionAddTask, "telegram_subscription", "@mcbk_news", "News", "Новости")
	}
	ids := map[game.TaskAction]int64{}
	for _, task := range modelstest.Must(g.store.Tasks.PermanentTasks(t.Context()))(t) {
		ids[task.Action] = task.ID
	}
	return ids[game.ExchangeJoin], ids[game.TelegramSubscription]
}

var _ = guard("claimTask", example{
	good: func(g *table, launch, _ string) request {
		join, _ := offered(g.t, g)
		visited := g.send(visit(join, joinLink, launch))
		if visited.status != 200 { // the game is closed to them
			return claim("1", launch)
		}
		return claim(visited.at("task.id"), launch)
	},
	// A task is everybody's: what one has completed is not the other's.
	cases: map[kind]func(*testing.T, *table){foreign: func(t *testing.T, g *table) {
		join, _ := offered(t, g)
		g.send(visit(join, joinLink, g.arrives(modelstest.TelegramID())))
		other := g.arrives(modelstest.TelegramID())
		before := g.contents(t)
		g.refuses("what is another's", claim(fmt.Sprint(join), other), 409, "not_completed")
		g.unchanged(before)
	}},
})

func visit(task int64, link, launch string) request {
	return request{method: "POST", path: "/api/tasks/track-link", body: fmt.Sprintf(`{"task_id":%d,"external_url":"%s"}`, task, link), launch: launch}
}

func check(task int64, channel, launch string) request {
	return request{method: "POST", path: "/api/tasks/check-telegram", body: fmt.Sprintf(`{"task_id":%d,"channel_url":"%s"}`, task, channel), launch: launch}
}

var _ = guard("trackLink", example{
	good: func(g *table, launch, _ string) request {
		join, _ := offered(g.t, g)
		return visit(join, joinLink, launch)
	},
	cases: map[kind]func(*testing.T, *table){foreign: noTaskOfThatNumber("/api/tasks/track-link", `"external_url":"`+joinLink+`"`)},
})

var _ = guard("checkTelegram", example{
	good: func(g *table, launch, _ string) request {
		_, news := offered(g.t, g)
		return check(news, newsChannel, launch)
	},
	cases: map[kind]func(*testing.T, *table){foreign: noTaskOfThatNumber("/api/tasks/check-telegram", `"channel_url":"`+newsChannel+`"`)},
})

// A permanent task belongs to all players. An unknown ID, a daily task or one of the other kind is not found and changes nothing.
func noTaskOfThatNumber(path, rest string) func(*testing.T, *table) {
	return func(t *testing.T, g *table) {
		raw := g.arrives(modelstest.TelegramID())
		join, news := offered(t, g)
		other := map[string]int64{"/api/tasks/track-link": news, "/api/tasks/check-telegram": join}[path]
		list := g.send(request{method: "GET", path: "/api/tasks", launch: raw})
		before := g.contents(t)
		for _, task := range []string{fmt.Sprint(other), "999999", taskField(list, "tap_count", "task_id")} {
			g.refuses("task "+task, request{method: "POST", path: path, body: `{"task_id":` + task + `,` + rest + `}`, launch: raw}, 404, "not_found")
		}
		g.unchanged(before)
	}
}
