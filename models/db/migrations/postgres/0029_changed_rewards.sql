-- +goose NO TRANSACTION
-- +goose Up
-- Admins may change what a check-in pays. What it was paid stands in its row, and in the player's for the last; 0 of both is
-- the usual reward of that streak, as a program writes that knows no other.
-- Table by table: in one transaction it would hold a table that a check-in waits for and wait for one that the check-in holds. Cut short, it is done again.
ALTER TABLE checkins ADD COLUMN IF NOT EXISTS coins BIGINT NOT NULL DEFAULT 0 CHECK (coins >= 0), -- micro-MCBK
    ADD COLUMN IF NOT EXISTS points BIGINT NOT NULL DEFAULT 0 CHECK (points > 0 OR (points = 0 AND coins = 0));
ALTER TABLE players ADD COLUMN IF NOT EXISTS visits_coins BIGINT NOT NULL DEFAULT 0 CHECK (visits_coins >= 0), -- micro-MCBK
    ADD COLUMN IF NOT EXISTS visits_points BIGINT NOT NULL DEFAULT 0 CHECK (visits_points >= 0);
