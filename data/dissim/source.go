// Package dissim provides dissimilarities between objects: from a matrix, or computed on the fly
// from vectors, strings and series.
package dissim

// Rows returns dissimilarities from objects to others, which may be another set of objects (see
// [Source]). Implementations are safe for concurrent use.
type Rows interface {
	// Row sets dst[t] to d(i, js[t]) for each t; a nil js means all objects of the other side in
	// order. dst is as long as js (or as there are objects on the other side). Values are finite
	// and ≥ 0.
	Row(dst []float32, i int, js []int32)
}

// Source returns the dissimilarities among Len objects: d(i,i) = 0 and d(i,j) = d(j,i).
type Source interface {
	Rows
	Len() int
}

// To returns the dissimilarities from all objects of src to some of them.
func To(src Source, some []int32) Rows { return to{src, some} }

type to struct {
	src  Source
	some []int32
}

func (s to) Row(dst []float32, i int, js []int32) {
	at := s.some
	if js != nil {
		at = make([]int32, len(js))
		for t, j := range js {
			at[t] = s.some[j]
		}
	}
	s.src.Row(dst, i, at)
}

// Among returns the dissimilarities among some objects of src. Where these are distances of vectors
// (see [Embed]), it copies the vectors of these objects, and so they are again.
func Among(src Source, some []int32) Source {
	if e, ok := Embed(src); ok {
		rows := make([]int, len(some))
		for t, i := range some {
			rows[t] = int(i)
		}
		return e.Among(e.Vectors.Subset(rows))
	}
	return subset{to{src, some}}
}

type subset struct{ to }

func (s subset) Len() int { return len(s.some) }

func (s subset) Row(dst []float32, i int, js []int32) { s.to.Row(dst, int(s.some[i]), js) }
