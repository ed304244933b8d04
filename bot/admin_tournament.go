package bot

import (
	"context"
	"fmt"
	"strings"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/mines"
)

const tournamentsShown = 5

func (h *adminHandler) listTournaments(ctx context.Context, _ []string) (reply, error) {
	all, err := h.store.Mines.TournamentStatuses(ctx, tournamentsShown)
	if err != nil {
		return reply{}, err
	}
	lines := []string{"<b>Tournaments in the mines</b>"}
	for _, t := range all {
		state := t.At(h.now())
		lines = append(lines, fmt.Sprintf("%d: %s, from %s to %s UTC\n%s, %s ore, %s TON for mines", t.ID, state,
			formatMinute(t.Start), formatMinute(t.End), pluralize(t.Miners, "miner", "miners"), t.Ore.Decimal(), t.Sold.Decimal()))
		switch {
		case state == game.TournamentClosed:
			lines = append(lines, "Its miners are ranked and their ore is paid once the chain has been read beyond the end.")
		case state == game.TournamentFinal:
			lines = append(lines, "Waiting for /tournament award: "+t.Prizes.String()+".")
		case state == game.TournamentAwarded && t.Waiting > 0:
			lines = append(lines, fmt.Sprintf("Awarded: %s; still to be given: %d.", t.Prizes, t.Waiting))
		case state == game.TournamentAwarded:
			lines = append(lines, "Awarded: "+t.Prizes.String()+". /payouts lists the TON.")
		}
	}
	if len(all) == 0 {
		lines = append(lines, "There has been none, and none is planned.")
	}
	return reply{text: strings.Join(lines, "\n")}, nil
}

// askAward requests confirmation to award the oldest tournament with unpaid prizes.
func (h *adminHandler) askAward(ctx context.Context, _ []string) (reply, error) {
	t, ok, err := h.store.Mines.TournamentToAward(ctx)
	if err != nil {
		return reply{}, err
	}
	if !ok {
		return reply{text: "No tournament is waiting to be awarded. /tournament status tells how far they are."}, nil
	}
	best, err := h.store.Mines.Winners(ctx, t.ID, 3)
	if err != nil {
		return reply{}, err
	}
	lines := []string{fmt.Sprintf("Award the tournament of %s? It has %s. The coins are given at once, the TON becomes payouts that /payouts lists.", t.Start.Format(time.DateOnly), t.Prizes)}
	for _, w := range best {
		lines = append(lines, fmt.Sprintf("%d. player %d: %s ore, %s MCBK and %s TON", w.Rank, w.PlayerID, w.Ore.Decimal(), w.Prize.Coins.Decimal(), w.Prize.TON.Decimal()))
	}
	if t.Banned > 0 {
		lines = append(lines, fmt.Sprintf("<b>Banned winners: %d.</b> A ban takes nothing away; /payouts marks theirs, and they can be cancelled.", t.Banned))
	}
	if warning := h.warnSuspectedBots(ctx, t.Tournament); warning != "" {
		lines = append(lines, warning)
	}
	return reply{text: strings.Join(lines, "\n"), action: mines.ActionAward, args: []string{fmt.Sprint(t.ID)}}, nil
}

// botCheckTimeout limits the optional search for suspected bots.
const botCheckTimeout = 4 * time.Second

// warnSuspectedBots names suspected bots among the winners, in HTML. A failed search does not block the award.
func (h *adminHandler) warnSuspectedBots(ctx context.Context, t models.Tournament) string {
	ctx, cancel := context.WithTimeout(ctx, botCheckTimeout)
	defer cancel()
	winners, err := h.store.Mines.SuspectedBots(ctx, t)
	switch {
	case err != nil:
		h.log.WarnContext(ctx, "find suspected bots among winners", "tournament", t.ID, "error", truncateError(err))
		return "<b>It could not be checked in time whether a winner played round the clock, as a script would.</b> Ask again before you confirm, or look at each by /player."
	case len(winners) > 0:
		return fmt.Sprintf("<b>Winners who played in more than %d hours of a UTC day:</b> %s. They may be scripts; /player shows them, and payouts can be cancelled.",
			game.HoursAwake, joinIDs(winners))
	}
	return ""
}

// joinIDs lists the first players' IDs, in the commands' syntax.
func joinIDs(ids []models.PlayerID) string {
	const most = 20
	var words []string
	for _, id := range ids[:min(len(ids), most)] {
		words = append(words, fmt.Sprint(id))
	}
	if more := len(ids) - most; more > 0 {
		words = append(words, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(words, ", ")
}

// askTournament requests confirmation of a new tournament. It refuses one that lies partly outside the season.
func (h *adminHandler) askTournament(ctx context.Context, values []string) (reply, error) {
	start, err := time.Parse(time.DateOnly, values[0])
	if err != nil {
		return reply{}, errUsage
	}
	planned := game.NewTournament(start)
	if season := h.settings.Season; planned.Start.Before(season.Start) {
		return reply{text: fmt.Sprintf("The season starts only on %s UTC, and nobody can dig before it.", formatMinute(season.Start))}, nil
	}
	if end := h.settings.Season.End(); !h.settings.Season.Start.IsZero() && planned.End.After(end) {
		return reply{text: fmt.Sprintf("It would end on %s, but the season ends on %s UTC, and nothing is earned after it.", formatMinute(planned.End), formatMinute(end))}, nil
	}
	if !h.now().Before(planned.Start) {
		return reply{text: sentence(explainRefusal(mines.ActionTournament, "expired"))}, nil
	}
	known, err := h.store.Mines.TournamentStatuses(ctx, tournamentsShown)
	if err != nil {
		return reply{}, err
	}
	for _, t := range known {
		if t.Start.Before(planned.End) && planned.Start.Before(t.End) {
			return reply{text: fmt.Sprintf("Tournament %d runs from %s to %s at 00:00 UTC; there can be only one at a time.", t.ID, t.Start.Format(time.DateOnly), t.End.Format(time.DateOnly))}, nil
		}
	}
	return reply{
		text:   fmt.Sprintf("Start a tournament on %s at 00:00 UTC? It ends on %s at 00:00 UTC.", values[0], planned.End.Format(time.DateOnly)),
		action: mines.ActionTournament, args: values,
	}, nil
}
