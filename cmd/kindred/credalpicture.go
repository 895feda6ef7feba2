package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kindred-go/kindred/cluster/evclus"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/param"
	"github.com/kindred-go/kindred/plot"
	"github.com/kindred-go/kindred/plot/mds"
	"github.com/kindred-go/kindred/project/input"
)

// pictures are the kinds of pictures of a credal partition.
const pictures = "rough, masses, focal:SET, shepard, heatmap or trace"

// credalPicture is a picture of a credal partition to be drawn.
type credalPicture struct {
	kind  string // one of pictures; "" is rough
	title string
	data  *input.Data
	p     *credal.Partition
	links []link.Link

	fit       *evclus.Result // nil where only the partition is known
	transform evclus.Transform
	threads   int
}

// checkPicture checks the kind of a picture before anything is done: for so many clusters (0: not
// known) and focal sets (nil: not known).
func checkPicture(picture string, clusters int, focal []belief.Set) error {
	kind, text, hasSet := strings.Cut(picture, ":")
	if !slices.Contains([]string{"", "rough", "masses", "focal", "shepard", "heatmap", "trace"},
		kind) || hasSet && kind != "focal" {
		return fault.Settingf("--picture is %q: give %s", picture, pictures)
	}
	if kind != "focal" {
		return nil
	}
	if text == "" {
		return fault.Setting("--picture focal:SET shows the mass of one set: name it, as in " +
			"focal:1+2, focal:all or focal:empty")
	}
	if clusters == 0 {
		clusters = belief.MaxClusters
	}
	set, err := belief.ParseSet(text, clusters)
	if err != nil {
		return fault.Settingf("--picture %s: %v", picture, err)
	}
	if focal != nil && !slices.Contains(focal, set) {
		return fault.Settingf("--picture %s: %v is not among the focal sets: give one of %s",
			picture, set, listed(focal, clusters))
	}
	return nil
}

// listed names focal sets as --picture takes them, the first of many.
func listed(sets []belief.Set, clusters int) string {
	var names []string
	for _, s := range sets {
		switch s {
		case 0:
			names = append(names, "empty")
		case belief.Omega(clusters):
			names = append(names, "all")
		default:
			names = append(names, strings.Trim(s.String(), "{}"))
		}
	}
	return words.UpTo(names, 12)
}

// transformOf returns how a method turns dissimilarities into conflicts.
func transformOf(m *method.Configured) evclus.Transform {
	switch m.Value("transform") {
	case "linear":
		return evclus.Linear
	case "rank":
		return evclus.Rank
	}
	return evclus.Exponential
}

// pictured checks what --picture says against the fit that is to be drawn to path.
func pictured(m *method.Configured, picture, path string) error {
	if picture == dendrogram {
		return nil
	}
	clusters := 0
	if span, err := param.ParseSpan(m.Value("clusters")); err == nil && span.From == span.To {
		clusters = span.From
	}
	var focal []belief.Set
	if clusters > 0 && clusters <= belief.MaxClusters && m.Value("pairs") == "0" {
		switch m.Value("focal") { // a fault in them is the fit's to say
		case "simple":
			focal, _ = belief.Simple(clusters)
		case "pairs":
			focal, _ = belief.Pairs(clusters)
		case "full":
			focal, _ = belief.Full(clusters)
		}
	}
	if err := checkPicture(picture, min(clusters, belief.MaxClusters), focal); err != nil {
		return err
	}
	switch {
	case picture == "" || picture == "rough":
		return nil
	case path == "":
		return fault.Setting("--picture says what --plot draws: give --plot FILE, too")
	case !m.Masses:
		return fault.Settingf("--picture %s is of masses, and %s has none: leave it out", picture,
			m.Name)
	case !m.Takes("d0") && (picture == "shepard" || picture == "trace"):
		return fault.Settingf(
			"--picture %s is of a fit by EVCLUS, and %s is none: give another picture, %s", picture,
			m.Name, pictures)
	case picture == "shepard" && (m.Value("stress") == "sammon" || transformOf(m) == evclus.Rank):
		return fault.Setting("--picture shepard is of the conflict stress with --transform exp " +
			"or linear: give another picture, " + pictures)
	}
	return nil
}

// save draws the picture to a file.
func (c *credalPicture) save(ctx context.Context, a *app, path string) error {
	fig, err := c.draw(ctx, a)
	if err != nil {
		return input.Placed(err, c.data.Name())
	}
	if err := fig.Save(path); err != nil {
		return err
	}
	a.say("the picture is in %s", path)
	return nil
}

func (c *credalPicture) draw(ctx context.Context, a *app) (*plot.Figure, error) {
	if c.title == "" {
		c.title = fmt.Sprintf("%s: %s", filepath.Base(c.data.Name()),
			words.Count(c.p.Clusters, "group"))
	}
	names := make([]string, c.p.Clusters)
	for k := range names {
		names[k] = fmt.Sprintf("group %d", k+1)
	}
	switch kind, set, _ := strings.Cut(c.kind, ":"); kind {
	case "masses":
		return plot.Masses(plot.MassesConfig{Credal: c.p, ClusterNames: names, Title: c.title})
	case "shepard":
		return c.shepard(ctx)
	case "heatmap":
		order, groups := plot.ByCertainty(c.p)
		source, err := c.source()
		if err != nil {
			return nil, err
		}
		return plot.HeatMap(ctx,
			plot.HeatMapConfig{Source: source, Order: order, Groups: groups, GroupNames: names,
				Threads: c.threads, Title: c.title, XLabel: "object, by cluster and certainty"})
	case "trace":
		if c.fit == nil {
			return nil, &fault.Input{Problem: "a partition does not tell how it was found",
				Fix: "draw the trace with kindred cluster --plot FILE --picture trace"}
		}
		return plot.Trace(plot.TraceConfig{Starts: [][]float64{c.fit.Trace}, Title: c.title,
			YLabel: "objective"})
	case "focal":
		if err := checkPicture(c.kind, c.p.Clusters, c.p.Focal); err != nil {
			return nil, err
		}
		shown, err := belief.ParseSet(set, c.p.Clusters)
		if err != nil {
			return nil, err
		}
		v, err := c.plane(ctx, a)
		if err != nil {
			return nil, err
		}
		return plot.FocalSet(plot.FocalSetConfig{
			Points: v.points, Credal: c.p, Set: shown, ClusterNames: names, Links: c.links,
			Title: c.title, Subtitle: v.note,
			XLabel: v.x, YLabel: v.y, EqualScale: v.distances,
		})
	}
	v, err := c.plane(ctx, a)
	if err != nil {
		return nil, err
	}
	return plot.Rough(plot.RoughConfig{
		Points: v.points, Credal: c.p, ClusterNames: names, Links: c.links, Title: c.title,
		Subtitle: v.note,
		XLabel:   v.x, YLabel: v.y, EqualScale: v.distances,
	})
}

// source returns the dissimilarities among the rows.
func (c *credalPicture) source() (dissim.Source, error) {
	if c.data.Dissim != nil {
		return c.data.Dissim, nil
	}
	return dissim.Vectors(c.data.Ready.X, dissim.Euclidean)
}

// view is objects in the plane.
type view struct {
	points     dataset.Matrix
	x, y, note string
	distances  bool // a unit is as long on both axes
}

// plane places vectors by their principal components, or their two columns, and other objects by
// their dissimilarities.
func (c *credalPicture) plane(ctx context.Context, a *app) (view, error) {
	if c.data.Ready != nil {
		x := c.data.Ready.X
		if x.Cols <= 2 {
			x = unscaled(c.data)
		}
		v, err := plot.Plane(ctx, x, c.data.Ready.Names, c.threads)
		return view{points: v.Points, x: v.XLabel, y: v.YLabel}, err
	}
	b := a.bar("placing rows in the plane")
	defer b.done()
	got, err := mds.Fit(ctx, c.data.Dissim,
		mds.Config{Threads: c.threads, Progress: func(p mds.Progress) { b.update(p.Share) }})
	if err != nil {
		return view{}, err
	}
	return view{
		points: got.Points, x: "MDS 1", y: "MDS 2", distances: true,
		note: fmt.Sprintf("multidimensional scaling of the dissimilarities, stress-1 %.3f",
			got.Stress1),
	}, nil
}

// Pairs of a Shepard diagram: all, or as many drawn at random.
const shepardPairs = 50_000

// shepard compares the conflicts that dissimilarities call for with those that the masses give.
func (c *credalPicture) shepard(ctx context.Context) (*plot.Figure, error) {
	switch {
	case c.fit == nil:
		return nil, &fault.Input{Problem: "a partition does not tell d0, which the diagram needs",
			Fix: "draw it with kindred cluster --plot FILE --picture shepard"}
	case c.fit.A != 0 || c.transform == evclus.Rank:
		return nil, &fault.Input{Problem: "a Shepard diagram is of the conflict stress with transform exp or linear", Fix: "draw another picture: " + pictures}
	}
	n := c.p.Len()
	var delta, kappa []float64
	var d [1]float32
	add := func(i, j int) {
		c.data.Dissim.Row(d[:], i, []int32{int32(j)})
		v := float64(d[0])
		if c.transform == evclus.Linear {
			v = min(1, v/c.fit.D0)
		} else {
			v = -math.Expm1(-c.fit.Gamma * v * v)
		}
		delta = append(delta, v)
		kappa = append(kappa, min(1, max(0, 1-c.p.Relation(i, j).PlSame())))
	}
	if n*(n-1)/2 <= shepardPairs {
		for i := range n {
			for j := range i {
				add(i, j)
			}
		}
	} else {
		draw := rand.New(rand.NewPCG(0, 0x73686570))
		for range shepardPairs {
			i, j := draw.IntN(n), draw.IntN(n-1)
			if j >= i {
				j++
			}
			add(i, j)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return plot.Shepard(plot.ShepardConfig{Delta: delta, Kappa: kappa, Title: c.title})
}
