-- +goose Up
-- A player's row carries the last check-in and the day of the last advice, since every answer
-- shows them; checkins is a row for each day.
ALTER TABLE players ADD COLUMN visits_day INTEGER NOT NULL DEFAULT 0;
ALTER TABLE players ADD COLUMN visits_streak INTEGER NOT NULL DEFAULT 0 CHECK (visits_streak >= 0);
ALTER TABLE players ADD COLUMN visits_total INTEGER NOT NULL DEFAULT 0 CHECK (visits_total >= visits_streak);
ALTER TABLE players ADD COLUMN visits_doubled BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE players ADD COLUMN advised_day INTEGER NOT NULL DEFAULT 0; -- whose advice was claimed or doubled last

CREATE TABLE checkins (
    player_id BIGINT NOT NULL REFERENCES players (id),
    day INTEGER NOT NULL, -- UTC days since 1970
    streak INTEGER NOT NULL CHECK (streak >= 1),
    checked_in_at DATETIME NOT NULL,
    doubled_at DATETIME,
    PRIMARY KEY (player_id, day)
);
