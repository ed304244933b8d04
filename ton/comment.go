package ton

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"unicode/utf8"

	"github.com/tonkeeper/tongo/boc"
)

// CommentKind is the kind of a message's body.
type CommentKind string

// Only text can name an order.
const (
	CommentNone      CommentKind = "none"
	CommentText      CommentKind = "text"
	CommentEncrypted CommentKind = "encrypted" // only the treasury's owner can decrypt it
	CommentJetton    CommentKind = "jetton"    // a jetton's notification, no payment
	CommentBounced   CommentKind = "bounced"   // a message of the treasury's came back
	CommentBinary    CommentKind = "binary"    // something else
)

// Comment is the body of a transfer.
type Comment struct {
	Kind CommentKind
	// Text is untrimmed: valid UTF-8 of at most longestComment bytes; empty unless the kind is text.
	Text string
}

// longestComment is in bytes. Anybody may send a megabyte for some cents.
const longestComment = 1024

const bytesInCell = 127

// Operation codes: a body's first 32 bits.
const (
	opText      = 0
	opEncrypted = 0x2167da4b
	opJetton    = 0x7362d09c
	opBounced   = 0xffffffff
)

// CommentPayload returns the body of a message with this text, as base64 of a bag of cells: a transfer's payload for wallets.
func CommentPayload(text string) (string, error) {
	body, err := snakeOf(binary.BigEndian.AppendUint32(nil, opText), []byte(text))
	if err != nil {
		return "", err
	}
	bag, err := body.ToBoc()
	return base64.StdEncoding.EncodeToString(bag), err
}

// snakeOf writes whole bytes into each cell and continues in its reference. tongo's writer fills cells to the last bit, which readers of
// comments don't understand.
func snakeOf(head, text []byte) (*boc.Cell, error) {
	cell := boc.NewCell()
	n := min(len(text), bytesInCell-len(head))
	if err := cell.WriteBytes(append(head, text[:n]...)); err != nil {
		return nil, err
	}
	if n == len(text) {
		return cell, nil
	}
	rest, err := snakeOf(nil, text[n:])
	if err != nil {
		return nil, err
	}
	return cell, cell.AddRef(rest)
}

// commentOf parses a body. It never fails: a payment counts with any body.
func commentOf(body *boc.Cell) Comment {
	if body.IsExotic() {
		return Comment{Kind: CommentBinary}
	}
	if body.BitsAvailableForRead() == 0 && body.RefsAvailableForRead() == 0 {
		return Comment{Kind: CommentNone}
	}
	op, ok := opcode(body)
	switch {
	case !ok:
		return Comment{Kind: CommentBinary}
	case op == opEncrypted:
		return Comment{Kind: CommentEncrypted}
	case op == opJetton:
		return Comment{Kind: CommentJetton}
	case op == opBounced:
		return Comment{Kind: CommentBounced}
	case op != opText:
		return Comment{Kind: CommentBinary}
	}
	text, ok := snake(body)
	switch {
	case !ok:
		return Comment{Kind: CommentBinary}
	case text == "":
		return Comment{Kind: CommentNone}
	}
	return Comment{Kind: CommentText, Text: text}
}

// snake reads a text that continues in each cell's first reference, up to longestComment.
func snake(cell *boc.Cell) (string, bool) {
	var text []byte
	for cell != nil && len(text) <= longestComment {
		bits := cell.BitsAvailableForRead()
		if bits%8 != 0 || cell.IsExotic() {
			return "", false
		}
		b, err := cell.ReadBytes(bits / 8)
		if err != nil {
			return "", false
		}
		text = append(text, b...)
		if cell.RefsAvailableForRead() == 0 {
			break
		}
		if cell, err = cell.NextRef(); err != nil {
			return "", false
		}
		cell.ShallowResetCounters() // another message may have read the same cell
	}
	if len(text) > longestComment {
		text = wholeRunes(text[:longestComment])
	}
	return string(text), utf8.Valid(text) && !bytes.Contains(text, []byte{0})
}

// wholeRunes drops a truncated last character.
func wholeRunes(text []byte) []byte {
	for n := len(text) - 1; n >= max(0, len(text)-utf8.UTFMax); n-- {
		if utf8.RuneStart(text[n]) {
			if !utf8.FullRune(text[n:]) {
				return text[:n]
			}
			break
		}
	}
	return text
}
