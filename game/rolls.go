package game

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
)

// ServerSeed is drawn by the server and kept secret from the player until it is retired.
type ServerSeed [32]byte

// Hash returns the SHA-256 of the seed. It is shown before the seed is used, so that the server cannot change the seed.
func (s ServerSeed) Hash() [sha256.Size]byte { return sha256.Sum256(s[:]) }

// fairWords is the number of the 2³² values of a word that are used, so that each roll is equally likely; the few above are
// skipped.
const fairWords = 1<<32 - 1<<32%100

// Rolls returns a generator of the rolls of one spin, each from 0 to 99 and equally likely. They follow from what both sides chose
// before: anybody who knows the three arguments can compute them again. (docs/fairness.md)
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

// digest returns the words of one of the spin's digests. Digests after the first, number 0, are needed only if all words before
// were skipped.
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
