package ton_test

import (
	"crypto/ed25519"
	"crypto/sha256"
	"errors"
	"fmt"
	"testing"

	"mcbk/ton"
)

// wallet is Marina's in the sandbox; its key is public.
func (c *chain) wallet() (address ton.Address, key ton.WalletKey) {
	c.t.Helper()
	h := c.read(c.reader(), ton.Cursor{})
	seed := sha256.Sum256(fmt.Appendf(nil, "wallet of %d", marina))
	copy(key[:], ed25519.NewKeyFromSeed(seed[:]).Public().(ed25519.PublicKey))
	return h.Transactions[len(h.Transactions)-1].Source, key
}

func TestAccountFollowsMajorityOfServers(t *testing.T) {
	c := startChain(t, t.TempDir())
	c.pay(1_500_000_000, "")
	marinas, key := c.wallet()
	r := c.reader()
	look := func(address ton.Address) ton.Account {
		t.Helper()
		a, err := r.Account(t.Context(), address, c.now())
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	before := look(marinas)
	if !before.Wallet || before.Key != key || before.Balance <= 0 || before.Block.Seqno == 0 {
		t.Errorf("Marina's wallet: %+v", before)
	}
	c.pay(1_000_000_000, "")
	if spent := before.Balance - look(marinas).Balance; spent < 1_000_000_000 || spent > 1_100_000_000 {
		t.Errorf("a payment of one TON cost %d nanoton", spent)
	}
	nobody := ton.Address{Hash: [32]byte{7}}
	if a := look(nobody); a.Wallet || a.Key != (ton.WalletKey{}) || a.Balance != 0 {
		t.Errorf("nobody's account: %+v", a)
	}
	c.pay(5, `,"to":"`+nobody.Raw()+`"`)
	if a := look(nobody); a.Wallet || a.Balance != 5 {
		t.Errorf("an account without a contract: %+v", a)
	}

	if a, err := ton.NewReader(ton.Mainnet, c.listing([]int{0})).Patient().Account(t.Context(), marinas, c.now()); err != nil || !a.Wallet || a.SingleSource {
		t.Errorf("the only server of a list shows %+v, %v", a, err)
	}

	c.breakServers(0, "silent")
	if a := look(marinas); !a.Wallet || a.Key != key {
		t.Errorf("with a silent server: %+v", a)
	}
	if a := look(marinas); a.SingleSource {
		t.Error("two that show it are one")
	}
	c.breakServers(1, "silent")
	if a := look(marinas); !a.Wallet || !a.SingleSource {
		t.Errorf("with two silent servers: %+v", a)
	}
	c.breakServers(-1, "silent")
	if _, err := r.Account(t.Context(), marinas, c.now()); !errors.Is(err, ton.ErrNoServer) {
		t.Errorf("with all of them silent: %v", err)
	}
}
