-- +goose NO TRANSACTION
-- +goose Up
-- Cut short, it is done again.
DROP TRIGGER IF EXISTS wallet_nonces_fixed ON wallet_nonces;
DROP TRIGGER IF EXISTS settings_fixed ON settings;

-- What a wallet signed, as JSON. Empty for those that were proven before it was stored; how many these are is a setting.
ALTER TABLE wallet_nonces ADD COLUMN IF NOT EXISTS proof TEXT;

UPDATE wallet_nonces SET proof = '' WHERE state = 'used' AND proof IS NULL;

-- Players erased before this version left their wallets here.
UPDATE wallet_nonces SET wallet = '' WHERE state = 'used' AND player_id IN (SELECT id FROM players WHERE erased_at IS NOT NULL);

INSERT INTO settings (key, value, updated_at)
SELECT 'old_wallet_proofs', CAST(COUNT(*) AS TEXT), CURRENT_TIMESTAMP FROM wallet_nonces WHERE proof = ''
ON CONFLICT (key) DO UPDATE SET value = excluded.value;

-- A checkpoint also seals what admins did: the rows of the audit up to this one, and how many. 0 as an older program writes it.
ALTER TABLE ledger_checkpoints ADD COLUMN IF NOT EXISTS last_action_id BIGINT NOT NULL DEFAULT 0;
ALTER TABLE ledger_checkpoints ADD COLUMN IF NOT EXISTS actions BIGINT NOT NULL DEFAULT 0;

-- Columns of money and identity do not change once they were decided, and their rows stay: generated from models/columns_test.go.
-- Table by table, and after the row, as 0027 has it.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION change_is_refused() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '%: %', TG_TABLE_NAME, TG_ARGV[0];
END
$$;
-- +goose StatementEnd

-- Day 1 and the first tournament may move until somebody plays.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION change_after_start_is_refused() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM players) THEN
        RAISE EXCEPTION '%: somebody plays', TG_TABLE_NAME;
    END IF;
    RETURN NULL;
END
$$;
-- +goose StatementEnd

CREATE OR REPLACE TRIGGER settings_start_fixed AFTER UPDATE OF value ON settings FOR EACH ROW
WHEN (OLD.key = 'project_start' AND NEW.value IS DISTINCT FROM OLD.value)
EXECUTE FUNCTION change_after_start_is_refused();

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER ad_tickets_fixed AFTER UPDATE OF ticket, player_id, purpose, target_id, day, opened_at, settled_at, paid ON ad_tickets FOR EACH ROW
WHEN (NEW.ticket IS DISTINCT FROM OLD.ticket OR NEW.player_id IS DISTINCT FROM OLD.player_id OR NEW.purpose IS DISTINCT FROM OLD.purpose OR NEW.target_id IS DISTINCT FROM OLD.target_id OR NEW.day IS DISTINCT FROM OLD.day OR NEW.opened_at IS DISTINCT FROM OLD.opened_at
    OR (OLD.state <> 'open') AND (NEW.settled_at IS DISTINCT FROM OLD.settled_at OR NEW.paid IS DISTINCT FROM OLD.paid))
EXECUTE FUNCTION change_is_refused('what was decided does not change');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER ad_tickets_kept AFTER DELETE ON ad_tickets FOR EACH ROW
WHEN (TRUE)
EXECUTE FUNCTION change_is_refused('rows stay');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER ad_tickets_not_emptied BEFORE TRUNCATE ON ad_tickets FOR EACH STATEMENT
EXECUTE FUNCTION change_is_refused('rows stay');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER bot_updates_fixed AFTER UPDATE OF update_id, chat_id, received_at ON bot_updates FOR EACH ROW
WHEN (NEW.update_id IS DISTINCT FROM OLD.update_id OR NEW.chat_id IS DISTINCT FROM OLD.chat_id OR NEW.received_at IS DISTINCT FROM OLD.received_at)
EXECUTE FUNCTION change_is_refused('what was decided does not change');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER broadcasts_fixed AFTER UPDATE OF id, author_id, text, source_chat_id, source_message_id, drafted_at, started_at ON broadcasts FOR EACH ROW
WHEN (NEW.id IS DISTINCT FROM OLD.id OR NEW.author_id IS DISTINCT FROM OLD.author_id OR NEW.text IS DISTINCT FROM OLD.text OR NEW.source_chat_id IS DISTINCT FROM OLD.source_chat_id OR NEW.source_message_id IS DISTINCT FROM OLD.source_message_id OR NEW.drafted_at IS DISTINCT FROM OLD.drafted_at
    OR (OLD.started_at IS NOT NULL) AND (NEW.started_at IS DISTINCT FROM OLD.started_at))
EXECUTE FUNCTION change_is_refused('what was decided does not change');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER broadcasts_kept AFTER DELETE ON broadcasts FOR EACH ROW
WHEN (OLD.state <> 'draft')
EXECUTE FUNCTION change_is_refused('rows stay');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER broadcasts_not_emptied BEFORE TRUNCATE ON broadcasts FOR EACH STATEMENT
EXECUTE FUNCTION change_is_refused('rows stay');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER checkins_fixed AFTER UPDATE OF player_id, day, streak, checked_in_at, coins, points, doubled_at ON checkins FOR EACH ROW
WHEN (NEW.player_id IS DISTINCT FROM OLD.player_id OR NEW.day IS DISTINCT FROM OLD.day OR NEW.streak IS DISTINCT FROM OLD.streak OR NEW.checked_in_at IS DISTINCT FROM OLD.checked_in_at OR NEW.coins IS DISTINCT FROM OLD.coins OR NEW.points IS DISTINCT FROM OLD.points
    OR (OLD.doubled_at IS NOT NULL) AND (NEW.doubled_at IS DISTINCT FROM OLD.doubled_at))
EXECUTE FUNCTION change_is_refused('what was decided does not change');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER checkins_kept AFTER DELETE ON checkins FOR EACH ROW
WHEN (TRUE)
EXECUTE FUNCTION change_is_refused('rows stay');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER checkins_not_emptied BEFORE TRUNCATE ON checkins FOR EACH STATEMENT
EXECUTE FUNCTION change_is_refused('rows stay');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER daily_totals_fixed AFTER UPDATE OF day, what, total ON daily_totals FOR EACH ROW
WHEN (NEW.day IS DISTINCT FROM OLD.day OR NEW.what IS DISTINCT FROM OLD.what
    OR (NEW.total < OLD.total) AND (NEW.total IS DISTINCT FROM OLD.total))
EXECUTE FUNCTION change_is_refused('what was decided does not change');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER daily_totals_kept AFTER DELETE ON daily_totals FOR EACH ROW
WHEN (TRUE)
EXECUTE FUNCTION change_is_refused('rows stay');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER daily_totals_not_emptied BEFORE TRUNCATE ON daily_totals FOR EACH STATEMENT
EXECUTE FUNCTION change_is_refused('rows stay');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER friends_fixed AFTER UPDATE OF player_id, inviter_id, qualified_at, rewarded_at ON friends FOR EACH ROW
WHEN (NEW.player_id IS DISTINCT FROM OLD.player_id OR NEW.inviter_id IS DISTINCT FROM OLD.inviter_id
    OR (OLD.qualified_at IS NOT NULL) AND (NEW.qualified_at IS DISTINCT FROM OLD.qualified_at)
    OR (OLD.rewarded_at IS NOT NULL) AND (NEW.rewarded_at IS DISTINCT FROM OLD.rewarded_at))
EXECUTE FUNCTION change_is_refused('what was decided does not change');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER friends_kept AFTER DELETE ON friends FOR EACH ROW
WHEN (TRUE)
EXECUTE FUNCTION change_is_refused('rows stay');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER friends_not_emptied BEFORE TRUNCATE ON friends FOR EACH STATEMENT
EXECUTE FUNCTION change_is_refused('rows stay');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER mine_levels_fixed AFTER UPDATE OF tournament_id, player_id, level, order_id, payment_id, unlocked_at ON mine_levels FOR EACH ROW
WHEN (NEW.tournament_id IS DISTINCT FROM OLD.tournament_id OR NEW.player_id IS DISTINCT FROM OLD.player_id OR NEW.level IS DISTINCT FROM OLD.level OR NEW.order_id IS DISTINCT FROM OLD.order_id OR NEW.payment_id IS DISTINCT FROM OLD.payment_id OR NEW.unlocked_at IS DISTINCT FROM OLD.unlocked_at)
EXECUTE FUNCTION change_is_refused('what was decided does not change');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER mine_levels_kept AFTER DELETE ON mine_levels FOR EACH ROW
WHEN (TRUE)
EXECUTE FUNCTION change_is_refused('rows stay');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER mine_levels_not_emptied BEFORE TRUNCATE ON mine_levels FOR EACH STATEMENT
EXECUTE FUNCTION change_is_refused('rows stay');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER miners_fixed AFTER UPDATE OF tournament_id, player_id, first_day, place, prize_ton, prize_coins, ore_coins, paid_at, prized_at ON miners FOR EACH ROW
WHEN (NEW.tournament_id IS DISTINCT FROM OLD.tournament_id OR NEW.player_id IS DISTINCT FROM OLD.player_id OR NEW.first_day IS DISTINCT FROM OLD.first_day
    OR (OLD.paid_at IS NOT NULL) AND (NEW.place IS DISTINCT FROM OLD.place OR NEW.prize_ton IS DISTINCT FROM OLD.prize_ton OR NEW.prize_coins IS DISTINCT FROM OLD.prize_coins OR NEW.ore_coins IS DISTINCT FROM OLD.ore_coins OR NEW.paid_at IS DISTINCT FROM OLD.paid_at)
    OR (OLD.prized_at IS NOT NULL) AND (NEW.prized_at IS DISTINCT FROM OLD.prized_at))
EXECUTE FUNCTION change_is_refused('what was decided does not change');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER miners_kept AFTER DELETE ON miners FOR EACH ROW
WHEN (TRUE)
EXECUTE FUNCTION change_is_refused('rows stay');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER miners_not_emptied BEFORE TRUNCATE ON miners FOR EACH STATEMENT
EXECUTE FUNCTION change_is_refused('rows stay');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER orders_fixed AFTER UPDATE OF id, player_id, kind, comment, amount, coins, ton_price, mcbk_price, created_at, expires_at, tournament_id, mine_level, paid_at, tx_hash ON orders FOR EACH ROW
WHEN (NEW.id IS DISTINCT FROM OLD.id OR NEW.player_id IS DISTINCT FROM OLD.player_id OR NEW.kind IS DISTINCT FROM OLD.kind OR NEW.comment IS DISTINCT FROM OLD.comment OR NEW.amount IS DISTINCT FROM OLD.amount OR NEW.coins IS DISTINCT FROM OLD.coins OR NEW.ton_price IS DISTINCT FROM OLD.ton_price OR NEW.mcbk_price IS DISTINCT FROM OLD.mcbk_price OR NEW.created_at IS DISTINCT FROM OLD.created_at OR NEW.expires_at IS DISTINCT FROM OLD.expires_at OR NEW.tournament_id IS DISTINCT FROM OLD.tournament_id OR NEW.mine_level IS DISTINCT FROM OLD.mine_level
    OR (OLD.paid_at IS NOT NULL) AND (NEW.paid_at IS DISTINCT FROM OLD.paid_at OR NEW.tx_hash IS DISTINCT FROM OLD.tx_hash))
EXECUTE FUNCTION change_is_refused('what was decided does not change');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER orders_kept AFTER DELETE ON orders FOR EACH ROW
WHEN (TRUE)
EXECUTE FUNCTION change_is_refused('rows stay');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER orders_not_emptied BEFORE TRUNCATE ON orders FOR EACH STATEMENT
EXECUTE FUNCTION change_is_refused('rows stay');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER payables_fixed AFTER UPDATE OF id, player_id, tournament_id, payment_id, amount, address, reason, settled_lt, settled_line, reported_hash ON payables FOR EACH ROW
WHEN (NEW.id IS DISTINCT FROM OLD.id OR NEW.player_id IS DISTINCT FROM OLD.player_id OR NEW.tournament_id IS DISTINCT FROM OLD.tournament_id OR NEW.payment_id IS DISTINCT FROM OLD.payment_id OR NEW.amount IS DISTINCT FROM OLD.amount
    OR (NOT (OLD.state = 'due' AND NEW.state = 'approved') AND NOT (NEW.state = 'due' AND NEW.address IS NULL)) AND (NEW.address IS DISTINCT FROM OLD.address)
    OR (OLD.state = 'cancelled') AND (NEW.reason IS DISTINCT FROM OLD.reason)
    OR (OLD.state = 'settled' AND NEW.state = 'settled') AND (NEW.settled_lt IS DISTINCT FROM OLD.settled_lt OR NEW.settled_line IS DISTINCT FROM OLD.settled_line OR NEW.reported_hash IS DISTINCT FROM OLD.reported_hash))
EXECUTE FUNCTION change_is_refused('what was decided does not change');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER payables_kept AFTER DELETE ON payables FOR EACH ROW
WHEN (TRUE)
EXECUTE FUNCTION change_is_refused('rows stay');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER payables_not_emptied BEFORE TRUNCATE ON payables FOR EACH STATEMENT
EXECUTE FUNCTION change_is_refused('rows stay');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER payments_fixed AFTER UPDATE OF id, lt, reason, ton_price, mcbk_price, amount, order_id, player_id, locked, coins, settled_at ON payments FOR EACH ROW
WHEN (NEW.id IS DISTINCT FROM OLD.id OR NEW.lt IS DISTINCT FROM OLD.lt OR NEW.reason IS DISTINCT FROM OLD.reason OR NEW.ton_price IS DISTINCT FROM OLD.ton_price OR NEW.mcbk_price IS DISTINCT FROM OLD.mcbk_price
    OR (OLD.state <> 'held') AND (NEW.amount IS DISTINCT FROM OLD.amount OR NEW.order_id IS DISTINCT FROM OLD.order_id OR NEW.player_id IS DISTINCT FROM OLD.player_id OR NEW.locked IS DISTINCT FROM OLD.locked OR NEW.coins IS DISTINCT FROM OLD.coins OR NEW.settled_at IS DISTINCT FROM OLD.settled_at))
EXECUTE FUNCTION change_is_refused('what was decided does not change');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER payments_kept AFTER DELETE ON payments FOR EACH ROW
WHEN (TRUE)
EXECUTE FUNCTION change_is_refused('rows stay');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER payments_not_emptied BEFORE TRUNCATE ON payments FOR EACH STATEMENT
EXECUTE FUNCTION change_is_refused('rows stay');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER player_tasks_fixed AFTER UPDATE OF id, player_id, task_id, day, opened_at, claimed_at, progress, evidence, completed_at ON player_tasks FOR EACH ROW
WHEN (NEW.id IS DISTINCT FROM OLD.id OR NEW.player_id IS DISTINCT FROM OLD.player_id OR NEW.task_id IS DISTINCT FROM OLD.task_id OR NEW.day IS DISTINCT FROM OLD.day OR NEW.opened_at IS DISTINCT FROM OLD.opened_at
    OR (OLD.state = 'claimed') AND (NEW.claimed_at IS DISTINCT FROM OLD.claimed_at)
    OR (OLD.state IN ('completed', 'claimed')) AND (NEW.progress IS DISTINCT FROM OLD.progress OR NEW.evidence IS DISTINCT FROM OLD.evidence OR NEW.completed_at IS DISTINCT FROM OLD.completed_at))
EXECUTE FUNCTION change_is_refused('what was decided does not change');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER player_tasks_kept AFTER DELETE ON player_tasks FOR EACH ROW
WHEN (TRUE)
EXECUTE FUNCTION change_is_refused('rows stay');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER player_tasks_not_emptied BEFORE TRUNCATE ON player_tasks FOR EACH STATEMENT
EXECUTE FUNCTION change_is_refused('rows stay');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER players_fixed AFTER UPDATE OF id, telegram_id, referral_code, referrer_id, created_at ON players FOR EACH ROW
WHEN (NEW.id IS DISTINCT FROM OLD.id OR NEW.telegram_id IS DISTINCT FROM OLD.telegram_id OR NEW.referral_code IS DISTINCT FROM OLD.referral_code OR NEW.referrer_id IS DISTINCT FROM OLD.referrer_id OR NEW.created_at IS DISTINCT FROM OLD.created_at)
EXECUTE FUNCTION change_is_refused('what was decided does not change');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER players_kept AFTER DELETE ON players FOR EACH ROW
WHEN (TRUE)
EXECUTE FUNCTION change_is_refused('rows stay');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER players_not_emptied BEFORE TRUNCATE ON players FOR EACH STATEMENT
EXECUTE FUNCTION change_is_refused('rows stay');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER predictions_fixed AFTER UPDATE OF id, player_id, day, text_number, points, offered_at, settled_at ON predictions FOR EACH ROW
WHEN (NEW.id IS DISTINCT FROM OLD.id OR NEW.player_id IS DISTINCT FROM OLD.player_id OR NEW.day IS DISTINCT FROM OLD.day OR NEW.text_number IS DISTINCT FROM OLD.text_number OR NEW.points IS DISTINCT FROM OLD.points OR NEW.offered_at IS DISTINCT FROM OLD.offered_at
    OR (OLD.settled_at IS NOT NULL) AND (NEW.settled_at IS DISTINCT FROM OLD.settled_at))
EXECUTE FUNCTION change_is_refused('what was decided does not change');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER predictions_kept AFTER DELETE ON predictions FOR EACH ROW
WHEN (TRUE)
EXECUTE FUNCTION change_is_refused('rows stay');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER predictions_not_emptied BEFORE TRUNCATE ON predictions FOR EACH STATEMENT
EXECUTE FUNCTION change_is_refused('rows stay');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER settings_fixed AFTER UPDATE OF key, value ON settings FOR EACH ROW
WHEN (NEW.key IS DISTINCT FROM OLD.key
    OR (OLD.key IN ('treasury', 'old_wallet_proofs')) AND (NEW.value IS DISTINCT FROM OLD.value))
EXECUTE FUNCTION change_is_refused('what was decided does not change');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER settings_kept AFTER DELETE ON settings FOR EACH ROW
WHEN (TRUE)
EXECUTE FUNCTION change_is_refused('rows stay');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER settings_not_emptied BEFORE TRUNCATE ON settings FOR EACH STATEMENT
EXECUTE FUNCTION change_is_refused('rows stay');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER spins_fixed AFTER UPDATE OF id, player_id, seed_id, nonce, odds_version, segment, chest, golden, streak_end, spun_at, settled_at ON spins FOR EACH ROW
WHEN (NEW.id IS DISTINCT FROM OLD.id OR NEW.player_id IS DISTINCT FROM OLD.player_id OR NEW.seed_id IS DISTINCT FROM OLD.seed_id OR NEW.nonce IS DISTINCT FROM OLD.nonce OR NEW.odds_version IS DISTINCT FROM OLD.odds_version OR NEW.segment IS DISTINCT FROM OLD.segment OR NEW.chest IS DISTINCT FROM OLD.chest OR NEW.golden IS DISTINCT FROM OLD.golden OR NEW.streak_end IS DISTINCT FROM OLD.streak_end OR NEW.spun_at IS DISTINCT FROM OLD.spun_at
    OR (OLD.settled_at IS NOT NULL) AND (NEW.settled_at IS DISTINCT FROM OLD.settled_at))
EXECUTE FUNCTION change_is_refused('what was decided does not change');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER spins_kept AFTER DELETE ON spins FOR EACH ROW
WHEN (TRUE)
EXECUTE FUNCTION change_is_refused('rows stay');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER spins_not_emptied BEFORE TRUNCATE ON spins FOR EACH STATEMENT
EXECUTE FUNCTION change_is_refused('rows stay');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER tasks_fixed AFTER UPDATE OF id, action, day, target, reward_coins, reward_points, url, title_en, title_ru, created_at, retired_at ON tasks FOR EACH ROW
WHEN (NEW.id IS DISTINCT FROM OLD.id OR NEW.action IS DISTINCT FROM OLD.action OR NEW.day IS DISTINCT FROM OLD.day OR NEW.target IS DISTINCT FROM OLD.target OR NEW.reward_coins IS DISTINCT FROM OLD.reward_coins OR NEW.reward_points IS DISTINCT FROM OLD.reward_points OR NEW.url IS DISTINCT FROM OLD.url OR NEW.title_en IS DISTINCT FROM OLD.title_en OR NEW.title_ru IS DISTINCT FROM OLD.title_ru OR NEW.created_at IS DISTINCT FROM OLD.created_at
    OR (OLD.retired_at IS NOT NULL) AND (NEW.retired_at IS DISTINCT FROM OLD.retired_at))
EXECUTE FUNCTION change_is_refused('what was decided does not change');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER tasks_kept AFTER DELETE ON tasks FOR EACH ROW
WHEN (TRUE)
EXECUTE FUNCTION change_is_refused('rows stay');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER tasks_not_emptied BEFORE TRUNCATE ON tasks FOR EACH STATEMENT
EXECUTE FUNCTION change_is_refused('rows stay');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER ton_prices_fixed AFTER UPDATE OF read_at, price, doubtful ON ton_prices FOR EACH ROW
WHEN (NEW.read_at IS DISTINCT FROM OLD.read_at OR NEW.price IS DISTINCT FROM OLD.price OR NEW.doubtful IS DISTINCT FROM OLD.doubtful)
EXECUTE FUNCTION change_is_refused('what was decided does not change');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER ton_prices_kept AFTER DELETE ON ton_prices FOR EACH ROW
WHEN (TRUE)
EXECUTE FUNCTION change_is_refused('rows stay');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER ton_prices_not_emptied BEFORE TRUNCATE ON ton_prices FOR EACH STATEMENT
EXECUTE FUNCTION change_is_refused('rows stay');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER tournaments_fixed AFTER UPDATE OF id, starts_at, ends_at, awarded_at, least_prize_ore, final_at ON tournaments FOR EACH ROW
WHEN (NEW.id IS DISTINCT FROM OLD.id OR NEW.starts_at IS DISTINCT FROM OLD.starts_at OR NEW.ends_at IS DISTINCT FROM OLD.ends_at
    OR (OLD.state = 'awarded') AND (NEW.awarded_at IS DISTINCT FROM OLD.awarded_at)
    OR (OLD.state IN ('closed', 'final', 'awarded')) AND (NEW.least_prize_ore IS DISTINCT FROM OLD.least_prize_ore)
    OR (OLD.state IN ('final', 'awarded')) AND (NEW.final_at IS DISTINCT FROM OLD.final_at))
EXECUTE FUNCTION change_is_refused('what was decided does not change');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER tournaments_kept AFTER DELETE ON tournaments FOR EACH ROW
EXECUTE FUNCTION change_after_start_is_refused();
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER tournaments_not_emptied BEFORE TRUNCATE ON tournaments FOR EACH STATEMENT
EXECUTE FUNCTION change_is_refused('rows stay');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER treasury_fixed AFTER UPDATE OF id, network, address, since_lt, since_hash ON treasury FOR EACH ROW
WHEN (NEW.id IS DISTINCT FROM OLD.id OR NEW.network IS DISTINCT FROM OLD.network OR NEW.address IS DISTINCT FROM OLD.address OR NEW.since_lt IS DISTINCT FROM OLD.since_lt OR NEW.since_hash IS DISTINCT FROM OLD.since_hash)
EXECUTE FUNCTION change_is_refused('what was decided does not change');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER treasury_kept AFTER DELETE ON treasury FOR EACH ROW
WHEN (TRUE)
EXECUTE FUNCTION change_is_refused('rows stay');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER treasury_not_emptied BEFORE TRUNCATE ON treasury FOR EACH STATEMENT
EXECUTE FUNCTION change_is_refused('rows stay');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER treasury_transactions_fixed AFTER UPDATE OF lt, hash, prev_lt, prev_hash, happened_at, kind, source, amount, comment, comment_kind, boc, seen_at, shown_by ON treasury_transactions FOR EACH ROW
WHEN (NEW.lt IS DISTINCT FROM OLD.lt OR NEW.hash IS DISTINCT FROM OLD.hash OR NEW.prev_lt IS DISTINCT FROM OLD.prev_lt OR NEW.prev_hash IS DISTINCT FROM OLD.prev_hash OR NEW.happened_at IS DISTINCT FROM OLD.happened_at OR NEW.kind IS DISTINCT FROM OLD.kind OR NEW.source IS DISTINCT FROM OLD.source OR NEW.amount IS DISTINCT FROM OLD.amount OR NEW.comment IS DISTINCT FROM OLD.comment OR NEW.comment_kind IS DISTINCT FROM OLD.comment_kind OR NEW.boc IS DISTINCT FROM OLD.boc OR NEW.seen_at IS DISTINCT FROM OLD.seen_at OR NEW.shown_by IS DISTINCT FROM OLD.shown_by)
EXECUTE FUNCTION change_is_refused('what was decided does not change');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER treasury_transactions_kept AFTER DELETE ON treasury_transactions FOR EACH ROW
WHEN (TRUE)
EXECUTE FUNCTION change_is_refused('rows stay');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER treasury_transactions_not_emptied BEFORE TRUNCATE ON treasury_transactions FOR EACH STATEMENT
EXECUTE FUNCTION change_is_refused('rows stay');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER treasury_transfers_fixed AFTER UPDATE OF lt, line, destination, amount, comment, returned_lt ON treasury_transfers FOR EACH ROW
WHEN (NEW.lt IS DISTINCT FROM OLD.lt OR NEW.line IS DISTINCT FROM OLD.line OR NEW.destination IS DISTINCT FROM OLD.destination OR NEW.amount IS DISTINCT FROM OLD.amount OR NEW.comment IS DISTINCT FROM OLD.comment
    OR (OLD.returned_lt IS NOT NULL) AND (NEW.returned_lt IS DISTINCT FROM OLD.returned_lt))
EXECUTE FUNCTION change_is_refused('what was decided does not change');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER treasury_transfers_kept AFTER DELETE ON treasury_transfers FOR EACH ROW
WHEN (TRUE)
EXECUTE FUNCTION change_is_refused('rows stay');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER treasury_transfers_not_emptied BEFORE TRUNCATE ON treasury_transfers FOR EACH STATEMENT
EXECUTE FUNCTION change_is_refused('rows stay');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER wallet_nonces_fixed AFTER UPDATE OF id, player_id, nonce_hash, made_at, expires_at, used_at, wallet, proof ON wallet_nonces FOR EACH ROW
WHEN (NEW.id IS DISTINCT FROM OLD.id OR NEW.player_id IS DISTINCT FROM OLD.player_id OR NEW.nonce_hash IS DISTINCT FROM OLD.nonce_hash OR NEW.made_at IS DISTINCT FROM OLD.made_at OR NEW.expires_at IS DISTINCT FROM OLD.expires_at
    OR (OLD.state <> 'open') AND (NEW.used_at IS DISTINCT FROM OLD.used_at)
    OR (OLD.state <> 'open' AND NEW.wallet <> '') AND (NEW.wallet IS DISTINCT FROM OLD.wallet OR NEW.proof IS DISTINCT FROM OLD.proof))
EXECUTE FUNCTION change_is_refused('what was decided does not change');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER wheel_seeds_fixed AFTER UPDATE OF id, player_id, seed, client_seed, begun_day, retired_at ON wheel_seeds FOR EACH ROW
WHEN (NEW.id IS DISTINCT FROM OLD.id OR NEW.player_id IS DISTINCT FROM OLD.player_id OR NEW.seed IS DISTINCT FROM OLD.seed
    OR (OLD.state <> 'next') AND (NEW.client_seed IS DISTINCT FROM OLD.client_seed OR NEW.begun_day IS DISTINCT FROM OLD.begun_day)
    OR (OLD.state = 'retired') AND (NEW.retired_at IS DISTINCT FROM OLD.retired_at))
EXECUTE FUNCTION change_is_refused('what was decided does not change');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER wheel_seeds_kept AFTER DELETE ON wheel_seeds FOR EACH ROW
WHEN (TRUE)
EXECUTE FUNCTION change_is_refused('rows stay');
-- +goose StatementEnd

-- +goose StatementBegin
CREATE OR REPLACE TRIGGER wheel_seeds_not_emptied BEFORE TRUNCATE ON wheel_seeds FOR EACH STATEMENT
EXECUTE FUNCTION change_is_refused('rows stay');
-- +goose StatementEnd
