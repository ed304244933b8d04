-- +goose Up
-- The ledger. A row moves an amount of one asset from an account to another, so it balances
-- by construction; rows of one player with the same reference are one entry. Accounts named
-- house:… are the house's, the others the player's. A zero amount is a receipt only: a tap
-- batch of which nothing was accepted must be remembered too.
CREATE TABLE postings (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    player_id BIGINT NOT NULL REFERENCES players (id),
    reference TEXT NOT NULL,
    line SMALLINT NOT NULL CHECK (line >= 0),
    source TEXT NOT NULL,
    destination TEXT NOT NULL CHECK (destination <> source),
    asset TEXT NOT NULL CHECK (asset IN ('MCBK', 'POINT', 'ORE', 'SPIN', 'AD_SPIN')),
    amount BIGINT NOT NULL CHECK (amount >= 0),
    memo TEXT NOT NULL,
    posted_at DATETIME NOT NULL,
    UNIQUE (player_id, reference, line)
);

-- +goose StatementBegin
CREATE TRIGGER postings_no_update BEFORE UPDATE ON postings
BEGIN
    SELECT RAISE(ABORT, 'postings are append-only');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER postings_no_delete BEFORE DELETE ON postings
BEGIN
    SELECT RAISE(ABORT, 'postings are append-only');
END;
-- +goose StatementEnd

-- INSERT OR REPLACE deletes without asking the delete trigger.
-- +goose StatementBegin
CREATE TRIGGER postings_no_replace BEFORE INSERT ON postings
WHEN EXISTS (
    SELECT 1 FROM postings WHERE id = NEW.id
    UNION ALL SELECT 1 FROM postings WHERE player_id = NEW.player_id AND reference = NEW.reference AND line = NEW.line
)
BEGIN
    SELECT RAISE(ABORT, 'postings are append-only');
END;
-- +goose StatementEnd
