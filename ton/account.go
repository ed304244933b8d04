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

// Account is an account at one block, as most lite servers show it.
type Account struct {
	Block        Block
	Balance      game.Nanoton
	Wallet       bool      // whether its contract is deployed and is a known wallet
	Key          WalletKey // the wallet's key; zero if it is no known wallet
	SingleSource bool      // whether only one of several servers shows it, whose operator may have made it up
}

// Account looks up an account as it is now. An error is ErrNoServer, ErrDiffer, one of the configuration, or ctx's; it takes some
// 15 s at worst.
func (r *Reader) Account(ctx context.Context, account Address, now time.Time) (Account, error) {
	servers, err := r.choose(ctx)
	if err != nil {
		return Account{}, err
	}
	seen, states, err := r.account(ctx, servers, account, now)
	if !errors.Is(ctx.Err(), context.Canceled) { // a caller who hangs up says nothing about the servers
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

// account returns what the server shows of an account as of the masterchain's block of this number.
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

// accountOf reads an account's state no further than to a wallet's key: anything else in a contract is its owner's choice.
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

// nanotons is an amount of TON with other currencies, which it steps over: a server may send a dictionary of them without end.
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

// deployedKey reads the key of a wallet from its account's state. ErrNoWallet says that there is no contract, or another one, or one
// whose owner put no key into its data.
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
