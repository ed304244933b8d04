package ton

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/tonkeeper/tongo/boc"
	"pgregory.net/rapid"
)

func TestUpToDateServersShareNewestMajorityBlock(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	at := func(seqno uint32, age time.Duration) Block { return Block{Seqno: seqno, Time: now.Add(-age)} }
	for name, c := range map[string]struct {
		heads  map[int]Block
		want   []int
		common uint32
		states []State
	}{
		"nobody answers":         {nil, nil, 0, []State{Silent, Silent, Silent}},
		"all are there":          {map[int]Block{0: at(12, 0), 1: at(12, 0), 2: at(12, 0)}, []int{0, 1, 2}, 12, []State{Silent, Silent, Silent}},
		"each has another":       {map[int]Block{0: at(12, 0), 1: at(10, 4*time.Second), 2: at(11, 2*time.Second)}, []int{0, 2}, 11, []State{Silent, Slow, Silent}},
		"one is slow":            {map[int]Block{0: at(12, 0), 1: at(12, 0), 2: at(2, 50*time.Second)}, []int{0, 1}, 12, []State{Silent, Silent, Slow}},
		"one of two is slow":     {map[int]Block{0: at(12, 0), 2: at(2, 50*time.Second)}, []int{0, 2}, 2, []State{Silent, Silent, Silent}},
		"one runs ahead":         {map[int]Block{0: at(90, 0), 1: at(12, 5*time.Second), 2: at(12, 5*time.Second)}, []int{0, 1, 2}, 12, []State{Silent, Silent, Silent}},
		"one is behind":          {map[int]Block{0: at(50, 0), 1: at(10, 61*time.Second)}, []int{0}, 50, []State{Silent, Lagging, Silent}},
		"one is almost behind":   {map[int]Block{0: at(50, 0), 1: at(10, time.Minute)}, []int{0, 1}, 10, []State{Silent, Silent, Silent}},
		"the network stands":     {map[int]Block{0: at(50, time.Hour), 1: at(49, time.Hour+time.Second)}, []int{0, 1}, 49, []State{Silent, Silent, Silent}},
		"one is from the future": {map[int]Block{0: at(50, -time.Minute), 1: at(10, 30*time.Second)}, []int{1}, 10, []State{Ahead, Silent, Silent}},
		"a fast one of three":    {map[int]Block{0: at(90, -59*time.Second), 1: at(12, 2*time.Second), 2: at(12, 2*time.Second)}, []int{0, 1, 2}, 12, []State{Silent, Silent, Silent}},
		"one's clock is fast":    {map[int]Block{0: at(50, -59*time.Second), 1: at(10, 0)}, []int{0, 1}, 10, []State{Silent, Silent, Silent}},
	} {
		states := []ServerState{{State: Silent}, {State: Silent}, {State: Silent}}
		servers, common := upToDate(c.heads, now, states)
		check(t, slices.Equal(servers, c.want) && common == c.common, "%s: %v at %d", name, servers, common)
		for i, s := range states {
			check(t, s.State == c.states[i] && s.Head == c.heads[i], "%s: server %d is %s", name, i, s.State)
		}
	}
}

// Only a majority's view is accepted; slow servers and errors count in the total.
func TestOnlyMajorityIsAccepted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		views := map[int]accountView{}
		states, mute := make([]ServerState, rapid.IntRange(0, 7).Draw(t, "servers")), 0
		var asked []int
		for i := range states {
			states[i].State, states[i].Err = Silent, errors.New("away")
			switch n := rapid.Uint64Range(0, 6).Draw(t, "sees"); n {
			case 0: // not asked, since it was silent before
			case 4:
				states[i].State, states[i].Err = Slow, nil
				mute++
			case 5:
				asked, states[i].Err = append(asked, i), fmt.Errorf("not in time: %w", context.DeadlineExceeded)
			case 6:
				asked, states[i].Err = append(asked, i), errors.New("no such block")
				mute++
			default:
				asked, states[i].Err = append(asked, i), nil
				views[i] = accountView{Block{Seqno: 5}, Cursor{LT: n}}
			}
		}
		seen, holders, err := agree(views, asked, states)
		same := 0
		for i, s := range views {
			if s == seen {
				same++
			}
			if (s == seen && err == nil) != slices.Contains(holders, i) {
				t.Errorf("server %d sees %d, holders are %v", i, s.head.LT, holders)
			}
		}
		most := 0
		for n := uint64(1); n <= 3; n++ {
			count := 0
			for _, s := range views {
				if s.head.LT == n {
					count++
				}
			}
			most = max(most, count)
		}
		switch {
		case len(views) == 0:
			if !errors.Is(err, ErrNoServer) {
				t.Errorf("nobody sees anything: %v", err)
			}
		case 2*most > len(views)+mute:
			if err != nil || same != most || len(holders) != most {
				t.Errorf("%d of %d agree: %v, %d", most, len(views), err, same)
			}
		case most == len(views):
			if !errors.Is(err, ErrNoServer) || len(holders) != 0 {
				t.Errorf("%d agree and %d show nothing: %v", most, mute, err)
			}
		case !errors.Is(err, ErrDiffer) || len(holders) != 0:
			t.Errorf("%d of %d agree, %d show nothing: %v", most, len(views), mute, err)
		}
		for i, s := range states {
			want := Silent
			if _, answered := views[i]; answered && !errors.Is(err, ErrNoServer) {
				want = Differs
			}
			if slices.Contains(holders, i) {
				want = Good
			}
			if s.State != want && s.State != Slow {
				t.Errorf("server %d is %s, not %s", i, s.State, want)
			}
		}
	})
}

// shelf is a server with these transactions that fails after so many pages.
type shelf struct {
	cells map[Cursor]*boc.Cell
	prev  map[Cursor]Cursor
	size  uint32
	bears uint32 // a request for more than so many fails
	pages int
	err   error
	panic bool
}

func (s *shelf) page(_ context.Context, _ Address, at Cursor, most uint32) (page []*boc.Cell, err error) {
	if s.pages == 0 || most > s.bears {
		if s.panic {
			panic("what a server sent is unreadable")
		}
		return nil, s.err
	}
	s.pages--
	for len(page) < int(min(s.size, most)) && s.cells[at] != nil {
		page, at = append(page, s.cells[at]), s.prev[at]
	}
	return page, nil
}

// walked are a walk's transactions, oldest first.
func walked(t *testing.T, account Address, head, since Cursor, servers []pager, blame func(int, error)) ([]Transaction, error) {
	t.Helper()
	var newest []Transaction
	err := walk(t.Context(), account, head, since, servers, blame, func(page []Transaction) error {
		newest = append(newest, page...)
		return nil
	})
	slices.Reverse(newest)
	return newest, err
}

// past is a history of n payments, and a server that has it.
func past(t *testing.T, n int) (all []Cursor, s *shelf) {
	t.Helper()
	s = &shelf{cells: map[Cursor]*boc.Cell{}, prev: map[Cursor]Cursor{}, size: 3, bears: pageSize, pages: 1000}
	var prev Cursor
	for i := range n {
		lt := uint64(i+1) * 10 //nolint:gosec // small
		cell := event{lt: lt, prev: prev, account: treasury, in: &mail{nanotons: lt}}.cell(t)
		h, err := hashOf(cell)
		must(t, err)
		at := Cursor{lt, h}
		s.cells[at], s.prev[at] = cell, prev
		all, prev = append(all, at), at
	}
	return all, s
}

func TestNextServerContinuesAfterFailure(t *testing.T) {
	all, whole := past(t, 12)
	_, tired := past(t, 12)
	tired.pages, tired.err = 2, errors.New("no more")
	_, mad := past(t, 12)
	mad.pages, mad.panic = 0, true
	_, empty := past(t, 12)
	empty.pages = 0
	var blamed []int
	txs, err := walked(t, treasury, all[11], all[1], []pager{tired, mad, empty, whole}, func(i int, err error) {
		blamed = append(blamed, i)
		lie := new(LieError)
		check(t, errors.As(err, &lie) == (i == 1) && errors.Is(err, ErrTruncated) == (i == 2), "server %d failed by %v", i, err)
	})
	if err != nil || !slices.Equal(blamed, []int{0, 1, 2}) || len(txs) != 10 {
		t.Fatalf("%v, %v, %d transactions", err, blamed, len(txs))
	}
	for i, tx := range txs {
		if tx.Cursor != all[i+2] || tx.Prev != all[i+1] || uint64(tx.Value) != tx.LT { //nolint:gosec // small
			t.Errorf("transaction %d is %d of %d", i, tx.LT, tx.Value)
		}
	}
}

func TestTooLargePageIsReadInParts(t *testing.T) {
	all, one := past(t, 40)
	_, other := past(t, 40)
	one.bears, one.err = 3, &LieError{"a bag of eight megabytes"}
	other.bears, other.err = 3, errors.New("not in time")
	states := []ServerState{{State: Good}, {State: Good}}
	txs, err := walked(t, treasury, all[39], all[1], []pager{one, other}, func(i int, err error) { states[i].fail(err) })
	if err != nil || len(txs) != 38 {
		t.Fatalf("%v, %d transactions", err, len(txs))
	}
	for _, s := range states {
		if s.State != Good || s.Err != nil {
			t.Errorf("%s: %v", s.State, s.Err)
		}
	}
	one.bears, other.bears = 0, 0
	if _, err := walked(t, treasury, all[39], all[1], []pager{one, other}, func(i int, err error) { states[i].fail(err) }); !errors.Is(err, ErrNoServer) ||
		states[0].State != Lying || states[1].State != Silent {
		t.Errorf("not even one at a time: %v, %s, %s", err, states[0].State, states[1].State)
	}
}

func TestWalkPassesPagesUntilStopped(t *testing.T) {
	all, s := past(t, 8)
	var pages []int
	enough := errors.New("enough")
	err := walk(t.Context(), treasury, all[7], all[0], []pager{s}, func(int, error) {}, func(page []Transaction) error {
		if page[0].Cursor != all[7-3*len(pages)] {
			t.Errorf("page %d begins with %d", len(pages), page[0].LT)
		}
		if pages = append(pages, len(page)); len(pages) == 2 {
			return enough
		}
		return nil
	})
	check(t, errors.Is(err, enough) && slices.Equal(pages, []int{3, 3}), "%v after %v", err, pages)
}

func TestForeignHistoryIsRefused(t *testing.T) {
	all, s := past(t, 4)
	lies := func(i int, err error) {
		if lie := new(LieError); err != nil && !errors.As(err, &lie) {
			t.Errorf("server %d failed by %v", i, err)
		}
	}
	if txs, err := walked(t, player, all[3], Cursor{}, []pager{s}, lies); !errors.Is(err, ErrNoServer) || txs != nil {
		t.Errorf("another account's: %v", err)
	}
	odd := event{lt: 20, prev: all[3], account: treasury}.cell(t)
	h, err := hashOf(odd)
	must(t, err)
	at := Cursor{20, h}
	s.cells[at], s.prev[at] = odd, all[3]
	txs, err := walked(t, treasury, at, Cursor{}, []pager{s}, lies)
	check(t, errors.Is(err, ErrNoServer) && txs == nil, "one that follows a later one: %v", err)
}
