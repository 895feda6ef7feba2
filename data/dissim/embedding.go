package dissim

import (
	"math"

	"github.com/kindred-go/kindred/data/dataset"
)

// Embedding is a set of vectors whose Euclidean distances rise with the dissimilarities of a
// [Source]. The zero value is none.
type Embedding struct {
	Vectors dataset.Matrix // a row for each object, shared with the source

	metric Metric
	factor float64 // of the squared distance a dissimilarity is this part: d = (square/factor)
	root   bool    // d = √square
	most   float32 // dissimilarities stop here
	slack  float64 // relative rounding of what the source returns
}

// Embed returns the vectors of src, where its dissimilarities are those of [Vectors] by the metric
// euclidean, sqeuclidean, cosine, correlation or binary-correlation.
func Embed(src Source) (e Embedding, ok bool) {
	set, ok := src.(among)
	if !ok {
		return Embedding{}, false
	}
	switch rows := set.Rows.(type) {
	case *squared[float32]:
		e.Vectors = dataset.Matrix{Rows: set.n, Cols: rows.d, F32: rows.to}
		e.slack = float64(rows.d+20) * 0x1p-23
		return e, e.by(rows.metric)
	case *squared[float64]:
		e.Vectors = dataset.Matrix{Rows: set.n, Cols: rows.d, F64: rows.to}
		return e, e.by(rows.metric)
	}
	return Embedding{}, false
}

// by reports whether the dissimilarities of a metric rise with the squares.
func (e *Embedding) by(m Metric) bool {
	e.metric, e.factor, e.most = m, 1, math.MaxFloat32
	switch m {
	case Euclidean:
		e.root = true
	case SqEuclidean:
	case Cosine, Correlation:
		e.factor, e.most = 2, 2
	case BinaryCorrelation:
		e.factor, e.most = 4, 1
	default:
		return false
	}
	return true
}

// Square returns a squared distance beyond which no two vectors have a dissimilarity of at most d,
// as the source returns it; +Inf where there is none.
func (e *Embedding) Square(d float32) float64 {
	if d >= e.most {
		return math.Inf(1)
	}
	square := float64(d)
	if e.root {
		square *= float64(d)
	}
	return e.factor*square*(1+e.slack+1e-6) + 0x1p-140
}

// Bounds returns dissimilarities that two vectors of a squared distance between low and high have
// one between, as the source returns it.
func (e *Embedding) Bounds(low, high float64) (least, most float64) {
	low, high = low/e.factor, high/e.factor
	if e.root {
		low, high = math.Sqrt(low), math.Sqrt(high)
	}
	slack := e.slack + 1e-6
	least, most = max(0, low*(1-slack)-0x1p-140), high*(1+slack)+0x1p-140
	return min(least, float64(e.most)), min(most, float64(e.most))
}

// Among returns the dissimilarities among some rows of Vectors, or copies of them, bit for bit as
// the source of e returns them.
func (e *Embedding) Among(rows dataset.Matrix) Source {
	if rows.Single() {
		return among{&squared[float32]{from: rows.F32, to: rows.F32, d: rows.Cols, metric: e.metric},
			rows.Rows}
	}
	return among{&squared[float64]{from: rows.F64, to: rows.F64, d: rows.Cols, metric: e.metric},
		rows.Rows}
}
