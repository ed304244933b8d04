package bot

import (
	"fmt"
	"html"
	"strconv"
	"strings"

	"mcbk/models"
	"mcbk/models/alarms"
)

// alarmWords describe a raised alarm with its remedy, and its end.
type alarmWords struct{ raised, ended phrase }

// alarmTexts are each alarm's texts. Placeholders: {level}, {limit}, {subject} and {span} (a level in seconds, in words).
var alarmTexts = map[models.AlarmName]alarmWords{
	models.AlarmOutboxDead: {
		phrase{
			"messages given up within the last hour: {level}. The game does not depend on them. The log says why; if it says 401, the bot's token was revoked.",
			"не доставлено сообщений за последний час: {level}. Игра от них не зависит. Причины есть в журнале; если там 401, токен бота отозван.",
		},
		phrase{"no message was given up within the last hour.", "за последний час недоставленных сообщений нет."},
	},
	models.AlarmJobMissed: {
		phrase{
			"the job {subject} is {level} min late; {limit} are allowed. Nothing in the game is lost: the job catches up. The log says why it fails: most often the database is slow or full.",
			"задание {subject} опаздывает на {level} мин, допустимо {limit}. Игра ничего не теряет, задание всё догонит. Причины есть в журнале: чаще всего база медленная или переполнена.",
		},
		phrase{"the job {subject} is on time.", "задание {subject} идёт вовремя."},
	},
	models.AlarmClockSkew: {
		phrase{
			"a clock is {level} s off the database's; {limit} are allowed. That process writes nothing until the clock is set right.",
			"часы расходятся с часами базы на {level} с, допустимо {limit}. Процесс с этими часами ничего не записывает, пока их не исправят.",
		},
		phrase{"all clocks agree with the database's.", "все часы сходятся с часами базы."},
	},
	models.AlarmDiskLow: {
		phrase{
			"{level} MiB are left on the disk of the database; less than {limit} is too little. Make room: old backups first. While the disk is full, what players tap waits on their phones.",
			"на диске с базой осталось {level} МиБ, меньше {limit} — слишком мало. Освободите место, начните со старых копий. Пока диск полон, тапы игроков ждут на их телефонах.",
		},
		phrase{"there is room again on the disk of the database.", "на диске с базой снова есть место."},
	},
	models.AlarmChainBehind: {
		phrase{
			"the treasury's history is known only up to {span} ago; {limit} s are allowed. Payments wait, none is lost. If the alarm does not end by itself: the log names the lite servers that fail; replace them in TON_CONFIG.",
			"история казны известна с опозданием на {span}, допустимо {limit} с. Платежи ждут и не потеряются. Если само не пройдёт: отказавшие лайт-серверы названы в журнале, замените их в TON_CONFIG.",
		},
		phrase{"the treasury's history is up to date and payments that waited arrive, or there is no treasury.", "история казны снова известна полностью и ждавшие платежи доходят, либо казны нет."},
	},
	models.AlarmPaymentsHeld: {
		phrase{
			"payments that wait for an admin: {level}. /match lists them, and says what to do with each.",
			"платежей, которые ждут админа: {level}. /match покажет их и подскажет, что делать с каждым.",
		},
		phrase{"no payment waits for an admin.", "платежей, которые ждут админа, нет."},
	},
	models.AlarmPayoutReturned: {
		phrase{
			"payouts that came back and are due again: {level}. Ask the players for a wallet that accepts the money, then approve again: /payouts.",
			"вернувшихся выплат, которые снова ждут: {level}. Попросите игроков указать кошелёк, который их примет, и одобрите снова: /payouts.",
		},
		phrase{"no payout that came back is still due.", "вернувшихся выплат не осталось."},
	},
	models.AlarmPayoutUnmatched: {
		phrase{
			"TON left with the comment {subject} and did not settle that payout. It may have been paid twice, or not as approved. Before you pay anything more for it: <code>/payouts show ID</code>, where ID is the number in the comment.",
			"с комментарием {subject} ушли TON, но эта выплата ими не закрылась. Возможно, она ушла дважды или не так, как одобрено. Прежде чем платить за неё снова: <code>/payouts show ID</code>, где ID — номер из комментария.",
		},
		phrase{"a day has gone by, or what left with the comment {subject} has settled its payout.", "прошли сутки, или ушедшее с комментарием {subject} закрыло выплату."},
	},
	models.AlarmPriceStale: {
		phrase{
			"the price of TON is {span} old; nothing is sold at a price older than {limit} s. The alarm ends by itself once a service answers; if none does, name another in TON_PRICE_URL.",
			"последней цене TON {span}; по цене старше {limit} с ничего не продаётся. Пройдёт само, когда ответит один из сервисов; если не ответит ни один, укажите другой в TON_PRICE_URL.",
		},
		phrase{"the price of TON is known again, or coins are no longer sold.", "цена TON снова известна, либо монеты больше не продаются."},
	},
	models.AlarmVerifyFailed: {
		phrase{
			"invariants that do not hold: {level}. Pay nothing out. Close the game (/maintenance on) and take a backup as it is; then <code>mcbk verify</code> tells the details.",
			"нарушено инвариантов: {level}. Ничего не выплачивайте. Закройте игру (/maintenance on), сделайте копию базы как есть; затем подробности покажет <code>mcbk verify</code>.",
		},
		phrase{"a complete round found the books of all players sound.", "полная проверка показала, что учёт всех игроков верен."},
	},
}

// nightlyTexts are for verify_failed with the subject alarms.VerifyEachNight.
var nightlyTexts = alarmWords{
	alarmTexts[models.AlarmVerifyFailed].raised,
	phrase{
		"what is checked every night is sound again. The result for the books of all players comes in another message.",
		"то, что проверяется каждую ночь, снова сходится. Результат по учёту всех игроков придёт отдельным сообщением.",
	},
}

// unsetTexts are for chain_behind with the detail alarms.TreasuryUnset.
var unsetTexts = alarmWords{
	phrase{
		"TREASURY_ADDRESS is empty, and the treasury's history has not been read for {span}. Payments wait, none is lost; no tournament that has ended is paid meanwhile. Set the address again.",
		"TREASURY_ADDRESS пуст, и история казны не читается уже {span}. Платежи ждут и не потеряются; закончившийся турнир тем временем не выплачивается. Укажите адрес снова.",
	},
	alarmTexts[models.AlarmChainBehind].ended,
}

var (
	alarmRaised  = phrase{"Alarm: ", "Тревога: "}
	alarmEnded   = phrase{"All clear: ", "Отбой: "}
	unknownAlarm = alarmWords{phrase{"{alarm} {level}", "{alarm} {level}"}, phrase{"{alarm}", "{alarm}"}}

	aSecond, aMinute, anHour = phrase{"%d s", "%d с"}, phrase{"%d min", "%d мин"}, phrase{"%d h", "%d ч"}
)

// alarmText renders a models.MessageAlarm in HTML. An alarm without a text is shown by its name.
func alarmText(params map[string]string, language string) string {
	filled := strings.NewReplacer(
		"{alarm}", html.EscapeString(strings.TrimSpace(params["alarm"]+" "+params["subject"])),
		"{subject}", html.EscapeString(params["subject"]),
		"{level}", html.EscapeString(params["level"]),
		"{limit}", html.EscapeString(params["limit"]),
		"{span}", html.EscapeString(span(params["level"], language)),
	)
	words, known := alarmTexts[models.AlarmName(params["alarm"])]
	detail := params["detail"]
	switch {
	case !known:
		words = unknownAlarm
	case params["subject"] == alarms.VerifyEachNight:
		words = nightlyTexts
	case detail == alarms.TreasuryUnset:
		words, detail = unsetTexts, ""
	}
	if params["event"] == "ended" {
		return alarmEnded.in(language) + filled.Replace(words.ended.in(language))
	}
	text := "<b>" + alarmRaised.in(language) + "</b>" + filled.Replace(words.raised.in(language))
	if detail != "" {
		text += "\n\n" + html.EscapeString(detail)
	}
	return text
}

// span formats seconds in one unit.
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
