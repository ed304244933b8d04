package bot

import (
	"html"
	"strings"

	"mcbk/models"
)

// alarmTexts say what an alarm means, and what to do. {level}, {limit} and {subject} are filled in.
var alarmTexts = map[models.AlarmName]phrase{
	models.AlarmOutboxDead: {
		"messages given up within the last hour: {level}. The log says why.",
		"сообщений, от которых пришлось отказаться за последний час: {level}. Причины есть в журнале.",
	},
	models.AlarmJobMissed: {
		"the job {subject} is {level} min late; {limit} are allowed. The log says why.",
		"задание {subject} опаздывает на {level} мин, допустимо {limit}. Причины есть в журнале.",
	},
	models.AlarmClockSkew: {
		"a clock is {level} s off the database's; {limit} are allowed. That process writes nothing until it is set right.",
		"часы расходятся с часами базы на {level} с, допустимо {limit}. Этот процесс ничего не записывает, пока они не исправлены.",
	},
	models.AlarmDiskLow: {
		"{level} MiB are left where the database lies; below {limit} is too little.",
		"на диске с базой осталось {level} МиБ, меньше {limit} слишком мало.",
	},
	models.AlarmChainBehind: {
		"the chain is known up to {level} s ago; {limit} are allowed. Payments wait, none is lost. The log says why.",
		"цепочка известна на момент {level} с назад, допустимо {limit}. Платежи ждут и не потеряются. Причины есть в журнале.",
	},
	models.AlarmPaymentsHeld: {
		"payments that wait for you: {level}. /match lists them.",
		"платежей, которые ждут вас: {level}. Их покажет /match.",
	},
	models.AlarmPayoutReturned: {
		"payouts that came back and are due again: {level}. /payouts lists them.",
		"выплат, которые вернулись и снова ждут: {level}. Их покажет /payouts.",
	},
	models.AlarmPriceStale: {
		"the price of TON is {level} s old; beyond {limit} nothing is sold.",
		"цене TON {level} с, старше {limit} с ничего не продаётся.",
	},
	models.AlarmVerifyFailed: {
		"invariants that do not hold: {level}. <code>mcbk verify</code> tells all of it.",
		"нарушено инвариантов: {level}. Подробности покажет <code>mcbk verify</code>.",
	},
}

var (
	alarmRaised = phrase{"Alarm: ", "Тревога: "}
	alarmEnded  = phrase{"All clear, {alarm}", "Отбой, {alarm}"}
)

// alarmText words a message of kind models.MessageAlarm in HTML. An alarm that has no words yet
// is told by its name.
func alarmText(params map[string]string, language string) string {
	filled := strings.NewReplacer(
		"{alarm}", html.EscapeString(strings.TrimSpace(params["alarm"]+" "+params["subject"])),
		"{subject}", html.EscapeString(params["subject"]),
		"{level}", html.EscapeString(params["level"]),
		"{limit}", html.EscapeString(params["limit"]),
	)
	if params["event"] == "ended" {
		return filled.Replace(alarmEnded.in(language))
	}
	meaning, known := alarmTexts[models.AlarmName(params["alarm"])]
	if !known {
		meaning = phrase{"{alarm} {level}", "{alarm} {level}"}
	}
	text := "<b>" + alarmRaised.in(language) + "</b>" + filled.Replace(meaning.in(language))
	if params["detail"] != "" {
		text += "\n\n" + html.EscapeString(params["detail"])
	}
	return text
}
