-- +goose Up
-- The wheel: a player's days at it, what they won, and their spins.
ALTER TABLE players ADD COLUMN wheel_looked_day INTEGER NOT NULL DEFAULT 0; -- UTC days since 1970; its free spins were given
ALTER TABLE players ADD COLUMN wheel_spun_day INTEGER NOT NULL DEFAULT 0; -- of the last spin
ALTER TABLE players ADD COLUMN wheel_streak INTEGER NOT NULL DEFAULT 0 CHECK (wheel_streak BETWEEN 0 AND 7);
ALTER TABLE players ADD COLUMN wheel_won BIGINT NOT NULL DEFAULT 0 CHECK (wheel_won >= 0); -- micro-MCBK

-- +goose StatementBegin
CREATE TRIGGER players_spins_limit BEFORE UPDATE OF balance_spins ON players WHEN NEW.balance_spins > 20
BEGIN
    SELECT RAISE(ABORT, 'players_spins_limit: a player holds at most 20 spins');
END;
-- +goose StatementEnd

-- A server seed is kept secret until it is retired; the hash of the next is shown beside the present one's.
CREATE TABLE wheel_seeds (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    player_id BIGINT NOT NULL REFERENCES players (id),
    seed BLOB NOT NULL CHECK (LENGTH(seed) = 32),
    client_seed TEXT NOT NULL, -- empty until the seed is present
    nonce BIGINT NOT NULL DEFAULT 0 CHECK (nonce >= 0), -- of the next spin
    state TEXT NOT NULL CHECK (state IN ('next', 'present', 'retired')),
    begun_day INTEGER NOT NULL, -- UTC days since 1970, of becoming present; 0 before
    retired_at DATETIME CHECK ((state = 'retired') = (retired_at IS NOT NULL))
);

CREATE UNIQUE INDEX wheel_seeds_in_use ON wheel_seeds (player_id, state) WHERE state <> 'retired';
CREATE INDEX wheel_seeds_retired ON wheel_seeds (player_id, id) WHERE state = 'retired';

CREATE TABLE spins (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    player_id BIGINT NOT NULL REFERENCES players (id),
    seed_id BIGINT NOT NULL REFERENCES wheel_seeds (id),
    nonce BIGINT NOT NULL,
    odds_version INTEGER NOT NULL CHECK (odds_version > 0),
    segment INTEGER NOT NULL CHECK (segment BETWEEN 0 AND 9),
    chest INTEGER NOT NULL CHECK (chest >= -1), -- place in the chest's table; -1 when it was none
    golden BOOLEAN NOT NULL,
    streak_end INTEGER CHECK (golden = (streak_end IS NOT NULL)), -- UTC day of the last spin before a golden one
    state TEXT NOT NULL CHECK (state IN ('credited', 'pending', 'claimed', 'doubled')),
    spun_at DATETIME NOT NULL,
    settled_at DATETIME CHECK ((state = 'pending') = (settled_at IS NULL)), -- when it was first paid
    UNIQUE (seed_id, nonce)
);

CREATE INDEX spins_by_player ON spins (player_id, id);
CREATE UNIQUE INDEX spins_golden ON spins (player_id, streak_end) WHERE streak_end IS NOT NULL;
CREATE UNIQUE INDEX spins_pending ON spins (player_id) WHERE state = 'pending';
-- Its condition is one that only the job asks: for whatever else is pending the index by player is read, not this one.
CREATE INDEX spins_unanswered ON spins (spun_at) WHERE state = 'pending' AND settled_at IS NULL;
