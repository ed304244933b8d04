-- +goose NO TRANSACTION
-- +goose Up
-- How many spins a player made on the UTC day of the last one counted, for that day's task: derived from spins.
ALTER TABLE players ADD COLUMN IF NOT EXISTS wheel_spins_today INTEGER NOT NULL DEFAULT 0 CHECK (wheel_spins_today >= 0),
    ADD COLUMN IF NOT EXISTS wheel_counted_day INTEGER NOT NULL DEFAULT 0;

-- Some players at a time, so that nobody waits long. Cut short, it goes on. The newest spin of an earlier day ends the search: of each
-- player little more than a day is read.
-- +goose StatementBegin
DO $$
DECLARE
    done BIGINT := 0;
BEGIN
    WHILE done < (SELECT COALESCE(MAX(id), 0) FROM players) LOOP
        UPDATE players SET wheel_counted_day = wheel_spun_day, wheel_spins_today = (SELECT COUNT(*) FROM spins s
                WHERE s.player_id = players.id AND s.spun_at >= TIMESTAMPTZ 'epoch' + players.wheel_spun_day * INTERVAL '1 day'
                    AND s.id > COALESCE((SELECT o.id FROM spins o
                        WHERE o.player_id = players.id AND o.spun_at < TIMESTAMPTZ 'epoch' + players.wheel_spun_day * INTERVAL '1 day'
                        ORDER BY o.id DESC LIMIT 1), 0))
            WHERE id > done AND id <= done + 1000 AND wheel_counted_day < wheel_spun_day;
        done := done + 1000;
        COMMIT;
    END LOOP;
END $$;
-- +goose StatementEnd
