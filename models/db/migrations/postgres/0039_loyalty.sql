-- +goose NO TRANSACTION
-- +goose Up
-- The newest UTC day whose ads earned the loyalty bonus, and whether it was claimed: derived from ad_tickets and postings.
-- Statement by statement: in one transaction players would be locked while tickets are read. Cut short, it is done again.
ALTER TABLE players ADD COLUMN IF NOT EXISTS loyalty_day INTEGER NOT NULL DEFAULT 0,
    ADD COLUMN IF NOT EXISTS loyalty_claimed BOOLEAN NOT NULL DEFAULT FALSE;

-- It takes a doubled check-in, so the newest day that can have earned it is that of the last one.
UPDATE players SET loyalty_day = visits_day,
        loyalty_claimed = EXISTS (SELECT 1 FROM postings q WHERE q.player_id = players.id AND q.reference = 'loyal:' || players.visits_day)
    WHERE visits_doubled AND loyalty_day < visits_day AND 2 = (SELECT COUNT(*) FROM (
        SELECT t.purpose FROM ad_tickets t
        WHERE t.player_id = players.id AND t.opened_at >= TIMESTAMPTZ 'epoch' + players.visits_day * INTERVAL '1 day'
            AND t.day = players.visits_day AND t.paid AND t.purpose IN ('spin', 'prediction')
        GROUP BY t.purpose HAVING COUNT(*) >= CASE t.purpose WHEN 'spin' THEN 10 ELSE 1 END) AS earned);
