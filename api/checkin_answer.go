package api

import (
	"bytes"
	"encoding/json"
)

// CheckInReward is the reward just paid and the player, or nil, written as `{}`, if today's was paid before.
type CheckInReward struct{ *CheckedIn }

// MarshalJSON writes the reward or `{}`.
func (r CheckInReward) MarshalJSON() ([]byte, error) {
	if r.CheckedIn == nil {
		return []byte("{}"), nil
	}
	return json.Marshal(r.CheckedIn)
}

// UnmarshalJSON reads the reward or `{}`.
func (r *CheckInReward) UnmarshalJSON(text []byte) error {
	r.CheckedIn = nil
	if bytes.Equal(bytes.TrimSpace(text), []byte("{}")) {
		return nil
	}
	return json.Unmarshal(text, &r.CheckedIn)
}
