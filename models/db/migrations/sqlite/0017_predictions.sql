-- +goose Up
-- The advice of a player's UTC day. Claimed or doubled, never paid twice.
CREATE TABLE predictions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    player_id BIGINT NOT NULL REFERENCES players (id),
    day INTEGER NOT NULL, -- UTC days since 1970
    text_number INTEGER NOT NULL CHECK (text_number >= 0), -- in the list of each language
    state TEXT NOT NULL CHECK (state IN ('offered', 'claimed', 'doubled', 'expired')),
    offered_at DATETIME NOT NULL,
    settled_at DATETIME,
    UNIQUE (player_id, day)
);

CREATE INDEX predictions_offered ON predictions (day) WHERE state = 'offered';
