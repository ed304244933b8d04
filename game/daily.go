package game

// Reward is a payment to a player.
type Reward struct {
	Coins  MicroMCBK
	Points int64
}

// Visits is a player's record of daily check-ins; the zero Visits has none.
type Visits struct {
	Day     Day  // UTC day of the last check-in
	Streak  int  // days in a row up to that day
	Total   int  // days with a check-in
	Doubled bool // paid a second time, for an ad
	Reward       // of that day, unless the default
}

// CheckInRewards are paid by day of a streak, the last one also on later days.
type CheckInRewards [7]Reward

// DefaultCheckIn is the default of check-ins' rewards. A check-in stored without a reward was paid these amounts, so they must never
// change (decision 0026: the daily loop).
var DefaultCheckIn = CheckInRewards{
	{1 * MCBK, 10}, {1 * MCBK, 20}, {1 * MCBK, 30}, {2 * MCBK, 40}, {2 * MCBK, 50}, {2 * MCBK, 60}, {3 * MCBK, 100},
}

// On returns the reward of a day of the streak, counted from 1.
func (r CheckInRewards) On(streak int) Reward { return r[min(max(streak, 1), len(r))-1] }

// PaidAs returns the record with its reward, unless it is the default.
func (v Visits) PaidAs(r Reward) Visits {
	if v.Reward = r; r == DefaultCheckIn.On(v.Streak) {
		v.Reward = Reward{}
	}
	return v
}

// Paid returns the check-in's reward.
func (v Visits) Paid() Reward {
	if v.Reward == (Reward{}) {
		return DefaultCheckIn.On(v.Streak)
	}
	return v.Reward
}

// CheckIn counts a check-in on a UTC day. ok is false if that or a later day was counted. A missed day resets the streak to 1.
func (v Visits) CheckIn(today Day) (after Visits, ok bool) {
	if v.Total > 0 && today <= v.Day {
		return v, false
	}
	streak := 1
	if v.Total > 0 && today == v.Day+1 {
		streak = v.Streak + 1
	}
	return Visits{Day: today, Streak: streak, Total: v.Total + 1}, true
}

// MayDouble reports whether the reward of that day can still be paid a second time.
func (v Visits) MayDouble(today Day) bool { return v.Total > 0 && v.Day == today && !v.Doubled }

// LoyaltyReward is paid for a UTC day on which all ad spins were used, and check-in and advice doubled (decision 0029: the wheel).
var LoyaltyReward = Reward{3 * MCBK, 150}

// Loyalty is the newest loyalty bonus that a player has earned.
type Loyalty struct {
	Day     Day // UTC day whose ads earned it; 0 before the first
	Claimed bool
}

// AdvicePoints is the default of a day's advice, paid again for an ad. Advice stored without points paid this amount, so it must never
// change (decision 0026: the daily loop).
const AdvicePoints = 25
