package kmeans

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/simd"
)

// seeder draws rows in proportion to weight times squared distance from those drawn before. Its
// rows lie in blocks, each block with the rows in columns, where the kernel is at its best.
type seeder[T simd.Float] struct {
	e      *engine[T]
	rows   []T
	n      int
	weight []float64 // nil: all 1
	cols   []T       // block b starts at b·seedBlock·d, coordinate j of its row i at j·width+i
	dist   []T       // squared distance from the nearest drawn row
	sums   []float64 // of weight·dist, one a block
}

// seedBlock is the number of rows in a block of a seeder.
const seedBlock = 256

func newSeeder[T simd.Float](e *engine[T], rows []T, weight []float64) *seeder[T] {
	n := len(rows) / e.d
	s := &seeder[T]{e: e, rows: rows, n: n, weight: weight, cols: make([]T, len(rows)),
		dist: make([]T, n), sums: make([]float64, (n+seedBlock-1)/seedBlock)}
	for b := range s.sums {
		lo, hi := b*seedBlock, min(n, (b+1)*seedBlock)
		block := s.cols[lo*e.d : hi*e.d]
		for i := lo; i < hi; i++ {
			for j, v := range rows[i*e.d : (i+1)*e.d] {
				block[j*(hi-lo)+i-lo] = v
			}
		}
	}
	return s
}

// plusPlus draws k rows by greedy k-means++: the first in proportion to weight, each further one as
// the best of a few drawn in proportion to weight times squared distance. When all rows with weight
// lie on drawn ones it repeats the first.
func (s *seeder[T]) plusPlus(ctx context.Context, rng *rand.Rand) ([]int, error) {
	try := s.trials()
	s.dist = slices.Repeat([]T{1}, s.n)
	s.fillSums(s.dist)
	try[0].row = s.pick(rng)
	s.dist = slices.Repeat([]T{T(math.Inf(1))}, s.n)
	if err := s.lower(ctx, try[:1]); err != nil {
		return nil, err
	}
	s.keep(&try[0])
	return s.further(ctx, rng, append(make([]int, 0, s.e.k), try[0].row), s.e.k, try)
}

// further draws rows until count are chosen, each as the best of as many as there are trials. When
// all rows with weight lie on chosen ones it repeats the first of them, or where there is none the
// first row.
func (s *seeder[T]) further(ctx context.Context, rng *rand.Rand, chosen []int, count int,
	try []trial[T]) ([]int, error) {
	for len(chosen) < count {
		if linalg.Sum(s.sums) == 0 {
			chosen = append(chosen, append(chosen, 0)[0])
			continue
		}
		for t := range try {
			try[t].row = s.pick(rng)
		}
		if err := s.lower(ctx, try); err != nil {
			return nil, err
		}
		best := &try[0]
		for t := range try {
			if linalg.Sum(try[t].sums) < linalg.Sum(best.sums) {
				best = &try[t]
			}
		}
		chosen = append(chosen, best.row)
		s.keep(best)
	}
	return chosen, nil
}

// trials returns room for 2+⌊ln K⌋ trials.
func (s *seeder[T]) trials() []trial[T] {
	try := make([]trial[T], 2+int(math.Log(float64(s.e.k))))
	for t := range try {
		try[t] = trial[T]{dist: make([]T, s.n), sums: make([]float64, len(s.sums))}
	}
	return try
}

// trial is a row that might be drawn, and what dist and sums would become.
type trial[T simd.Float] struct {
	row  int
	dist []T
	sums []float64
}

func (s *seeder[T]) keep(t *trial[T]) {
	s.dist, t.dist = t.dist, s.dist
	s.sums, t.sums = t.sums, s.sums
}

// lower fills in the trials.
func (s *seeder[T]) lower(ctx context.Context, try []trial[T]) error {
	d := s.e.d
	s.e.distances += int64(s.n) * int64(len(try))
	threads := s.e.threads
	if s.n*d*len(try) < 1<<18 { // a goroutine would cost more than it gains
		threads = 1
	}
	return parallel.Blocks(ctx, len(s.sums), 4, threads, func(_, first, last int) {
		for b := first; b < last; b++ {
			lo, hi := b*seedBlock, min(s.n, (b+1)*seedBlock)
			cols, old := s.cols[lo*d:hi*d], s.dist[lo:hi]
			for t := range try {
				x, dist := s.rows[try[t].row*d:][:d], try[t].dist[lo:hi]
				simd.SquaredDistancesColumns(dist, x, cols, hi-lo)
				for i, v := range dist {
					dist[i] = min(v, old[i])
				}
				try[t].sums[b] = s.blockSum(dist, lo)
			}
		}
	})
}

// blockSum adds weight·dist over the block of rows that starts at lo.
func (s *seeder[T]) blockSum(dist []T, lo int) (sum float64) {
	if s.weight == nil {
		for _, v := range dist {
			sum += float64(v)
		}
		return sum
	}
	for i, w := range s.weight[lo : lo+len(dist)] {
		sum += float64(w * float64(dist[i]))
	}
	return sum
}

func (s *seeder[T]) fillSums(dist []T) {
	for b := range s.sums {
		lo := b * seedBlock
		s.sums[b] = s.blockSum(dist[lo:min(s.n, lo+seedBlock)], lo)
	}
}

// pick draws a row in proportion to weight times dist; linalg.Sum(s.sums) is above 0.
func (s *seeder[T]) pick(rng *rand.Rand) int {
	left := float64(uniform(rng) * linalg.Sum(s.sums))
	b, last := 0, 0
	for ; b < len(s.sums); b++ {
		if s.sums[b] == 0 {
			continue
		}
		last = b
		if left < s.sums[b] {
			break
		}
		left -= s.sums[b]
	}
	row := -1
	for i := last * seedBlock; i < min(s.n, (last+1)*seedBlock); i++ {
		p := float64(s.dist[i])
		if s.weight != nil {
			p = float64(p * s.weight[i])
		}
		if p == 0 {
			continue
		}
		row = i
		if left < p {
			break
		}
		left -= p
	}
	return row
}
