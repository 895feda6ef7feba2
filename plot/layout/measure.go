package layout

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/internal/disjoint"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/words"
)

// Quality is how well a map keeps neighbours (Venna and Kaski, Neighborhood preservation in
// nonlinear projection methods, 2001): 1 is best, and a map at random has about ½.
type Quality struct {
	// Trustworthiness falls where neighbours on the map are none among the objects, and Continuity
	// where neighbours among the objects are none on the map.
	Trustworthiness, Continuity float64

	Neighbours int // of each object that are looked at; 0: there are too few objects to measure
	Objects    int // whose neighbours are looked at, among all: all, or a sample
	All        int // objects
}

// String returns the measures as a clause: "trustworthiness 0.985, continuity 0.971 (15 neighbours
// of each of 500 rows)"; "" where there are none.
func (q Quality) String() string {
	if q.Neighbours == 0 {
		return ""
	}
	rows := "each row"
	if q.Objects < q.All {
		rows = fmt.Sprintf("each of %d rows", q.Objects)
	}
	return fmt.Sprintf("trustworthiness %.3f, continuity %.3f (%s of %s)", q.Trustworthiness,
		q.Continuity, words.Count(q.Neighbours, "neighbour"), rows)
}

const (
	measurePairs = 10_000_000 // that are compared, at most,
	measureRows  = 100        // but for so many rows
	measureBlock = 8          // rows that are compared with others together
)

// Measure compares a map of the objects of src with them, by ranks among all objects: of each
// object up to 3162, and of a sample at equal steps of more, which are 10⁷ through the number of
// objects, and at least 100. Objects that are equally far have the best of their ranks. Neighbours
// are 15 (0), or as many as are asked for; at most a third of the others. It fails when ctx is done.
func Measure(ctx context.Context, src dissim.Source, points dataset.Matrix, neighbours,
	threads int) (Quality, error) {
	n := src.Len()
	if neighbours == 0 {
		neighbours = defaultNeighbours
	}
	k := min(neighbours, (n-1)/3)
	q := Quality{Trustworthiness: 1, Continuity: 1, Neighbours: k, Objects: n, All: n}
	if k < 1 {
		return q, ctx.Err()
	}
	if n > measurePairs/n {
		q.Objects = min(n, max(measureRows, measurePairs/n))
	}
	all := disjoint.Singletons(n)
	unit := scale(points)
	trust, continuity := make([]float64, q.Objects), make([]float64, q.Objects)
	err := parallel.Blocks(ctx, q.Objects, measureBlock, threads, func(_, lo, hi int) {
		far, flat := make([]float32, (hi-lo)*n), make([]float32, n)
		for from := 0; from < n; from += piece {
			to := min(n, from+piece)
			for t := lo; t < hi; t++ {
				if ctx.Err() != nil {
					return
				}
				src.Row(far[(t-lo)*n:][from:to], t*n/q.Objects, all[from:to])
			}
		}
		for t := lo; t < hi; t++ {
			i, row := t*n/q.Objects, far[(t-lo)*n:][:n]
			for j := range n {
				dx := unit * (points.At(i, 0) - points.At(j, 0))
				dy := unit * (points.At(i, 1) - points.At(j, 1))
				flat[j] = float32(float64(dx*dx) + float64(dy*dy))
			}
			trust[t] = missed(flat, row, i, k)
			continuity[t] = missed(row, flat, i, k)
		}
	})
	worst := float64(q.Objects) * float64(k) * float64(2*n-3*k-1) / 2
	for t := range trust {
		q.Trustworthiness -= trust[t] / worst
		q.Continuity -= continuity[t] / worst
	}
	return q, err
}

// scale returns a power of two by which the points of a map lie within about 1 of the first: squared
// distances then fit 32-bit numbers, whatever the unit of the map is.
func scale(points dataset.Matrix) float64 {
	most := 0.0
	for i := range points.Rows {
		for axis := range 2 {
			most = max(most, math.Abs(points.At(i, axis)-points.At(0, axis)))
		}
	}
	_, exponent := math.Frexp(most)
	return math.Ldexp(1, min(-exponent, 1000))
}

// missed returns the sum, over the k objects nearest to object i by one distance, of how far their
// ranks by the other are beyond k.
func missed(by, other []float32, i, k int) float64 {
	limits := make([]float32, 0, k)
	for _, j := range closest(by, k, i) {
		limits = append(limits, other[j])
	}
	slices.Sort(limits)
	between := make([]int, k) // objects before a limit and not before the one below it
	for j, d := range other {
		if d >= limits[k-1] || j == i {
			continue
		}
		t := k - 1
		for t > 0 && d < limits[t-1] {
			t--
		}
		between[t]++
	}
	sum, rank := 0, 1
	for _, c := range between {
		rank += c
		sum += max(0, rank-k)
	}
	return float64(sum)
}

// closest returns the k objects at the smallest distances but one, the nearest first, and among
// equals by number.
func closest(d []float32, k, but int) []int32 {
	near := make([]int32, 0, k+1)
	for j, v := range d {
		if j == but || len(near) == k && v >= d[near[k-1]] {
			continue
		}
		at := len(near)
		for at > 0 && v < d[near[at-1]] {
			at--
		}
		near = slices.Insert(near, at, int32(j))
		near = near[:min(k, len(near))]
	}
	return near
}
