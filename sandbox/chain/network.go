package chain

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"github.com/xssnick/tonutils-go/address"
)

// servers is the number of lite servers: with three, one may be wrong.
const servers = 3

// pocketMoney is a new wallet's balance, in nanotons.
const pocketMoney = 5_000_000_000_000

// ErrNoServer means that no lite server has that number.
var ErrNoServer = errors.New("no such lite server")

// Network is a chain with lite servers, a treasury and the players' wallets.
type Network struct {
	Chain    *Chain
	Servers  []*LiteServer
	Treasury *Wallet
	// ConfigFile lists the lite servers, in the format of TON nodes.
	ConfigFile string

	stop chan struct{}
	mu   sync.Mutex // serial transfers: a wallet counts its messages
}

// Start opens the chain in dir and serves it, by now's time.
func Start(dir string, now func() time.Time) (*Network, error) {
	c, err := Open(Config{File: filepath.Join(dir, "chain.jsonl"), Now: now})
	if err != nil {
		return nil, err
	}
	n := &Network{Chain: c, ConfigFile: filepath.Join(dir, "lite-servers.json"), stop: make(chan struct{})}
	if n.Treasury, err = c.Wallet("treasury"); err != nil {
		return nil, err
	}
	if err := n.open(); err != nil {
		return nil, err
	}
	for i := range servers {
		s, err := Serve(c, strconv.Itoa(i))
		if err != nil {
			return nil, errors.Join(err, n.Close())
		}
		n.Servers = append(n.Servers, s)
	}
	if err := n.writeConfig(); err != nil {
		return nil, errors.Join(err, n.Close())
	}
	go c.Run(n.stop)
	return n, nil
}

// open deploys the treasury's contract, as an owner does before launch.
func (n *Network) open() error {
	_, deployed, err := n.Treasury.seqno()
	if err != nil || deployed {
		return err
	}
	own := n.Treasury.WalletAddress()
	if err := n.Chain.Mint(own, 1_000_000_000, nil); err != nil {
		return err
	}
	_, err = n.Treasury.Send(Transfer{To: own, Nanotons: 1, Body: Nothing})
	return err
}

// Close stops the lite servers and the blocks.
func (n *Network) Close() error {
	close(n.stop)
	var err error
	for _, s := range n.Servers {
		err = errors.Join(err, s.Close())
	}
	return errors.Join(err, n.Chain.Close())
}

// Owner is an owner's wallet, with pocket money if it is new.
func (n *Network) Owner(owner string) (*Wallet, error) {
	w, err := n.Chain.Wallet(owner)
	if err != nil || n.Chain.Known(w.WalletAddress()) {
		return w, err
	}
	return w, n.Chain.Mint(w.WalletAddress(), pocketMoney, nil)
}

// Pay makes a transfer from an owner's wallet, by default to the treasury.
func (n *Network) Pay(owner string, t Transfer) error {
	if t.To == nil {
		t.To = n.Treasury.WalletAddress()
	}
	_, err := n.Send(owner, t)
	return err
}

// Send makes transfers from an owner's wallet with one external message, and returns that message's bag of cells.
func (n *Network) Send(owner string, list ...Transfer) (bag []byte, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	w, err := n.Owner(owner)
	if err != nil {
		return nil, err
	}
	return w.Send(list...)
}

// ParseAddress reads an address in either form.
func ParseAddress(text string) (*address.Address, error) {
	a, err := address.ParseAddr(text)
	if err != nil {
		a, err = address.ParseRawAddr(text)
	}
	return a, err
}

func (n *Network) writeConfig() error {
	var list []any
	for _, s := range n.Servers {
		host, port, err := net.SplitHostPort(s.Address)
		if err != nil {
			return err
		}
		number, err := strconv.Atoi(port)
		if err != nil {
			return err
		}
		list = append(list, map[string]any{
			"ip": binary.BigEndian.Uint32(net.ParseIP(host).To4()), "port": number,
			"id": map[string]string{"@type": "pub.ed25519", "key": base64.StdEncoding.EncodeToString(s.Key)},
		})
	}
	text, err := json.MarshalIndent(map[string]any{"liteservers": list}, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(n.ConfigFile, text, 0o600); err != nil {
		return fmt.Errorf("write the list of lite servers: %w", err)
	}
	return nil
}
