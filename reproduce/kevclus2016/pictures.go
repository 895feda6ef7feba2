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
func pictures(ctx context.Context, p frame.Plan, runs *frame.Runs) ([]frame.Picture, error) {
	d := &drawer{compiler: compiler{p, runs}}
	if p.Has(partMasses) {
		d.butterfly(ctx)
	}
	keys, titles := d.descentKeys()
	for i, key := range keys {
		d.descent(ctx, key, titles[i])
	}
	if p.Has(partGrowth) {
		d.growth()
	}
	for _, s := range sweeps(p) {
		d.partners(ctx, s)
	}
	if p.Has(partScaling) {
		d.scaling()
	}
	if set := p.Set("sipu_s2"); set != nil && p.Has(partPairs) {
		d.pairs(ctx, set)
	}
	return d.list, d.err
}

// drawer collects pictures until one fails.
type drawer struct {
	compiler
	list []frame.Picture
	err  error
}

// add takes a picture, unless one has failed before.
func (d *drawer) add(name, title string, f *plot.Figure, err error, notes ...string) {
	if d.err != nil {
		return
	}
	if d.err = err; err == nil {
		d.list = append(d.list, frame.Picture{Name: name, Title: title, Figure: f, Notes: notes})
	}
}

// chart adds a chart.
func (d *drawer) chart(name, title string, cfg plot.ChartConfig, notes ...string) {
	if d.err != nil {
		return
	}
	f, err := plot.Chart(cfg)
	d.add(name, title, f, err, notes...)
}

// boxes draws a sample for each method.
func boxes(title string, samples [][]float64, log bool) plot.ChartConfig {
	return plot.ChartConfig{Y: title, Ticks: descents, LogY: log,
		Series: []plot.Series{{Kind: plot.Boxes, Values: samples}}}
}

// descent draws Figures 5 to 7, or 8 to 10.
func (d *drawer) descent(ctx context.Context, key frame.Key, title string) {
	first := 5
	if key.Part == partSimulated {
		first = 8
	}
	d.hulls(ctx, key, title, first)
	var seconds, stress [][]float64
	for i, m := range descents {
		seconds, stress = append(seconds, d.over(key, d.Trials, m, "seconds")),
			append(stress, d.over(key, d.Trials, m, "stress"))
		if m == ourIRQP || d.err != nil || len(stress[i]) == 0 {
			continue
		}
		cfg := plot.TraceConfig{Winner: slices.Index(stress[i], least(stress[i])),
			Page: plot.Page{Title: fmt.Sprintf("Stress over time: %s, %s", m, title)}}
		for draw := 1; draw <= d.Trials; draw++ {
			key.Draw = draw
			if s := d.runs.Of(key, m, "stress"); len(s) > 0 {
				cfg.Starts, cfg.Seconds = append(cfg.Starts, s),
					append(cfg.Seconds, d.runs.Of(key, m, "seconds"))
			}
		}
		f, err := plot.Trace(cfg)
		d.add(fmt.Sprintf("figure%d%c", first+1, 'a'+i),
			fmt.Sprintf("Figure %d%c. Stress over time by the %s", first+1, 'a'+i,
				map[string]string{gradient: "gradient", irqp: "row programmes"}[m]), f, err,
			fmt.Sprintf("Each way down is drawn by %d of its points.", tracePoints))
	}
	d.chart(fmt.Sprintf("figure%d", first+2),
		fmt.Sprintf("Figure %d. Seconds and stress at convergence, %s", first+2, title),
		plot.ChartConfig{
			Title: "At convergence: " + title,
			Panels: []plot.ChartConfig{boxes("seconds", seconds, true),
				boxes("stress", stress, false)}, Across: 2, Width: 10, Height: 4.4,
		}, "Seconds are drawn on a logarithmic axis.")
}

// whiskers returns medians with quartiles of samples at positions.
func whiskers(name string, x []float64, samples [][]float64) plot.Series {
	s := plot.Series{Name: name, X: x, Whiskers: true}
	for _, v := range samples {
		s.Y, s.Low, s.High = append(s.Y, median(v)), append(s.Low, quantile(v, .25)),
			append(s.High, quantile(v, .75))
	}
	return s
}

// numbers turns counts into positions.
func numbers(counts []int) (x []float64) {
	for _, n := range counts {
		x = append(x, float64(n))
	}
	return x
}

// growth draws Figure 11.
func (d *drawer) growth() {
	x := numbers(sizes(d.Plan))
	curve := func(m string) plot.Series {
		var samples [][]float64
		for _, n := range sizes(d.Plan) {
			samples = append(samples, d.growthOf(n, m, "seconds"))
		}
		return whiskers(m, x, samples)
	}
	if len(d.growthOf(sizes(d.Plan)[0], irqp, "seconds")) == 0 {
		return
	}
	panel := func(title string, methods ...string) plot.ChartConfig {
		cfg := plot.ChartConfig{Title: title, X: "objects", Y: "seconds"}
		for _, m := range methods {
			cfg.Series = append(cfg.Series, curve(m))
		}
		return cfg
	}
	d.chart("figure11", "Figure 11. Seconds by the number of objects", plot.ChartConfig{
		Panels: []plot.ChartConfig{panel("(a) all", gradient, irqp, recm),
			panel("(b) row programmes and RECM", irqp, recm)}, Across: 2, Width: 10, Height: 4.4,
	}, fmt.Sprintf("Medians and quartiles over %s each.", words.Count(d.Trials, "data set")))
}

// partners draws the three figures of a sweep, and Figure 15.
func (d *drawer) partners(ctx context.Context, s sweep) {
	draws, x := often(d.Plan), numbers(s.partners)
	if len(d.over(s.at(s.partners[0], 0), draws, kevclus, "ari")) == 0 {
		return
	}
	var panels []plot.ChartConfig
	for i, m := range sweepMeasures {
		cfg := plot.ChartConfig{Title: fmt.Sprintf("Figure %d", s.figures[i]), X: "partners k",
			Y: m.title, LogX: true, LogY: m.name == "seconds"}
		for _, method := range partnerMethods {
			var samples [][]float64
			for _, k := range s.partners {
				samples = append(samples, d.over(s.at(k, 0), draws, method, m.name))
			}
			cfg.Series = append(cfg.Series, whiskers(method, x, samples))
		}
		panels = append(panels, cfg)
	}
	d.chart(fmt.Sprintf("figures%dto%d", s.figures[0], s.figures[2]),
		fmt.Sprintf("Figures %d to %d. ARI, seconds and nonspecificity of k-EVCLUS by the number "+
			"of partners, %s", s.figures[0], s.figures[2], s.title),
		plot.ChartConfig{Panels: panels, Across: 3, Width: 13, Height: 4.2},
		fmt.Sprintf("Medians and quartiles over %s each, all on one data set.",
			words.Count(draws, "fit")))
	if s.figures[2] == 14 {
		d.approximations(ctx, s)
	}
}

// scaling draws Figure 19.
func (d *drawer) scaling() {
	all := scalingSizes(d.Plan)
	if len(d.scalingOf(all[0], kevclus, "ari")) == 0 {
		return
	}
	panel := func(title, measure string) plot.ChartConfig {
		cfg := plot.ChartConfig{X: "objects", Y: title, LogY: measure == "seconds"}
		for _, m := range scalingMethods {
			var samples [][]float64
			for _, n := range all {
				samples = append(samples, d.scalingOf(n, m, measure))
			}
			cfg.Series = append(cfg.Series, whiskers(m, numbers(all), samples))
		}
		return cfg
	}
	d.chart("figure19", "Figure 19. Seconds (a) and ARI (b) by the number of objects",
		plot.ChartConfig{Panels: []plot.ChartConfig{panel("seconds", "seconds"),
			panel("ARI", "ari")}, Across: 2, Width: 11, Height: 4.4},
		fmt.Sprintf("Medians and quartiles over %s each: %s.", words.Count(few(d.Plan), "data set"),
			strings.Join(scalingMethods, "; ")))
}
