package admin_test

import (
	"database/sql"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/admin"
	"mcbk/models/modelstest"
	"mcbk/models/players"
	"mcbk/models/settings"
	"mcbk/models/store"
)

const (
	adam = modelstest.Admin
	bea  = modelstest.Admin + 1
	cleo = modelstest.Admin + 2
	eve  = modelstest.Admin + 3 // is no admin
)

var admins = []int64{adam, bea, cleo}

func confirmation(who int64, nonce string) admin.Confirmation {
	return admin.Confirmation{Admin: who, ChatID: who, Nonce: nonce, Admins: admins}
}

func confirm(t *testing.T, store *store.Store, p admin.Confirmation, at time.Time) admin.Decision {
	t.Helper()
	return modelstest.Must(store.Admin.ConfirmAction(t.Context(), p, at))(t)
}

// readAudit is the rows, the oldest first, like "settings executed: taps_per_second is 20".
func readAudit(t *testing.T, store *store.Store) (lines []string) {
	t.Helper()
	for _, a := range modelstest.Audit(t, store) {
		lines = append(lines, fmt.Sprintf("%s %s: %s", a.Action, a.State, a.Outcome))
	}
	return lines
}

func TestActionRunsOnlyAfterConfirmation(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		nonce := modelstest.Ask(t, store, settings.ActionChangeSetting, "taps_per_second", "20")
		modelstest.Equal(t, store.Settings.RuntimeSettings(t.Context(), modelstest.Noon).TapsPerSecond, 10, "taps a second before anybody confirmed")
		modelstest.Equal(t, modelstest.Count(t, raw, "SELECT COUNT(*) FROM admin_actions WHERE nonce_hash LIKE '%"+nonce+"%'"), 0, "the nonce can be read in the database")
		d := confirm(t, store, confirmation(adam, nonce), modelstest.Noon.Add(119*time.Second))
		if d.Refusal != "" || d.Action.State != models.ActionExecuted || d.Action.Outcome != "taps_per_second is 20" {
			t.Errorf("decided %+v", d)
		}
		modelstest.Equal(t, store.Settings.RuntimeSettings(t.Context(), modelstest.Noon).TapsPerSecond, 20, "taps a second afterwards")
	})
}

func TestOtherAdminsAreNotifiedOnce(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		player := modelstest.Player(t, store)
		nonce := modelstest.Ask(t, store, players.ActionBan, fmt.Sprint(player.ID), "a bot")
		for range 2 {
			confirm(t, store, confirmation(adam, nonce), modelstest.Noon)
		}
		for _, id := range []int64{bea, cleo} {
			notice := fmt.Sprintf("SELECT COUNT(*) FROM outbox WHERE kind = 'admin' AND urgency = 0 AND chat_id = %d AND params LIKE '%%Admin %d: player %d is banned: a bot%%'", id, adam, player.ID)
			modelstest.Equal(t, modelstest.Count(t, raw, notice), 1, "admin", id, "is told")
		}
		modelstest.Equal(t, modelstest.Count(t, raw, "SELECT COUNT(*) FROM outbox"), 2, "messages in all")
	})
}

func TestAdminWhoPlaysIsNamedInNotices(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		modelstest.Must(store.Players.SignIn(t.Context(), players.LaunchUser{TelegramID: adam, FirstName: "Adam"}, modelstest.Noon))(t)
		confirm(t, store, confirmation(adam, modelstest.Ask(t, store, settings.ActionMaintenance, "on")), modelstest.Noon)
		modelstest.Equal(t, modelstest.Count(t, raw, fmt.Sprintf("SELECT COUNT(*) FROM outbox WHERE kind = 'admin' AND params LIKE '%%Admin Adam (%d): maintenance is on%%'", adam)), 2, "admins were told who it was")
	})
}

func TestConcurrentConfirmationsExecuteOnce(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		player := modelstest.Player(t, store)
		nonce := modelstest.Ask(t, store, players.ActionBan, fmt.Sprint(player.ID), "a bot")
		var (
			mu       sync.Mutex
			refusals = map[game.Code]int{}
		)
		modelstest.FiftyAtOnce(t, "", func() error {
			d, err := store.Admin.ConfirmAction(t.Context(), confirmation(adam, nonce), modelstest.Noon)
			mu.Lock()
			defer mu.Unlock()
			refusals[d.Refusal]++
			return err
		})
		if refusals[""] != 1 || refusals[admin.PressRepeated] != 49 {
			t.Errorf("answered %v", refusals)
		}
		modelstest.Equal(t, modelstest.Count(t, raw, "SELECT COUNT(*) FROM admin_actions WHERE state = 'executed'"), 1, "were executed")
		modelstest.Equal(t, modelstest.Count(t, raw, "SELECT COUNT(*) FROM outbox"), 2, "notices")
		modelstest.Sound(t, store)
	})
}

func TestInvalidConfirmationIsRefusedAndLogged(t *testing.T) {
	later := modelstest.Noon.Add(121 * time.Second)
	for name, c := range map[string]struct {
		press   func(nonce string) admin.Confirmation
		at      time.Time
		refusal game.Code
		audit   string // of the attempt
		shown   bool   // the question is shown to the presser
		open    bool   // the question can still be confirmed
	}{
		"another admin's":  {func(n string) admin.Confirmation { return confirmation(bea, n) }, modelstest.Noon, admin.PressNotTheirs, "settings refused: unauthorized", false, true},
		"a stranger's":     {func(n string) admin.Confirmation { return confirmation(eve, n) }, modelstest.Noon, admin.PressNotTheirs, "settings refused: unauthorized", false, true},
		"a former admin's": {func(n string) admin.Confirmation { p := confirmation(adam, n); p.Admins = []int64{bea}; return p }, modelstest.Noon, admin.PressNotTheirs, "settings refused: unauthorized", false, true},
		"one in a group":   {func(n string) admin.Confirmation { p := confirmation(adam, n); p.ChatID = -7; return p }, modelstest.Noon, admin.PressNotTheirs, "settings refused: unauthorized", false, true},
		"an unknown one":   {func(string) admin.Confirmation { return confirmation(adam, "nothing") }, modelstest.Noon, admin.PressUnknown, "press refused: not_found", false, true},
		"an empty one":     {func(string) admin.Confirmation { return confirmation(adam, "") }, modelstest.Noon, admin.PressUnknown, "press refused: not_found", false, true},
		"a stale one":      {func(n string) admin.Confirmation { return confirmation(adam, n) }, later, admin.PressTooLate, "settings refused: expired", true, false},
	} {
		t.Run(name, func(t *testing.T) {
			modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
				for _, decide := range []string{"confirm", "cancel"} {
					nonce := modelstest.Ask(t, store, settings.ActionChangeSetting, "taps_per_second", "20")
					press := store.Admin.ConfirmAction
					if decide == "cancel" {
						press = store.Admin.CancelAction
					}
					d, err := press(t.Context(), c.press(nonce), c.at)
					if err != nil || d.Refusal != c.refusal || (d.Action.ID != 0) != c.shown {
						t.Errorf("%s: decided %+v, %v", decide, d, err)
					}
					if lines := readAudit(t, store); lines[len(lines)-1] != c.audit {
						t.Errorf("%s: written %q", decide, lines)
					}
					modelstest.Equal(t, store.Settings.RuntimeSettings(t.Context(), modelstest.Noon).TapsPerSecond, 10, decide, "it was done")
					cancelled := modelstest.Must(store.Admin.CancelAction(t.Context(), confirmation(adam, nonce), modelstest.Noon))(t)
					modelstest.Equal(t, (cancelled.Refusal == ""), c.open, decide, "afterwards", cancelled)
				}
			})
		})
	}
}

func TestConfirmationIsDecidedOnce(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		first := modelstest.Ask(t, store, settings.ActionChangeSetting, "taps_per_second", "20")
		confirm(t, store, confirmation(adam, first), modelstest.Noon)
		second := modelstest.Ask(t, store, settings.ActionChangeSetting, "taps_per_second", "30")
		modelstest.Equal(t, modelstest.Must(store.Admin.CancelAction(t.Context(), confirmation(adam, second), modelstest.Noon))(t).Action.State, models.ActionCancelled, "cancelled")
		for nonce, was := range map[string]models.ActionState{first: models.ActionExecuted, second: models.ActionCancelled} {
			for range 2 {
				if d := confirm(t, store, confirmation(adam, nonce), modelstest.Noon.Add(time.Hour)); d.Refusal != admin.PressRepeated || d.Action.State != was {
					t.Errorf("again: %+v", d)
				}
			}
		}
		modelstest.Equal(t, store.Settings.RuntimeSettings(t.Context(), modelstest.Noon).TapsPerSecond, 20, "taps a second")
	})
}

func TestRefusedActionLeavesOnlyItsReason(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		player := fmt.Sprint(modelstest.Player(t, store).ID)
		for _, c := range []struct {
			action models.Action
			args   []string
			reason string
		}{
			{players.ActionBan, []string{"4711", "a bot"}, "not_found"},
			{players.ActionBan, []string{"nobody", "a bot"}, "not_found"},
			{players.ActionUnban, []string{player}, "not_banned"},
			{settings.ActionChangeSetting, []string{"taps_per_second", "51"}, "validation_failed"},
			{settings.ActionChangeSetting, []string{"mint", "1"}, "not_found"},
			{settings.ActionMaintenance, []string{"off"}, "already_so"},
		} {
			nonce := modelstest.Ask(t, store, c.action, c.args...)
			d := confirm(t, store, confirmation(adam, nonce), modelstest.Noon)
			if d.Refusal != "" || d.Action.State != models.ActionRefused || d.Action.Outcome != c.reason {
				t.Errorf("%s %q: decided %+v", c.action, c.args, d)
			}
			modelstest.Equal(t, confirm(t, store, confirmation(adam, nonce), modelstest.Noon).Refusal, admin.PressRepeated, c.action, c.args, "again")
		}
	})
}

func TestUnknownActionIsRejected(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		modelstest.FailsWith(store.Admin.RequestConfirmation(t.Context(), models.PendingAction{Admin: adam, Action: "mint"}, modelstest.Noon))(t, "", "it was asked")
	})
}

func TestUnansweredConfirmationExpires(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		nonce := modelstest.Ask(t, store, settings.ActionChangeSetting, "taps_per_second", "20")
		for _, c := range []struct {
			after   time.Duration
			expired int64
		}{{120 * time.Second, 0}, {121 * time.Second, 1}, {122 * time.Second, 0}} {
			modelstest.Returns(store.Admin.ExpireActions(t.Context(), modelstest.Noon.Add(c.after)))(t, c.expired, "after", c.after, "expired")
		}
		modelstest.Equal(t, confirm(t, store, confirmation(adam, nonce), modelstest.Noon).Refusal, admin.PressTooLate, "decided")
		modelstest.Equal(t, modelstest.Count(t, raw, "SELECT COUNT(*) FROM outbox"), 0, "notices of what nobody did")
	})
}

func TestRefusedCommandsAreLoggedUpToALimit(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		refuse := func(chat int64, at time.Time) {
			modelstest.NoError(t, store.Admin.RefuseCommand(t.Context(), models.AdminAction{
				AdminID: eve, ChatID: chat, Action: "ban", Args: []string{strings.Repeat("я", 500)}, Outcome: "not an admin",
			}, at))
		}
		for range 103 {
			refuse(eve, modelstest.Noon)
		}
		modelstest.Equal(t, len(readAudit(t, store)), 100, "rows")
		refuse(-5, modelstest.Noon)
		refuse(eve, modelstest.Noon.Add(24*time.Hour))
		rows := readAudit(t, store)
		if len(rows) != 102 || rows[0] != "ban refused: not an admin" {
			t.Errorf("%d rows, the first %q", len(rows), rows[0])
		}
	})
}

func TestAuditIsAppendOnly(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		modelstest.Done(t, store, settings.ActionChangeSetting, "taps_per_second", "20")
		nonce := modelstest.Ask(t, store, settings.ActionChangeSetting, "taps_per_second", "30")
		for _, statement := range []string{
			"DELETE FROM admin_actions",
			"UPDATE admin_actions SET outcome = 'nothing' WHERE id = 1",
			"UPDATE admin_actions SET state = 'asked', decided_at = NULL WHERE id = 1",
			"UPDATE admin_actions SET args = '[\"taps_per_second\",\"50\"]' WHERE id = 2",
			"UPDATE admin_actions SET admin_id = 1 WHERE id = 2",
			"UPDATE admin_actions SET expires_at = '2099-01-01 00:00:00+00:00' WHERE id = 2",
		} {
			modelstest.FailsWith(raw.ExecContext(t.Context(), statement))(t, "append-only", statement)
		}
		modelstest.Equal(t, confirm(t, store, confirmation(adam, nonce), modelstest.Noon).Action.Outcome, "taps_per_second is 30", "decided")
	})
}

// What an admin does comes and goes with the row that says so.
func TestActionWhoseCommitFailsIsNotExecuted(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		player := modelstest.Player(t, store)
		nonce := modelstest.Ask(t, store, players.ActionBan, fmt.Sprint(player.ID), "a bot")
		modelstest.MustExec(t, raw, "ALTER TABLE outbox RENAME TO elsewhere") // the notices cannot be queued
		modelstest.FailsWith(store.Admin.ConfirmAction(t.Context(), confirmation(adam, nonce), modelstest.Noon))(t, "", "decided")
		if now, err := store.Players.Player(t.Context(), player.ID); err != nil || now.Banned() {
			t.Errorf("the player is %+v, %v", now, err)
		}
		modelstest.MustExec(t, raw, "ALTER TABLE elsewhere RENAME TO outbox")
		modelstest.Equal(t, confirm(t, store, confirmation(adam, nonce), modelstest.Noon).Action.State, models.ActionExecuted, "afterwards")
	})
}

// The audit is found beside what was refused.
func TestAuditIsFoundByIndex(t *testing.T) {
	t.Parallel()
	plans := modelstest.NewPlans(t, "admin_actions")
	plans.WantIndex(t, "admin_actions_questions", admin.NewestQuestions, 20)
	plans.WantIndex(t, "admin_actions_refused_at", admin.RefusedSince, time.Date(2026, 3, 5, 15, 0, 0, 0, time.UTC))
}
