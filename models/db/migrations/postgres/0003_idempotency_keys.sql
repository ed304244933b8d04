-- +goose Up
-- The answer to a write a client may repeat, kept seven days, committed with the write's effect.
CREATE TABLE idempotency_keys (
    player_id BIGINT NOT NULL REFERENCES players (id),
    key TEXT NOT NULL,
    operation TEXT NOT NULL,
    body_hash BYTEA NOT NULL,
    status SMALLINT NOT NULL,
    answer BYTEA NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (player_id, key)
);

CREATE INDEX idempotency_keys_by_age ON idempotency_keys (created_at);
