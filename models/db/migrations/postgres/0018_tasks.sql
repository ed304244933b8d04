-- +goose Up
-- What players are asked to do: on a UTC day, or for good. The terms of a task never change; a day's
-- are written once, by whoever needs them first.
CREATE TABLE tasks (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    action TEXT NOT NULL CHECK (action IN ('roulette_spin', 'tap_count', 'watch_ads', 'get_prediction', 'invite_friends',
        'energy_spend', 'exchange_join', 'telegram_subscription')),
    day INTEGER, -- days since 1970-01-01; NULL for one that stays
    target BIGINT NOT NULL CHECK (target > 0),
    reward_coins BIGINT NOT NULL CHECK (reward_coins >= 0), -- micro-MCBK
    reward_points BIGINT NOT NULL CHECK (reward_points >= 0),
    url TEXT NOT NULL CHECK (url = '' OR url LIKE 'https://%'), -- what to visit or to join; empty for a day's
    title_en TEXT NOT NULL,
    title_ru TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    retired_at TIMESTAMPTZ, -- set when an admin takes it back
    UNIQUE (day, action),
    CHECK (reward_coins + reward_points > 0),
    CHECK ((day IS NULL) = (action IN ('exchange_join', 'telegram_subscription'))),
    CHECK ((day IS NULL) = (url <> '') AND (day IS NULL) = (title_en <> '') AND (day IS NULL) = (title_ru <> ''))
);

-- How far a player has come. Taps and energy are counted in the player's own row; theirs says only
-- whether they were enough.
CREATE TABLE player_tasks (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    player_id BIGINT NOT NULL REFERENCES players (id),
    task_id BIGINT NOT NULL REFERENCES tasks (id),
    day INTEGER, -- the task's
    state TEXT NOT NULL CHECK (state IN ('active', 'completed', 'claimed', 'expired')),
    progress BIGINT NOT NULL CHECK (progress >= 0),
    evidence TEXT NOT NULL, -- the link visited, or the channel Telegram was asked about; empty without one
    opened_at TIMESTAMPTZ NOT NULL,
    completed_at TIMESTAMPTZ CHECK ((completed_at IS NULL) = (state IN ('active', 'expired'))),
    claimed_at TIMESTAMPTZ CHECK ((claimed_at IS NULL) = (state <> 'claimed')),
    UNIQUE (player_id, task_id)
);

CREATE INDEX player_tasks_open ON player_tasks (state, day, player_id) WHERE state IN ('active', 'completed');
