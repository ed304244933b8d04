package audit

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/friends"
	"mcbk/models/mines"
	"mcbk/models/outbox"
	"mcbk/models/players"
	"mcbk/models/privacy"
	"mcbk/models/settings"
	"mcbk/models/tasks"
	"mcbk/models/treasury"
)

// sameTime is how far the clocks of two processes are apart at most: of two actions within it, either may have been the last.
const sameTime = time.Minute

// decidedRows are rows of one kind with what they say, by name. An empty text says nothing, as if there was no row.
type decidedRows map[string]string

// decisions are what admins' actions make such rows say: the last action, or each of those within sameTime of it.
type decisions map[string][]decision

type decision struct {
	text string
	at   time.Time
}

// undecidable is the text of a decision by a version that did not store what it was about, and of a row that none need decide.
const undecidable = "*"

func (d decisions) set(name, text string, at time.Time) {
	d[name] = append(slices.DeleteFunc(d[name], func(old decision) bool { return old.at.Before(at.Add(-sameTime)) }), decision{text, at})
}

// allow reports whether a row may say that.
func (d decisions) allow(name, text string) bool {
	if text == undecidable || len(d[name]) == 0 && text == "" {
		return true
	}
	return slices.ContainsFunc(d[name], func(one decision) bool { return one.text == text || one.text == undecidable })
}

// decidedBy ties rows to the executed actions of admins that decided what they say. A feature whose rows admins decide adds a line.
var decidedBy = []struct {
	what  string // what is wrong with a row, by its name
	rows  func(tx *gorm.DB, d db.Dialect) (decidedRows, error)
	apply map[models.Action]func(d decisions, a models.AdminAction)
}{
	{"player %s is not banned as an admin said", nameAndText("SELECT CAST(id AS TEXT) AS name, ban_reason AS text FROM players WHERE banned_at IS NOT NULL"), map[models.Action]func(decisions, models.AdminAction){
		players.ActionBan:   setsArgument(1),
		players.ActionUnban: setsText(""),
		privacy.ActionErase: func(d decisions, a models.AdminAction) {
			if last := d[a.Subject()]; len(last) == 0 || last[len(last)-1].text == "" {
				d.set(a.Subject(), privacy.ErasedReason, *a.DecidedAt)
			}
		},
	}},
	{"player %s is not erased as an admin said", nameAndText("SELECT CAST(id AS TEXT) AS name, 'erased' AS text FROM players WHERE erased_at IS NOT NULL"), map[models.Action]func(decisions, models.AdminAction){
		privacy.ActionErase: setsText("erased"),
	}},
	{"setting %s is not what an admin set", nameAndText("SELECT key AS name, value AS text FROM settings WHERE key = '" + settings.SettingMaintenance + "' OR key LIKE '" + settings.SettingPrefix + "%'"), map[models.Action]func(decisions, models.AdminAction){
		settings.ActionChangeSetting: func(d decisions, a models.AdminAction) {
			key, value, _ := strings.Cut(a.Outcome, " is ")
			d.set(settings.SettingPrefix+key, value, *a.DecidedAt)
		},
		settings.ActionMaintenance: func(d decisions, a models.AdminAction) { d.set(settings.SettingMaintenance, a.Arg(0), *a.DecidedAt) },
	}},
	// What came back was sent to the address that had been approved.
	{"payout %s is not to the address that an admin approved", nameAndText(`SELECT CAST(y.id AS TEXT) AS name, COALESCE(y.address, (SELECT t.source FROM treasury_transactions t
			WHERE t.lt = y.returned_lt AND t.kind = '` + treasury.ChainBounced + `'), '') AS text FROM payables y`), map[models.Action]func(decisions, models.AdminAction){
		treasury.ActionApprove: func(d decisions, a models.AdminAction) {
			address := undecidable // asked by a version that named no address
			if len(a.Args) > 1 {
				address = a.Args[1]
			}
			d.set(a.Subject(), address, *a.DecidedAt)
		},
	}},
	{"payout %s does not have the transaction that an admin reported", nameAndText(`SELECT CAST(id AS TEXT) AS name, COALESCE(reported_hash, CASE WHEN returned_lt IS NULL THEN '' ELSE '` + undecidable + `' END) AS text
			FROM payables`), map[models.Action]func(decisions, models.AdminAction){
		treasury.ActionSent: func(d decisions, a models.AdminAction) {
			hash, err := treasury.HexHash(a.Arg(1))
			if err == nil {
				d.set(a.Subject(), hash, *a.DecidedAt)
			}
		},
	}},
	{"payout %s is not cancelled as an admin said", nameAndText("SELECT CAST(id AS TEXT) AS name, reason AS text FROM payables WHERE state = 'cancelled' OR reason <> ''"), map[models.Action]func(decisions, models.AdminAction){
		treasury.ActionCancelPayout: setsArgument(1),
	}},
	{"payment %s is not matched as an admin said", nameAndText(`SELECT CAST(p.id AS TEXT) AS name, CASE WHEN p.state = 'refundable' THEN '` + treasury.MatchRefund + `' WHEN o.id IS NOT NULL THEN o.comment ELSE CAST(p.player_id AS TEXT) END AS text
			FROM payments p LEFT JOIN orders o ON o.id = p.order_id WHERE p.state = 'credited' AND p.reason <> ''
				OR p.state = 'refundable' AND NOT EXISTS (SELECT 1 FROM star_charges c WHERE c.charge_id = p.charge_id AND c.refund_requested_at IS NULL)`), map[models.Action]func(decisions, models.AdminAction){
		treasury.ActionMatch: setsArgument(1),
	}},
	{"tournament %s is not awarded as an admin said", nameAndText("SELECT CAST(id AS TEXT) AS name, 'awarded' AS text FROM tournaments WHERE state = 'awarded'"), map[models.Action]func(decisions, models.AdminAction){
		mines.ActionAward: setsText("awarded"),
	}},
	{"the tournament of %s is not planned as an admin said", func(tx *gorm.DB, d db.Dialect) (decidedRows, error) { // the settings name the first
		return nameAndText("SELECT "+d.Date("starts_at")+" AS name, CASE WHEN id = (SELECT MIN(id) FROM tournaments) THEN '"+undecidable+"' ELSE 'planned' END AS text FROM tournaments")(tx, d)
	}, map[models.Action]func(decisions, models.AdminAction){
		mines.ActionTournament: func(d decisions, a models.AdminAction) { d.set(a.Arg(0), "planned", *a.DecidedAt) },
	}},
	{"task %s is not what an admin added", permanentTaskTerms, map[models.Action]func(decisions, models.AdminAction){
		tasks.ActionAddTask: func(d decisions, a models.AdminAction) {
			id, terms, _ := strings.Cut(strings.TrimPrefix(a.Outcome, "task "), " is offered: ")
			d.set(id, terms+" "+strings.TrimSpace(a.Arg(2))+" | "+strings.TrimSpace(a.Arg(3)), *a.DecidedAt)
		},
	}},
	{"task %s is not retired as an admin said", nameAndText("SELECT CAST(id AS TEXT) AS name, 'retired' AS text FROM tasks WHERE retired_at IS NOT NULL"), map[models.Action]func(decisions, models.AdminAction){
		tasks.ActionRetireTask: setsText("retired"),
	}},
	{"friend %s is not rejected as an admin said", nameAndText("SELECT CAST(player_id AS TEXT) AS name, 'rejected' AS text FROM friends WHERE state = '" + string(models.FriendRejected) + "'"), map[models.Action]func(decisions, models.AdminAction){
		friends.ActionRejectFriend: setsText("rejected"),
	}},
	{"broadcast %s is not started as an admin said", nameAndText("SELECT CAST(id AS TEXT) AS name, 'started' AS text FROM broadcasts WHERE started_at IS NOT NULL OR state IN ('fanning', 'done')"), map[models.Action]func(decisions, models.AdminAction){
		outbox.ActionBroadcast: setsText("started"),
	}},
}

// setsArgument applies an action that makes its subject say one of its arguments.
func setsArgument(arg int) func(decisions, models.AdminAction) {
	return func(d decisions, a models.AdminAction) { d.set(a.Subject(), a.Arg(arg), *a.DecidedAt) }
}

// setsText applies an action that makes its subject say a text.
func setsText(text string) func(decisions, models.AdminAction) {
	return func(d decisions, a models.AdminAction) { d.set(a.Subject(), text, *a.DecidedAt) }
}

// nameAndText reads rows by a query for name and text.
func nameAndText(query string) func(*gorm.DB, db.Dialect) (decidedRows, error) {
	return func(tx *gorm.DB, _ db.Dialect) (decidedRows, error) {
		var found []struct{ Name, Text string }
		if err := tx.Raw(query).Scan(&found).Error; err != nil {
			return nil, err
		}
		rows := make(decidedRows, len(found))
		for _, row := range found {
			rows[row.Name] = row.Text
		}
		return rows, nil
	}
}

// permanentTaskTerms reads permanent tasks, as the outcome of the action that adds one words them.
func permanentTaskTerms(tx *gorm.DB, _ db.Dialect) (decidedRows, error) {
	var list []models.Task
	if err := tx.Where("day IS NULL").Find(&list).Error; err != nil {
		return nil, err
	}
	rows := make(decidedRows, len(list))
	for _, t := range list {
		rows[fmt.Sprint(t.ID)] = fmt.Sprintf("%s %s for %s %s | %s", t.Action, t.URL, tasks.RewardOf(t.Terms()), t.TitleEn, t.TitleRu)
	}
	return rows, nil
}

// contradictions are rows that are not what another row decided them to be: queries for their ids.
var contradictions = []rowCheck{
	{"payable %s is not the payment that it sends back", `SELECT y.id FROM payables y LEFT JOIN payments p ON p.id = y.payment_id AND p.state = 'refundable' AND p.amount = y.amount AND p.player_id IS NOT DISTINCT FROM y.player_id
		WHERE y.payment_id IS NOT NULL AND p.id IS NULL`},
	{"payable %s does not go back to whom it came from", `SELECT y.id FROM payables y JOIN payments p ON p.id = y.payment_id JOIN treasury_transactions t ON t.lt = p.lt WHERE y.address <> t.source`},
	{"payable %s goes to a wallet that its winner has not proven", `SELECT y.id FROM payables y JOIN players p ON p.id = y.player_id WHERE y.tournament_id IS NOT NULL AND y.address IS NOT NULL AND p.erased_at IS NULL
		AND NOT EXISTS (SELECT 1 FROM wallet_nonces n WHERE n.player_id = y.player_id AND n.wallet = y.address)`},
	{"payment %s is sent back by nobody", "SELECT p.id FROM payments p WHERE p.state = 'refundable' AND p.lt IS NOT NULL AND NOT EXISTS (SELECT 1 FROM payables y WHERE y.payment_id = p.id)"},
	{"payable %s was not paid so", `SELECT y.id FROM payables y LEFT JOIN treasury_transfers f ON f.lt = y.settled_lt AND f.line = y.settled_line AND f.destination = y.address AND f.amount = y.amount
		WHERE y.state = 'settled' AND f.lt IS NULL`},
	{"payable %s is settled by what came back", `SELECT y.id FROM payables y JOIN treasury_transfers f ON f.lt = y.settled_lt AND f.line = y.settled_line
		WHERE f.returned_lt IS NOT NULL`},
	{"payable %s is a prize that nobody won", `SELECT y.id FROM payables y LEFT JOIN miners m ON m.tournament_id = y.tournament_id AND m.player_id = y.player_id AND m.prize_ton = y.amount AND m.prized_at IS NOT NULL
		WHERE y.tournament_id IS NOT NULL AND m.player_id IS NULL`},
	{"payable %s came back by no transaction", "SELECT y.id FROM payables y WHERE y.returned_lt IS NOT NULL AND NOT EXISTS (SELECT 1 FROM treasury_transactions t WHERE t.lt = y.returned_lt AND t.kind = '" + treasury.ChainBounced + "')"},
	{"a transfer of transaction %s came back by no transaction", `SELECT f.lt FROM treasury_transfers f WHERE f.returned_lt IS NOT NULL
		AND NOT EXISTS (SELECT 1 FROM treasury_transactions t WHERE t.lt = f.returned_lt AND t.kind = '` + treasury.ChainBounced + "')"},
	{"payment %s has another order than its comment names", `SELECT p.id FROM payments p LEFT JOIN treasury_transactions t ON t.lt = p.lt LEFT JOIN star_charges c ON c.charge_id = p.charge_id LEFT JOIN orders o ON o.id = p.order_id
		WHERE (p.state = 'held' AND p.order_id IS NOT NULL OR p.state = 'credited' AND p.reason = '') AND (o.id IS NULL OR o.player_id <> p.player_id OR UPPER(COALESCE(t.comment, c.payload)) NOT LIKE '%' || o.comment || '%')`},
	{"payment %s is held and has brought something", "SELECT id FROM payments WHERE state = 'held' AND (coins > 0 OR locked > 0 OR player_id IS NOT NULL AND order_id IS NULL)"},
	{"order %s was not paid by the transaction that it names", `SELECT o.id FROM orders o WHERE o.tx_hash IS NOT NULL AND NOT EXISTS (SELECT 1 FROM payments p
		LEFT JOIN treasury_transactions t ON t.lt = p.lt LEFT JOIN star_charges c ON c.charge_id = p.charge_id
		WHERE p.order_id = o.id AND p.state = 'credited' AND COALESCE(t.hash, c.charge_id) = o.tx_hash AND COALESCE(t.happened_at, c.paid_at) = o.paid_at)`},
	{"tournament %s was final before it ended", "SELECT id FROM tournaments WHERE final_at < ends_at"},
	{"the treasury of network %s is not the one that was pinned", "SELECT t.id FROM treasury t JOIN settings s ON s.key = '" + treasury.SettingTreasury + "' WHERE s.value <> t.network || ' ' || t.address"},
	{"%s wallets count as proven before proofs were stored", `SELECT n.old FROM (SELECT COUNT(*) AS old FROM wallet_nonces WHERE proof = '') AS n
		WHERE n.old <> COALESCE((SELECT CAST(value AS BIGINT) FROM settings WHERE key = 'old_wallet_proofs'), 0)`},
}

// findUndecided lists rows of money or identity that are not what an admin, the chain or another row decided.
func findUndecided(ctx context.Context, s *Auditor, _ time.Time) (invalid []string, err error) {
	err = s.db.Snapshot(ctx, func(tx *gorm.DB) (err error) {
		if invalid, err = listAll(tx, contradictions); err != nil {
			return err
		}
		var actions []models.AdminAction
		if err := tx.Raw("SELECT " + db.Columns[models.AdminAction]("admin_actions") + " FROM admin_actions WHERE state = 'executed' ORDER BY decided_at, id").Scan(&actions).Error; err != nil {
			return fmt.Errorf("read what admins did: %w", err)
		}
		for _, kind := range decidedBy {
			rows, err := kind.rows(tx, s.db.Dialect)
			if err != nil {
				return fmt.Errorf("%s: %w", kind.what, err)
			}
			due := decisions{}
			for _, a := range actions {
				if apply := kind.apply[a.Action]; apply != nil {
					apply(due, a)
				}
			}
			for name := range due {
				rows[name] += "" // what was decided has a row
			}
			for _, name := range slices.Sorted(maps.Keys(rows)) {
				if !due.allow(name, rows[name]) {
					invalid = append(invalid, fmt.Sprintf(kind.what, name))
				}
			}
		}
		daily, err := findInvalidDailyTasks(tx, actions)
		invalid = append(invalid, daily...)
		return err
	})
	return invalid, err
}

// findInvalidDailyTasks lists tasks of days that ask or pay something else than the settings did when they were written.
func findInvalidDailyTasks(tx *gorm.DB, actions []models.AdminAction) (invalid []string, err error) {
	var list []models.Task
	if err := tx.Where("day IS NOT NULL").Order("id").Find(&list).Error; err != nil {
		return nil, fmt.Errorf("read daily tasks: %w", err)
	}
	history := settingsHistory(actions)
	for _, t := range list {
		allowed := false
		for i, set := range history {
			begun := set.from.Before(t.CreatedAt.Add(sameTime))
			ended := i+1 < len(history) && history[i+1].from.Before(t.CreatedAt.Add(-sameTime))
			allowed = allowed || begun && !ended && slices.Contains(set.settings.DailyTasks(), t.Terms())
		}
		if !allowed {
			invalid = append(invalid, fmt.Sprintf("task %d does not ask and pay what was set", t.ID))
		}
	}
	return invalid, nil
}

// settingsSince are the runtime settings from a moment on.
type settingsSince struct {
	from     time.Time
	settings settings.RuntimeSettings
}

// settingsHistory returns the runtime settings after each change by an admin, the defaults first.
func settingsHistory(actions []models.AdminAction) []settingsSince {
	history := []settingsSince{{settings: settings.DefaultSettings()}}
	for _, a := range actions {
		if a.Action != settings.ActionChangeSetting || a.State != models.ActionExecuted {
			continue
		}
		if changed, err := history[len(history)-1].settings.With(a.Arg(0), a.Arg(1)); err == nil {
			history = append(history, settingsSince{*a.DecidedAt, changed})
		}
	}
	return history
}

// unsetRewards lists players with a check-in or advice whose reward no admin ever set.
func unsetRewards(tx *gorm.DB, s idRange) (invalid []models.PlayerID, err error) {
	var paid []struct {
		PlayerID      models.PlayerID
		Streak        int // 0 for advice
		Coins, Points int64
	}
	err = tx.Raw(`SELECT player_id, streak, coins, points FROM checkins WHERE player_id > @After AND player_id <= @UpTo AND points > 0
		UNION ALL SELECT player_id, 0, 0, points FROM predictions WHERE player_id > @After AND player_id <= @UpTo AND points > 0 ORDER BY 1`, s).Scan(&paid).Error
	if err != nil || len(paid) == 0 {
		return nil, err
	}
	var changes []models.AdminAction
	if err := tx.Raw("SELECT "+db.Columns[models.AdminAction]("admin_actions")+" FROM admin_actions WHERE action = ? AND state = 'executed' ORDER BY decided_at, id", settings.ActionChangeSetting).Scan(&changes).Error; err != nil {
		return nil, err
	}
	history := settingsHistory(changes)
	for _, row := range paid {
		ever := slices.ContainsFunc(history, func(set settingsSince) bool {
			if row.Streak == 0 {
				return row.Points == int64(set.settings.AdvicePoints)
			}
			rewards := set.settings.CheckIn()
			return rewards[min(row.Streak, len(rewards))-1] == game.Reward{Coins: game.MicroMCBK(row.Coins), Points: row.Points}
		})
		if !ever {
			invalid = append(invalid, row.PlayerID)
		}
	}
	return invalid, nil
}
