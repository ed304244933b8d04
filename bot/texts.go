package bot

import "mcbk/models"

// phrase is written without field names, so that a missing language does not compile.
type phrase struct{ english, russian string }

func (p phrase) in(language string) string {
	if language == models.Russian {
		return p.russian
	}
	return p.english
}

// texts are in Telegram's HTML.
var texts = struct {
	play, wholePolicy                                    phrase // buttons
	doesStart, doesPlay, doesHelp                        phrase // command descriptions
	doesLanguage, doesPrivacy, doesPaysupport            phrase
	doesStats, doesPlayer, doesBan, doesUnban, doesErase phrase
	doesSettings, doesMaintenance, doesAudit             phrase
	doesBroadcast, doesTask, doesMatch                   phrase
	doesPayouts, doesTournament, doesFriends             phrase
	friend, somebody                                     phrase // substitutes for a missing name
	greeting                                             phrase // %s: the person's name
	invitation, pointer                                  phrase
	help                                                 phrase // %s: energy a tap, taps a coin, energy at the first and the last level
	admin                                                phrase // %d: the admin's Telegram id
	whichLanguage, languageChosen                        phrase
	privacy, paysupport                                  phrase
	friendJoined                                         phrase // %s: the friend's name
	friendPaid                                           phrase // %s: the friend's name, %s: coins, %s: points
	purchaseCredited                                     phrase // %s: the coins
	mineUnlocked                                         phrase // %d: the level, %s: the mine's name
	tournamentResult                                     phrase // %s: the rank, %s: ore, %s: coins
	prizeWaits                                           phrase // %s: coins and TON
	prizeNeedsWallet                                     phrase // where TON is won
	prizeGiven                                           phrase // %s: coins
	prizePaid                                            phrase // %s: TON
	streakWaits                                          phrase // %d: days in a row
	bagFull, mineFull                                    phrase
}{
	play:        phrase{"Play", "Играть"},
	wholePolicy: phrase{"Read the whole policy", "Читать полностью"},

	doesStart:      phrase{"Start here", "Познакомиться с игрой"},
	doesPlay:       phrase{"Open the game", "Открыть игру"},
	doesHelp:       phrase{"How it works", "Как всё устроено"},
	doesLanguage:   phrase{"English or Russian", "Русский или английский"},
	doesPrivacy:    phrase{"What we know about you", "Что мы о вас знаем"},
	doesPaysupport: phrase{"Help with payments", "Помощь с оплатой"},

	friend:          phrase{"friend", "друг"},
	somebody:        phrase{"A friend", "Ваш друг"},
	doesStats:       phrase{"The game in numbers", "Игра в цифрах"},
	doesPlayer:      phrase{"What is known about a player", "Что известно об игроке"},
	doesBan:         phrase{"Ban a player", "Заблокировать игрока"},
	doesUnban:       phrase{"Lift a player's ban", "Разблокировать игрока"},
	doesErase:       phrase{"Erase a player's personal data for good", "Навсегда удалить личные данные игрока"},
	doesSettings:    phrase{"See and change settings", "Посмотреть и изменить настройки"},
	doesMaintenance: phrase{"Close or reopen the game", "Закрыть игру на техработы или открыть"},
	doesBroadcast:   phrase{"Send a message to all players; without a text: see how far it is, stop it", "Разослать сообщение всем игрокам; без текста — узнать, как идёт рассылка, и остановить её"},
	doesTask:        phrase{"List, add and retire permanent tasks", "Постоянные задания: список, добавить, снять"},
	doesMatch:       phrase{"Payments that wait for a decision", "Платежи, которые ждут решения"},
	doesFriends:     phrase{"Whom a player invited", "Кого пригласил игрок"},
	doesPayouts:     phrase{"TON that is to be paid out", "Что предстоит выплатить в TON"},
	doesTournament:  phrase{"The tournament in the mines", "Турнир в шахтах"},
	doesAudit:       phrase{"What admins have done", "Что делали админы"},

	greeting: phrase{
		`<b>Hello, %s!</b>

This bag is yours. Tap it and it fills with MCBK; spin the wheel for a surprise, ask for a piece of advice, go down into the mines when you feel brave.

Come in whenever you like. What you have earned waits for you.`,
		`<b>Здравствуйте, %s!</b>

Этот мешок ваш. Тапайте, и он наполнится MCBK; крутите колесо, когда хочется сюрприза, спрашивайте совет, а наберётесь смелости — спускайтесь в шахты.

Заходите, когда удобно. Заработанное вас дождётся.`,
	},

	invitation: phrase{
		`Your bag is right where you left it.`,
		`Мешок там же, где вы его оставили.`,
	},

	pointer: phrase{
		`I am a bot of few words: /help lists the ones I know. The fun is behind the button.`,
		`Я бот немногословный: все мои слова — в /help. А всё интересное — за кнопкой.`,
	},

	help: phrase{
		`<b>How MCBK works</b>

Tap the bag. A tap takes %s energy, and %s taps make one MCBK. You begin with %s energy a day; the more you spin the wheel, the more you get, up to %s. Energy is full again at 00:00 UTC. Offline taps count once you are back.

There is more inside: a wheel of fortune with free spins every day, daily tasks, a piece of advice, friends to invite, and a tournament in the mines.
`,
		`<b>Как устроена MCBK</b>

Тапайте по мешку. Один тап тратит %s ед. энергии, а на один MCBK нужно тапов: %s. Сначала энергии %s в день; чем больше вы крутите колесо, тем её больше: до %s. В 00:00 UTC она полностью восстанавливается. Тапы без связи засчитаются, когда вы вернётесь в сеть.

А ещё в игре колесо фортуны с бесплатными спинами каждый день, ежедневные задания, советы, друзья, которых можно позвать, и турнир в шахтах.
`,
	},

	admin: phrase{
		`You are an admin of this game (Telegram id %d).`,
		`Вы админ этой игры (Telegram id %d).`,
	},

	whichLanguage:  phrase{"Which language shall we speak?", "На каком языке поговорим?"},
	languageChosen: phrase{"English it is.", "Теперь говорим по-русски."},

	privacy: phrase{
		`<b>Privacy in short</b>

From Telegram we keep your id, name, username, photo, language and whether you have Premium. Other players see your name and photo on the leaderboards. We keep what you do in the game, because your balance is the sum of it, and a wallet address only when you connect one.

What you write to this bot is deleted seven days after the answer.`,
		`<b>Коротко о конфиденциальности</b>

Из Telegram мы получаем и храним ваш id, имя, имя пользователя, фото, язык и наличие Premium. Имя и фото видны другим игрокам в таблицах лидеров. Мы храним ваши действия в игре, потому что из них складывается баланс, и адрес кошелька, только если вы его подключите.

То, что вы пишете этому боту, удаляется через семь дней после ответа.`,
	},

	paysupport: phrase{
		`<b>About payments</b>

You pay in TON from your own wallet to the address the game shows, with the comment it shows. The comment is how we know the payment is yours, so please leave it as it is. When the network has confirmed the payment, what you bought appears by itself.

No payment gets lost. If one comes late, in another amount or without its comment, it is recorded all the same: it is credited, or kept aside until a person has looked at it.

Is something missing? Write to the contact named in this bot's profile: the order's comment, which begins with MC-, and the time of the payment are enough. Nobody needs your wallet's secret phrase: never tell it to anyone.`,
		`<b>Об оплате</b>

Вы платите в TON со своего кошелька на адрес, который показывает игра, с тем комментарием, который она показывает. По комментарию мы узнаём ваш платёж, поэтому не меняйте его. Когда сеть подтвердит платёж, покупка появится сама.

Ни один платёж не теряется. Если он придёт позже, на другую сумму или без комментария, он всё равно будет записан: его зачислят или отложат до проверки человеком.

Чего-то не хватает? Напишите по контакту из профиля этого бота: достаточно комментария заказа, он начинается с MC-, и времени платежа. Секретная фраза вашего кошелька никому не нужна: не сообщайте её никому.`,
	},

	purchaseCredited: phrase{
		"Your payment has arrived: <b>%s MCBK</b> are yours.",
		"Оплата получена: вам зачислено <b>%s MCBK</b>.",
	},
	mineUnlocked: phrase{
		"Your payment has arrived: mine %d, <b>%s</b>, is open. Dig!",
		"Оплата получена: шахта %d, <b>%s</b>, открыта. За работу!",
	},
	tournamentResult: phrase{
		"The tournament in the mines is over. You came <b>#%s</b> with %s ore, which brought you <b>%s MCBK</b>.",
		"Турнир в шахтах окончен. Ваше место <b>%s</b>: добыто %s руды, зачислено <b>%s MCBK</b>.",
	},
	prizeWaits: phrase{
		" Your prize, <b>%s</b>, will arrive once it is confirmed.",
		" Ваш приз, <b>%s</b>, придёт после подтверждения.",
	},
	prizeNeedsWallet: phrase{
		" TON goes only to a wallet that you have verified in the game.",
		" TON отправляют только на кошелёк, подтверждённый в игре.",
	},
	prizeGiven: phrase{
		"Your tournament prize has arrived: <b>%s MCBK</b> are yours.",
		"Приз турнира получен: вам зачислено <b>%s MCBK</b>.",
	},
	prizePaid: phrase{
		"Your tournament prize has been paid: <b>%s TON</b> to the wallet that you verified.",
		"Приз турнира выплачен: <b>%s TON</b> на кошелёк, который вы подтвердили.",
	},
	friendJoined: phrase{
		`<b>%s</b> has joined the game by your invitation. Say hello!`,
		`<b>%s</b> теперь в игре по вашему приглашению. Передавайте привет!`,
	},
	streakWaits: phrase{
		"Days in a row: <b>%d</b>. Open the game before 00:00 UTC to keep your streak.",
		"Дней подряд: <b>%d</b>. Зайдите в игру до 00:00 UTC, чтобы серия не прервалась.",
	},
	bagFull: phrase{
		"Your energy is full again: the money bag is waiting.",
		"Энергия восстановилась: мешок с монетами ждёт вас.",
	},
	mineFull: phrase{
		"Your mine's energy is full again: there is ore to dig.",
		"Энергия шахты восстановилась: можно снова добывать руду.",
	},
	friendPaid: phrase{
		"<b>%s</b> has played for two weeks. You get <b>%s MCBK</b> and %s points.",
		"<b>%s</b> в игре уже две недели. Вам — <b>%s MCBK</b> и %s очков.",
	},
}
