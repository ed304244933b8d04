package audit

// findUnfinishedAnswers lists players with an answer that was committed before it was known.
var findUnfinishedAnswers = findPlayers(`SELECT DISTINCT player_id FROM idempotency_keys
	WHERE player_id > @After AND player_id <= @UpTo AND status = 0 ORDER BY player_id LIMIT ?`)
