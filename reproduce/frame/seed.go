package frame

import numbers "github.com/kindred-go/kindred/internal/draw"

// Derive makes the seed of one random choice out of the experiment's seed and what the choice is
// for: FNV-1a over all of it, and the last step of SplitMix64 to spread the bits.
func Derive(seed uint64, what, set string, draw, start int) uint64 {
	const offset, prime = 0xcbf29ce484222325, 0x100000001b3
	h := uint64(offset)
	word := func(v uint64) {
		for range 8 {
			h = (h ^ v&0xff) * prime
			v >>= 8
		}
	}
	text := func(s string) {
		for i := range len(s) {
			h = (h ^ uint64(s[i])) * prime
		}
		word(uint64(len(s)))
	}
	word(seed)
	text(what)
	text(set)
	word(uint64(draw))
	word(uint64(start))
	return numbers.Mix(h)
}
