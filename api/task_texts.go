package api

import (
	"strconv"

	"mcbk/game"
	"mcbk/models"
)

// words are a text in both languages.
type words struct{ english, russian string }

func (w words) in(language string) string {
	if language == models.Russian {
		return w.russian
	}
	return w.english
}

// taskText is a task's title and description.
type taskText struct {
	title       func(target int64) words
	description words
}

// dailyTexts are the texts of daily tasks; those of permanent ones come from admins.
var dailyTexts = map[game.TaskAction]taskText{
	game.RouletteSpin: {
		func(n int64) words {
			return words{"Spin the wheel " + times(n), "Покрутите колесо " + raz(n)}
		},
		words{"Every spin counts, free or for an ad.", "Считаются все спины: бесплатные и за рекламу."},
	},
	game.TapCount: {
		func(n int64) words {
			return words{"Tap the bag " + times(n), "Тапните по мешку " + raz(n)}
		},
		words{"Offline taps count once you are back.", "Тапы без связи засчитаются, когда вы вернётесь в сеть."},
	},
	game.WatchAds: {
		func(n int64) words {
			return words{"Watch ads " + times(n), "Посмотрите рекламу " + raz(n)}
		},
		words{"Any ad of the game, watched to its end.", "Любой ролик в игре, досмотренный до конца."},
	},
	game.GetPrediction: {
		func(int64) words { return words{"Ask for advice", "Спросите совет"} },
		words{"There is a new one every day.", "Каждый день новый."},
	},
	game.InviteFriends: {
		func(n int64) words {
			if n == 1 {
				return words{"Invite a friend", "Пригласите друга"}
			}
			return words{"Invite friends: " + grouped(n, ","), "Пригласите друзей: " + grouped(n, noBreak)}
		},
		words{"It counts once your friend gets their first daily reward.", "Засчитается, когда друг получит первую ежедневную награду."},
	},
	game.EnergySpend: {
		func(n int64) words {
			return words{"Spend " + grouped(n, ",") + " energy", "Потратьте " + grouped(n, noBreak) + " энергии"}
		},
		words{"Every tap on the bag takes energy.", "Каждый тап по мешку тратит энергию."},
	},
}

// permanentTexts are descriptions of permanent tasks.
var permanentTexts = map[game.TaskAction]words{
	game.ExchangeJoin:         {"Open the link.", "Откройте ссылку."},
	game.TelegramSubscription: {"Join the channel, then press Check.", "Подпишитесь на канал и нажмите «Проверить»."},
}

// permanentPictures are names of the web app's pictures; daily tasks have none.
var permanentPictures = map[game.TaskAction]string{game.ExchangeJoin: "handshake", game.TelegramSubscription: "megaphone"}

const noBreak = "\u00a0" // separates thousands in Russian

// titled returns a task's title and description in a language.
func titled(t models.Task, language string) (title, description string) {
	if text, daily := dailyTexts[t.Action]; daily {
		return text.title(t.Target).in(language), text.description.in(language)
	}
	return words{t.TitleEn, t.TitleRu}.in(language), permanentTexts[t.Action].in(language)
}

func times(n int64) string {
	if n == 1 {
		return "once"
	}
	return grouped(n, ",") + " times"
}

// raz formats "n times" in Russian: 1 раз, 2 раза, 5 раз, 11 раз, 22 раза.
func raz(n int64) string {
	last, teen := n%10, n%100/10 == 1
	if last >= 2 && last <= 4 && !teen {
		return grouped(n, noBreak) + " раза"
	}
	return grouped(n, noBreak) + " раз"
}

// grouped formats a number with a separator between its thousands.
func grouped(n int64, between string) string {
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + between + digits[i:]
	}
	return digits
}
