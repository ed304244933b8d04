-- +goose Up
-- A row with a state goes from one to another only by the steps listed here (decision 0046). The audit keeps its own (0011).
-- The text names no states: sqlite3 before 3.47 cannot open a database with a RAISE that computes its text.

-- +goose StatementBegin
CREATE TRIGGER ad_tickets_steps BEFORE UPDATE OF state ON ad_tickets
WHEN OLD.state <> NEW.state AND OLD.state || '>' || NEW.state NOT IN (
    'open>settled', 'open>expired')
BEGIN
    SELECT RAISE(ABORT, 'ad_tickets: no step leads there');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER bot_updates_steps BEFORE UPDATE OF state ON bot_updates
WHEN OLD.state <> NEW.state AND OLD.state || '>' || NEW.state NOT IN (
    'waiting>done', 'waiting>dead')
BEGIN
    SELECT RAISE(ABORT, 'bot_updates: no step leads there');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER broadcasts_steps BEFORE UPDATE OF state ON broadcasts
WHEN OLD.state <> NEW.state AND OLD.state || '>' || NEW.state NOT IN (
    'draft>fanning', 'fanning>done', 'fanning>cancelled', 'done>cancelled')
BEGIN
    SELECT RAISE(ABORT, 'broadcasts: no step leads there');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER friends_steps BEFORE UPDATE OF state ON friends
WHEN OLD.state <> NEW.state AND OLD.state || '>' || NEW.state NOT IN (
    'bound>qualified', 'bound>rejected', 'qualified>rewarded', 'qualified>rejected')
BEGIN
    SELECT RAISE(ABORT, 'friends: no step leads there');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER orders_steps BEFORE UPDATE OF state ON orders
WHEN OLD.state <> NEW.state AND OLD.state || '>' || NEW.state NOT IN (
    'pending>paid', 'pending>expired', 'pending>cancelled', 'expired>paid', 'cancelled>paid')
BEGIN
    SELECT RAISE(ABORT, 'orders: no step leads there');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER outbox_steps BEFORE UPDATE OF state ON outbox
WHEN OLD.state <> NEW.state AND OLD.state || '>' || NEW.state NOT IN (
    'queued>sent', 'queued>dead', 'dead>sent')
BEGIN
    SELECT RAISE(ABORT, 'outbox: no step leads there');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER payables_steps BEFORE UPDATE OF state ON payables
WHEN OLD.state <> NEW.state AND OLD.state || '>' || NEW.state NOT IN (
    'due>approved', 'due>cancelled', 'approved>sent', 'approved>settled', 'approved>cancelled', 'sent>settled',
    'sent>due', 'settled>due')
BEGIN
    SELECT RAISE(ABORT, 'payables: no step leads there');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER payments_steps BEFORE UPDATE OF state ON payments
WHEN OLD.state <> NEW.state AND OLD.state || '>' || NEW.state NOT IN (
    'held>credited', 'held>refundable')
BEGIN
    SELECT RAISE(ABORT, 'payments: no step leads there');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER player_tasks_steps BEFORE UPDATE OF state ON player_tasks
WHEN OLD.state <> NEW.state AND OLD.state || '>' || NEW.state NOT IN (
    'active>completed', 'active>expired', 'completed>claimed', 'expired>completed')
BEGIN
    SELECT RAISE(ABORT, 'player_tasks: no step leads there');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER predictions_steps BEFORE UPDATE OF state ON predictions
WHEN OLD.state <> NEW.state AND OLD.state || '>' || NEW.state NOT IN (
    'offered>claimed', 'offered>doubled', 'offered>expired', 'claimed>doubled', 'expired>claimed', 'expired>doubled')
BEGIN
    SELECT RAISE(ABORT, 'predictions: no step leads there');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER spins_steps BEFORE UPDATE OF state ON spins
WHEN OLD.state <> NEW.state AND OLD.state || '>' || NEW.state NOT IN (
    'credited>doubled', 'pending>claimed', 'pending>doubled', 'claimed>doubled')
BEGIN
    SELECT RAISE(ABORT, 'spins: no step leads there');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER tournaments_steps BEFORE UPDATE OF state ON tournaments
WHEN OLD.state <> NEW.state AND OLD.state || '>' || NEW.state NOT IN (
    'scheduled>running', 'scheduled>closed', 'running>closed', 'closed>final', 'final>awarded')
BEGIN
    SELECT RAISE(ABORT, 'tournaments: no step leads there');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER wallet_nonces_steps BEFORE UPDATE OF state ON wallet_nonces
WHEN OLD.state <> NEW.state AND OLD.state || '>' || NEW.state NOT IN (
    'open>used', 'open>expired')
BEGIN
    SELECT RAISE(ABORT, 'wallet_nonces: no step leads there');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER wheel_seeds_steps BEFORE UPDATE OF state ON wheel_seeds
WHEN OLD.state <> NEW.state AND OLD.state || '>' || NEW.state NOT IN (
    'next>present', 'present>retired')
BEGIN
    SELECT RAISE(ABORT, 'wheel_seeds: no step leads there');
END;
-- +goose StatementEnd
