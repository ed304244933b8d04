package bot_test

import (
	"bytes"
	"errors"
	"fmt"
	"image/png"
	"strings"
	"testing"
	"time"

	"mcbk/bot/chart"
	"mcbk/models"
	"mcbk/models/alarms"
	"mcbk/models/modelstest"
	"mcbk/models/store"
)

func TestStatsShowEachDay(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		day := 24 * time.Hour
		modelstest.Player(t, store, modelstest.ArrivedAt(modelstest.Noon.Add(-14*day)), modelstest.Tapped(10))
		modelstest.Player(t, store, modelstest.ArrivedAt(modelstest.Noon.Add(-13*day)), modelstest.Tapped(20))
		modelstest.Player(t, store, modelstest.Tapped(30))
		modelstest.Player(t, store, modelstest.Tapped(5))
		d := atDesk(t, store)
		var drawn chart.Stats
		d.bot.DrawWith(func(s chart.Stats) ([]byte, error) {
			drawn = s
			return chart.Draw(s)
		})
		said := d.writes(d.adam, "/stats")
		if said.method != "sendPhoto" || len(said.fields["caption"]) > 1024 || !strings.Contains(said.fields["caption"], "Players: 4") {
			t.Errorf("said %s %q", said.method, said.fields)
		}
		picture, err := png.Decode(bytes.NewReader(said.file))
		if err != nil || picture.Bounds().Dx() != 1200 {
			t.Errorf("the picture: %v", err)
		}
		if n := len(drawn.Days); n != 14 || !drawn.Days[13].Equal(modelstest.Noon.Truncate(day)) || len(drawn.Sources) < 2 || drawn.Sources[0].Name != "Bag" {
			t.Fatalf("drawn is %+v", drawn)
		}
		if got := fmt.Sprint(drawn.Players, drawn.Taps, drawn.Sources[0].Coins, drawn.CoinsBefore, drawn.Until.IsZero()); got !=
			"[1 0 0 0 0 0 0 0 0 0 0 0 0 2] [20 0 0 0 0 0 0 0 0 0 0 0 0 35] [0.02 0 0 0 0 0 0 0 0 0 0 0 0 0.035] 0.01 true" {
			t.Errorf("drawn is %s", got)
		}
	})
}

// The players' table is locked, so that PostgreSQL's statement timeout ends the read; SQLite has none.
func TestTimedOutCommandDelaysNoOther(t *testing.T) {
	t.Parallel()
	address := modelstest.Address(t, "postgres")
	d := atDesk(t, modelstest.WithTimeouts(t, address))
	d.until("the admins' commands are set", func() bool { return len(d.telegram.made("setMyCommands")) >= 4 }) // which reads players
	modelstest.Hold(t, address, "LOCK TABLE players IN ACCESS EXCLUSIVE MODE")
	if said := d.writes(d.adam, "/stats"); !strings.HasSuffix(said.fields["text"], "Send the command again.") {
		t.Errorf("said %+v", said)
	}
	if said := d.writes(d.adam, "/maintenance on"); len(said.buttons()) != 2 {
		t.Errorf("asked %+v", said)
	}
}

func TestStatsListActiveAlarmsAlsoWithoutChart(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		d := atDesk(t, store)
		d.says("/stats", "\nNo alarm stands\n")
		for _, reading := range []alarms.AlarmReading{
			{Name: models.AlarmChainBehind, On: true, Level: 500},
			{Name: models.AlarmJobMissed, Subject: "verify", On: true, Level: 500},
		} {
			modelstest.Must(store.Alarms.ReportAlarm(t.Context(), reading, nil, d.clock.Now()))(t)
		}
		const figures = "\n<b>Alarms:</b> chain_behind, job_missed verify\n"
		d.telegram.on("sendPhoto", always(badRequest))
		said := d.hears(d.adam, "/stats")
		if len(said) != 2 || said[1].method != "sendMessage" || !strings.Contains(said[1].fields["text"], figures) {
			t.Errorf("Telegram takes no picture: %+v", said)
		}
		for why, draw := range map[string]func(chart.Stats) ([]byte, error){
			"an error": func(chart.Stats) ([]byte, error) { return nil, errors.New("no ink") },
			"a panic":  func(chart.Stats) ([]byte, error) { panic("no ink") },
		} {
			d.bot.DrawWith(draw)
			if said := d.says("/stats", figures); said.method != "sendMessage" {
				t.Errorf("%s: %+v", why, said)
			}
		}
	})
}
