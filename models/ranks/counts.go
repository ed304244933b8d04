package ranks

import "math/bits"

// counts is how many entries lie on each shelf, as a Fenwick tree: counts[i] covers the shelves that
// end with the i-th and are as many as the lowest set bit of i. Sums and changes take a step for each bit.
type counts []int // from 1; counts[0] is not used

func (c *counts) reset(shelves [][]Entry) {
	*c = append((*c)[:0], make([]int, len(shelves)+1)...)
	tree := *c
	for i, shelf := range shelves {
		at := i + 1
		tree[at] += len(shelf)
		if up := at + at&-at; up < len(tree) {
			tree[up] += tree[at]
		}
	}
}

// add changes the count of the i-th shelf, from 0.
func (c counts) add(i, n int) {
	for i++; i < len(c); i += i & -i {
		c[i] += n
	}
}

// before is how many entries lie on the first shelves.
func (c counts) before(shelves int) (entries int) {
	for i := shelves; i > 0; i -= i & -i {
		entries += c[i]
	}
	return entries
}

// find is the shelf on which the entry after that many lies, and where on it; the number of shelves when there is none.
func (c counts) find(entries int) (shelf, at int) {
	for step := 1 << bits.Len(uint(len(c))) >> 1; step > 0; step >>= 1 { //nolint:gosec // a length is not negative
		if next := shelf + step; next < len(c) && c[next] <= entries {
			shelf, entries = next, entries-c[next]
		}
	}
	return shelf, entries
}
