package kevclus2016

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/plot"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// pictures draws the paper's figures of the runs. Credal partitions are fitted again, from the
// seeds of their runs.
func pictures(ctx context.Context, r *frame.Results) error {
	c := compiler{r}
	if r.Has(partMasses) {
		c.butterfly(ctx)
	}
	keys, titles := c.descentKeys()
	for i, key := range keys {
		c.descent(ctx, key, titles[i])
	}
	if r.Has(partGrowth) {
		c.drawGrowth()
	}
	for _, s := range sweeps(r.Plan) {
		c.drawPartners(ctx, s)
	}
	if r.Has(partScaling) {
		c.drawScaling()
	}
	if set := r.Set("sipu_s2"); set != nil && r.Has(partPairs) {
		c.drawPairs(ctx, set)
	}
	return nil
}

// boxes draws a sample for each method.
func boxes(title string, samples [][]float64, log bool) plot.ChartConfig {
	return plot.ChartConfig{Y: title, Ticks: descents, LogY: log,
		Series: []plot.Series{{Kind: plot.Boxes, Values: samples}}}
}

// descent draws Figures 5 to 7, or 8 to 10.
func (c compiler) descent(ctx context.Context, key frame.Key, title string) {
	first := 5
	if key.Part == partSimulated {
		first = 8
	}
	c.hulls(ctx, key, title, first)
	var seconds, stress [][]float64
	for i, m := range descents {
		seconds, stress = append(seconds, c.over(key, m, "seconds")),
			append(stress, c.over(key, m, "stress"))
		if m == ourIRQP {
			continue
		}
		cfg := plot.TraceConfig{Winner: slices.Index(stress[i], least(stress[i])),
			Page: plot.Page{Title: fmt.Sprintf("Stress over time: %s, %s", m, title)}}
		for draw := 1; draw <= c.Trials; draw++ {
			key.Draw = draw
			cfg.Starts = append(cfg.Starts, c.Of(key, m, "stress"))
			cfg.Seconds = append(cfg.Seconds, c.Of(key, m, "seconds"))
		}
		f, err := plot.Trace(cfg)
		c.Draw(fmt.Sprintf("figure%d%c", first+1, 'a'+i),
			fmt.Sprintf("Figure %d%c. Stress over time by the %s", first+1, 'a'+i,
				map[string]string{gradient: "gradient", irqp: "row programmes"}[m]), f, err,
			fmt.Sprintf("Each way down is drawn by %d of its points.", tracePoints))
	}
	c.Chart(fmt.Sprintf("figure%d", first+2),
		fmt.Sprintf("Figure %d. Seconds and stress at convergence, %s", first+2, title),
		plot.ChartConfig{
			Title: "At convergence: " + title,
			Panels: []plot.ChartConfig{boxes("seconds", seconds, true),
				boxes("stress", stress, false)}, Across: 2, Width: 10, Height: 4.4,
		}, "Seconds are drawn on a logarithmic axis.")
}

// whiskers returns medians with quartiles of a measure of each method by a count.
func (c compiler) whiskers(methods []string, counts []int, key func(n int) frame.Key,
	measure string) (all []plot.Series) {
	for _, m := range methods {
		s := plot.Series{Name: m, Whiskers: true}
		for _, n := range counts {
			v := c.over(key(n), m, measure)
			s.X, s.Y = append(s.X, float64(n)), append(s.Y, median(v))
			s.Low, s.High = append(s.Low, quantile(v, .25)), append(s.High, quantile(v, .75))
		}
		all = append(all, s)
	}
	return all
}

// drawGrowth draws Figure 11.
func (c compiler) drawGrowth() {
	panel := func(title string, methods ...string) plot.ChartConfig {
		return plot.ChartConfig{Title: title, X: "objects", Y: "seconds",
			Series: c.whiskers(methods, sizes(c.Plan), sized(partGrowth), "seconds")}
	}
	c.Chart("figure11", "Figure 11. Seconds by the number of objects", plot.ChartConfig{
		Panels: []plot.ChartConfig{panel("(a) all", gradient, irqp, recm),
			panel("(b) row programmes and RECM", irqp, recm)}, Across: 2, Width: 10, Height: 4.4,
	}, fmt.Sprintf("Medians and quartiles over %s each.", words.Count(c.Trials, "data set")))
}

// drawPartners draws the three figures of a sweep, and Figure 15.
func (c compiler) drawPartners(ctx context.Context, s sweep) {
	var panels []plot.ChartConfig
	for i, m := range sweepMeasures {
		panels = append(panels, plot.ChartConfig{Title: fmt.Sprintf("Figure %d", s.figures[i]),
			X: "partners k", Y: m.title, LogX: true, LogY: m.name == "seconds",
			Series: c.whiskers(partnerMethods, s.partners, s.at, m.name)})
	}
	c.Chart(fmt.Sprintf("figures%dto%d", s.figures[0], s.figures[2]),
		fmt.Sprintf("Figures %d to %d. ARI, seconds and nonspecificity of k-EVCLUS by the number "+
			"of partners, %s", s.figures[0], s.figures[2], s.title),
		plot.ChartConfig{Panels: panels, Across: 3, Width: 13, Height: 4.2},
		fmt.Sprintf("Medians and quartiles over %s each, all on one data set.",
			words.Count(few(c.Plan), "fit")))
	if s.figures[2] == 14 {
		c.approximations(ctx, s)
	}
}

// drawScaling draws Figure 19.
func (c compiler) drawScaling() {
	panel := func(title, measure string) plot.ChartConfig {
		return plot.ChartConfig{X: "objects", Y: title, LogY: measure == "seconds",
			Series: c.whiskers(scalingMethods, scalingSizes, sized(partScaling), measure)}
	}
	c.Chart("figure19", "Figure 19. Seconds (a) and ARI (b) by the number of objects",
		plot.ChartConfig{Panels: []plot.ChartConfig{panel("seconds", "seconds"),
			panel("ARI", "ari")}, Across: 2, Width: 11, Height: 4.4},
		fmt.Sprintf("Medians and quartiles over %s each: %s.", words.Count(few(c.Plan), "data set"),
			strings.Join(scalingMethods, "; ")))
}
