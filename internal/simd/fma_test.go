package simd

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// triples returns factors and addends where a fused float32 multiply-add is hard to get right: sums
// that land on or beside the midpoint of two float32, cancellation, results and inputs that are
// subnormal or nearly overflow, and plain noise.
func triples(n int, seed uint64) (x, y, z []float32) {
	rng := rand.New(rand.NewPCG(seed, 1))
	float := func(lo, hi int) float32 {
		f := float32(math.Ldexp(1+float64(rng.Uint32()>>9)/(1<<23), lo+rng.IntN(hi-lo)))
		if rng.IntN(2) == 0 {
			f = -f
		}
		return f
	}
	for len(x) < n {
		var a, b, c float32
		switch rng.IntN(6) {
		case 0: // noise
			a, b, c = float(-20, 20), float(-20, 20), float(-20, 20)
		case 1: // a product with few bits, far below the addend: ties and near ties
			a = float32(1+rng.IntN(64)) * float32(math.Ldexp(1, -30+rng.IntN(10)))
			b = float32(1 + rng.IntN(64))
			c = float(0, 8)
		case 2: // half a unit in the last place of c, less or more by a far smaller amount
			c = float(0, 4)
			half := math.Ldexp(1, math.Ilogb(float64(c))-24)
			a = float32(half) * (1 + float32(rng.IntN(3)-1)*0x1p-23)
			b = 1 + float32(rng.IntN(3)-1)*0x1p-23
		case 3: // cancellation
			a, b = float(-3, 3), float(-3, 3)
			c = -a * b
		case 4: // subnormal results
			a, b, c = float(-80, -60), float(-80, -60), math.Float32frombits(rng.Uint32()>>9)
		case 5: // nearly overflow
			a, b, c = float(60, 66), float(60, 63), float(120, 128)
		}
		x, y, z = append(x, a), append(y, b), append(z, c)
	}
	return x, y, z
}

// exactFMA rounds the exact value once.
func exactFMA(x, y, z float32) float32 {
	at := func(f float32) *big.Float { return new(big.Float).SetPrec(2000).SetFloat64(float64(f)) }
	p := at(x)
	p.Mul(p, at(y))
	p.Add(p, at(z))
	f, _ := p.Float32()
	return f
}

func TestFMA32IsExact(t *testing.T) {
	x, y, z := triples(200_000, 1)
	twice := 0
	for i := range x {
		got, want := fma32(x[i], y[i], z[i]), exactFMA(x[i], y[i], z[i])
		if got != want {
			t.Fatalf("fma32(%x, %x, %x) = %x, exactly %x", x[i], y[i], z[i], got, want)
		}
		if float32(math.FMA(float64(x[i]), float64(y[i]), float64(z[i]))) != want {
			twice++
		}
	}
	if twice < 100 {
		t.Errorf("only %d triples where rounding twice errs: the test is too easy", twice)
	}
}

// TestFMA32IsTheProcessors sets the twin against the processor's instruction, by way of a kernel:
// with one coordinate the score of a point is one multiply-add.
func TestFMA32IsTheProcessors(t *testing.T) {
	if active == portable {
		t.Skip("no assembly here")
	}
	const n = 400_000
	x, y, z := triples(n, 2)
	c := newCentroids(active, make([]float32, 1), 1)
	label, best := make([]int32, 1), make([]float32, 1)
	var w Workspace[float32]
	for i := range n {
		c.groups[0], c.half[0] = y[i], z[i]
		c.Nearest(&w, x[i:i+1], []float32{0}, label, best, nil)
		want := fma32(-x[i], y[i], z[i])
		if !(want < float32(math.Inf(1))) {
			continue // no score is better than none
		}
		if math.Float32bits(best[0]) != math.Float32bits(want) {
			t.Fatalf("fma(%x, %x, %x): processor %x, twin %x", -x[i], y[i], z[i], best[0], want)
		}
	}
}
