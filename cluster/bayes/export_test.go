package bayes

// The bounds of what is taken.
const (
	Largest     = largest
	LeastSpread = leastSpread
)

// Offsets and Roots are for the tests that look at every number of a model.
var (
	Offsets = (*Model).offsets
	Roots   = (*Model).roots
)
