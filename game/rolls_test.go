package game

import (
	"encoding/hex"
	"slices"
	"testing"
)

// counted is 00 01 02 … 1f.
func counted() (seed ServerSeed) {
	for i := range seed {
		seed[i] = byte(i)
	}
	return seed
}

// openssl's results for the seed 00 01 02 … 1f, see docs/fairness.md.
func TestRollsMatchOpenSSL(t *testing.T) {
	hash := counted().Hash()
	if got := hex.EncodeToString(hash[:]); got != "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd" {
		t.Errorf("the seed's hash is %s", got)
	}
	for _, of := range []struct {
		nonce int64
		want  []int
	}{
		{41, []int{19, 96, 80, 75, 70, 38, 37, 96}},
		// After eight words those of the digest with the suffix :1.
		{0, []int{15, 59, 49, 13, 55, 46, 75, 20, 31, 5, 5, 91, 85, 56, 87, 71}},
	} {
		roll := Rolls(counted(), "client-seed", of.nonce)
		var got []int
		for range of.want {
			got = append(got, roll())
		}
		if !slices.Equal(got, of.want) {
			t.Errorf("nonce %d: rolls %v, want %v", of.nonce, got, of.want)
		}
	}
}

func TestBiasedWordsAreSkipped(t *testing.T) {
	for word, want := range map[uint32]int{0: 0, 99: 99, 100: 0, 4_294_967_199: 99} {
		if roll, fair := rollOf(word); !fair || roll != want {
			t.Errorf("word %d: roll %d, %t", word, roll, fair)
		}
	}
	for _, word := range []uint32{4_294_967_200, 4_294_967_295} {
		if _, fair := rollOf(word); fair {
			t.Errorf("word %d is used", word)
		}
	}
}
