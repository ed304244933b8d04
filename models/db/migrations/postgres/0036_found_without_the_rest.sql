-- +goose Up
-- Strangers write to this table, too: whatever is refused at once is written down. What admins did is found without reading that.
CREATE INDEX IF NOT EXISTS admin_actions_executed ON admin_actions (action, decided_at, id) WHERE state = 'executed';
CREATE INDEX IF NOT EXISTS admin_actions_questions ON admin_actions (id) WHERE nonce_hash IS NOT NULL;
CREATE INDEX IF NOT EXISTS admin_actions_refused_at ON admin_actions (asked_at) WHERE state = 'refused';
CREATE INDEX IF NOT EXISTS orders_of_tournament ON orders (tournament_id) WHERE tournament_id IS NOT NULL;
