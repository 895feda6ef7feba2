package worth

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/plot"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// onCurves are those whose curves are drawn over many sets. nCOBRAS reckons with wrong answers by
// default, and kin where it knows the share of wrong answers.
var onCurves = []string{"kin", "kin, told", "COBRAS", "nCOBRAS", "COBRA 25", "COBRA 50",
	"COBRA 100", "PCK-means minmax"}

// onSmall are those whose curves are drawn over small sets.
var onSmall = []string{"kin", "COBRAS", "COBRA 25", "PCK-means npu", "MPCK-means npu", "CCL minmax",
	"CECM nonspecificity", "k-EVCLUS"}

func pictures(ctx context.Context, all *frame.Results) error {
	r := newRecord(all)
	if reaches := r.reaches(); len(reaches) > 0 {
		r.means("curves", "Mean curves over all sets on which the methods run", onCurves,
			reaches[0].sets)
		r.means("curves-small",
			"Mean curves over small sets, for methods that fit before each question too", onSmall,
			reaches[len(reaches)-1].sets)
		r.dots(reaches[0].sets)
	}
	many := r.where(func(t task) bool {
		return t.many() && r.has(conditions[0].name, t.name, preferred)
	})
	if len(many) > 0 {
		r.means("curves-many", "Mean curves over sets of many groups", onCurves, many)
	}
	r.textCurves()
	r.reliabilities()
	for _, part := range []string{"right", "wrong10"} {
		if err := ctx.Err(); err != nil {
			return err
		}
		r.each(part)
	}
	return nil
}

// means draws mean curves over sets, a panel a condition. The default has a band of a standard
// error of the mean over sets; bands of all would hide the curves.
func (r *record) means(name, title string, names []string, sets []task) {
	one := 1.0
	chart := plot.ChartConfig{X: "answers", Y: "adjusted Rand index", Across: 2, Width: 10,
		Height: 8, YMin: new(float64), YMax: &one}
	for _, c := range r.marks {
		r.addPanel(&chart, c.title, c.name, names, sets)
	}
	if len(chart.Panels) == 0 {
		return
	}
	note := number(len(sets)) + "."
	if len(sets) >= few {
		note += " The band is a standard error of the mean over sets either way, for " +
			preferred + " alone: sets differ much, methods less."
	}
	r.Chart(name, title, chart, note)
}

// addPanel adds a panel with the mean curves of some askers over sets, if any ran on all of them.
func (r *record) addPanel(chart *plot.ChartConfig, title, part string, names []string,
	sets []task) {
	panel := plot.ChartConfig{Title: title}
	for _, a := range r.ran(part, sets) {
		if !slices.Contains(names, a.Name) {
			continue
		}
		s := plot.Series{Name: a.Name}
		last := lastMany
		for _, t := range sets {
			last = min(last, t.last())
		}
		for _, at := range upTo(last) {
			m := frame.Mean(r.over(part, sets, a.Name, ari(at)))
			s.X, s.Y = append(s.X, float64(at)), append(s.Y, m.Value)
			if a.Name == preferred && len(sets) >= few {
				e := m.Spread / math.Sqrt(float64(m.N))
				s.Low, s.High = append(s.Low, max(0, m.Value-e)),
					append(s.High, min(1, m.Value+e))
			}
		}
		panel.Series = append(panel.Series, s)
	}
	if len(panel.Series) > 0 {
		chart.Panels = append(chart.Panels, panel)
	}
}

// reliabilities draws what comes true against what is stated.
func (r *record) reliabilities() {
	one := 1.0
	chart := plot.ChartConfig{X: "stated", Y: "true", Across: kinds, Width: 10, XMin: new(float64),
		XMax: &one, YMin: new(float64), YMax: &one}
	for _, c := range r.marks {
		row, drawn := make([]plot.ChartConfig, kinds), false
		for kind := range kinds {
			panel := &row[kind]
			panel.Title = stated[kind].short + ", " + c.short
			for _, name := range calibrated {
				got := r.reliability(c.name, name, kind, r.tasks)
				s := plot.Series{Name: name}
				for b, said := range got.said {
					if !math.IsNaN(said) {
						s.X, s.Y = append(s.X, said), append(s.Y, got.right[b])
					}
				}
				if len(s.X) > 0 {
					panel.Series, drawn = append(panel.Series, s), true
				}
			}
			panel.Series = append(panel.Series, plot.Series{Name: "as stated", Dashed: true,
				X: []float64{0, 1}, Y: []float64{0, 1}})
		}
		if drawn {
			chart.Panels = append(chart.Panels, row...)
		}
	}
	if len(chart.Panels) == 0 {
		return
	}
	chart.Height = 1 + 2.5*float64(len(chart.Panels)/kinds)
	r.Chart("reliability", "What comes true against what is stated, by tenths", chart,
		fmt.Sprintf("Tenths with fewer than %d cases are left out. On the dashed line as much "+
			"comes true as is stated; below it, less.", fewest))
}

// each draws the curves of the main methods on each set.
func (r *record) each(part string) {
	low, one := -0.1, 1.0 // below 0 is worse than chance, which happens
	i := slices.IndexFunc(r.marks, func(c condition) bool { return c.name == part })
	if i < 0 {
		return
	}
	chart := plot.ChartConfig{X: "answers", Y: "adjusted Rand index", Across: 6, YMin: &low,
		YMax: &one}
	main := []string{"kin", "kin, told", "COBRAS", "nCOBRAS", "COBRA 50", "PCK-means minmax"}
	for _, t := range r.tasks {
		r.addPanel(&chart, t.title, part, main, []task{t})
	}
	if len(chart.Panels) == 0 {
		return
	}
	down := (len(chart.Panels) + chart.Across - 1) / chart.Across
	chart.Width, chart.Height = 14, 1+2*float64(down)
	r.Chart("sets-"+part, "Curves on each set where "+r.marks[i].title, chart)
}

// dots draws the mean area of each asker under each condition.
func (r *record) dots(sets []task) {
	chart := plot.ChartConfig{Y: "mean area over 100 answers", Width: 11, Height: 6}
	var all []asker
	for _, a := range r.askers {
		tick := short.Replace(a.Name)
		if !a.KnowsErrors && !slices.Contains(chart.Ticks, tick) &&
			slices.ContainsFunc(r.marks, func(c condition) bool {
				return slices.Contains(r.ran(c.name, sets), a)
			}) {
			all, chart.Ticks = append(all, a), append(chart.Ticks, tick)
		}
	}
	for _, c := range r.marks {
		s := plot.Series{Name: c.title, Kind: plot.Points}
		for _, a := range all {
			s.Y = append(s.Y, r.average(c.name, sets, a.Name, area100))
		}
		chart.Series = append(chart.Series, s)
	}
	if len(all) > 0 {
		r.Chart("areas", "Mean areas over the first 100 answers", chart, number(len(sets))+".")
	}
}

// short makes the names of askers fit under an axis.
var short = strings.NewReplacer("constrained k-means farthest-first", "constrained",
	"seeded k-means farthest-first", "seeded", "-k-means ", " ", "-means", "",
	"explore-consolidate", "explore")

func number(sets int) string { return "Over " + words.Count(sets, "set") }
