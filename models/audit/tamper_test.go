package audit_test

import (
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/friends"
	"mcbk/models/mines"
	"mcbk/models/modelstest"
	"mcbk/models/outbox"
	"mcbk/models/players"
	"mcbk/models/settings"
	"mcbk/models/stars"
	"mcbk/models/store"
	"mcbk/models/tasks"
	"mcbk/models/treasury"
)

// populated is a game in which every table of money or identity has rows.
func populated(t *testing.T, store *store.Store, raw *sql.DB) {
	t.Helper()
	ctx := t.Context()
	modelstest.Must(store.Settings.ProjectStart(ctx, modelstest.Season.Start, modelstest.Noon))(t)
	modelstest.NoError(t, store.Treasury.PinTreasury(ctx, "testnet", "0:treasury", modelstest.Noon))
	modelstest.Must(store.Outbox.ReceiveUpdates(t.Context(), []models.BotUpdate{{UpdateID: 1, ChatID: 7, Body: []byte("body")}}, modelstest.Noon))(t)
	m := modelstest.NewMarket(t, store)
	tournament := modelstest.Tournament(t, store)
	modelstest.Done(t, store, mines.ActionTournament, "2026-12-01")
	modelstest.Done(t, store, tasks.ActionAddTask, "exchange_join", "https://exchange.example/join", "Join", "Вступайте")
	modelstest.Done(t, store, tasks.ActionRetireTask, "1")
	modelstest.Done(t, store, settings.ActionChangeSetting, "free_spins", "9")
	draft := modelstest.Must(store.Outbox.DraftBroadcast(ctx, models.Broadcast{AuthorID: modelstest.Admin, Text: "Hello"}, modelstest.Noon))(t)
	modelstest.Must(store.Outbox.DraftBroadcast(ctx, models.Broadcast{AuthorID: modelstest.Admin, Text: "Not yet"}, modelstest.Noon))(t)
	ann := modelstest.Buyer(t, store, modelstest.Tapped(20))
	bob := modelstest.Buyer(t, store, modelstest.InvitedBy(ann))
	carl := modelstest.Player(t, store, modelstest.InvitedBy(ann))
	modelstest.Player(t, store, modelstest.InvitedBy(ann))
	modelstest.Done(t, store, outbox.ActionBroadcast, fmt.Sprint(draft.ID))
	modelstest.Done(t, store, players.ActionBan, fmt.Sprint(carl.ID), "spam")
	modelstest.Done(t, store, friends.ActionRejectFriend, fmt.Sprint(carl.ID))
	modelstest.CheckIn(t, store, ann, modelstest.Noon)
	modelstest.CheckIn(t, store, bob, modelstest.Noon)
	modelstest.WatchAd(t, store, ann, models.AdDaily, modelstest.Noon)
	modelstest.NoError(t, modelstest.ClaimAdvice(t, store, ann, modelstest.Advice(t, store, ann, modelstest.Noon).ID, modelstest.Noon))
	modelstest.NoError(t, modelstest.ErrorOf(store.Tasks.ClaimTask(ctx, modelstest.By(ann), modelstest.TaskOf(t, store, ann.ID, game.GetPrediction, modelstest.Noon).TaskID, modelstest.Season, modelstest.Noon)))
	modelstest.CheckInDays(t, store, bob, modelstest.Noon.Add(24*time.Hour), game.FriendDays-1)
	modelstest.RewardFriends(t, store, modelstest.Noon.Add(15*24*time.Hour))
	modelstest.Advice(t, store, bob, modelstest.Noon)
	modelstest.OpenAd(t, store, bob, models.AdPrediction, modelstest.Noon)
	modelstest.Spun(t, store, ann, false, modelstest.Segment(t, "coins_1"), modelstest.Noon)
	modelstest.Spun(t, store, ann, false, modelstest.Segment(t, "points_10"), modelstest.Noon)

	// A paid and an open order, a payment that is sent back, another that waits.
	paid := modelstest.OrderCoins(t, store, ann, game.TON, modelstest.Noon)
	modelstest.OrderCoins(t, store, ann, 2*game.TON, modelstest.Noon)
	m.Pay(game.TON, paid.Comment, modelstest.Noon)
	m.Pay(game.TON, "thanks", modelstest.Noon)
	m.Pay(game.TON, "thanks again", modelstest.Noon)
	m.Pay(game.TON, "and again", modelstest.Noon)
	m.Record(t, modelstest.Noon)
	for _, payment := range []string{"2", "3"} {
		modelstest.Done(t, store, treasury.ActionMatch, payment, treasury.MatchRefund)
	}
	modelstest.ApprovePayout(t, store, "1")
	m.Send(modelstest.Noon, treasury.ChainTransfer{To: "0:payer", Amount: game.TON, Comment: "MCBK-1"})
	m.Record(t, modelstest.Noon)

	// Coins for Stars, of which some are back, and an order that Telegram was told can be paid.
	for i, id := range []string{"charge-1", "charge-2"} {
		charge := modelstest.Charge(bob, modelstest.OrderStars(t, store, bob, 500, modelstest.Noon), id)
		modelstest.NoError(t, store.Stars.ApproveCheckout(ctx, stars.Checkout{Payer: charge.Payer, Stars: charge.Stars, Payload: charge.Payload}, modelstest.Noon))
		modelstest.ReceiveCharge(t, store, charge)
		modelstest.RecordStars(t, store, modelstest.Listed(charge))
		if i == 1 {
			modelstest.Done(t, store, stars.ActionRefund, id)
			modelstest.RefundCharge(t, store, charge)
			modelstest.RecordStars(t, store, modelstest.ListedRefund(charge))
		}
	}

	// A tournament that is won, and its prize approved for a wallet that was proven.
	m.OpenMines(t, bob, modelstest.Noon, 1)
	for d := range 5 {
		modelstest.Dig(t, store, bob, 200, fmt.Sprint("batch-", d), modelstest.Noon.Add(time.Duration(d)*24*time.Hour))
	}
	after := tournament.End.Add(time.Hour)
	m.Record(t, after)
	for range 3 {
		modelstest.AdvanceTournaments(t, store, after)
	}
	modelstest.Done(t, store, mines.ActionAward, "1")
	modelstest.ProveWallet(t, store, bob, "0:"+strings.Repeat("cd", 32), modelstest.Noon)
	modelstest.ApprovePayout(t, store, "3")

	modelstest.Must(store.Ledger.SealLedger(ctx, modelstest.Noon))(t)
	postings := modelstest.Count(t, raw, "SELECT COUNT(*) FROM postings")
	modelstest.Seal(t, store, int64(postings), modelstest.Noon.Add(time.Hour))
	if days, err := store.Ledger.CountDays(ctx, modelstest.Noon.Add(time.Hour)); err != nil || days == 0 {
		t.Fatalf("counted %d, %v", days, err)
	}
	modelstest.Sound(t, store)
}

// tampered runs a statement with every trigger on, and says what becomes of it: "refused", "found by …" or "". Its effects are undone by undo.
func tampered(t *testing.T, store *store.Store, raw *sql.DB, statement string) string {
	t.Helper()
	result, err := raw.ExecContext(t.Context(), statement)
	if err != nil {
		if strings.Contains(err.Error(), "syntax") || strings.Contains(err.Error(), "no such column") {
			t.Errorf("%s: %v", statement, err)
		}
		return "refused"
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		t.Errorf("%s: changed nothing", statement)
	}
	report, err := store.Audit.Verify(t.Context(), modelstest.Season, modelstest.Noon)
	if err != nil {
		return "found, verify cannot read it: " + err.Error()
	}
	for _, v := range report.Broken() {
		return "found by " + v.Invariant
	}
	return ""
}

// changedValue is another value of a column's kind.
func changedValue(column, kind string) string {
	kind = strings.ToLower(kind)
	switch {
	case strings.Contains(kind, "bool"):
		return "NOT " + column
	case strings.Contains(kind, "int"):
		return "COALESCE(" + column + ", 0) + 1"
	case strings.Contains(kind, "time"), strings.Contains(kind, "date"):
		return "'2026-03-04 11:11:11+00:00'"
	case strings.Contains(kind, "blob"), strings.Contains(kind, "bytea"):
		return "(SELECT MAX(hash) FROM ledger_checkpoints)"
	}
	return "COALESCE(" + column + ", '') || 'x'"
}

// tamperings are statements that change a column otherwise than by changedValue.
var tamperings = map[string]string{
	"players.wallet":                 "UPDATE players SET wallet = '0:ef' WHERE wallet_proven",
	"players.wallet_proven":          "UPDATE players SET wallet_proven = TRUE WHERE wallet IS NOT NULL AND NOT wallet_proven",
	"players.banned_at":              "UPDATE players SET banned_at = NULL, ban_reason = '' WHERE banned_at IS NOT NULL",
	"players.ban_reason":             "UPDATE players SET ban_reason = 'another' WHERE banned_at IS NOT NULL",
	"players.erased_at":              "UPDATE players SET erased_at = banned_at, username = '', photo_url = '', wallet = NULL, notifications = FALSE WHERE banned_at IS NOT NULL",
	"settings.value":                 "UPDATE settings SET value = '20' WHERE key = 'knob:free_spins'",
	"ad_tickets.state":               "UPDATE ad_tickets SET state = 'settled', settled_at = opened_at, paid = TRUE WHERE state = 'open'",
	"predictions.state":              "UPDATE predictions SET state = 'claimed', settled_at = offered_at WHERE state = 'offered'",
	"player_tasks.state":             "UPDATE player_tasks SET state = 'completed', progress = (SELECT target FROM tasks WHERE id = task_id), completed_at = opened_at WHERE state = 'active' AND task_id IN (SELECT id FROM tasks WHERE action = 'watch_ads')",
	"spins.state":                    "UPDATE spins SET state = 'claimed', settled_at = spun_at WHERE state = 'pending'",
	"wheel_seeds.state":              "UPDATE wheel_seeds SET state = 'retired', retired_at = '2026-03-04 11:11:11+00:00' WHERE state = 'present'",
	"friends.state":                  "UPDATE friends SET state = 'rejected' WHERE state = 'bound'",
	"tournaments.state":              "UPDATE tournaments SET state = 'awarded', final_at = ends_at, awarded_at = ends_at WHERE state = 'scheduled'",
	"payments.state":                 "UPDATE payments SET state = 'refundable', settled_at = '2026-03-04 12:00:00+00:00' WHERE state = 'held'",
	"payments.order_id":              "UPDATE payments SET order_id = 1 WHERE state = 'held'",
	"payments.player_id":             "UPDATE payments SET player_id = 1 WHERE state = 'held'",
	"payments.locked":                "UPDATE payments SET locked = 1 WHERE state = 'held'",
	"payments.coins":                 "UPDATE payments SET coins = 1 WHERE state = 'held'",
	"payments.amount":                "UPDATE payments SET amount = amount + 1 WHERE state = 'held'",
	"payables.address":               "UPDATE payables SET address = '0:ef' WHERE state = 'due'",
	"payables.state":                 "UPDATE payables SET state = 'approved', address = '0:payer', approved_at = due_at WHERE state = 'due'",
	"payables.reported_hash":         "UPDATE payables SET state = 'sent', reported_hash = 'ab' WHERE state = 'approved'",
	"payables.returned_lt":           "UPDATE payables SET returned_lt = (SELECT MIN(lt) FROM treasury_transactions) WHERE state = 'due'",
	"payables.reason":                "UPDATE payables SET state = 'cancelled', reason = 'none' WHERE state = 'due'",
	"payables.settled_lt":            "UPDATE payables SET state = 'settled', settled_at = due_at, settled_lt = (SELECT MIN(lt) FROM treasury_transfers), settled_line = 0 WHERE state = 'approved'",
	"payables.settled_line":          "UPDATE payables SET state = 'due', address = NULL, approved_at = NULL, settled_at = NULL, settled_lt = NULL, settled_line = NULL WHERE state = 'settled'",
	"payables.approved_at":           "UPDATE payables SET state = 'approved', address = '0:payer', approved_at = due_at WHERE state = 'due'",
	"treasury_transfers.returned_lt": "UPDATE treasury_transfers SET returned_lt = (SELECT MIN(lt) FROM treasury_transactions)",
	"miners.place":                   "UPDATE miners SET place = 7",
	"broadcasts.state":               "UPDATE broadcasts SET state = 'fanning', started_at = drafted_at WHERE state = 'draft'",
	"daily_totals.total":             "UPDATE daily_totals SET total = total - 1 WHERE total > 0",
}

// moreTampering is rows made up, deleted and exchanged. Each is refused or found.
var moreTampering = map[string]string{
	"payout's address replaced":  "UPDATE payables SET address = '0:ef' WHERE state = 'approved'",
	"orders' comments exchanged": "UPDATE orders SET comment = CASE id WHEN 1 THEN 'MC-AAAAAAAAAA' ELSE comment END",
	"Telegram id replaced":       "UPDATE players SET telegram_id = telegram_id + 100000",
	"Telegram id negated":        "UPDATE players SET telegram_id = -telegram_id",
	"made-up task":               "INSERT INTO tasks (action, target, reward_coins, reward_points, url, title_en, title_ru, created_at) VALUES ('exchange_join', 1, 900000000, 1, 'https://thief.example', 'a', 'b', '2026-03-04 12:00:00+00:00')",
	"made-up daily task":         "INSERT INTO tasks (action, day, target, reward_coins, reward_points, url, title_en, title_ru, created_at) VALUES ('tap_count', 30000, 1, 900000000, 1, '', '', '', '2026-03-04 12:00:00+00:00')",
	"made-up player's task":      "INSERT INTO player_tasks (player_id, task_id, day, state, progress, evidence, opened_at, completed_at) SELECT p.id, t.id, t.day, 'completed', t.target, '', p.created_at, p.created_at FROM (SELECT * FROM players ORDER BY id DESC LIMIT 1) p, (SELECT * FROM tasks WHERE action = 'roulette_spin' ORDER BY id LIMIT 1) t",
	"made-up nonce":              "INSERT INTO wallet_nonces (player_id, nonce_hash, state, made_at, expires_at, used_at, wallet) SELECT id, '" + strings.Repeat("a", 64) + "', 'used', '2026-03-04 12:00:00+00:00', '2026-03-04 12:05:00+00:00', '2026-03-04 12:01:00+00:00', '0:ef' FROM players ORDER BY id LIMIT 1",
	"made-up nonce of long ago":  "INSERT INTO wallet_nonces (player_id, nonce_hash, state, made_at, expires_at, used_at, wallet, proof) SELECT id, '" + strings.Repeat("b", 64) + "', 'used', '2026-03-04 12:00:00+00:00', '2026-03-04 12:05:00+00:00', '2026-03-04 12:01:00+00:00', '0:ef', '' FROM players ORDER BY id LIMIT 1",
	"made-up payout":             "INSERT INTO payables (player_id, tournament_id, amount, state, address, due_at) SELECT id, 2, 1000000000, 'approved', '0:ef', '2026-03-04 12:00:00+00:00' FROM players ORDER BY id LIMIT 1",
	"made-up payment":            "INSERT INTO payments (lt, state, amount, reason, order_id, player_id, coins, settled_at) SELECT MIN(lt), 'credited', 1000000000, '', 2, 1, 1, '2026-03-04 12:00:00+00:00' FROM treasury_transactions",
	"made-up advice":             "INSERT INTO predictions (player_id, day, text_number, state, points, offered_at) SELECT id, 20600, 1, 'offered', 1000000, '2026-03-04 12:00:00+00:00' FROM players ORDER BY id LIMIT 1",
	"made-up tournament":         "INSERT INTO tournaments (starts_at, ends_at, state) VALUES ('2027-03-04 00:00:00+00:00', '2027-03-19 00:00:00+00:00', 'scheduled')",
	"made-up transfer":           "INSERT INTO treasury_transactions (lt, hash, prev_lt, prev_hash, happened_at, kind, source, amount, comment, comment_kind, boc, seen_at) VALUES (999999, 'ab', 0, '', '2026-03-04 12:00:00+00:00', 'incoming', '0:ef', 1, '', '', 'ab', '2026-03-04 12:00:00+00:00')",
	"made-up setting":            "INSERT INTO settings (key, value, updated_at) VALUES ('knob:micro_mcbk_per_tap', '10000', '2026-03-04 12:00:00+00:00')",
	"maintenance":                "INSERT INTO settings (key, value, updated_at) VALUES ('maintenance', 'on', '2026-03-04 12:00:00+00:00')",
	"project start":              "UPDATE settings SET value = '2020-01-01T00:00:00Z' WHERE key = 'project_start'",
	"pinned treasury":            "UPDATE settings SET value = 'testnet 0:thief' WHERE key = 'treasury'",
	"setting deleted":            "DELETE FROM settings WHERE key = 'knob:free_spins'",
	"ban without an admin":       "UPDATE players SET banned_at = created_at, ban_reason = 'none' WHERE banned_at IS NULL",
	"nonce deleted":              "DELETE FROM wallet_nonces",
	"planned tournament deleted": "DELETE FROM tournaments WHERE state = 'scheduled'",
	"broadcast without an admin": "INSERT INTO broadcasts (author_id, text, source_chat_id, source_message_id, state, cursor, audience, queued, drafted_at, started_at) VALUES (5, 'scam', 0, 0, 'fanning', 0, 0, 0, '2026-03-04 12:00:00+00:00', '2026-03-04 12:00:00+00:00')",
	"action changed":             "UPDATE admin_actions SET args = '[]'",
	"action in the past":         "INSERT INTO admin_actions (id, admin_id, chat_id, action, args, state, nonce_hash, asked_at, expires_at, decided_at, outcome) VALUES (-1, 1, 1, 'settings', '[]', 'refused', 'ab', '2026-03-04 12:00:00+00:00', '2026-03-04 12:00:00+00:00', '2026-03-04 12:00:00+00:00', '')",
}

// unprovable are tamperings that the rows of the database can neither refuse nor show: docs/threats.md says so.
var unprovable = []string{}

func TestTamperingIsRefusedOrFound(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		populated(t, store, raw)
		schema := schemaOf(t, raw)
		classified(t, schema)
		undo := snapshots(t, raw)
		try := func(name, statement string) {
			t.Helper()
			became := tampered(t, store, raw, statement)
			t.Logf("%-45s %s", name, became)
			modelstest.Equal(t, became == "", slices.Contains(unprovable, name), name, statement, "is neither refused nor found")
			if became != "refused" {
				undo()
			}
		}
		for _, table := range slices.Sorted(maps.Keys(columns)) {
			c := columns[table]
			for _, column := range slices.Sorted(maps.Keys(schema[table])) {
				name := table + "." + column
				if listed(c.neither, column) && !listed(c.later, column) {
					continue
				}
				statement := tamperings[name]
				if statement == "" {
					statement = fmt.Sprintf("UPDATE %s SET %s = %s%s", table, column, changedValue(column, schema[table][column]), firstOf(c, column))
				}
				try(name, statement)
			}
			if c.kept != "" {
				try(table+" deleted", "DELETE FROM "+table+" WHERE "+strings.ReplaceAll(strings.Replace(c.kept, always, "1 = 1", 1), "OLD.", ""))
			}
		}
		for _, name := range slices.Sorted(maps.Keys(moreTampering)) {
			try(name, moreTampering[name])
		}
	})
}

// firstOf is the condition for rows of which a column is decided, when it is not in all.
func firstOf(c tableColumns, column string) string {
	if strings.Contains(" "+c.fixed+" ", " "+column+" ") {
		return ""
	}
	for when, names := range c.later {
		if slices.Contains(strings.Fields(names), column) && !strings.Contains(when, "NEW.") {
			return " WHERE " + strings.ReplaceAll(when, "OLD.", "")
		}
	}
	return ""
}

func listed(lists map[string]string, column string) bool {
	for _, names := range lists {
		if slices.Contains(strings.Fields(names), column) {
			return true
		}
	}
	return false
}

// classified checks that every column of the schema is classified.
func classified(t *testing.T, schema map[string]map[string]string) {
	t.Helper()
	for table, of := range schema {
		c, known := columns[table]
		if !known {
			t.Errorf("the table %s is not classified in columns_test.go", table)
			continue
		}
		for column := range of {
			if !slices.Contains(strings.Fields(c.fixed), column) && !listed(c.later, column) && !listed(c.found, column) && !listed(c.neither, column) {
				t.Errorf("the column %s of %s is not classified in columns_test.go: money, identity or neither?", column, table)
			}
		}
	}
	for table, c := range columns {
		names := strings.Fields(c.fixed)
		for _, lists := range []map[string]string{c.later, c.found, c.neither} {
			for _, one := range lists {
				names = append(names, strings.Fields(one)...)
			}
		}
		for _, name := range names {
			if _, there := schema[table][name]; !there {
				t.Errorf("%s has no column %s", table, name)
			}
		}
	}
}

// schemaOf is the kind of each column of each table.
func schemaOf(t *testing.T, raw *sql.DB) map[string]map[string]string {
	t.Helper()
	query := `SELECT m.name, c.name, c.type FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' AND m.name <> 'goose_db_version'`
	if modelstest.IsPostgres(t) {
		query = "SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = current_schema() AND table_name <> 'goose_db_version'"
	}
	schema := map[string]map[string]string{}
	for _, row := range modelstest.Lines(t, raw, query) {
		column := strings.SplitN(row, " ", 3)
		if schema[column[0]] == nil {
			schema[column[0]] = map[string]string{}
		}
		schema[column[0]][column[1]] = column[2]
	}
	return schema
}

// snapshots keeps all rows, and returns a way back to them that wakes no trigger.
func snapshots(t *testing.T, raw *sql.DB) (undo func()) {
	t.Helper()
	raw.SetMaxOpenConns(1) // the one that has it attached
	modelstest.MustExec(t, raw, map[bool]string{true: "CREATE SCHEMA kept", false: "ATTACH ':memory:' AS kept"}[modelstest.IsPostgres(t)])
	tables := slices.Sorted(maps.Keys(columns))
	for _, table := range tables {
		modelstest.MustExec(t, raw, "CREATE TABLE kept."+table+" AS SELECT * FROM "+table)
	}
	var dropped, made []string
	if !modelstest.IsPostgres(t) {
		dropped = modelstest.Lines(t, raw, "SELECT 'DROP TRIGGER ' || name FROM sqlite_master WHERE type = 'trigger'")
		made = modelstest.Lines(t, raw, "SELECT sql FROM sqlite_master WHERE type = 'trigger'")
	}
	return func() {
		t.Helper()
		statements := []string{"BEGIN"}
		asItWas := ""
		if modelstest.IsPostgres(t) {
			statements = append(statements, "SET LOCAL session_replication_role = replica")
			asItWas = " OVERRIDING SYSTEM VALUE"
		} else {
			statements = append([]string{"PRAGMA foreign_keys = OFF", "BEGIN"}, dropped...)
		}
		for _, table := range tables {
			statements = append(statements, "DELETE FROM "+table, "INSERT INTO "+table+asItWas+" SELECT * FROM kept."+table)
		}
		statements = append(append(statements, made...), "COMMIT")
		if !modelstest.IsPostgres(t) {
			statements = append(statements, "PRAGMA foreign_keys = ON")
		}
		if modelstest.IsPostgres(t) { // in one trip: between two the driver may begin the session anew
			statements = []string{strings.Join(statements, "; ")}
		}
		for _, statement := range statements {
			modelstest.MustExec(t, raw, statement)
		}
	}
}
