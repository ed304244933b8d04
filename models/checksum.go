package models

import "encoding/binary"

// Encoding is a row as bytes. Numbers and the lengths of texts are written as varints, so that
// no two different rows read the same; times count in microseconds, the finest that both
// databases keep.
type Encoding []byte

// Number appends a number.
func (e *Encoding) Number(n int64) { *e = binary.AppendVarint(*e, n) }

// Text appends a text.
func (e *Encoding) Text(t string) {
	e.Number(int64(len(t)))
	*e = append(*e, t...)
}

// Posting appends a posting without its checksum.
func (e *Encoding) Posting(p Posting) {
	e.Number(int64(p.PlayerID))
	e.Text(p.Reference)
	e.Number(int64(p.Line))
	e.Text(string(p.Source))
	e.Text(string(p.Destination))
	e.Text(string(p.Asset))
	e.Number(p.Amount)
	e.Text(p.Memo)
	e.Number(p.PostedAt.UnixMicro())
}
