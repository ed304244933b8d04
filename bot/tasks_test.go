package bot_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"mcbk/models/modelstest"
	"mcbk/models/settings"
	"mcbk/models/store"
)

func TestAdminTasksAreOfferedInBothLanguages(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		d := atDesk(t, store)
		d.says("/task list", "No permanent task")
		for text, says := range map[string]string{
			"/task add exchange_join https://exchange.example/a?b=c Join <us> | Вступайте к нам": "Join &lt;us&gt; | Вступайте к нам\nhttps://exchange.example/a?b=c",
			"/task add telegram_subscription @mcbk_news News|Новости":                            "News | Новости\nhttps://t.me/mcbk_news",
			"/task add telegram_subscription https://t.me/mcbk_talk Talk | Поговорим":            "The bot must be an administrator of the channel",
		} {
			d.presses(d.adam, d.says(text, says).buttons()[0])
		}
		d.says("/task list", "telegram_subscription https://t.me/mcbk_news, done by 0", "Join &lt;us&gt; | Вступайте к нам", "Talk | Поговорим")
		all := modelstest.Must(store.Tasks.PermanentTasks(t.Context()))(t)
		d.presses(d.adam, d.says(fmt.Sprint("/task retire 0", all[0].ID), "may still claim").buttons()[0])
		if left := modelstest.Must(store.Tasks.PermanentTasks(t.Context()))(t); len(all) != 3 || len(left) != 2 {
			t.Errorf("left are %+v of %+v", left, all)
		}
		d.refuses(fmt.Sprint("/task retire ", all[0].ID), "No such task")
	})
}

// Another admin may change the setting before the press.
func TestTaskIsAddedOnlyWithShownReward(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		d := atDesk(t, store)
		asks := func(reward string) string {
			t.Helper()
			return d.says("/task add exchange_join https://exchange.example/join Join | Вступайте", "for "+reward+"?").buttons()[0]
		}
		button := asks("3 MCBK and 100 points")
		modelstest.Done(t, store, settings.ActionChangeSetting, "task_exchange_join", "4,110")
		d.decides(d.adam, button, "Not done.", "something else than you were shown")
		if all, err := store.Tasks.PermanentTasks(t.Context()); err != nil || len(all) > 0 {
			t.Errorf("offered are %+v, %v", all, err)
		}
		d.decides(d.adam, asks("4 MCBK and 110 points"), "Done.", "for 4 MCBK and 110 points")
	})
}

func TestEveryChannelMemberStatusIsRead(t *testing.T) {
	f := newTelegram(t)
	s := begin(t, f, modelstest.Store(t, "sqlite"), hooked)
	answers := func(r reply, in, fails bool) {
		t.Helper()
		f.on("getChatMember", func(c call) reply {
			if c.fields["chat_id"] != "@mcbk_news" || c.fields["user_id"] != "7" {
				t.Errorf("asked %v", c.fields)
			}
			return r
		})
		timeout := time.Minute
		if r == slow {
			timeout = time.Second
		}
		ctx, cancel := context.WithTimeout(t.Context(), timeout)
		defer cancel()
		if got, err := s.bot.Subscribed(ctx, "@mcbk_news", 7); got != in || (err != nil) != fails {
			t.Errorf("%+v: %t, %v", r, got, err)
		}
	}
	for status, in := range map[string]bool{
		`"creator"`: true, `"administrator"`: true, `"member"`: true, `"restricted","is_member":true`: true, `"restricted","is_member":false`: false,
		`"left"`: false, `"kicked","until_date":0`: false,
	} {
		answers(reply{200, `{"ok":true,"result":{"status":` + status + `,"user":{"id":7,"is_bot":false,"first_name":"Ann"}}}`}, in, false)
	}
	for _, unknown := range []string{"PARTICIPANT_ID_INVALID", "member not found", "user not found"} {
		answers(reply{400, `{"ok":false,"error_code":400,"description":"Bad Request: ` + unknown + `"}`}, false, false)
	}
	for _, failure := range []reply{
		neverMet, badGateway, unavailable, slow,
		{403, `{"ok":false,"error_code":403,"description":"Forbidden: bot is not a member of the channel chat"}`},
		{200, `{"ok":true,"result":{"status":"ghost"}}`},
	} {
		answers(failure, false, true)
	}
}
