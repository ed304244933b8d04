package models

import (
	"time"

	"mcbk/game"
)

// Task is what players are asked to do, on a UTC day or permanently. Its terms never change.
type Task struct {
	ID           int64
	Action       game.TaskAction
	Day          *game.Day // nil for a permanent task
	Target       int64
	RewardCoins  game.MicroMCBK
	RewardPoints int64
	URL          string // https, what to visit or to join; empty for a daily task
	TitleEn      string // empty for a daily task
	TitleRu      string
	RetiredAt    *time.Time // UTC; nil until an admin retires it
	CreatedAt    time.Time
}

// Terms returns what the task asks and pays.
func (t Task) Terms() game.TaskTerms {
	return game.TaskTerms{Action: t.Action, Target: t.Target, Coins: t.RewardCoins, Points: t.RewardPoints}
}

// TaskState is the state of a player's task.
type TaskState string

// A task is active until it is completed, and completed until it is claimed, or paid when its day is over. A daily task that was
// not completed expires.
const (
	TaskActive    TaskState = "active"
	TaskCompleted TaskState = "completed"
	TaskClaimed   TaskState = "claimed"
	TaskExpired   TaskState = "expired"
)

// PlayerTaskSteps are the states that follow each state of a player's task.
var PlayerTaskSteps = Steps[TaskState]{
	TaskActive:    {TaskCompleted, TaskExpired},
	TaskCompleted: {TaskClaimed},
	TaskExpired:   {TaskCompleted},
}

// PlayerTask is a task of a player. Day is the task's.
type PlayerTask struct {
	ID          int64
	PlayerID    PlayerID
	TaskID      int64
	Task        Task
	Day         *game.Day
	State       TaskState
	Progress    int64 // at most the target
	Evidence    string
	OpenedAt    time.Time
	CompletedAt *time.Time // UTC; nil until then
	ClaimedAt   *time.Time // UTC; nil until it is paid
}
