package bot

import (
	"context"
	"fmt"
	"html"
	"strings"
	"time"

	"mcbk/bot/chart"
	"mcbk/game"
	"mcbk/models"
	"mcbk/models/alarms"
	"mcbk/models/db"
	"mcbk/models/ledger"
)

// chartDays is how many UTC days the chart shows; it compares them with as many before.
const chartDays = 14

// adminStats shows the game's metrics below a chart of the last days. If drawing fails, the text is sent alone.
func (h *adminHandler) adminStats(ctx context.Context, _ *message, payload string) (reply, error) {
	if payload != "" {
		return reply{}, usageError("Nothing comes after /stats")
	}
	now := h.now()
	f, err := h.store.Admin.Figures(ctx, now)
	if err != nil {
		return reply{}, err
	}
	waiting, err := h.pendingWork(ctx)
	if err != nil {
		return reply{}, err
	}
	alarms, err := h.raisedAlarms(ctx)
	if err != nil {
		return reply{}, err
	}
	sum, err := h.store.Stars.Summary(ctx, now)
	if err != nil {
		return reply{}, err
	}
	picture, err := h.drawDays(ctx, now)
	if err != nil {
		h.log.ErrorContext(ctx, "stats chart failed", "error", err)
	}
	return reply{picture: picture, text: strings.Join([]string{
		"<b>" + formatSecond(now) + " UTC</b>",
		fmt.Sprintf("Players: %d, rules accepted by %d, banned %d", f.Players, f.Consented, f.Banned),
		fmt.Sprintf("Active today: %d, with %d taps", f.ActiveToday, f.TapsToday),
		fmt.Sprintf("Stars today: %s paid, %s refunded (/stars)", formatInteger(int64(sum.Today), models.English), formatInteger(int64(sum.TodayRefunded), models.English)),
		"Maintenance: " + onOff(h.store.Settings.InMaintenance(ctx, now)),
		waiting,
		alarms,
		"",
		"<b>Held by players</b>",
		fmt.Sprintf("MCBK: game %s, referral %s, purchased %s", f.Held.Game.Decimal(), f.Held.Referral.Decimal(), f.Held.Purchased.Decimal()),
		fmt.Sprintf("Points: game %d, referral %d", f.Held.GamePoints, f.Held.ReferralPoints),
		fmt.Sprintf("Ore %s, spins %d, ad spins %d", f.Held.Mine.Decimal(), f.Held.Spins, f.Held.AdSpins),
	}, "\n")}, nil
}

// pendingWork lists work that waits for an admin, with the command for each.
func (h *adminHandler) pendingWork(ctx context.Context) (string, error) {
	_, held, err := h.store.Treasury.HeldPayments(ctx, 0)
	if err != nil {
		return "", err
	}
	due, payouts, err := h.store.Treasury.DueTON(ctx)
	if err != nil {
		return "", err
	}
	_, final, err := h.store.Mines.TournamentToAward(ctx)
	if err != nil {
		return "", err
	}
	var all []string
	if held > 0 {
		all = append(all, pluralize(held, "payment", "payments")+" (/match)")
	}
	if payouts > 0 {
		all = append(all, pluralize(payouts, "payout", "payouts")+" of "+due.Decimal()+" TON (/payouts)")
	}
	if final {
		all = append(all, "a tournament that is over (/tournament award)")
	}
	if len(all) == 0 {
		return "Nothing waits for an admin", nil
	}
	return "<b>Waits for an admin:</b> " + strings.Join(all, ", "), nil
}

// raisedAlarms lists the active alarms, for admins added after they were raised.
func (h *adminHandler) raisedAlarms(ctx context.Context) (string, error) {
	raised, err := h.store.Alarms.RaisedAlarms(ctx)
	if err != nil || len(raised) == 0 {
		return "No alarm stands", err
	}
	all := db.MapSlice(raised, func(alarm alarms.AlarmReading) string {
		return html.EscapeString(strings.TrimSpace(string(alarm.Name) + " " + alarm.Subject))
	})
	return "<b>Alarms:</b> " + strings.Join(all, ", "), nil
}

// drawDays draws the chart; a panic becomes an error.
func (h *adminHandler) drawDays(ctx context.Context, now time.Time) (picture []byte, err error) {
	defer recoverPanic(&err)
	days, err := h.store.Ledger.Days(ctx, now, 2*chartDays)
	if err != nil {
		return nil, err
	}
	return h.draw(statsOf(days))
}

// statsOf converts daily figures for the chart, which shows the later half.
func statsOf(days ledger.Days) chart.Stats {
	before, shown := days.Days[:len(days.Days)/2], days.Days[len(days.Days)/2:]
	s := chart.Stats{Until: days.Until}
	for i, name := range days.Sources {
		source := chart.Source{Name: name}
		for _, day := range shown {
			source.Coins = append(source.Coins, inCoins(day.Coins[i]))
		}
		for _, day := range before {
			s.CoinsBefore += inCoins(day.Coins[i])
		}
		s.Sources = append(s.Sources, source)
	}
	for _, day := range shown {
		s.Days = append(s.Days, day.Day.Start())
		s.Players, s.Taps = append(s.Players, float64(day.Players)), append(s.Taps, float64(day.Taps))
	}
	return s
}

// inCoins is exact enough for a chart; amounts in text are Decimal.
func inCoins(amount game.MicroMCBK) float64 { return float64(amount) / float64(game.MCBK) }
