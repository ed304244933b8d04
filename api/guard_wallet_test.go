package api_test

import (
	"context"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
	"time"

	"mcbk/api"
	"mcbk/models/modelstest"
	"mcbk/ton"
)

var (
	_ = guard("setWallet", example{good: func(g *table, raw, key string) request {
		return walletOf(raw).proves(g, raw, key)
	}})
	_ = guard("createProofPayload", example{good: func(*table, string, string) request {
		return request{method: "POST", path: "/api/ton/proof-payload"}
	}})
)

// proves connects the wallet with a proof, always the same.
func (w signer) proves(g *table, raw, key string) request {
	g.t.Helper()
	payload := g.made(raw+" payload "+key, func() string { return g.payload(raw) })
	proof := w.sign(payload, gameDomain, g.clock.Now())
	return w.connects(raw, &proof)
}

func (g *table) payload(raw string) string {
	g.t.Helper()
	return g.asks(raw, "POST", "/ton/proof-payload", "", 200, map[string]string{"expires_at": g.clock.Now().Add(5 * time.Minute).Format(time.RFC3339)}).at("payload")
}

func TestPlayerProvesWallet(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, g *table) {
		ann, bob := g.arrives(modelstest.TelegramID()), g.arrives(modelstest.TelegramID())
		wallet, other := walletOf("ann"), walletOf("another of ann's")
		shown := wallet.address.Friendly(ton.Mainnet)

		g.answers("without a proof", wallet.connects(ann, nil), 200, map[string]string{"wallet_address": shown, "wallet_proven": "false"})
		payload := g.payload(ann)
		proof := wallet.sign(payload, gameDomain, g.clock.Now())
		proven := wallet.connects(ann, &proof)
		g.refuses("another player's payload", wallet.connects(bob, &proof), 400, "wallet_proof_invalid")
		g.answers("with a proof", proven, 200, map[string]string{"wallet_address": shown, "wallet_proven": "true"})
		g.answers("the player", request{method: "GET", path: "/api/user/me", launch: ann}, 200, map[string]string{"wallet_address": shown, "wallet_proven": "true"})
		g.refuses("the same proof again", proven, 409, "nonce_used")
		g.clock.Step(6 * time.Minute)
		g.refuses("and later", proven, 409, "nonce_used")

		bobs := wallet.sign(g.payload(bob), gameDomain, g.clock.Now())
		g.refuses("the wallet that Ann has proven", wallet.connects(bob, &bobs), 409, "wallet_in_use")
		g.answers("without a proof, which tells nothing of Ann,", wallet.connects(bob, nil), 200, map[string]string{"wallet_proven": "false"})
		g.answers("the same address without a proof", wallet.connects(ann, nil), 200, map[string]string{"wallet_proven": "true"})
		g.answers("another address", other.connects(ann, nil), 200, map[string]string{"wallet_proven": "false"})
		g.answers("the wallet once it is free", wallet.connects(bob, &bobs), 200, map[string]string{"wallet_proven": "true"})
		g.answers("disconnect", request{method: "PUT", path: "/api/user/wallet", body: `{"wallet_address":null}`, launch: bob}, 200,
			map[string]string{"wallet_address": "<nil>", "wallet_proven": "false"})
		modelstest.Sound(t, g.store)
	})
}

func TestInvalidProofIsRefused(t *testing.T) {
	onEachDatabase(t, func(t *testing.T, g *table) {
		raw := g.arrives(modelstest.TelegramID())
		wallet, stranger := walletOf("somebody"), walletOf("a stranger")
		payload := g.payload(raw)
		now := g.clock.Now()
		good := wallet.sign(payload, gameDomain, now)
		for name, change := range map[string]func(p *api.WalletProof){
			"of the future":           func(p *api.WalletProof) { *p = wallet.sign(payload, gameDomain, now.Add(61*time.Second)) },
			"too old":                 func(p *api.WalletProof) { *p = wallet.sign(payload, gameDomain, now.Add(-301*time.Second)) },
			"for another domain":      func(p *api.WalletProof) { *p = wallet.sign(payload, "evil.example", now) },
			"with a wrong length":     func(p *api.WalletProof) { p.Domain.LengthBytes = 4 },
			"of another payload":      func(p *api.WalletProof) { *p = wallet.sign(strings.Repeat("ab", 32), gameDomain, now) },
			"of a payload by another": func(p *api.WalletProof) { p.Payload = strings.Repeat("ab", 32) },
			"by a stranger":           func(p *api.WalletProof) { p.Signature = stranger.sign(payload, gameDomain, now).Signature },
			"of a stranger's wallet":  func(p *api.WalletProof) { *p = stranger.sign(payload, gameDomain, now) },
			"with a stranger's key":   func(p *api.WalletProof) { p.PublicKey = hex.EncodeToString(stranger.public()) },
			"with a stranger's state": func(p *api.WalletProof) { p.StateInit = new(stranger.init) },
			"with a state of nothing": func(p *api.WalletProof) { p.StateInit = new("te6cckEBAQEAAgAAAEysuc0=") },
			"with no base64":          func(p *api.WalletProof) { p.StateInit = new("%") },
			"with half a signature":   func(p *api.WalletProof) { p.Signature = p.Signature[:44] },
			"with no hex for a key":   func(p *api.WalletProof) { p.PublicKey = "key" },
		} {
			p := good
			change(&p)
			g.refuses(name, wallet.connects(raw, &p), 400, "wallet_proof_invalid")
		}
		null := wallet.connects(raw, &good)
		null.body = strings.Replace(null.body, text(wallet.address.Raw()), "null", 1)
		g.answers("without a wallet", null, 400, map[string]string{"code": "validation_failed", "params.field": "proof"})
		long := good
		long.StateInit = new(strings.Repeat("A", 60<<10))
		g.refuses("with a state of 60 KiB", wallet.connects(raw, &long), 400, "wallet_proof_invalid")
		ahead := wallet.sign(payload, gameDomain, now.Add(time.Minute))
		g.answers("after all of them the right one, a minute ahead", wallet.connects(raw, &ahead), 200, map[string]string{"wallet_proven": "true"})

		late := wallet.sign(g.payload(raw), gameDomain, now.Add(4*time.Minute))
		g.clock.Step(5*time.Minute + time.Second)
		g.refuses("a payload older than five minutes", wallet.connects(raw, &late), 410, "expired")
		modelstest.Sound(t, g.store)
	})
}

// A wallet without state_init is looked up on the chain, before any transaction and once for a request.
func TestWalletWithoutStateInitIsLookedUpOnChain(t *testing.T) {
	wallet := walletOf("deployed")
	var (
		asked int
		err   error
		shown = ton.Account{Wallet: true, Balance: 5}
		state = new("")
	)
	copy(shown.Key[:], wallet.public())
	g := serve(t, modelstest.Store(t, "sqlite"), func(o *api.Options) {
		o.Account = func(_ context.Context, address ton.Address, _ time.Time) (ton.Account, error) {
			asked++
			if address != wallet.address {
				t.Errorf("asked for %s", address.Raw())
			}
			return shown, err
		}
	})
	raw := g.arrives(modelstest.TelegramID())
	proves := func(what string, status int, code string) request {
		t.Helper()
		g.clock.Step(time.Minute) // the cache expires
		proof := wallet.sign(g.payload(raw), gameDomain, g.clock.Now())
		proof.StateInit = state
		q := wallet.connects(raw, &proof).with("Idempotency-Key", modelstest.Key(asked+1), true)
		g.answers(what, q, status, map[string]string{"code": code})
		return q
	}
	err = ton.ErrNoServer
	proves("while no lite server answers", 503, "try_again")
	err = nil
	key := shown.Key
	shown.Key[0] ^= 1
	proves("a wallet of another key", 400, "wallet_proof_invalid")
	shown = ton.Account{Balance: 5}
	proves("an account that is no wallet", 400, "wallet_proof_invalid")
	shown = ton.Account{Wallet: true, Key: key, SingleSource: true}
	proves("by the word of one server of several", 503, "try_again")
	shown.SingleSource = false
	state = nil // equivalent
	q := proves("the wallet", 200, "<nil>")
	before := asked
	g.clock.Step(time.Minute)
	g.answers("the same request again", q, 200, map[string]string{"wallet_proven": "true"})
	if asked != before || asked != 5 {
		t.Errorf("the chain was asked %d times", asked)
	}
	proof := wallet.sign(g.payload(raw), gameDomain, g.clock.Now())
	g.answers("with its state", wallet.connects(raw, &proof), 200, map[string]string{"wallet_proven": "true"})
	if asked != 5 {
		t.Error("the chain was asked for what the proof shows")
	}
}

func TestWalletShowsBalanceIfAvailable(t *testing.T) {
	wallet := walletOf("rich")
	asked, away := 0, error(nil)
	look := func(ctx context.Context, _ ton.Address, now time.Time) (ton.Account, error) {
		asked++
		if until, ends := ctx.Deadline(); !ends || time.Until(until) > 4*time.Second {
			t.Errorf("the player waits until %v", until)
		}
		return ton.Account{Balance: 1_500_000_001, Block: ton.Block{Time: now.Add(-3 * time.Second)}}, away
	}
	g := limited(t, func(o *api.Options) { o.Account = look })
	raw := g.arrives(modelstest.TelegramID())
	shows := func(what, balance, at string, times int) {
		t.Helper()
		g.answers(what, request{method: "GET", path: "/api/user/wallet", launch: raw}, 200, map[string]string{"ton_balance": balance, "balance_at": at})
		if asked != times {
			t.Errorf("%s: the chain was asked %d times, not %d", what, asked, times)
		}
	}
	shows("no wallet", "<nil>", "<nil>", 0)
	g.answers("connect", wallet.connects(raw, nil), 200, nil)
	shows("a wallet", "1.500000001", "2026-03-04T11:59:57Z", 1)
	g.clock.Step(9 * time.Second)
	shows("a little later", "1.500000001", "2026-03-04T11:59:57Z", 1)
	away = ton.ErrNoServer
	g.clock.Step(time.Second)
	shows("while no lite server tells", "<nil>", "<nil>", 2)
	away = nil
	g.clock.Step(9 * time.Second)
	shows("soon after", "<nil>", "<nil>", 2)
	g.clock.Step(time.Second)
	shows("once one does", "1.500000001", "2026-03-04T12:00:17Z", 3)
	for i := range 14 {
		g.answers("another wallet", walletOf(fmt.Sprint("wallet ", i)).connects(raw, nil), 200, nil)
		g.send(request{method: "GET", path: "/api/user/wallet", launch: raw})
	}
	if asked > 16 {
		t.Errorf("the chain was asked %d times for one player", asked)
	}
	shows("a wallet too many", "<nil>", "<nil>", asked)
}

func TestProofPayloadsAreLimitedToTwentyAnHour(t *testing.T) {
	g := limited(t)
	ask := request{method: "POST", path: "/api/ton/proof-payload", launch: g.arrives(modelstest.TelegramID())}
	send := func(q request, times, status int) {
		t.Helper()
		for range times {
			g.clock.Step(time.Second)
			g.answers("a payload", q, status, nil)
		}
	}
	send(ask.with("Idempotency-Key", modelstest.Key(1), true), 5, 200) // counted once
	send(ask, 19, 200)
	send(ask, 1, 429)
	g.clock.Step(3 * time.Minute)
	send(ask, 1, 200)
	send(ask, 1, 429)
}

func TestProofDomainIsWebAppsHost(t *testing.T) {
	for app, want := range map[string]string{
		"https://game.example": "game.example", "https://Game.Example/app/": "game.example", "https://game.example:443": "game.example",
		"https://game.example:8443/": "game.example:8443", "http://localhost:8080": "localhost:8080", "http://127.0.0.1:80/": "127.0.0.1", "http://[::1]:80": "[::1]",
	} {
		if got, err := api.ProofDomain(app); err != nil || got != want {
			t.Errorf("%s: %s, %v", app, got, err)
		}
	}
}

func TestMalformedAddressNamesTheProblem(t *testing.T) {
	g := serve(t, modelstest.Store(t, "sqlite"), selling)
	raw := g.arrives(modelstest.TelegramID())
	for address, problem := range map[string]string{
		"83dfd552":                     `Address must include ":"`,
		"0:1:2":                        `Address must include ":" only once`,
		"7:" + rawWallet[2:]:           "WC must be eq 0 or -1",
		"0:83df":                       "Hex part must be 64bytes length",
		uqWallet[:47] + "J":            "Checksum does not fit the address",
		"0:" + strings.Repeat("z", 64): "Hex part must be hex digits",
		"{problem}":                    `Address must include ":"`,
	} {
		g.asks(raw, "PUT", "/user/wallet", fmt.Sprintf(`{"wallet_address":%q}`, address), 400, map[string]string{
			"code": "wallet_address_invalid", "params.problem": problem, "message": fmt.Sprintf("Wrong address %s. %s.", address, problem),
		})
	}
}
