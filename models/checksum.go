package models

import (
	"crypto/sha256"
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

// checksum computes the checksum of a posting, never 0. A posting that was changed by hand no longer matches its checksum.
func (p Posting) checksum() int64 {
	row := make(encoding, 0, 256)
	row.posting(p)
	sum := sha256.Sum256(row)
	return int64(binary.BigEndian.Uint64(sum[:8]) | 1) //nolint:gosec // any 64 bits will do
}

// matchesChecksum reports whether a posting matches its checksum. Postings older than checksums have none, and pass.
func matchesChecksum(_ *life, p Posting) bool { return p.Mark == 0 || p.Mark == p.checksum() }
