package bot_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"mcbk/bot"
	rules "mcbk/game"
	"mcbk/models"
	"mcbk/models/mines"
	"mcbk/models/modelstest"
	"mcbk/models/outbox"
	"mcbk/models/players"
	"mcbk/models/privacy"
	"mcbk/models/store"
	"mcbk/models/taps"
	"mcbk/models/treasury"
)

// winner is a player with a wallet and 102.5 ore in an ended tournament.
func winner(t *testing.T, store *store.Store) models.Player {
	t.Helper()
	p := modelstest.Buyer(t, store)
	modelstest.Opened(t, store, p, 1, modelstest.Noon)
	for day := range 5 {
		at := modelstest.Noon.Add(time.Duration(day)*24*time.Hour + time.Minute)
		if d := modelstest.Dig(t, store, p, 82, "", at); d.Accepted != 82 {
			t.Fatal(d)
		}
	}
	return p
}

func TestTournamentIsAnnouncedAndAwarded(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		d := atDesk(t, store)
		d.says("/tournament status", "There has been none, and none is planned.")
		d.says("/payouts", "Nothing is owed to anybody.")
		p := winner(t, store)
		d.says("/tournament status", "1: running, from 2026-03-04 00:00 to 2026-03-19 00:00 UTC\n1 miner, 102.5 ore, 1 TON for mines")
		d.says("/tournament award", "No tournament is waiting")
		for hour := range 21 {
			batch := taps.Batch{TelegramID: p.TelegramID, Sent: 1}
			modelstest.Must(store.Taps.Tap(t.Context(), batch, modelstest.Season, modelstest.Season.Start.Add(8*24*time.Hour+time.Duration(hour)*time.Hour)))(t)
		}
		modelstest.EndTournament(t, store)
		d.says("/tournament status", "1: final", "Waiting for /tournament award: 1 prize, 100000 MCBK and 30 TON.")
		modelstest.Done(t, store, players.ActionBan, fmt.Sprint(p.ID), "a bot")
		asked := d.says("/tournament award", "Award the tournament of 2026-03-04? It has 1 prize, 100000 MCBK and 30 TON. The coins",
			fmt.Sprintf("1. player %d: 102.5 ore, 100000 MCBK and 30 TON", p.ID), "Banned winners: 1.",
			fmt.Sprintf("Winners who played in more than 20 hours of a UTC day:</b> %d.", p.ID))
		d.decides(d.adam, asked.buttons()[0], "Done.", "is awarded: 1 prize, 100000 MCBK and 30 TON.\nNext: /payouts")
		d.says("/tournament status", "1: awarded", "Awarded: 1 prize, 100000 MCBK and 30 TON. /payouts lists the TON.")
		d.says("/payouts", "Payouts: 1, 30 TON in all", fmt.Sprintf("1: 30 TON, prize of player %d <b>(banned)</b> in tournament 1; due, but the player has proven no wallet, and cannot while banned", p.ID))
		d.says("/payouts approve 1", "Payout 1 cannot be approved: the player has proven no wallet, and cannot")
		d.says("/payouts approve 2", "There is no payout 2.")
		d.says("/payouts show 2", "There is no payout 2.")
		d.says("/payouts sent 1 "+strings.Repeat("ab", 32), "Payout 1 is due.")
		asked = d.says("/payouts cancel 1 dug by a <bot>", "dug by a &lt;bot&gt;\nNobody will get it.")
		d.decides(d.adam, asked.buttons()[0], "Done.", "payout 1 of 30 TON is cancelled")
		d.says("/payouts", "Nothing is owed to anybody.")
		d.says("/payouts show 1", fmt.Sprintf("1: 30 TON, prize of player %d <b>(banned)</b> in tournament 1; cancelled: dug by a &lt;bot&gt;", p.ID))
		modelstest.Sound(t, store)
	})
}

func TestErasedAccountsPrizeOffersCancellation(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		d := atDesk(t, store)
		p := winner(t, store)
		modelstest.Done(t, store, privacy.ActionErase, fmt.Sprint(p.ID))
		modelstest.EndTournament(t, store)
		modelstest.Done(t, store, mines.ActionAward, "1")
		const why = "the account was erased: <code>/payouts cancel 1 REASON</code>"
		d.says("/payouts", fmt.Sprintf("1: 30 TON, prize of player %d in tournament 1; due, but %s", p.ID, why))
		d.says("/payouts approve 1", "Payout 1 cannot be approved: "+why)
	})
}

func TestMineNoticesOpenTheMines(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		o := openOffice(t, store)
		opens := func(words, address string) {
			t.Helper()
			o.delivers()
			said := o.telegram.made("sendMessage")
			if len(said) == 0 {
				t.Fatalf("nothing is said of %q", words)
			}
			last := said[len(said)-1]
			if !strings.Contains(last.fields["text"], words) || last.button(t) != address {
				t.Errorf("%q opens %s, want %s", last.fields["text"], last.button(t), address)
			}
		}
		reminds := func(at time.Time) {
			t.Helper()
			o.clock.Step(at.Sub(o.clock.Now()))
			if n, err := store.Outbox.Remind(t.Context(), modelstest.Season, at); err != nil || n != 1 {
				t.Fatalf("%d were reminded, %v", n, err)
			}
		}
		p := winner(t, store)
		opens("mine 1, <b>Stone</b>, is open", game+"/mines")

		lastDug := modelstest.Noon.Add(4*24*time.Hour + time.Minute)
		reminds(lastDug.Add(12 * time.Hour))
		opens("there is ore to dig", game+"/mines")

		checkedIn := lastDug.Add(20 * time.Hour)
		modelstest.CheckIn(t, store, p, checkedIn)
		reminds(checkedIn.Add(24 * time.Hour))
		opens("Days in a row", game)

		o.clock.Step(modelstest.EndTournament(t, store).Sub(o.clock.Now()))
		opens("You came <b>#1</b>", game+"/mines")

		modelstest.Done(t, store, mines.ActionAward, "1")
		opens("<b>100,000 MCBK</b> are yours", game+"/mines")
	})
}

// The postings are unavailable: PostgreSQL waits for a lock beyond handleTimeout; in SQLite the table is missing.
func TestFailedBotCheckDoesNotBlockAward(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, database string) {
		address := modelstest.Address(t, database)
		store := modelstest.OpenStore(t, address)
		d := atDesk(t, store)
		winner(t, store)
		modelstest.EndTournament(t, store)
		var release func()
		if database == "sqlite" {
			raw := modelstest.Raw(t, address)
			modelstest.MustExec(t, raw, "ALTER TABLE postings RENAME TO postings_away")
			release = func() { modelstest.MustExec(t, raw, "ALTER TABLE postings_away RENAME TO postings") }
		} else {
			release = modelstest.Hold(t, address, "LOCK TABLE postings IN ACCESS EXCLUSIVE MODE")
		}
		asked := d.writes(d.adam, "/tournament award")
		release()
		if !strings.Contains(asked.fields["text"], "could not be checked in time") {
			t.Errorf("asked %q", asked.fields["text"])
		}
		d.decides(d.adam, asked.buttons()[0], "Done.", "is awarded: 1 prize")
	})
}

// Another admin may approve it before the press; then it may already be paid.
func TestPayoutIsCancelledOnlyInShownState(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		d := atDesk(t, store)
		modelstest.Held(t, store)
		modelstest.Done(t, store, treasury.ActionMatch, "1", treasury.MatchRefund)
		asks := func(warned bool) string {
			t.Helper()
			asked := d.writes(d.adam, "/payouts cancel 1 a mistake")
			if strings.Contains(asked.fields["text"], "paying it right now") != warned {
				t.Errorf("asked %q", asked.fields["text"])
			}
			return asked.buttons()[0]
		}
		button := asks(false)
		modelstest.Done(t, store, treasury.ActionApprove, "1", "0:payer")
		d.decides(d.adam, button, "Not done.", "no longer be in the state that you were shown")
		if p, err := store.Treasury.Payout(t.Context(), "1"); err != nil || p.State != models.PayoutApproved {
			t.Errorf("it is %+v, %v", p, err)
		}
		d.decides(d.adam, asks(true), "Done.", "payout 1 of 1 TON is cancelled")
	})
}

// The winner may change their wallet before the press.
func TestPayoutIsApprovedOnlyForShownAddress(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		d, p := atDesk(t, store), winner(t, store)
		proves := func(wallet string) { modelstest.ProveWallet(t, store, p, wallet, modelstest.Noon) }
		modelstest.EndTournament(t, store)
		modelstest.Done(t, store, mines.ActionAward, "1")
		proves("0:first")
		asked := d.writes(d.adam, "/payouts approve 1")
		proves("0:second")
		d.decides(d.adam, asked.buttons()[0], "Not done.", "it would now go to another address than the one you were shown")
		d.decides(d.adam, d.writes(d.adam, "/payouts approve 1").buttons()[0], "Done.", "to 0:second is approved")
	})
}

func TestApprovedPayoutShowsLinkUntilSettled(t *testing.T) {
	store := modelstest.Store(t, "sqlite")
	d := atDesk(t, store, func(s *bot.Settings) {
		s.Season = modelstest.Season
		s.PaymentLink = func(address string, amount rules.Nanoton, comment string) string {
			return fmt.Sprintf("https://wallet.example/%s?amount=%d&text=%s", address, amount, comment)
		}
		s.ShownAddress = func(raw string) string { return "UQ" + raw }
	})
	modelstest.Held(t, store)
	modelstest.Done(t, store, treasury.ActionMatch, "1", treasury.MatchRefund)
	asked := d.writes(d.adam, "/payouts approve 1")
	if _, edited := d.presses(d.adam, asked.buttons()[0]); !strings.Contains(edited, "Next: pay it, once.") || !strings.Contains(edited, "amount=1000000000&amp;text=MCBK-1") {
		t.Errorf("what is next: %q", edited)
	}
	d.says("/payouts", "approved, to <code>UQ0:payer</code> with the comment <code>MCBK-1</code>\n<a href=\"https://wallet.example/0:payer?amount=1000000000&amp;text=MCBK-1\">pay</a>")
	hash := strings.Repeat("cd", 32)
	d.says("/stats", "<b>Waits for an admin:</b> 1 payout of 1 TON (/payouts)")
	modelstest.Done(t, store, treasury.ActionSent, "1", strings.ToUpper(hash))
	d.says("/payouts", "sent by <code>"+hash+"</code> to <code>UQ0:payer</code>, waits for the chain")
	d.says("/tournament new 2026-05-19", "It would end on 2026-06-03 00:00, but the season ends on 2026-06-02 00:00 UTC")
	d.says("/tournament new 2026-03-03", "The season starts only on 2026-03-04 00:00 UTC")
}

func TestMineNoticesUseRecipientsLanguage(t *testing.T) {
	for _, mine := range rules.Mines {
		if text, err := bot.MinesText(mines.MineUnlocked, map[string]string{"level": fmt.Sprint(mine.Level)}, "en"); err != nil || !strings.Contains(text, mine.Name) {
			t.Errorf("mine %d: %q, %v", mine.Level, text, err)
		}
	}
	for kind, c := range map[models.MessageKind]struct {
		params map[string]string
		en, ru string
	}{
		mines.MineUnlocked: {map[string]string{"level": "3"}, "mine 3, <b>Iron</b>, is open", "шахта 3, <b>Железо</b>, открыта"},
		mines.TournamentResult: {
			map[string]string{"rank": "1", "ore": "102500000", "coins": "205000000", "ton": "7500000000", "prize": "100000000000"},
			"<b>#1</b> with 102.5 ore, which brought you <b>205 MCBK</b>. Your prize, <b>7.5 TON + 100,000 MCBK</b>,", "Ваше место <b>1</b>: добыто 102,5 руды",
		},
		mines.PrizeGiven:   {map[string]string{"amount": "7500500000"}, "has arrived: <b>7,500.5 MCBK</b> are yours", "зачислено <b>7\u00a0500,5 MCBK</b>"},
		treasury.PrizePaid: {map[string]string{"amount": "7500000000"}, "has been paid: <b>7.5 TON</b> to the wallet", "выплачен: <b>7,5 TON</b> на кошелёк"},
	} {
		for language, want := range map[string]string{"en": c.en, "ru": c.ru} {
			if got, err := bot.MinesText(kind, c.params, language); err != nil || !strings.Contains(got, want) {
				t.Errorf("%s in %s: %q, %v", kind, language, got, err)
			}
		}
	}
}

func TestOnlyTONWinnersAreRemindedOfWallet(t *testing.T) {
	for language, words := range map[string]string{"en": "TON goes only to a wallet", "ru": "TON отправляют только на кошелёк"} {
		for _, ton := range []string{"7500000000", "0"} {
			for _, coins := range []string{"100000000000", "0"} {
				params := map[string]string{"rank": "4", "ore": "102500000", "coins": "205000000", "ton": ton, "prize": coins}
				if got, err := bot.MinesText(mines.TournamentResult, params, language); err != nil || strings.Contains(got, words) != (ton != "0") {
					t.Errorf("who wins %s nanoton and %s coins gets %q in %s, %v", ton, coins, got, language, err)
				}
			}
		}
	}
}

func TestRemindersUsePlayersLanguage(t *testing.T) {
	for _, c := range []struct {
		kind   models.MessageKind
		params map[string]string
		en, ru string
	}{
		{models.DailyReminder, map[string]string{"streak": "12"}, "Days in a row: <b>12</b>.", "Дней подряд: <b>12</b>."},
		{models.EnergyFull, map[string]string{"of": outbox.EnergyOfBag}, "the money bag is waiting", "мешок с монетами ждёт"},
		{models.EnergyFull, map[string]string{"of": outbox.EnergyOfMine}, "there is ore to dig", "снова добывать руду"},
	} {
		for language, want := range map[string]string{"en": c.en, "ru": c.ru} {
			if got, err := bot.Reminder(c.kind, c.params, language); err != nil || !strings.Contains(got, want) {
				t.Errorf("%s %v in %s: %q, %v", c.kind, c.params, language, got, err)
			}
		}
	}
	if got, err := bot.Reminder(models.DailyReminder, map[string]string{"streak": "many"}, "en"); err == nil {
		t.Errorf("a streak that is no number gives %q", got)
	}
}
