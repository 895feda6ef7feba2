//go:build ignore

package method

import (
	"context"
	"fmt"
	"slices"

	"github.com/kindred-go/kindred/cluster/evclus"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

// ScanStep is what a number of clusters came to.
type ScanStep struct {
	Clusters       int     `json:"clusters"`
	Stress         float64 `json:"stress"`
	Nonspecificity float64 `json:"nonspecificity"` // N*, in [0, 1]
	// clusters that are no object's most plausible one
	Empty int `json:"empty,omitempty"`
}

// better reports whether a number of clusters suits the data more than another: one that leaves no
// cluster empty before one that does, then the lower nonspecificity. (The nonspecificity of
// clusters that are there is only diluted by those that are not.)
func (s ScanStep) better(than ScanStep) bool {
	if (s.Empty == 0) != (than.Empty == 0) {
		return s.Empty == 0
	}
	return s.Nonspecificity < than.Nonspecificity
}

// clusters refuses to go on without their number.
func (s Settings) clusters() error {
	if s.Clusters > 0 {
		return nil
	}
	return &fault.Input{Problem: "an evidential partition needs the number of clusters",
		Fix: "give it with --clusters, or a range to choose from, as in 2..8"}
}

// fitEvidential fits once, or once for each number of clusters of a scan. When ctx ends, the best
// partition so far comes with the error.
func fitEvidential(ctx context.Context, p Problem, s Settings, cfg evclus.Config) (*Outcome,
	error) {
	if err := s.clusters(); err != nil {
		return nil, err
	}
	src, objects, err := compared(p)
	if err != nil {
		return nil, err
	}
	if cfg, err = evidentialConfig(p, s, cfg); err != nil {
		return nil, err
	}
	e := s.Evidential
	vain := cfg.Stress == evclus.Sammon &&
		(e.D0 != evclus.D0{} || e.Tail != 0 || e.Transform != evclus.Exponential)
	last := max(s.Clusters, e.MostClusters)
	tries := last - s.Clusters + 1
	if tries > 1 {
		if err := scannable(src.Len(), last, e); err != nil {
			return nil, err
		}
		cfg.Consume = false
		if _, isDense := src.(*dissim.Dense); cfg.Partners == 0 && s.Evidential.Landmarks == 0 &&
			!isDense {
			// once for all numbers of clusters
			if src, err = dissim.NewDense(ctx, src, s.Threads, nil); err != nil {
				return nil, err
			}
		}
	}
	var best *evclus.Result
	var chosen ScanStep
	var scan []ScanStep
	for c := s.Clusters; c <= last && err == nil; c++ {
		cfg.Clusters = c
		if c > s.Clusters && e.Focal != nil {
			if cfg.Focal, err = e.Focal(c); err != nil {
				return nil, err
			}
		}
		if s.Progress != nil {
			cfg.Progress = func(q evclus.Progress) {
				s.Progress((float64(c-s.Clusters) + q.Share) /
					float64(tries))
			}
		}
		var got *evclus.Result
		if s.Evidential.Landmarks > 0 {
			got, err = evclus.FitLandmarks(ctx, src, s.Evidential.Landmarks, cfg)
		} else {
			got, err = evclus.Fit(ctx, src, cfg)
		}
		if got == nil {
			break
		}
		step := ScanStep{c, got.Stress, got.Credal.Nonspecificity(),
			emptyClusters(got.Credal.Hard(belief.MaxPlausibility), c)}
		scan = append(scan, step)
		if best == nil || step.better(chosen) {
			best, chosen = got, step
		}
	}
	if best == nil || err != nil && ctx.Err() == nil {
		return nil, err
	}
	out, _ := evidentialOutcome(best, objects, nil, cfg.Optimizer, s)
	out.Unmet = link.Violated(out.Labels, p.Links)
	if vain {
		out.Notes = append(out.Notes,
			"The Sammon stress takes dissimilarities as they are: d0, the tail and the transform "+
				"mean nothing to it.")
	}
	if tries > 1 && len(scan) > 0 {
		out.Scan = scan
		what := ""
		if slices.ContainsFunc(scan, func(s ScanStep) bool { return s.Empty > 0 }) &&
			chosen.Empty == 0 {
			what = " among those of which none is empty"
		}
		out.Notes = append(out.Notes,
			fmt.Sprintf("Of %d to %d clusters, %d have the lowest nonspecificity%s, %.4g.",
				s.Clusters, scan[len(scan)-1].Clusters, chosen.Clusters, what,
				chosen.Nonspecificity))
		if err == nil {
			out.Notes = append(out.Notes, edge(chosen.Clusters, s.Clusters, last, src.Len()))
		}
	}
	return out, err
}

// scannable refuses numbers of clusters of which the last could not be fitted, before the first is.
func scannable(n, last int, e Evidential) error {
	if last > n {
		return &fault.Input{Problem: fmt.Sprintf("%d clusters cannot be found among %d objects",
			last, n), Fix: fmt.Sprintf("let the range end at %d or before", n)}
	}
	if last > belief.MaxClusters {
		return &fault.Input{Problem: fmt.Sprintf("%d clusters are too many", last),
			Fix: fmt.Sprintf("let the range end at %d or before", belief.MaxClusters)}
	}
	if e.Focal == nil {
		return nil
	}
	_, err := e.Focal(last)
	return err
}

// emptyClusters counts the clusters, from 1, that no label names.
func emptyClusters(labels []int, clusters int) int {
	size := make([]int, clusters+1)
	for _, l := range labels {
		size[l]++
	}
	empty := 0
	for _, n := range size[1:] {
		if n == 0 {
			empty++
		}
	}
	return empty
}
