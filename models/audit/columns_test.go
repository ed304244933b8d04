package audit_test

import (
	"database/sql"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"mcbk/models/modelstest"
)

// Invariants, by the words this file knows them by.
const (
	rowsAreDecided  = "whatever holds money or identity is what an admin, the chain or the rules decided"
	tasksAreEarned  = "every completed task was earned"
	starsAreBooked  = "what was paid and refunded in Stars is what Telegram lists, and sold what it says"
	refundsAreTaken = "every refund in Stars took back what its payment brought, as far as it was there"
)

// tableColumns classifies the columns of a table: what the database refuses to change, what verify finds changed, and what is neither
// money nor identity.
type tableColumns struct {
	fixed string            // never change
	later map[string]string // do not change either once a condition on OLD and NEW holds
	kept  string            // rows for which this condition on OLD holds are never deleted
	keys  []string          // unique keys by which no INSERT OR REPLACE of SQLite may delete a row

	found   map[string]string // by verify, by invariant
	neither map[string]string // by reason
}

const (
	always     = "TRUE"
	afterStart = "EXISTS (SELECT 1 FROM players)" // before, the first tournament may be planned anew
)

// ownTriggers are tables that are append-only by triggers of their own, made before this list.
var ownTriggers = []string{"postings", "ledger_checkpoints", "admin_actions"}

// columns is the one list of all tables, from which the triggers of migration 0038 were generated. Print those of a changed list with
// `go test ./models/audit -run FixedColumns -triggers=postgres -v`.
var columns = map[string]tableColumns{
	"players": {
		fixed: "id telegram_id referral_code referrer_id created_at", kept: always, keys: []string{"id"},
		found: map[string]string{
			balancesAreSums:     "balance_game balance_referral balance_purchased balance_game_points balance_referral_points balance_mine balance_spins balance_ad_spins",
			countersAreSums:     "bag_day bag_spins bag_taps_today bag_energy_spent",
			visitsMatchLedger:   "visits_day visits_streak visits_total visits_doubled visits_coins visits_points",
			wheelMatchesLedger:  "wheel_looked_day wheel_spun_day wheel_spins_today wheel_counted_day wheel_streak wheel_won",
			loyaltyMatchesAds:   "loyalty_day loyalty_claimed",
			adviceMatchesLedger: "advised_day",
			rowsAreDecided:      "banned_at ban_reason erased_at",
			walletsAreProven:    "wallet wallet_proven",
		},
		neither: map[string]string{
			"profile": "first_name username photo_url is_premium language notifications",
			"consent": "consented_at consent_version",
			"pace":    "bag_allowance_milli bag_allowance_at",
			"order":   "revision",
		},
	},
	"postings":           {fixed: "id player_id reference line source destination asset amount memo posted_at mark", kept: always},
	"ledger_checkpoints": {fixed: "id last_posting_id postings amounts hash sealed_at last_action_id actions", kept: always},
	"admin_actions": {
		fixed: "id admin_id chat_id action args nonce_hash asked_at expires_at", kept: always,
		later: map[string]string{"OLD.state <> 'asked'": "state decided_at outcome"},
	},
	"settings": {
		fixed: "key", kept: always,
		later:   map[string]string{"OLD.key IN ('treasury', 'old_wallet_proofs')": "value"},
		found:   map[string]string{rowsAreDecided: "value"},
		neither: map[string]string{"time": "updated_at"},
	},
	"checkins": {
		fixed: "player_id day streak checked_in_at coins points", kept: always, keys: []string{"player_id day"},
		later: map[string]string{"OLD.doubled_at IS NOT NULL": "doubled_at"},
	},
	"ad_tickets": {
		fixed: "ticket player_id purpose target_id day opened_at", kept: always, keys: []string{"ticket"},
		later:   map[string]string{"OLD.state <> 'open'": "settled_at paid"},
		found:   map[string]string{ticketsMatchLedger: "state"},
		neither: map[string]string{"shown": "told_at"},
	},
	"predictions": {
		fixed: "id player_id day text_number points offered_at", kept: always, keys: []string{"id"},
		later: map[string]string{"OLD.settled_at IS NOT NULL": "settled_at"},
		found: map[string]string{adviceIsPaid: "state"},
	},
	"tasks": {
		fixed: "id action day target reward_coins reward_points url title_en title_ru created_at", kept: always, keys: []string{"id"},
		later: map[string]string{"OLD.retired_at IS NOT NULL": "retired_at"},
	},
	"player_tasks": {
		fixed: "id player_id task_id day opened_at", kept: always, keys: []string{"id"},
		later: map[string]string{
			"OLD.state IN ('completed', 'claimed')": "progress evidence completed_at",
			"OLD.state = 'claimed'":                 "claimed_at",
		},
		found: map[string]string{tasksAreEarned: "state"},
	},
	"wheel_seeds": {
		fixed: "id player_id seed", kept: always, keys: []string{"id"},
		later: map[string]string{"OLD.state <> 'next'": "client_seed begun_day", "OLD.state = 'retired'": "retired_at"},
		found: map[string]string{seedsAreCounted: "nonce state"},
	},
	"spins": {
		fixed: "id player_id seed_id nonce odds_version segment chest golden streak_end spun_at", kept: always, keys: []string{"id", "seed_id nonce"},
		later: map[string]string{"OLD.settled_at IS NOT NULL": "settled_at"},
		found: map[string]string{spinsMatchLedger: "state"},
	},
	"ton_prices": {fixed: "read_at price doubtful", kept: always},
	"orders": {
		fixed: "id player_id kind comment amount coins ton_price mcbk_price created_at expires_at tournament_id mine_level currency star_price invoice_link", kept: always,
		keys:    []string{"id", "comment"},
		later:   map[string]string{"OLD.paid_at IS NOT NULL": "paid_at tx_hash", "OLD.reserved_until IS NOT NULL": "reserved_until"},
		found:   map[string]string{ordersArePaid: "paid"},
		neither: map[string]string{"step": "state"},
	},
	"treasury": {
		fixed: "id network address since_lt since_hash", kept: always,
		found:   map[string]string{historyIsWhole: "lt hash sold"},
		neither: map[string]string{"progress": "known_until"},
	},
	"treasury_transactions": {
		fixed: "lt hash prev_lt prev_hash happened_at kind source amount comment comment_kind boc seen_at shown_by", kept: always, keys: []string{"lt", "hash"},
	},
	"treasury_transfers": {
		fixed: "lt line destination amount comment", kept: always, keys: []string{"lt line"},
		later: map[string]string{"OLD.returned_lt IS NOT NULL": "returned_lt"},
		found: map[string]string{rowsAreDecided: "returned_lt"},
	},
	"payments": {
		fixed: "id lt reason ton_price mcbk_price charge_id star_price", kept: always, keys: []string{"id", "charge_id"},
		later: map[string]string{"OLD.state <> 'held'": "amount order_id player_id locked coins settled_at"},
		found: map[string]string{rowsAreDecided: "state order_id player_id locked coins", historyIsWhole: "amount"},
	},
	"star_charges": {
		fixed: "charge_id payer stars payload paid_at seen_at", kept: always, keys: []string{"charge_id"},
		later: map[string]string{"OLD.refunded_at IS NOT NULL": "refunded_at", "OLD.refund_requested_at IS NOT NULL": "refund_requested_at"},
		found: map[string]string{starsAreBooked: "listed refund_listed"},
	},
	"star_books": {
		fixed: "id", kept: always,
		found:   map[string]string{starsAreBooked: "stars sold"},
		neither: map[string]string{"progress": "transactions"},
	},
	"star_claims": {
		fixed: "id charge_id player_id account coins made_at", kept: always, keys: []string{"id", "charge_id account"},
		found: map[string]string{refundsAreTaken: "taken"},
	},
	"wallet_nonces": {
		fixed: "id player_id nonce_hash made_at expires_at", keys: []string{"id", "nonce_hash"},
		later:   map[string]string{"OLD.state <> 'open' AND NEW.wallet <> ''": "wallet proof", "OLD.state <> 'open'": "used_at"},
		neither: map[string]string{"step": "state"},
	},
	"friends": {
		fixed: "player_id inviter_id", kept: always, keys: []string{"player_id"},
		later: map[string]string{"OLD.qualified_at IS NOT NULL": "qualified_at", "OLD.rewarded_at IS NOT NULL": "rewarded_at"},
		found: map[string]string{rowsAreDecided: "state"},
	},
	"tournaments": {
		fixed: "id starts_at ends_at", kept: afterStart, keys: []string{"id"},
		later: map[string]string{
			"OLD.state IN ('closed', 'final', 'awarded')": "least_prize_ore", "OLD.state IN ('final', 'awarded')": "final_at",
			"OLD.state = 'awarded'": "awarded_at",
		},
		found: map[string]string{rowsAreDecided: "state"},
	},
	"miners": {
		fixed: "tournament_id player_id first_day", kept: always, keys: []string{"tournament_id player_id"},
		later: map[string]string{
			"OLD.paid_at IS NOT NULL":   "place prize_ton prize_coins ore_coins paid_at",
			"OLD.prized_at IS NOT NULL": "prized_at",
		},
		found: map[string]string{
			minesAreOpen: "level ore", minersMatchLedger: "taps energy_spent last_day days", minersArePaid: "place prize_ton prize_coins ore_coins paid_at prized_at",
		},
		neither: map[string]string{"pace": "energy_window allowance_milli allowance_at"},
	},
	"mine_levels": {
		fixed: "tournament_id player_id level order_id payment_id unlocked_at", kept: always, keys: []string{"tournament_id player_id level", "order_id", "payment_id"},
	},
	"payables": {
		fixed: "id player_id tournament_id payment_id amount", kept: always, keys: []string{"id", "payment_id", "tournament_id player_id"},
		later: map[string]string{
			"NOT (OLD.state = 'due' AND NEW.state = 'approved') AND NOT (NEW.state = 'due' AND NEW.address IS NULL)": "address",
			"OLD.state = 'settled' AND NEW.state = 'settled'":                                                        "settled_lt settled_line reported_hash",
			"OLD.state = 'cancelled'": "reason",
		},
		found:   map[string]string{rowsAreDecided: "address reported_hash returned_lt reason approved_at state settled_lt settled_line"},
		neither: map[string]string{"time": "due_at sent_at settled_at"},
	},
	"broadcasts": {
		fixed: "id author_id text source_chat_id source_message_id drafted_at", kept: "OLD.state <> 'draft'", keys: []string{"id"},
		later:   map[string]string{"OLD.started_at IS NOT NULL": "started_at"},
		found:   map[string]string{rowsAreDecided: "state"}, // of a draft; to cancel one is no more than silence
		neither: map[string]string{"progress": "cursor audience queued", "time": "ended_at"},
	},
	"bot_updates": {
		fixed:   "update_id chat_id received_at",
		neither: map[string]string{"progress": "body state tries next_try_at finished_at last_error"},
	},
	"daily_totals": {
		fixed: "day what", kept: always,
		later:   map[string]string{"NEW.total < OLD.total": "total"},
		neither: map[string]string{"picture": "total"},
	},

	"idempotency_keys": {neither: map[string]string{"answer": "player_id key operation body_hash status answer created_at"}},
	"chats":            {neither: map[string]string{"preference": "telegram_id language start_code created_at blocked_at"}},
	"origins":          {neither: map[string]string{"hint": "player_id mark"}},
	"outbox": {neither: map[string]string{
		"message":  "id key chat_id kind params urgency broadcast_id queued_at",
		"progress": "state tries next_try_at finished_at last_error quiet_until",
	}},
	"outbox_pace": {neither: map[string]string{"pace": "id next_slot_at silent_until"}},
	"job_runs":    {neither: map[string]string{"progress": "job period done_at rows"}},
	"alarms":      {neither: map[string]string{"notice": "id name subject detail raised_at seen_at cleared_at"}},
}

// fixedTrigger is a statement of a migration that makes a trigger.
type fixedTrigger struct{ table, name, sql string }

// fixedTriggers returns the triggers by which a database holds the fixed columns.
func fixedTriggers(database string) (all []fixedTrigger) {
	for _, table := range slices.Sorted(maps.Keys(columns)) {
		c := columns[table]
		if slices.Contains(ownTriggers, table) || c.fixed == "" {
			continue
		}
		changed, conditions := strings.Fields(c.fixed), []string{differ(c.fixed)}
		for _, when := range slices.Sorted(maps.Keys(c.later)) {
			for _, column := range strings.Fields(c.later[when]) {
				if !slices.Contains(changed, column) {
					changed = append(changed, column)
				}
			}
			conditions = append(conditions, "("+when+") AND ("+differ(c.later[when])+")")
		}
		add := func(suffix, event, condition, message string) {
			name := table + suffix
			if database == "sqlite" {
				condition = strings.ReplaceAll(condition, "IS DISTINCT FROM", "IS NOT")
				all = append(all, fixedTrigger{table, name, fmt.Sprintf("CREATE TRIGGER %s BEFORE %s ON %s\nWHEN %s\nBEGIN\n    SELECT RAISE(ABORT, '%s: %s');\nEND;",
					name, event, table, condition, table, message)})
				return
			}
			all = append(all, fixedTrigger{table, name, fmt.Sprintf("CREATE OR REPLACE TRIGGER %s AFTER %s ON %s FOR EACH ROW\nWHEN (%s)\nEXECUTE FUNCTION change_is_refused('%s');",
				name, event, table, condition, message)})
		}
		event := "UPDATE OF " + strings.Join(changed, ", ")
		if database == "sqlite" { // which does not take rowid for the id
			event = "UPDATE"
		}
		add("_fixed", event, strings.Join(conditions, "\n    OR "), "what was decided does not change")
		if c.kept == afterStart && database == "postgres" { // whose triggers have no queries in their conditions
			name := table + "_kept"
			all = append(all, fixedTrigger{table, name, fmt.Sprintf("CREATE OR REPLACE TRIGGER %s AFTER DELETE ON %s FOR EACH ROW\nEXECUTE FUNCTION change_after_start_is_refused();", name, table)})
		} else if c.kept != "" {
			add("_kept", "DELETE", c.kept, "rows stay")
		}
		if c.kept != "" && database == "postgres" {
			name := table + "_not_emptied"
			all = append(all, fixedTrigger{table, name, fmt.Sprintf("CREATE OR REPLACE TRIGGER %s BEFORE TRUNCATE ON %s FOR EACH STATEMENT\nEXECUTE FUNCTION change_is_refused('rows stay');", name, table)})
		}
		if database == "sqlite" && len(c.keys) > 0 {
			var same []string
			for _, key := range c.keys {
				var equal []string
				for _, column := range strings.Fields(key) {
					equal = append(equal, column+" = NEW."+column)
				}
				same = append(same, strings.Join(equal, " AND "))
			}
			add("_no_replace", "INSERT", "EXISTS (SELECT 1 FROM "+table+" WHERE "+strings.Join(same, " OR ")+")", "rows stay")
		}
	}
	return all
}

// differ is the condition that one of these columns changes.
func differ(names string) string {
	var all []string
	for _, name := range strings.Fields(names) {
		all = append(all, "NEW."+name+" IS DISTINCT FROM OLD."+name)
	}
	return strings.Join(all, " OR ")
}

// dropFixedTriggers are statements that let everybody change fixed columns, as the database's owner could.
func dropFixedTriggers(t *testing.T) (statements []string) {
	t.Helper()
	for _, trigger := range fixedTriggers(map[bool]string{false: "sqlite", true: "postgres"}[modelstest.IsPostgres(t)]) {
		statement := "DROP TRIGGER " + trigger.name
		if modelstest.IsPostgres(t) {
			statement += " ON " + trigger.table
		}
		statements = append(statements, statement)
	}
	return statements
}

// dropFixed runs dropFixedTriggers.
func dropFixed(t *testing.T, raw *sql.DB) {
	t.Helper()
	for _, statement := range dropFixedTriggers(t) {
		modelstest.MustExec(t, raw, statement)
	}
}

var printTriggers = flag.String("triggers", "", "print the triggers of fixed columns and of steps for this database, sqlite or postgres")

func TestMigrationsHoldTheFixedColumns(t *testing.T) {
	if *printTriggers != "" {
		for _, trigger := range fixedTriggers(*printTriggers) {
			fmt.Printf("-- +goose StatementBegin\n%s\n-- +goose StatementEnd\n\n", trigger.sql)
		}
		for _, table := range slices.Sorted(maps.Keys(rowSteps)) {
			fmt.Printf("-- +goose StatementBegin\n%s\n-- +goose StatementEnd\n\n", stepTrigger(*printTriggers, table))
		}
	}
	for _, database := range []string{"sqlite", "postgres"} {
		var migrations strings.Builder
		files := modelstest.Must(os.ReadDir("../db/migrations/" + database))(t)
		for _, file := range files {
			text := modelstest.Must(os.ReadFile("../db/migrations/" + database + "/" + file.Name()))(t)
			migrations.Write(text)
		}
		for _, trigger := range fixedTriggers(database) {
			if !strings.Contains(migrations.String(), trigger.sql) {
				t.Errorf("%s: no migration makes\n%s", database, trigger.sql)
			}
		}
	}
}
