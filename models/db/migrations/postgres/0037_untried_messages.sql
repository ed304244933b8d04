-- +goose Up
-- How many of a broadcast's messages wait for their first try is asked for every batch; those that failed and are tried again must not be read for it.
CREATE INDEX IF NOT EXISTS outbox_untried ON outbox (broadcast_id, tries) WHERE state = 'queued' AND broadcast_id IS NOT NULL;
