package kevclus2016

import (
	"math"
	"math/rand/v2"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/internal/prototypes"
)

// simulate draws n points of four classes of equal size, the first of them larger by what is left
// over (Experiment 2, section 3.2): bivariate t distributions with five degrees of freedom and unit
// scale, around (0, 0), (0, 5), (5, 0) and (5, 5).
func simulate(n int, seed uint64) (points dataset.Matrix, truth []int32) {
	const degrees = 5
	centres := [4][2]float64{{0, 0}, {0, 5}, {5, 0}, {5, 5}}
	rng := rand.New(rand.NewPCG(seed, 0))
	points = dataset.Matrix{Rows: n, Cols: 2, F64: make([]float64, 0, 2*n)}
	for i := range n {
		k := i % len(centres)
		a, b := prototypes.Normal(rng), prototypes.Normal(rng)
		chi := 0.0
		for range degrees {
			z := prototypes.Normal(rng)
			chi += float64(z * z)
		}
		scale := math.Sqrt(degrees / chi)
		points.F64 = append(points.F64, centres[k][0]+float64(a*scale),
			centres[k][1]+float64(b*scale))
		truth = append(truth, int32(k))
	}
	return points, truth
}

// butterfly are the points of Figure 1: those of Windham (1985) and an outlier, the last, as in the
// R package evclust.
var butterfly = dataset.Matrix{Rows: 12, Cols: 2, F64: []float64{
	-5, 0,
	-3.34, 1.67,
	-3.34, 0,
	-3.34, -1.67,
	-1.67, 0,
	0, 0,
	1.67, 0,
	3.34, -1.67,
	3.34, 0,
	3.34, 1.67,
	5, 0,
	10, 10,
}}

// objects are what is clustered.
type objects struct {
	dissim.Source
	points   dataset.Matrix // nothing for a matrix
	truth    []int32        // nil: not known
	names    []string       // of the classes; nil: numbers
	clusters int
	d0       float64 // quantile of the dissimilarities
}

// between returns points as objects by Euclidean distances.
func between(points dataset.Matrix, truth []int32, clusters int, d0 float64) (objects, error) {
	src, err := dissim.Vectors(points, dissim.Euclidean)
	return objects{Source: src, points: points, truth: truth, clusters: clusters, d0: d0}, err
}
