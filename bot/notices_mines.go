package bot

import (
	"fmt"
	"strconv"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/mines"
	"mcbk/models/treasury"
)

// mineNames are in the order of game.Mines.
var mineNames = [...]phrase{
	{"Stone", "Камень"},
	{"Coal", "Уголь"},
	{"Iron", "Железо"},
	{"Copper", "Медь"},
	{"Silver", "Серебро"},
	{"Gold", "Золото"},
	{"Platinum", "Платина"},
	{"Titanium", "Титан"},
	{"Emerald", "Изумруд"},
	{"Diamond", "Алмаз"},
}

func minesText(kind models.MessageKind, params map[string]string, language string) (string, error) {
	switch kind {
	case mines.TournamentResult:
		return resultText(params, language)
	case mines.PrizeGiven, treasury.PrizePaid:
		return prizeText(kind, params, language)
	}
	level, err := strconv.Atoi(params["level"])
	if err != nil || level < 1 || level > len(mineNames) {
		return "", fmt.Errorf("parse mine level %q", params["level"])
	}
	return fmt.Sprintf(texts.mineUnlocked.in(language), level, mineNames[level-1].in(language)), nil
}

func prizeText(kind models.MessageKind, params map[string]string, language string) (string, error) {
	amount, err := strconv.ParseInt(params["amount"], 10, 64)
	if err != nil {
		return "", fmt.Errorf("parse prize amount: %w", err)
	}
	if kind == treasury.PrizePaid {
		return fmt.Sprintf(texts.prizePaid.in(language), localizeDecimal(game.Nanoton(amount).Decimal(), language)), nil
	}
	return fmt.Sprintf(texts.prizeGiven.in(language), formatCoins(game.MicroMCBK(amount), language)), nil
}

func resultText(params map[string]string, language string) (string, error) {
	figures := map[string]int64{}
	for _, name := range []string{"rank", "ore", "coins", "ton", "prize"} {
		figure, err := strconv.ParseInt(params[name], 10, 64)
		if err != nil {
			return "", fmt.Errorf("parse tournament %s: %w", name, err)
		}
		figures[name] = figure
	}
	text := fmt.Sprintf(texts.tournamentResult.in(language), formatInteger(figures["rank"], language), formatCoins(game.MicroMCBK(figures["ore"]), language), formatCoins(game.MicroMCBK(figures["coins"]), language))
	prize := game.Prize{TON: game.Nanoton(figures["ton"]), Coins: game.MicroMCBK(figures["prize"])}
	if words := prizeWords(prize, language); words != "" {
		text += fmt.Sprintf(texts.prizeWaits.in(language), words)
	}
	if figures["ton"] > 0 {
		text += texts.prizeNeedsWallet.in(language)
	}
	return text, nil
}
