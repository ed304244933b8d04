package jobs

import (
	"testing"

	"mcbk/game"
	"mcbk/models/treasury"
	"mcbk/ton"
)

// TON under any body is a payment, except dust, which may be the fee of a jetton's notification.
func TestTONUnderAnyBodyIsPayment(t *testing.T) {
	kinds := []ton.CommentKind{ton.CommentNone, ton.CommentText, ton.CommentEncrypted, ton.CommentJetton, ton.CommentBounced, ton.CommentBinary}
	for _, kind := range kinds {
		for amount, want := range map[game.Nanoton]bool{game.LeastPurchase - 1: kind != ton.CommentJetton, game.LeastPurchase: true, game.TON / 2: true} {
			one := transaction(ton.Transaction{Kind: ton.Incoming, Value: amount, Comment: ton.Comment{Kind: kind}})
			if is := one.Kind == treasury.ChainIncoming; is != want {
				t.Errorf("%d nanoton with a body of kind %s: %s", amount, kind, one.Kind)
			}
		}
	}
}
