package config_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"mcbk/config"
)

// One address in its two forms, and one of another workchain.
const (
	rawAddress      = "0:b113a994b5024a16719f69139328eb759596c38a25f59028b146fecdc3621dfe"
	friendlyAddress = "EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs"
	masterchain     = "-1:3333333333333333333333333333333333333333333333333333333333333333"
)

func TestTreasuryAddressIsAcceptedRawAndFriendly(t *testing.T) {
	for _, address := range []string{
		rawAddress, strings.ToUpper(rawAddress), masterchain, friendlyAddress,
		strings.ReplaceAll(friendlyAddress, "_", "/"),
		"UQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAJKZ",
		"EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c",
		"Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF",
	} {
		if got := loaded(t, "TREASURY_ADDRESS="+address).TreasuryAddress; string(got) != address {
			t.Errorf("%s was read as %s", address, got)
		}
	}
}

func TestFriendlyAddressWithWrongCharacterIsRefused(t *testing.T) {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	for i := range friendlyAddress {
		for _, c := range alphabet {
			wrong := friendlyAddress[:i] + string(c) + friendlyAddress[i+1:]
			if wrong == friendlyAddress {
				continue
			}
			if err := new(config.TONAddress).UnmarshalText([]byte(wrong)); err == nil {
				t.Errorf("%s passed for %s", wrong, friendlyAddress)
			}
		}
	}
	_, err := load(t, "TREASURY_ADDRESS="+strings.Replace(friendlyAddress, "sDs", "sDt", 1))
	refuses(t, err, "TREASURY_ADDRESS")
}

// Whatever is accepted is a whole address: nothing is cut, added or taken from the text.
func TestArbitraryTextIsNoAddress(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		if err := new(config.TONAddress).UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q passed for a TON address", text)
		}
	})
}
