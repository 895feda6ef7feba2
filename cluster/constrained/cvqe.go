package constrained

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/simd"
)

// FitCVQE partitions the rows of data, which it does not change, under must-links and cannot-links
// by CVQE, constrained vector quantisation error (Davidson and Ravi, SDM 2005, section 5). With d
// the squared Euclidean distance it looks for little of
//
//	½ Σ d(x, μ) + ½ Σ d(μa, μb) + ½ Σ d(μa, μv)
//
// where the second sum runs over violated must-links, of rows in clusters a and b, and the third
// over violated cannot-links, of rows in cluster a, v being the centre nearest to a's. With one
// cluster a cannot-link cannot be met and costs nothing.
//
// In an iteration each row goes to its nearest centre. Then the links are gone through in the order
// given, and the two rows of each are put in the pair of clusters that costs least for them and
// this link, the first among equals: a row of several links is where the last of them puts it. The
// centre of cluster j becomes the mean of its rows, of μb for each violated must-link whose first
// row is in j and second in b, and of μv for each violated cannot-link within j. A link of
// confidence p < 1 weighs p (ours). Unknown links mean nothing; one that is given twice counts
// twice.
//
// The objective can rise, since centres move at the same time and later links undo what earlier
// ones did; the best partition seen is returned. A cluster without rows keeps its centre. Starts
// draw their centres by [kmeans.Draw].
//
// Time is that of k-means, and links·k² an iteration. When ctx is done it returns an error that
// wraps ctx's. Input that cannot be fitted is a [*fault.Input], and links that contradict each
// other are a [*link.Contradiction] where they are refused; where they are kept all of them weigh.
func FitCVQE(ctx context.Context, data dataset.Matrix, cfg Config) (*Result, error) {
	p, err := prepare(ctx, data, cfg)
	if err != nil {
		return nil, err
	}
	q := &cvqe{linked: newLinked(data, cfg.Links, cfg.Clusters),
		between: make([]float64, cfg.Clusters*cfg.Clusters), beside: make([]int, cfg.Clusters)}
	return p.fit(ctx, func(start int, rng *rand.Rand) (*Result, error) {
		centers, err := p.draw(ctx, nil, rng)
		if err != nil {
			return nil, err
		}
		return p.lloyd(ctx, start, centers, additions{
			settle: func(labels []int32, centers []float64) error {
				q.measure(centers)
				q.now = q.take(q.now, labels)
				if err := q.settle(ctx); err != nil {
					return err
				}
				q.put(labels, q.now)
				return nil
			},
			cost: q.cost,
			shift: func(centers, sums, counts []float64) {
				q.shift(p.origin, centers, sums, counts)
			},
			scale: .5,
		})
	})
}

// cvqe is the linked rows in an iteration.
type cvqe struct {
	*linked
	now     []int32   // cluster of each
	far     []float64 // m×k: squared distances from the centres
	between []float64 // k×k: of the centres from each other
	beside  []int     // of each centre the nearest other one; −1 with one cluster
}

// measure takes the distances from the centres, and between them.
func (q *cvqe) measure(centers []float64) {
	q.far = q.distances(q.far, centers)
	for a := range q.k {
		row := q.between[a*q.k : (a+1)*q.k]
		simd.SquaredDistances(row, centers[a*q.d:(a+1)*q.d], centers)
		q.beside[a] = -1
		for b, v := range row {
			if b != a && (q.beside[a] < 0 || v < row[q.beside[a]]) {
				q.beside[a] = b
			}
		}
	}
}

// violation returns twice what a link costs, were its rows in clusters a and b.
func (q *cvqe) violation(p pair, a, b int) float64 {
	switch {
	case p.must && a != b:
		return p.p * q.between[a*q.k+b]
	case !p.must && a == b && q.k > 1:
		return p.p * q.between[a*q.k+q.beside[a]]
	}
	return 0
}

// settle puts the rows of each link in the pair of clusters that costs least.
func (q *cvqe) settle(ctx context.Context) error {
	for n, p := range q.pairs {
		if n%64 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		x, y := q.far[int(p.x)*q.k:][:q.k], q.far[int(p.y)*q.k:][:q.k]
		least := -1.0
		for a, u := range x {
			for b, v := range y {
				if cost := u + v + q.violation(p, a, b); least < 0 || cost < least {
					least, q.now[p.x], q.now[p.y] = cost, int32(a), int32(b)
				}
			}
		}
	}
	return ctx.Err()
}

// cost returns what all links cost.
func (q *cvqe) cost() (sum float64) {
	for _, p := range q.pairs {
		sum += q.violation(p, int(q.now[p.x]), int(q.now[p.y])) / 2
	}
	return sum
}

// shift adds the centres that violated links draw others to.
func (q *cvqe) shift(origin, centers, sums, counts []float64) {
	centers = slices.Clone(centers)
	for _, p := range q.pairs {
		a, b := int(q.now[p.x]), int(q.now[p.y])
		if p.must == (a == b) {
			continue
		}
		if !p.must {
			b = q.beside[a]
		}
		if b < 0 || counts[a] == 0 {
			continue
		}
		counts[a] += p.p
		for j, v := range centers[b*q.d : (b+1)*q.d] {
			sums[a*q.d+j] += float64(p.p * (v - origin[j]))
		}
	}
}
