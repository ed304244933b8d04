package chain

import (
	"crypto/sha256"

	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// wholeShard is the shard that holds every account of its workchain.
const wholeShard = int64(-0x8000000000000000)

// block is one block of each chain; their numbers are equal.
type block struct {
	seqno         uint32
	utime         uint32
	lt            uint64 // its last logical time
	master, shard *ton.BlockIDExt
	masterHeader  *cell.Cell
	shardHeader   *cell.Cell
}

// begin seals the first block.
func (c *Chain) begin(seqno uint32) {
	c.lt = uint64(seqno) * ltStep
	none := tlb.ExtBlkRef{SeqNo: seqno - 1, RootHash: make([]byte, 32), FileHash: make([]byte, 32)}
	c.add(c.build(seqno, none, none))
}

// seal closes the current block; the caller holds the lock.
func (c *Chain) seal() {
	last := c.head()
	c.add(c.build(last.seqno+1, last.ref(last.master), last.ref(last.shard)))
	if len(c.blocks) > 2*keptBlocks {
		c.blocks = append([]block(nil), c.blocks[len(c.blocks)-keptBlocks:]...)
	}
}

func (c *Chain) add(b block) {
	c.blocks = append(c.blocks, b)
	c.lt = uint64(b.seqno+1) * ltStep
	close(c.sealed)
	c.sealed = make(chan struct{})
}

func (c *Chain) head() block { return c.blocks[len(c.blocks)-1] }

// find returns a stored block by number.
func (c *Chain) find(seqno uint32) (block, bool) {
	first := c.blocks[0].seqno
	if seqno < first || seqno > c.head().seqno {
		return block{}, false
	}
	return c.blocks[seqno-first], true
}

func (b block) ref(id *ton.BlockIDExt) tlb.ExtBlkRef {
	return tlb.ExtBlkRef{EndLt: b.lt, SeqNo: b.seqno, RootHash: id.RootHash, FileHash: id.FileHash}
}

func (c *Chain) build(seqno uint32, master, shard tlb.ExtBlkRef) block {
	b := block{seqno: seqno, utime: c.now(), lt: c.lt}
	b.shard, b.shardHeader = c.header(b, 0, shard, &master)
	b.master, b.masterHeader = c.header(b, -1, master, nil)
	return b
}

func (c *Chain) header(b block, workchain int32, prev tlb.ExtBlkRef, master *tlb.ExtBlkRef) (*ton.BlockIDExt, *cell.Cell) {
	var h tlb.BlockHeader
	h.NotMaster, h.MasterRef = master != nil, master
	h.SeqNo, h.GenUtime, h.StartLt, h.EndLt = b.seqno, b.utime, uint64(b.seqno)*ltStep, b.lt
	h.Shard = tlb.ShardIdent{WorkchainID: workchain}
	h.PrevRef = tlb.BlkPrevInfo{Prev1: prev}
	info, err := tlb.ToCell(h)
	if err != nil {
		panic(err) // the header is fixed in shape
	}
	root := cell.BeginCell().MustStoreUInt(0x11ef55aa, 32).MustStoreInt(int64(c.cfg.GlobalID), 32).MustStoreRef(info).EndCell()
	file := sha256.Sum256(root.ToBOC())
	return &ton.BlockIDExt{Workchain: workchain, Shard: wholeShard, SeqNo: b.seqno, RootHash: root.Hash(), FileHash: file[:]}, root
}
