package bot

import (
	"strings"
	"testing"

	"mcbk/models"
)

func TestEveryAlarmHasWordsInBothLanguages(t *testing.T) {
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
				if event == "raised" && !strings.Contains(text, "61") {
					t.Errorf("%s in %s does not tell how bad it is: %q", name, language, text)
				}
			}
		}
	}
}

func TestAnAlarmIsWordedForPeople(t *testing.T) {
	for _, c := range []struct {
		params map[string]string
		text   string
	}{
		{
			map[string]string{"alarm": "job_missed", "event": "raised", "subject": "verify", "level": "181", "limit": "180"},
			"<b>Alarm: </b>the job verify is 181 min late; 180 are allowed. The log says why.",
		},
		{map[string]string{"alarm": "job_missed", "event": "ended", "subject": "verify"}, "All clear, job_missed verify"},
		{map[string]string{"alarm": "disk_low", "event": "ended"}, "All clear, disk_low"},
		{
			map[string]string{"alarm": "verify_failed", "event": "raised", "level": "1", "detail": "player <7> & more {level}"},
			"<b>Alarm: </b>invariants that do not hold: 1. <code>mcbk verify</code> tells all of it.\n\nplayer &lt;7&gt; &amp; more {level}",
		},
		{map[string]string{"alarm": "newer", "event": "raised", "level": "3"}, "<b>Alarm: </b>newer 3"},
	} {
		if text := alarmText(c.params, models.English); text != c.text {
			t.Errorf("it says %q, want %q", text, c.text)
		}
	}
}
