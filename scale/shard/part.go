package shard

// Kind is the type of a column of a part.
type Kind string

// The kinds of columns of parts.
const (
	Int    Kind = "int"    // []int64
	Float  Kind = "float"  // []float64
	String Kind = "string" // []string
)

// Column is one of a part.
type Column struct {
	Name string
	Kind Kind
}
