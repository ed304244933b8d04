package control

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"time"

	"mcbk-sandbox/chain"
	"mcbk-sandbox/people"
)

// treasury is the owner's name of the game's wallet; other owners are players' ids.
const treasury = "treasury"

// chainState is the response to GET chain; money is in nanotons.
type chainState struct {
	Treasury        string       `json:"treasury"`
	TreasuryBalance uint64       `json:"treasury_balance"`
	Block           uint32       `json:"block"`
	Now             string       `json:"now"`
	Servers         []liteServer `json:"servers"`
	Wallets         []walletOf   `json:"wallets"`
}

type liteServer struct {
	Address string      `json:"address"`
	Fault   chain.Fault `json:"fault"`
}

type walletOf struct {
	Player  int64  `json:"player"`
	Address string `json:"address"`
	Balance uint64 `json:"balance"`
}

func (a *API) readChain(*http.Request) (any, error) {
	own := a.Chain.Treasury.WalletAddress()
	state := chainState{
		Treasury: own.Bounce(false).String(), TreasuryBalance: a.Chain.Chain.Balance(own),
		Block: a.Chain.Chain.Head(), Now: a.Clock.Now().UTC().Format(time.RFC3339),
		Servers: []liteServer{}, Wallets: []walletOf{},
	}
	for _, s := range a.Chain.Servers {
		state.Servers = append(state.Servers, liteServer{s.Address, s.Fault()})
	}
	for _, p := range a.People.All() {
		w, err := a.Chain.Owner(strconv.FormatInt(p.ID, 10))
		if err != nil {
			return nil, err
		}
		of := w.WalletAddress()
		state.Wallets = append(state.Wallets, walletOf{p.ID, of.Bounce(false).String(), a.Chain.Chain.Balance(of)})
	}
	return state, nil
}

// pay makes a transfer from a player's wallet or the treasury.
func (a *API) pay(r *http.Request) (any, error) {
	p := struct {
		Player   int64      `json:"player"`
		From     string     `json:"from"`
		To       string     `json:"to"`
		Nanotons uint64     `json:"nanotons"`
		Body     chain.Body `json:"body"`
		Comment  string     `json:"comment"`
		Bounce   bool       `json:"bounce"`
		Times    int        `json:"times"`
	}{Times: 1}
	if err := body(r, &p); err != nil {
		return nil, err
	}
	from := p.From
	if from == "" {
		if _, ok := a.People.Find(p.Player); !ok {
			return nil, people.ErrNoPlayer
		}
		from = strconv.FormatInt(p.Player, 10)
	} else if from != treasury {
		return nil, wrong("from is %q, or say the player", treasury)
	}
	if p.Times < 1 || p.Times > 1000 {
		return nil, wrong("times is 1 to 1000")
	}
	t := chain.Transfer{Nanotons: p.Nanotons, Body: p.Body, Text: p.Comment, Bounce: p.Bounce}
	if t.Body == "" {
		t.Body = chain.Nothing
		if p.Comment != "" {
			t.Body = chain.Comment
		}
	}
	if p.To != "" {
		var err error
		if t.To, err = chain.ParseAddress(p.To); err != nil {
			return nil, wrong("to is no address: %v", err)
		}
	}
	for made := range p.Times {
		if err := a.Chain.Pay(from, t); err != nil {
			if errors.Is(err, chain.ErrNoBody) {
				return nil, wrong("%v; there are %v", err, chain.Bodies)
			}
			return nil, fmt.Errorf("%d of %d transfers were made: %w", made, p.Times, err)
		}
	}
	return done, nil
}

// faucet mints coins.
func (a *API) faucet(r *http.Request) (any, error) {
	var f struct {
		To       string `json:"to"`
		Nanotons uint64 `json:"nanotons"`
	}
	if err := body(r, &f); err != nil {
		return nil, err
	}
	to, err := chain.ParseAddress(f.To)
	if err != nil {
		return nil, wrong("to is no address: %v", err)
	}
	return done, a.Chain.Chain.Mint(to, f.Nanotons, nil)
}

// breakServer sets the fault of one lite server, or of all of them.
func (a *API) breakServer(r *http.Request) (any, error) {
	var b struct {
		Server *int        `json:"server"`
		Fault  chain.Fault `json:"fault"`
	}
	if err := body(r, &b); err != nil {
		return nil, err
	}
	if !slices.Contains(chain.Faults, b.Fault) {
		return nil, wrong("the faults are %q", chain.Faults)
	}
	for i := range a.Chain.Servers {
		if b.Server == nil || *b.Server == i {
			a.Chain.Servers[i].SetFault(b.Fault)
		}
	}
	if b.Server != nil && (*b.Server < 0 || *b.Server >= len(a.Chain.Servers)) {
		return nil, chain.ErrNoServer
	}
	return a.readChain(r)
}
