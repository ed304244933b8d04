package ton

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/tonkeeper/tongo/boc"
)

// Hash is SHA-256 as the chain computes it over a cell.
type Hash [32]byte

const (
	longestBoC = 4 << 20 // bytes; a page of sixteen transactions takes some twenty thousand
	deepest    = 1024    // cells below each other, as the chain allows
	mostProof  = 100_000 // cells of a proof, counted at each reference; one takes some hundreds
)

// parseCells parses a bag of cells from an untrusted sender. Since tongo is recursive, it limits size and depth. It refuses pruned
// branches, which keep the hash of the removed cells and which tongo reads as empty. In a proof, whose dictionaries tongo walks, it counts
// repeated references, which could form an endless tree.
func parseCells(bag []byte, whole bool) ([]*boc.Cell, error) {
	if len(bag) > longestBoC {
		return nil, fmt.Errorf("bag of %d bytes", len(bag))
	}
	roots, err := boc.DeserializeBoc(bag)
	if err != nil {
		return nil, err
	}
	shapes := map[*boc.Cell]shape{}
	for _, root := range roots {
		if err := measure(root, shapes); err != nil {
			return nil, err
		}
		if !whole && shapes[root].size > mostProof {
			return nil, errors.New("a proof is too large")
		}
		if whole && shapes[root].level != 0 {
			return nil, errors.New("a branch of the tree is missing")
		}
	}
	return roots, nil
}

// shape is the depth, size and level of a cell's subtree.
type shape struct {
	depth int
	size  int // as a tree; not counted far beyond mostProof
	level int // number of enclosing Merkle proofs
}

// measure records the shape of every cell, without recursion.
func measure(root *boc.Cell, shapes map[*boc.Cell]shape) error {
	for todo := []*boc.Cell{root}; len(todo) > 0; {
		cell := todo[len(todo)-1]
		refs := cell.Refs()
		pending := len(todo)
		for _, ref := range refs {
			if _, known := shapes[ref]; !known {
				todo = append(todo, ref)
			}
		}
		if len(todo) > pending {
			if len(todo) > 4*deepest {
				return errors.New("tree of cells is too deep")
			}
			continue
		}
		todo = todo[:pending-1]
		s, err := above(cell, refs, shapes)
		if err != nil {
			return err
		}
		shapes[cell] = s
	}
	return nil
}

func above(cell *boc.Cell, refs []*boc.Cell, shapes map[*boc.Cell]shape) (s shape, err error) {
	s.size = 1
	for _, ref := range refs {
		s.size = min(s.size+shapes[ref].size, mostProof+1)
		s.depth = max(s.depth, shapes[ref].depth+1)
		s.level = max(s.level, shapes[ref].level)
	}
	if s.depth > deepest {
		return s, errors.New("tree of cells is too deep")
	}
	switch cell.CellType() {
	case boc.PrunedBranchCell:
		s.level, err = prunedLevel(cell)
	case boc.MerkleProofCell, boc.MerkleUpdateCell:
		s.level = max(s.level-1, 0)
	case boc.OrdinaryCell, boc.LibraryCell:
	default:
		err = fmt.Errorf("cell of unknown type %d", cell.CellType())
	}
	return s, err
}

// prunedLevel reads the level from the cell's hashed data; the descriptor that tongo uses is the sender's claim.
func prunedLevel(cell *boc.Cell) (int, error) {
	defer cell.ShallowResetCounters()
	mask, err := cell.ReadUint(16)
	if err != nil {
		return 0, fmt.Errorf("pruned branch: %w", err)
	}
	switch mask & 0xff {
	case 0:
		return 0, errors.New("pruned branch of level 0")
	case 1:
		return 1, nil
	case 2, 3:
		return 2, nil
	}
	return 3, nil
}

// hashOf computes the hash of a cell that parseCells accepted as whole.
func hashOf(cell *boc.Cell) (Hash, error) {
	h, err := cell.Hash256()
	return Hash(h), err
}

// opcode returns the first 32 bits of a message's body, and whether it has that many.
func opcode(body *boc.Cell) (uint32, bool) {
	b, err := body.ReadBytes(4)
	if err != nil {
		return 0, false
	}
	return binary.BigEndian.Uint32(b), true
}
