package game

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
)

// ServerSeed is secret until it is retired.
type ServerSeed [32]byte

// Hash returns the SHA-256 of the seed, published before use as a commitment.
func (s ServerSeed) Hash() [sha256.Size]byte { return sha256.Sum256(s[:]) }

// fairWords is how many of a word's 2³² values are used, so that rolls are uniform; the few above are skipped.
const fairWords = 1<<32 - 1<<32%100

// Rolls generates a spin's rolls, uniform from 0 to 99. They are reproducible from the arguments (docs/fairness.md).
func Rolls(seed ServerSeed, client string, nonce int64) (roll func() int) {
	var words []uint32
	digests := 0
	return func() int {
		for {
			if len(words) == 0 {
				words = digest(seed, client, nonce, digests)
				digests++
			}
			word := words[0]
			words = words[1:]
			if roll, fair := rollOf(word); fair {
				return roll
			}
		}
	}
}

func rollOf(word uint32) (roll int, fair bool) { return int(word % 100), uint64(word) < fairWords }

// digest returns the words of a digest. Digests after number 0 are needed only if all earlier words were skipped.
func digest(seed ServerSeed, client string, nonce int64, number int) []uint32 {
	message := fmt.Sprintf("%s:%d", client, nonce)
	if number > 0 {
		message += fmt.Sprintf(":%d", number)
	}
	mac := hmac.New(sha256.New, seed[:])
	mac.Write([]byte(message))
	sum := mac.Sum(nil)
	words := make([]uint32, 0, len(sum)/4)
	for ; len(sum) > 0; sum = sum[4:] {
		words = append(words, binary.BigEndian.Uint32(sum))
	}
	return words
}
