package api

import (
	"encoding/json"
	"testing"
)

func TestCheckInReturnsRewardOrEmptyObject(t *testing.T) {
	reward := CheckedIn{Streak: 7, BonusCoin: 3_000_000, BonusPoints: 100, TotalDaysInGame: 9, CanDoubleWithAd: true}
	user, err := json.Marshal(reward.User)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		answer CheckInReward
		want   string
	}{
		{CheckInReward{}, `{}`},
		{CheckInReward{&reward}, `{"bonusCoin":3,"bonusPoints":100,"canDoubleWithAd":true,"streak":7,"totalDaysInGame":9,"user":` + string(user) + `}`},
	} {
		text, err := json.Marshal(CheckIn200JSONResponse(c.answer))
		if err != nil || string(text) != c.want {
			t.Errorf("got %s, %v, want %s", text, err, c.want)
		}
		var back CheckInReward
		if err := json.Unmarshal(text, &back); err != nil || (back.CheckedIn == nil) != (c.answer.CheckedIn == nil) {
			t.Errorf("%s came back as %v, %v", text, back.CheckedIn, err)
		}
		if back.CheckedIn != nil && *back.CheckedIn != reward {
			t.Errorf("%s came back as %+v", text, *back.CheckedIn)
		}
	}
}
