-- +goose Up
-- What Telegram sent, once each, kept until it is answered. While a process works on an
-- update, next_try_at is when its hold on it ends.
CREATE TABLE bot_updates (
    update_id BIGINT PRIMARY KEY CHECK (update_id > 0),
    chat_id BIGINT NOT NULL, -- 0 when the update belongs to no chat
    body BLOB NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('waiting', 'done', 'dead')),
    tries SMALLINT NOT NULL CHECK (tries BETWEEN 0 AND 5),
    next_try_at DATETIME NOT NULL,
    received_at DATETIME NOT NULL,
    finished_at DATETIME CHECK ((finished_at IS NULL) = (state = 'waiting')),
    last_error TEXT NOT NULL
);

CREATE INDEX bot_updates_waiting ON bot_updates (update_id) WHERE state = 'waiting';

CREATE INDEX bot_updates_waiting_by_chat ON bot_updates (chat_id, update_id) WHERE state = 'waiting';

CREATE INDEX bot_updates_by_age ON bot_updates (finished_at) WHERE state <> 'waiting';
