package dissim

import "sync"

// objects compares objects of type T, one pair at a time.
type objects[T any] struct {
	from, to []T
	distance func(a, b T, s *scratch) float64 // symmetric to the bit
}

func (o objects[T]) Row(dst []float32, i int, js []int32) {
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	for t := range dst {
		dst[t] = float32(o.distance(o.from[i], o.to[other(js, t)], s))
	}
}

// scratch is memory for the tables of one comparison at a time.
type scratch struct {
	ints   []int
	floats []float64
	places []int32
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

func (s *scratch) integers(n int) []int    { return room(&s.ints, n) }
func (s *scratch) numbers(n int) []float64 { return room(&s.floats, n) }
func (s *scratch) bounds(n int) []int32    { return room(&s.places, n) }

func room[T any](kept *[]T, n int) []T {
	if cap(*kept) < n {
		*kept = make([]T, n)
	}
	return (*kept)[:n]
}
