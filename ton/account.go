package ton

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/tonkeeper/tongo/boc"
	"github.com/tonkeeper/tongo/liteclient"
	"github.com/tonkeeper/tongo/tlb"

	"mcbk/game"
)

// Account is an account at one block, by a majority of lite servers.
type Account struct {
	Block        Block
	Balance      game.Nanoton
	Wallet       bool      // its contract is a known, deployed wallet
	Key          WalletKey // zero without a known wallet
	SingleSource bool      // only one of several servers has it, and may have made it up
}

// Account looks up an account's current state. The error is ErrNoServer, ErrDiffer, the configuration's or ctx's. It takes at most some
// 15 s.
func (r *Reader) Account(ctx context.Context, account Address, now time.Time) (Account, error) {
	servers, err := r.choose(ctx)
	if err != nil {
		return Account{}, err
	}
	seen, states, err := r.account(ctx, servers, account, now)
	if !errors.Is(ctx.Err(), context.Canceled) { // a cancelled caller is no failure of the servers
		r.putBack(servers, states)
	}
	return seen, err
}

func (r *Reader) account(ctx context.Context, servers []*server, account Address, now time.Time) (seen Account, states []ServerState, err error) {
	states, fresh, seqno := r.upToDate(ctx, servers, now)
	accounts := gather(ctx, r.grace, fresh, states, func(ctx context.Context, i int) (Account, error) {
		return servers[i].account(ctx, account, seqno)
	})
	if ctx.Err() != nil {
		return Account{}, states, ctx.Err()
	}
	seen, holders, err := agree(accounts, fresh, states)
	seen.SingleSource = len(holders) == 1 && len(servers) > 1
	return seen, states, err
}

// account returns the account as of the masterchain's block of this number, by one server.
func (s *server) account(ctx context.Context, account Address, seqno uint32) (Account, error) {
	return ask(ctx, s, func(ctx context.Context, c *liteclient.Client) (seen Account, err error) {
		block, state, err := s.state(ctx, c, account, seqno)
		if err != nil {
			return seen, err
		}
		if len(state.State) > 0 {
			if seen, err = accountOf(state.State, account); err != nil {
				return seen, &LieError{"the account cannot be read: " + err.Error()}
			}
		}
		seen.Block = block
		return seen, nil
	})
}

// accountOf parses an account's state only up to a wallet's key: the owner controls the rest.
func accountOf(bag []byte, of Address) (a Account, err error) {
	roots, err := parseCells(bag, true)
	if err != nil {
		return a, err
	}
	if len(roots) != 1 {
		return a, errors.New("a state of several roots")
	}
	cell := roots[0]
	var head struct {
		Magic   tlb.Magic `tlb:"account$1"`
		Address tlb.MsgAddress
		Storage tlb.StorageInfo
		LT      uint64
		Balance nanotons
	}
	if err := tlb.Unmarshal(cell, &head); err != nil {
		return a, err
	}
	whose := head.Address.AddrStd
	if head.Address.SumType != "AddrStd" || whose.WorkchainId != of.Workchain || whose.Address != of.Hash {
		return a, errors.New("the state is another account's")
	}
	if head.Balance > math.MaxInt64 {
		return a, fmt.Errorf("a balance of %d nanoton", head.Balance)
	}
	a.Balance = game.Nanoton(head.Balance) //nolint:gosec // compared above
	if a.Key, err = deployedKey(cell); errors.Is(err, ErrNoWallet) {
		return a, nil
	}
	a.Wallet = err == nil
	return a, err
}

// nanotons is an amount of TON; other currencies are skipped, since a server may send an endless dictionary of them.
type nanotons tlb.Grams

// UnmarshalTLB implements tlb.UnmarshalerTLB.
func (n *nanotons) UnmarshalTLB(cell *boc.Cell, decoder *tlb.Decoder) error {
	if err := decoder.Unmarshal(cell, (*tlb.Grams)(n)); err != nil {
		return err
	}
	others, err := cell.ReadBit()
	if err == nil && others {
		_, err = cell.NextRef()
	}
	return err
}

// deployedKey reads a wallet's key from its account's state. ErrNoWallet means no contract, an unknown one, or data without a key.
func deployedKey(cell *boc.Cell) (WalletKey, error) {
	if deployed, err := cell.ReadBit(); err != nil || !deployed {
		return WalletKey{}, ErrNoWallet
	}
	if head, err := cell.ReadUint(5); err != nil || head != plainInit {
		return WalletKey{}, ErrNoWallet
	}
	code, err := cell.NextRef()
	if err != nil {
		return WalletKey{}, err
	}
	data, err := cell.NextRef()
	if err != nil {
		return WalletKey{}, err
	}
	key, err := keyOf(code, data)
	if err != nil {
		return key, ErrNoWallet
	}
	return key, nil
}
