package ton

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/tonkeeper/tongo/boc"
)

// testdata's proofs were signed by tongo's wallets (v1.22.47) with this key, domain and time.
var (
	ownersKey = ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, 32))
	signedAt  = time.Date(2026, time.March, 4, 12, 0, 0, 0, time.UTC)
)

const ownersDomain = "game.example"

// foreignProofs are those proofs by wallet version.
func foreignProofs(t testing.TB) map[string]Proof {
	t.Helper()
	text, err := os.ReadFile("testdata/proofs.json")
	must(t, err)
	var all []struct {
		Version, Address, Domain, Payload, Signature string
		Timestamp                                    int64
		StateInit                                    string `json:"state_init"`
		PublicKey                                    string `json:"public_key"`
	}
	must(t, json.Unmarshal(text, &all))
	proofs := map[string]Proof{}
	for _, p := range all {
		address, err := ParseAddress(p.Address, Mainnet)
		must(t, err)
		proofs[p.Version] = Proof{
			Address: address, Timestamp: p.Timestamp, Domain: p.Domain, DomainLength: len(p.Domain), Payload: p.Payload,
			Signature: p.Signature, PublicKey: p.PublicKey, StateInit: p.StateInit,
		}
	}
	return proofs
}

// passes checks a proof without the chain.
func passes(p Proof, now time.Time) error {
	key, err := p.Key()
	if err != nil {
		return err
	}
	return p.Check(key, ownersDomain, now)
}

func TestProofOfEachWalletVersionPasses(t *testing.T) {
	proofs := foreignProofs(t)
	for _, version := range []string{"v3R1", "v3R2", "v4R1", "v4R2", "v5Beta", "v5R1"} {
		p, there := proofs[version]
		err := passes(p, signedAt.Add(30*time.Second))
		check(t, err == nil && there, "%s: %v", version, err)
		key, err := p.Key()
		check(t, err == nil && bytes.Equal(key[:], ownersKey.Public().(ed25519.PublicKey)), "%s: its key is %x, %v", version, key, err)
	}
	err := passes(proofs["v2R2"], signedAt)
	check(t, errors.Is(err, ErrNoWallet), "a wallet that no app makes any more: %v", err)
}

// sign signs a changed proof again.
func (p Proof) sign(key ed25519.PrivateKey) Proof {
	digest := p.digest()
	p.Signature = base64.StdEncoding.EncodeToString(ed25519.Sign(key, digest[:]))
	return p
}

func TestWronglySignedProofIsRefused(t *testing.T) {
	good := foreignProofs(t)["v4R2"]
	stranger := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{8}, 32))
	for name, change := range map[string]func(p *Proof){
		"another wallet's address":      func(p *Proof) { p.Address.Hash[31] ^= 1; *p = p.sign(ownersKey) },
		"an address of the masterchain": func(p *Proof) { p.Address.Workchain = -1; *p = p.sign(ownersKey) },
		"another domain":                func(p *Proof) { p.Domain, p.DomainLength = "evil.example", 12; *p = p.sign(ownersKey) },
		"a domain above":                func(p *Proof) { p.Domain, p.DomainLength = "example", 7; *p = p.sign(ownersKey) },
		"the domain with a port":        func(p *Proof) { p.Domain, p.DomainLength = "game.example:443", 16; *p = p.sign(ownersKey) },
		"the domain in capitals":        func(p *Proof) { p.Domain = "Game.example"; *p = p.sign(ownersKey) },
		"a domain said shorter":         func(p *Proof) { p.DomainLength = 4 },
		"a domain said longer":          func(p *Proof) { p.DomainLength = math.MaxInt },
		"a domain without length":       func(p *Proof) { p.DomainLength = 0 },
		"another payload":               func(p *Proof) { p.Payload = "6" + p.Payload[1:] },
		"no payload":                    func(p *Proof) { p.Payload = ""; *p = p.sign(ownersKey) },
		"a payload without end":         func(p *Proof) { p.Payload = strings.Repeat("a", 129); *p = p.sign(ownersKey) },
		"bytes moved from payload to domain": func(p *Proof) {
			p.Domain, p.DomainLength, p.Payload = p.Domain+p.Payload[:1], p.DomainLength+1, p.Payload[1:]
		},
		"another time":           func(p *Proof) { p.Timestamp++ },
		"a stranger's signature": func(p *Proof) { *p = p.sign(stranger) },
		"a stranger's key": func(p *Proof) {
			p.PublicKey = hex.EncodeToString(stranger.Public().(ed25519.PublicKey))
			*p = p.sign(stranger)
		},
		"no key":                  func(p *Proof) { p.PublicKey = "" },
		"half a key":              func(p *Proof) { p.PublicKey = p.PublicKey[:32] },
		"a key and a half":        func(p *Proof) { p.PublicKey += p.PublicKey[:32] },
		"a key that is no hex":    func(p *Proof) { p.PublicKey = "x" + p.PublicKey[1:] },
		"no signature":            func(p *Proof) { p.Signature = "" },
		"half a signature":        func(p *Proof) { p.Signature = p.Signature[:44] },
		"a signature of 65 bytes": func(p *Proof) { p.Signature = base64.StdEncoding.EncodeToString(make([]byte, 65)) },
		"a signature of zeros":    func(p *Proof) { p.Signature = base64.StdEncoding.EncodeToString(make([]byte, 64)) },
		"a signature with a line": func(p *Proof) { p.Signature = p.Signature[:40] + "\n" + p.Signature[40:] },
		"a signature in hex":      func(p *Proof) { p.Signature = hex.EncodeToString(make([]byte, 64)) },
	} {
		p := good
		change(&p)
		err := passes(p, signedAt)
		check(t, errors.Is(err, ErrProof), "%s: %v", name, err)
	}
	err := passes(good, signedAt)
	check(t, err == nil, "unchanged: %v", err)
}

func TestProofAgeIsLimited(t *testing.T) {
	good := foreignProofs(t)["v5R1"]
	for name, c := range map[string]struct {
		now  time.Time
		good bool
	}{
		"five minutes old":        {signedAt.Add(5 * time.Minute), true},
		"and a little more":       {signedAt.Add(5*time.Minute + time.Millisecond), false},
		"a minute ahead":          {signedAt.Add(-time.Minute), true},
		"and a little more ahead": {signedAt.Add(-time.Minute - time.Millisecond), false},
		"a thousand hours ahead":  {signedAt.Add(-1000 * time.Hour), false},
		"a year old":              {signedAt.AddDate(1, 0, 0), false},
	} {
		if err := passes(good, c.now); (err == nil) != c.good || err != nil && !errors.Is(err, ErrProof) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, second := range []int64{0, -1, math.MaxInt64, math.MinInt64, math.MaxInt64 - 62135596800, signedAt.UnixMilli()} {
		p := good
		p.Timestamp = second
		err := passes(p.sign(ownersKey), signedAt)
		check(t, errors.Is(err, ErrProof), "signed at second %d: %v", second, err)
	}
}

// initOf is a state_init of these bits and cells, and a valid proof for its address.
func initOf(t testing.TB, head uint64, parts ...*boc.Cell) Proof {
	t.Helper()
	init := boc.NewCell()
	must(t, init.WriteUint(head, 5))
	for _, part := range parts {
		must(t, init.AddRef(part))
	}
	return proofOf(t, init)
}

func proofOf(t testing.TB, init *boc.Cell) Proof {
	t.Helper()
	hash, err := init.Hash256()
	must(t, err)
	p := Proof{
		Address: Address{Hash: hash}, Timestamp: signedAt.Unix(), Domain: ownersDomain, DomainLength: len(ownersDomain), Payload: "any",
		PublicKey: hex.EncodeToString(ownersKey.Public().(ed25519.PublicKey)), StateInit: base64.StdEncoding.EncodeToString(sent(t, init)),
	}
	return p.sign(ownersKey)
}

// partsOf are a wallet's code and data.
func partsOf(t testing.TB, version string) (code, data *boc.Cell) {
	t.Helper()
	bag, err := base64.StdEncoding.DecodeString(foreignProofs(t)[version].StateInit)
	must(t, err)
	roots, err := parseCells(bag, true)
	must(t, err)
	return roots[0].Refs()[0], roots[0].Refs()[1]
}

func TestCraftedStateInitIsRefused(t *testing.T) {
	code, data := partsOf(t, "v4R2")
	if err := passes(initOf(t, plainInit, code, data), signedAt); err != nil {
		t.Fatalf("as a wallet makes it: %v", err)
	}
	empty, short := boc.NewCell(), boc.NewCell()
	must(t, short.WriteUint(0, 64), short.WriteBytes(make([]byte, 31)))
	library := boc.NewCellExotic(boc.LibraryCell)
	must(t, library.WriteUint(2, 8), library.WriteBytes(make([]byte, 32)))
	bomb := boc.NewCell() // as a tree, of more cells than there are atoms
	for range 300 {
		next := boc.NewCell()
		must(t, next.AddRef(bomb), next.AddRef(bomb), next.AddRef(bomb), next.AddRef(bomb))
		bomb = next
	}
	update := boc.NewCellExotic(boc.MerkleUpdateCell) // has the key where data have it
	must(t, update.WriteUint(4, 8), update.WriteUint(0, 56), update.WriteBytes(ownersKey.Public().(ed25519.PublicKey)),
		update.WriteBytes(make([]byte, 29)), update.AddRef(empty), update.AddRef(empty))
	missing := boc.NewCell()
	must(t, missing.AddRef(cut(t, data)))

	for name, p := range map[string]Proof{
		"code without data":             initOf(t, 0b00100, code),
		"data without code":             initOf(t, 0b00010, data),
		"nothing":                       initOf(t, 0b00000),
		"code and data said, none sent": initOf(t, plainInit),
		"data said, none sent":          initOf(t, plainInit, code),
		"data before code":              initOf(t, plainInit, data, code),
		"an unknown contract":           initOf(t, plainInit, empty, data),
		"a library beside them":         initOf(t, 0b00111, code, data, empty),
		"a third cell":                  initOf(t, plainInit, code, data, empty),
		"a split depth":                 initOf(t, 0b10000, code, data),
		"a special contract":            initOf(t, 0b01110, code, data),
		"data without a key":            initOf(t, plainInit, code, empty),
		"half a key":                    initOf(t, plainInit, code, short),
		"data from a library":           initOf(t, plainInit, code, library),
		"data that are a proof":         initOf(t, plainInit, code, update),
		"data that are missing":         initOf(t, plainInit, code, missing),
		"a bomb for data":               initOf(t, plainInit, code, bomb),
		"a bomb for code":               initOf(t, plainInit, bomb, data),
		"a library for the whole":       proofOf(t, library),
		"an empty cell":                 proofOf(t, empty),
	} {
		if err := passes(p, signedAt); !errors.Is(err, ErrProof) && !errors.Is(err, ErrNoWallet) {
			t.Errorf("%s: %v", name, err)
		}
	}

	good := foreignProofs(t)["v4R2"]
	for name, bag := range map[string][]byte{
		"no bag":                     []byte("AAAA"),
		"two thousand cells deep":    chainOf(2000),
		"sixteen thousand deep":      chainOf(16_000)[:longestStateInit],
		"a root that is not there":   {0xb5, 0xee, 0x9c, 0x72, 1, 1, 1, 1, 0, 2, 9, 0, 0},
		"a cell that is its own":     {0xb5, 0xee, 0x9c, 0x72, 1, 1, 1, 1, 0, 3, 0, 1, 0, 0},
		"hashes that are not there":  {0xb5, 0xee, 0x9c, 0x72, 1, 1, 1, 1, 0, 2, 0, 0xf0, 0},
		"no roots":                   {0xb5, 0xee, 0x9c, 0x72, 1, 1, 1, 0, 0, 2, 0, 0},
		"two roots":                  {0xb5, 0xee, 0x9c, 0x72, 1, 1, 2, 2, 0, 4, 0, 1, 0, 0, 0, 0},
		"an exotic cell of nothing":  {0xb5, 0xee, 0x9c, 0x72, 1, 1, 1, 1, 0, 2, 0, 8, 0},
		"counts beyond all measure":  {0xb5, 0xee, 0x9c, 0x72, 4, 8, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 255, 255, 255, 255, 255, 255, 255, 255},
		"an offset beyond the bytes": {0xb5, 0xee, 0x9c, 0x72, 1, 255, 1, 1, 0, 2},
		"longer than any wallet":     make([]byte, longestStateInit+1),
	} {
		p := good
		p.StateInit = base64.StdEncoding.EncodeToString(bag)
		_, err := p.Key()
		check(t, errors.Is(err, ErrProof), "%s: %v", name, err)
	}
	for name, text := range map[string]string{
		"no base64":   "!" + good.StateInit[1:],
		"line breaks": good.StateInit[:40] + "\n" + good.StateInit[40:],
		"half of it":  good.StateInit[:len(good.StateInit)/2],
		"more of it":  good.StateInit + "AAAA",
	} {
		p := good
		p.StateInit = text
		_, err := p.Key()
		check(t, errors.Is(err, ErrProof), "%s: %v", name, err)
	}
}

func TestProofWithoutStateInitNeedsChain(t *testing.T) {
	p := foreignProofs(t)["v5R1"]
	key, err := p.Key()
	must(t, err)
	p.StateInit = ""
	_, err = p.Key()
	check(t, errors.Is(err, ErrNoWallet) && !errors.Is(err, ErrProof), "without a state: %v", err)
	err = p.Check(key, ownersDomain, signedAt)
	check(t, err == nil, "with the key that the chain shows: %v", err)
	err = p.Check(WalletKey{}, ownersDomain, signedAt)
	check(t, errors.Is(err, ErrProof), "with another key: %v", err)
}

// The zero key is a point of order four: signatures for it are found by trying.
func TestZeroKeyIsRefused(t *testing.T) {
	p := foreignProofs(t)["v5R1"]
	p.PublicKey = strings.Repeat("00", 32)
	zero, forged := make([]byte, 64), false
	for try := range 64 {
		signature := bytes.Clone(zero)
		switch try % 3 {
		case 0:
			signature[0] = 1
		case 1:
			signature[31] = 0x80
		}
		p.Timestamp = signedAt.Unix() - int64(try)
		p.Signature = base64.StdEncoding.EncodeToString(signature)
		if digest := p.digest(); ed25519.Verify(zero[:32], digest[:], signature) {
			forged = true
			err := p.Check(WalletKey{}, ownersDomain, signedAt)
			check(t, errors.Is(err, ErrProof), "forged: %v", err)
		}
	}
	check(t, forged, "no signature was forged: the test shows nothing")
}

// Any proof is checked without a panic, and a valid one was signed by the key in its address's state_init.
func FuzzProof(f *testing.F) {
	for _, p := range foreignProofs(f) {
		bag, err := base64.StdEncoding.DecodeString(p.StateInit)
		must(f, err)
		f.Add(p.Address.Hash[:], p.Timestamp, p.Domain, p.DomainLength, p.Payload, p.Signature, p.PublicKey, bag)
	}
	good := foreignProofs(f)["v4R2"]
	f.Add(good.Address.Hash[:], good.Timestamp, good.Domain, 0, "", "AAAA", "00", chainOf(300))
	f.Fuzz(func(t *testing.T, hash []byte, second int64, domain string, length int, payload, signature, public string, bag []byte) {
		p := Proof{
			Timestamp: second, Domain: domain, DomainLength: length, Payload: payload, Signature: signature, PublicKey: public,
			StateInit: base64.StdEncoding.EncodeToString(bag),
		}
		copy(p.Address.Hash[:], hash)
		key, err := p.Key()
		if err != nil {
			if !errors.Is(err, ErrProof) && !errors.Is(err, ErrNoWallet) {
				t.Errorf("no verdict on a state: %v", err)
			}
			return
		}
		if err = p.Check(key, ownersDomain, signedAt); err != nil && !errors.Is(err, ErrProof) {
			t.Errorf("no verdict: %v", err)
		}
		if err == nil && !strings.EqualFold(p.PublicKey, hex.EncodeToString(key[:])) {
			t.Errorf("passed with the key %s", p.PublicKey)
		}
	})
}
