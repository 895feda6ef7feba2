package density

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/data/partition"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/param"
	"github.com/kindred-go/kindred/plot"
)

// hierarchical are the parameters of hdbscan.
type hierarchical struct {
	cfg       HDBSCANConfig
	modelRows int
}

// newHierarchical declares them.
func newHierarchical(set *param.Set) *hierarchical {
	s := &hierarchical{}
	set.Int(&s.cfg.MinClusterSize, param.Param{Name: "min-cluster-size", Basic: true, Min: 2,
		Example: "20", Default: fmt.Sprint(DefaultMinClusterSize),
		Help: "least number of rows of a cluster"})
	set.Int(&s.cfg.MinPoints, param.Param{Name: "min-points", Basic: true, Min: 1, Example: "10",
		Help: "rows that make a neighbourhood dense, the row itself among them",
		Auto: "min-cluster-size"})
	param.Enum(set, &s.cfg.Selection, EOM, param.Param{Name: "selection",
		Choices: selections.Words,
		Help:    "take the clusters of most excess of mass, or all that no others lie within"})
	set.Float(&s.cfg.SelectionEps, param.Param{Name: "selection-eps", Example: "0.1",
		Default: "0", Help: "join clusters that are parted by at most this distance",
		Unit: "that of the scaled features or dissimilarities"})
	set.Bool(&s.cfg.Single, param.Param{Name: "single", Default: "false",
		Help: "allow all rows to be one cluster"})
	set.Int(&s.modelRows, param.Param{Name: "model-rows", Min: 1, Auto: "all",
		Help: "rows that a saved model keeps to place new ones by, of fewer than all by the nearest"})
	return s
}

func (s *hierarchical) fit(ctx context.Context, p method.Problem, o Objects) (*method.Outcome,
	error) {
	cfg := s.cfg
	cfg.Options, cfg.Knowledge = p.Options(0), p.Knowledge
	h, err := newHierarchy(ctx, o, cfg)
	if err != nil {
		return nil, err
	}
	return s.outcome(ctx, p, h, nil)
}

// checkAsking refuses questions whose answers would change nothing.
func (s *hierarchical) checkAsking() error {
	if s.cfg.Selection == Leaf {
		return fault.Setting("--selection leaf takes no account of answers: leave it out")
	}
	return nil
}

// outcome returns what a hierarchy is under what is known of a problem. Rows left out are noise, and
// place no others.
func (s *hierarchical) outcome(ctx context.Context, p method.Problem, h *hierarchy,
	excluded []int) (out *method.Outcome, err error) {
	cfg, r := h.cfg, h.result(p.Knowledge)
	for _, row := range excluded {
		r.Labels[row], r.Strength[row] = Noise, 0
	}
	out = method.ByLabels(r.Labels)
	tree := r.Tree.Condensed
	tree.Clusters = slices.Clone(tree.Clusters)
	detail := &lasting{parts: len(tree.Clusters) - 1, stability: make([]float64, out.Clusters)}
	for row, l := range r.Labels {
		if l >= 0 {
			chosen := &tree.Clusters[r.Chosen[l]]
			chosen.Label = out.Labels[row]
			detail.stability[chosen.Label-1] = chosen.Stability
		}
	}
	out.Detail = detail
	out.Condensed, out.Strength = &tree, r.Strength
	out.Columns = []partition.Column{{Name: strengthColumn, Values: r.Strength},
		{Name: "glosh", Values: r.Outlier}}
	out.Unmet = link.Violated(out.Labels, p.Links)
	if cfg.Selection == Leaf && (len(p.Links) > 0 || p.Known != nil) {
		out.Notes = append(out.Notes, "--selection leaf takes no account of links and known classes: "+
			"leave it out, and they choose the clusters")
	}
	if out.Credal, err = strengths(out.Labels, out.Clusters, r.Strength); err != nil {
		return nil, err
	}
	out.Notes = append(out.Notes, r.advice()...)
	if out.Clusters > belief.MaxClusters {
		out.Notef("masses are of at most %d clusters, so there are none", belief.MaxClusters)
	}
	if out.Clusters > 0 && (s.modelRows == 0 || len(out.Labels) <= s.modelRows) {
		out.Model, err = method.PlaceByCondensed(p, newPlacer(r, out, excluded))
		return out, err
	}
	// A new row is in a cluster where it is no farther from it than the last row to leave it was.
	out.Model, err = method.PlaceByExemplars(ctx, p, out, nil,
		max(r.reach(), math.SmallestNonzeroFloat32), s.modelRows, 0)
	return out, err
}

// strengthColumn is the column of strengths in files.
const strengthColumn = "strength"

// strengths returns the masses of memberships: that of a row on its cluster and the rest on Ω; all
// on the empty set for noise. It is nil where there is no cluster, or more of them than a frame has.
func strengths(labels []int, clusters int, strength []float64) (*credal.Partition, error) {
	if clusters == 0 || clusters > belief.MaxClusters || len(labels) == 0 {
		return nil, nil
	}
	p, err := credal.FromHard(labels, clusters)
	if err != nil {
		return nil, err
	}
	omega := slices.Index(p.Focal, belief.Omega(clusters))
	for i, label := range labels {
		if label > 0 && clusters > 1 {
			single := slices.Index(p.Focal, belief.Singleton(label-1))
			p.Row(i)[single], p.Row(i)[omega] = strength[i], 1-strength[i]
		}
	}
	return p, p.Check()
}

// reach returns the greatest distance at which an object leaves a chosen cluster; 0 where there is
// none.
func (r *HDBSCANResult) reach() (most float64) {
	for i, l := range r.Labels {
		if l >= 0 {
			most = max(most, 1/r.Tree.Lambda[i])
		}
	}
	return most
}

// pictures returns the pictures of results of hdbscan alone.
func pictures() []method.Picture {
	return []method.Picture{{
		Name: "condensed", Title: "the condensed tree, and which parts of it are the groups",
		Needs: func(s *method.Scene) error {
			if s.Outcome.Condensed == nil {
				return fault.Inputf("draw it with the fit: kindred cluster --method hdbscan --plot FILE --picture "+
					"condensed",
					"the picture is of a condensed tree, and there is none")
			}
			return nil
		},
		Draw: func(_ context.Context, s *method.Scene) (*plot.Figure, error) {
			return plot.Icicle(plot.IcicleConfig{Tree: s.Outcome.Condensed,
				GroupNames: s.Names(s.Outcome.Clusters),
				Page:       plot.Page{Title: s.Heading(s.Outcome.Clusters), XLabel: "rows"}})
		},
	}}
}

// advice returns what to do where there is one cluster or none.
func (r *HDBSCANResult) advice() []string {
	switch {
	case r.Clusters > 0:
		return nil
	case len(r.Labels) < r.MinClusterSize:
		return []string{fmt.Sprintf("all rows are noise, as there are fewer than the %d that make a "+
			"cluster: lower --min-cluster-size", r.MinClusterSize)}
	case slices.Min(r.Tree.Lambda) == slices.Max(r.Tree.Lambda):
		return []string{"all rows are equally far from their neighbours, so none is denser than " +
			"others: all are noise, or with --single one cluster"}
	}
	return []string{"no part of the rows is denser than what lies around it, so all are noise: lower " +
		"--min-cluster-size, or allow one cluster with --single"}
}

// lasting is what the method reports besides an outcome.
type lasting struct {
	parts     int       // of the condensed tree, but all rows
	stability []float64 // of each cluster
}

var _ method.Detail = (*lasting)(nil)

// Figures returns the stability of the clusters.
func (d *lasting) Figures() any {
	return struct {
		Stability []float64 `json:"stability,omitempty"`
	}{d.stability}
}

// Summary returns how the clusters were found.
func (d *lasting) Summary(*method.Outcome) string {
	return fmt.Sprintf(", of %s of the condensed tree", words.Count(d.parts, "part"))
}

// Lines returns nothing more.
func (d *lasting) Lines() []string { return nil }
