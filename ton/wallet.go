package ton

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/tonkeeper/tongo/boc"
)

// WalletKey is a wallet contract's public key.
type WalletKey [ed25519.PublicKeySize]byte

// longestStateInit is in bytes; a wallet's takes some 1,500.
const longestStateInit = 48 << 10

// plainInit is the beginning of a wallet's state_init: code and data, no split depth, special contract or libraries.
const plainInit = 0b00110

// ErrNoWallet means that a contract is no known wallet.
var ErrNoWallet = errors.New("not a known wallet contract")

// keyOffsets maps the code hash of a known wallet to the key's bit offset in its data. These contracts can't change key or code, so
// the initial key is permanent.
var keyOffsets = map[string]int{
	"b61041a58a7980b946e8fb9e198e3c904d24799ffa36574ea4251c41a566f581": 64,      // v3r1: seqno, wallet id
	"84dafa449f98a6987789ba232358072bc0f76dc4524002a5d0918b9a75d2d599": 64,      // v3r2
	"64dd54805522c5be8a9db59cea0105ccf0d08786ca79beb8cb79e880a8d7322d": 64,      // v4r1
	"feb5ff6820e2ff0d9483e7e0d62c817d846789fb4ae580c878866d959dabd5c0": 64,      // v4r2
	"f3d7ca53493deedac28b381986a849403cbac3d2c584779af081065af0ac4b93": 33 + 80, // v5 beta: flag and seqno, wallet id
	"20834b7b72b112147e1b2fb457b84e74d1a30f04f737d4f62a668e9552d2b72f": 65,      // v5r1: flag, seqno, wallet id
}

// keyOf reads the key in a wallet's data. Code and data must be whole (parseCells).
func keyOf(code, data *boc.Cell) (key WalletKey, err error) {
	hash, err := hashOf(code)
	if err != nil {
		return key, fmt.Errorf("hash a contract's code: %w", err)
	}
	offset, known := keyOffsets[hex.EncodeToString(hash[:])]
	if !known {
		return key, ErrNoWallet
	}
	if data.IsExotic() {
		return key, errors.New("the data of a wallet are not its own")
	}
	defer data.ShallowResetCounters()
	if err := data.Skip(offset); err != nil {
		return key, fmt.Errorf("read the data of a wallet: %w", err)
	}
	b, err := data.ReadBytes(len(key))
	if err != nil {
		return key, fmt.Errorf("read the data of a wallet: %w", err)
	}
	copy(key[:], b)
	return key, nil
}

// initialKey reads the key in a state_init, base64 of a bag of cells, which must hash to the address. ErrNoWallet means an unknown
// contract.
func initialKey(text string, of Address) (key WalletKey, err error) {
	defer recoverLie(&err)
	if len(text) > base64.StdEncoding.EncodedLen(longestStateInit) {
		return key, errors.New("the state_init is too long")
	}
	bag, err := unbase64(text)
	if err != nil {
		return key, fmt.Errorf("the state_init is not base64: %w", err)
	}
	roots, err := parseCells(bag, true)
	if err != nil {
		return key, fmt.Errorf("read the state_init: %w", err)
	}
	if len(roots) != 1 || roots[0].IsExotic() {
		return key, errors.New("the state_init is not one cell")
	}
	hash, err := hashOf(roots[0])
	if err != nil {
		return key, fmt.Errorf("hash the state_init: %w", err)
	}
	if hash != Hash(of.Hash) {
		return key, errors.New("the state_init is not the address's")
	}
	head, err := roots[0].ReadUint(5)
	if err != nil || head != plainInit || roots[0].BitsAvailableForRead() != 0 || roots[0].RefsSize() != 2 {
		return key, ErrNoWallet
	}
	parts := roots[0].Refs()
	return keyOf(parts[0], parts[1])
}
