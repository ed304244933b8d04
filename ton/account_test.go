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
		must(t, err)
		return a
	}
	before := look(marinas)
	check(t, before.Wallet && before.Key == key && before.Balance > 0 && before.Block.Seqno != 0, "Marina's wallet: %+v", before)
	c.pay(1_000_000_000, "")
	spent := before.Balance - look(marinas).Balance
	check(t, spent >= 1_000_000_000 && spent <= 1_100_000_000, "a payment of one TON cost %d nanoton", spent)
	nobody := ton.Address{Hash: [32]byte{7}}
	a := look(nobody)
	check(t, !a.Wallet && a.Key == (ton.WalletKey{}) && a.Balance == 0, "nobody's account: %+v", a)
	c.pay(5, `,"to":"`+nobody.Raw()+`"`)
	a = look(nobody)
	check(t, !a.Wallet && a.Balance == 5, "an account without a contract: %+v", a)

	a, err := ton.NewReader(ton.Mainnet, c.listing([]int{0})).Patient().Account(t.Context(), marinas, c.now())
	check(t, err == nil && a.Wallet && !a.SingleSource, "the only server of a list shows %+v, %v", a, err)

	c.breakServers(0, "silent")
	a = look(marinas)
	check(t, a.Wallet && a.Key == key && !a.SingleSource, "with a silent server: %+v", a)
	c.breakServers(1, "silent")
	a = look(marinas)
	check(t, a.Wallet && a.SingleSource, "with two silent servers: %+v", a)
	c.breakServers(-1, "silent")
	_, err = r.Account(t.Context(), marinas, c.now())
	check(t, errors.Is(err, ton.ErrNoServer), "with all of them silent: %v", err)
}
