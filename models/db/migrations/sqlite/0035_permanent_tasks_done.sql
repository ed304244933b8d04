-- +goose Up
-- How many have done a permanent task is asked by admins; the season's daily ones must not be read for it.
CREATE INDEX IF NOT EXISTS player_tasks_permanent ON player_tasks (task_id, state) WHERE day IS NULL;
