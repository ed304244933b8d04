package ton

import (
	"errors"
	"testing"

	"github.com/tonkeeper/tongo/boc"
)

// A contract's owner controls its data: unknown data do not make the server Lying.
func TestWalletWithoutKeyIsUnknown(t *testing.T) {
	code, _ := partsOf(t, "v3R2")
	account := boc.NewCell()
	must(t, account.WriteUint(1, 1), account.WriteUint(plainInit, 5), account.AddRef(code), account.AddRef(boc.NewCell()))
	key, err := deployedKey(account)
	check(t, errors.Is(err, ErrNoWallet) && key == (WalletKey{}), "%x, %v", key, err)
}

// Any state is parsed or refused.
func FuzzAccount(f *testing.F) {
	f.Add(chainOf(3))
	code, data := partsOf(f, "v5R1")
	account := boc.NewCell()
	must(f, account.WriteUint(0b1100, 4), account.WriteBytes(make([]byte, 33)), account.AddRef(code), account.AddRef(data))
	f.Add(sent(f, account))
	f.Fuzz(func(t *testing.T, bag []byte) {
		a, err := func() (a Account, err error) {
			defer recoverLie(&err)
			return accountOf(bag, Address{})
		}()
		if err == nil && (a.Balance < 0 || !a.Wallet && a.Key != WalletKey{}) {
			t.Errorf("an account of %+v", a)
		}
	})
}
