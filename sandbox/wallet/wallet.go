// Package wallet plays a wallet app that speaks TON Connect over the bridge:
// every player has one wallet on the sandbox's chain, connects it to apps,
// and approves or declines what they ask.
package wallet

import (
	"errors"
	"net/http"
	"strconv"
	"sync"
	"time"

	"mcbk-sandbox/bridge"
	"mcbk-sandbox/chain"
	"mcbk-sandbox/feed"
	"mcbk-sandbox/people"
)

// Errors.
var (
	ErrNoPlayer   = errors.New("no such player")
	ErrNoRequest  = errors.New("no such request is waiting")
	ErrNoApp      = errors.New("no such app is connected")
	ErrLink       = errors.New("this is no connect link")
	ErrNoManifest = errors.New("the app's manifest cannot be read")
	ErrRequest    = errors.New("bad request")
)

// Config is what the wallets need from outside.
type Config struct {
	Bridge *bridge.Bridge
	Chain  *chain.Network
	People *people.Book
	Feed   *feed.Feed
	// Now is the sandbox's time, which proofs carry and limits are judged by.
	Now func() time.Time
	// Dir keeps the connections.
	Dir string
	// Address is the sandbox's own: http://localhost:8090.
	Address string
}

// App is the wallet app on everybody's phone.
type App struct {
	cfg    Config
	client http.Client

	mu   sync.Mutex
	kept book
}

// Open continues with the connections kept in cfg.Dir, and takes what apps write to them.
func Open(cfg Config) (*App, error) {
	a := &App{cfg: cfg, client: http.Client{Timeout: 5 * time.Second}}
	if err := a.load(); err != nil {
		return nil, err
	}
	cfg.Bridge.Attach(a.receive)
	return a, nil
}

// Shown is a player's wallet as its page shows it; money is in nanotons.
type Shown struct {
	Player  int64  `json:"player"`
	Address string `json:"address"`
	Balance uint64 `json:"balance"`
	// Apps are those connected, and Requests what they wait for, oldest first.
	Apps     []Connection `json:"apps"`
	Requests []Request    `json:"requests"`
}

// Connection is an app that a wallet is connected to.
type Connection struct {
	Client string    `json:"client"` // the app's public key in hex
	App    Manifest  `json:"app"`
	Since  time.Time `json:"since"`
}

// Show is a player's wallet now.
func (a *App) Show(player int64) (Shown, error) {
	w, err := a.walletOf(player)
	if err != nil {
		return Shown{}, err
	}
	s := Shown{
		Player: player, Address: w.WalletAddress().Bounce(false).String(), Balance: a.cfg.Chain.Chain.Balance(w.WalletAddress()),
		Apps: []Connection{}, Requests: []Request{},
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, one := range a.kept.Sessions {
		if one.Player == player {
			s.Apps = append(s.Apps, one.Connection)
			s.Requests = append(s.Requests, one.Requests...)
		}
	}
	return s, nil
}

func (a *App) walletOf(player int64) (*chain.Wallet, error) {
	if _, ok := a.cfg.People.Find(player); !ok {
		return nil, ErrNoPlayer
	}
	return a.cfg.Chain.Owner(owner(player))
}

// owner is the name that the chain knows a player's wallet by.
func owner(player int64) string { return strconv.FormatInt(player, 10) }

// network is the chain's number as TON Connect writes it: "-239" is the main network.
func (a *App) network() string { return strconv.Itoa(int(a.cfg.Chain.Chain.GlobalID())) }

// changed tells open pages to look again.
func (a *App) changed(player int64) { a.cfg.Feed.Send(feed.Event{Kind: "wallet", Player: player}) }
