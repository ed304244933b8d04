package ranks_test

import (
	"cmp"
	"flag"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"mcbk/models/ranks"
)

// TestRanksMatchASort does anything to a board and beside it to a plain map, and compares the board with the map's scores sorted.
func TestRanksMatchASort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		plain := map[int64]int64{}
		ids := rapid.Int64Range(1, 3_000)
		few := rapid.Int64Range(0, 5) // so that many are equal
		many := rapid.Int64Range(0, 1<<50)
		score := rapid.Custom(func(t *rapid.T) int64 { return rapid.OneOf(few, many).Draw(t, "score") })
		var begun []ranks.Entry
		for _, id := range slices.Sorted(slices.Values(rapid.SliceOfDistinct(ids, rapid.ID).Draw(t, "at first"))) {
			plain[id] = score.Draw(t, "score at first")
			begun = append(begun, ranks.Entry{Score: plain[id], ID: id})
		}
		board := ranks.NewBoard(begun)
		t.Repeat(map[string]func(*rapid.T){
			"set": func(t *rapid.T) {
				id := ids.Draw(t, "id")
				plain[id] = score.Draw(t, "score")
				board.Set(ranks.Entry{Score: plain[id], ID: id})
			},
			"remove": func(t *rapid.T) {
				id := ids.Draw(t, "id")
				delete(plain, id)
				board.Remove(id)
			},
			"look": func(t *rapid.T) {
				hypothetical := ranks.Entry{Score: score.Draw(t, "score"), ID: ids.Draw(t, "id")}
				if want, got := placeIn(plain, hypothetical), board.Place(hypothetical); got != want {
					t.Fatalf("%v has place %d, want %d", hypothetical, got, want)
				}
			},
			"": func(t *rapid.T) { same(t, board, plain) },
		})
	})
}

// long is a flag of several packages' tests, which `make test-long` gives.
var long = flag.Bool("long", false, "the long form")

// 100,000 players move about, newcomers and leavers among them, so that blocks fill, split and merge.
func TestMillionChangesKeepSortedOrder(t *testing.T) {
	const players = 100_000
	changes := 200_000 // with the race detector each takes as long as a hundred without
	if *long {
		changes = 1_000_000
	}
	dice := rand.New(rand.NewPCG(7, 7))
	plain := make(map[int64]int64, players)
	begun := make([]ranks.Entry, 0, players)
	for id := int64(1); id <= players; id++ {
		plain[id] = dice.Int64N(1_000)
		begun = append(begun, ranks.Entry{Score: plain[id], ID: id})
	}
	board := ranks.NewBoard(begun)
	for range changes {
		id := 1 + dice.Int64N(players*11/10)
		if dice.IntN(20) == 0 {
			delete(plain, id)
			board.Remove(id)
			continue
		}
		plain[id] += dice.Int64N(1_000_000)
		board.Set(ranks.Entry{Score: plain[id], ID: id})
	}
	same(t, board, plain)
	if each := board.Bytes() / int64(board.Len()); each > 48 {
		t.Errorf("a player takes %d bytes after all the changes, 48 are too many", each)
	}
}

// TestEmptiedBoardFreesMemory also fills it again.
func TestEmptiedBoardFreesMemory(t *testing.T) {
	board := ranks.NewBoard(nil)
	for range 2 {
		for id := int64(1); id <= 5_000; id++ {
			board.Set(ranks.Entry{Score: id % 7, ID: id})
		}
		full := board.Bytes()
		for id := int64(1); id <= 5_000; id++ {
			board.Remove(id)
		}
		if left := board.Bytes(); board.Len() != 0 || left*2 > full {
			t.Errorf("%d players and %d of %d bytes are left", board.Len(), left, full)
		}
		if page := board.Page(0, 10); len(page) > 0 {
			t.Errorf("an empty board shows %v", page)
		}
	}
}

type fataler interface {
	Fatalf(format string, args ...any)
}

// same compares a board with scores by player: every place, and every page.
func same(t fataler, board *ranks.Board, plain map[int64]int64) {
	want := sorted(plain)
	if board.Len() != len(want) {
		t.Fatalf("the board has %d players, want %d", board.Len(), len(want))
	}
	var got []ranks.Entry
	for len(got) < len(want)+1 {
		page := board.Page(len(got), 777)
		if len(page) == 0 {
			break
		}
		got = append(got, page...)
	}
	if !slices.Equal(got, want) {
		t.Fatalf("the board is not what a sort makes")
	}
	for i, e := range want {
		if place := board.Place(e); place != i+1 {
			t.Fatalf("%v has place %d, want %d", e, place, i+1)
		}
	}
}

func sorted(plain map[int64]int64) []ranks.Entry {
	var all []ranks.Entry
	for _, id := range slices.Sorted(maps.Keys(plain)) {
		all = append(all, ranks.Entry{Score: plain[id], ID: id})
	}
	slices.SortStableFunc(all, func(a, b ranks.Entry) int { return cmp.Compare(b.Score, a.Score) })
	return all
}

// placeIn counts who is better than a player with that score, without the player.
func placeIn(plain map[int64]int64, e ranks.Entry) int {
	place := 1
	for id, score := range plain {
		if id != e.ID && (score > e.Score || score == e.Score && id < e.ID) {
			place++
		}
	}
	return place
}
