package eval

import (
	"context"
	"fmt"
	"math"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/simd"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/shard"
	"github.com/kindred-go/kindred/scale/survey"
)

const centersJob = "scoring-centers"

func init() { fold.RegisterSum[centering](centersJob) }

// Centered judges a partition of all rows by the nearest of some centres. The names in JSON are
// those of kindred score.
type Centered struct {
	// Simplified is the mean simplified silhouette: that of Rousseeuw with the distance to a centre
	// for the mean distance to the rows of its cluster (Hruschka, de Castro and Campello 2004),
	// (b−a)/max(a, b), where a and b are the distances from the nearest centre and the next. It is
	// 0 where a = b = 0 and with one centre, else in [0, 1], and mostly more than the silhouette.
	Simplified float64 `json:"mean"`

	Rows     int64             `json:"of"`
	Inertia  float64           `json:"inertia"`  // squared distances from the nearest centre
	Clusters []CenteredCluster `json:"clusters"` // one a centre
}

// CenteredCluster is the rows that are nearest to one centre, the first among equals.
type CenteredCluster struct {
	Label      int     `json:"label"` // of the cluster, for callers to set
	Rows       int64   `json:"of"`
	Simplified float64 `json:"mean"` // mean over its rows; 0 without any
}

// AboutCenters judges all rows by centres, K×d in prepared units, in one pass: exactly, in O(K·d)
// time a row. It fails with a [*fault.Input] when there are no centres or they have other columns
// than the table, and on data that cannot be read; and when ctx is done.
func AboutCenters(ctx context.Context, r fold.Runner, src shard.Source, sv *survey.Survey,
	centers dataset.Matrix) (*Centered, error) {
	if centers.Rows < 1 || centers.Cols != len(src.Columns) {
		return nil, fault.Inputf("give the centres that were fitted to it",
			"there are %d centres of %d columns, and the table has %d", centers.Rows, centers.Cols,
			len(src.Columns))
	}
	j := centering{K: centers.Rows, D: centers.Cols}
	for c := range j.K {
		j.Centers = centers.AppendRow(j.Centers, c)
	}
	for i, v := range j.Centers {
		if v-v != 0 {
			return nil, &fault.Input{Row: i/j.D + 1, Column: src.Columns[i%j.D],
				Problem: fmt.Sprintf("a centre lies at %v", v), Fix: "give finite numbers"}
		}
	}
	out, err := fold.Run(ctx, r,
		fold.Plan{Job: centersJob, Source: src.Bare(), Splits: sv.Splits}, j)
	if err != nil {
		return nil, err
	}
	sums := make(centerSums, j.K)
	if err := sums.Add(out.State); err != nil {
		return nil, err
	}
	all := &Centered{}
	for _, c := range sums {
		all.Rows += c.Rows
		all.Inertia += c.Inertia
		all.Simplified += c.Simplified
		all.Clusters = append(all.Clusters, CenteredCluster{Rows: c.Rows,
			Simplified: c.Simplified / float64(max(1, c.Rows))})
	}
	if all.Rows > 0 {
		all.Simplified /= float64(all.Rows)
	}
	return all, nil
}

// centering is the job.
type centering struct {
	K, D    int
	Centers []float64
}

// Kernel implements [fold.Summing].
func (j *centering) Kernel([]byte, shard.Split) (fold.Kernel, error) {
	k := &centerKernel{columns: make([]float64, len(j.Centers)), squared: make([]float64, j.K),
		sums: make(centerSums, j.K)}
	linalg.Transpose(k.columns, j.Centers, j.D)
	return k, nil
}

type centerKernel struct {
	columns []float64 // the centres by column
	squared []float64
	sums    centerSums
	row     []float64
}

// Block implements [fold.Kernel].
func (k *centerKernel) Block(b *shard.Block) error {
	for i := range b.X.Rows {
		k.row = b.X.AppendRow(k.row[:0], i)
		simd.SquaredDistancesColumns(k.squared, k.row, k.columns, len(k.squared))
		at, least, next := 0, math.Inf(1), math.Inf(1)
		for c, d := range k.squared {
			switch {
			case d < least:
				at, least, next = c, d, least
			case d < next:
				next = d
			}
		}
		s := &k.sums[at]
		s.Rows++
		s.Inertia += least
		if next > 0 && !math.IsInf(next, 1) {
			s.Simplified += 1 - math.Sqrt(least/next)
		}
	}
	return nil
}

// End implements [fold.Kernel].
func (k *centerKernel) End(emit func(key int64, data []byte)) error {
	data, err := k.sums.Bytes()
	emit(0, data)
	return err
}

// Sum implements [fold.Summing].
func (j *centering) Sum() fold.Sum { return make(centerSums, j.K) }

// centerSums are what the rows nearest to each centre come to.
type centerSums []struct {
	Rows                int64
	Inertia, Simplified float64
}

// Add adds sums that were encoded.
func (s centerSums) Add(data []byte) error {
	more := make(centerSums, len(s))
	if err := fold.Numbers(data, more); err != nil {
		return fmt.Errorf("scoring: sums of another number of centres: %w", err)
	}
	for c, m := range more {
		s[c].Rows += m.Rows
		s[c].Inertia += m.Inertia
		s[c].Simplified += m.Simplified
	}
	return nil
}

// Bytes encodes the sums.
func (s centerSums) Bytes() ([]byte, error) { return fold.AppendNumbers(nil, s), nil }
