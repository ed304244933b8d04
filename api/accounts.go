package api

import (
	"context"
	"errors"
	"time"

	"github.com/gin-gonic/gin"
	lru "github.com/hashicorp/golang-lru/v2"

	"mcbk/game"
	"mcbk/ton"
)

// Limits of account look-ups on the chain (decision 0034: the wallet).
const (
	lookupTimeout  = 4 * time.Second
	lookupsAtOnce  = 16 // per process
	accountFresh   = 10 * time.Second
	cachedAccounts = 4096 // maximum; the least recently used is evicted
)

type accounts struct {
	limits *limiter
	load   func(ctx context.Context, address ton.Address, now time.Time) (ton.Account, error)
	slots  chan struct{}
	seen   *lru.Cache[ton.Address, seenAccount]
}

// seenAccount is a look-up's result or error.
type seenAccount struct {
	account ton.Account
	err     error
	at      time.Time
}

func newAccounts(limits *limiter, load func(context.Context, ton.Address, time.Time) (ton.Account, error)) *accounts {
	seen := newCache[ton.Address, seenAccount](cachedAccounts)
	return &accounts{limits: limits, load: load, slots: make(chan struct{}, lookupsAtOnce), seen: seen}
}

// lookup returns an account from the cache or the chain; failures are cached, too. It refuses with rate_limited; any other error is
// the chain's.
func (a *accounts) lookup(ctx context.Context, address ton.Address, who string, now time.Time) (ton.Account, error) {
	if last, ok := a.seen.Get(address); ok && now.Sub(last.at).Abs() < accountFresh {
		return last.account, last.err
	}
	if err := a.limits.take(ctx, walletLookups, who); err != nil {
		return ton.Account{}, err
	}
	return a.fetch(ctx, address, now)
}

func (a *accounts) fetch(ctx context.Context, address ton.Address, now time.Time) (ton.Account, error) {
	select {
	case a.slots <- struct{}{}:
		defer func() { <-a.slots }()
	default:
		return ton.Account{}, errors.New("too many concurrent chain look-ups")
	}
	bounded, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	account, err := a.load(bounded, address, now)
	if ctx.Err() == nil { // otherwise the client hung up, and the error is not the chain's
		a.seen.Add(address, seenAccount{account, err, now})
	}
	return account, err
}

// fetchWalletKey looks up the key of a wallet without state_init before once begins a transaction. A repeated request skips it.
func (g *gateway) fetchWalletKey(next StrictHandlerFunc, operation string) StrictHandlerFunc {
	if operation != "SetWallet" {
		return next
	}
	return func(c *gin.Context, request any) (any, error) {
		change, ok := request.(SetWalletRequestObject)
		if !ok {
			return nil, errors.New("unexpected request type")
		}
		address, err := g.options.Sales.walletAddress(change.Body)
		if err != nil || address == nil || change.Body.Proof == nil {
			return next(c, request) // which refuses invalid input
		}
		if _, err := proofOf(*address, *change.Body.Proof).Key(); !errors.Is(err, ton.ErrNoWallet) {
			return next(c, request)
		}
		known, err := g.isAnswered(c)
		if err != nil {
			return nil, err
		}
		if known {
			return next(c, request)
		}
		ctx := c.Request.Context()
		account, err := g.accounts.lookup(ctx, *address, who(player(c)), g.now())
		if asRefusal(err).Code == rateLimited {
			return nil, err
		}
		if err != nil {
			g.log.WarnContext(ctx, "look up wallet key", "error", err)
			return nil, &game.Refusal{Code: tryAgain, RetryAfter: lookupRetry}
		}
		c.Set(accountKey, account)
		return next(c, request)
	}
}
