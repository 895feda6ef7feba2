package evclus

import (
	"context"
	"fmt"

	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

// FitLandmarks fits count objects drawn evenly, and places all others by their dissimilarities to
// them: time and memory beyond the landmarks' own fit grow as n·count and n. Linked objects become
// landmarks first; links for which there are too few landmarks are left out, and a note counts
// them. Stress and all else but the partition are of the landmarks. It fails as [Fit] does and for
// the Sammon stress, and a cancelled one returns no partition.
func FitLandmarks(ctx context.Context, src dissim.Source, count int, cfg Config) (*Result, error) {
	n := src.Len()
	if count >= n {
		return Fit(ctx, src, cfg)
	}
	if count < 3 {
		return nil, fault.Inputf("ask for 3 or more", "%d landmarks are too few", count)
	}
	if cfg.Stress == Sammon {
		return nil, errSammonPlaces()
	}
	if _, err := checkLinks(n, cfg.Links, cfg.Contradictions); err != nil {
		return nil, err
	}
	marks := landmarksOf(n, count, cfg)
	at := make(map[int]int, count)
	for t, i := range marks {
		at[int(i)] = t
	}
	left := 0
	kept := cfg.Links[:0:0]
	for _, l := range cfg.Links {
		if l.Kind == link.Unknown {
			continue
		}
		a, okA := at[l.A]
		b, okB := at[l.B]
		if !okA || !okB {
			left++
			continue
		}
		l.A, l.B = a, b
		kept = append(kept, l)
	}
	cfg.Links = kept
	if p := cfg.Initial; p != nil && p.Len() == n {
		of := &credal.Partition{Clusters: p.Clusters, Focal: p.Focal}
		for _, i := range marks {
			of.Mass = append(of.Mass, p.Row(int(i))...)
		}
		cfg.Initial = of
	}
	res, err := Fit(ctx, subset{src, marks}, cfg)
	if err != nil && ctx.Err() != nil {
		return nil, stopped(ctx.Err(), "before all objects were placed")
	}
	if err != nil {
		return nil, err
	}
	all := make([]int32, count)
	for t := range all {
		all[t] = int32(t)
	}
	m, err := res.Model(all)
	if err != nil {
		return nil, err
	}
	placed, err := m.Place(ctx, toLandmarks{src, marks}, n, cfg.Threads)
	if err != nil {
		return nil, stopped(err, "before all objects were placed")
	}
	for t, i := range marks {
		copy(placed.Row(int(i)), res.Credal.Row(t))
	}
	res.Credal = placed
	res.Notes = append(res.Notes,
		fmt.Sprintf("%d landmarks were fitted, and the other %d objects placed by their "+
			"dissimilarities to them.", count, n-count))
	if left > 0 {
		res.Notes = append(res.Notes,
			fmt.Sprintf("%d links are not between landmarks and were left out.", left))
	}
	return res, nil
}

// landmarksOf draws landmarks, linked objects first so that links count.
func landmarksOf(n, count int, cfg Config) []int32 {
	linked := make(map[int32]bool)
	for _, l := range cfg.Links {
		if l.Kind == link.Unknown {
			continue
		}
		for _, i := range []int{l.A, l.B} {
			if i >= 0 && i < n && len(linked) < count {
				linked[int32(i)] = true
			}
		}
	}
	free := sampleObjects(n-len(linked), count-len(linked), cfg.Seed)
	out := make([]int32, 0, count)
	seen := int32(0) // objects without a link met so far
	for i := int32(0); int(i) < n; i++ {
		switch {
		case linked[i]:
			out = append(out, i)
			continue
		case len(free) > 0 && free[0] == seen:
			out = append(out, i)
			free = free[1:]
		}
		seen++
	}
	return out
}

// subset is a source of some objects of another.
type subset struct {
	src   dissim.Source
	marks []int32
}

func (s subset) Len() int { return len(s.marks) }

func (s subset) Row(dst []float32, i int, js []int32) {
	toLandmarks(s).Row(dst, int(s.marks[i]), js)
}

// toLandmarks returns the dissimilarities from all objects of a source to some of them.
type toLandmarks struct {
	src   dissim.Source
	marks []int32
}

func (s toLandmarks) Row(dst []float32, i int, js []int32) {
	if js == nil {
		s.src.Row(dst, i, s.marks)
		return
	}
	at := make([]int32, len(js))
	for t, j := range js {
		at[t] = s.marks[j]
	}
	s.src.Row(dst, i, at)
}
