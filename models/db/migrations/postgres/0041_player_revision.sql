-- +goose Up
-- Counts the changes of a player's row: it orders answers that show the row.
ALTER TABLE players ADD COLUMN revision BIGINT NOT NULL DEFAULT 0;
