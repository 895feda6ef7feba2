package eval

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/draw"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/simd"
	"github.com/kindred-go/kindred/internal/words"
)

// exactUpTo keeps the quadratic cost near a second on two cores: 10⁸ distances.
const exactUpTo = 10_000

// SilhouetteConfig sets up [Silhouette]. Its zero value works.
type SilhouetteConfig struct {
	// objects to score among; 0 or less: 10 000. With as many objects or fewer, all are scored
	Sample  int
	Seed    uint64 // of the sample; 0 is a seed like any other
	Threads int    // 0 or less: one per processor; the result does not depend on it
}

// Silhouettes are the silhouettes of the objects of a partition (Rousseeuw 1987, eq. 2), each in
// [−1, 1].
type Silhouettes struct {
	Mean     float64             `json:"mean"`     // over the scored objects
	Objects  int                 `json:"objects"`  // how many were scored
	Of       int                 `json:"of"`       // how many there are without noise
	Noise    int                 `json:"noise"`    // objects of label 0, left out
	Clusters []ClusterSilhouette `json:"clusters"` // by rising label, those with a scored object

	Rows   []int     `json:"-"` // the scored rows, rising
	Values []float64 `json:"-"` // the silhouette of each of Rows
}

// ClusterSilhouette is the mean silhouette of one cluster.
type ClusterSilhouette struct {
	Label   int     `json:"label"`
	Objects int     `json:"objects"` // how many were scored
	Mean    float64 `json:"mean"`
}

// Sampled reports whether only a sample was scored.
func (s *Silhouettes) Sampled() bool { return s.Objects < s.Of }

// String shows the mean, how it was found, and the clusters in one line.
func (s *Silhouettes) String() string {
	how := "all " + words.Count(s.Objects, "object")
	if s.Sampled() {
		how = fmt.Sprintf("a sample of %d of %s", s.Objects, words.Count(s.Of, "object"))
	}
	return fmt.Sprintf("silhouette %.4f over %s in %s", s.Mean, how,
		words.Count(len(s.Clusters), "cluster"))
}

// Silhouette scores how much nearer objects are to their own cluster than to the next, by Euclidean
// distance: (b−a)/max(a, b), a the mean distance to the others of the cluster, b the least mean
// distance to another cluster. It is 0 for an object alone in its cluster, and where a = b = 0.
//
// x is n×d, one row per object; labels has n values. Noise, label 0, is left out. Up to 10 000
// objects, or cfg.Sample, the result is exact; above, that many are drawn without replacement and
// scored among themselves, as the result states. It takes O(m²d) time for m scored objects, and
// O(m·d) memory.
//
// It fails with a [*fault.Input] on values that are not finite, when the lengths differ, or when
// fewer than two clusters are left.
func Silhouette(ctx context.Context, x dataset.Matrix, labels []int,
	cfg SilhouetteConfig) (*Silhouettes, error) {
	if len(labels) != x.Rows {
		return nil, fault.Inputf("give one for every row",
			"there are %d labels for %d rows", len(labels),
			x.Rows)
	}
	return silhouettes(ctx, labels, cfg, x.Cols, func(rows, starts []int) (scorer, error) {
		points, err := scaled(x, rows)
		return func(_ []float32, i, own int) float64 {
			return silhouette(points, x.Cols, i, own, starts)
		}, err
	})
}

// SilhouetteAmong is [Silhouette] of the dissimilarities of src.
func SilhouetteAmong(ctx context.Context, src dissim.Source, labels []int,
	cfg SilhouetteConfig) (*Silhouettes, error) {
	if len(labels) != src.Len() {
		return nil, fault.Inputf("give one for every row",
			"there are %d labels for %d rows", len(labels), src.Len())
	}
	return silhouettes(ctx, labels, cfg, 1, func(rows, starts []int) (scorer, error) {
		at := make([]int32, len(rows))
		for i, row := range rows {
			at[i] = int32(row)
		}
		return func(far []float32, i, own int) float64 {
			src.Row(far, rows[i], at)
			return byDissimilarities(far, own, starts)
		}, nil
	})
}

// scorer returns the silhouette of scored object i, of cluster own. Far is scratch, one value for
// each scored object.
type scorer func(far []float32, i, own int) float64

// silhouettes scores objects; scorerOf is called with those to score, by label, and where each
// cluster begins among them. Cost is that of a dissimilarity.
func silhouettes(ctx context.Context, labels []int, cfg SilhouetteConfig, cost int,
	scorerOf func(rows, starts []int) (scorer, error)) (*Silhouettes, error) {
	rising, of := chosen(labels, cfg)
	rows := slices.Clone(rising)
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(labels[a], labels[b]) })
	starts := clusterStarts(rows, labels)
	if len(starts) < 3 {
		return nil, fault.Inputf("ask for more clusters, or for a larger sample",
			"a silhouette needs two clusters, and %s, without noise, are in %d",
			words.Count(len(rows), "scored object"), len(starts)-1)
	}
	score, err := scorerOf(rows, starts)
	if err != nil {
		return nil, err
	}
	values := make([]float64, len(rows))
	block := max(1, (1<<23)/(len(rows)*max(1, cost)))
	err = parallel.Blocks(ctx, len(rows), block, cfg.Threads, func(_, lo, hi int) {
		own := 0
		far := make([]float32, len(rows))
		for i := lo; i < hi && ctx.Err() == nil; i++ {
			for i >= starts[own+1] {
				own++
			}
			values[i] = score(far, i, own)
		}
	})
	if err != nil {
		return nil, err
	}

	s := &Silhouettes{Objects: len(rows), Of: of, Noise: len(labels) - of, Rows: rising}
	for k := range len(starts) - 1 {
		sum := linalg.Sum(values[starts[k]:starts[k+1]])
		size := starts[k+1] - starts[k]
		s.Mean += sum
		s.Clusters = append(s.Clusters,
			ClusterSilhouette{labels[rows[starts[k]]], size, sum / float64(size)})
	}
	s.Mean /= float64(len(rows))
	valueOf := make(map[int]float64, len(rows))
	for i, row := range rows {
		valueOf[row] = values[i]
	}
	for _, row := range rising {
		s.Values = append(s.Values, valueOf[row])
	}
	return s, nil
}

// chosen returns the rows to score, rising, every sample being equally likely, and how many there
// are without noise.
func chosen(labels []int, cfg SilhouetteConfig) (rows []int, of int) {
	all := linalg.Where(labels, func(l int) bool { return l != 0 })
	wanted := cfg.Sample
	if wanted <= 0 {
		wanted = exactUpTo
	}
	// a stream apart from other uses of the seed
	rng := rand.New(rand.NewPCG(cfg.Seed, 0x51710e77e))
	for _, k := range draw.Rising(rng, 0, len(all)-1, min(wanted, len(all))) {
		rows = append(rows, all[k])
	}
	return rows, len(all)
}

// clusterStarts returns where each cluster begins in rows sorted by label, and the end.
func clusterStarts(rows, labels []int) []int {
	var list []int
	for i, row := range rows {
		if i == 0 || labels[row] != labels[rows[i-1]] {
			list = append(list, i)
		}
	}
	return append(list, len(rows))
}

// scaled copies rows, divided by a power of two so that no square overflows. That changes no
// silhouette.
func scaled(x dataset.Matrix, rows []int) ([]float64, error) {
	points := make([]float64, 0, len(rows)*x.Cols)
	for _, row := range rows {
		points = x.AppendRow(points, row)
	}
	var largest float64
	for i, v := range points {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, &fault.Input{Row: rows[i/x.Cols] + 1,
				Problem: fmt.Sprintf("value %d is %v", i%x.Cols+1, v), Fix: "give finite numbers"}
		}
		largest = max(largest, math.Abs(v))
	}
	_, exponent := math.Frexp(largest)
	for i, v := range points {
		points[i] = math.Ldexp(v, -exponent)
	}
	return points, nil
}

// silhouette scores point i, of cluster own.
func silhouette(points []float64, d, i, own int, starts []int) float64 {
	size := starts[own+1] - starts[own]
	if size == 1 {
		return 0
	}
	p := points[i*d : (i+1)*d]
	inside, outside := 0.0, math.Inf(1)
	var squares [256]float64
	for k := range len(starts) - 1 {
		sum := 0.0
		for lo := starts[k]; lo < starts[k+1]; lo += len(squares) {
			some := squares[:min(len(squares), starts[k+1]-lo)]
			simd.SquaredDistances(some, p, points[lo*d:(lo+len(some))*d])
			for _, v := range some {
				sum += math.Sqrt(v)
			}
		}
		if k == own {
			inside = sum / float64(size-1)
		} else {
			outside = min(outside, sum/float64(starts[k+1]-starts[k]))
		}
	}
	return between(inside, outside)
}

// byDissimilarities scores an object of cluster own by its dissimilarities to all scored ones.
func byDissimilarities(far []float32, own int, starts []int) float64 {
	size := starts[own+1] - starts[own]
	if size == 1 {
		return 0
	}
	inside, outside := 0.0, math.Inf(1)
	for k := range len(starts) - 1 {
		sum := 0.0
		for _, v := range far[starts[k]:starts[k+1]] {
			sum += float64(v)
		}
		if k == own {
			inside = sum / float64(size-1)
		} else {
			outside = min(outside, sum/float64(starts[k+1]-starts[k]))
		}
	}
	return between(inside, outside)
}

// between returns the silhouette of an object by its mean distance to the others of its cluster, and
// to those of the next.
func between(inside, outside float64) float64 {
	if inside == 0 && outside == 0 {
		return 0
	}
	return (outside - inside) / max(inside, outside)
}
