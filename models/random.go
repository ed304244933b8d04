package models

import (
	"fmt"
	"io"
)

// draw returns random bytes.
func (s *Store) draw(bytes int) ([]byte, error) {
	drawn := make([]byte, bytes)
	if _, err := io.ReadFull(s.entropy, drawn); err != nil {
		return nil, fmt.Errorf("draw %d bytes: %w", bytes, err)
	}
	return drawn, nil
}
