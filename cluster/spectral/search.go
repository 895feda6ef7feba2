package spectral

import "github.com/kindred-go/kindred/internal/nearest"

// Search names a way to find nearest neighbours.
type Search = nearest.Search

const (
	// Auto is Exact up to 50 000 rows of numbers, or 20 000 other objects, and for vectors of up to 8
	// columns however many there are; else Approximate.
	Auto = nearest.Auto

	// Exact compares all pairs; or, for vectors of few columns, those that a k-d tree cannot rule
	// out.
	Exact = nearest.Exact

	// Approximate compares the rows of overlapping cells around rows drawn at random, round after
	// round, until a sample of rows has 99.9 % of its neighbours. Where an exact search costs less
	// than that, as on rows without structure in many columns, it makes one.
	Approximate = nearest.Approximate
)
