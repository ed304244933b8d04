-- +goose Up
-- Seals on the ledger: each covers the postings after the one before, and its hash continues
-- that one's. They are numbered without a gap, so that of two processes one seals.
CREATE TABLE ledger_checkpoints (
    id BIGINT PRIMARY KEY CHECK (id > 0),
    last_posting_id BIGINT NOT NULL UNIQUE,
    postings BIGINT NOT NULL CHECK (postings > 0),
    amounts TEXT NOT NULL, -- what the postings move of each asset, "MCBK=1000 SPIN=2"
    hash BYTEA NOT NULL,
    sealed_at TIMESTAMPTZ NOT NULL
);

-- +goose StatementBegin
CREATE FUNCTION checkpoints_are_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'checkpoints are append-only';
END
$$;
-- +goose StatementEnd

CREATE TRIGGER ledger_checkpoints_no_change BEFORE UPDATE OR DELETE ON ledger_checkpoints
FOR EACH ROW EXECUTE FUNCTION checkpoints_are_append_only();

CREATE TRIGGER ledger_checkpoints_no_truncate BEFORE TRUNCATE ON ledger_checkpoints
FOR EACH STATEMENT EXECUTE FUNCTION checkpoints_are_append_only();
