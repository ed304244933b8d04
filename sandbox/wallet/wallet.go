// Package wallet is a fake wallet app with TON Connect over the bridge: every player has a wallet on the sandbox's chain, connects it to
// apps, and approves or declines requests.
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
	ErrNoRequest  = errors.New("no such request is waiting")
	ErrNoApp      = errors.New("no such app is connected")
	ErrLink       = errors.New("this is no connect link")
	ErrNoManifest = errors.New("the app's manifest cannot be read")
	ErrRequest    = errors.New("bad request")
)

// Config are the wallets' dependencies.
type Config struct {
	Bridge *bridge.Bridge
	Chain  *chain.Network
	People *people.Book
	Feed   *feed.Feed
	// Now is the sandbox's time, for proofs and limits.
	Now func() time.Time
	// Dir is the folder of the connections.
	Dir string
	// Address is the sandbox's URL: http://localhost:8090.
	Address string
}

// App is the wallet app of all players.
type App struct {
	cfg    Config
	client http.Client

	mu   sync.Mutex
	kept book
}

// Open loads the connections in cfg.Dir and receives apps' messages.
func Open(cfg Config) (*App, error) {
	a := &App{cfg: cfg, client: http.Client{Timeout: 5 * time.Second}}
	if err := a.load(); err != nil {
		return nil, err
	}
	cfg.Bridge.Attach(a.receive)
	return a, nil
}

// Shown is a player's wallet on its page; money is in nanotons.
type Shown struct {
	Player  int64  `json:"player"`
	Address string `json:"address"`
	Balance uint64 `json:"balance"`
	// Apps are the connected apps, Requests the pending ones, oldest first.
	Apps     []Connection `json:"apps"`
	Requests []Request    `json:"requests"`
}

// Connection is an app that a wallet is connected to.
type Connection struct {
	Client string    `json:"client"` // the app's public key in hex
	App    Manifest  `json:"app"`
	Since  time.Time `json:"since"`
}

// Show returns a player's wallet.
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
		return nil, people.ErrNoPlayer
	}
	return a.cfg.Chain.Owner(owner(player))
}

// owner is the chain's name of a player's wallet.
func owner(player int64) string { return strconv.FormatInt(player, 10) }

// network is the chain's number in TON Connect: "-239" is the main network.
func (a *App) network() string { return strconv.Itoa(int(a.cfg.Chain.Chain.GlobalID())) }

// changed notifies open pages.
func (a *App) changed(player int64) { a.cfg.Feed.Send(feed.Event{Kind: "wallet", Player: player}) }
