//go:build ignore

package method

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/cluster/constrained"
	"github.com/kindred-go/kindred/cluster/fuzzy"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

// partitionTakes are the flags that the methods about means share.
var partitionTakes = []string{"clusters", "starts", "max-iterations", "seed"}

func partitionalMethods() []Method {
	linked := slices.Concat(partitionTakes, linkTakes)
	return []Method{
		{
			Name:  "fcm",
			Title: "fuzzy c-means: each row belongs to every cluster to a degree",
			Source: "Bezdek, Pattern Recognition with Fuzzy Objective Function Algorithms " +
				"(1981), algorithm A11.1",
			NeedsClusters: true, Masses: true, Draws: true, Invariant: ToFactor,
			Takes:   append([]string{"fuzziness", "tolerance"}, partitionTakes...),
			Default: "fuzziness 2, 1 start by k-means++, at most 300 iterations, tolerance 1e-6",
			Fit:     fitFCM,
		},
		{
			Name:   "seeded-kmeans",
			Title:  "seeded k-means: k-means that starts from rows of known classes",
			Source: "Basu, Banerjee and Mooney, ICML 2002, figure 1",
			Labels: true, Draws: true, Invariant: ToFactor,
			Takes: linked,
			Default: "as many clusters as classes are known, 1 start, clusters of no known rows " +
				"begin by k-means++, at most 100 iterations",
			Fit: func(ctx context.Context, p Problem, s Settings) (*Outcome,
				error) {
				return fitSeeded(ctx, p, s, false)
			},
		},
		{
			Name:   "constrained-kmeans",
			Title:  "constrained k-means: seeded k-means in which known rows stay in their classes",
			Source: "Basu, Banerjee and Mooney, ICML 2002, figure 2",
			Labels: true, Draws: true, Invariant: ToFactor,
			Takes: linked,
			Default: "as many clusters as classes are known, 1 start, clusters of no known rows " +
				"begin by k-means++, at most 100 iterations",
			Fit: func(ctx context.Context, p Problem, s Settings) (*Outcome,
				error) {
				return fitSeeded(ctx, p, s, true)
			},
		},
		{
			Name: "copkmeans",
			Title: "COP-k-means: k-means under which all links hold, or it says why they " +
				"cannot",
			Source:        "Wagstaff, Cardie, Rogers and Schrödl, ICML 2001, table 1",
			NeedsClusters: true, Links: true, Draws: true, Invariant: ToFactor,
			Takes:   linked,
			Default: "5 starts by k-means++ up to 20 000 rows, else 1; at most 100 iterations",
			Fit: func(ctx context.Context, p Problem, s Settings) (*Outcome, error) {
				if s.Clusters == 0 {
					return nil, needsClusters("COP-k-means")
				}
				r, err := constrained.FitCOP(ctx, p.Data, p.Links, s.constrained(s.Clusters))
				return aboutMeans(p, r, err, "inertia", "are left out")
			},
		},
		{
			Name: "cvqe",
			Title: "CVQE: k-means in which a violated link costs the distance between " +
				"centres",
			Source:        "Davidson and Ravi, SDM 2005, section 5",
			NeedsClusters: true, Links: true, Draws: true, Invariant: ToFactor,
			Takes: linked,
			Default: "5 starts by k-means++ up to 20 000 rows, else 1; at most 100 iterations, " +
				"the best partition seen",
			Fit: func(ctx context.Context, p Problem, s Settings) (*Outcome, error) {
				if s.Clusters == 0 {
					return nil, needsClusters("CVQE")
				}
				r, err := constrained.FitCVQE(ctx, p.Data, p.Links, s.constrained(s.Clusters))
				return aboutMeans(p, r, err, "objective", "weigh in the fit")
			},
		},
		{
			Name:          "pckmeans",
			Title:         "PCK-means: k-means in which a violated link costs a weight",
			Source:        "Basu, Banerjee and Mooney, SDM 2004, figure 2",
			NeedsClusters: true, Links: true, Draws: true, Invariant: ToFactor,
			Takes: append([]string{"link-weight"}, linked...),
			Default: "5 starts up to 20 000 rows, else 1: the first from the rows that " +
				"must-links join, others by k-means++; at most 100 iterations; a violated link " +
				"costs the mean squared distance from the mean",
			Fit: fitPCK,
		},
		{
			Name:          "mpckmeans",
			Title:         "MPCK-means: PCK-means whose clusters learn metrics",
			Source:        "Bilenko, Basu and Mooney, ICML 2004, figure 1",
			NeedsClusters: true, Links: true, Draws: true, Invariant: ToFactor,
			Takes: append([]string{"link-weight", "cluster-metric", "shared-metric"}, linked...),
			Default: "a diagonal metric for each cluster; 5 starts up to 20 000 rows, else 1: " +
				"the first from the rows that must-links join, others by k-means++; a violated " +
				"link weighs 1; at most 100 iterations, the best partition seen",
			Fit: fitMPCK,
		},
	}
}

func fitFCM(ctx context.Context, p Problem, s Settings) (*Outcome, error) {
	if s.Clusters == 0 {
		return nil, needsClusters("fuzzy c-means")
	}
	fit, err := fuzzy.Fit(ctx, p.Data, fuzzy.Config{
		Clusters: s.Clusters, Fuzziness: s.Tuning.Fuzziness, Starts: s.Starts,
		MaxIterations: s.MaxIterations, Tolerance: s.Tolerance,
		Seed: s.Seed, Threads: s.Threads, Progress: s.Progress,
	})
	if err != nil {
		return nil, err
	}
	out, err := byDegrees(fit.Memberships, fit.Labels, fit.Centers)
	if err != nil {
		return nil, err
	}
	out.Objective, out.Measure, out.Iterations, out.Unit, out.Stopped = fit.Objective, "objective",
		fit.Iterations, "iteration", fit.Stopped.String()
	return out, nil
}

// byDegrees returns the outcome of memberships, n×k, that has a model of means. Where there are
// more clusters than masses can be about, labels alone are kept.
func byDegrees(memberships []float64, labels []int32, means dataset.Matrix) (*Outcome, error) {
	if means.Rows > belief.MaxClusters {
		out := nearest(labels, means)
		out.Notes = append(out.Notes,
			fmt.Sprintf("degrees of membership are kept of at most %d clusters: each row has its "+
				"first one alone", belief.MaxClusters))
		return out, nil
	}
	out, order, err := byMemberships(memberships, means.Rows)
	if err != nil {
		return nil, err
	}
	out.Model = &Model{Means: means, ClusterOf: make([]int, means.Rows)}
	for number, c := range order {
		out.Model.ClusterOf[c] = number + 1
	}
	return out, nil
}

// seeds returns the classes that are known, and the number of clusters: as many as there are
// classes unless it is given.
func (p Problem) seeds(s Settings, name string) (classes []int32, k int, notes []string,
	err error) {
	if classes, notes, err = p.known(s); err != nil {
		return nil, 0, nil, err
	}
	most := -1
	for _, c := range classes {
		most = max(most, int(c))
	}
	switch k = s.Clusters; {
	case most < 0 && k == 0:
		return nil, 0, nil, &fault.Input{Problem: name +
			" needs the number of clusters, as no classes are known",
			Fix: "give it with --clusters, or labels or links with the data"}
	case k == 0:
		k = most + 1
		notes = append(notes,
			fmt.Sprintf("%s asked for, as many as classes are known", number(k, "cluster")))
	case most < 0:
		notes = append(notes, "no classes are known")
	case most >= k:
		return nil, 0, nil, &fault.Input{Problem: fmt.Sprintf("%d clusters are asked for, and %d classes are known", k, most+1), Fix: fmt.Sprintf("ask for at least %d", most+1)}
	}
	return classes, k, notes, nil
}

func fitSeeded(ctx context.Context, p Problem, s Settings, hold bool) (*Outcome, error) {
	name := "seeded k-means"
	if hold {
		name = "constrained k-means"
	}
	classes, k, notes, err := p.seeds(s, name)
	if err != nil {
		return nil, err
	}
	r, err := constrained.FitSeeded(ctx, p.Data, classes,
		constrained.SeededConfig{Config: s.constrained(k), Hold: hold})
	out, err := aboutMeans(p, r, err, "inertia", "")
	if err != nil {
		return nil, err
	}
	out.Notes = append(notes, out.Notes...)
	return out, nil
}

func fitPCK(ctx context.Context, p Problem, s Settings) (*Outcome, error) {
	if s.Clusters == 0 {
		return nil, needsClusters("PCK-means")
	}
	r, err := constrained.FitPCK(ctx, p.Data, p.Links,
		constrained.PCKConfig{Config: s.constrained(s.Clusters), Weight: s.Tuning.LinkWeight})
	return aboutMeans(p, r, err, "objective", "weigh in the fit")
}

func fitMPCK(ctx context.Context, p Problem, s Settings) (*Outcome, error) {
	if s.Clusters == 0 {
		return nil, needsClusters("MPCK-means")
	}
	metric, known := map[string]constrained.Metric{"": constrained.Diagonal,
		"diagonal": constrained.Diagonal, "full": constrained.Full,
		"euclidean": constrained.Euclidean}[s.Tuning.Metric]
	if !known {
		return nil, &fault.Input{Problem: fmt.Sprintf("there is no metric %q for clusters to learn",
			s.Tuning.Metric), Fix: "use euclidean, diagonal or full"}
	}
	r, err := constrained.FitMPCK(ctx, p.Data, p.Links, constrained.MPCKConfig{
		Config: s.constrained(s.Clusters), Weight: s.Tuning.LinkWeight, Metric: metric,
		Shared: s.Tuning.Shared,
	})
	if err != nil {
		return nil, err
	}
	out, err := aboutMeans(p, &r.Result, nil, "objective", "weigh in the fit")
	if err != nil {
		return nil, err
	}
	if metric == constrained.Euclidean {
		if s.Tuning.Shared {
			out.Notes = append(out.Notes,
				"Euclidean distances are not learnt, so that sharing them means nothing")
		}
		return out, nil
	}
	out.Model.Metric, out.Model.Roots = competitive.Diagonal, r.Roots
	if metric == constrained.Full {
		out.Model.Metric = competitive.Full
	}
	for _, v := range r.LogDet {
		out.Model.Offsets = append(out.Model.Offsets, -v)
	}
	return out, nil
}

// constrained returns the settings of the methods that package constrained holds.
func (s Settings) constrained(k int) constrained.Config {
	return constrained.Config{
		Clusters: k, Starts: s.Starts, MaxIterations: s.MaxIterations,
		Contradictions: s.Contradictions, Seed: s.Seed, Threads: s.Threads, Progress: s.Progress,
	}
}

// aboutMeans returns the outcome of a fit by package constrained, or its error. What says what
// becomes of contradicting links.
func aboutMeans(p Problem, r *constrained.Result, err error, measure, what string) (*Outcome,
	error) {
	if err != nil {
		return nil, err
	}
	out := nearest(r.Labels, r.Centers)
	out.Objective, out.Iterations, out.Unit, out.Stopped, out.Unmet = r.Objective, r.Iterations,
		"iteration", r.Stopped.String(), link.Violated(out.Labels, p.Links)
	if measure != "inertia" {
		out.Measure = measure
	}
	out.Notes = append(out.Notes, clashing(len(r.Clashing), what)...)
	// those of MPCK-means may be below 0
	if last := r.Trace[len(r.Trace)-1]; last-r.Objective > 1e-9*math.Abs(last) {
		out.Notes = append(out.Notes, "the objective rose, and the best partition is kept")
	}
	out.Notes = append(out.Notes, without(out.Clusters, r.Centers.Rows)...)
	return out, nil
}
