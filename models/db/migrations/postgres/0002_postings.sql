-- +goose Up
-- The ledger. A row moves an amount of one asset from an account to another, so it balances
-- by construction; rows of one player with the same reference are one entry. Accounts named
-- house:… are the house's, the others the player's. A zero amount is a receipt only: a tap
-- batch of which nothing was accepted must be remembered too.
CREATE TABLE postings (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    player_id BIGINT NOT NULL REFERENCES players (id),
    reference TEXT NOT NULL,
    line SMALLINT NOT NULL CHECK (line >= 0),
    source TEXT NOT NULL,
    destination TEXT NOT NULL CHECK (destination <> source),
    asset TEXT NOT NULL CHECK (asset IN ('MCBK', 'POINT', 'ORE', 'SPIN', 'AD_SPIN')),
    amount BIGINT NOT NULL CHECK (amount >= 0),
    memo TEXT NOT NULL,
    posted_at TIMESTAMPTZ NOT NULL,
    UNIQUE (player_id, reference, line)
);

-- +goose StatementBegin
CREATE FUNCTION postings_are_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'postings are append-only';
END
$$;
-- +goose StatementEnd

CREATE TRIGGER postings_no_change BEFORE UPDATE OR DELETE ON postings
FOR EACH ROW EXECUTE FUNCTION postings_are_append_only();

CREATE TRIGGER postings_no_truncate BEFORE TRUNCATE ON postings
FOR EACH STATEMENT EXECUTE FUNCTION postings_are_append_only();
