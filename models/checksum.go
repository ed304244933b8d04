package models

import (
	"encoding/binary"
)

// encoding is a row as bytes. Numbers and the lengths of texts are written as varints, so that
// no two different rows read the same; times count in microseconds, the finest that both
// databases keep.
type encoding []byte

func (e *encoding) number(n int64) { *e = binary.AppendVarint(*e, n) }

func (e *encoding) text(t string) {
	e.number(int64(len(t)))
	*e = append(*e, t...)
}

func (e *encoding) posting(p Posting) {
	e.number(int64(p.PlayerID))
	e.text(p.Reference)
	e.number(int64(p.Line))
	e.text(string(p.Source))
	e.text(string(p.Destination))
	e.text(string(p.Asset))
	e.number(p.Amount)
	e.text(p.Memo)
	e.number(p.PostedAt.UnixMicro())
}
