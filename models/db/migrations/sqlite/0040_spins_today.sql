-- +goose Up
-- How many spins a player made on the UTC day of the last one counted, for that day's task: derived from spins.
ALTER TABLE players ADD COLUMN wheel_spins_today INTEGER NOT NULL DEFAULT 0 CHECK (wheel_spins_today >= 0);
ALTER TABLE players ADD COLUMN wheel_counted_day INTEGER NOT NULL DEFAULT 0;

-- The newest spin of an earlier day ends the search: of each player little more than a day is read.
UPDATE players SET wheel_counted_day = wheel_spun_day, wheel_spins_today = (SELECT COUNT(*) FROM spins s
        WHERE s.player_id = players.id AND s.spun_at >= datetime(players.wheel_spun_day * 86400, 'unixepoch')
            AND s.id > COALESCE((SELECT o.id FROM spins o
                WHERE o.player_id = players.id AND o.spun_at < datetime(players.wheel_spun_day * 86400, 'unixepoch')
                ORDER BY o.id DESC LIMIT 1), 0))
    WHERE wheel_spun_day > 0;
