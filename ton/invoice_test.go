package ton_test

import (
	"testing"
	"time"

	"mcbk/game"
	"mcbk/ton"
)

func TestPaymentLinkMatchesInvoice(t *testing.T) {
	to, err := ton.ParseAddress(raw, ton.Mainnet)
	must(t, err)
	plain := ton.Invoice{To: to, Amount: 3*game.TON/2 + 1, Comment: "MC-ABCDE23456"}
	until := plain
	until.Expires = time.Unix(1_900_000_000, 0)
	odd := plain
	odd.Comment = "a b+c&d=ю"
	for _, c := range []struct {
		invoice ton.Invoice
		base    string
		network ton.Network
		want    string
	}{
		{plain, "https://wallet.example", ton.Mainnet, "https://wallet.example/transfer/" + nonBounceable + "?amount=1500000001&text=MC-ABCDE23456"},
		{plain, "https://wallet.example/a/", ton.Mainnet, "https://wallet.example/a/transfer/" + nonBounceable + "?amount=1500000001&text=MC-ABCDE23456"},
		{plain, "ton://", ton.Mainnet, "ton://transfer/" + nonBounceable + "?amount=1500000001&text=MC-ABCDE23456"},
		{plain, "ton://", ton.Testnet, "ton://transfer/" + forTestnet + "?amount=1500000001&text=MC-ABCDE23456"},
		{until, "ton://", ton.Mainnet, "ton://transfer/" + nonBounceable + "?amount=1500000001&text=MC-ABCDE23456&exp=1900000000"},
		{odd, "ton://", ton.Mainnet, "ton://transfer/" + nonBounceable + "?amount=1500000001&text=a%20b%2Bc%26d%3D%D1%8E"},
	} {
		got := c.invoice.Link(c.base, c.network)
		check(t, got == c.want, "the link is\n%s, not\n%s", got, c.want)
	}
}
