package bayes

// Offsets and Roots are for the tests that look at every number of a model.
var (
	Offsets = (*Model).offsets
	Roots   = (*Model).roots
)
