-- +goose Up
-- What happened on each UTC day, counted from postings once they are sealed. Pictures for admins
-- are drawn from it; no balance depends on it.
CREATE TABLE daily_totals (
    day INTEGER NOT NULL, -- days since 1970-01-01
    what TEXT NOT NULL, -- taps, players (who tapped), or the house's account that gave micro-MCBK
    total BIGINT NOT NULL CHECK (total >= 0),
    PRIMARY KEY (day, what)
);
