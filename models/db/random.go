package db

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
)

// Random returns random bytes.
func (d *DB) Random(bytes int) ([]byte, error) {
	drawn := make([]byte, bytes)
	if _, err := io.ReadFull(d.entropy, drawn); err != nil {
		return nil, fmt.Errorf("draw %d bytes: %w", bytes, err)
	}
	return drawn, nil
}

// HashToken returns the hash of a nonce, which is stored in its place: a copy of the database confirms nothing.
func HashToken(nonce string) string {
	sum := sha256.Sum256([]byte(nonce))
	return hex.EncodeToString(sum[:])
}
