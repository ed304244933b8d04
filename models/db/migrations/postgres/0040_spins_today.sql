-- +goose NO TRANSACTION
-- +goose Up
-- How many spins a player made on the UTC day of the last, for that day's task: derived from spins. Cut short, it is done again.
ALTER TABLE players ADD COLUMN IF NOT EXISTS wheel_spins_today INTEGER NOT NULL DEFAULT 0 CHECK (wheel_spins_today >= 0);

-- The newest spin of an earlier day ends the search: of each player little more than a day is read.
UPDATE players SET wheel_spins_today = (SELECT COUNT(*) FROM spins s
        WHERE s.player_id = players.id AND s.spun_at >= TIMESTAMPTZ 'epoch' + players.wheel_spun_day * INTERVAL '1 day'
            AND s.id > COALESCE((SELECT o.id FROM spins o
                WHERE o.player_id = players.id AND o.spun_at < TIMESTAMPTZ 'epoch' + players.wheel_spun_day * INTERVAL '1 day'
                ORDER BY o.id DESC LIMIT 1), 0))
    WHERE wheel_spun_day > 0 AND wheel_spins_today = 0;
