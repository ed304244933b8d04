package bot

import (
	"fmt"
	"html"
	"strconv"
	"strings"

	"mcbk/models"
)

// alarmWords say what an alarm means and what to do, and that it has ended.
type alarmWords struct{ raised, ended phrase }

// alarmTexts are the texts of each alarm. {level}, {limit}, {subject} and {span} (a level in seconds, in words) are filled in.
var alarmTexts = map[models.AlarmName]alarmWords{
	models.AlarmOutboxDead: {
		phrase{
			"messages given up within the last hour: {level}. Nothing of the game hangs on them. The log says why; where it says 401, the bot's token was revoked.",
			"сообщений, от которых пришлось отказаться за последний час: {level}. Игра от них не зависит. Причины есть в журнале; если там 401, токен бота отозван.",
		},
		phrase{"no message was given up within the last hour.", "за последний час ни от одного сообщения не пришлось отказаться."},
	},
	models.AlarmJobMissed: {
		phrase{
			"the job {subject} is {level} min late; {limit} are allowed. Nothing of the game is lost, it catches up. The log says why it fails: most often the database is slow or full.",
			"задание {subject} опаздывает на {level} мин, допустимо {limit}. Игра ничего не теряет, задание всё догонит. Причины есть в журнале: чаще всего база медленная или переполнена.",
		},
		phrase{"the job {subject} is on time.", "задание {subject} идёт вовремя."},
	},
	models.AlarmClockSkew: {
		phrase{
			"a clock is {level} s off the database's; {limit} are allowed. That process writes nothing until somebody sets it right.",
			"часы расходятся с часами базы на {level} с, допустимо {limit}. Этот процесс ничего не записывает, пока их не исправят.",
		},
		phrase{"all clocks agree with the database's.", "все часы сходятся с часами базы."},
	},
	models.AlarmDiskLow: {
		phrase{
			"{level} MiB are left where the database lies; below {limit} is too little. Make room: old backups first. Once it is full, what players tap waits on their phones.",
			"на диске с базой осталось {level} МиБ, меньше {limit} слишком мало. Освободите место, сначала от старых копий. На полном диске тапы игроков ждут на их телефонах.",
		},
		phrase{"there is room again where the database lies.", "на диске с базой снова есть место."},
	},
	models.AlarmChainBehind: {
		phrase{
			"the treasury is known up to {span} ago; {limit} s are allowed. Payments wait, none is lost. Should it not end by itself: the log names the lite servers that fail, replace them in TON_CONFIG.",
			"что было с казной, известно с опозданием на {span}, допустимо {limit} с. Платежи ждут и не потеряются. Если само не пройдёт: журнал называет отказавшие лайт-серверы, замените их в TON_CONFIG.",
		},
		phrase{"the treasury is known up to now, and payments that waited arrive.", "что было с казной, снова известно, ждавшие платежи доходят."},
	},
	models.AlarmPaymentsHeld: {
		phrase{
			"payments that wait for you: {level}. /match lists them, and what to do with each.",
			"платежей, которые ждут вас: {level}. Их покажет /match, и что сделать с каждым.",
		},
		phrase{"no payment waits for you.", "ни один платёж вас не ждёт."},
	},
	models.AlarmPayoutReturned: {
		phrase{
			"payouts that came back and are due again: {level}. Ask their players for a wallet that takes the money, then approve again: /payouts.",
			"выплат, которые вернулись и снова ждут: {level}. Попросите у игроков кошелёк, который их примет, и одобрите снова: /payouts.",
		},
		phrase{"no payout that came back is left.", "вернувшихся выплат не осталось."},
	},
	models.AlarmPayoutStray: {
		phrase{
			"TON left with the comment {subject} and did not settle that payout. It may have been paid twice, or otherwise than was approved. Before you pay anything more for it: <code>/payouts show ID</code>, ID being the number of the comment.",
			"с комментарием {subject} ушли TON, которыми эта выплата не закрылась. Возможно, она ушла дважды или не так, как одобрено. Прежде чем платить за неё ещё: <code>/payouts show ID</code>, где ID — номер из комментария.",
		},
		phrase{"a day has gone by, or what left with the comment {subject} settles its payout now.", "прошли сутки, или ушедшее с комментарием {subject} закрыло выплату."},
	},
	models.AlarmPriceStale: {
		phrase{
			"the price of TON is {span} old; beyond {limit} s nothing is sold. It ends by itself once a service answers; if none does, name another in TON_PRICE_URL.",
			"цене TON {span}, старше {limit} с ничего не продаётся. Пройдёт само, когда ответит один из сервисов; если не ответит, назовите другой в TON_PRICE_URL.",
		},
		phrase{"the price of TON is known again.", "цена TON снова известна."},
	},
	models.AlarmVerifyFailed: {
		phrase{
			"invariants that do not hold: {level}. Pay nothing out. Close the game (/maintenance on), take a backup as it is; then <code>mcbk verify</code> tells all of it.",
			"нарушено инвариантов: {level}. Ничего не выплачивайте. Закройте игру (/maintenance on), сделайте копию базы как есть; затем подробности покажет <code>mcbk verify</code>.",
		},
		phrase{"a whole round found the books of all players right.", "полный круг проверки нашёл учёт всех игроков верным."},
	},
}

// nightlyTexts are the texts of verify_failed with the subject models.VerifyEachNight.
var nightlyTexts = alarmWords{
	alarmTexts[models.AlarmVerifyFailed].raised,
	phrase{
		"what is looked at each night holds again. Whether the books of all players are right another message tells.",
		"то, что проверяется каждую ночь, снова сходится. О том, верен ли учёт всех игроков, скажет другое сообщение.",
	},
}

var (
	alarmRaised  = phrase{"Alarm: ", "Тревога: "}
	alarmEnded   = phrase{"All clear: ", "Отбой: "}
	unknownAlarm = alarmWords{phrase{"{alarm} {level}", "{alarm} {level}"}, phrase{"{alarm}", "{alarm}"}}

	aSecond, aMinute, anHour = phrase{"%d s", "%d с"}, phrase{"%d min", "%d мин"}, phrase{"%d h", "%d ч"}
)

// alarmText renders a message of kind models.MessageAlarm in HTML. An alarm without a text is shown by its name.
func alarmText(params map[string]string, language string) string {
	filled := strings.NewReplacer(
		"{alarm}", html.EscapeString(strings.TrimSpace(params["alarm"]+" "+params["subject"])),
		"{subject}", html.EscapeString(params["subject"]),
		"{level}", html.EscapeString(params["level"]),
		"{limit}", html.EscapeString(params["limit"]),
		"{span}", html.EscapeString(span(params["level"], language)),
	)
	words, known := alarmTexts[models.AlarmName(params["alarm"])]
	switch {
	case !known:
		words = unknownAlarm
	case params["subject"] == models.VerifyEachNight:
		words = nightlyTexts
	}
	if params["event"] == "ended" {
		return alarmEnded.in(language) + filled.Replace(words.ended.in(language))
	}
	text := "<b>" + alarmRaised.in(language) + "</b>" + filled.Replace(words.raised.in(language))
	if params["detail"] != "" {
		text += "\n\n" + html.EscapeString(params["detail"])
	}
	return text
}

// span writes a number of seconds in one unit.
func span(seconds, language string) string {
	const minute, hour = 60, 60 * 60
	n, err := strconv.Atoi(seconds)
	switch {
	case err != nil:
		return seconds
	case n < 2*minute:
		return fmt.Sprintf(aSecond.in(language), n)
	case n < 2*hour:
		return fmt.Sprintf(aMinute.in(language), n/minute)
	}
	return fmt.Sprintf(anHour.in(language), n/hour)
}
