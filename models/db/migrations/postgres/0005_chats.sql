-- +goose Up
-- People who wrote to the bot, players or not yet: the language they chose there and the
-- start code that brought them.
CREATE TABLE chats (
    telegram_id BIGINT PRIMARY KEY CHECK (telegram_id > 0),
    language TEXT NOT NULL CHECK (language IN ('', 'en', 'ru')),
    start_code TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL
);
