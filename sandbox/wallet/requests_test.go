package wallet

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/xssnick/tonutils-go/ton/wallet"
	"mcbk-sandbox/check"
	"mcbk-sandbox/people"
)

// payment asks for one TON to the treasury with this comment; fields are more of its first part.
func (g *ground) payment(comment, fields string) string {
	g.t.Helper()
	body := check.Must(wallet.CreateCommentCell(comment))(g.t)
	return fmt.Sprintf(`{%s"messages":[{"address":%q,"amount":"1000000000","payload":%q}]}`, fields,
		g.chain.Treasury.WalletAddress().Bounce(false).String(), base64.StdEncoding.EncodeToString(body.ToBOC()))
}

// shown is Marina's wallet.
func (g *ground) shown() Shown {
	g.t.Helper()
	return check.Must(g.wallets.Show(people.Marina))(g.t)
}

func (g *ground) treasury() uint64 { return g.chain.Chain.Balance(g.chain.Treasury.WalletAddress()) }

func TestPaymentNeedsApproval(t *testing.T) {
	g := start(t)
	a := g.connects()
	before := g.treasury()
	own := check.Must(g.wallets.walletOf(people.Marina))(t)
	until := g.now().Add(time.Minute).Unix()
	number := a.Asks("sendTransaction", g.payment("MC-ABCDE23456", fmt.Sprintf(`"valid_until":%d,"network":"-239","from":%q,`, until, own.WalletAddress().StringRaw())))
	waiting := g.shown().Requests
	if len(waiting) != 1 || waiting[0].ValidUntil != until || waiting[0].App.Name != "The game" {
		t.Fatalf("there wait %+v", waiting)
	}
	m := waiting[0].Messages
	check.That(t, len(m) == 1 && m[0].Nanotons == 1_000_000_000 && m[0].Comment == "MC-ABCDE23456" && !m[0].Call, "the player sees %+v", m)
	check.Equal(t, g.treasury(), before, "it is paid before anybody approved")
	paid, err := g.wallets.Approve(people.Marina, waiting[0].ID)
	if err != nil || !paid.Moved {
		t.Fatalf("approved: %+v, %v", paid, err)
	}
	h := a.Hears()
	check.That(t, string(h.ID) == number && string(h.Result) == `"`+paid.Result+`"`, "the app hears %+v", h)
	if _, err := cells(paid.Result); err != nil {
		t.Errorf("the answer is no message: %v", err)
	}
	got := g.treasury() - before
	check.That(t, got >= 999_000_000 && got <= 1_000_000_000, "%d nanotons arrived", got)
	check.Fails(g.wallets.Approve(people.Marina, waiting[0].ID))(t, ErrNoRequest, "approved again")
}

func TestDeclinedPaymentIsNotMade(t *testing.T) {
	g := start(t)
	a := g.connects()
	before := g.treasury()
	a.Asks("sendTransaction", g.payment("one", ""))
	a.Asks("sendTransaction", g.payment("two", ""))
	check.NoError(t, g.wallets.Refuse(people.Marina, ""))
	h := a.Hears()
	check.That(t, string(h.ID) == `"1"` && h.Error != nil && h.Error.Code == 300, "it hears %+v", h)
	left := g.shown().Requests
	check.That(t, len(left) == 1 && left[0].Messages[0].Comment == "two" && g.treasury() == before, "there wait %+v", left)
	check.WantError(t, g.wallets.Refuse(people.Boris, ""), ErrNoRequest, "another declines it too")
}

func TestInvalidRequestIsRefusedWithoutPrompt(t *testing.T) {
	g := start(t)
	a := g.connects()
	good := g.payment("x", "")
	to := g.chain.Treasury.WalletAddress()
	others := check.Must(g.wallets.walletOf(people.Boris))(t)
	for what, c := range map[string]struct {
		method string
		params []string
		code   int
	}{
		"too late":          {"sendTransaction", []string{g.payment("x", fmt.Sprintf(`"valid_until":%d,`, g.now().Unix()))}, 1},
		"another network":   {"sendTransaction", []string{g.payment("x", `"network":"-3",`)}, 1},
		"another wallet":    {"sendTransaction", []string{g.payment("x", fmt.Sprintf(`"from":%q,`, others.WalletAddress().StringRaw()))}, 1},
		"no messages":       {"sendTransaction", []string{`{"messages":[]}`}, 1},
		"no JSON":           {"sendTransaction", []string{"hello"}, 1},
		"no parameter":      {"sendTransaction", nil, 1},
		"a raw address":     {"sendTransaction", []string{strings.Replace(good, to.Bounce(false).String(), to.StringRaw(), 1)}, 1},
		"a broken amount":   {"sendTransaction", []string{strings.Replace(good, `"1000000000"`, `"-1"`, 1)}, 1},
		"a broken payload":  {"sendTransaction", []string{strings.Replace(good, `"payload":"`, `"payload":"!`, 1)}, 1},
		"a broken contract": {"sendTransaction", []string{strings.Replace(good, `"payload":`, `"stateInit":`, 1)}, 1},
		"another currency":  {"sendTransaction", []string{strings.Replace(good, `"payload":`, `"extra_currency":{"100":"1"},"payload":`, 1)}, 1},
		"another method":    {"signData", []string{"{}"}, 400},
	} {
		number := a.Asks(c.method, c.params...)
		if h := a.Hears(); string(h.ID) != number || h.Error == nil || h.Error.Code != c.code {
			t.Errorf("%s: %s %+v", what, h.Result, h.Error)
		}
	}
	waiting := g.shown().Requests
	check.That(t, len(waiting) == 0, "there wait %+v", waiting)
}

func TestLateApprovalPaysNothing(t *testing.T) {
	g := start(t)
	a := g.connects()
	before := g.treasury()
	a.Asks("sendTransaction", g.payment("x", fmt.Sprintf(`"valid_until":%d,`, g.now().Unix()+10)))
	if waiting := g.shown().Requests; len(waiting) != 1 {
		t.Fatalf("there wait %+v", waiting)
	}
	g.pass(10 * time.Second)
	check.Fails(g.wallets.Approve(people.Marina, ""))(t, ErrRequest, "approved")
	h := a.Hears()
	check.That(t, h.Error != nil && h.Error.Code == 1 && g.treasury() == before, "the app hears %+v", h)
}

// A signed message says nothing about money, so an app that counts on it is wrong.
func TestInsufficientBalanceMovesNothing(t *testing.T) {
	g := start(t)
	a := g.connects()
	before := g.treasury()
	a.Asks("sendTransaction", strings.Replace(g.payment("x", ""), `"1000000000"`, `"6000000000000"`, 1))
	paid, err := g.wallets.Approve(people.Marina, "")
	check.That(t, err == nil && !paid.Moved, "approved: %+v, %v", paid, err)
	h := a.Hears()
	check.That(t, string(h.Result) == `"`+paid.Result+`"` && g.treasury() == before, "it hears %+v", h)
}

func TestRequestMayHaveSeveralMessages(t *testing.T) {
	g := start(t)
	a := g.connects()
	before := g.treasury()
	one := strings.TrimSuffix(strings.TrimPrefix(g.payment("x", ""), `{"messages":[`), "]}")
	a.Asks("sendTransaction", `{"messages":[`+strings.Repeat(one+",", 3)+one+"]}")
	if paid, err := g.wallets.Approve(people.Marina, ""); err != nil || !paid.Moved {
		t.Fatalf("approved: %+v, %v", paid, err)
	}
	got := g.treasury() - before
	check.That(t, got >= 3_990_000_000 && got <= 4_000_000_000, "%d nanotons arrived", got)
	a.Hears()
	a.Asks("sendTransaction", `{"messages":[`+strings.Repeat(one+",", 4)+one+"]}")
	h := a.Hears()
	check.That(t, h.Error != nil && h.Error.Code == 1, "five: %+v", h)
}

// An app that is not sure of having been heard asks again with the same number.
func TestRepeatedRequestIsHandledOnce(t *testing.T) {
	g := start(t)
	a := g.connects()
	for range 2 {
		a.Repeats("0", "sendTransaction", g.payment("x", ""))
	}
	waiting := g.shown().Requests
	check.That(t, len(waiting) == 1, "there wait %+v", waiting)
}

func TestPendingRequestSurvivesRestart(t *testing.T) {
	g := start(t)
	a := g.connects()
	a.Asks("sendTransaction", g.payment("x", ""))
	g.open()
	a.Asks("sendTransaction", g.payment("y", ""))
	if waiting := g.shown().Requests; len(waiting) != 2 {
		t.Fatalf("there wait %+v", waiting)
	}
	check.Must(g.wallets.Approve(people.Marina, ""))(t)
	h := a.Hears()
	check.That(t, string(h.ID) == `"1"` && h.Error == nil, "it hears %+v", h)
	g.open()
	waiting := g.shown().Requests
	check.That(t, len(waiting) == 1 && waiting[0].Messages[0].Comment == "y", "after it is paid there wait %+v", waiting)
}

func TestUnreadableMessageChangesNothing(t *testing.T) {
	g := start(t)
	a, stranger := g.connects(), g.app()
	stranger.Wallet = a.Wallet
	plain := check.Must(json.Marshal(rpc{"disconnect", nil, "1"}))(t)
	check.Equal(t, stranger.Posts(plain), http.StatusOK, "a stranger")
	check.Equal(t, a.Posts([]byte("hello")), http.StatusOK, "no JSON")
	apps := g.shown().Apps
	check.That(t, len(apps) == 1, "connected are %+v", apps)
}

func TestMessagesDuringBridgeOutageArriveLater(t *testing.T) {
	g := start(t)
	a := g.connects()
	a.Asks("sendTransaction", g.payment("x", ""))
	g.bridge.SetOffline(true)
	if _, open := <-a.Heard; open {
		t.Fatal("the bridge has not hung up")
	}
	check.Must(g.wallets.Approve(people.Marina, ""))(t)
	check.NoError(t, g.wallets.Disconnect(people.Marina, ""))
	plain := check.Must(json.Marshal(rpc{"disconnect", nil, "2"}))(t)
	check.Equal(t, a.Posts(plain), http.StatusServiceUnavailable, "a message")
	g.bridge.SetOffline(false)
	a.Listen() // from where it was, so that the connect event does not come again
	h := a.Hears()
	check.That(t, string(h.ID) == `"1"` && h.Error == nil, "first it hears %+v", h)
	h = a.Hears()
	check.That(t, h.Event == "disconnect", "then it hears %+v", h)
}
