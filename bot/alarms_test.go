package bot

import (
	"strings"
	"testing"

	"mcbk/models"
	"mcbk/models/alarms"
)

func TestEveryAlarmHasTextsInBothLanguages(t *testing.T) {
	if len(alarmTexts) != len(models.Alarms) {
		t.Errorf("%d alarms have words, there are %d", len(alarmTexts), len(models.Alarms))
	}
	said := map[string]bool{}
	for _, name := range models.Alarms {
		for _, language := range []string{models.English, models.Russian} {
			for _, event := range []string{"raised", "ended"} {
				text := alarmText(map[string]string{"alarm": string(name), "event": event, "subject": "verify", "level": "61", "limit": "60"}, language)
				if text == "" || strings.ContainsAny(text, "{}") || said[text] {
					t.Errorf("%s %s in %s: %q", name, event, language, text)
				}
				said[text] = true
				if event == "raised" && name != models.AlarmPayoutUnmatched && !strings.Contains(text, "61") { // /payouts shows the amount
					t.Errorf("%s in %s does not tell how bad it is: %q", name, language, text)
				}
			}
		}
	}
}

func TestAlarmTextIsReadable(t *testing.T) {
	for _, c := range []struct {
		params map[string]string
		text   string
	}{
		{
			map[string]string{"alarm": "job_missed", "event": "raised", "subject": "verify", "level": "181", "limit": "180"},
			"<b>Alarm: </b>the job verify is 181 min late; 180 are allowed. Nothing in the game is lost: the job catches up. The log says why it fails: most often the database is slow or full.",
		},
		{map[string]string{"alarm": "job_missed", "event": "ended", "subject": "verify"}, "All clear: the job verify is on time."},
		{
			map[string]string{"alarm": "verify_failed", "event": "raised", "level": "1", "detail": "player <7> & more {level}"},
			"<b>Alarm: </b>invariants that do not hold: 1. Pay nothing out. Close the game (/maintenance on) and take a backup as it is; then <code>mcbk verify</code> tells the details.\n\nplayer &lt;7&gt; &amp; more {level}",
		},
		{map[string]string{"alarm": "verify_failed", "event": "ended"}, "All clear: a complete round found the books of all players sound."},
		{
			map[string]string{"alarm": "verify_failed", "event": "raised", "subject": "each night", "level": "1"},
			"<b>Alarm: </b>invariants that do not hold: 1. Pay nothing out. Close the game (/maintenance on) and take a backup as it is; then <code>mcbk verify</code> tells the details.",
		},
		{
			map[string]string{"alarm": "verify_failed", "event": "ended", "subject": "each night"},
			"All clear: what is checked every night is sound again. The result for the books of all players comes in another message.",
		},
		{map[string]string{"alarm": "newer", "event": "raised", "level": "3"}, "<b>Alarm: </b>newer 3"},
		{map[string]string{"alarm": "newer", "event": "ended"}, "All clear: newer"},
		{
			map[string]string{"alarm": "price_stale", "event": "raised", "level": "946", "limit": "600"},
			"<b>Alarm: </b>the price of TON is 15 min old; nothing is sold at a price older than 600 s. The alarm ends by itself once a service answers; if none does, name another in TON_PRICE_URL.",
		},
		{
			map[string]string{"alarm": "chain_behind", "event": "raised", "level": "180", "limit": "120", "detail": alarms.TreasuryUnset},
			"<b>Alarm: </b>TREASURY_ADDRESS is empty, and the treasury's history has not been read for 3 min. Payments wait, none is lost; no tournament that has ended is paid meanwhile. Set the address again.",
		},
	} {
		if text := alarmText(c.params, models.English); text != c.text {
			t.Errorf("it says %q, want %q", text, c.text)
		}
	}
}
