package spectral

import "github.com/kindred-go/kindred/internal/linalg"

// Sparse is a symmetric n×n matrix in compressed rows: the weights of a graph.
type Sparse = linalg.Sparse

// Entry is one value of a sparse matrix.
type Entry = linalg.Entry

// NewSparse makes a symmetric n×n matrix of the entries of one triangle, or of both: an entry (i,
// j) means (j, i), too, and entries for one place are added, where (i, j) and (j, i) are one
// place. It fails with a *fault.Input when an entry lies outside or is not finite.
func NewSparse(n int, entries []Entry) (*Sparse, error) { return linalg.NewSparse(n, entries) }
