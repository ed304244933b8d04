package api

import (
	"encoding/json"
	"testing"
)

func TestCheckInReturnsRewardOrEmptyObject(t *testing.T) {
	reward := DailyReward{Streak: 7, BonusCoin: 3_000_000, BonusPoints: 100, TotalDaysInGame: 9, CanDoubleWithAd: true}
	for _, c := range []struct {
		answer CheckInReward
		want   string
	}{
		{CheckInReward{}, `{}`},
		{CheckInReward{&reward}, `{"bonusCoin":3,"bonusPoints":100,"canDoubleWithAd":true,"streak":7,"totalDaysInGame":9}`},
	} {
		text, err := json.Marshal(CheckIn200JSONResponse(c.answer))
		if err != nil || string(text) != c.want {
			t.Errorf("got %s, %v, want %s", text, err, c.want)
		}
		var back CheckInReward
		if err := json.Unmarshal(text, &back); err != nil || (back.DailyReward == nil) != (c.answer.DailyReward == nil) {
			t.Errorf("%s came back as %v, %v", text, back.DailyReward, err)
		}
		if back.DailyReward != nil && *back.DailyReward != reward {
			t.Errorf("%s came back as %+v", text, *back.DailyReward)
		}
	}
}
