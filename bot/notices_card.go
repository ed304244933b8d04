package bot

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"mcbk/bot/chart"
	"mcbk/game"
	"mcbk/models"
)

// card draws the picture that a player has asked for, as of now, and words what stands below it.
func (o *delivery) card(ctx context.Context, m models.Message, language string) (picture []byte, caption string, err error) {
	player, err := o.store.Players.PlayerByTelegramID(ctx, m.ChatID)
	if err != nil {
		return nil, "", fmt.Errorf("load player of a card: %w", err)
	}
	var card chart.Card
	text := texts.seasonCard
	if m.Params["of"] == models.CardOfTournament {
		text = texts.tournamentCard
		card, err = o.tournamentCard(ctx, player, m.Params["tournament"], language)
	} else {
		card, err = o.seasonCard(ctx, player, language)
	}
	if err != nil {
		return nil, "", err
	}
	card.Name = player.FirstName
	if picture, err = chart.DrawCard(card); err != nil {
		return nil, "", fmt.Errorf("draw a card: %w", err)
	}
	caption = text.in(language)
	if bot := o.username(); bot != "" {
		caption += fmt.Sprintf("\n\nhttps://t.me/%s?start=%s", bot, player.ReferralCode)
	}
	return picture, caption, nil
}

func (o *delivery) seasonCard(ctx context.Context, player models.Player, language string) (chart.Card, error) {
	recap, err := o.store.Players.Recap(ctx, player)
	if err != nil {
		return chart.Card{}, fmt.Errorf("read a season: %w", err)
	}
	rank, best := "#–", "–"
	if recap.Rank > 0 && recap.Coins > 0 {
		rank = "#" + formatInteger(int64(recap.Rank), language)
	}
	switch {
	case recap.BestWin.Coins > 0:
		best = "+" + formatCoins(recap.BestWin.Coins, language) + " MCBK"
	case recap.BestWin.Points > 0:
		best = fmt.Sprintf(texts.cardPoints.in(language), formatInteger(recap.BestWin.Points, language))
	}
	return chart.Card{
		Ground: chart.GroundSeason, Title: texts.cardSeason.in(language),
		Note:  fmt.Sprintf(texts.cardDays.in(language), recap.Days, game.SeasonDays),
		Coins: true, Figure: formatCoins(roundedCoins(recap.Coins), language), Unit: texts.cardEarned.in(language),
		Facts: []chart.Fact{
			{Name: texts.cardPlace.in(language), Figure: rank},
			{Name: texts.cardTaps.in(language), Figure: formatInteger(recap.Taps, language)},
			{Name: texts.cardFriends.in(language), Figure: formatInteger(recap.Friends, language)},
			{Name: texts.cardBest.in(language), Figure: best},
		},
	}, nil
}

func (o *delivery) tournamentCard(ctx context.Context, player models.Player, tournament, language string) (chart.Card, error) {
	id, err := strconv.ParseInt(tournament, 10, 64)
	if err != nil {
		return chart.Card{}, fmt.Errorf("parse tournament of a card: %w", err)
	}
	m, err := o.store.Mines.Miner(ctx, id, player.ID)
	if err == nil && m.Rank == nil {
		err = errors.New("no result")
	}
	if err != nil {
		return chart.Card{}, fmt.Errorf("read the result of tournament %d: %w", id, err)
	}
	title, note, relic := texts.cardMines.in(language), "", "ore"
	if *m.Rank <= 3 {
		relic = fmt.Sprint("medal-", *m.Rank)
	}
	if *m.Rank == 1 {
		title, note = texts.cardWon.in(language), title
	}
	paid := chart.Fact{Name: texts.cardPaid.in(language), Figure: formatCoins(roundedCoins(m.OreCoins), language) + " MCBK"}
	if prize := prizeWords(m.Prize, language); prize != "" {
		paid = chart.Fact{Name: texts.cardPrize.in(language), Figure: prize}
	}
	return chart.Card{
		Ground: chart.GroundTournament, Relic: relic, Title: title, Note: note,
		Figure: placeWords(*m.Rank, language),
		Facts:  []chart.Fact{{Name: texts.cardOre.in(language), Figure: formatCoins(roundedCoins(m.Ore), language)}, paid},
	}, nil
}

// roundedCoins cuts an amount to hundredths, as the app shows balances.
func roundedCoins(coins game.MicroMCBK) game.MicroMCBK { return coins - coins%(game.MCBK/100) }

// prizeWords returns a prize in words; empty without one.
func prizeWords(prize game.Prize, language string) string {
	var parts []string
	if prize.TON > 0 {
		parts = append(parts, localizeDecimal(prize.TON.Decimal(), language)+" TON")
	}
	if prize.Coins > 0 {
		parts = append(parts, formatCoins(prize.Coins, language)+" MCBK")
	}
	return strings.Join(parts, " + ")
}

// placeWords returns a rank as a place: "21st place".
func placeWords(rank int, language string) string {
	suffix := "th"
	if language == models.English && rank/10%10 != 1 {
		switch rank % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	if language == models.Russian {
		suffix = ""
	}
	return fmt.Sprintf(texts.cardRank.in(language), formatInteger(int64(rank), language)+suffix)
}
