-- +goose Up
-- What a player was credited is looked for when their balances are proven.
CREATE INDEX payments_by_player ON payments (player_id) WHERE player_id IS NOT NULL;
