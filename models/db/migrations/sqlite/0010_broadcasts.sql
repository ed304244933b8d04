-- +goose Up
-- What an admin tells all players at once: a text, or a copy of a message in the admin's chat.
-- Its messages are put into the outbox batch by batch; cursor is the last player reached.
CREATE TABLE broadcasts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    author_id BIGINT NOT NULL CHECK (author_id > 0), -- the admin's Telegram id
    text TEXT NOT NULL, -- as written, without markup; empty for a copy
    source_chat_id BIGINT NOT NULL, -- 0 for a text
    source_message_id BIGINT NOT NULL CHECK ((source_message_id > 0) = (source_chat_id <> 0)),
    state TEXT NOT NULL CHECK (state IN ('draft', 'fanning', 'done', 'cancelled')),
    cursor BIGINT NOT NULL,
    audience BIGINT NOT NULL CHECK (audience >= 0), -- players it was for when it was started
    queued BIGINT NOT NULL CHECK (queued >= 0), -- messages put into the outbox
    drafted_at DATETIME NOT NULL,
    started_at DATETIME CHECK (started_at IS NOT NULL OR state IN ('draft', 'cancelled')),
    ended_at DATETIME CHECK ((ended_at IS NULL) = (state IN ('draft', 'fanning'))),
    CHECK ((text = '') = (source_chat_id <> 0))
);

CREATE INDEX broadcasts_fanning ON broadcasts (id) WHERE state = 'fanning';

ALTER TABLE outbox ADD COLUMN broadcast_id BIGINT REFERENCES broadcasts (id);

CREATE INDEX outbox_by_broadcast ON outbox (broadcast_id, state) WHERE broadcast_id IS NOT NULL;

-- Until then nothing else goes to the message's chat: while it is being sent, and a second after.
ALTER TABLE outbox ADD COLUMN quiet_until DATETIME;

DROP INDEX outbox_by_chat;

CREATE INDEX outbox_by_chat ON outbox (chat_id, quiet_until) WHERE quiet_until IS NOT NULL;

-- Until then nobody sends anything, answers to people included: Telegram asked for it.
ALTER TABLE outbox_pace ADD COLUMN silent_until DATETIME NOT NULL DEFAULT '1970-01-01 00:00:00+00:00';
