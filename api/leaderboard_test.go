package api_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"mcbk/api"
	"mcbk/models"
	"mcbk/models/modelstest"
	"mcbk/models/players"
)

func TestLeaderboardShowsOnlyPublicData(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, g *table) {
		joins := func(name string, taps int) models.Player {
			t.Helper()
			p := modelstest.Player(t, g.store, modelstest.Tapped(taps))
			a := players.LaunchUser{TelegramID: p.TelegramID, FirstName: name, Username: "the_" + name, PhotoURL: "https://t.me/i/" + name}
			return modelstest.SignIn(t, g.store, a, g.clock.Now())
		}
		ann, bob, eve := joins("Ann", 10), joins("Bob", 30), joins("Eve", 10)
		says := func(query, want string) {
			t.Helper()
			a := g.send(request{method: "GET", path: "/api/leaderboard" + query, launch: launch(eve.TelegramID, g.clock.Now())})
			if a.status != 200 || a.body != want {
				t.Errorf("%s: %d %s\nwant %s", query, a.status, a.body, want)
			}
		}
		row := func(rank string, p models.Player, coins string) string {
			return fmt.Sprintf(`{"first_name":%q,"game_mcbk":%s,"game_points":0,"photo_url":%q,"purchased_mcbk":0,"rank":%s,"telegram_id":%d,"total_days_in_game":0,"username":%q}`,
				p.FirstName, coins, p.PhotoURL, rank, p.TelegramID, p.Username)
		}
		board := func(more bool, me string, rows string) string {
			return fmt.Sprintf(`{"hasMore":%t,"leaderboard":[%s],"me":%s}`+"\n", more, rows, me)
		}
		says("", board(false, row("null", eve, "0.01"), ""))
		modelstest.NoError(t, g.store.Leaderboard.BuildRanks(t.Context()))
		first, second, third := row("1", bob, "0.03"), row("2", ann, "0.01"), row("3", eve, "0.01")
		says("", board(false, third, first+","+second+","+third))
		says("?type=coins&limit=1", board(true, third, first))
		says("?limit=2&offset=1", board(false, third, second+","+third))
		says("?limit=2&offset=3", board(false, third, ""))
		for _, kind := range []string{"points", "purchased_coins"} { // all zero, so the oldest player is first
			says("?type="+kind, board(false, third, row("1", ann, "0.01")+","+row("2", bob, "0.03")+","+third))
		}
		g.asks(launch(bob.TelegramID, g.clock.Now()), "GET", "/user/me", "", 200, map[string]string{"stats.leaderboard_rank": "1"})
		for query, status := range map[string]int{"?type=wealth": 400, "?limit=0": 400, "?limit=101": 400, "?offset=-1": 400, "?offset=10001": 400, "?offset=10000": 200} {
			g.asks(launch(eve.TelegramID, g.clock.Now()), "GET", "/leaderboard"+query, "", status, nil)
		}
	})
}

func TestLeaderboardPageIsCachedForHalfASecond(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, g *table) {
		first, second := modelstest.Player(t, g.store, modelstest.Tapped(30)), modelstest.Player(t, g.store, modelstest.Tapped(10))
		modelstest.NoError(t, g.store.Leaderboard.BuildRanks(t.Context()))
		shown := func(p models.Player) {
			t.Helper()
			best := map[string]string{"leaderboard.0.telegram_id": fmt.Sprint(p.TelegramID)}
			g.asks(launch(second.TelegramID, g.clock.Now()), "GET", "/leaderboard", "", 200, best)
		}
		shown(first)
		modelstest.Done(t, g.store, players.ActionBan, fmt.Sprint(first.ID), "a bot")
		modelstest.NoError(t, g.store.Leaderboard.RefreshRanks(t.Context(), g.store.Leaderboard.DrainChanged()))
		g.clock.Step(499 * time.Millisecond)
		shown(first)
		g.clock.Step(time.Millisecond)
		shown(second)
	})
}

func TestListContinuesOnlyWithinLargestOffset(t *testing.T) {
	for page, want := range map[models.Page]bool{{Limit: 100}: true, {Limit: 100, Offset: 9_900}: true, {Limit: 100, Offset: 9_901}: false, {Limit: 1, Offset: 10_000}: false} {
		if got := api.GoesOn(true, page); got != want {
			t.Errorf("after %+v it goes on: %t", page, got)
		}
		if api.GoesOn(false, page) {
			t.Errorf("after %+v it goes on without more", page)
		}
	}
}

func TestLeaderboardTimesOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		err := api.RenderBoard(t.Context(), func(ctx context.Context) error {
			<-ctx.Done()
			return ctx.Err()
		})
		if took := time.Since(began); !errors.Is(err, context.DeadlineExceeded) || took != 8*time.Second {
			t.Errorf("after %s: %v", took, err)
		}
	})
}
