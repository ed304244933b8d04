package chain

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// line is a stored transaction; cells are bags of cells.
type line struct {
	Account  string `json:"account"`
	Seqno    uint32 `json:"seqno"`
	RootHash []byte `json:"root_hash"`
	FileHash []byte `json:"file_hash"`
	Cell     []byte `json:"transaction"`
	After    []byte `json:"after"`
	Storage  []byte `json:"storage,omitempty"`
}

// load reads the file and opens it for writing; it returns the number of the last block with transactions.
func (c *Chain) load() (uint32, error) {
	if c.cfg.File == "" {
		return 0, nil
	}
	last, whole, err := c.read()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	file, err := os.OpenFile(c.cfg.File, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return 0, err
	}
	// The sandbox was killed while writing a line.
	if err := errors.Join(file.Truncate(whole), second(file.Seek(whole, io.SeekStart))); err != nil {
		return 0, errors.Join(err, file.Close())
	}
	c.journal = file
	return last, nil
}

func second(_ int64, err error) error { return err }

// read returns the last block's number, and the length of the file's complete lines.
func (c *Chain) read() (last uint32, whole int64, err error) {
	file, err := os.Open(c.cfg.File)
	if err != nil {
		return 0, 0, err
	}
	defer func() { _ = file.Close() }()
	lines := bufio.NewReader(file)
	for {
		text, err := lines.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return last, whole, nil
		}
		if err != nil {
			return 0, 0, err
		}
		var l line
		if err := json.Unmarshal(text, &l); err != nil {
			return 0, 0, err
		}
		if err := c.recall(l); err != nil {
			return 0, 0, fmt.Errorf("transaction of %s: %w", l.Account, err)
		}
		last, whole = l.Seqno, whole+int64(len(text))
	}
}

func (c *Chain) recall(l line) error {
	of, err := address.ParseRawAddr(l.Account)
	if err != nil {
		return err
	}
	a, err := c.account(of)
	if err != nil {
		return err
	}
	tx, err := cell.FromBOC(l.Cell)
	if err != nil {
		return err
	}
	after, err := cell.FromBOC(l.After)
	if err != nil {
		return err
	}
	state, err := shardAccount(after)
	if err != nil {
		return err
	}
	if a.state, err = tvm.PrepareAccount(state, of); err != nil {
		return err
	}
	a.storage = nil
	if len(l.Storage) > 0 {
		if a.storage, err = cell.FromBOC(l.Storage); err != nil {
			return err
		}
	}
	a.past = append(a.past, transaction{
		lt: state.LastTransLT, hash: state.LastTransHash, cell: tx, after: after,
		block: &ton.BlockIDExt{Shard: wholeShard, SeqNo: l.Seqno, RootHash: l.RootHash, FileHash: l.FileHash},
	})
	return nil
}

func shardAccount(after *cell.Cell) (*tlb.ShardAccount, error) {
	slice, err := after.BeginParse()
	if err != nil {
		return nil, err
	}
	var state tlb.ShardAccount
	return &state, tlb.LoadFromCell(&state, slice)
}

// write appends the newest block's transactions, each account's in order. An account may be repeated.
func (c *Chain) write(touched []*account) error {
	if c.journal == nil {
		return nil
	}
	var text []byte
	written := map[*account]bool{}
	for _, a := range touched {
		if written[a] {
			continue
		}
		written[a] = true
		first := len(a.past)
		for first > 0 && a.past[first-1].block.SeqNo == c.head().seqno {
			first--
		}
		for _, tx := range a.past[first:] {
			one, err := json.Marshal(a.line(tx))
			if err != nil {
				return err
			}
			text = append(append(text, one...), '\n')
		}
	}
	_, err := c.journal.Write(text)
	return err
}

func (a *account) line(tx transaction) line {
	l := line{
		Account: key(a.state.Address()), Seqno: tx.block.SeqNo, RootHash: tx.block.RootHash, FileHash: tx.block.FileHash,
		Cell: tx.cell.ToBOC(), After: tx.after.ToBOC(),
	}
	if a.storage != nil {
		l.Storage = a.storage.ToBOC()
	}
	return l
}
