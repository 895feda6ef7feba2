package frame

import (
	"fmt"
	"iter"
	"slices"
	"sync"

	"github.com/kindred-go/kindred/plot"
)

// Results are the runs of a plan, and the tables, claims and pictures made of them.
type Results struct {
	Plan
	*Runs
	Tables   []Table
	Claims   []Claim
	Pictures []Picture
	err      error // of the first picture that failed
}

// Add adds tables; those without rows are left out.
func (r *Results) Add(tables ...Table) {
	for _, t := range tables {
		if len(t.Rows) > 0 {
			r.Tables = append(r.Tables, t)
		}
	}
}

// Claim adds a claim without a best start. Our figure is the format with its values.
func (r *Results) Claim(text, paper, format string, values ...any) {
	r.Claims = append(r.Claims,
		Claim{Text: text, Paper: paper, Mean: fmt.Sprintf(format, values...)})
}

// Share counts how many of some things fulfil a condition.
type Share struct{ N, Of int }

// Count counts a thing.
func (s *Share) Count(fulfils bool) {
	s.Of++
	if fulfils {
		s.N++
	}
}

// String returns "3 of 4".
func (s Share) String() string { return fmt.Sprintf("%d of %d", s.N, s.Of) }

// Draw adds a picture. After one that failed, with err, no others are added, and the experiment
// returns that error.
func (r *Results) Draw(name, title string, f *plot.Figure, err error, notes ...string) {
	if r.Fail(err) {
		return
	}
	r.Pictures = append(r.Pictures, Picture{Name: name, Title: title, Figure: f, Notes: notes})
}

// Chart adds a picture with a chart.
func (r *Results) Chart(name, title string, cfg plot.ChartConfig, notes ...string) {
	f, err := plot.Chart(cfg)
	r.Draw(name, title, f, err, notes...)
}

// Fail takes an error, which may be nil, and reports whether a picture has failed.
func (r *Results) Fail(err error) bool {
	if r.err == nil {
		r.err = err
	}
	return r.err != nil
}

// Using returns the data sets that a part uses, of those that are there and wanted.
func (p Plan) Using(part string) (sets []*Set) {
	for _, s := range p.Sets {
		if slices.Contains(s.Parts, part) {
			sets = append(sets, s)
		}
	}
	return sets
}

// Over returns a measure of a method in each repetition of a key that ran: of a start from 1, or of
// the last start for 0.
func (r *Runs) Over(key Key, start int, method, measure string) (values []float64) {
	at := slices.Index(r.measures, measure)
	draw := 0 // of the last value
	for _, run := range r.all[r.first(key.repetition(0)):] {
		if run.Key != key.repetition(run.Draw) {
			break
		}
		switch {
		case run.Method != method || start > 0 && run.Start != start:
		case run.Draw == draw:
			values[len(values)-1] = run.Values[at]
		default:
			draw, values = run.Draw, append(values, run.Values[at])
		}
	}
	return values
}

// Mean is the mean of Over.
func (r *Runs) Mean(key Key, start int, method, measure string) Figure {
	return Mean(r.Over(key, start, method, measure))
}

// Map returns what do returns of each of some things, up to the first error.
func Map[T, R any](of []T, do func(T) (R, error)) ([]R, error) {
	all := make([]R, len(of))
	for i, one := range of {
		var err error
		if all[i], err = do(one); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// FromOne returns labels from 0 counted from 1.
func FromOne(labels []int32) []int {
	out := make([]int, len(labels))
	for i, l := range labels {
		out[i] = int(l) + 1
	}
	return out
}

// Once makes values by key, each when it is first wanted, and again only after an error. The zero
// value is ready; it may be used from many goroutines.
type Once[K comparable, V any] struct {
	mu sync.Mutex
	of map[K]*entry[V]
}

type entry[V any] struct {
	mu    sync.Mutex
	there bool
	value V
}

// Get returns the value of a key.
func (o *Once[K, V]) Get(key K, make func() (V, error)) (V, error) {
	o.mu.Lock()
	if o.of == nil {
		o.of = map[K]*entry[V]{}
	}
	e := o.of[key]
	if e == nil {
		e = &entry[V]{}
		o.of[key] = e
	}
	o.mu.Unlock()
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.there {
		return e.value, nil
	}
	value, err := make()
	if err == nil {
		e.there, e.value = true, value
	}
	return value, err
}

// Work ranges over the data sets and the parts to be run that use them.
func (p Plan) Work() iter.Seq2[*Set, string] {
	return func(yield func(*Set, string) bool) {
		for _, set := range p.Sets {
			for _, part := range set.Parts {
				if p.Has(part) && !yield(set, part) {
					return
				}
			}
		}
	}
}
