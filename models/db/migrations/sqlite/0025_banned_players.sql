-- +goose Up
-- Whoever is banned leaves the boards, which every process keeps for itself: it asks for them again and again.
-- No tap changes the column, so that updates stay heap-only.
CREATE INDEX players_banned ON players (id) WHERE banned_at IS NOT NULL;
