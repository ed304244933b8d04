-- +goose Up
-- What became of each player whom another invited. An inviter is older than their friends, so that
-- nobody is their own and there is no circle.
CREATE TABLE friends (
    player_id BIGINT PRIMARY KEY REFERENCES players (id), -- the friend
    inviter_id BIGINT NOT NULL REFERENCES players (id) CHECK (inviter_id < player_id),
    state TEXT NOT NULL CHECK (state IN ('bound', 'qualified', 'rewarded', 'rejected')),
    qualified_at DATETIME CHECK (CASE state WHEN 'bound' THEN qualified_at IS NULL WHEN 'rejected' THEN TRUE ELSE qualified_at IS NOT NULL END),
    rewarded_at DATETIME CHECK ((state = 'rewarded') = (rewarded_at IS NOT NULL))
);

CREATE INDEX friends_by_inviter ON friends (inviter_id, player_id);
CREATE INDEX friends_waiting ON friends (inviter_id, qualified_at) WHERE state = 'qualified';
CREATE INDEX friends_rewarded ON friends (inviter_id, rewarded_at) WHERE state = 'rewarded';

INSERT INTO friends (player_id, inviter_id, state, qualified_at)
SELECT id, referrer_id, CASE WHEN at IS NULL THEN 'bound' ELSE 'qualified' END, at
FROM (
    SELECT id, referrer_id, (SELECT checked_in_at FROM checkins WHERE player_id = players.id ORDER BY day LIMIT 1 OFFSET 13) AS at
    FROM players
    WHERE referrer_id IS NOT NULL
) AS invited;

-- From where a player came first, as a hash that is good for comparing and nothing else.
CREATE TABLE origins (
    player_id BIGINT PRIMARY KEY REFERENCES players (id),
    mark TEXT NOT NULL CHECK (LENGTH(mark) = 16)
);
