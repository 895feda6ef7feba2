package evclus

import (
	"fmt"
	"strings"

	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/method"
)

// ScanStep is the fit of one number of clusters among several.
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

// Detail is what the methods of this package report besides an outcome.
type Detail struct {
	*Result
	Constraints string     // how links entered: soft, anchor, propagate, penalty; "": there is none
	Scan        []ScanStep // numbers of clusters that were tried, where several were
}

var _ method.Detail = (*Detail)(nil)

// Figures returns the fields of the JSON report.
func (d *Detail) Figures() any {
	f := struct {
		Stress   float64   `json:"stress"` // without links
		D0       float64   `json:"d0,omitempty"`
		Gamma    float64   `json:"gamma,omitempty"`
		Partners int       `json:"partners"`        // 0: all
		Pairs    []string  `json:"pairs,omitempty"` // sets that the second step added
		Starts   []float64 `json:"starts"`          // final objective of each start
		// values of the objective that were recorded
		Trace       int    `json:"trace_length"`
		Converged   bool   `json:"converged"`
		Constraints string `json:"constraints,omitempty"` // how links entered
		// links that the fit without them violates
		Before *int       `json:"violated_before,omitempty"`
		Scan   []ScanStep `json:"scan,omitempty"`
	}{
		Stress: d.Stress, D0: d.D0, Gamma: d.Gamma, Partners: d.Partners, Starts: d.StartValues,
		Trace: len(d.Trace), Converged: d.Stopped == fit.Converged, Scan: d.Scan,
	}
	if d.Constraints != "" {
		f.Constraints, f.Before = d.Constraints, &d.Violated
	}
	for _, s := range d.Pairs {
		f.Pairs = append(f.Pairs, s.String())
	}
	return f
}

// Summary returns how the fit went.
func (d *Detail) Summary(o *method.Outcome) string {
	pairs := "all pairs"
	if d.Partners > 0 {
		pairs = words.Count(d.Partners, "partner") + " a row"
	}
	line := fmt.Sprintf(" from %s, stress %.4g after %s (%s), nonspecificity %.4g", pairs, d.Stress,
		words.Count(o.Iterations, o.Unit), o.Stopped, d.Credal.Nonspecificity())
	if o.Objective != d.Stress {
		line += fmt.Sprintf(", objective with links %.4g", o.Objective)
	}
	return line
}

// choice returns the number of clusters that a scan chose; nil for no scan.
func choice(scan []ScanStep, clusters int) *method.Choice {
	if len(scan) == 0 {
		return nil
	}
	c := &method.Choice{By: "nonspecificity", Clusters: clusters}
	for _, s := range scan {
		c.Tried = append(c.Tried, method.Trial{Clusters: s.Clusters, Criteria: map[string]float64{
			"nonspecificity": s.Nonspecificity, "stress": s.Stress, "empty": float64(s.Empty)}})
	}
	return c
}

// Lines returns which clusters meet.
func (d *Detail) Lines() []string {
	var lines []string
	if len(d.Pairs) > 0 {
		names := make([]string, len(d.Pairs))
		for i, s := range d.Pairs {
			names[i] = s.String()
		}
		lines = append(lines,
			"clusters that meet, added as focal sets: "+strings.Join(names, " "))
	}
	return lines
}

// reach describes how far links reach, by how they enter.
var reach = map[Constraints]string{
	Anchor:    "only linked rows are moved by them",
	Propagate: "rows near linked ones share them",
	Penalty:   "they weigh in the fit of all rows",
	Soft:      "linked rows are moved where the dissimilarities leave room",
}

// advice returns what may be wrong with d0 or the number of clusters, and what to try.
func (s *settings) advice(out *method.Outcome, r *Result) []string {
	scaled := r.D0 > 0 && s.Transform != Rank
	smaller, larger := "--d0 auto, or --d0 quantile:0.5",
		fmt.Sprintf("--d0 auto, or a --d0 above %.4g", r.D0)
	switch q := s.D0.Quantile; {
	case r.auto:
		smaller, larger = fmt.Sprintf("a --d0 below %.4g", r.D0),
			fmt.Sprintf("a --d0 above %.4g", r.D0)
	case s.D0.Value > 0:
		smaller, larger = fmt.Sprintf("--d0 auto, or a --d0 below %.4g", r.D0),
			fmt.Sprintf("--d0 auto, or a --d0 above %.4g, such as --d0 quantile:0.9", r.D0)
	case q > 0:
		smaller = fmt.Sprintf("--d0 auto, or a quantile below %g", q)
		if q < 1 {
			larger = fmt.Sprintf("--d0 auto, or a quantile above %g", q)
		}
	}
	var notes []string
	if empty := method.EmptyClusters(out.Labels, out.Clusters); empty > 0 {
		try := "fewer may do"
		if scaled {
			try = "a smaller d0 tells more of them apart (try " + smaller + "), or fewer may do"
		}
		notes = append(notes, method.Are(empty, "cluster")+" no object's most plausible one: "+try)
	}
	if !scaled {
		return notes
	}
	rough := r.Credal.Rough()
	between, near := 0, 0
	for i, outlier := range rough.Outlier {
		switch {
		case outlier:
			near++
		case rough.Ambiguous(i):
			between++
		}
	}
	switch n := len(rough.Outlier); {
	case 2*near > n:
		notes = append(notes,
			"Over half of the objects are near no cluster: d0 is probably too small; try "+larger)
	case 2*between > n:
		notes = append(notes,
			"Over half of the objects are between clusters: d0 is probably too large; try "+smaller)
	}
	return notes
}

// edge reports how far the best number of clusters of a range is to be trusted, of n objects.
func edge(best, first, last, n int) string {
	const guide = "Nonspecificity is a guide, no proof: compare the partitions, too."
	switch longer := min(last+4, n, belief.MaxClusters); {
	case best == last && longer > last:
		return fmt.Sprintf("%d is the end of the range, and more clusters may be better still: "+
			"try a longer one, as in -k %d..%d. %s", last, first, longer, guide)
	case best == first && first > 2:
		return fmt.Sprintf("%d is the start of the range, and fewer clusters may be better "+
			"still: let it start at 2. %s", first, guide)
	}
	return guide
}
