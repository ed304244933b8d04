package control

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"mcbk-sandbox/check"
	"mcbk-sandbox/people"
)

func TestPlayerPaysTreasury(t *testing.T) {
	c := newClient(t)
	var before, after chainState
	c.ok(http.MethodGet, "/sandbox/chain", "", &before)
	if len(before.Servers) != 3 || before.Servers[0].Address == "" || before.Treasury == "" || before.Block == 0 {
		t.Fatalf("the chain is %+v", before)
	}
	pay := func(fields string) int {
		return c.do(http.MethodPost, "/sandbox/chain/pay", fmt.Sprintf(`{"player":%d,%s}`, people.Marina, fields), nil)
	}
	for _, fields := range []string{
		`"nanotons":1000000000,"comment":"MC-ABCDE23456"`, `"nanotons":1000000000,"comment":"MC-ABCDE23456","body":"encrypted"`,
		`"nanotons":1000000000,"bounce":true,"times":3`,
	} {
		check.Equal(t, pay(fields), http.StatusOK, fields)
	}
	c.ok(http.MethodGet, "/sandbox/chain", "", &after)
	got := after.TreasuryBalance - before.TreasuryBalance
	check.That(t, got >= 4_950_000_000 && got <= 5_000_000_000, "of five TON %d nanotons arrived", got)
	if after.Wallets[0].Balance >= before.Wallets[0].Balance || after.Block <= before.Block {
		t.Errorf("the player has %d nanotons, had %d", after.Wallets[0].Balance, before.Wallets[0].Balance)
	}
	for _, fields := range []string{`"nanotons":1,"body":"song"`, `"nanotons":1,"to":"0:12"`, `"from":"me"`, `"nanotons":1,"times":0`} {
		check.Equal(t, pay(fields), http.StatusBadRequest, fields)
	}
	check.Equal(t, c.do(http.MethodPost, "/sandbox/chain/pay", `{"player":1,"nanotons":1}`, nil), http.StatusNotFound, "a stranger pays")
}

func TestWalletCannotOverspend(t *testing.T) {
	c := newClient(t)
	var before, after chainState
	c.ok(http.MethodGet, "/sandbox/chain", "", &before)
	for _, fields := range []string{`"nanotons":6000000000000`, `"nanotons":5000000000000`, `"nanotons":3000000000000,"times":2`} {
		var told struct{ Message string }
		status := c.do(http.MethodPost, "/sandbox/chain/pay", fmt.Sprintf(`{"player":%d,%s}`, people.Marina, fields), &told)
		check.That(t, status == http.StatusConflict && strings.Contains(told.Message, "too little"), "%s: %d %q", fields, status, told.Message)
	}
	c.ok(http.MethodGet, "/sandbox/chain", "", &after)
	got := after.TreasuryBalance - before.TreasuryBalance
	check.That(t, got >= 2_990_000_000_000 && got <= 3_000_000_000_000, "%d nanotons arrived, not those of the one transfer that could be paid", got)
}

func TestTreasuryAndFaucetPay(t *testing.T) {
	c := newClient(t)
	var state chainState
	c.ok(http.MethodGet, "/sandbox/chain", "", &state)
	to, had := state.Wallets[0].Address, state.Wallets[0].Balance
	c.ok(http.MethodPost, "/sandbox/chain/faucet", `{"to":"`+state.Treasury+`","nanotons":7000000000}`, nil)
	c.ok(http.MethodPost, "/sandbox/chain/pay", `{"from":"treasury","to":"`+to+`","nanotons":5000000000,"comment":"prize 1"}`, nil)
	c.ok(http.MethodGet, "/sandbox/chain", "", &state)
	got := state.Wallets[0].Balance - had
	check.That(t, got >= 4_990_000_000 && got <= 5_000_000_000, "%d nanotons arrived", got)
	check.Equal(t, c.do(http.MethodPost, "/sandbox/chain/faucet", `{"to":"nowhere","nanotons":1}`, nil), http.StatusBadRequest, "to nowhere")
}

func TestLiteServerFaultsAreSetSinglyOrForAll(t *testing.T) {
	c := newClient(t)
	var state chainState
	c.ok(http.MethodPost, "/sandbox/chain/fault", `{"server":1,"fault":"lying"}`, &state)
	check.That(t, state.Servers[0].Fault == "" && state.Servers[1].Fault == "lying", "they are %+v", state.Servers)
	c.ok(http.MethodPost, "/sandbox/chain/fault", `{}`, &state)
	check.Equal(t, state.Servers[1].Fault, "", "they are", state.Servers)
	check.Equal(t, c.do(http.MethodPost, "/sandbox/chain/fault", `{"fault":"sleepy"}`, nil), http.StatusBadRequest, "an unknown fault")
	check.Equal(t, c.do(http.MethodPost, "/sandbox/chain/fault", `{"server":3,"fault":"silent"}`, nil), http.StatusNotFound, "an unknown server")
}
