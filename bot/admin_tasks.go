package bot

import (
	"context"
	"fmt"
	"html"
	"slices"
	"strconv"
	"strings"

	"mcbk/game"
	"mcbk/models/tasks"
)

func (h *adminHandler) listTasks(ctx context.Context, _ []string) (reply, error) {
	all, err := h.store.Tasks.PermanentTasks(ctx)
	if err != nil {
		return reply{}, err
	}
	if len(all) == 0 {
		return reply{text: "No permanent task is offered. /task shows how to add one."}, nil
	}
	lines := []string{"<b>Permanent tasks</b>"}
	for _, t := range all {
		lines = append(lines, fmt.Sprintf("%d: %s %s, done by %d\n%s | %s", t.ID, t.Action, html.EscapeString(t.URL), t.Done,
			html.EscapeString(t.TitleEn), html.EscapeString(t.TitleRu)))
	}
	return reply{text: strings.Join(lines, "\n")}, nil
}

// addTask requests confirmation of a new task and its reward.
func addTask(action game.TaskAction) func(*adminHandler, context.Context, []string) (reply, error) {
	return func(h *adminHandler, ctx context.Context, values []string) (reply, error) {
		link := values[0]
		terms, _ := h.store.Settings.RuntimeSettings(ctx, h.now()).PermanentTask(action)
		ask := fmt.Sprintf("Offer this to all players, for %s?", tasks.RewardOf(terms))
		if channel, ok := tasks.ChannelLink(link); ok && action == game.TelegramSubscription {
			link = channel
			ask += " The bot must be an administrator of the channel, or nobody can be checked."
		}
		english, russian, _ := strings.Cut(values[1], "|")
		english, russian = strings.TrimSpace(english), strings.TrimSpace(russian)
		return reply{
			text:   fmt.Sprintf("%s\n\n%s | %s\n%s", ask, html.EscapeString(english), html.EscapeString(russian), html.EscapeString(link)),
			action: tasks.ActionAddTask, args: []string{string(action), link, english, russian, tasks.RewardOf(terms)},
		}, nil
	}
}

func (h *adminHandler) retireTask(ctx context.Context, values []string) (reply, error) {
	all, err := h.store.Tasks.PermanentTasks(ctx)
	if err != nil {
		return reply{}, err
	}
	id, err := strconv.ParseInt(values[0], 10, 64)
	if err != nil {
		return reply{}, err
	}
	i := slices.IndexFunc(all, func(t tasks.PermanentTask) bool { return t.ID == id })
	if i < 0 {
		return reply{text: "No such task is offered. /task list shows those that are."}, nil
	}
	return reply{
		text: fmt.Sprintf("Retire this task? Players who completed it may still claim.\n\n%s | %s\n%s",
			html.EscapeString(all[i].TitleEn), html.EscapeString(all[i].TitleRu), html.EscapeString(all[i].URL)),
		action: tasks.ActionRetireTask, args: values,
	}, nil
}
