package api

import (
	"encoding/json"
	"reflect"
	"testing"
)

func TestCheckInReturnsRewardOrEmptyObject(t *testing.T) {
	for _, answer := range []CheckInReward{{}, {&CheckedIn{Streak: 7, BonusCoin: 3_000_000, BonusPoints: 100, TotalDaysInGame: 9, CanDoubleWithAd: true}}} {
		var back CheckInReward
		text, err := json.Marshal(CheckIn200JSONResponse(answer))
		if err == nil {
			err = json.Unmarshal(text, &back)
		}
		if err != nil || (string(text) == "{}") != (answer.CheckedIn == nil) || !reflect.DeepEqual(back, answer) {
			t.Errorf("%+v became %s and %+v, %v", answer, text, back, err)
		}
	}
}
