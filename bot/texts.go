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
	play, wholePolicy                                     phrase // buttons
	doesStart, doesPlay, doesHelp                         phrase // command descriptions
	doesLanguage, doesPrivacy, doesPaysupport             phrase
	doesStats, doesPlayer, doesBan, doesUnban, doesErase  phrase
	doesSettings, doesMaintenance, doesAudit              phrase
	doesBroadcast, doesTask, doesMatch                    phrase
	doesPayouts, doesTournament, doesFriends              phrase
	doesTerms, doesStars                                  phrase
	friend, somebody                                      phrase // substitutes for a missing name
	greeting                                              phrase // %s: the person's name
	invitation, pointer                                   phrase
	help                                                  phrase // %s: energy a tap, taps a coin, energy at the first and the last level
	admin                                                 phrase // %d: the admin's Telegram id
	whichLanguage, languageChosen                         phrase
	privacy, paysupport, terms                            phrase
	lastOrders, orderRefunded, orderHeld                  phrase
	orderPending, orderPaid, orderExpired, orderCancelled phrase
	checkoutLater, checkoutUnknown, checkoutPaid          phrase // plain text, shown by Telegram's payment
	checkoutExpired, checkoutOff, checkoutBanned          phrase
	starsRefunded                                         phrase // %s: the Stars
	friendJoined                                          phrase // %s: the friend's name
	friendPaid                                            phrase // %s: the friend's name, %s: coins, %s: points
	purchaseCredited                                      phrase // %s: the coins
	paymentUnmatched                                      phrase // %s: TON
	mineUnlocked                                          phrase // %d: the level, %s: the mine's name
	tournamentResult                                      phrase // %s: the rank, %s: ore, %s: coins
	prizeWaits                                            phrase // %s: coins and TON
	prizeNeedsWallet                                      phrase // where TON is won
	prizeGiven                                            phrase // %s: coins
	prizePaid                                             phrase // %s: TON
	streakWaits                                           phrase // %d: days in a row
	bagFull, mineFull                                     phrase
	seasonCard, tournamentCard                            phrase // below a picture to share
	cardSeason, cardEarned, cardPlace, cardTaps           phrase // on it
	cardFriends, cardBest, cardWon, cardMines             phrase
	cardOre, cardPrize, cardPaid                          phrase
	cardDays                                              phrase // %d: days played, %d: of how many
	cardRank                                              phrase // %s: the rank
	cardPoints                                            phrase // %s: points
}{
	play:        phrase{"Play", "Играть"},
	wholePolicy: phrase{"Read the whole policy", "Читать полностью"},

	doesStart:      phrase{"Start here", "Познакомиться с игрой"},
	doesPlay:       phrase{"Open the game", "Открыть игру"},
	doesHelp:       phrase{"How it works", "Как всё устроено"},
	doesLanguage:   phrase{"English or Russian", "Русский или английский"},
	doesPrivacy:    phrase{"What we know about you", "Что мы о вас знаем"},
	doesPaysupport: phrase{"Help with payments", "Помощь с оплатой"},

	doesTerms: phrase{"Terms of the game", "Условия игры"},
	doesStars: phrase{"Payments in Telegram Stars, refunds", "Оплата в Telegram Stars, возвраты"},

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

In Telegram Stars you pay inside Telegram; what you bought is yours as soon as Telegram has confirmed it. In TON you pay from your own wallet to the address the game shows, with the comment it shows: by the comment we know the payment is yours.

No payment gets lost. If one comes late or in another amount, it is recorded all the same: it is credited, or kept aside until a person has looked at it.

Is something missing, or do you want a refund? Write to the contact named in this bot's profile: the order's number, which begins with MC- or MS-, is enough. Telegram's own support does not help with purchases in this game. Nobody needs your wallet's secret phrase: never tell it to anyone.`,
		`<b>Об оплате</b>

В Telegram Stars вы платите прямо в Telegram: покупка ваша, как только Telegram подтвердит оплату. В TON вы платите со своего кошелька на адрес, который показывает игра, с тем комментарием, который она показывает: по нему мы узнаём ваш платёж.

Ни один платёж не теряется. Если он придёт позже или на другую сумму, он всё равно будет записан: его зачислят или отложат до проверки человеком.

Чего-то не хватает или нужен возврат? Напишите по контакту из профиля этого бота: достаточно номера заказа, он начинается с MC- или MS-. Поддержка самого Telegram с покупками в этой игре не поможет. Секретная фраза вашего кошелька никому не нужна: не сообщайте её никому.`,
	},
	lastOrders:     phrase{"Your last orders", "Ваши последние заказы"},
	orderHeld:      phrase{"a person looks at it", "проверяет человек"},
	orderRefunded:  phrase{"refunded", "деньги возвращены"},
	orderPending:   phrase{"waits to be paid", "ждёт оплаты"},
	orderPaid:      phrase{"paid", "оплачен"},
	orderExpired:   phrase{"expired", "истёк"},
	orderCancelled: phrase{"cancelled", "отменён"},
	terms: phrase{
		`<b>Terms</b>

MCBK is a game for adults. Coins, points and mines are digital goods of the game: they are delivered at once and can be used in it. What was bought in Telegram Stars is refunded on request if it was not delivered; /paysupport says how to ask. A refund takes back what it paid for. Whoever cheats can be banned. What is kept about you is in the game, under Privacy.`,
		`<b>Условия</b>

MCBK — игра для взрослых. Монеты, очки и шахты — цифровые товары игры: они выдаются сразу и действуют в ней. Купленное за Telegram Stars возвращается по запросу, если оно не было выдано; как спросить — в /paysupport. Возврат забирает то, за что заплачено. За обман могут заблокировать. Что о вас хранится — в игре, в разделе о конфиденциальности.`,
	},
	checkoutLater:   phrase{"The game does not answer right now. Nothing was taken: please try again in a minute.", "Игра сейчас не отвечает. Ничего не списано: попробуйте через минуту."},
	checkoutUnknown: phrase{"This is not your order. Please order again in the game.", "Это не ваш заказ. Закажите ещё раз в игре."},
	checkoutPaid:    phrase{"This order is paid already.", "Этот заказ уже оплачен."},
	checkoutExpired: phrase{"This order is no longer open. Please order again in the game.", "Этот заказ больше не открыт. Закажите ещё раз в игре."},
	checkoutOff:     phrase{"Nothing is sold for Stars at the moment.", "Сейчас за Stars ничего не продаётся."},
	checkoutBanned:  phrase{"This account is blocked in the game.", "Этот аккаунт заблокирован в игре."},
	starsRefunded: phrase{
		"<b>%s Stars</b> have been given back to you, and what they bought has been taken back.",
		"Вам возвращено <b>%s Stars</b>; купленное за них списано.",
	},

	purchaseCredited: phrase{
		"Your payment has arrived: <b>%s MCBK</b> are yours.",
		"Оплата получена: вам зачислено <b>%s MCBK</b>.",
	},
	paymentUnmatched: phrase{
		"<b>%s TON</b> has come from your wallet without an order's comment, so nothing could be credited yet. A person looks at it, and nothing is lost: /paysupport",
		"С вашего кошелька пришло <b>%s TON</b> без комментария заказа, поэтому пока ничего не зачислено. Платёж проверит человек, деньги не потеряны: /paysupport",
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

	seasonCard: phrase{
		"My season in MCBK. And yours?",
		"Мой сезон в MCBK. А ваш?",
	},
	tournamentCard: phrase{
		"My place in the mines of MCBK. Can you dig deeper?",
		"Моё место в шахтах MCBK. Сможете копать глубже?",
	},
	cardSeason:  phrase{"My season", "Мой сезон"},
	cardDays:    phrase{"%d of %d days", "%d из %d дней"},
	cardEarned:  phrase{"MCBK earned", "заработано MCBK"},
	cardPlace:   phrase{"My place", "Моё место"},
	cardTaps:    phrase{"Taps", "Тапы"},
	cardFriends: phrase{"Friends", "Друзья"},
	cardBest:    phrase{"Best win", "Лучший выигрыш"},
	cardPoints:  phrase{"+%s points", "+%s очков"},
	cardWon:     phrase{"Victory!", "Победа!"},
	cardMines:   phrase{"Tournament in the mines", "Турнир в шахтах"},
	cardRank:    phrase{"%s place", "%s место"},
	cardOre:     phrase{"Ore dug", "Добыто руды"},
	cardPrize:   phrase{"Prize", "Приз"},
	cardPaid:    phrase{"Paid", "Зачислено"},
}
