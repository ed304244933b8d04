package ranks

import "math/bits"

// counts is how many entries each block has, as a Fenwick tree: counts[i] covers as many blocks as the lowest set bit of i, the
// last of which is the i-th. Sums and changes take one step per bit.
type counts []int // from 1; counts[0] is not used

func (c *counts) reset(blocks [][]Entry) {
	*c = append((*c)[:0], make([]int, len(blocks)+1)...)
	tree := *c
	for i, block := range blocks {
		at := i + 1
		tree[at] += len(block)
		if up := at + at&-at; up < len(tree) {
			tree[up] += tree[at]
		}
	}
}

// add changes the count of the i-th block, from 0.
func (c counts) add(i, n int) {
	for i++; i < len(c); i += i & -i {
		c[i] += n
	}
}

// before returns how many entries the first blocks have.
func (c counts) before(blocks int) (entries int) {
	for i := blocks; i > 0; i -= i & -i {
		entries += c[i]
	}
	return entries
}

// find returns the block that holds the entry after the first entries ones, and its index there; the number of blocks if there is
// none.
func (c counts) find(entries int) (block, at int) {
	for step := 1 << bits.Len(uint(len(c))) >> 1; step > 0; step >>= 1 { //nolint:gosec // a length is not negative
		if next := block + step; next < len(c) && c[next] <= entries {
			block, entries = next, entries-c[next]
		}
	}
	return block, entries
}
