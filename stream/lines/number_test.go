package lines

import (
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
)

// TestShortNumbers: numbers are those of the slower scanner, bit for bit.
func TestShortNumbers(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	texts := []string{"0", "-0", "1.", ".5", ".", "-", "+1", "1e5", "1.5E-3", "1e",
		"123456789012345", "1234567890123456", "0.1234567890123456", "00.00", "1.2.3", "--1", ""}
	for range 20000 {
		texts = append(texts,
			strconv.FormatFloat(rng.NormFloat64()*math.Pow(10, float64(rng.IntN(20)-10)), 'f',
				rng.IntN(20)-1, 64))
	}
	for _, s := range texts {
		text := []byte(s + ",")
		v, next, ok := shortNumber(text, 0)
		want, wantNext, wantOK := dataset.ScanNumber(text, 0)
		if ok != wantOK || ok &&
			(next != wantNext || math.Float64bits(v) != math.Float64bits(want)) {
			t.Fatalf("%q: %v to %d, %v; want %v to %d, %v", s, v, next, ok, want, wantNext, wantOK)
		}
	}
}
