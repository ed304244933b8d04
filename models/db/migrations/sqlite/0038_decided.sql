-- +goose Up
-- What a wallet signed, as JSON. Empty for those that were proven before it was stored; how many these are is a setting.
ALTER TABLE wallet_nonces ADD COLUMN proof TEXT;

UPDATE wallet_nonces SET proof = '' WHERE state = 'used' AND proof IS NULL;

-- Players erased before this version left their wallets here.
UPDATE wallet_nonces SET wallet = '' WHERE state = 'used' AND player_id IN (SELECT id FROM players WHERE erased_at IS NOT NULL);

INSERT INTO settings (key, value, updated_at)
SELECT 'old_wallet_proofs', CAST(COUNT(*) AS TEXT), CURRENT_TIMESTAMP FROM wallet_nonces WHERE proof = ''
ON CONFLICT (key) DO UPDATE SET value = excluded.value;

-- A checkpoint also seals what admins did: the rows of the audit up to this one, and how many. 0 as an older program writes it.
ALTER TABLE ledger_checkpoints ADD COLUMN last_action_id BIGINT NOT NULL DEFAULT 0;
ALTER TABLE ledger_checkpoints ADD COLUMN actions BIGINT NOT NULL DEFAULT 0;

-- Columns of money and identity do not change once they were decided, and their rows stay: generated from models/columns_test.go.
-- Day 1 and the first tournament may move until somebody plays.
-- +goose StatementBegin
CREATE TRIGGER settings_start_fixed BEFORE UPDATE OF value ON settings
WHEN OLD.key = 'project_start' AND NEW.value IS NOT OLD.value AND EXISTS (SELECT 1 FROM players)
BEGIN
    SELECT RAISE(ABORT, 'settings: somebody plays');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER settings_no_replace BEFORE INSERT ON settings
WHEN NEW.key IN ('treasury', 'old_wallet_proofs') AND EXISTS (SELECT 1 FROM settings WHERE key = NEW.key AND value <> NEW.value)
BEGIN
    SELECT RAISE(ABORT, 'settings: rows stay');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER ad_tickets_fixed BEFORE UPDATE ON ad_tickets
WHEN NEW.ticket IS NOT OLD.ticket OR NEW.player_id IS NOT OLD.player_id OR NEW.purpose IS NOT OLD.purpose OR NEW.target_id IS NOT OLD.target_id OR NEW.day IS NOT OLD.day OR NEW.opened_at IS NOT OLD.opened_at
    OR (OLD.state <> 'open') AND (NEW.settled_at IS NOT OLD.settled_at OR NEW.paid IS NOT OLD.paid)
BEGIN
    SELECT RAISE(ABORT, 'ad_tickets: what was decided does not change');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER ad_tickets_kept BEFORE DELETE ON ad_tickets
WHEN TRUE
BEGIN
    SELECT RAISE(ABORT, 'ad_tickets: rows stay');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER ad_tickets_no_replace BEFORE INSERT ON ad_tickets
WHEN EXISTS (SELECT 1 FROM ad_tickets WHERE ticket = NEW.ticket)
BEGIN
    SELECT RAISE(ABORT, 'ad_tickets: rows stay');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER bot_updates_fixed BEFORE UPDATE ON bot_updates
WHEN NEW.update_id IS NOT OLD.update_id OR NEW.chat_id IS NOT OLD.chat_id OR NEW.received_at IS NOT OLD.received_at
BEGIN
    SELECT RAISE(ABORT, 'bot_updates: what was decided does not change');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER broadcasts_fixed BEFORE UPDATE ON broadcasts
WHEN NEW.id IS NOT OLD.id OR NEW.author_id IS NOT OLD.author_id OR NEW.text IS NOT OLD.text OR NEW.source_chat_id IS NOT OLD.source_chat_id OR NEW.source_message_id IS NOT OLD.source_message_id OR NEW.drafted_at IS NOT OLD.drafted_at
    OR (OLD.started_at IS NOT NULL) AND (NEW.started_at IS NOT OLD.started_at)
BEGIN
    SELECT RAISE(ABORT, 'broadcasts: what was decided does not change');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER broadcasts_kept BEFORE DELETE ON broadcasts
WHEN OLD.state <> 'draft'
BEGIN
    SELECT RAISE(ABORT, 'broadcasts: rows stay');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER broadcasts_no_replace BEFORE INSERT ON broadcasts
WHEN EXISTS (SELECT 1 FROM broadcasts WHERE id = NEW.id)
BEGIN
    SELECT RAISE(ABORT, 'broadcasts: rows stay');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER checkins_fixed BEFORE UPDATE ON checkins
WHEN NEW.player_id IS NOT OLD.player_id OR NEW.day IS NOT OLD.day OR NEW.streak IS NOT OLD.streak OR NEW.checked_in_at IS NOT OLD.checked_in_at OR NEW.coins IS NOT OLD.coins OR NEW.points IS NOT OLD.points
    OR (OLD.doubled_at IS NOT NULL) AND (NEW.doubled_at IS NOT OLD.doubled_at)
BEGIN
    SELECT RAISE(ABORT, 'checkins: what was decided does not change');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER checkins_kept BEFORE DELETE ON checkins
WHEN TRUE
BEGIN
    SELECT RAISE(ABORT, 'checkins: rows stay');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER checkins_no_replace BEFORE INSERT ON checkins
WHEN EXISTS (SELECT 1 FROM checkins WHERE player_id = NEW.player_id AND day = NEW.day)
BEGIN
    SELECT RAISE(ABORT, 'checkins: rows stay');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER daily_totals_fixed BEFORE UPDATE ON daily_totals
WHEN NEW.day IS NOT OLD.day OR NEW.what IS NOT OLD.what
    OR (NEW.total < OLD.total) AND (NEW.total IS NOT OLD.total)
BEGIN
    SELECT RAISE(ABORT, 'daily_totals: what was decided does not change');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER daily_totals_kept BEFORE DELETE ON daily_totals
WHEN TRUE
BEGIN
    SELECT RAISE(ABORT, 'daily_totals: rows stay');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER friends_fixed BEFORE UPDATE ON friends
WHEN NEW.player_id IS NOT OLD.player_id OR NEW.inviter_id IS NOT OLD.inviter_id
    OR (OLD.qualified_at IS NOT NULL) AND (NEW.qualified_at IS NOT OLD.qualified_at)
    OR (OLD.rewarded_at IS NOT NULL) AND (NEW.rewarded_at IS NOT OLD.rewarded_at)
BEGIN
    SELECT RAISE(ABORT, 'friends: what was decided does not change');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER friends_kept BEFORE DELETE ON friends
WHEN TRUE
BEGIN
    SELECT RAISE(ABORT, 'friends: rows stay');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER friends_no_replace BEFORE INSERT ON friends
WHEN EXISTS (SELECT 1 FROM friends WHERE player_id = NEW.player_id)
BEGIN
    SELECT RAISE(ABORT, 'friends: rows stay');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER mine_levels_fixed BEFORE UPDATE ON mine_levels
WHEN NEW.tournament_id IS NOT OLD.tournament_id OR NEW.player_id IS NOT OLD.player_id OR NEW.level IS NOT OLD.level OR NEW.order_id IS NOT OLD.order_id OR NEW.payment_id IS NOT OLD.payment_id OR NEW.unlocked_at IS NOT OLD.unlocked_at
BEGIN
    SELECT RAISE(ABORT, 'mine_levels: what was decided does not change');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER mine_levels_kept BEFORE DELETE ON mine_levels
WHEN TRUE
BEGIN
    SELECT RAISE(ABORT, 'mine_levels: rows stay');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER mine_levels_no_replace BEFORE INSERT ON mine_levels
WHEN EXISTS (SELECT 1 FROM mine_levels WHERE tournament_id = NEW.tournament_id AND player_id = NEW.player_id AND level = NEW.level OR order_id = NEW.order_id OR payment_id = NEW.payment_id)
BEGIN
    SELECT RAISE(ABORT, 'mine_levels: rows stay');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER miners_fixed BEFORE UPDATE ON miners
WHEN NEW.tournament_id IS NOT OLD.tournament_id OR NEW.player_id IS NOT OLD.player_id OR NEW.first_day IS NOT OLD.first_day
    OR (OLD.paid_at IS NOT NULL) AND (NEW.place IS NOT OLD.place OR NEW.prize_ton IS NOT OLD.prize_ton OR NEW.prize_coins IS NOT OLD.prize_coins OR NEW.ore_coins IS NOT OLD.ore_coins OR NEW.paid_at IS NOT OLD.paid_at)
    OR (OLD.prized_at IS NOT NULL) AND (NEW.prized_at IS NOT OLD.prized_at)
BEGIN
    SELECT RAISE(ABORT, 'miners: what was decided does not change');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER miners_kept BEFORE DELETE ON miners
WHEN TRUE
BEGIN
    SELECT RAISE(ABORT, 'miners: rows stay');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER miners_no_replace BEFORE INSERT ON miners
WHEN EXISTS (SELECT 1 FROM miners WHERE tournament_id = NEW.tournament_id AND player_id = NEW.player_id)
BEGIN
    SELECT RAISE(ABORT, 'miners: rows stay');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER orders_fixed BEFORE UPDATE ON orders
WHEN NEW.id IS NOT OLD.id OR NEW.player_id IS NOT OLD.player_id OR NEW.kind IS NOT OLD.kind OR NEW.comment IS NOT OLD.comment OR NEW.amount IS NOT OLD.amount OR NEW.coins IS NOT OLD.coins OR NEW.ton_price IS NOT OLD.ton_price OR NEW.mcbk_price IS NOT OLD.mcbk_price OR NEW.created_at IS NOT OLD.created_at OR NEW.expires_at IS NOT OLD.expires_at OR NEW.tournament_id IS NOT OLD.tournament_id OR NEW.mine_level IS NOT OLD.mine_level
    OR (OLD.paid_at IS NOT NULL) AND (NEW.paid_at IS NOT OLD.paid_at OR NEW.tx_hash IS NOT OLD.tx_hash)
BEGIN
    SELECT RAISE(ABORT, 'orders: what was decided does not change');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER orders_kept BEFORE DELETE ON orders
WHEN TRUE
BEGIN
    SELECT RAISE(ABORT, 'orders: rows stay');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER orders_no_replace BEFORE INSERT ON orders
WHEN EXISTS (SELECT 1 FROM orders WHERE id = NEW.id OR comment = NEW.comment)
BEGIN
    SELECT RAISE(ABORT, 'orders: rows stay');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER payables_fixed BEFORE UPDATE ON payables
WHEN NEW.id IS NOT OLD.id OR NEW.player_id IS NOT OLD.player_id OR NEW.tournament_id IS NOT OLD.tournament_id OR NEW.payment_id IS NOT OLD.payment_id OR NEW.amount IS NOT OLD.amount
    OR (NOT (OLD.state = 'due' AND NEW.state = 'approved') AND NOT (NEW.state = 'due' AND NEW.address IS NULL)) AND (NEW.address IS NOT OLD.address)
    OR (OLD.state = 'cancelled') AND (NEW.reason IS NOT OLD.reason)
    OR (OLD.state = 'settled' AND NEW.state = 'settled') AND (NEW.settled_lt IS NOT OLD.settled_lt OR NEW.settled_line IS NOT OLD.settled_line OR NEW.reported_hash IS NOT OLD.reported_hash)
BEGIN
    SELECT RAISE(ABORT, 'payables: what was decided does not change');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER payables_kept BEFORE DELETE ON payables
WHEN TRUE
BEGIN
    SELECT RAISE(ABORT, 'payables: rows stay');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER payables_no_replace BEFORE INSERT ON payables
WHEN EXISTS (SELECT 1 FROM payables WHERE id = NEW.id OR payment_id = NEW.payment_id OR tournament_id = NEW.tournament_id AND player_id = NEW.player_id)
BEGIN
    SELECT RAISE(ABORT, 'payables: rows stay');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER payments_fixed BEFORE UPDATE ON payments
WHEN NEW.id IS NOT OLD.id OR NEW.lt IS NOT OLD.lt OR NEW.reason IS NOT OLD.reason OR NEW.ton_price IS NOT OLD.ton_price OR NEW.mcbk_price IS NOT OLD.mcbk_price
    OR (OLD.state <> 'held') AND (NEW.amount IS NOT OLD.amount OR NEW.order_id IS NOT OLD.order_id OR NEW.player_id IS NOT OLD.player_id OR NEW.locked IS NOT OLD.locked OR NEW.coins IS NOT OLD.coins OR NEW.settled_at IS NOT OLD.settled_at)
BEGIN
    SELECT RAISE(ABORT, 'payments: what was decided does not change');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER payments_kept BEFORE DELETE ON payments
WHEN TRUE
BEGIN
    SELECT RAISE(ABORT, 'payments: rows stay');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER payments_no_replace BEFORE INSERT ON payments
WHEN EXISTS (SELECT 1 FROM payments WHERE id = NEW.id)
BEGIN
    SELECT RAISE(ABORT, 'payments: rows stay');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER player_tasks_fixed BEFORE UPDATE ON player_tasks
WHEN NEW.id IS NOT OLD.id OR NEW.player_id IS NOT OLD.player_id OR NEW.task_id IS NOT OLD.task_id OR NEW.day IS NOT OLD.day OR NEW.opened_at IS NOT OLD.opened_at
    OR (OLD.state = 'claimed') AND (NEW.claimed_at IS NOT OLD.claimed_at)
    OR (OLD.state IN ('completed', 'claimed')) AND (NEW.progress IS NOT OLD.progress OR NEW.evidence IS NOT OLD.evidence OR NEW.completed_at IS NOT OLD.completed_at)
BEGIN
    SELECT RAISE(ABORT, 'player_tasks: what was decided does not change');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER player_tasks_kept BEFORE DELETE ON player_tasks
WHEN TRUE
BEGIN
    SELECT RAISE(ABORT, 'player_tasks: rows stay');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER player_tasks_no_replace BEFORE INSERT ON player_tasks
WHEN EXISTS (SELECT 1 FROM player_tasks WHERE id = NEW.id)
BEGIN
    SELECT RAISE(ABORT, 'player_tasks: rows stay');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER players_fixed BEFORE UPDATE ON players
WHEN NEW.id IS NOT OLD.id OR NEW.telegram_id IS NOT OLD.telegram_id OR NEW.referral_code IS NOT OLD.referral_code OR NEW.referrer_id IS NOT OLD.referrer_id OR NEW.created_at IS NOT OLD.created_at
BEGIN
    SELECT RAISE(ABORT, 'players: what was decided does not change');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER players_kept BEFORE DELETE ON players
WHEN TRUE
BEGIN
    SELECT RAISE(ABORT, 'players: rows stay');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER players_no_replace BEFORE INSERT ON players
WHEN EXISTS (SELECT 1 FROM players WHERE id = NEW.id)
BEGIN
    SELECT RAISE(ABORT, 'players: rows stay');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER predictions_fixed BEFORE UPDATE ON predictions
WHEN NEW.id IS NOT OLD.id OR NEW.player_id IS NOT OLD.player_id OR NEW.day IS NOT OLD.day OR NEW.text_number IS NOT OLD.text_number OR NEW.points IS NOT OLD.points OR NEW.offered_at IS NOT OLD.offered_at
    OR (OLD.settled_at IS NOT NULL) AND (NEW.settled_at IS NOT OLD.settled_at)
BEGIN
    SELECT RAISE(ABORT, 'predictions: what was decided does not change');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER predictions_kept BEFORE DELETE ON predictions
WHEN TRUE
BEGIN
    SELECT RAISE(ABORT, 'predictions: rows stay');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER predictions_no_replace BEFORE INSERT ON predictions
WHEN EXISTS (SELECT 1 FROM predictions WHERE id = NEW.id)
BEGIN
    SELECT RAISE(ABORT, 'predictions: rows stay');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER settings_fixed BEFORE UPDATE ON settings
WHEN NEW.key IS NOT OLD.key
    OR (OLD.key IN ('treasury', 'old_wallet_proofs')) AND (NEW.value IS NOT OLD.value)
BEGIN
    SELECT RAISE(ABORT, 'settings: what was decided does not change');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER settings_kept BEFORE DELETE ON settings
WHEN TRUE
BEGIN
    SELECT RAISE(ABORT, 'settings: rows stay');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER spins_fixed BEFORE UPDATE ON spins
WHEN NEW.id IS NOT OLD.id OR NEW.player_id IS NOT OLD.player_id OR NEW.seed_id IS NOT OLD.seed_id OR NEW.nonce IS NOT OLD.nonce OR NEW.odds_version IS NOT OLD.odds_version OR NEW.segment IS NOT OLD.segment OR NEW.chest IS NOT OLD.chest OR NEW.golden IS NOT OLD.golden OR NEW.streak_end IS NOT OLD.streak_end OR NEW.spun_at IS NOT OLD.spun_at
    OR (OLD.settled_at IS NOT NULL) AND (NEW.settled_at IS NOT OLD.settled_at)
BEGIN
    SELECT RAISE(ABORT, 'spins: what was decided does not change');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER spins_kept BEFORE DELETE ON spins
WHEN TRUE
BEGIN
    SELECT RAISE(ABORT, 'spins: rows stay');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER spins_no_replace BEFORE INSERT ON spins
WHEN EXISTS (SELECT 1 FROM spins WHERE id = NEW.id OR seed_id = NEW.seed_id AND nonce = NEW.nonce)
BEGIN
    SELECT RAISE(ABORT, 'spins: rows stay');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER tasks_fixed BEFORE UPDATE ON tasks
WHEN NEW.id IS NOT OLD.id OR NEW.action IS NOT OLD.action OR NEW.day IS NOT OLD.day OR NEW.target IS NOT OLD.target OR NEW.reward_coins IS NOT OLD.reward_coins OR NEW.reward_points IS NOT OLD.reward_points OR NEW.url IS NOT OLD.url OR NEW.title_en IS NOT OLD.title_en OR NEW.title_ru IS NOT OLD.title_ru OR NEW.created_at IS NOT OLD.created_at
    OR (OLD.retired_at IS NOT NULL) AND (NEW.retired_at IS NOT OLD.retired_at)
BEGIN
    SELECT RAISE(ABORT, 'tasks: what was decided does not change');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER tasks_kept BEFORE DELETE ON tasks
WHEN TRUE
BEGIN
    SELECT RAISE(ABORT, 'tasks: rows stay');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER tasks_no_replace BEFORE INSERT ON tasks
WHEN EXISTS (SELECT 1 FROM tasks WHERE id = NEW.id)
BEGIN
    SELECT RAISE(ABORT, 'tasks: rows stay');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER ton_prices_fixed BEFORE UPDATE ON ton_prices
WHEN NEW.read_at IS NOT OLD.read_at OR NEW.price IS NOT OLD.price OR NEW.doubtful IS NOT OLD.doubtful
BEGIN
    SELECT RAISE(ABORT, 'ton_prices: what was decided does not change');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER ton_prices_kept BEFORE DELETE ON ton_prices
WHEN TRUE
BEGIN
    SELECT RAISE(ABORT, 'ton_prices: rows stay');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER tournaments_fixed BEFORE UPDATE ON tournaments
WHEN NEW.id IS NOT OLD.id OR NEW.starts_at IS NOT OLD.starts_at OR NEW.ends_at IS NOT OLD.ends_at
    OR (OLD.state = 'awarded') AND (NEW.awarded_at IS NOT OLD.awarded_at)
    OR (OLD.state IN ('closed', 'final', 'awarded')) AND (NEW.least_prize_ore IS NOT OLD.least_prize_ore)
    OR (OLD.state IN ('final', 'awarded')) AND (NEW.final_at IS NOT OLD.final_at)
BEGIN
    SELECT RAISE(ABORT, 'tournaments: what was decided does not change');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER tournaments_kept BEFORE DELETE ON tournaments
WHEN EXISTS (SELECT 1 FROM players)
BEGIN
    SELECT RAISE(ABORT, 'tournaments: rows stay');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER tournaments_no_replace BEFORE INSERT ON tournaments
WHEN EXISTS (SELECT 1 FROM tournaments WHERE id = NEW.id)
BEGIN
    SELECT RAISE(ABORT, 'tournaments: rows stay');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER treasury_fixed BEFORE UPDATE ON treasury
WHEN NEW.id IS NOT OLD.id OR NEW.network IS NOT OLD.network OR NEW.address IS NOT OLD.address OR NEW.since_lt IS NOT OLD.since_lt OR NEW.since_hash IS NOT OLD.since_hash
BEGIN
    SELECT RAISE(ABORT, 'treasury: what was decided does not change');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER treasury_kept BEFORE DELETE ON treasury
WHEN TRUE
BEGIN
    SELECT RAISE(ABORT, 'treasury: rows stay');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER treasury_transactions_fixed BEFORE UPDATE ON treasury_transactions
WHEN NEW.lt IS NOT OLD.lt OR NEW.hash IS NOT OLD.hash OR NEW.prev_lt IS NOT OLD.prev_lt OR NEW.prev_hash IS NOT OLD.prev_hash OR NEW.happened_at IS NOT OLD.happened_at OR NEW.kind IS NOT OLD.kind OR NEW.source IS NOT OLD.source OR NEW.amount IS NOT OLD.amount OR NEW.comment IS NOT OLD.comment OR NEW.comment_kind IS NOT OLD.comment_kind OR NEW.boc IS NOT OLD.boc OR NEW.seen_at IS NOT OLD.seen_at OR NEW.shown_by IS NOT OLD.shown_by
BEGIN
    SELECT RAISE(ABORT, 'treasury_transactions: what was decided does not change');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER treasury_transactions_kept BEFORE DELETE ON treasury_transactions
WHEN TRUE
BEGIN
    SELECT RAISE(ABORT, 'treasury_transactions: rows stay');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER treasury_transactions_no_replace BEFORE INSERT ON treasury_transactions
WHEN EXISTS (SELECT 1 FROM treasury_transactions WHERE lt = NEW.lt OR hash = NEW.hash)
BEGIN
    SELECT RAISE(ABORT, 'treasury_transactions: rows stay');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER treasury_transfers_fixed BEFORE UPDATE ON treasury_transfers
WHEN NEW.lt IS NOT OLD.lt OR NEW.line IS NOT OLD.line OR NEW.destination IS NOT OLD.destination OR NEW.amount IS NOT OLD.amount OR NEW.comment IS NOT OLD.comment
    OR (OLD.returned_lt IS NOT NULL) AND (NEW.returned_lt IS NOT OLD.returned_lt)
BEGIN
    SELECT RAISE(ABORT, 'treasury_transfers: what was decided does not change');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER treasury_transfers_kept BEFORE DELETE ON treasury_transfers
WHEN TRUE
BEGIN
    SELECT RAISE(ABORT, 'treasury_transfers: rows stay');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER treasury_transfers_no_replace BEFORE INSERT ON treasury_transfers
WHEN EXISTS (SELECT 1 FROM treasury_transfers WHERE lt = NEW.lt AND line = NEW.line)
BEGIN
    SELECT RAISE(ABORT, 'treasury_transfers: rows stay');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER wallet_nonces_fixed BEFORE UPDATE ON wallet_nonces
WHEN NEW.id IS NOT OLD.id OR NEW.player_id IS NOT OLD.player_id OR NEW.nonce_hash IS NOT OLD.nonce_hash OR NEW.made_at IS NOT OLD.made_at OR NEW.expires_at IS NOT OLD.expires_at
    OR (OLD.state <> 'open') AND (NEW.used_at IS NOT OLD.used_at)
    OR (OLD.state <> 'open' AND NEW.wallet <> '') AND (NEW.wallet IS NOT OLD.wallet OR NEW.proof IS NOT OLD.proof)
BEGIN
    SELECT RAISE(ABORT, 'wallet_nonces: what was decided does not change');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER wallet_nonces_no_replace BEFORE INSERT ON wallet_nonces
WHEN EXISTS (SELECT 1 FROM wallet_nonces WHERE id = NEW.id OR nonce_hash = NEW.nonce_hash)
BEGIN
    SELECT RAISE(ABORT, 'wallet_nonces: rows stay');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER wheel_seeds_fixed BEFORE UPDATE ON wheel_seeds
WHEN NEW.id IS NOT OLD.id OR NEW.player_id IS NOT OLD.player_id OR NEW.seed IS NOT OLD.seed
    OR (OLD.state <> 'next') AND (NEW.client_seed IS NOT OLD.client_seed OR NEW.begun_day IS NOT OLD.begun_day)
    OR (OLD.state = 'retired') AND (NEW.retired_at IS NOT OLD.retired_at)
BEGIN
    SELECT RAISE(ABORT, 'wheel_seeds: what was decided does not change');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER wheel_seeds_kept BEFORE DELETE ON wheel_seeds
WHEN TRUE
BEGIN
    SELECT RAISE(ABORT, 'wheel_seeds: rows stay');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER wheel_seeds_no_replace BEFORE INSERT ON wheel_seeds
WHEN EXISTS (SELECT 1 FROM wheel_seeds WHERE id = NEW.id)
BEGIN
    SELECT RAISE(ABORT, 'wheel_seeds: rows stay');
END;
-- +goose StatementEnd
