package api

import (
	"bytes"
	"encoding/json"
)

// CheckInReward is the reward just paid, or nil, written as `{}`, if today's was paid before.
type CheckInReward struct{ *DailyReward }

// MarshalJSON writes the reward or `{}`.
func (r CheckInReward) MarshalJSON() ([]byte, error) {
	if r.DailyReward == nil {
		return []byte("{}"), nil
	}
	return json.Marshal(r.DailyReward)
}

// UnmarshalJSON reads the reward or `{}`.
func (r *CheckInReward) UnmarshalJSON(text []byte) error {
	r.DailyReward = nil
	if bytes.Equal(bytes.TrimSpace(text), []byte("{}")) {
		return nil
	}
	return json.Unmarshal(text, &r.DailyReward)
}
