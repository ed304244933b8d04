// Package ranks keeps in memory who is how far ahead: the exact place of each of many millions of
// players, found and changed in about a microsecond. It knows nothing of where scores come from.
package ranks

import (
	"cmp"
	"slices"
	"sort"
	"sync"
	"unsafe"
)

// Entry is a player's score.
type Entry struct {
	Score int64
	ID    int64 // the player's
}

// before tells that an entry has the better place: the higher score, or of equal scores the lower id.
func (e Entry) before(other Entry) bool { return e.compare(other) < 0 }

func (e Entry) compare(other Entry) int {
	return cmp.Or(cmp.Compare(other.Score, e.Score), cmp.Compare(e.ID, other.ID))
}

// How entries lie on blocks. A block is moved within when an entry is put on it, and all are looked
// over when one is added: 10 million entries lie on some 13,000.
const (
	room   = 1024         // entries a block has room for
	packed = room * 3 / 4 // entries a new block gets, so that the next ones find room
	thin   = room / 4     // entries below which a block is put together with its neighbour
)

// Board has an entry for each player, in the order of their places. All its methods may be called at any time.
type Board struct {
	mu     sync.RWMutex
	blocks [][]Entry // each in order, none empty, and each before the next
	firsts []Entry   // of each block, side by side: looking for a block touches little memory
	counts counts    // of each block
	scores scores    // by player, to find the entry that a new score replaces
}

// NewBoard makes a board of entries in ascending order of their ids, at most one of each player, whose scores are not negative.
// It needs as much room again for a moment.
func NewBoard(entries []Entry) *Board {
	entries = inOrder(entries)
	b := &Board{scores: scores{}}
	for part := range slices.Chunk(entries, packed) {
		b.blocks = append(b.blocks, append(make([]Entry, 0, room), part...))
	}
	for _, e := range entries {
		b.scores.set(e.ID, e.Score)
	}
	b.recount()
	return b
}

// Set gives a player a score, which is not negative.
func (b *Board) Set(e Entry) {
	b.mu.Lock()
	defer b.mu.Unlock()
	old, known := b.scores.of(e.ID)
	if known && old == e.Score {
		return
	}
	if known {
		b.take(Entry{old, e.ID})
	}
	b.put(e)
	b.scores.set(e.ID, e.Score)
}

// Remove takes a player off the board.
func (b *Board) Remove(id int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if old, known := b.scores.of(id); known {
		b.take(Entry{old, id})
		b.scores.forget(id)
	}
}

// Place is where a player with that score stands among all others, from 1. The player need not be on the board, nor with that score.
func (b *Board) Place(e Entry) int {
	b.mu.RLock()
	defer b.mu.RUnlock()
	place := 1
	if len(b.blocks) > 0 {
		block := b.blockOf(e)
		at, _ := slices.BinarySearchFunc(b.blocks[block], e, Entry.compare)
		place += b.counts.before(block) + at
	}
	if old, known := b.scores.of(e.ID); known && (Entry{old, e.ID}).before(e) {
		place-- // nobody stands behind themselves
	}
	return place
}

// Page is the entries after the first offset ones, at most limit.
func (b *Board) Page(offset, limit int) []Entry {
	b.mu.RLock()
	defer b.mu.RUnlock()
	var page []Entry
	block, at := b.counts.find(offset)
	for ; block < len(b.blocks) && len(page) < limit; block, at = block+1, 0 {
		rest := b.blocks[block][at:]
		page = append(page, rest[:min(len(rest), limit-len(page))]...)
	}
	return page
}

// Len is how many players are on the board.
func (b *Board) Len() int {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.counts.before(len(b.blocks))
}

// Bytes is about how much memory the board takes.
func (b *Board) Bytes() int64 {
	b.mu.RLock()
	defer b.mu.RUnlock()
	entry := int64(unsafe.Sizeof(Entry{}))
	return int64(len(b.blocks))*(room+1)*entry + int64(len(b.scores))*int64(unsafe.Sizeof(leaf{}))
}

// blockOf is the block on which an entry lies, or would. There is one at least.
func (b *Board) blockOf(e Entry) int {
	after := sort.Search(len(b.firsts), func(i int) bool { return e.before(b.firsts[i]) })
	return max(after-1, 0)
}

// put lays down an entry that is not there.
func (b *Board) put(e Entry) {
	if len(b.blocks) == 0 {
		b.blocks = [][]Entry{append(make([]Entry, 0, room), e)}
		b.recount()
		return
	}
	i := b.blockOf(e)
	at, _ := slices.BinarySearchFunc(b.blocks[i], e, Entry.compare)
	if len(b.blocks[i]) < room {
		b.blocks[i] = slices.Insert(b.blocks[i], at, e)
		b.firsts[i] = b.blocks[i][0]
		b.counts.add(i, 1)
		return
	}
	// The last block, where newcomers arrive one after another, is left full.
	keep := room / 2
	if at == room {
		keep = room
	}
	next := append(make([]Entry, 0, room), b.blocks[i][keep:]...)
	b.blocks[i] = b.blocks[i][:keep]
	b.blocks = slices.Insert(b.blocks, i+1, next)
	if at >= keep {
		b.blocks[i+1] = slices.Insert(next, at-keep, e)
	} else {
		b.blocks[i] = slices.Insert(b.blocks[i], at, e)
	}
	b.recount()
}

// take picks up an entry that is there.
func (b *Board) take(e Entry) {
	i := b.blockOf(e)
	at, _ := slices.BinarySearchFunc(b.blocks[i], e, Entry.compare)
	b.blocks[i] = slices.Delete(b.blocks[i], at, at+1)
	b.counts.add(i, -1)
	if len(b.blocks[i]) > 0 {
		b.firsts[i] = b.blocks[i][0]
	}
	if len(b.blocks[i]) >= thin {
		return
	}
	left := max(i-1, 0)
	switch right := left + 1; {
	case right < len(b.blocks) && len(b.blocks[left])+len(b.blocks[right]) <= packed:
		b.blocks[left] = append(b.blocks[left], b.blocks[right]...)
		b.blocks = slices.Delete(b.blocks, right, right+1)
	case len(b.blocks[i]) == 0:
		b.blocks = slices.Delete(b.blocks, i, i+1)
	default:
		return
	}
	b.recount()
}

// recount makes of the blocks what is kept about them.
func (b *Board) recount() {
	b.firsts = slices.Grow(b.firsts[:0], len(b.blocks))
	for _, block := range b.blocks {
		b.firsts = append(b.firsts, block[0])
	}
	b.counts.reset(b.blocks)
}
