package bot

import (
	"fmt"
	"strconv"
	"strings"

	"mcbk/game"
	"mcbk/models"
)

// mineNames are those of game.Mines.
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

// minesText words what happened to a player in the mines.
func minesText(kind models.MessageKind, params map[string]string, language string) (string, error) {
	if kind == models.TournamentResult {
		return resultText(params, language)
	}
	level, err := strconv.Atoi(params["level"])
	if err != nil || level < 1 || level > len(mineNames) {
		return "", fmt.Errorf("mine %q of a message", params["level"])
	}
	return fmt.Sprintf(texts.mineUnlocked.in(language), level, mineNames[level-1].in(language)), nil
}

// resultText tells a miner what came of a tournament.
func resultText(params map[string]string, language string) (string, error) {
	figures := map[string]int64{}
	for _, name := range []string{"rank", "ore", "coins", "ton", "prize"} {
		figure, err := strconv.ParseInt(params[name], 10, 64)
		if err != nil {
			return "", fmt.Errorf("%s of a tournament: %w", name, err)
		}
		figures[name] = figure
	}
	text := fmt.Sprintf(texts.tournamentResult.in(language), figures["rank"], game.MicroMCBK(figures["ore"]).Decimal(), game.MicroMCBK(figures["coins"]).Decimal())
	var prize []string
	if figures["ton"] > 0 {
		prize = append(prize, game.Nanoton(figures["ton"]).Decimal()+" TON")
	}
	if figures["prize"] > 0 {
		prize = append(prize, game.MicroMCBK(figures["prize"]).Decimal()+" MCBK")
	}
	if len(prize) > 0 {
		text += fmt.Sprintf(texts.prizeWaits.in(language), strings.Join(prize, " + "))
	}
	return text, nil
}
