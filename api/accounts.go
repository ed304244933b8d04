package api

import (
	"context"
	"errors"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"mcbk/ton"
)

// How the chain is asked for players' accounts. (decision 0034: the wallet)
const (
	lookupTimeout  = 4 * time.Second
	lookupsAtOnce  = 16 // in one process
	accountFresh   = 10 * time.Second
	cachedAccounts = 4096 // at most; the least recently seen is evicted
)

// accounts caches accounts of the chain for a few seconds.
type accounts struct {
	ask     func(ctx context.Context, address ton.Address, now time.Time) (ton.Account, error)
	looking chan struct{}
	seen    *lru.Cache[ton.Address, seenAccount]
}

// seenAccount is what was found, or that nothing was.
type seenAccount struct {
	account ton.Account
	err     error
	at      time.Time
}

func newAccounts(ask func(context.Context, ton.Address, time.Time) (ton.Account, error)) *accounts {
	seen, err := lru.New[ton.Address, seenAccount](cachedAccounts)
	if err != nil {
		panic(err) // the size is a constant above zero
	}
	return &accounts{ask: ask, looking: make(chan struct{}, lookupsAtOnce), seen: seen}
}

// account looks up an account for a player: from the cache, or from the chain, which is asked again after a few seconds, also
// where it failed. It refuses with rate_limited; any other error is the chain's.
func (s *Server) account(ctx context.Context, address ton.Address) (ton.Account, error) {
	now := s.now()
	if last, ok := s.accounts.seen.Get(address); ok && now.Sub(last.at).Abs() < accountFresh {
		return last.account, last.err
	}
	if err := s.limits.take(ctx, walletLookups, who(player(ctx))); err != nil {
		return ton.Account{}, err
	}
	return s.accounts.fetch(ctx, address, now)
}

func (a *accounts) fetch(ctx context.Context, address ton.Address, now time.Time) (ton.Account, error) {
	select {
	case a.looking <- struct{}{}:
		defer func() { <-a.looking }()
	default:
		return ton.Account{}, errors.New("too many calls wait for the chain")
	}
	asking, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	account, err := a.ask(asking, address, now)
	if ctx.Err() == nil { // else the player hung up, and the error says nothing about the chain
		a.seen.Add(address, seenAccount{account, err, now})
	}
	return account, err
}
