package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/xssnick/tonutils-go/ton/wallet"
	"mcbk-sandbox/check"
	"mcbk-sandbox/dapp"
)

// The game of these tests is mcbk itself, built and run beside the sandbox: what its wallets say must be what mcbk believes.

// ground is a running sandbox with the game.
type ground struct {
	t      *testing.T
	url    string // the sandbox's
	app    string // the game's
	player int64
	launch string // the player's
}

func play(t *testing.T) *ground {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "mcbk")
	build := exec.Command("go", "build", "-o", binary, ".")
	build.Dir = ".."
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build mcbk: %v: %s", err, said)
	}
	ctx, stop := context.WithCancel(context.Background())
	var out, errs words
	ended := make(chan int, 1)
	go func() {
		ended <- run(ctx, []string{"-listen", "localhost:0", "-app", "localhost:0", "-ops", "localhost:0", "-data", t.TempDir(), "-mcbk", binary}, &out, &errs)
	}()
	t.Cleanup(func() {
		stop()
		code := <-ended
		check.That(t, code == 0, "exit %d: %s", code, errs.String())
	})
	g := &ground{t: t}
	for end := time.Now().Add(time.Minute); g.url == ""; time.Sleep(10 * time.Millisecond) {
		if m := readyLine.FindStringSubmatch(out.String()); m != nil {
			g.url = m[1]
		}
		if time.Now().After(end) {
			t.Fatalf("never ready: %s %s", out.String(), errs.String())
		}
	}
	return g
}

// call asks for JSON, which must be answered with 200.
func (g *ground) call(method, address string, body, answer any) {
	g.t.Helper()
	text := check.Must(json.Marshal(body))(g.t)
	request := check.Must(http.NewRequestWithContext(g.t.Context(), method, address, bytes.NewReader(text)))(g.t)
	request.Header.Set("Content-Type", "application/json")
	if g.app != "" && strings.HasPrefix(address, g.app) {
		request.Header.Set("Authorization", "tma "+g.launch)
	}
	response := check.Must(http.DefaultClient.Do(request))(g.t)
	defer func() { _ = response.Body.Close() }()
	said, err := io.ReadAll(response.Body)
	if err == nil && answer != nil {
		err = json.Unmarshal(said, answer)
	}
	if err != nil || response.StatusCode != http.StatusOK {
		g.t.Fatalf("%s %s: %s %s %v", method, address, response.Status, said, err)
	}
}

// arrives has somebody new open the game and accept its rules.
func (g *ground) arrives() {
	g.t.Helper()
	var info struct {
		AppURL string `json:"app_url"`
	}
	g.call("GET", g.url+"/sandbox/info", nil, &info)
	var person struct{ ID int64 }
	g.call("POST", g.url+"/sandbox/people", map[string]any{}, &person)
	var launch struct {
		InitData string `json:"init_data"`
	}
	g.call("GET", fmt.Sprintf("%s/sandbox/launch?player=%d", g.url, person.ID), nil, &launch)
	g.app, g.player, g.launch = info.AppURL, person.ID, launch.InitData
	g.call("GET", g.app+"/api/user/me", nil, nil)
	g.call("PUT", g.app+"/api/user/update", map[string]any{"age_consent_accepted": true}, nil)
}

// wallet is the address of a call to the player's wallet.
func (g *ground) wallet(call string) string {
	return fmt.Sprintf("%s/sandbox/wallet/%d%s", g.url, g.player, call)
}

// sells waits until the game has read a price for the first time: before that it takes no orders.
func (g *ground) sells() {
	g.t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(250 * time.Millisecond) { // within the limits of a player
		var price struct{ Stale bool }
		g.call("GET", g.app+"/api/token/ton-price", nil, &price)
		if !price.Stale {
			return
		}
		if time.Now().After(end) {
			g.t.Fatal("the game never sells anything")
		}
	}
}

type user struct {
	Address string `json:"wallet_address"`
	Proven  bool   `json:"wallet_proven"`
	Balance struct {
		Purchased float64 `json:"purchased_mcbk"`
	}
}

// connects has the player's wallet connected to the game, and the game told whose it is, as the web app does; it returns the address.
func (g *ground) connects(a *dapp.App) string {
	g.t.Helper()
	var asked struct{ Payload string }
	g.call("POST", g.app+"/api/ton/proof-payload", map[string]any{}, &asked)
	link := a.Link(g.app+"/tonconnect-manifest.json", fmt.Sprintf(`[{"name":"ton_addr"},{"name":"ton_proof","payload":%q}]`, asked.Payload))
	g.call("POST", g.wallet("/connect"), map[string]any{"link": link}, nil)
	var told struct {
		Items []struct {
			Address, PublicKey, WalletStateInit string
			Proof                               map[string]any
		}
	}
	if h := a.Hears(); h.Event != "connect" || json.Unmarshal(h.Payload, &told) != nil || len(told.Items) != 2 {
		g.t.Fatalf("the game hears %+v", h)
	}
	account, proof := told.Items[0], told.Items[1].Proof
	proof["public_key"], proof["state_init"] = account.PublicKey, account.WalletStateInit
	var shown user
	g.call("PUT", g.app+"/api/user/wallet", map[string]any{"wallet_address": account.Address, "proof": proof}, &shown)
	check.That(g.t, shown.Proven, "the game believes %+v", shown)
	return account.Address
}

// orders buys coins for a TON and asks the wallet to pay for them; it returns the order's number.
func (g *ground) orders(a *dapp.App, from string) int64 {
	g.t.Helper()
	var bought struct {
		PaymentLink string
		Order       struct {
			ID      int64
			Comment string
		}
	}
	g.call("POST", g.app+"/api/token/purchase", map[string]any{"ton_amount": 1}, &bought)
	to, _, _ := strings.Cut(strings.TrimPrefix(bought.PaymentLink, g.url+"/transfer/"), "?")
	comment := check.Must(wallet.CreateCommentCell(bought.Order.Comment))(g.t)
	a.Asks("sendTransaction", fmt.Sprintf(`{"valid_until":%d,"network":"-239","from":%q,"messages":[{"address":%q,"amount":"1000000000","payload":%q}]}`,
		time.Now().Add(5*time.Minute).Unix(), from, to, base64.StdEncoding.EncodeToString(comment.ToBOC())))
	return bought.Order.ID
}

func (g *ground) status(order int64) string {
	g.t.Helper()
	var o struct{ Status string }
	g.call("GET", fmt.Sprintf("%s/api/orders/%d", g.app, order), nil, &o)
	return o.Status
}

func TestGameAcceptsProofAndCreditsPayment(t *testing.T) {
	g := play(t)
	g.arrives()
	a := dapp.New(t, g.url+"/bridge")
	address := g.connects(a)
	g.sells()

	declined := g.orders(a, address)
	g.call("POST", g.wallet("/decline"), nil, nil)
	h := a.Hears()
	check.That(t, h.Error != nil && h.Error.Code == 300, "declined, the game hears %+v", h)
	paid := g.orders(a, address)
	g.call("POST", g.wallet("/approve"), nil, nil)
	h = a.Hears()
	check.That(t, h.Error == nil && len(h.Result) != 0, "approved, the game hears %+v", h)
	for end := time.Now().Add(30 * time.Second); g.status(paid) != "paid"; time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("the order is %s", g.status(paid))
		}
	}
	check.Equal(t, g.status(declined), "pending", "the declined order is")
	var shown user
	if g.call("GET", g.app+"/api/user/me", nil, &shown); shown.Balance.Purchased != 1250 {
		t.Errorf("the player has %v coins", shown.Balance.Purchased)
	}
	g.call("POST", g.wallet("/disconnect"), nil, nil)
	h = a.Hears()
	check.That(t, h.Event == "disconnect", "disconnected, the game hears %+v", h)
}
