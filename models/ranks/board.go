// Package ranks keeps leaderboards in memory: the exact place of each of many millions of players, found and changed in about a
// microsecond. It knows nothing of where scores come from.
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

// before reports whether an entry has the better place: the higher score, or of equal scores the lower id.
func (e Entry) before(other Entry) bool { return e.compare(other) < 0 }

func (e Entry) compare(other Entry) int {
	return cmp.Or(cmp.Compare(other.Score, e.Score), cmp.Compare(e.ID, other.ID))
}

// Sizes of the blocks that entries are kept in, ordered by place. Inserting moves entries within one block; adding a block scans
// the list of blocks. 10 million entries need some 13,000.
const (
	room   = 1024         // entries that fit in a block
	packed = room * 3 / 4 // entries of a new block, which leaves room for more
	thin   = room / 4     // entries below which a block is merged with its neighbour
)

// Board has an entry for each player, ordered by place. It is safe for concurrent use.
type Board struct {
	mu     sync.RWMutex
	blocks [][]Entry // each in order, none empty, and each before the next
	firsts []Entry   // the first entry of each block, side by side: finding a block touches little memory
	counts counts    // entries per block
	scores scores    // by player, to find the entry that a new score replaces
}

// NewBoard makes a board of entries in ascending order of their ids, at most one per player, with scores that are not negative. It
// needs twice the memory for a moment.
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

// Set sets a player's score, which is not negative.
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

// Place returns the place, from 1, that a player with this score has among all others. The player need not be on the board, nor
// with this score.
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
		place-- // a player is not counted before themselves
	}
	return place
}

// Page returns at most limit entries after the first offset ones.
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

// Len returns how many players are on the board.
func (b *Board) Len() int {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.counts.before(len(b.blocks))
}

// Bytes returns roughly how much memory the board takes.
func (b *Board) Bytes() int64 {
	b.mu.RLock()
	defer b.mu.RUnlock()
	entry := int64(unsafe.Sizeof(Entry{}))
	return int64(len(b.blocks))*(room+1)*entry + int64(len(b.scores))*int64(unsafe.Sizeof(leaf{}))
}

// blockOf returns the block that an entry is in, or would be in. There is at least one.
func (b *Board) blockOf(e Entry) int {
	after := sort.Search(len(b.firsts), func(i int) bool { return e.before(b.firsts[i]) })
	return max(after-1, 0)
}

// put inserts an entry that is not there.
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

// take removes an entry that is there.
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

// recount computes the first entries and counts of the blocks.
func (b *Board) recount() {
	b.firsts = slices.Grow(b.firsts[:0], len(b.blocks))
	for _, block := range b.blocks {
		b.firsts = append(b.firsts, block[0])
	}
	b.counts.reset(b.blocks)
}
