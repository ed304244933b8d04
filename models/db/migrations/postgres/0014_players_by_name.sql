-- +goose Up
-- With the id, so that the newest of a name is the last of its entries, and no planner prefers a
-- walk through all players in the order of their ids.
DROP INDEX players_by_username;

CREATE INDEX players_by_username ON players (LOWER(username), id) WHERE username <> '';
