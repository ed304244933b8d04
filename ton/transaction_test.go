package ton

import (
	"encoding/base64"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tonkeeper/tongo/boc"
	"pgregory.net/rapid"
)

var (
	treasury = Address{Hash: [32]byte{1}}
	player   = Address{Hash: [32]byte{2}}
)

// texted is a body by CommentPayload.
func texted(t testing.TB, text string) *boc.Cell {
	t.Helper()
	payload, err := CommentPayload(text)
	must(t, err)
	bag, err := base64.StdEncoding.DecodeString(payload)
	must(t, err)
	cells, err := parseCells(bag, true)
	must(t, err)
	return cells[0]
}

// coded is a body that begins with this operation code.
func coded(t testing.TB, op uint64, rest string) *boc.Cell {
	t.Helper()
	c := boc.NewCell()
	must(t, c.WriteUint(op, 32), c.WriteBytes([]byte(rest)))
	return c
}

func decoded(t testing.TB, e event) Transaction {
	t.Helper()
	e.account = treasury
	cells, err := parseCells(sent(t, e.cell(t)), true)
	must(t, err)
	tx, account, err := decode(cells[0])
	must(t, err)
	check(t, account == treasury.Hash && tx.LT == e.lt && tx.Prev == e.prev && tx.Time.Unix() == 1_800_000_000, "it reads as %+v of %x", tx, account)
	if h, err := HashOf(tx.BoC); err != nil || h != tx.Hash {
		t.Errorf("what is kept of it has the hash %x, not %x: %v", h, tx.Hash, err)
	}
	return tx
}

func TestOnlyCompleteTransactionHasHash(t *testing.T) {
	kept := decoded(t, event{lt: 7, in: &mail{nanotons: 1}}).BoC
	for name, bag := range map[string][]byte{
		"nothing": nil, "a text": []byte("hash"), "the half of it": kept[:len(kept)/2],
		"its hash alone": sent(t, cut(t, boc.NewCell())),
	} {
		h, err := HashOf(bag)
		check(t, err != nil, "%s has the hash %x", name, h)
	}
}

func TestBodyKindIsRecognised(t *testing.T) {
	short := boc.NewCell()
	must(t, short.WriteUint(1, 31))
	odd := coded(t, 0, "MC")
	must(t, odd.WriteBit(true))
	hidden := coded(t, 0, "MC-")
	must(t, hidden.AddRef(library(t)))
	for name, c := range map[string]struct {
		body *boc.Cell
		want Comment
	}{
		"nothing":          {nil, Comment{Kind: CommentNone}},
		"a text":           {texted(t, " mc-ABCDE23456 "), Comment{CommentText, " mc-ABCDE23456 "}},
		"an empty text":    {texted(t, ""), Comment{Kind: CommentNone}},
		"a long text":      {texted(t, strings.Repeat("щ", 300)), Comment{CommentText, strings.Repeat("щ", 300)}},
		"a text too long":  {texted(t, "a"+strings.Repeat("щ", 1000)), Comment{CommentText, "a" + strings.Repeat("щ", 511)}},
		"no valid text":    {coded(t, 0, "\xff\xfe"), Comment{Kind: CommentBinary}},
		"a text with zero": {coded(t, 0, "MC\x00"), Comment{Kind: CommentBinary}},
		"half a byte":      {odd, Comment{Kind: CommentBinary}},
		"a hidden tail":    {hidden, Comment{Kind: CommentBinary}},
		"encrypted":        {coded(t, 0x2167da4b, "MC-ABCDE23456"), Comment{Kind: CommentEncrypted}},
		"a jetton":         {coded(t, 0x7362d09c, "MC-ABCDE23456"), Comment{Kind: CommentJetton}},
		"a bounce":         {coded(t, 0xffffffff, "MC-ABCDE23456"), Comment{Kind: CommentBounced}},
		"another call":     {coded(t, 0xd53276db, ""), Comment{Kind: CommentBinary}},
		"too short":        {short, Comment{Kind: CommentBinary}},
	} {
		for _, apart := range []bool{false, true} {
			if !apart && c.body != nil && c.body.BitSize() > 400 {
				continue // does not fit beside the head
			}
			tx := decoded(t, event{lt: 9, prev: Cursor{7, Hash{3}}, in: &mail{from: player, to: treasury, nanotons: 5, body: c.body, apart: apart}})
			check(t, tx.Comment == c.want && tx.Kind == Incoming && tx.Value == 5 && tx.Source == player, "%s (apart: %v): %+v", name, apart, tx)
		}
	}
}

func TestAnyBodyLeavesValueVisible(t *testing.T) {
	for init := range 4 {
		tx := decoded(t, event{lt: 9, in: &mail{nanotons: 5, body: texted(t, "MC-ABCDE23456"), apart: true, init: init}})
		check(t, tx.Value == 5 && tx.Comment.Text == "MC-ABCDE23456", "with a contract (%d): %+v", init, tx)
	}
	tx := decoded(t, event{lt: 9, in: &mail{nanotons: 5, body: library(t), apart: true}})
	check(t, tx.Value == 5 && tx.Comment.Kind == CommentBinary, "with a library for a body: %+v", tx)
}

func TestTransactionKindIsRecognised(t *testing.T) {
	back := mail{from: treasury, to: player, nanotons: 4, bounced: true}
	prize := mail{from: treasury, to: player, nanotons: 3, body: texted(t, "prize 1")}
	for name, c := range map[string]struct {
		event event
		kind  Kind
		sent  int
	}{
		"a payment":                {event{lt: 9, in: &mail{nanotons: 5}}, Incoming, 0},
		"a payment passed on":      {event{lt: 9, in: &mail{nanotons: 5}, out: []mail{prize}}, Incoming, 1},
		"a payment sent back":      {event{lt: 9, in: &mail{nanotons: 5}, out: []mail{back}}, Returned, 1},
		"a prize that came back":   {event{lt: 9, in: &mail{nanotons: 5, bounced: true}}, Bounced, 0},
		"prizes":                   {event{lt: 9, order: true, out: []mail{prize, prize}}, Outgoing, 2},
		"the chain's own business": {event{lt: 9}, Other, 0},
	} {
		tx := decoded(t, c.event)
		check(t, tx.Kind == c.kind && len(tx.Sent) == c.sent, "%s: %+v", name, tx)
		for i, s := range tx.Sent {
			want := c.event.out[i]
			check(t, s.To == player && uint64(s.Value) == want.nanotons && s.Bounced == want.bounced, "%s sent %+v", name, s)
		}
	}
	tx := decoded(t, event{lt: 9, order: true, out: []mail{prize}})
	check(t, tx.Sent[0].Comment == (Comment{CommentText, "prize 1"}) && tx.Value == 0, "a prize: %+v", tx)
}

func TestCommentRoundTrips(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[ -~щю€]{1,250}`).Draw(t, "text")
		payload, err := CommentPayload(text)
		if err != nil {
			t.Fatal(err)
		}
		bag, _ := base64.StdEncoding.DecodeString(payload)
		cells, err := parseCells(bag, true)
		if err != nil {
			t.Fatal(err)
		}
		if got := commentOf(cells[0]); got != (Comment{CommentText, text}) || !utf8.ValidString(got.Text) {
			t.Errorf("%q was read as %q", text, got)
		}
	})
}
