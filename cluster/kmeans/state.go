package kmeans

import (
	"context"
	"math"
	"slices"

	"github.com/kindred-go/kindred/internal/disjoint"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/simd"
)

// state is one start under way.
type state[T simd.Float] struct {
	e       *engine[T]
	how     Algorithm
	centers []float64 // k×d
	labels  []int32   // −1 before the first assignment
	sums    []float64 // k×d, Σ(x − e.origin) of each cluster
	counts  []int64
	parts   []part // one a block
	bounds  bounds

	spherical bool // centres are of length 1
	repaired  int
}

// part is a block's share of the sums, kept from one assignment to the next: only rows that change
// cluster touch it.
type part struct {
	sums      []float64
	counts    []int64
	changed   int
	skipped   int
	distances int64
}

func newState[T simd.Float](e *engine[T], centers []float64, how Algorithm) *state[T] {
	s := &state[T]{e: e, how: how, centers: centers, labels: slices.Repeat([]int32{-1}, e.n),
		sums: make([]float64, e.k*e.d), counts: make([]int64, e.k),
		parts: make([]part, parallel.Count(e.n, e.block))}
	for b := range s.parts {
		s.parts[b] = part{sums: make([]float64, e.k*e.d), counts: make([]int64, e.k)}
	}
	return s
}

// assign labels each row with the nearest centre and sums up the clusters. It returns the number of
// rows whose label changed. Empty clusters take the row furthest from its centre and all rows are
// labelled again, which may empty others. It ends when that leaves the same clusters empty:
// scores then cannot distinguish the row from another centre.
func (s *state[T]) assign(ctx context.Context) (changed int, err error) {
	var before []int
	for round := 0; ; round++ {
		if err := s.pass(ctx); err != nil {
			return 0, err
		}
		for b := range s.parts {
			changed += s.parts[b].changed
		}
		empty := linalg.Where(s.counts, func(m int64) bool { return m == 0 })
		if slices.Equal(empty, before) || round > s.e.k { // rounding might go in circles
			return changed, nil
		}
		before = empty
		moved, err := s.repair(ctx)
		if err != nil || moved == 0 {
			return changed, err
		}
		s.repaired += moved
	}
}

// pass labels all rows by the centres, and brings sums and counts up to date.
func (s *state[T]) pass(ctx context.Context) error {
	e := s.e
	f := newFrame[T](s.centers, e.d)
	// Neither rows nor centres are further from the middle than maxRadius.
	if !(f.distance(e.middle)+maxRadius[T]() <= maxReach[T]()) {
		return overflow()
	}
	var tiled *simd.TiledCentroids
	if e.tiles != nil {
		// Tiles are made of float64 alone.
		tiled = e.tiles.Against(any(f.centroids).(*simd.Centroids[float64]),
			any(f.shift).([]float64))
	}
	bounded, keep := s.bounds.prepare(s.how, s.centers, e.n, e.d, f.safe(e.middle, e.radius))
	err := parallel.Blocks(ctx, e.n, e.block, e.threads, func(b, lo, hi int) {
		p := &s.parts[b]
		p.changed, p.skipped, p.distances = 0, 0, 0
		w := worker[T]{state: s, frame: &f, tiled: tiled, part: p, bounded: bounded, keep: keep}
		w.moves.first = lo
		for ; lo < hi && ctx.Err() == nil; lo += chunkRows {
			w.chunk(lo, min(hi, lo+chunkRows))
		}
		w.flush()
	})
	if err != nil {
		return err
	}
	s.gather()
	return nil
}

// gather adds up the blocks in their order.
func (s *state[T]) gather() {
	clear(s.sums)
	clear(s.counts)
	none, all := make([]float64, s.e.d), disjoint.Singletons(s.e.k)
	s.bounds.skipped = 0
	for b := range s.parts {
		p := &s.parts[b]
		simd.Accumulate(s.sums, p.sums, none, all)
		linalg.Add(s.counts, p.counts)
		s.bounds.skipped += p.skipped
		s.bounds.changed += p.changed
		s.e.distances += p.distances
	}
}

// update moves each centre to the mean of its cluster, or where that leads from the origin to
// length 1, and returns the sum of the squared moves. The centre of an empty cluster stays.
func (s *state[T]) update() (moved float64) {
	d := s.e.d
	mean := make([]float64, d)
	for c, m := range s.counts {
		if m == 0 {
			continue
		}
		for j := range d {
			mean[j] = float64(s.e.origin[j]) + s.sums[c*d+j]/float64(m)
		}
		if s.spherical {
			toSphere(mean)
		}
		for j, v := range mean {
			step := v - s.centers[c*d+j]
			moved += float64(step * step)
			s.centers[c*d+j] = v
		}
	}
	return moved
}

// exactBelow is the part of the spread of the data below which rounding would take more than about
// the tenth digit of an inertia.
const exactBelow = 1e-6

// inertia returns the sum of squared distances of the rows to the centres that gave them their
// labels: with m the mean of the data, m_c that of cluster c and n_c its size,
//
//	Σ‖x − m‖² − Σ n_c‖m_c − m‖² + Σ n_c‖m_c − centre_c‖²
//
// which needs no look at the rows. It is good to rounding of the first term; where that is too
// little it looks at them after all.
func (s *state[T]) inertia(ctx context.Context, col columns) (float64, error) {
	d := s.e.d
	between, off := 0.0, 0.0
	for c, m := range s.counts {
		if m == 0 {
			continue
		}
		var a, b float64
		for j := range d {
			// mean less origin keeps more digits
			mean, origin := s.sums[c*d+j]/float64(m), float64(s.e.origin[j])
			u, v := mean-(col.mean[j]-origin), mean-(s.centers[c*d+j]-origin)
			a += float64(u * u)
			b += float64(v * v)
		}
		between += float64(float64(m) * a)
		off += float64(float64(m) * b)
	}
	if sum := col.total - between + off; sum > exactBelow*col.total {
		return sum, nil
	}
	return s.e.inertia(ctx, s.labels, s.centers)
}

// repair moves the centre of each empty cluster, in order, to the row furthest from the nearest
// centre, the first among equals, and returns the number moved. It stops when every row lies on a
// centre: the rows are then fewer than the clusters, duplicates not counted.
func (s *state[T]) repair(ctx context.Context) (moved int, err error) {
	var dist []float64
	e, d := s.e, s.e.d
	for c, m := range s.counts {
		if m > 0 {
			continue
		}
		if dist == nil {
			dist = make([]float64, e.n)
			if err := e.own(ctx, s.labels, s.centers, dist); err != nil {
				return 0, err
			}
		}
		far := linalg.ArgMax(dist)
		if dist[far] == 0 {
			break
		}
		at := e.row(far)
		for j, v := range at {
			s.centers[c*d+j] = float64(v)
		}
		moved++
		if err := e.nearer(ctx, at, dist); err != nil {
			return 0, err
		}
	}
	return moved, nil
}

// nearer lowers dist to the squared distance from x where that is less.
func (e *engine[T]) nearer(ctx context.Context, x []T, dist []float64) error {
	e.distances += int64(e.n)
	return e.blocks(ctx, func(_, lo, hi int) {
		var to [chunkRows]T
		simd.SquaredDistances(to[:hi-lo], x, e.rows[lo*e.d:hi*e.d])
		for i, v := range to[:hi-lo] {
			dist[lo+i] = math.Min(dist[lo+i], float64(v))
		}
	})
}
