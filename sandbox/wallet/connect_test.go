package wallet

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"mcbk-sandbox/check"
	"mcbk-sandbox/people"
)

// connected is the payload of a connect event.
type connected struct {
	Items []struct {
		Name, Address, Network, PublicKey, WalletStateInit string
		Proof                                              proof
		Error                                              *failure
	}
	Device struct {
		AppName            string
		MaxProtocolVersion int
		Features           []any
	}
}

func TestConnectedAppGetsAddressAndProof(t *testing.T) {
	g := start(t)
	a := g.app()
	link := g.link(a, `[{"name":"ton_addr"},{"name":"ton_proof","payload":"abc123"},{"name":"ton_soul"}]`)
	asked, err := g.wallets.Read(t.Context(), link)
	check.That(t, err == nil && asked.App.Name == "The game" && fmt.Sprint(asked.Items) == "[ton_addr ton_proof ton_soul]", "the link asks %+v, %v", asked, err)
	check.Must(g.wallets.Connect(t.Context(), people.Boris, link))(t)
	h := a.Hears()
	var told connected
	if err := json.Unmarshal(h.Payload, &told); err != nil || h.Event != "connect" || len(told.Items) != 3 {
		t.Fatalf("it hears %+v", h)
	}
	d := told.Device
	check.That(t, d.AppName == AppName && d.MaxProtocolVersion == 2 && d.Features[0] == "SendTransaction", "the wallet is %+v", d)
	if e := told.Items[2].Error; e == nil || e.Code != 400 {
		t.Errorf("an unknown item: %+v", told.Items[2])
	}
	account, signed := told.Items[0], told.Items[1].Proof
	check.Equal(t, account.Network, "-239", "the network is")
	owned := checkAccount(t, account.Address, account.WalletStateInit, account.PublicKey)
	check.That(t, signed.Domain == (domain{len(g.domain), g.domain}) && signed.Payload == "abc123" && signed.Timestamp == g.now().Unix(), "the proof is %+v", signed)
	signature, err := base64.StdEncoding.DecodeString(signed.Signature)
	digest := digest(owned, g.domain, signed.Timestamp, "abc123")
	check.That(t, err == nil && ed25519.Verify(ed25519.PublicKey(fromHex(t, account.PublicKey)), digest[:], signature), "its signature is another's: %v", err)
	// Boris's wallet it is, and nobody else's.
	shown, err := g.wallets.Show(people.Boris)
	check.That(t, err == nil && len(shown.Apps) == 1 && shown.Apps[0].Client == a.ID() && shown.Balance != 0, "his wallet shows %+v, %v", shown, err)
	shown, err = g.wallets.Show(people.Marina)
	check.That(t, err == nil && len(shown.Apps) == 0 && g.wallets.PlayerOf(a.ID()) == people.Boris, "hers shows %+v, %v", shown, err)
}

// checkAccount checks that the address is made of the state_init and that the key is in it; it returns the hash.
func checkAccount(t *testing.T, address, init, key string) []byte {
	t.Helper()
	root := check.Must(cells(init))(t)
	workchain, hash, _ := strings.Cut(address, ":")
	check.That(t, workchain == "0" && hash == hex.EncodeToString(root.Hash()), "the address %s is not made of %x", address, root.Hash())
	data := check.Must(root.PeekRef(1))(t)
	slice := data.MustBeginParse()
	slice.MustLoadSlice(65) // version 5: a flag, a number, the wallet's id
	own := slice.MustLoadSlice(256)
	check.That(t, bytes.Equal(own, fromHex(t, key)), "the key %s is not the contract's %x", key, own)
	return root.Hash()
}

// digest is what a ton_proof signs, written down from the protocol.
func digest(account []byte, domain string, at int64, payload string) [32]byte {
	var m bytes.Buffer
	m.WriteString("ton-proof-item-v2/")
	m.Write([]byte{0, 0, 0, 0}) // the workchain
	m.Write(account)
	_ = binary.Write(&m, binary.LittleEndian, uint32(len(domain)))
	m.WriteString(domain)
	_ = binary.Write(&m, binary.LittleEndian, at)
	m.WriteString(payload)
	inner := sha256.Sum256(m.Bytes())
	return sha256.Sum256([]byte("\xff\xffton-connect" + string(inner[:])))
}

func fromHex(t *testing.T, text string) []byte {
	t.Helper()
	return check.Must(hex.DecodeString(text))(t)
}

func TestDeclinedConnectionIsNotMade(t *testing.T) {
	g := start(t)
	a := g.app()
	check.NoError(t, g.wallets.Decline(people.Marina, g.link(a, `[{"name":"ton_addr"}]`)))
	h := a.Hears()
	check.That(t, h.Event == "connect_error" && strings.Contains(string(h.Payload), `"code":300`), "it hears %+v", h)
	shown, err := g.wallets.Show(people.Marina)
	check.That(t, err == nil && len(shown.Apps) == 0, "the wallet shows %+v, %v", shown, err)
}

func TestMalformedLinkConnectsNothing(t *testing.T) {
	g := start(t)
	a := g.app()
	good := g.link(a, `[{"name":"ton_addr"}]`)
	for what, link := range map[string]string{
		"another version": strings.Replace(good, "v=2", "v=1", 1), "no key": strings.Replace(good, "id=", "id=x", 1),
		"no request": strings.Replace(good, "&r=", "&q=", 1), "no items": g.link(a, "[]"), "no link": "hello",
	} {
		check.Fails(g.wallets.Connect(t.Context(), people.Marina, link))(t, ErrLink, what)
	}
	check.Fails(g.wallets.Connect(t.Context(), 1, good))(t, people.ErrNoPlayer, "a stranger")
	check.Fails(g.wallets.Connect(t.Context(), people.Marina, strings.Replace(good, "manifest.json", "nothing.json", 1)))(t, ErrNoManifest, "no manifest")
	h := a.Hears()
	check.That(t, h.Event == "connect_error" && strings.Contains(string(h.Payload), `"code":2`), "the app hears %+v", h)
}

func TestWalletDisconnectsApp(t *testing.T) {
	g := start(t)
	a, other := g.connects(), g.connects()
	check.NoError(t, g.wallets.Disconnect(people.Marina, a.ID()))
	h := a.Hears()
	check.That(t, h.Event == "disconnect", "it hears %+v", h)
	check.WantError(t, g.wallets.Disconnect(people.Marina, a.ID()), ErrNoApp, "a second time")
	if shown, err := g.wallets.Show(people.Marina); err != nil || len(shown.Apps) != 1 || shown.Apps[0].Client != other.ID() {
		t.Errorf("still connected are %+v, %v", shown.Apps, err)
	}
}

func TestAppDisconnects(t *testing.T) {
	g := start(t)
	a := g.connects()
	number := a.Asks("disconnect")
	h := a.Hears()
	check.That(t, string(h.ID) == number && string(h.Result) == "{}", "it hears %+v", h)
	shown, err := g.wallets.Show(people.Marina)
	check.That(t, err == nil && len(shown.Apps) == 0, "the wallet shows %+v, %v", shown, err)
}

func TestConnectionsAndEventIDsPersist(t *testing.T) {
	g := start(t)
	a := g.app()
	var last int
	link := g.link(a, `[{"name":"ton_addr"}]`)
	for range 3 {
		g.open() // as after a restart
		check.Must(g.wallets.Connect(t.Context(), people.Marina, link))(t)
		var id int
		if h := a.Hears(); json.Unmarshal(h.ID, &id) != nil || id <= last {
			t.Errorf("event %s after %d", h.ID, last)
		}
		last = id
	}
	g.open()
	apps := g.shown().Apps
	check.That(t, len(apps) == 1, "one app is connected as %+v", apps)
	a.Asks("disconnect")
	h := a.Hears()
	check.That(t, string(h.Result) == "{}", "the wallet has forgotten its keys: %+v", h)
}
