package ton_test

import (
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"mcbk/ton"
)

// The forms of one account.
const (
	raw           = "0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe"
	bounceable    = "EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs"
	nonBounceable = "UQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_p0p"
	forTestnet    = "0QCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_iaj"
	masterchain   = "Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF"
)

func TestAllFormsOfAnAccountAreEqual(t *testing.T) {
	for _, text := range []string{
		raw, "0:" + strings.ToUpper(raw[2:]), bounceable, nonBounceable,
		strings.ReplaceAll(bounceable, "_", "/"), strings.ReplaceAll(nonBounceable, "_", "/"),
	} {
		a, err := ton.ParseAddress(text, ton.Mainnet)
		if err != nil || a.Raw() != raw {
			t.Errorf("%s: %s, %v", text, a.Raw(), err)
		}
		check(t, a.Friendly(ton.Mainnet) == nonBounceable, "%s is shown as %s", text, a.Friendly(ton.Mainnet))
	}
	a, err := ton.ParseAddress(masterchain, ton.Mainnet)
	if want := "-1:" + strings.Repeat("3", 64); err != nil || a.Raw() != want {
		t.Errorf("%s, %v", a.Raw(), err)
	}
}

func TestTestnetAddressesAreValidThereOnly(t *testing.T) {
	a, err := ton.ParseAddress(forTestnet, ton.Testnet)
	if err != nil || a.Raw() != raw || a.Friendly(ton.Testnet) != forTestnet {
		t.Errorf("%s, %s, %v", a.Raw(), a.Friendly(ton.Testnet), err)
	}
	_, err = ton.ParseAddress(forTestnet, ton.Mainnet)
	check(t, errors.Is(err, ton.TestnetOnly), "on the main network: %v", err)
	// Wallets omit the flag on both.
	_, err = ton.ParseAddress(bounceable, ton.Testnet)
	check(t, err == nil, "without the flag on the test network: %v", err)
}

func TestFriendlyAddressWithWrongCharacterIsRefused(t *testing.T) {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	for i := range bounceable {
		for _, c := range alphabet {
			wrong := bounceable[:i] + string(c) + bounceable[i+1:]
			if a, err := ton.ParseAddress(wrong, ton.Testnet); err == nil && wrong != bounceable {
				t.Errorf("%s passed as %s", wrong, a.Raw())
			}
		}
	}
}

func TestEachMalformedAddressHasItsFault(t *testing.T) {
	zeros := strings.Repeat("0", 64)
	for text, want := range map[string]ton.AddressFault{
		"":                     ton.NoColon,
		zeros:                  ton.NoColon,
		bounceable[:47]:        ton.NoColon,
		bounceable + "A":       ton.NoColon,
		"0::" + zeros:          ton.ManyColons,
		"0:" + zeros + ":":     ton.ManyColons,
		"1:" + zeros:           ton.BadWorkchain,
		":" + zeros:            ton.BadWorkchain,
		"+0:" + zeros:          ton.BadWorkchain,
		"00:" + zeros:          ton.BadWorkchain,
		"-1:" + zeros[1:]:      ton.BadHexLength,
		"0:" + zeros + "0":     ton.BadHexLength,
		"0:" + zeros[1:] + "g": ton.BadHexDigits,
		" 0:" + zeros:          ton.BadWorkchain,
		strings.Replace(bounceable, "sDs", "sDt", 1):             ton.BadChecksum,
		strings.Replace(bounceable, "_", "*", 1):                 ton.BadBase64,
		strings.Replace(bounceable, "E", "\n", 1):                ton.BadBase64,
		"+" + bounceable[1:]:                                     ton.BadBase64, // two alphabets
		ton.Sealed(make([]byte, 34)):                             ton.BadTag,
		ton.Sealed(append([]byte{0x11, 1}, make([]byte, 32)...)): ton.BadWorkchain,
	} {
		a, err := ton.ParseAddress(text, ton.Mainnet)
		check(t, errors.Is(err, want) && a == (ton.Address{}), "%q: %v, not %v", text, err, want)
	}
}

func TestEveryAddressRoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := ton.Address{Workchain: rapid.SampledFrom([]int8{0, -1}).Draw(t, "workchain")}
		copy(a.Hash[:], rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "hash"))
		n := rapid.SampledFrom([]ton.Network{ton.Mainnet, ton.Testnet}).Draw(t, "network")
		for _, text := range []string{a.Raw(), a.Friendly(n)} {
			if b, err := ton.ParseAddress(text, n); err != nil || b != a {
				t.Errorf("%s was read as %v, %v", text, b, err)
			}
		}
	})
}

// Any accepted text is a complete address, and any error is an AddressFault.
func FuzzAddress(f *testing.F) {
	for _, text := range []string{raw, bounceable, nonBounceable, forTestnet, masterchain, "", ":", "0:"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := ton.ParseAddress(text, ton.Testnet)
		if fault := ton.AddressFault(""); err != nil {
			check(t, errors.As(err, &fault) && a == (ton.Address{}), "%q: %v, %v", text, a, err)
			return
		}
		if again, err := ton.ParseAddress(a.Raw(), ton.Testnet); err != nil || again != a {
			t.Errorf("%q became %s, %v", text, a.Raw(), err)
		}
	})
}
