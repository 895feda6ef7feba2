package density

import (
	"context"
	"slices"

	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/internal/disjoint"
	"github.com/kindred-go/kindred/internal/parallel"
)

// scan is a space of objects that are known by dissimilarities, which are its keys: all pairs are
// looked at, and none kept.
type scan struct {
	src     dissim.Source
	order   []int32
	threads int
}

// scanPiece is how many objects are looked at between looks at the context.
const scanPiece = 256

func newScan(src dissim.Source, threads int) *scan {
	return &scan{src: src, order: disjoint.Singletons(src.Len()), threads: threads}
}

func (s *scan) size() int     { return len(s.order) }
func (s *scan) rows() []int32 { return s.order }

// columns implements [space].
func (s *scan) columns() int {
	return Objects{Source: s.src}.vectors().Cols
}

func (s *scan) leaves() []int32            { return nil }
func (s *scan) radius(key float64) float64 { return key }

// key rounds a distance as dissimilarities are: 0.1 as a float32 is more than 0.1.
func (s *scan) key(distance float64) float64 { return float64(float32(distance)) }

// keys sets dst, of at most scanPiece, to the keys from an object to those from lo on.
func (s *scan) keys(dst []float64, i, lo int) {
	var piece [scanPiece]float32
	s.src.Row(piece[:len(dst)], i, s.order[lo:][:len(dst)])
	for k := range dst {
		dst[k] = float64(piece[k])
	}
}

func (s *scan) between(i, j int32) float64 {
	var key [1]float64
	s.keys(key[:], int(i), int(j))
	return key[0]
}

// each calls do with pieces of the keys from each object of asked (nil: all) to those from lo(i)
// on, the pieces of an object in order; then, or where there are none, done. Objects are shared out
// among goroutines.
func (s *scan) each(ctx context.Context, asked []bool, from func(i int) int,
	do func(i, lo int, keys []float64), done func(i int)) error {
	n := s.size()
	return parallel.Blocks(ctx, n, 8, s.threads, func(_, low, high int) {
		var keys [scanPiece]float64
		for i := low; i < high; i++ {
			if asked != nil && !asked[i] {
				continue
			}
			for lo := from(i); lo < n && ctx.Err() == nil; lo += scanPiece {
				piece := keys[:min(scanPiece, n-lo)]
				s.keys(piece, i, lo)
				do(i, lo, piece)
			}
			done(i)
		}
	})
}

func fromFirst(int) int { return 0 }

func (s *scan) count(ctx context.Context, key float64, most int32, asked []bool) ([]int32, error) {
	counts := make([]int32, s.size())
	err := s.each(ctx, asked, fromFirst, func(i, lo int, keys []float64) {
		for _, v := range keys {
			if v <= key {
				counts[i]++
			}
		}
	}, func(i int) { counts[i] = min(counts[i], most) })
	return counts, err
}

func (s *scan) core(ctx context.Context, k int, asked []bool, inner []float64) ([]float64,
	error) {
	far := make([]float64, s.size())
	if k > s.size() {
		return slices.Repeat([]float64{unreached}, s.size()), nil
	}
	best := make([][]float64, s.size()) // only of objects under way
	err := s.each(ctx, asked, fromFirst, func(i, lo int, keys []float64) {
		if lo == 0 {
			best[i] = slices.Repeat([]float64{unreached}, k)
		}
		for _, v := range keys {
			if v < best[i][0] {
				insert(best[i], v)
			}
		}
	}, func(i int) {
		if best[i] != nil {
			if inner != nil {
				inner[i] = second(best[i])
			}
			far[i], best[i] = best[i][0], nil
		}
	})
	return far, err
}

func (s *scan) join(ctx context.Context, key float64, marked []bool, groups *groups) error {
	return s.each(ctx, marked, func(i int) int { return i + 1 }, func(i, lo int, keys []float64) {
		for k, v := range keys {
			if v <= key && marked[lo+k] {
				groups.join(int32(i), int32(lo+k))
			}
		}
	}, func(int) {})
}

func (s *scan) nearest(ctx context.Context, asked, among []bool, key float64) (to []int32,
	far []float64, err error) {
	to, far = slices.Repeat([]int32{-1}, s.size()), slices.Repeat([]float64{key}, s.size())
	err = s.each(ctx, asked, fromFirst, func(i, lo int, keys []float64) {
		for k, v := range keys {
			if among[lo+k] && (v < far[i] || v == far[i] && to[i] < 0) {
				to[i], far[i] = int32(lo+k), v
			}
		}
	}, func(int) {})
	return to, far, err
}

func (s *scan) bridge(ctx context.Context, b *bridges) error {
	asked := make([]bool, s.size())
	for i := range asked {
		asked[i] = b.takes(int32(i)) && !b.holds(int32(i)) && b.low[i] <= b.limit
	}
	return s.each(ctx, asked, fromFirst, func(i, lo int, keys []float64) {
		if lo == 0 {
			b.to[i], b.low[i] = -1, b.limit
		}
		for k, v := range keys {
			other, gap := int32(lo+k), v
			if b.core != nil {
				v = max(v, b.core[i], b.core[other])
			}
			if (v < b.low[i] || v == b.low[i] && (b.to[i] < 0 || gap < b.gap[i])) &&
				b.takes(other) && b.open(b.group[i], b.group[other]) {
				b.to[i], b.low[i], b.gap[i] = other, v, gap
			}
		}
	}, func(i int) {
		if b.to[i] < 0 {
			b.low[i] = unreached
		}
	})
}

// span implements [space], by Prim's algorithm.
func (s *scan) span(ctx context.Context, core []float64) ([]edge, error) {
	n := s.size()
	reach, in := make([]edge, n), make([]bool, n) // of each object, the edge that reaches it
	for i := range reach {
		reach[i].b = -1
	}
	// of each piece, the nearest object b that is not in
	next := make([]edge, parallel.Count(n, scanPiece))
	edges := make([]edge, 0, n-1)
	for at := 0; ; {
		in[at] = true
		if len(edges) == n-1 {
			return edges, nil
		}
		err := parallel.Blocks(ctx, n, scanPiece, s.threads, func(block, lo, hi int) {
			var keys [scanPiece]float64
			s.keys(keys[:hi-lo], at, lo)
			next[block] = edge{b: -1}
			for i := lo; i < hi; i++ {
				if in[i] {
					continue
				}
				gap := keys[i-lo]
				e := edge{int32(at), int32(i), max(gap, core[at], core[i]), gap}
				if reach[i].b < 0 || e.compare(reach[i]) < 0 {
					reach[i] = e
				}
				if first := &next[block]; first.b < 0 || reach[i].compare(*first) < 0 {
					*first = reach[i]
				}
			}
		})
		if err != nil {
			return nil, err
		}
		best := edge{b: -1}
		for _, e := range next {
			if e.b >= 0 && (best.b < 0 || e.compare(best) < 0) {
				best = e
			}
		}
		edges = append(edges, best)
		at = int(best.b)
	}
}
