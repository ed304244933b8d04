package bot

import (
	"context"
	"errors"
	"fmt"
	"html"
	"strconv"
	"strings"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/alarms"
	"mcbk/models/mines"
	"mcbk/models/outbox"
	"mcbk/models/treasury"
)

// notice renders a message in the language of its recipient and returns a function that sends it. A kind that this process does
// not know may come from a newer one: it fails, to be tried again.
func (o *delivery) notice(ctx context.Context, m models.Message) (send func(ctx context.Context) error, err error) {
	language, err := o.store.Outbox.LanguageOf(ctx, m.ChatID, "")
	if err != nil {
		return nil, fmt.Errorf("find the language: %w", err)
	}
	keyboard := appButton(texts.play.in(language), o.settings.WebAppURL+screenOf(m))
	var text string
	switch m.Kind {
	case models.FriendJoined:
		text = fmt.Sprintf(texts.friendJoined.in(language), nameOr(m.Params["name"], texts.somebody.in(language)))
	case models.FriendPaid:
		text = fmt.Sprintf(texts.friendPaid.in(language), nameOr(m.Params["name"], texts.somebody.in(language)),
			formatCoins(game.FriendReward.Coins, language), game.FriendReward.Points)
	case models.PurchaseCredited:
		credited, err := strconv.ParseInt(m.Params["coins"], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("coins of a purchase: %w", err)
		}
		text = fmt.Sprintf(texts.purchaseCredited.in(language), formatCoins(game.MicroMCBK(credited), language))
	case mines.MineUnlocked, mines.TournamentResult, mines.PrizeGiven, treasury.PrizePaid:
		if text, err = minesText(m.Kind, m.Params, language); err != nil {
			return nil, err
		}
	case models.DailyReminder, models.EnergyFull:
		if text, err = reminder(m.Kind, m.Params, language); err != nil {
			return nil, err
		}
	case models.AdminNotice:
		text, keyboard = escapeAndTruncate(rawAddress.ReplaceAllStringFunc(m.Params["text"], o.settings.shownAddress)), nil
	case alarms.MessageAlarm:
		text, keyboard = alarmText(m.Params, language), nil
	case models.BroadcastCopy:
		broadcast, err := o.broadcastOf(ctx, m)
		return func(ctx context.Context) error { return o.sendBroadcast(ctx, m.ChatID, broadcast, language) }, err
	default:
		return nil, fmt.Errorf("no words for a message of kind %q", m.Kind)
	}
	return func(ctx context.Context) error { return o.send(ctx, m.ChatID, text, keyboard) }, nil
}

// screenOf returns the path of the screen that a message is about: the mines, or Home, which has none.
func screenOf(m models.Message) string {
	switch m.Kind {
	case mines.MineUnlocked, mines.TournamentResult, mines.PrizeGiven, treasury.PrizePaid:
		return "/mines"
	case models.EnergyFull:
		if m.Params["of"] == outbox.EnergyOfMine {
			return "/mines"
		}
	}
	return ""
}

// formatCoins writes coins in the person's language: Russian has a decimal comma where English has a point.
func formatCoins(coins game.MicroMCBK, language string) string {
	return localizeDecimal(coins.Decimal(), language)
}

// localizeDecimal replaces the decimal point by a comma in Russian.
func localizeDecimal(decimal, language string) string {
	if language == models.Russian {
		return strings.Replace(decimal, ".", ",", 1)
	}
	return decimal
}

// reminder renders a reminder of what a player may come back for.
func reminder(kind models.MessageKind, params map[string]string, language string) (string, error) {
	switch {
	case kind == models.EnergyFull && params["of"] == outbox.EnergyOfMine:
		return texts.mineFull.in(language), nil
	case kind == models.EnergyFull:
		return texts.bagFull.in(language), nil
	}
	streak, err := strconv.Atoi(params["streak"])
	if err != nil {
		return "", fmt.Errorf("streak of a reminder: %w", err)
	}
	return fmt.Sprintf(texts.streakWaits.in(language), streak), nil
}

func (o *delivery) broadcastOf(ctx context.Context, m models.Message) (models.Broadcast, error) {
	if m.BroadcastID == nil {
		return models.Broadcast{}, errors.New("a broadcast's message without its broadcast")
	}
	broadcast, err := o.store.Outbox.Broadcast(ctx, *m.BroadcastID)
	if err != nil {
		return models.Broadcast{}, fmt.Errorf("read broadcast %d: %w", *m.BroadcastID, err)
	}
	return broadcast, nil
}

// escapeAndTruncate returns an admin's text, escaped for HTML and cut to what Telegram takes.
func escapeAndTruncate(text string) string {
	units := 0
	for i, r := range text {
		if units++; r > 0xffff {
			units++ // a surrogate pair
		}
		if units > models.LongestMessage {
			text = text[:i]
			break
		}
	}
	return html.EscapeString(text)
}
