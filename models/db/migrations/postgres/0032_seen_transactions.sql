-- +goose Up
-- Each look for alarms asks what was seen within the last day, of a history that only grows.
CREATE INDEX treasury_transactions_seen ON treasury_transactions (seen_at);
