package ton

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"strings"

	"github.com/tonkeeper/tongo/utils"
)

// Address is an account of the basechain (workchain 0) or the masterchain (-1). All forms of an account give equal Addresses.
type Address struct {
	Workchain int8
	Hash      [32]byte
}

// AddressFault is the reason why a text is no address; each has its own message.
type AddressFault string

// The first five faults concern the raw form (WC:HEX), the first four in the specification's words (spec §5, wallet widget).
const (
	NoColon      AddressFault = `Address must include ":"`
	ManyColons   AddressFault = `Address must include ":" only once`
	BadWorkchain AddressFault = "WC must be eq 0 or -1"
	BadHexLength AddressFault = "Hex part must be 64bytes length"
	BadHexDigits AddressFault = "Hex part must be hex digits"
	BadBase64    AddressFault = "Address must be 48 characters of base64"
	BadChecksum  AddressFault = "Checksum does not fit the address"
	BadTag       AddressFault = "First byte of the address is unknown"
	TestnetOnly  AddressFault = "Address is for the test network only"
)

func (f AddressFault) Error() string { return string(f) }

// Friendly form: length, first byte, and the test network's flag.
const (
	friendlyChars    = 48
	tagBounceable    = 0x11
	tagNonBounceable = 0x51
	flagTestnet      = 0x80
)

// ParseAddress parses the raw form (0:HEX) or the friendly form (48 characters of base64 in either alphabet, bounceable or not). Any
// error is an AddressFault.
func ParseAddress(text string, n Network) (Address, error) {
	switch {
	case strings.Contains(text, ":"):
		return parseRaw(text)
	case len(text) == friendlyChars:
		return parseFriendly(text, n)
	}
	return Address{}, NoColon
}

func parseRaw(text string) (Address, error) {
	workchain, digits, _ := strings.Cut(text, ":")
	var a Address
	switch {
	case strings.Contains(digits, ":"):
		return Address{}, ManyColons
	case workchain == "-1":
		a.Workchain = -1
	case workchain != "0":
		return Address{}, BadWorkchain
	}
	if len(digits) != 2*len(a.Hash) {
		return Address{}, BadHexLength
	}
	if _, err := hex.Decode(a.Hash[:], []byte(digits)); err != nil {
		return Address{}, BadHexDigits
	}
	return a, nil
}

func parseFriendly(text string, n Network) (Address, error) {
	alphabet := base64.RawURLEncoding
	if strings.ContainsAny(text, "+/") {
		alphabet = base64.RawStdEncoding
	}
	b, err := alphabet.DecodeString(text)
	if err != nil || len(b) != 36 { // the decoder skips line breaks
		return Address{}, BadBase64
	}
	if utils.Crc16(b[:34]) != binary.BigEndian.Uint16(b[34:]) {
		return Address{}, BadChecksum
	}
	a := Address{Workchain: int8(b[1])} //nolint:gosec // a signed byte
	copy(a.Hash[:], b[2:])
	switch tag := b[0] &^ flagTestnet; {
	case tag != tagBounceable && tag != tagNonBounceable:
		return Address{}, BadTag
	case a.Workchain != 0 && a.Workchain != -1:
		return Address{}, BadWorkchain
	case b[0]&flagTestnet != 0 && n != Testnet:
		return Address{}, TestnetOnly
	}
	return a, nil
}

// Raw returns the stored form: 0:HEX in lower case.
func (a Address) Raw() string {
	return strconv.Itoa(int(a.Workchain)) + ":" + hex.EncodeToString(a.Hash[:])
}

// Friendly returns the displayed form of an address in raw or friendly form; what is no address stays as it is.
func Friendly(text string, n Network) string {
	address, err := ParseAddress(text, n)
	if err != nil {
		return text
	}
	return address.Friendly(n)
}

// Friendly returns the displayed form. It is not bounceable, so that transfers reach an account without a contract (UQ… on the main
// network, 0Q… on the test network).
func (a Address) Friendly(n Network) string {
	b := make([]byte, 0, 36)
	tag := byte(tagNonBounceable)
	if n == Testnet {
		tag |= flagTestnet
	}
	b = append(b, tag, byte(a.Workchain))
	b = append(b, a.Hash[:]...)
	return base64.RawURLEncoding.EncodeToString(binary.BigEndian.AppendUint16(b, utils.Crc16(b)))
}
