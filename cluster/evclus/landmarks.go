package evclus

import (
	"context"
	"fmt"

	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/disjoint"
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
	res, err := Fit(ctx, dissim.Among(src, marks), cfg)
	if err != nil && ctx.Err() != nil {
		return nil, stopped(ctx.Err(), "before all objects were placed")
	}
	if err != nil {
		return nil, err
	}
	m, err := res.Model(disjoint.Singletons(count))
	if err != nil {
		return nil, err
	}
	placed, err := m.Place(ctx, dissim.To(src, marks), n, cfg.Threads)
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
