package audit_test

import (
	"database/sql"
	"fmt"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/modelstest"
	"mcbk/models/store"
	"mcbk/models/tasks"
)

// What somebody with the database's own tools could do to tasks and their entries.
func TestVerifyFindsWronglyPaidTasks(t *testing.T) {
	cases := map[string]finding{
		"claimed, never paid":    {"UPDATE player_tasks SET state = 'claimed', claimed_at = opened_at WHERE player_id = {player} AND state = 'completed'", []string{tasksArePaid}},
		"paid, claimable again":  {"UPDATE player_tasks SET state = 'completed', claimed_at = NULL WHERE player_id = {player} AND state = 'claimed'", []string{tasksArePaid}},
		"terms changed":          {"UPDATE tasks SET reward_points = 101 WHERE action = 'invite_friends'", []string{tasksArePaid, of(rowsAreDecided, "task 5 does not ask and pay what was set")}},
		"its row gone":           {"DELETE FROM player_tasks WHERE player_id = {player} AND state = 'claimed'", []string{tasksArePaid}},
		"another's task":         {"UPDATE postings SET reference = 'task:999999' WHERE player_id = {player} AND source = 'house:tasks'", []string{tasksArePaid}},
		"points gone":            {"DELETE FROM postings WHERE player_id = {player} AND asset = 'POINT'", []string{tasksArePaid, balancesAreSums}},
		"coins gone":             {"DELETE FROM postings WHERE player_id = {player} AND source = 'house:tasks' AND asset = 'MCBK'", []string{tasksArePaid, balancesAreSums, entriesAreWhole}},
		"more than the receipt":  {"UPDATE postings SET amount = amount + 1 WHERE player_id = {player} AND asset = 'POINT'", []string{tasksArePaid, balancesAreSums, receiptsMatch}},
		"another receipt":        {"UPDATE postings SET memo = '1 1' WHERE player_id = {player} AND source = 'house:tasks'", []string{receiptsMatch}},
		"no receipt":             {"UPDATE postings SET memo = '' WHERE player_id = {player} AND source = 'house:tasks'", []string{receiptsMatch}},
		"into another account":   {"UPDATE postings SET destination = 'referral_points' WHERE player_id = {player} AND asset = 'POINT'", []string{receiptsMatch, balancesAreSums}},
		"taps that were enough":  {"DELETE FROM player_tasks WHERE player_id = {player} AND progress = 500", []string{tasksAreNoted}},
		"energy that was enough": {"UPDATE player_tasks SET state = 'active', completed_at = NULL WHERE player_id = {player} AND progress = 1000", []string{tasksAreNoted}},
	}
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		player := modelstest.Player(t, store, modelstest.ArrivedAt(modelstest.Noon.Add(-3*time.Hour)))
		modelstest.Tap(t, store, player, 1000, modelstest.Key(1), modelstest.Noon)
		modelstest.AdvanceTask(t, store, player.ID, game.InviteFriends, 1, modelstest.Noon)
		friend := modelstest.TaskOf(t, store, player.ID, game.InviteFriends, modelstest.Noon)
		modelstest.NoError(t, modelstest.ErrorOf(store.Tasks.ClaimTask(t.Context(), modelstest.By(player), friend.TaskID, modelstest.Season, modelstest.Noon)))
		modelstest.Sound(t, store)
		dropGuards(t, raw)
		wantFound(t, store, raw, player.ID, cases)
	})
}

func TestVerifyFindsStaleTask(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		player := modelstest.Player(t, store)
		yesterday := modelstest.Noon.Add(-24 * time.Hour)
		modelstest.AdvanceTask(t, store, player.ID, game.WatchAds, 1, yesterday)
		modelstest.Sound(t, store) // nobody has closed the day yet
		run := models.JobRun{Job: tasks.CloseTasksJob, Period: modelstest.Noon.Truncate(24 * time.Hour), DoneAt: modelstest.Noon.Add(-time.Hour)}
		modelstest.NoError(t, store.Alarms.SaveRun(t.Context(), run))
		id := modelstest.Count(t, raw, "SELECT id FROM player_tasks")
		modelstest.Equal(t, findBroken(t, store), map[string][]string{tasksAreClosed: {fmt.Sprint("task ", id)}})
		modelstest.Must(store.Tasks.CloseTasks(t.Context(), modelstest.Season, modelstest.Noon))(t)
		modelstest.Sound(t, store)
	})
}
