// Package sample draws rows of a table that lies in many splits, by a keyed hash of their numbers:
// which rows are drawn depends on the table and the seed alone, and a split needs to know nothing
// of the others.
package sample

import (
	"cmp"
	"container/heap"
	"math"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/draw"
)

// Key returns the hash of a row's number: uniform, and independent from row to row for all that
// samples show (the finaliser of SplitMix64: Steele, Lea and Flood 2014).
func Key(seed uint64, row int64) uint64 {
	return draw.Mix(draw.Mix(seed+0x9e3779b97f4a7c15) + uint64(row))
}

// Below returns the key below which about want of the keys of n rows lie; all of them where there
// are no more than want.
func Below(want, n int64) uint64 {
	if want >= n {
		return math.MaxUint64
	}
	return uint64(float64(want) / float64(n) * (1 << 63) * 2)
}

// Row is one that was drawn.
type Row struct {
	Key    uint64
	Number int64  // in the table, from 0
	ID     string // the number from 1, where the source has no ids
	Label  string // "" without one
	Values []float64
}

// before orders rows by key, ties by number.
func before(a, b Row) int {
	return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Number, b.Number))
}

// Set is a sample: the rows whose key is at most Below, and the Least rows of the lowest keys in
// any case; of all of them the Most of the lowest keys, unless that is 0. The sample of a table is
// that of the samples of its pieces.
type Set struct {
	Below uint64
	Least int
	Most  int
	Rows  []Row // a heap, the highest key first
}

// Wants reports whether a row of a key would be kept for now.
func (s *Set) Wants(key uint64) bool {
	if s.Most > 0 && len(s.Rows) == s.Most && key > s.Rows[0].Key {
		return false
	}
	return key <= s.Below || len(s.Rows) < s.Least || s.Least > 0 && key <= s.Rows[0].Key
}

// Add takes a row, whose values it copies.
func (s *Set) Add(r Row) {
	if !s.Wants(r.Key) {
		return
	}
	r.Values = slices.Clone(r.Values)
	heap.Push((*byKey)(s), r)
	for len(s.Rows) > s.Least && s.Rows[0].Key > s.Below || s.Most > 0 && len(s.Rows) > s.Most {
		heap.Pop((*byKey)(s))
	}
}

// Sorted returns the rows by number.
func (s *Set) Sorted() []Row {
	rows := slices.Clone(s.Rows)
	slices.SortFunc(rows, func(a, b Row) int { return cmp.Compare(a.Number, b.Number) })
	return rows
}

// Matrix returns the values of rows, d of each.
func Matrix(rows []Row, d int) dataset.Matrix {
	x := dataset.Matrix{Rows: len(rows), Cols: d, F64: make([]float64, 0, len(rows)*d)}
	for _, r := range rows {
		x.F64 = append(x.F64, r.Values...)
	}
	return x
}

type byKey Set

func (h *byKey) Len() int           { return len(h.Rows) }
func (h *byKey) Less(i, j int) bool { return before(h.Rows[i], h.Rows[j]) > 0 }
func (h *byKey) Swap(i, j int)      { h.Rows[i], h.Rows[j] = h.Rows[j], h.Rows[i] }
func (h *byKey) Push(r any)         { h.Rows = append(h.Rows, r.(Row)) }
func (h *byKey) Pop() any {
	last := h.Rows[len(h.Rows)-1]
	h.Rows = h.Rows[:len(h.Rows)-1]
	return last
}
