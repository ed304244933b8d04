package audit_test

import (
	"database/sql"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"mcbk/models"
	"mcbk/models/audit"
	"mcbk/models/modelstest"
	"mcbk/models/store"
)

// stateRow makes one row of a table in any state.
type stateRow struct {
	columns, values string            // without the state and what goes with it
	with            map[string]string // a column that is set in some states only, to them; the time now unless "value: " precedes
}

// stateRows are the tables that have states.
var stateRows = map[string]stateRow{
	"ad_tickets": {
		"ticket, player_id, purpose, target_id, day, opened_at, paid", "'0123456789abcdef0123456789abcdef', ANN, 'daily', 0, 1, NOW, FALSE",
		map[string]string{"settled_at": "settled"},
	},
	"admin_actions": {
		"admin_id, chat_id, action, args, nonce_hash, asked_at, expires_at, outcome", "1, 1, 'ban', '[]', 'a', '2026-03-04', '2026-03-05', ''",
		map[string]string{"decided_at": "executed cancelled expired refused"},
	},
	"bot_updates": {
		"update_id, chat_id, body, tries, next_try_at, received_at, last_error", "1, 1, '', 0, NOW, NOW, ''",
		map[string]string{"finished_at": "done dead"},
	},
	"broadcasts": {
		"author_id, text, source_chat_id, source_message_id, cursor, audience, queued, drafted_at", "1, 'a', 0, 0, 0, 0, 0, NOW",
		map[string]string{"started_at": "fanning done cancelled", "ended_at": "done cancelled"},
	},
	"friends": {
		"player_id, inviter_id", "BOB, ANN",
		map[string]string{"qualified_at": "qualified rewarded", "rewarded_at": "rewarded"},
	},
	"orders": {"player_id, kind, comment, amount, coins, ton_price, mcbk_price, created_at, expires_at", "ANN, 'purchase', 'a', 1, 1, 1, 1, '2026-03-04', '2026-03-05'", nil},
	"outbox": {
		"key, chat_id, kind, params, urgency, tries, next_try_at, queued_at, last_error", "'a', 1, 'a', '{}', 0, 0, NOW, NOW, ''",
		map[string]string{"finished_at": "sent dead"},
	},
	"payables": {"player_id, payment_id, amount, due_at", "ANN, 900, 1, NOW", map[string]string{
		"address": "'0:a': approved sent settled", "reported_hash": "'a': sent", "settled_at": "settled", "settled_lt": "1: settled", "settled_line": "0: settled",
	}},
	"payments": {
		"lt, amount, reason, player_id", "2, 1, '', ANN",
		map[string]string{"settled_at": "credited refundable"},
	},
	"player_tasks": {
		"player_id, task_id, progress, evidence, opened_at", "ANN, (SELECT MAX(id) FROM tasks), 0, '', NOW",
		map[string]string{"completed_at": "completed claimed", "claimed_at": "claimed"},
	},
	"predictions": {"player_id, day, text_number, offered_at", "ANN, 1, 1, NOW", nil},
	"spins": {
		"player_id, seed_id, nonce, odds_version, segment, chest, golden, spun_at", "ANN, 900, 0, 1, 0, -1, FALSE, NOW",
		map[string]string{"settled_at": "credited claimed doubled"},
	},
	"tournaments": {
		"starts_at, ends_at", "'2030-03-04', '2030-03-05'",
		map[string]string{"final_at": "final awarded", "awarded_at": "awarded"},
	},
	"wallet_nonces": {
		"player_id, nonce_hash, made_at, expires_at", "ANN, '" + strings.Repeat("a", 64) + "', '2026-03-04', '2026-03-05'",
		map[string]string{"used_at": "used", "wallet": "'0:a': used"},
	},
	"wheel_seeds": {
		"player_id, seed, client_seed, begun_day", "ANN, 'SEED', '', 0",
		map[string]string{"retired_at": "retired"},
	},
}

// insert and update are statements for a row in a state.
func (r stateRow) insert(table, state string) string {
	columns, values := r.columns+", state", r.values+", '"+state+"'"
	for column := range r.with {
		columns, values = columns+", "+column, values+", "+r.value(column, state)
	}
	return "INSERT INTO " + table + " (" + columns + ") VALUES (" + values + ")"
}

func (r stateRow) update(table, state string) string {
	set := "state = '" + state + "'"
	for column := range r.with {
		set += ", " + column + " = " + r.value(column, state)
	}
	return "UPDATE " + table + " SET " + set + " WHERE " + strings.SplitN(r.columns, ",", 2)[0] + " = " + strings.SplitN(r.values, ",", 2)[0]
}

func (r stateRow) value(column, state string) string {
	value, states, other := strings.Cut(r.with[column], ": ")
	if !other {
		value, states = "NOW", value
	}
	if slices.Contains(strings.Fields(states), state) {
		return value
	}
	return "NULL"
}

// what such rows hang on.
var stateScene = []string{
	"INSERT INTO tasks (action, target, reward_coins, reward_points, url, title_en, title_ru, created_at) VALUES ('exchange_join', 1, 1, 0, 'https://a', 'a', 'a', NOW)",
	"INSERT INTO wheel_seeds (id, player_id, seed, client_seed, state, begun_day) VALUES (900, BOB, 'SEED', '', 'present', 0)",
	"INSERT INTO treasury_transactions (lt, hash, prev_lt, prev_hash, happened_at, kind, source, amount, comment, comment_kind, boc, seen_at) VALUES (1, 'a', 0, '', NOW, '', '', 1, '', '', '', NOW), (2, 'b', 1, 'a', NOW, '', '', 1, '', '', '', NOW)",
	"INSERT INTO treasury_transfers (lt, line, destination, amount, comment) VALUES (1, 0, '0:a', 1, '')",
	"INSERT INTO payments (id, lt, state, amount, reason, settled_at) VALUES (900, 1, 'refundable', 7, '', NOW)",
}

// states are those that a column of this name may hold, of each table that has one.
func states(t *testing.T, store *store.Store) map[string][]string {
	t.Helper()
	guards := modelstest.Must(audit.Guards(store.DB.Committed(t.Context()), store.DB.Dialect))(t)
	check := regexp.MustCompile(`^table (\w+) on .*\bstate TEXT NOT NULL CHECK \(state IN \(([^)]*)\)|^constraint \w+_state_check on (\w+): .*ARRAY\[([^]]*)\]`)
	found := map[string][]string{}
	for _, line := range guards {
		if m := check.FindStringSubmatch(line); m != nil {
			for _, name := range regexp.MustCompile(`'(\w+)'`).FindAllStringSubmatch(m[2]+m[4], -1) {
				found[m[1]+m[3]] = append(found[m[1]+m[3]], name[1])
			}
		}
	}
	return found
}

func TestDatabaseAllowsOnlyListedTransitions(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		ann, bob := modelstest.Player(t, store), modelstest.Player(t, store)
		dropFixed(t, raw)
		all := states(t, store)
		columns := "SELECT COUNT(*) FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' AND c.name = 'state'"
		if modelstest.IsPostgres(t) {
			columns = "SELECT COUNT(*) FROM information_schema.columns WHERE column_name = 'state' AND table_schema = current_schema()"
		}
		if n := modelstest.Count(t, raw, columns); n != len(all) || n != len(stateRows) {
			t.Errorf("%d tables have a state, %d say which there are, this test knows %d", n, len(all), len(stateRows))
		}
		words := strings.NewReplacer("NOW", "CURRENT_TIMESTAMP", "ANN", fmt.Sprint(ann.ID), "BOB", fmt.Sprint(bob.ID), "SEED", strings.Repeat("s", 32))
		for table, names := range all {
			for _, step := range rowSteps[table] {
				if from, to, _ := strings.Cut(step, ">"); !slices.Contains(names, from) || !slices.Contains(names, to) {
					t.Errorf("%s: the row type lists %s, the database has only %q", table, step, names)
				}
			}
			for _, from := range names {
				for _, to := range names {
					step := from + ">" + to
					err := tryTransition(t, raw, words, stateRows[table].insert(table, from), stateRows[table].update(table, to))
					switch {
					case from == to || slices.Contains(rowSteps[table], step):
						if err != nil && (from != to || table != "admin_actions") { // what was decided never changes
							t.Errorf("%s: %s is refused: %v", table, step, err)
						}
					case err == nil:
						t.Errorf("%s: %s is taken, and its row type does not list it", table, step)
					case !refusedAsStep(t, err, table, from, to):
						t.Errorf("%s: %s is refused by something else: %v", table, step, err)
					}
				}
			}
		}
	})
}

// refusedAsStep reports whether what keeps the steps said no.
func refusedAsStep(t *testing.T, err error, table, from, to string) bool {
	t.Helper()
	text := table + ": no step leads there"
	if modelstest.IsPostgres(t) {
		text = fmt.Sprintf("%s: no step leads from %s to %s", table, from, to)
	}
	if table == "admin_actions" {
		text = "the audit is append-only"
	}
	return strings.Contains(err.Error(), text)
}

// tryTransition tells what the last statement comes to after the others; nothing of it stays.
func tryTransition(t *testing.T, raw *sql.DB, words *strings.Replacer, insert, update string) error {
	t.Helper()
	tx := modelstest.Must(raw.BeginTx(t.Context(), nil))(t)
	defer tx.Rollback() //nolint:errcheck // it is what should happen
	for _, statement := range append(slices.Clone(stateScene), insert) {
		modelstest.Must(tx.ExecContext(t.Context(), words.Replace(statement)))(t)
	}
	result, err := tx.ExecContext(t.Context(), words.Replace(update))
	if err != nil {
		return err
	}
	modelstest.Returns(result.RowsAffected())(t, 1, update, "rows")
	return nil
}

// rowSteps are the steps of the rows of each table that has states.
var rowSteps = map[string][]string{
	"ad_tickets": models.AdTicketSteps.List(), "admin_actions": models.AdminActionSteps.List(), "bot_updates": models.BotUpdateSteps.List(),
	"broadcasts": models.BroadcastSteps.List(), "friends": models.FriendSteps.List(), "orders": models.OrderSteps.List(),
	"outbox": models.MessageSteps.List(), "payables": models.PayoutSteps.List(), "payments": models.PaymentSteps.List(),
	"player_tasks": models.PlayerTaskSteps.List(), "predictions": models.AdviceSteps.List(), "spins": models.SpinSteps.List(),
	"tournaments": models.TournamentSteps.List(), "wallet_nonces": models.WalletNonceSteps.List(), "wheel_seeds": models.ServerSeedSteps.List(),
}

// stepTrigger returns the trigger by which a database refuses any other step of a table.
func stepTrigger(database, table string) string {
	condition := "OLD.state <> NEW.state AND OLD.state || '>' || NEW.state NOT IN (\n    '" + strings.Join(rowSteps[table], "', '") + "')"
	if database == "postgres" {
		return fmt.Sprintf("CREATE OR REPLACE TRIGGER %s_steps AFTER UPDATE OF state ON %[1]s FOR EACH ROW\nWHEN (%s)\nEXECUTE FUNCTION step_is_refused();", table, condition)
	}
	return fmt.Sprintf("CREATE TRIGGER %s_steps BEFORE UPDATE OF state ON %[1]s\nWHEN %s\nBEGIN\n    SELECT RAISE(ABORT, '%[1]s: no step leads there');\nEND;", table, condition)
}
