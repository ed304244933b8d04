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

// InBag returns a task's progress in a bag; counted is false for actions that a bag does not count.
func (t TaskTerms) InBag(b Bag) (done int64, counted bool) {
	switch t.Action {
	case TapCount:
		return min(int64(b.TapsToday), t.Target), true
	case EnergySpend:
		return min(int64(b.EnergySpent), t.Target), true
	}
	return 0, false
}

// ReachedBy reports whether a task was completed between two states of a bag, the earlier of that or a previous day.
func (t TaskTerms) ReachedBy(before, after Bag) bool {
	if before.Day != after.Day {
		before.TapsToday, before.EnergySpent = 0, 0
	}
	was, counted := t.InBag(before)
	is, _ := t.InBag(after)
	return counted && was < t.Target && is == t.Target
}

// Percentage returns the progress in percent, rounded down.
func (t TaskTerms) Percentage(done int64) int { return int(min(done, t.Target) * 100 / t.Target) }
