package link

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/fault"
)

// differentSteps bounds the search of [Set.Different].
const differentSteps = 2_000_000

// Different looks for count objects that are all different from each other, each the lowest of its
// component, and returns them rising. So many cannot be in fewer clusters than there are of them.
// Finding them is NP-hard in general, and the effort is bounded: nil without an error means that
// there are none or that none were found. It fails only with ctx's error.
func (s *Set) Different(ctx context.Context, count int) ([]int, error) {
	if err := ctx.Err(); err != nil || count < 1 || s.N() == 0 {
		return nil, err
	}
	if count == 1 {
		return []int{0}, nil
	}
	g := s.differences(count)
	steps := differentSteps
	var grow func(chosen, open []int32) []int32
	grow = func(chosen, open []int32) []int32 {
		if len(chosen) == count {
			return chosen
		}
		for at, a := range open {
			if steps -= 1 + len(open) - at; steps < 0 || len(chosen)+len(open)-at < count ||
				ctx.Err() != nil {
				return nil
			}
			var next []int32
			for _, b := range open[at+1:] {
				if _, apart := slices.BinarySearch(g.later[a], b); apart {
					next = append(next, b)
				}
			}
			if found := grow(append(chosen, a), next); found != nil {
				return found
			}
		}
		return nil
	}
	for a := range g.later {
		if found := grow([]int32{int32(a)}, g.later[a]); found != nil {
			var objects []int
			for _, b := range found {
				objects = append(objects, g.object[b])
			}
			slices.Sort(objects)
			return objects, nil
		}
	}
	return nil, ctx.Err()
}

// differences is the components among which count that are all different may be: those with as many
// rivals, and with as many that are left in turn.
type differences struct {
	object []int     // lowest member of each, those of few rivals first
	later  [][]int32 // places of the rivals of each that come after it, rising
}

func (s *Set) differences(count int) differences {
	rivals := map[int][]int{}
	var all, gone []int
	left := map[int]int{}
	for a := range s.N() {
		if s.rivals == nil || s.Component(a) != a {
			continue
		}
		r := slices.Collect(s.Separated(a))
		if len(r) == 0 {
			continue
		}
		all, rivals[a], left[a] = append(all, a), r, len(r)
		if len(r) < count-1 {
			gone = append(gone, a)
		}
	}
	for at := 0; at < len(gone); at++ {
		for _, b := range rivals[gone[at]] {
			if left[b]--; left[b] == count-2 { // it falls below what is needed just now
				gone = append(gone, b)
			}
		}
	}
	var g differences
	for _, a := range all {
		if left[a] >= count-1 {
			g.object = append(g.object, a)
		}
	}
	slices.SortStableFunc(g.object, func(a, b int) int { return cmp.Compare(left[a], left[b]) })
	place := make(map[int]int, len(g.object))
	for at, a := range g.object {
		place[a] = at
	}
	g.later = make([][]int32, len(g.object))
	for at, a := range g.object {
		for _, b := range rivals[a] {
			if other, in := place[b]; in && other > at {
				g.later[at] = append(g.later[at], int32(other))
			}
		}
		slices.Sort(g.later[at])
	}
	return g
}

// AllDifferent returns the fault of rows, rising from 0, that are all different from each other and
// more than there are clusters.
func AllDifferent(rows []int, clusters int) *fault.Input {
	there := fmt.Sprintf("there are %d clusters", clusters)
	if clusters == 1 {
		there = "there is 1 cluster"
	}
	return &fault.Input{
		Problem: fmt.Sprintf("rows %s are all different from each other: %d of them, and %s",
			Numbers(rows), len(rows), there),
		Fix: fmt.Sprintf("ask for at least %d clusters, or take back one of their links",
			len(rows)),
	}
}

// Numbers lists rows, given from 0, counted from 1: "3, 8 and 20". Of more than 20 it lists the
// first.
func Numbers(rows []int) string {
	const most = 20
	var names []string
	for _, row := range rows[:min(len(rows), most)] {
		names = append(names, strconv.Itoa(row+1))
	}
	if len(rows) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names, ", "), len(rows)-most)
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
