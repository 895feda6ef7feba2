package density2017

import (
	"context"
	"fmt"
	"slices"

	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/plot"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// pictures draws the adjusted Rand index against the share of labels, set by set; mean ranks; and
// what becomes of the discs.
func pictures(ctx context.Context, r *frame.Results) error {
	c := compiler{r}
	each, published := c.groups()
	for _, g := range each {
		name := map[string]string{"UCI": "figure1", "shapes": "figure2",
			"discs": "figure3"}[g.title]
		cfg := plot.ChartConfig{X: "rows whose class is known, %", Y: "adjusted Rand index",
			LogX: true}
		for _, s := range g.sets {
			cfg.Panels = append(cfg.Panels, c.panel(s))
		}
		r.Chart(name, "Adjusted Rand index against the share of labels: "+g.title, cfg, alone)
	}
	if len(published.sets) > 1 {
		cfg := c.rankCurves(published)
		r.Chart("figure4", cfg.Title, cfg, "1 is best. "+alone)
	}
	if r.Has(partDensities) {
		cfg, err := found(ctx, r.Plan)
		if err != nil {
			return err
		}
		r.Chart("figure5", "Discs of a tenfold density ratio, as found from 5 % labels", cfg,
			"The first draw of points and labels.")
	}
	return nil
}

// percent returns shares as the axis has them.
func percent(shares []float64) []float64 {
	var x []float64
	for _, share := range shares {
		x = append(x, 100*share)
	}
	return x
}

// panel is one set.
func (c compiler) panel(s source) plot.ChartConfig {
	cfg := plot.ChartConfig{Title: s.title}
	for _, m := range methods {
		line := plot.Series{Name: m.title, X: percent(sharesOf(c.Plan))}
		for _, share := range sharesOf(c.Plan) {
			line.Y = append(line.Y, c.mean(s, share, m.name, "ari").Value)
		}
		cfg.Series = append(cfg.Series, line)
	}
	return cfg
}

// rankCurves shows mean ranks against the share of labels.
func (c compiler) rankCurves(g group) plot.ChartConfig {
	cfg := plot.ChartConfig{Title: "Mean ranks over " + g.title, X: "rows whose class is known, %",
		Y: "mean rank", LogX: true}
	for _, m := range methods {
		cfg.Series = append(cfg.Series, plot.Series{Name: m.title, X: percent(sharesOf(c.Plan))})
	}
	for _, share := range sharesOf(c.Plan) {
		r, err := eval.Friedman(c.scores(g.sets, share))
		for j := range methods {
			v := frame.None.Value
			if err == nil {
				v = r.Ranks[j]
			}
			cfg.Series[j].Y = append(cfg.Series[j].Y, v)
		}
	}
	return cfg
}

// found shows the discs and what three methods make of them.
func found(ctx context.Context, p frame.Plan) (plot.ChartConfig, error) {
	const share, draw = .05, 1
	d := discs(10, p.Seed, draw)
	known := d.labelled(share, p.Seed, draw)
	// The larger discs are above each other: high and narrow panels, side by side, leave dense
	// ones the most space.
	cfg := plot.ChartConfig{Across: 4, X: "x", Y: "y", Width: 9, Height: 5,
		Panels: []plot.ChartConfig{d.scatter("the discs", frame.FromOne(d.truth))}}
	for _, name := range []string{ours, "ssdbscan", "dbscan"} {
		c := titled(titleOf(name))
		found, err := d.labels(ctx, c, known, frame.Derive(p.Seed, "fit", d.name, draw, 0))
		if err != nil {
			return cfg, err
		}
		cfg.Panels = append(cfg.Panels, d.scatter(c.title, found))
	}
	return cfg, nil
}

// scatter draws points by cluster, noise last.
func (p problem) scatter(title string, found []int) plot.ChartConfig {
	cfg := plot.ChartConfig{Title: title}
	for c := 1; c <= slices.Max(found)+1; c++ {
		s := plot.Series{Name: fmt.Sprintf("cluster %d", c), Kind: plot.Points}
		cluster := c
		if c > slices.Max(found) {
			s.Name, cluster = "noise", 0
		}
		for i, l := range found {
			if l == cluster {
				s.X, s.Y = append(s.X, p.x.F64[2*i]), append(s.Y, p.x.F64[2*i+1])
			}
		}
		if len(s.X) > 0 {
			cfg.Series = append(cfg.Series, s)
		}
	}
	return cfg
}
