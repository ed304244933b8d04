package bot

import (
	"context"
	"errors"
	"fmt"
	"html"
	"strconv"
	"strings"

	tg "github.com/go-telegram/bot/models"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/alarms"
	"mcbk/models/mines"
	"mcbk/models/outbox"
	"mcbk/models/treasury"
)

// notice renders a message in its recipient's language and returns a function that sends it. An unknown kind may come from a newer
// process: it fails and is retried.
func (o *delivery) notice(ctx context.Context, m models.Message) (send func(ctx context.Context) error, err error) {
	language, err := o.store.Outbox.LanguageOf(ctx, m.ChatID, "")
	if err != nil {
		return nil, fmt.Errorf("load language: %w", err)
	}
	var keyboard tg.ReplyMarkup = appButton(texts.play.in(language), o.settings.WebAppURL+screenOf(m))
	var text string
	switch m.Kind {
	case models.StarRefund:
		return func(ctx context.Context) error { return o.refundStars(ctx, m) }, nil
	case models.StarsRefunded:
		text = fmt.Sprintf(texts.starsRefunded.in(language), html.EscapeString(m.Params["stars"]))
	case models.FriendJoined:
		text = fmt.Sprintf(texts.friendJoined.in(language), nameOr(m.Params["name"], texts.somebody.in(language)))
	case models.FriendPaid:
		text = fmt.Sprintf(texts.friendPaid.in(language), nameOr(m.Params["name"], texts.somebody.in(language)),
			formatCoins(game.FriendReward.Coins, language), formatInteger(game.FriendReward.Points, language))
	case models.PurchaseCredited:
		credited, err := strconv.ParseInt(m.Params["coins"], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("parse purchase coins: %w", err)
		}
		text = fmt.Sprintf(texts.purchaseCredited.in(language), formatCoins(game.MicroMCBK(credited), language))
	case models.PaymentUnmatched:
		sent, err := strconv.ParseInt(m.Params["nanoton"], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("parse an unmatched payment: %w", err)
		}
		text = fmt.Sprintf(texts.paymentUnmatched.in(language), localizeDecimal(game.Nanoton(sent).Decimal(), language))
	case mines.MineUnlocked, mines.TournamentResult, mines.PrizeGiven, treasury.PrizePaid:
		if text, err = minesText(m.Kind, m.Params, language); err != nil {
			return nil, err
		}
	case models.ShareCard:
		picture, caption, err := o.card(ctx, m, language)
		return func(ctx context.Context) error { return o.sendPicture(ctx, m.ChatID, picture, caption, keyboard) }, err
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
		return nil, fmt.Errorf("no text for message kind %q", m.Kind)
	}
	return func(ctx context.Context) error { return o.send(ctx, m.ChatID, text, keyboard) }, nil
}

// screenOf returns the path of a message's screen: the mines, or Home ("").
func screenOf(m models.Message) string {
	switch m.Kind {
	case mines.MineUnlocked, mines.TournamentResult, mines.PrizeGiven, treasury.PrizePaid:
		return "/mines"
	case models.EnergyFull:
		if m.Params["of"] == outbox.EnergyOfMine {
			return "/mines"
		}
	case models.ShareCard:
		if m.Params["of"] == models.CardOfTournament {
			return "/mines"
		}
	}
	return ""
}

func formatCoins(coins game.MicroMCBK, language string) string {
	return localizeDecimal(coins.Decimal(), language)
}

func formatInteger(n int64, language string) string {
	return localizeDecimal(strconv.FormatInt(n, 10), language)
}

// localizeDecimal groups the digits of a figure and sets its decimal point as the app does: "1,250.5", in Russian "1 250,5".
func localizeDecimal(decimal, language string) string {
	group, point := ",", "."
	if language == models.Russian {
		group, point = "\u00a0", ","
	}
	whole, fraction, fractional := strings.Cut(decimal, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + group + whole[i:]
	}
	if !fractional {
		return whole
	}
	return whole + point + fraction
}

func reminder(kind models.MessageKind, params map[string]string, language string) (string, error) {
	switch {
	case kind == models.EnergyFull && params["of"] == outbox.EnergyOfMine:
		return texts.mineFull.in(language), nil
	case kind == models.EnergyFull:
		return texts.bagFull.in(language), nil
	}
	streak, err := strconv.Atoi(params["streak"])
	if err != nil {
		return "", fmt.Errorf("parse reminder streak: %w", err)
	}
	return fmt.Sprintf(texts.streakWaits.in(language), streak), nil
}

func (o *delivery) broadcastOf(ctx context.Context, m models.Message) (models.Broadcast, error) {
	if m.BroadcastID == nil {
		return models.Broadcast{}, errors.New("message without its broadcast")
	}
	broadcast, err := o.store.Outbox.Broadcast(ctx, *m.BroadcastID)
	if err != nil {
		return models.Broadcast{}, fmt.Errorf("read broadcast %d: %w", *m.BroadcastID, err)
	}
	return broadcast, nil
}

// escapeAndTruncate returns a text as HTML, cut to Telegram's limit.
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
