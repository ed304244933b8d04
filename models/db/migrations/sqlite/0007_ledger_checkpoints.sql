-- +goose Up
-- Seals on the ledger: each covers the postings after the one before, and its hash continues
-- that one's. They are numbered without a gap, so that of two processes one seals.
CREATE TABLE ledger_checkpoints (
    id INTEGER PRIMARY KEY CHECK (id > 0),
    last_posting_id BIGINT NOT NULL UNIQUE,
    postings BIGINT NOT NULL CHECK (postings > 0),
    amounts TEXT NOT NULL, -- what the postings move of each asset, "MCBK=1000 SPIN=2"
    hash BLOB NOT NULL,
    sealed_at DATETIME NOT NULL
);

-- +goose StatementBegin
CREATE TRIGGER ledger_checkpoints_no_update BEFORE UPDATE ON ledger_checkpoints
BEGIN
    SELECT RAISE(ABORT, 'checkpoints are append-only');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER ledger_checkpoints_no_delete BEFORE DELETE ON ledger_checkpoints
BEGIN
    SELECT RAISE(ABORT, 'checkpoints are append-only');
END;
-- +goose StatementEnd

-- INSERT OR REPLACE deletes without asking the delete trigger.
-- +goose StatementBegin
CREATE TRIGGER ledger_checkpoints_no_replace BEFORE INSERT ON ledger_checkpoints
WHEN EXISTS (SELECT 1 FROM ledger_checkpoints WHERE id = NEW.id OR last_posting_id = NEW.last_posting_id)
BEGIN
    SELECT RAISE(ABORT, 'checkpoints are append-only');
END;
-- +goose StatementEnd
