-- +goose Up
-- What admins asked for and what became of it, refused attempts among them. A question is
-- answered once; after that its row never changes, and no row is ever deleted.
CREATE TABLE admin_actions (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    admin_id BIGINT NOT NULL, -- Telegram's id of who asked; 0 when Telegram does not say
    chat_id BIGINT NOT NULL, -- Telegram's id of where
    action TEXT NOT NULL,
    args TEXT NOT NULL, -- a JSON list of texts
    state TEXT NOT NULL CHECK (state IN ('asked', 'executed', 'cancelled', 'expired', 'refused')),
    nonce_hash TEXT UNIQUE CHECK (nonce_hash IS NOT NULL OR state = 'refused'), -- SHA-256 in hex of what the buttons carry
    asked_at TIMESTAMPTZ NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL CHECK (expires_at >= asked_at),
    decided_at TIMESTAMPTZ CHECK ((decided_at IS NULL) = (state = 'asked')),
    outcome TEXT NOT NULL
);

CREATE INDEX admin_actions_asked ON admin_actions (expires_at) WHERE state = 'asked';

CREATE INDEX admin_actions_refused ON admin_actions (chat_id, asked_at) WHERE nonce_hash IS NULL;

-- +goose StatementBegin
CREATE FUNCTION audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit is append-only';
END
$$;
-- +goose StatementEnd

CREATE TRIGGER admin_actions_no_update BEFORE UPDATE ON admin_actions FOR EACH ROW
WHEN (OLD.state <> 'asked' OR NEW.id <> OLD.id OR NEW.admin_id <> OLD.admin_id OR NEW.chat_id <> OLD.chat_id
    OR NEW.action <> OLD.action OR NEW.args <> OLD.args OR NEW.nonce_hash IS DISTINCT FROM OLD.nonce_hash
    OR NEW.asked_at <> OLD.asked_at OR NEW.expires_at <> OLD.expires_at)
EXECUTE FUNCTION audit_is_append_only();

CREATE TRIGGER admin_actions_no_delete BEFORE DELETE ON admin_actions
FOR EACH ROW EXECUTE FUNCTION audit_is_append_only();

CREATE TRIGGER admin_actions_no_truncate BEFORE TRUNCATE ON admin_actions
FOR EACH STATEMENT EXECUTE FUNCTION audit_is_append_only();

-- Set while a player may not play; the reason is shown to them.
ALTER TABLE players ADD COLUMN banned_at TIMESTAMPTZ;
ALTER TABLE players ADD COLUMN ban_reason TEXT NOT NULL DEFAULT '' CHECK ((ban_reason = '') = (banned_at IS NULL));

CREATE INDEX players_by_username ON players (LOWER(username)) WHERE username <> '';
