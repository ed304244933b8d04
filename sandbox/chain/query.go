package chain

import (
	"bytes"
	"errors"
	"fmt"
	"math/big"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"
	"github.com/xssnick/tonutils-go/tvm/tuple"
	"github.com/xssnick/tonutils-go/tvm/vm"
)

// pageSize is the maximum of transactions per response.
const pageSize = 16

// noCode is the exit code of a get method without a contract.
const noCode = -256

func (v view) answer(query tl.Serializable) (tl.Serializable, error) {
	if q, ok := query.(ton.SendMessage); ok {
		if _, err := v.Send(q.Body); err != nil {
			return nil, ton.LSError{Code: 0, Text: "cannot apply external message to current state : " + err.Error()}
		}
		return ton.SendMessageStatus{Status: 1}, nil
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	switch q := query.(type) {
	case ton.GetMasterchainInf:
		head, _ := v.find(v.limit)
		zero := ton.ZeroStateIDExt{Workchain: -1, RootHash: make([]byte, 32), FileHash: make([]byte, 32)}
		return ton.MasterchainInfo{Last: head.master, StateRootHash: head.master.RootHash, Init: &zero}, nil
	case ton.GetTime:
		return ton.CurrentTime{Now: v.now()}, nil
	case ton.GetVersion:
		return ton.Version{Version: 0x101, Capabilities: 7, Now: v.now()}, nil
	case ton.LookupBlock:
		return v.lookup(q)
	case ton.GetBlockHeader:
		return v.blockHeader(q.ID, q.Mode)
	case ton.GetAccountState:
		return v.accountState(q.ID, addressOf(q.Account))
	case ton.GetTransactions:
		return v.transactions(q)
	case ton.RunSmcMethod:
		return v.method(q)
	}
	return nil, ton.LSError{Code: 621, Text: fmt.Sprintf("query %T is not played", query)}
}

var errNoBlock = ton.LSError{Code: 651, Text: "block is not found"}

func (v view) lookup(q ton.LookupBlock) (tl.Serializable, error) {
	for i := len(v.blocks) - 1; i >= 0; i-- {
		b := v.blocks[i]
		if b.seqno > v.limit {
			continue
		}
		if q.Mode&1 != 0 && b.seqno == uint32(q.ID.Seqno) || q.Mode&2 != 0 && b.lt/ltStep == q.LT/ltStep || q.Mode&4 != 0 && b.utime <= q.UTime {
			return b.answer(q.ID.Workchain, q.Mode), nil
		}
	}
	return nil, errNoBlock
}

func (v view) blockHeader(id *ton.BlockIDExt, mode uint32) (tl.Serializable, error) {
	b, ok := v.find(id.SeqNo)
	if !ok || id.SeqNo > v.limit {
		return nil, errNoBlock
	}
	return b.answer(id.Workchain, mode), nil
}

func (b block) answer(workchain int32, mode uint32) ton.BlockHeader {
	if workchain == -1 {
		return ton.BlockHeader{ID: b.master, Mode: mode, HeaderProof: merkle(b.masterHeader).ToBOC()}
	}
	return ton.BlockHeader{ID: b.shard, Mode: mode, HeaderProof: merkle(b.shardHeader).ToBOC()}
}

func (v view) accountState(id *ton.BlockIDExt, of *address.Address) (tl.Serializable, error) {
	at, ok := v.find(id.SeqNo)
	if !ok || at.seqno > v.limit || !bytes.Equal(at.master.RootHash, id.RootHash) {
		return nil, errNoBlock
	}
	resp := ton.AccountState{ID: id, Shard: at.shard, ShardProof: []*cell.Cell{merkle(at.shardHeader), merkle(at.shardHeader)}}
	accounts, err := tlb.NewShardAccountsAugDict()
	if err != nil {
		return nil, err
	}
	if past := v.past(of, at.seqno); len(past) > 0 {
		state, err := shardAccount(past[len(past)-1].after)
		if err != nil {
			return nil, err
		}
		resp.State = state.Account
		state.LastTransHash = past[len(past)-1].hash // as this server shows it
		shown, err := tlb.ToCell(state)
		if err != nil {
			return nil, err
		}
		if err := accounts.Set(cell.BeginCell().MustStoreSlice(of.Data(), 256).EndCell(), shown); err != nil {
			return nil, err
		}
	}
	state := tlb.ShardStateUnsplit{
		GlobalID: v.cfg.GlobalID, ShardIdent: tlb.ShardIdent{WorkchainID: 0}, Seqno: at.seqno,
		GenUTime: at.utime, GenLT: at.lt, MinRefMCSeqno: at.seqno, OutMsgQueueInfo: zeros(67), Stats: zeros(140),
	}
	state.Accounts.ShardAccounts = accounts
	root, err := tlb.ToCell(state)
	if err != nil {
		return nil, err
	}
	resp.Proof = []*cell.Cell{merkle(at.shardHeader), merkle(root)}
	return resp, nil
}

func (v view) transactions(q ton.GetTransactions) (tl.Serializable, error) {
	var list ton.TransactionList
	past := v.past(addressOf(*q.AccID), v.limit)
	at := -1
	for i, tx := range past {
		if tx.lt == uint64(q.LT) && bytes.Equal(tx.hash, q.TxHash) {
			at = i
		}
	}
	if at < 0 || v.fault == Forgetful && at < len(past)-1 {
		return nil, ton.LSError{Code: -400, Text: "cannot locate transaction in block with specified logical time"}
	}
	var roots []*cell.Cell
	for i := at; i >= 0 && len(roots) < min(int(q.Limit), pageSize); i-- { // newest first
		if v.fault == Forgetful && len(roots) > 0 {
			break
		}
		tx := past[i].cell
		if v.fault == Lying {
			var err error
			if tx, err = tenfold(tx); err != nil {
				return nil, err
			}
		}
		list.IDs, roots = append(list.IDs, past[i].block), append(roots, tx)
	}
	list.Transactions = cell.ToBOCWithOptions(roots, cell.BOCSerializeOptions{WithCRC32C: true})
	return list, nil
}

// past is an account's history as this server shows it.
func (v view) past(of *address.Address, seqno uint32) []transaction {
	past := v.asOf(of, min(seqno, v.limit))
	if v.fault != Differing || len(past) == 0 {
		return past
	}
	past = append([]transaction(nil), past...)
	last := &past[len(past)-1]
	if altered, err := tenfold(last.cell); err == nil {
		last.cell, last.hash = altered, altered.Hash()
	}
	return past
}

// tenfold is the transaction with ten times the value; without an incoming value its time is altered.
func tenfold(tx *cell.Cell) (*cell.Cell, error) {
	slice, err := tx.BeginParse()
	if err != nil {
		return nil, err
	}
	var t tlb.Transaction
	if err := tlb.LoadFromCell(&t, slice); err != nil {
		return nil, err
	}
	if t.IO.In != nil && t.IO.In.MsgType == tlb.MsgTypeInternal {
		in := t.IO.In.AsInternal()
		in.Amount = tlb.FromNanoTON(new(big.Int).Mul(in.Amount.Nano(), big.NewInt(10)))
	} else {
		t.Now++
	}
	return tlb.ToCell(&t)
}

func (v view) method(q ton.RunSmcMethod) (tl.Serializable, error) {
	var params tlb.Stack
	if root, err := cell.FromBOC(q.Params); err == nil {
		slice, err := root.BeginParse()
		if err != nil {
			return nil, err
		}
		if err := params.LoadFromCell(slice); err != nil {
			return nil, err
		}
	}
	code, result, err := v.call(addressOf(q.Account), q.MethodID, &params)
	if err != nil {
		return nil, err
	}
	resp := ton.RunMethodResult{Mode: q.Mode & 4, ID: q.ID, ShardBlock: v.head().shard, ExitCode: code, Result: cell.BeginCell().EndCell()}
	if result != nil {
		if resp.Result, err = result.ToCell(); err != nil {
			return nil, err
		}
	}
	return resp, nil
}

// call runs a get method; without a contract the code is noCode. The caller holds the lock.
func (c *Chain) call(of *address.Address, method uint64, params *tlb.Stack) (int32, *tlb.Stack, error) {
	a := c.accounts[key(of)]
	if a == nil || !a.state.State().IsValid || a.state.State().Status != tlb.AccountStatusActive {
		return noCode, nil, nil
	}
	stack := vm.NewStack()
	for params.Depth() > 0 {
		value, err := params.Pop()
		if err := errors.Join(err, stack.PushHostValue(value)); err != nil {
			return 0, nil, err
		}
	}
	if err := stack.PushInt(new(big.Int).SetUint64(method)); err != nil {
		return 0, nil, err
	}
	contract := a.state.State().StateInit
	res, err := c.machine.ExecuteGetMethod(contract.Code, contract.Data, tuple.NewTupleValue(), vm.GasWithLimit(1_000_000), stack, tvm.ExecutionConfig{Config: c.prices})
	if err != nil {
		return 0, nil, err
	}
	out, err := tlb.NewStackFromVM(res.Stack)
	return int32(res.ExitCode), out, err
}

func addressOf(a ton.AccountID) *address.Address {
	return address.NewAddress(0, byte(a.Workchain), a.ID)
}

func zeros(bits uint) *cell.Cell {
	return cell.BeginCell().MustStoreSlice(make([]byte, (bits+7)/8), bits).EndCell()
}

// merkle wraps a whole tree as a Merkle proof without pruning.
func merkle(root *cell.Cell) *cell.Cell {
	c, err := cell.BeginCell().MustStoreUInt(3, 8).MustStoreSlice(root.Hash(), 256).MustStoreUInt(uint64(root.Depth()), 16).
		MustStoreRef(root).EndCellSpecial(true)
	if err != nil {
		panic(err) // the shape is fixed
	}
	return c
}
