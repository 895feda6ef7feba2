package simd

import (
	"fmt"
	"math"
	"math/bits"
	"runtime/debug"
	"slices"
	"testing"
)

// pair is what Near finds.
type pair struct {
	i, j int
	low  float32
}

func near[T Float](at level, x, y, origin []T, reachX, reachY []float32) []pair {
	p := newPairs(at, len(origin))
	LoadLeft(p, x, origin)
	LoadRight(p, y, origin)
	var found []pair
	p.Near(reachX, reachY, func(j, lo int, mask uint64, low []float32) {
		for ; mask != 0; mask &= mask - 1 {
			i := bits.TrailingZeros64(mask)
			found = append(found, pair{lo + i, j, low[i]})
		}
	})
	slices.SortFunc(found, func(a, b pair) int {
		if a.i != b.i {
			return a.i - b.i
		}
		return a.j - b.j
	})
	return found
}

// docNear is the loop of the documentation on rows that are loaded already.
func docNear(p *Pairs, reachX, reachY []float32) (found []pair) {
	value := func(s *pairSide, i, k int) float32 {
		return s.rows[i/s.size*s.size*p.d+k*s.size+i%s.size]
	}
	for i := range min(p.left.n, len(reachX)) {
		for j := range p.right.n {
			s := p.right.half[j]
			for k := range p.d {
				s = fma(-value(&p.left, i, k), value(&p.right, j, k), s)
			}
			reach := reachX[i]
			if reachY != nil {
				reach = max(reach, reachY[j])
			}
			if low := s + p.left.half[i]; low <= reach {
				found = append(found, pair{i, j, low})
			}
		}
	}
	return found
}

var pairShapes = []struct{ n, m, d int }{
	{1, 1, 1}, {2, 3, 2}, {8, 8, 7}, {9, 17, 8}, {24, 64, 9}, {48, 65, 16}, {49, 130, 33},
	{100, 71, 100}, {47, 129, 384},
}

func TestPairsOfLevelsAgree(t *testing.T) {
	t.Run("float64", func(t *testing.T) { pairsAgree[float64](t) })
	t.Run("float32", func(t *testing.T) { pairsAgree[float32](t) })
}

func pairsAgree[T Float](t *testing.T) {
	for _, s := range pairShapes {
		x, y, origin := noise[T](s.n*s.d, 1), noise[T](s.m*s.d, 2), noise[T](s.d, 3)
		reachX, reachY := make([]float32, s.n), make([]float32, s.m)
		for i := range reachX {
			reachX[i] = float32(s.d) * float32(i%3) / 2
		}
		for j := range reachY {
			reachY[j] = float32(s.d) * float32(j%5) / 4
		}
		for _, reachY := range [][]float32{reachY, nil} {
			p := newPairs(portable, s.d)
			LoadLeft(p, x, origin)
			LoadRight(p, y, origin)
			want := docNear(p, reachX, reachY)
			if s.n*s.m > 100 && (len(want) == 0 || len(want) == s.n*s.m) {
				t.Fatalf("%+v: %d pairs are no test", s, len(want))
			}
			some := docNear(p, reachX[:s.n/2], reachY)
			for _, at := range levels() {
				got := near(at, x, y, origin, reachX, reachY)
				if !slices.Equal(got, want) {
					t.Fatalf("%v, %+v: %d pairs, want %d", at, s, len(got), len(want))
				}
				got = near(at, x, y, origin, reachX[:s.n/2], reachY)
				if !slices.Equal(got, some) {
					t.Fatalf("%v, %+v: %d pairs of half the rows, want %d", at, s, len(got),
						len(some))
				}
			}
		}
	}
}

// Bounds hold for the squared distances of the rows as they are, also where inner products cancel.
func TestPairsAreBounds(t *testing.T) {
	for _, s := range pairShapes {
		for _, far := range []float64{0, 1, 1e3, 1e-22} {
			x, y, origin := noise[float64](s.n*s.d, 1), noise[float64](s.m*s.d, 2),
				make([]float64, s.d)
			if far == 1e-22 { // squares lie below the least float32
				for _, v := range [][]float64{x, y} {
					for i := range v {
						v[i] *= far
					}
				}
			}
			for j := range origin {
				origin[j] = -far
			}
			copy(y, x[:min(len(x), len(y), 3*s.d)]) // equal rows, and nearly equal ones
			for i := range min(len(y), 2*s.d) {
				y[i] *= 1 + 1e-6
			}
			all := slices.Repeat([]float32{math.MaxFloat32}, s.n)
			found := near(active, x, y, origin, all, nil)
			if len(found) != s.n*s.m {
				t.Fatalf("%+v: %d pairs of %d", s, len(found), s.n*s.m)
			}
			for _, p := range found {
				half := SquaredDistance(x[p.i*s.d:][:s.d], y[p.j*s.d:][:s.d]) / 2
				if float64(p.low) > half {
					t.Fatalf("%+v from %g: %g bounds %g", s, far, p.low, half)
				}
				norm := 0.0
				for j := range s.d {
					a, b := x[p.i*s.d+j]-origin[j], y[p.j*s.d+j]-origin[j]
					norm += a*a + b*b
				}
				if gap := half - float64(p.low); gap > PairSlack(s.d)*norm+1e-38 {
					t.Fatalf("%+v from %g: %g is no good bound of %g", s, far, p.low, half)
				}
			}
		}
	}
}

func TestPairsStayInside(t *testing.T) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	for _, at := range levels() {
		for _, atEnd := range []bool{true, false} {
			for _, s := range pairShapes {
				t.Run(fmt.Sprintf("%v/%v/%+v", at, atEnd, s), func(t *testing.T) {
					p := newPairs(at, s.d)
					LoadLeft(p, noise[float32](s.n*s.d, 1), make([]float32, s.d))
					LoadRight(p, noise[float32](s.m*s.d, 2), make([]float32, s.d))
					for _, side := range []*pairSide{&p.left, &p.right} {
						side.rows = guarded(t, atEnd, side.rows)
						side.half = guarded(t, atEnd, side.half)
					}
					p.low, p.boundX = guarded(t, atEnd, p.low), guarded(t, atEnd, p.boundX)
					p.bound = guarded(t, atEnd, p.bound)
					p.Near(make([]float32, s.n), make([]float32, s.m), func(int, int, uint64, []float32) {})
				})
			}
		}
	}
}

func BenchmarkPairs(b *testing.B) {
	for _, d := range []int{16, 64, 384, 1536} {
		const n, m = 480, 480
		x, y, origin := noise[float32](n*d, 1), noise[float32](m*d, 2), make([]float32, d)
		reach := make([]float32, n)
		for _, at := range levels() {
			b.Run(fmt.Sprintf("d=%d/%v", d, at), func(b *testing.B) {
				p := newPairs(at, d)
				LoadLeft(p, x, origin)
				for b.Loop() {
					LoadRight(p, y, origin)
					p.Near(reach, reach, func(int, int, uint64, []float32) {})
				}
				b.ReportMetric(2*float64(n*m*d)*float64(b.N)/float64(b.Elapsed().Nanoseconds()),
					"GFLOP/s")
			})
		}
	}
}
