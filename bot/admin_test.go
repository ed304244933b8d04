package bot_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"mcbk/bot"
	"mcbk/models"
	"mcbk/models/modelstest"
	"mcbk/models/players"
	"mcbk/models/settings"
	"mcbk/models/store"
	"mcbk/models/treasury"
)

// desk is a scene with two admins and somebody who is none.
type desk struct {
	*scene
	adam, bea, eve person
}

func atDesk(t *testing.T, store *store.Store, change ...func(*bot.Settings)) *desk {
	t.Helper()
	d := &desk{adam: ann(), bea: ann(), eve: ann()}
	d.scene = begin(t, newTelegram(t), store, func(f *fakeTelegram) bot.Settings {
		settings := hooked(f)
		settings.AdminIDs = []int64{d.adam.id, d.bea.id}
		for _, c := range change {
			c(&settings)
		}
		return settings
	})
	return d
}

// asks is sends for one admin, without notices to the other.
func (d *desk) asks(who person, update func(id int64) string) []call {
	d.Helper()
	return slices.DeleteFunc(d.sends(update), func(c call) bool {
		chat, toChat := c.fields["chat_id"]
		return toChat && chat != fmt.Sprint(who.id)
	})
}

// reads is asks for a private message.
func (d *desk) reads(who person, text string) []call {
	d.Helper()
	return d.asks(who, func(id int64) string { return who.writes(id, text) })
}

// writes is a private message; the reply must be one message, in HTML, below the buttons of a broadcast. A picture's caption is its text.
func (d *desk) writes(who person, text string) call {
	d.Helper()
	said := d.reads(who, text)
	if strings.HasPrefix(text, "/broadcast ") {
		said = said[1:]
	}
	if len(said) != 1 || (said[0].method != "sendMessage" && said[0].method != "sendPhoto") || said[0].fields["parse_mode"] != "HTML" {
		d.Fatalf("%q got %+v", text, said)
	}
	if said[0].method == "sendPhoto" {
		said[0].fields["text"] = said[0].fields["caption"]
	}
	return said[0]
}

// says writes a message as Adam, whose reply must hold these words.
func (d *desk) says(text string, want ...string) call {
	d.Helper()
	said := d.writes(d.adam, text)
	for _, words := range want {
		if !strings.Contains(said.fields["text"], words) {
			d.Errorf("%s got %q, not %q", text, said.fields["text"], words)
		}
	}
	return said
}

// refuses is says where nothing is asked.
func (d *desk) refuses(text, want string) {
	d.Helper()
	if said := d.says(text, want); len(said.buttons()) > 0 {
		d.Errorf("%s asks %v", text, said.fields)
	}
}

// presses returns the toast and, if the confirmation was edited, its new text.
func (d *desk) presses(who person, data string) (toast, edited string) {
	d.Helper()
	for _, c := range d.asks(who, func(id int64) string { return who.presses(id, data) }) {
		switch c.method {
		case "answerCallbackQuery":
			toast = c.fields["text"]
		case "editMessageText":
			if edited = c.fields["text"]; c.fields["reply_markup"] != "" {
				d.Errorf("%s keeps its buttons", edited)
			}
		default:
			d.Errorf("a press got %+v", c)
		}
	}
	return toast, edited
}

// decides presses a button, and checks how the toast begins and what the edited confirmation holds; it is not edited if that is empty.
func (d *desk) decides(who person, button, wantToast, wantEdited string) {
	d.Helper()
	if toast, edited := d.presses(who, button); !strings.HasPrefix(toast, wantToast) || !strings.Contains(edited, wantEdited) || (wantEdited == "") != (edited == "") {
		d.Errorf("%s shows %q and %q, want %q and %q", button, toast, edited, wantToast, wantEdited)
	}
}

// buttons are what the inline buttons of a message carry.
func (c call) buttons() (data []string) {
	var markup struct {
		Rows [][]struct {
			Data string `json:"callback_data"`
		} `json:"inline_keyboard"`
	}
	_ = json.Unmarshal([]byte(c.fields["reply_markup"]), &markup)
	for _, row := range markup.Rows {
		for _, b := range row {
			data = append(data, b.Data)
		}
	}
	return data
}

// outcomes are the audit's rows that hold these words, the oldest first.
func (d *desk) outcomes(words ...string) (lines []string) {
	d.Helper()
	for _, a := range modelstest.Audit(d.T, d.store) {
		line := fmt.Sprintf("%s %s: %s", a.Action, a.State, a.Outcome)
		if !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(line, word) }) {
			lines = append(lines, line)
		}
	}
	return lines
}

// commandCase is an admin command with its reply and its effect; read-only commands have none.
type commandCase struct {
	prepare func(d *desk, p models.Player)
	text    func(p models.Player) string
	says    string
	done    func(d *desk, p models.Player) bool
	outcome string
}

func plainText(text string) func(models.Player) string {
	return func(models.Player) string { return text }
}

func isBanned(d *desk, p models.Player) bool {
	return modelstest.Must(d.store.Players.Player(d.Context(), p.ID))(d).Banned()
}

// silenced wants no messages.
func silenced(d *desk, p models.Player) {
	modelstest.Must(d.store.Players.SetPreference(d.Context(), p.ID, players.Preference{Notifications: new(bool)}, modelstest.Noon))(d)
}

var commandCases = map[string]commandCase{
	"stats": {text: plainText("/stats"), says: "Players: 1"},
	"player": {
		text: func(p models.Player) string { return fmt.Sprint("/player ", p.TelegramID) }, says: "house:taps → game 0.02 MCBK",
	},
	"friends": {
		prepare: func(d *desk, p models.Player) {
			silenced(d, p)
			modelstest.Player(d, d.store, modelstest.InvitedBy(p))
		},
		text: func(p models.Player) string { return fmt.Sprint("/friends reject ", p.ID+1) }, says: "the reward for them, for good?",
		done: func(d *desk, p models.Player) bool {
			_, rejected, _, err := d.store.Friends.Friends(d.Context(), p.ID, models.Page{Limit: 1}, models.FriendRejected)
			return err == nil && rejected == 1
		},
		outcome: "is rejected",
	},
	"ban": {
		text: func(p models.Player) string { return fmt.Sprint("/ban ", p.ID, "  taps \n at night") }, says: "taps at night",
		done: isBanned, outcome: "is banned: taps at night",
	},
	"unban": {
		prepare: func(d *desk, p models.Player) {
			modelstest.Done(d, d.store, players.ActionBan, fmt.Sprint(p.ID), "a bot")
		},
		text: func(p models.Player) string { return fmt.Sprint("/unban ", p.ID) }, says: "banned for: a bot",
		done: func(d *desk, p models.Player) bool { return !isBanned(d, p) }, outcome: "may play again",
	},
	"erase": {
		text: func(p models.Player) string { return fmt.Sprint("/erase ", p.ID) }, says: "Name, picture and wallet are forgotten",
		done: func(d *desk, p models.Player) bool {
			return modelstest.Must(d.store.Players.Player(d.Context(), p.ID))(d).Erased()
		},
		outcome: "is erased",
	},
	"settings": {
		text: plainText("/settings taps_per_second 20"), says: "Set taps_per_second to 20? It is now 10",
		done: func(d *desk, _ models.Player) bool {
			return d.store.Settings.RuntimeSettings(d.Context(), d.clock.Now()).TapsPerSecond == 20
		},
		outcome: "taps_per_second is 20",
	},
	"maintenance": {
		text: plainText("/maintenance on"), says: "Close the game",
		done:    func(d *desk, _ models.Player) bool { return d.store.Settings.InMaintenance(d.Context(), d.clock.Now()) },
		outcome: "maintenance is on",
	},
	"broadcast": {
		prepare: silenced, // nobody is left to tell
		text:    plainText("/broadcast Hello all"), says: "to 0 players? At",
		done: func(d *desk, _ models.Player) bool {
			_, err := d.store.Outbox.NewestBroadcast(d.Context())
			return err == nil
		},
		outcome: "goes to 0 players",
	},
	"task": {
		prepare: func(d *desk, _ models.Player) {
			modelstest.Done(d, d.store, settings.ActionChangeSetting, "task_exchange_join", "4,110")
		},
		text: plainText("/task add exchange_join https://exchange.example/join Join <us> | Вступайте"),
		says: "Offer this to all players, for 4 MCBK and 110 points?\n\nJoin &lt;us&gt; | Вступайте\nhttps://exchange.example/join",
		done: func(d *desk, _ models.Player) bool {
			all := modelstest.Must(d.store.Tasks.PermanentTasks(d.Context()))(d)
			return len(all) == 1 && all[0].TitleEn == "Join <us>" && all[0].TitleRu == "Вступайте"
		},
		outcome: "is offered: exchange_join https://exchange.example/join",
	},
	"match": {
		prepare: func(d *desk, _ models.Player) { modelstest.Held(d, d.store) },
		text:    func(p models.Player) string { return fmt.Sprint("/match 1 ", p.ID) }, says: "Give payment 1 to ",
		done: func(d *desk, p models.Player) bool {
			return modelstest.Must(d.store.Players.Player(d.Context(), p.ID))(d).Balances.Purchased == 1_250_000_000
		},
		outcome: " MCBK to player ",
	},
	"stars": {
		prepare: func(d *desk, p models.Player) {
			modelstest.ReceiveCharge(d, d.store, modelstest.Charge(p, modelstest.OrderStars(d, d.store, p, 500, modelstest.Noon), "charge-1"))
		},
		text: plainText("/stars refund charge-1"), says: "Give 500 Stars of 2026-03-04 12:01:00 UTC back",
		done: func(d *desk, _ models.Player) bool {
			return modelstest.Must(d.store.Stars.Charge(d.Context(), "charge-1"))(d).RefundRequestedAt != nil
		},
		outcome: "Telegram is requested to refund the charge charge-1",
	},
	"payouts": {
		prepare: func(d *desk, _ models.Player) {
			modelstest.Held(d, d.store)
			modelstest.Done(d, d.store, treasury.ActionMatch, "1", treasury.MatchRefund)
		},
		text: plainText("/payouts approve 1"), says: "Approve payout 1 of 1 TON, refund of payment 1, to <code>0:payer</code>? The address is then fixed.",
		done: func(d *desk, _ models.Player) bool {
			p := modelstest.Must(d.store.Treasury.Payout(d.Context(), "1"))(d)
			return p.State == models.PayoutApproved && *p.Address == "0:payer"
		},
		outcome: "payout 1 of 1 TON to 0:payer is approved",
	},
	"tournament": {
		prepare: func(d *desk, _ models.Player) { modelstest.Tournament(d, d.store) },
		text:    plainText("/tournament new 2026-03-19"), says: "Start a tournament on 2026-03-19 at 00:00 UTC? It ends on 2026-04-03 at 00:00 UTC.",
		done: func(d *desk, _ models.Player) bool {
			return len(modelstest.Must(d.store.Mines.TournamentStatuses(d.Context(), 5))(d)) == 2
		},
		outcome: "a tournament begins on 2026-03-19",
	},
	"audit": {text: plainText("/audit"), says: "Nothing has been done yet"},
}

// eachCommand plays a scene with each admin command on each database.
func eachCommand(t *testing.T, play func(d *desk, c commandCase, p models.Player)) {
	t.Helper()
	if names := bot.AdminCommands(); len(names) != len(commandCases) {
		t.Fatalf("%d cases in commandCases for the %d commands %v: each has one", len(commandCases), len(names), names)
	}
	for _, name := range bot.AdminCommands() {
		c, known := commandCases[name]
		if !known {
			t.Errorf("no case of /%s", name)
			continue
		}
		t.Run(name, func(t *testing.T) {
			modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
				p := modelstest.Player(t, store, modelstest.Tapped(20))
				d := atDesk(t, store)
				if c.prepare != nil {
					c.prepare(d, p)
				}
				play(d, c, p)
			})
		})
	}
}

// Each command is heard only from an admin in their own chat, and executed once, when that admin confirms it in time.
func TestAdminCommandIsExecutedOnceWhenItsAdminConfirms(t *testing.T) {
	eachCommand(t, func(d *desk, c commandCase, p models.Player) {
		text := c.text(p)
		d.ignoresOthers(text)
		asks := func() []string {
			buttons := d.says(text, c.says).buttons()
			if (len(buttons) == 2) != (c.done != nil) || len(buttons) == 2 && (len(buttons[0]) > 64 || !strings.HasPrefix(buttons[0], "confirm:") || !strings.HasPrefix(buttons[1], "cancel:")) {
				d.Fatalf("asks with %v", buttons)
			}
			return buttons
		}
		buttons := asks()
		if c.done == nil {
			return
		}
		d.decides(d.adam, buttons[1], "Nothing was done.", "<b>Nothing was done:</b> ")
		d.decides(d.adam, buttons[0], "This was already decided.", "<b>Nothing was done:</b> ")

		buttons = asks()
		refused := d.outcomes(" refused: ")
		for _, thief := range []person{d.bea, d.eve} {
			for _, button := range buttons {
				d.decides(thief, button, "This is not yours to decide.", "")
			}
		}
		d.step(121 * time.Second)
		d.decides(d.adam, buttons[0], "Too late", "nothing was done")
		d.decides(d.adam, "confirm:nothing", "There is no such question.", "")
		if now := d.outcomes(" refused: "); len(now) != len(refused)+6 || c.done(d, p) {
			d.Errorf("it is done: %t; the audit has %q", c.done(d, p), now)
		}

		buttons = asks()
		d.pressesAtOnce(buttons[0], 20)
		for range 2 { // a second press, and one on the other button, change nothing
			for _, again := range buttons {
				d.decides(d.adam, again, "This was already decided.", c.outcome)
			}
			if executed := d.outcomes(" executed: ", c.outcome); len(executed) != 1 || !c.done(d, p) {
				d.Errorf("it is done: %t; the audit has %q", c.done(d, p), executed)
			}
		}
	})
}

// ignoresOthers sends a command in every way in which it must be refused: the sender must not learn that it exists.
func (d *desk) ignoresOthers(text string) {
	d.Helper()
	forwarded := func(who person) string {
		return strings.Replace(who.writes(0, text), `"message_id":5`, `"message_id":5,"forward_origin":{"type":"user","date":1,"sender_user":{"id":7,"first_name":"x"}}`, 1)
	}
	for _, s := range []struct{ why, update string }{
		{"not an admin", d.eve.writes(0, text)},
		{"not in a private chat", d.adam.writesIn(0, "group", -5, text)},
		{"not in a private chat", d.adam.writesIn(0, "supergroup", -6, text)},
		{"not in a private chat", d.eve.writesIn(0, "group", -7, text)},
		{"not in a private chat", inJSON(map[string]any{"update_id": 0, "channel_post": map[string]any{
			"message_id": 5, "date": 1, "text": text, "chat": map[string]any{"id": -8, "type": "channel"},
		}})},
		{"forwarded", forwarded(d.adam)},
		{"not an admin", forwarded(d.eve)},
		{"written by another bot", strings.Replace(d.adam.writes(0, text), `"message_id":5`, `"message_id":5,"via_bot":{"id":9,"is_bot":true,"first_name":"x","username":"x_bot"}`, 1)},
	} {
		before := len(d.outcomes())
		said := d.sends(func(id int64) string {
			return strings.Replace(s.update, `"update_id":0`, fmt.Sprintf(`"update_id":%d`, id), 1)
		})
		if lines := d.outcomes(); len(said) != 0 || len(lines) != before+1 || !strings.HasSuffix(lines[before], " refused: "+s.why) {
			d.Errorf("%s: said %+v, written %q", s.why, said, lines[before:])
		}
	}
}

// pressesAtOnce has Adam press a button several times, without a chat, so that several workers take the updates.
func (d *desk) pressesAtOnce(button string, times int) {
	d.Helper()
	first := d.updates + 1
	for range times {
		d.updates++
		body := inJSON(map[string]any{"update_id": d.updates, "callback_query": map[string]any{
			"id": "77", "data": button, "from": map[string]any{"id": d.adam.id, "first_name": "Ann"},
		}})
		modelstest.Must(d.store.Outbox.ReceiveUpdates(d.Context(), []models.BotUpdate{{UpdateID: d.updates, Body: []byte(body)}}, d.clock.Now()))(d)
	}
	d.bot.Wake()
	for id := first; id <= d.updates; id++ {
		d.ended(id)
	}
}

func TestMalformedCommandShowsUsage(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		d := atDesk(t, store)
		p := modelstest.Player(t, store)
		for text, says := range map[string]string{
			"/stats now":                             "Usage: /stats",
			"/player":                                "Usage: /player ID",
			"/player 1 2":                            "Nothing comes after ID.\nUsage: /player ID",
			"/satts":                                 "There is no command /satts. Did you mean /stats? /help lists all of them.",
			"/<b>":                                   "There is no command /&lt;b&gt;. /help lists all of them.",
			"/friends rejct 4":                       "rejct is not a player",
			"/tournament new 2026-03-03":             "That day has already begun; choose a later one.",
			"/settings Wheel OFF":                    "Set wheel to off? It is now on",
			"/settings launch_age 24h":               "launch_age is already 24h",
			"/player @<b>":                           "@&lt;b&gt; is not a player&#39;s number, a Telegram number or a @username.\nUsage: /player ID",
			"/player @nobody":                        "No such player",
			"/player ann":                            "ann is not a player&#39;s number, a Telegram number or a @username: a username begins with @.\nUsage: /player ID",
			"/player 4x":                             "4x is not a player&#39;s number, a Telegram number or a @username.\n",
			"/ban ann a script":                      "a username begins with @.\nUsage: /ban ID REASON",
			"/ban":                                   "Usage: /ban ID REASON",
			fmt.Sprint("/ban ", p.ID):                "REASON is missing: the player will see it.\nUsage: /ban ID REASON",
			"/ban 4711 bot":                          "No such player",
			"/erase":                                 "Usage: /erase ID",
			fmt.Sprint("/unban ", p.ID):              "is not banned",
			"/settings mint 5":                       "no such setting",
			"/settings taps_per_second":              "<b>10</b>",
			"/settings taps_per_second 51":           "from 1 to 50, not 51",
			"/settings taps_per_second <b>x</b>":     "not &lt;b&gt;x&lt;/b&gt;",
			"/settings wheel on off":                 "Usage: /settings [KEY [VALUE]]",
			"/settings checkin_coins 1 1,1, 2 2 3 4": "Set checkin_coins to 1,1,1,2,2,3,4? It is now 1,1,1,2,2,2,3",
			"/settings checkin_coins 1,1,1,2,2, 2,3": "checkin_coins is already 1,1,1,2,2,2,3",
			"/settings checkin_coins 5":              "checkin_coins is 7 numbers, from 0 to 30, not 5.",
			"/settings wheel":                        "<code>wheel</code> = <b>on</b>: the wheel turns",
			"/settings wheel maybe":                  "wheel is on or off, not maybe",
			"/settings pay_with foo":                 "pay_with is ton, stars or both, not foo.",
			"/settings mines on":                     "mines is already on",
			"/settings energy_per_tap 3":             "could then not complete:</b> tap_count 500, energy_spend 1000.",
			"/settings sales off":                    "Set sales to off? It is now on",
			"/maintenance":                           "Maintenance is off",
			"/maintenance off":                       "is already off",
			"/maintenance maybe":                     "Usage: /maintenance on|off",
			"/audit 0":                               "Usage: /audit [N|refused [N]]",
			"/audit -99999999999999999999":           "Usage: /audit [N|refused [N]]",
			"/audit refused x":                       "Usage: /audit [N|refused [N]]",
			fmt.Sprint("/ban ", p.ID, " ", strings.Repeat("я", 201)):        "at most 200 characters",
			fmt.Sprint("/BAN@GameBot ", p.TelegramID, " was caught"):        "Ban player 1, “Ann”?",
			fmt.Sprint("/settings taps_saved ", strings.Repeat("9", 4_000)): "from 100 to 20000",
		} {
			d.says(text, says)
		}
	})
}

func TestChangedSettingShowsItsDefault(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		d := atDesk(t, store)
		modelstest.Done(t, store, settings.ActionChangeSetting, "wheel", "off")
		modelstest.Done(t, store, settings.ActionChangeSetting, "taps_saved", "600")
		d.says("/settings",
			"<code>taps_per_second</code> = <b>10</b> (1 to 50): taps a second",
			"<code>taps_saved</code> = <b>600</b> (100 to 20000, usually 5000): taps that",
			"<code>wheel</code> = <b>off</b> (usually on): the wheel turns",
			"<code>mines</code> = <b>on</b>: ore can be dug",
			"<code>checkin_coins</code> = <b>1,1,1,2,2,2,3</b> (7 numbers, 0 to 30): MCBK for",
		)
	})
}

func TestAdminRepliesEscapeMarkup(t *testing.T) {
	const evil = `<a href="tg://user?id=1">&amp; x</a>`
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		d := atDesk(t, store)
		p := modelstest.Must(store.Players.SignIn(t.Context(), players.LaunchUser{TelegramID: modelstest.TelegramID(), FirstName: evil, Username: evil}, modelstest.Noon))(t)
		ask := d.writes(d.adam, fmt.Sprint("/ban ", p.ID, " ", evil))
		said := []string{ask.fields["text"]}
		_, edited := d.presses(d.adam, ask.buttons()[0])
		said = append(said, edited)
		for _, text := range []string{"/audit", fmt.Sprint("/player ", p.ID), fmt.Sprint("/unban ", p.ID), fmt.Sprint("/ban ", p.ID, " again")} {
			said = append(said, d.writes(d.adam, text).fields["text"])
		}
		for _, text := range said {
			if strings.Contains(text, "<a") || !strings.Contains(text, "&lt;a href=") {
				t.Errorf("said %q", text)
			}
		}
	})
}

func TestOnlyAdminsSeeAdminCommands(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		d := atDesk(t, store)
		for _, c := range []struct {
			who    person
			theirs bool
		}{{d.adam, true}, {d.eve, false}} {
			help := d.writes(c.who, "/help").fields["text"]
			if strings.Contains(help, "You are an admin") != c.theirs || strings.Contains(help, "/broadcast [TEXT]: Send a message to all players; without a text: see how far it is, stop it") != c.theirs {
				t.Errorf("of broadcasts help is %q", help)
			}
			for _, name := range bot.AdminCommands() {
				if strings.Contains(help, "/"+name) != c.theirs {
					t.Errorf("help is %q", help)
				}
			}
		}
		d.until("the lists are set", func() bool { return len(d.telegram.made("setMyCommands")) >= 4 })
		theirs := 0
		for _, c := range d.telegram.made("setMyCommands") {
			is := c.fields["scope"] == fmt.Sprintf(`{"type":"chat","chat_id":%d}`, d.adam.id) || c.fields["scope"] == fmt.Sprintf(`{"type":"chat","chat_id":%d}`, d.bea.id)
			if list := c.fields["commands"]; strings.Contains(list, "maintenance") != is || strings.Contains(list, "unban") != is {
				t.Errorf("to %q: %s", c.fields["scope"], list)
			} else if is {
				theirs++
			}
		}
		if theirs != 2 {
			t.Errorf("%d admins have their commands", theirs)
		}
	})
}

// Anybody may cause refusals; these must not hide actions.
func TestAuditListsActionsApartFromRefusedAttempts(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		d := atDesk(t, store)
		id := fmt.Sprint(modelstest.Player(t, store).ID)
		for i := range 51 {
			modelstest.Done(t, store, players.ActionBan, id, strings.Repeat("<я>", 1+i%2*29))
			modelstest.Done(t, store, players.ActionUnban, id)
		}
		lists := func(command string, rows int, first, last string) []string {
			t.Helper()
			got := d.rowsOf(d.adam, command)
			if len(got) != rows || !strings.HasPrefix(got[0], first) || !strings.HasPrefix(got[rows-1], last) {
				t.Fatalf("%s: %d rows, from %.20q to %.40q", command, len(got), got[0], got[len(got)-1])
			}
			return got
		}
		lists("/audit 3", 4, "The newest 3:", "#100 ")
		for _, many := range []string{"101", "99999999999999999999"} { // in several messages
			lists("/audit "+many, 101, "The newest 100:", "#3 ")
		}
		refused := models.AdminAction{AdminID: 666, Action: "ban", Outcome: "not an admin"}
		for i := range 101 {
			refused.ChatID = int64(i % 2) // a chat's attempts are recorded up to a hundred
			modelstest.NoError(t, store.Admin.RefuseCommand(t.Context(), refused, d.clock.Now()))
		}
		if rows := lists("/audit 3", 5, "The newest 3:", "Refused at once in the last 24 hours: 101, see <code>/audit refused</code>"); !strings.Contains(rows[1], "<b>executed</b>") {
			t.Errorf("the newest is %q", rows[1])
		}
		for _, many := range []string{"101", "99999999999999999999", ""} {
			lists("/audit refused "+many, 101, "The newest 100:", "#104 ")
		}
		if rows := lists("/audit Refused 3", 3, "#203 ", "#201 "); !strings.Contains(rows[0], "666: ban, <b>refused</b>: not an admin") {
			t.Errorf("the newest refused is %q", rows[0])
		}
	})
}

func (d *desk) rowsOf(p person, command string) (rows []string) {
	d.Helper()
	for _, said := range d.reads(p, command) {
		text := said.fields["text"]
		if n := len([]rune(text)); n > 4096 {
			d.Errorf("%s: a message of %d characters", command, n)
		}
		rows = append(rows, strings.Split(text, "\n")...)
	}
	return rows
}

func TestSubcommandsAreParsedAndValidated(t *testing.T) {
	bad := map[string][]string{ // with the reply
		"/task":                   {"/task list", "/task add exchange_join URL TITLE", "URL|@CHANNEL TITLE", "/task retire ID"},
		"/task add":               {"/task add exchange_join URL TITLE"},
		"/task list all":          {"Nothing comes after list", "/task list"},
		"/task retire":            {"ID is missing"},
		"/task retire <b>":        {"&lt;b&gt; is not a number"},
		"/task retire 0":          {"0 is not a number"},
		"/task add exchange_join": {"URL is missing"},
		"/task add exchange_join https://exchange.example":                                 {"TITLE is missing"},
		"/task add exchange_join javascript:alert(1) A | Б":                                {"is not a link"},
		"/task add exchange_join https://exchange.example Join":                            {"TITLE is written as English | Russian"},
		"/task add exchange_join https://exchange.example Join | ":                         {"TITLE is written as English | Russian"},
		"/task add exchange_join https://exchange.example 100% | 100%":                     {"TITLE needs letters in each language"},
		"/task add exchange_join https://exchange.example A | Б | C":                       {"TITLE is written as English | Russian"},
		"/task add exchange_join https://exchange.example A | " + strings.Repeat("я", 101): {"at most 100 characters"},
		"/task add telegram_subscription @a A | Б":                                         {"is not a public channel"},
		"/match 12":       {"ORDER|PLAYER|refund is missing", "/match PAYMENT ORDER|PLAYER|refund"},
		"/match x refund": {"x is not a number"},
		"/match " + strings.Repeat("я", 4000) + " refund": {strings.Repeat("я", 60) + "… is not a number"},
		"/match 12 MC-abc":     {"neither an order"},
		"/match 12 refund now": {"Nothing comes after"},
		"/payouts approve":     {"ID is missing", "/payouts approve ID"},
		"/payouts show":        {"ID is missing", "/payouts show ID"},
		"/payouts approve 3 x": {"Nothing comes after ID"},
		"/payouts sent 3":      {"HASH is missing", "/payouts sent ID HASH"},
		"/payouts sent 3 abc":  {"is not the hash"},
		"/payouts pay 3":       {"/payouts\n", "/payouts approve ID", "/payouts sent ID HASH"},
		"/tournament":          {"/tournament status", "/tournament award", "/tournament new START"},
		"/payouts cancel 3":    {"REASON is missing"},
		"/payouts cancel 3 " + strings.Repeat("я", 201): {"at most 200 characters"},
		"/tournament new":                 {"START is missing"},
		"/tournament new tomorrow":        {"tomorrow is not a day, like 2026-12-01"},
		"/tournament new 2026-02-30":      {"is not a day"},
		"/tournament new 2026-12-01 noon": {"Nothing comes after START"},
	}
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		d := atDesk(t, store)
		before := d.outcomes()
		for text, tells := range bad {
			said := strings.NewReplacer("</code>", "\n", "<code>", "").Replace(d.writes(d.adam, text).fields["text"]) + "\n"
			for _, words := range append(tells, "Usage:\n/") {
				if !strings.Contains(said, words) {
					t.Errorf("%q got %q, not %q", text, said, words)
				}
			}
		}
		if !slices.Equal(before, d.outcomes()) {
			t.Errorf("badly written commands left %q", d.outcomes())
		}
	})
}
