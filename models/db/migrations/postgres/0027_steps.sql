-- +goose NO TRANSACTION
-- +goose Up
-- A row with a state goes from one to another only by the steps listed here (decision 0046). The audit keeps its own (0011).
-- Table by table: in one transaction it would hold a table that a spin waits for and wait for one that the spin holds. Cut short, it is done again.
-- After the row, not before it: a trigger before it would lock every row that is updated once more, whatever changes.
-- +goose StatementBegin
CREATE OR REPLACE FUNCTION step_is_refused() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '%: no step leads from % to %', TG_TABLE_NAME, OLD.state, NEW.state;
END
$$;
-- +goose StatementEnd

CREATE OR REPLACE TRIGGER ad_tickets_steps AFTER UPDATE OF state ON ad_tickets FOR EACH ROW
WHEN (OLD.state <> NEW.state AND OLD.state || '>' || NEW.state NOT IN (
    'open>settled', 'open>expired'))
EXECUTE FUNCTION step_is_refused();

CREATE OR REPLACE TRIGGER bot_updates_steps AFTER UPDATE OF state ON bot_updates FOR EACH ROW
WHEN (OLD.state <> NEW.state AND OLD.state || '>' || NEW.state NOT IN (
    'waiting>done', 'waiting>dead'))
EXECUTE FUNCTION step_is_refused();

CREATE OR REPLACE TRIGGER broadcasts_steps AFTER UPDATE OF state ON broadcasts FOR EACH ROW
WHEN (OLD.state <> NEW.state AND OLD.state || '>' || NEW.state NOT IN (
    'draft>fanning', 'fanning>done', 'fanning>cancelled', 'done>cancelled'))
EXECUTE FUNCTION step_is_refused();

CREATE OR REPLACE TRIGGER friends_steps AFTER UPDATE OF state ON friends FOR EACH ROW
WHEN (OLD.state <> NEW.state AND OLD.state || '>' || NEW.state NOT IN (
    'bound>qualified', 'bound>rejected', 'qualified>rewarded', 'qualified>rejected'))
EXECUTE FUNCTION step_is_refused();

CREATE OR REPLACE TRIGGER orders_steps AFTER UPDATE OF state ON orders FOR EACH ROW
WHEN (OLD.state <> NEW.state AND OLD.state || '>' || NEW.state NOT IN (
    'pending>paid', 'pending>expired', 'pending>cancelled', 'expired>paid', 'cancelled>paid'))
EXECUTE FUNCTION step_is_refused();

CREATE OR REPLACE TRIGGER outbox_steps AFTER UPDATE OF state ON outbox FOR EACH ROW
WHEN (OLD.state <> NEW.state AND OLD.state || '>' || NEW.state NOT IN (
    'queued>sent', 'queued>dead', 'dead>sent'))
EXECUTE FUNCTION step_is_refused();

CREATE OR REPLACE TRIGGER payables_steps AFTER UPDATE OF state ON payables FOR EACH ROW
WHEN (OLD.state <> NEW.state AND OLD.state || '>' || NEW.state NOT IN (
    'due>approved', 'due>cancelled', 'approved>sent', 'approved>settled', 'approved>cancelled', 'sent>settled',
    'sent>due', 'settled>due'))
EXECUTE FUNCTION step_is_refused();

CREATE OR REPLACE TRIGGER payments_steps AFTER UPDATE OF state ON payments FOR EACH ROW
WHEN (OLD.state <> NEW.state AND OLD.state || '>' || NEW.state NOT IN (
    'held>credited', 'held>refundable'))
EXECUTE FUNCTION step_is_refused();

CREATE OR REPLACE TRIGGER player_tasks_steps AFTER UPDATE OF state ON player_tasks FOR EACH ROW
WHEN (OLD.state <> NEW.state AND OLD.state || '>' || NEW.state NOT IN (
    'active>completed', 'active>expired', 'completed>claimed', 'expired>completed'))
EXECUTE FUNCTION step_is_refused();

CREATE OR REPLACE TRIGGER predictions_steps AFTER UPDATE OF state ON predictions FOR EACH ROW
WHEN (OLD.state <> NEW.state AND OLD.state || '>' || NEW.state NOT IN (
    'offered>claimed', 'offered>doubled', 'offered>expired', 'claimed>doubled', 'expired>claimed', 'expired>doubled'))
EXECUTE FUNCTION step_is_refused();

CREATE OR REPLACE TRIGGER spins_steps AFTER UPDATE OF state ON spins FOR EACH ROW
WHEN (OLD.state <> NEW.state AND OLD.state || '>' || NEW.state NOT IN (
    'credited>doubled', 'pending>claimed', 'pending>doubled', 'claimed>doubled'))
EXECUTE FUNCTION step_is_refused();

CREATE OR REPLACE TRIGGER tournaments_steps AFTER UPDATE OF state ON tournaments FOR EACH ROW
WHEN (OLD.state <> NEW.state AND OLD.state || '>' || NEW.state NOT IN (
    'scheduled>running', 'scheduled>closed', 'running>closed', 'closed>final', 'final>awarded'))
EXECUTE FUNCTION step_is_refused();

CREATE OR REPLACE TRIGGER wallet_nonces_steps AFTER UPDATE OF state ON wallet_nonces FOR EACH ROW
WHEN (OLD.state <> NEW.state AND OLD.state || '>' || NEW.state NOT IN (
    'open>used', 'open>expired'))
EXECUTE FUNCTION step_is_refused();

CREATE OR REPLACE TRIGGER wheel_seeds_steps AFTER UPDATE OF state ON wheel_seeds FOR EACH ROW
WHEN (OLD.state <> NEW.state AND OLD.state || '>' || NEW.state NOT IN (
    'next>present', 'present>retired'))
EXECUTE FUNCTION step_is_refused();
