package api

import (
	"context"
	"time"

	"mcbk/models"
	"mcbk/models/db"
)

// ListTasks lists today's tasks and the permanent ones.
func (s *Server) ListTasks(ctx context.Context, _ ListTasksRequestObject) (ListTasksResponseObject, error) {
	p := player(ctx)
	lists, err := s.store.Tasks.Tasks(ctx, p, s.now())
	if err != nil {
		return nil, err
	}
	return ListTasks200JSONResponse{Tasks: readTasks(lists.Daily, p.Language), PermanentTasks: readTasks(lists.Permanent, p.Language)}, nil
}

// ClaimTask pays a completed task.
func (s *Server) ClaimTask(ctx context.Context, request ClaimTaskRequestObject) (ClaimTaskResponseObject, error) {
	now := s.now()
	permanent, paid, err := s.store.Tasks.ClaimTask(ctx, callerOf(ctx, "ClaimTask"), request.Body.UserTaskID, s.options.Season, now)
	if err != nil {
		return nil, err
	}
	return ClaimTask200JSONResponse{IsPermanent: permanent, User: s.user(paid, now)}, nil
}

// TrackLink completes a task whose link was opened.
func (s *Server) TrackLink(ctx context.Context, request TrackLinkRequestObject) (TrackLinkResponseObject, error) {
	p := player(ctx)
	row, err := s.store.Tasks.TrackLink(ctx, p.ID, request.Body.TaskID, request.Body.ExternalURL, s.options.Season, s.now())
	if err != nil {
		return nil, err
	}
	return TrackLink200JSONResponse{Success: true, Task: task(row, p.Language)}, nil
}

// CheckTelegram completes a task whose channel the player joined, as fetchSubscription has loaded.
func (s *Server) CheckTelegram(ctx context.Context, request CheckTelegramRequestObject) (CheckTelegramResponseObject, error) {
	said, ok := ctx.Value(subscriptionKey).(subscription)
	if !ok {
		return nil, db.ErrUnavailable
	}
	p := player(ctx)
	row, err := s.store.Tasks.NoteSubscription(ctx, p.ID, request.Body.TaskID, said.channel, said.subscribed, s.options.Season, s.now())
	if err != nil {
		return nil, err
	}
	return CheckTelegram200JSONResponse{IsSubscribed: said.subscribed, Task: task(row, p.Language)}, nil
}

func readTasks(rows []models.PlayerTask, language string) []Task {
	return db.MapSlice(rows, func(row models.PlayerTask) Task { return task(row, language) })
}

// taskStatus maps a state to the contract's. A task of today may be expired if the closing process's clock is ahead; until midnight it
// still counts.
func taskStatus(state models.TaskState) TaskStatus {
	if state == models.TaskExpired {
		return TaskStatusActive
	}
	return TaskStatus(state)
}

func task(row models.PlayerTask, language string) Task {
	title, description := titled(row.Task, language)
	t := Task{
		ID: row.Task.ID, TaskID: row.Task.ID, Title: title, Description: description,
		ActionType: TaskAction(row.Task.Action), Status: taskStatus(row.State),
		Progress:    TaskProgress{Current: row.Progress, Target: row.Task.Target, Percentage: row.Task.Terms().Percentage(row.Progress)},
		RewardCoins: Coins(row.Task.RewardCoins), RewardPoints: row.Task.RewardPoints,
		Image:       permanentPictures[row.Task.Action],
		ExternalURL: row.Task.URL, TaskDate: "permanent", IsPermanent: row.Task.Day == nil, ClaimedAt: row.ClaimedAt,
	}
	if row.Task.Day != nil {
		t.TaskDate = row.Task.Day.Start().Format(time.DateOnly)
	}
	return t
}
