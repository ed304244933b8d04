-- +goose Up
-- What the bot is to tell people by itself, stored with its cause and sent later. The key is
-- unique, so that a cause told twice is one message. While a process sends a message,
-- next_try_at is when its hold on it ends.
CREATE TABLE outbox (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    chat_id BIGINT NOT NULL CHECK (chat_id > 0),
    kind TEXT NOT NULL,
    params TEXT NOT NULL, -- a JSON object: what the kind's text needs
    urgency SMALLINT NOT NULL CHECK (urgency BETWEEN 0 AND 2), -- 0 goes first
    state TEXT NOT NULL CHECK (state IN ('queued', 'sent', 'dead')),
    tries SMALLINT NOT NULL CHECK (tries BETWEEN 0 AND 8),
    next_try_at TIMESTAMPTZ NOT NULL,
    queued_at TIMESTAMPTZ NOT NULL,
    finished_at TIMESTAMPTZ CHECK ((finished_at IS NULL) = (state = 'queued')),
    last_error TEXT NOT NULL
);

CREATE INDEX outbox_queued ON outbox (urgency, next_try_at, id) WHERE state = 'queued';

CREATE INDEX outbox_by_chat ON outbox (chat_id, finished_at);

CREATE INDEX outbox_by_age ON outbox (finished_at) WHERE state <> 'queued';

-- One row: the pace that all processes keep together.
CREATE TABLE outbox_pace (
    id SMALLINT PRIMARY KEY CHECK (id = 1),
    next_slot_at TIMESTAMPTZ NOT NULL -- when the next message may be sent
);

INSERT INTO outbox_pace (id, next_slot_at) VALUES (1, '1970-01-01 00:00:00+00:00');

-- Set when Telegram says that the bot may not write to somebody.
ALTER TABLE chats ADD COLUMN blocked_at TIMESTAMPTZ;
