package link

// Question is a pair of rows that someone is asked about: same cluster, different, or unknown?
type Question struct {
	A, B   int // rows from 0
	Number int // 1 for the first question of a session
	// why this pair is asked about, as a clause without a full stop; A may be called the first in
	// it, and B the second
	Why string

	// Groups reports that the rows stand for two groups, and that the question is whether these are
	// one; else it is about where A belongs.
	Groups bool
	// Same is how probable "same" is by what the method knows, in (0, 1]; 0: it does not say.
	Same float64
}
