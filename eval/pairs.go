package eval

import (
	"math/big"
	"math/bits"
)

// wide counts pairs: of 10¹⁰ objects there are more than 64 bits hold.
type wide struct{ high, low uint64 }

// addPairs adds the number of pairs of n objects.
func (w *wide) addPairs(n int64) {
	if n < 2 {
		return
	}
	a, b := uint64(n), uint64(n-1)
	if n%2 == 0 {
		a /= 2
	} else {
		b /= 2
	}
	high, low := bits.Mul64(a, b)
	var carry uint64
	w.low, carry = bits.Add64(w.low, low, 0)
	w.high, _ = bits.Add64(w.high, high, carry)
}

func (w wide) int() *big.Int {
	v := new(big.Int).SetUint64(w.high)
	return v.Lsh(v, 64).Or(v, new(big.Int).SetUint64(w.low))
}

// expected compares n times the counts that two cells would have if the partitions were
// independent.
func (t *table) expected(a, b cell) int {
	high, low := bits.Mul64(uint64(t.rows[a.row]), uint64(t.cols[a.col]))
	high2, low2 := bits.Mul64(uint64(t.rows[b.row]), uint64(t.cols[b.col]))
	if high != high2 {
		low, low2 = high, high2
	}
	switch {
	case low < low2:
		return -1
	case low > low2:
		return 1
	}
	return 0
}

func sum(a, b *big.Int) *big.Int     { return new(big.Int).Add(a, b) }
func product(a, b *big.Int) *big.Int { return new(big.Int).Mul(a, b) }
func twice(a *big.Int) *big.Int      { return new(big.Int).Lsh(a, 1) }

// ratio returns part/whole, each as the nearest float64, and of nothing 1 or 0.
func ratio(part, whole *big.Int, ofNothing bool) float64 {
	switch {
	case whole.Sign() > 0:
		p, _ := part.Float64()
		w, _ := whole.Float64()
		return p / w
	case ofNothing:
		return 1
	}
	return 0
}
