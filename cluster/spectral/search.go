package spectral

import "github.com/kindred-go/kindred/internal/nearest"

// Search names a way to find nearest neighbours.
type Search = nearest.Search

const (
	// Auto is Exact up to 20 000 rows, and for vectors of up to 8 columns however many there are;
	// else Approximate.
	Auto = nearest.Auto

	// Exact compares all pairs; or, for vectors of few columns, those that a k-d tree cannot rule
	// out.
	Exact = nearest.Exact

	// Approximate takes neighbours from the leaves of random trees, then looks among neighbours of
	// neighbours until few are replaced. Recall, the share of neighbours no farther than the last
	// true one, was .9997 (letter), .9995 (pendigits), .998 (optdigits) and .98 (spambase) at 20
	// neighbours, .998, .997, .992 and .95 at 10; on noise without structure in 64 columns it was
	// .88.
	Approximate = nearest.Approximate
)
