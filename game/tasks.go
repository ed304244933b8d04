package game

// Refusals of a claim (decision 0028: tasks).
const (
	NotCompleted   Code = "not_completed"
	AlreadyClaimed Code = "already_claimed"
)

// TaskAction is the action that a task requires.
type TaskAction string

// The task actions (spec §3, Task).
const (
	RouletteSpin         TaskAction = "roulette_spin"
	TapCount             TaskAction = "tap_count"
	WatchAds             TaskAction = "watch_ads"
	GetPrediction        TaskAction = "get_prediction"
	InviteFriends        TaskAction = "invite_friends" // a friend's first check-in
	EnergySpend          TaskAction = "energy_spend"
	ExchangeJoin         TaskAction = "exchange_join"
	TelegramSubscription TaskAction = "telegram_subscription"
)

// TaskTerms are a task's target and reward.
type TaskTerms struct {
	Action TaskAction
	Target int64 // a count, or energy; at least 1
	Coins  MicroMCBK
	Points int64
}

// DayCounts is what a player's row counts of a UTC day.
type DayCounts struct{ Taps, EnergySpent, Spins int }

// Progress returns a task's progress; counted is false for actions that the row does not count.
func (t TaskTerms) Progress(c DayCounts) (done int64, counted bool) {
	switch t.Action {
	case TapCount:
		return min(int64(c.Taps), t.Target), true
	case EnergySpend:
		return min(int64(c.EnergySpent), t.Target), true
	case RouletteSpin:
		return min(int64(c.Spins), t.Target), true
	}
	return 0, false
}

// ReachedBy reports whether a task was completed between two counts of its day.
func (t TaskTerms) ReachedBy(before, after DayCounts) bool {
	was, counted := t.Progress(before)
	is, _ := t.Progress(after)
	return counted && was < t.Target && is == t.Target
}

// Percentage returns the progress in percent, rounded down.
func (t TaskTerms) Percentage(done int64) int { return int(min(done, t.Target) * 100 / t.Target) }
