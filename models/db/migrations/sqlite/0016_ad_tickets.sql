-- +goose Up
-- A ticket is opened before an ad is shown; its confirmation pays what the ad was for, once.
CREATE TABLE ad_tickets (
    ticket TEXT PRIMARY KEY CHECK (LENGTH(ticket) = 32),
    player_id BIGINT NOT NULL REFERENCES players (id),
    purpose TEXT NOT NULL CHECK (purpose IN ('spin', 'daily', 'prediction', 'roulette')),
    target_id BIGINT NOT NULL, -- the spin or the advice; 0 where the day says enough
    day INTEGER NOT NULL, -- UTC days since 1970, of opening
    opened_at DATETIME NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('open', 'settled', 'expired')),
    settled_at DATETIME CHECK ((state = 'settled') = (settled_at IS NOT NULL)),
    paid BOOLEAN NOT NULL CHECK (state = 'settled' OR NOT paid), -- there was still something to pay
    told_at DATETIME -- when the player was first shown what it paid
);

CREATE INDEX ad_tickets_by_player ON ad_tickets (player_id, opened_at);
CREATE INDEX ad_tickets_open ON ad_tickets (opened_at) WHERE state = 'open';
