package studio

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/plot"
	"github.com/kindred-go/kindred/project"
)

// mostMapped is the number of objects up to which a heat map of all pairs is drawn.
const mostMapped = 20_000

// writePicture draws the groups. kind is one of groups, where there are masses also rough, masses,
// focal:SET and heatmap, and of methods by EVCLUS trace; "" is rough, or groups.
func writePicture(ctx context.Context, d *project.Project, kind, path string) error {
	out, _, err := d.Outcome(ctx)
	if err != nil {
		return err
	}
	name, set, hasSet := strings.Cut(kind, ":")
	switch {
	case name == "":
		name = "groups"
		if out.Credal != nil {
			name = "rough"
		}
	case !slices.Contains([]string{"groups", "rough", "masses", "focal", "heatmap", "trace"},
		name) || hasSet != (name == "focal"):
		return &fault.Input{Problem: fmt.Sprintf("there is no picture %q", short(kind)),
			Fix: "give groups, rough, masses, focal:SET, heatmap or trace"}
	case name != "groups" && out.Credal == nil, name == "trace" && out.Evidential == nil:
		return &fault.Input{Problem: "the method gives no such picture",
			Fix: "draw the groups, or go on under a method that gives masses, such as evclus"}
	}
	draw := drawing{d: d, out: out,
		title: fmt.Sprintf("%s: %d groups", filepath.Base(d.State("").Data), out.Clusters)}
	if err := draw.name(ctx); err != nil {
		return err
	}
	fig, err := draw.figure(ctx, name, set)
	if err != nil {
		return err
	}
	return fig.Save(path)
}

// drawing is what pictures have in common.
type drawing struct {
	d     *project.Project
	out   *method.Outcome
	title string
	names []string // of the clusters
}

// name names the clusters as people did.
func (p *drawing) name(ctx context.Context) error {
	clusters, _, err := p.d.Clusters(ctx)
	if err != nil {
		return err
	}
	p.names = make([]string, p.out.Clusters)
	for k := range p.names {
		p.names[k] = fmt.Sprintf("group %d", k+1)
	}
	for _, c := range clusters {
		if len(c.Names) > 0 && c.Cluster >= 1 && c.Cluster <= len(p.names) {
			p.names[c.Cluster-1] = fmt.Sprintf("%d %s", c.Cluster, strings.Join(c.Names, ", "))
		}
	}
	return nil
}

func (p *drawing) figure(ctx context.Context, kind, set string) (*plot.Figure, error) {
	masses := p.out.Credal
	switch kind {
	case "masses":
		return plot.Masses(plot.MassesConfig{Credal: masses, ClusterNames: p.names, Title: p.title})
	case "heatmap":
		return p.heatMap(ctx, masses)
	case "trace":
		return plot.Trace(plot.TraceConfig{Starts: [][]float64{p.out.Evidential.Trace},
			Title: p.title, YLabel: "objective"})
	}
	links, err := answers(p.d)
	if err != nil {
		return nil, err
	}
	m, err := p.d.Map(ctx)
	if err != nil {
		return nil, err
	}
	points := dataset.Matrix{Rows: len(m.Points) / 2, Cols: 2, F32: m.Points}
	switch kind {
	case "focal":
		shown, err := belief.ParseSet(set, masses.Clusters)
		if err != nil || !slices.Contains(masses.Focal, shown) {
			return nil, &fault.Input{Problem: fmt.Sprintf("%q is no focal set", short(set)),
				Fix: "name one of map/info or masses, as in focal:1+2", Err: err}
		}
		return plot.FocalSet(plot.FocalSetConfig{
			Points: points, Credal: masses, Set: shown, ClusterNames: p.names, Links: links,
			Title: p.title, XLabel: m.Axes[0], YLabel: m.Axes[1], EqualScale: true,
		})
	case "rough":
		return plot.Rough(plot.RoughConfig{
			Points: points, Credal: masses, ClusterNames: p.names, Links: links, Title: p.title,
			XLabel: m.Axes[0], YLabel: m.Axes[1], EqualScale: true,
		})
	}
	return plot.Scatter(plot.ScatterConfig{
		Points: points, Clusters: p.out.Labels, ClusterNames: p.names,
		SuperInstances: p.superInstances(), Links: links,
		Title: p.title, XLabel: m.Axes[0], YLabel: m.Axes[1],
	})
}

// mostHulls is the number of objects up to which super-instances have hulls, which hide the links
// of more.
const mostHulls = 5000

func (p *drawing) superInstances() []plot.SuperInstance {
	n := len(p.out.Medoids)
	if n == 0 || n >= len(p.out.Labels) {
		return nil
	}
	all := make([]plot.SuperInstance, n)
	for i, medoid := range p.out.Medoids {
		all[i].Medoid = medoid
	}
	if len(p.out.Labels) <= mostHulls {
		for row, of := range p.out.Of {
			all[of].Members = append(all[of].Members, row)
		}
	}
	return all
}

func (p *drawing) heatMap(ctx context.Context, masses *credal.Partition) (*plot.Figure, error) {
	if n := masses.Len(); n > mostMapped {
		return nil, &fault.Input{Problem: fmt.Sprintf("the heat map of %d objects would have %d pairs", n, n*n), Fix: fmt.Sprintf("draw it for at most %d objects", mostMapped)}
	}
	source, err := p.d.Dissimilarities()
	if err != nil {
		return nil, err
	}
	order, groups := plot.ByCertainty(masses)
	return plot.HeatMap(ctx, plot.HeatMapConfig{
		Source: source, Order: order, Groups: groups, GroupNames: p.names, Title: p.title,
		XLabel: "object, by cluster and certainty",
	})
}
