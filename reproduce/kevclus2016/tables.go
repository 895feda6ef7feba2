package kevclus2016

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/kindred-go/kindred/reproduce/frame"
)

// tables makes the paper's printed figures, and ours, of the runs, and what its text says of its
// drawings.
func tables(p frame.Plan, runs *frame.Runs) (list []frame.Table, claims []frame.Claim) {
	c := compiler{p, runs}
	add := func(t []frame.Table, more []frame.Claim) {
		for _, one := range t {
			if len(one.Rows) > 0 {
				list = append(list, one)
			}
		}
		claims = append(claims, more...)
	}
	if p.Has(partMasses) {
		add(c.masses())
	}
	add(c.descents())
	if p.Has(partGrowth) {
		add(c.growth())
	}
	add(c.partners())
	if p.Has(partScaling) {
		add(c.scaling())
	}
	if set := p.Set("sipu_s2"); set != nil && p.Has(partPairs) {
		add(c.pairs(set))
	}
	if p.Has(partSides) {
		add(c.sides())
	}
	return list, claims
}

// compiler makes tables of runs.
type compiler struct {
	frame.Plan
	runs *frame.Runs
}

// over returns a measure of the first so many repetitions of a key, of the last start; repetitions
// that did not run are left out.
func (c compiler) over(key frame.Key, draws int, method, measure string) []float64 {
	var values []float64
	for draw := 1; draw <= draws; draw++ {
		key.Draw = draw
		if v := c.runs.Of(key, method, measure); len(v) > 0 {
			values = append(values, v[len(v)-1])
		}
	}
	return values
}

// ours is a cell of a mean over repetitions, beside a printed figure, −1 for none.
func ours(paper float64, values []float64) frame.Cell {
	return frame.Cell{Paper: figure(paper), Mean: frame.Mean(values), Best: frame.None}
}

// one is a cell of a single figure.
func one(paper, value float64) frame.Cell {
	if math.IsNaN(value) {
		return frame.Cell{Paper: figure(paper), Mean: frame.None, Best: frame.None}
	}
	return frame.Cell{Paper: figure(paper),
		Mean: frame.Figure{Value: value, Spread: math.NaN(), N: 1}, Best: frame.None}
}

// greatest returns the largest value; NaN of none.
func greatest(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	return slices.Max(values)
}

// least returns the smallest value; NaN of none.
func least(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	return slices.Min(values)
}

// mean is that of values; NaN of none.
func mean(values []float64) float64 { return frame.Mean(values).Value }

// quantile interpolates linearly between order statistics; NaN of none.
func quantile(values []float64, q float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(values))
	at := q * float64(len(sorted)-1)
	lo := int(at)
	hi := min(lo+1, len(sorted)-1)
	return sorted[lo] + float64((at-float64(lo))*(sorted[hi]-sorted[lo]))
}

func median(values []float64) float64 { return quantile(values, .5) }

// masses are those of Figure 2.
func (c compiler) masses() ([]frame.Table, []frame.Claim) {
	t := frame.Table{
		Name: "figure2", Title: "Figure 2. Masses of the butterfly's objects",
		Keys: []string{"object"}, Groups: massNames, Digits: 2,
		Notes: []string{"The paper draws all masses and names three."},
	}
	most := make([]string, butterfly.Rows) // the set of the largest mass
	for i := range butterfly.Rows {
		paper, said := paperMasses[i+1]
		row := frame.Row{Keys: []string{fmt.Sprint(i + 1)}}
		top := -1.0
		for l, name := range massNames {
			values := c.runs.Of(massKey, irqp, name)
			if i >= len(values) {
				return nil, nil
			}
			if !said {
				paper[l] = -1
			}
			row.Cells = append(row.Cells, one(paper[l], values[i]))
			if values[i] > top {
				top, most[i] = values[i], name
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return []frame.Table{t}, []frame.Claim{
		{Says: "Figure 2: the set of largest mass of object 6, which is ambiguous, and of object " +
			"12, which is in no cluster", Paper: "m(Ω), m(∅)", Mean: most[5] + ", " + most[11]},
	}
}

// descentKeys are the data sets of Figures 6 and 9 that ran.
func (c compiler) descentKeys() (keys []frame.Key, titles []string) {
	if set := c.Set("protein"); set != nil && c.Has(partProtein) {
		keys, titles = append(keys, frame.Key{Part: partProtein, Set: set.Name}),
			append(titles, "proteins")
	}
	if c.Has(partSimulated) {
		keys, titles = append(keys, frame.Key{Part: partSimulated, Set: tClusters}),
			append(titles, "200 simulated points")
	}
	return keys, titles
}

// trapped counts the fits whose stress ends above the least of all, by more than a fifth.
func trapped(values []float64, lowest float64) float64 {
	count := 0.0
	for _, v := range values {
		if v > 1.2*lowest {
			count++
		}
	}
	return count
}

// descents compares the gradient and row programmes (Figures 5 to 10).
func (c compiler) descents() ([]frame.Table, []frame.Claim) {
	seconds := frame.Table{Name: "figures7and10-seconds",
		Title: "Figures 7a and 10a. Seconds to convergence", Keys: []string{"data set"},
		Groups: descents, Digits: 4, Plain: true,
		Notes: []string{"From the first sweep on, on one thread of this machine; without " +
			"dissimilarities and medoids. The paper draws its times, of its own machine."}}
	stress := frame.Table{Name: "figures7and10-stress",
		Title: "Figures 7b and 10b. Stress at convergence: mean (standard deviation over the " +
			"starts)", Keys: []string{"data set", "of the starts"}, Groups: descents, Digits: 5,
		Spread: true}
	counts := frame.Table{Name: "figures5to9-counts",
		Title: "Figures 5, 8 and 9. What the text counts", Keys: []string{"data set", "what"},
		Groups: descents, Digits: 1,
		Notes: []string{"Trapped: a stress more than a fifth above the least of all starts and " +
			"ways (our reading); the paper counts of 20 starts, ours is scaled to 20. The other " +
			"counts are of the start of least stress."}}
	var claims []frame.Claim
	keys, titles := c.descentKeys()
	for i, key := range keys {
		all := map[string][]float64{}
		lowest := math.Inf(1)
		for _, m := range descents {
			all[m] = c.over(key, c.Trials, m, "stress")
			if len(all[m]) == 0 {
				return nil, nil
			}
			lowest = min(lowest, least(all[m]))
		}
		row := func(t *frame.Table, keys []string, cell func(m string) frame.Cell) {
			line := frame.Row{Keys: keys}
			for _, m := range descents {
				line.Cells = append(line.Cells, cell(m))
			}
			t.Rows = append(t.Rows, line)
		}
		time := func(m string) []float64 { return c.over(key, c.Trials, m, "seconds") }
		best := func(m, measure string) float64 {
			return c.over(key, c.Trials, m, measure)[slices.Index(all[m], least(all[m]))]
		}
		row(&seconds, []string{titles[i]}, func(m string) frame.Cell { return ours(-1, time(m)) })
		row(&stress, []string{titles[i], "mean"},
			func(m string) frame.Cell { return ours(-1, all[m]) })
		row(&stress, []string{"", "least"},
			func(m string) frame.Cell { return one(-1, least(all[m])) })
		row(&counts, []string{titles[i], "starts of 20 that are trapped"},
			func(m string) frame.Cell {
				paper := -1.0
				if v, told := paperTrapped[m]; told && key.Part == partSimulated {
					paper = v
				}
				return one(paper, 20*trapped(all[m], lowest)/float64(len(all[m])))
			})
		said := map[string]float64{"wrong": -1, "outliers": -1}
		if key.Part == partProtein {
			said["wrong"] = paperWrong
		} else {
			said["outliers"] = paperOutliers
		}
		for _, count := range []struct{ measure, says string }{{"wrong", "misclassified"},
			{"outliers", "outliers"}} {
			row(&counts, []string{"", count.says}, func(m string) frame.Cell {
				paper := -1.0
				if m == irqp {
					paper = said[count.measure]
				}
				return one(paper, best(m, count.measure))
			})
		}
		faster := median(time(gradient)) / median(time(irqp))
		lower := 0
		for t, v := range all[irqp] {
			if v <= all[gradient][t] {
				lower++
			}
		}
		claims = append(claims,
			frame.Claim{
				Says: "How many times faster row programmes converge than the gradient, of " +
					titles[i],
				Paper: "more than 10", Mean: fmt.Sprintf("%.0f (medians)", faster)},
			frame.Claim{Says: "Starts from which row programmes end at no higher a stress than " +
				"the gradient, of " + titles[i],
				Paper: map[string]string{partProtein: "consistently",
					partSimulated: "lower values"}[key.Part],
				Mean: fmt.Sprintf("%d of %d", lower, len(all[irqp]))},
		)
		if key.Part == partProtein && c.Trials > 1 {
			claims = append(claims,
				frame.Claim{Says: "Standard deviation of the final stress of proteins: gradient, " +
					"row programmes", Paper: "lower for row programmes",
					Mean: fmt.Sprintf("%.2g, %.2g", frame.Mean(all[gradient]).Spread,
						frame.Mean(all[irqp]).Spread)})
		}
	}
	return []frame.Table{seconds, stress, counts}, claims
}

// growth is Figure 11.
func (c compiler) growth() ([]frame.Table, []frame.Claim) {
	t := frame.Table{Name: "figure11",
		Title: "Figure 11 and section 3.2. Seconds by the number of objects",
		Keys:  []string{"objects"}, Groups: []string{gradient, irqp, ourIRQP, recm, mecm},
		Digits: 4, Plain: true,
		Notes: []string{"On one thread of this machine, dissimilarities included. The paper " +
			"prints the seconds of MECM alone, of a program in R."}}
	score := frame.Table{Name: "figure11-ari", Title: "ARI on the same data",
		Keys: []string{"objects"}, Groups: t.Groups, Digits: 3, Long: true}
	median := func(n int, m string) float64 { return median(c.growthOf(n, m, "seconds")) }
	for _, n := range sizes(c.Plan) {
		line, of := frame.Row{Keys: []string{fmt.Sprint(n)}},
			frame.Row{Keys: []string{fmt.Sprint(n)}}
		for _, m := range t.Groups {
			paper := -1.0
			if v, told := paperMedian[n]; told && m == mecm {
				paper = v
			}
			line.Cells = append(line.Cells, ours(paper, c.growthOf(n, m, "seconds")))
			of.Cells = append(of.Cells, ours(-1, c.growthOf(n, m, "ari")))
		}
		t.Rows, score.Rows = append(t.Rows, line), append(score.Rows, of)
	}
	few, many := sizes(c.Plan)[0], sizes(c.Plan)[len(sizes(c.Plan))-1]
	if len(c.growthOf(many, irqp, "seconds")) == 0 {
		return nil, nil
	}
	grows := func(m string) float64 { return median(many, m) / median(few, m) }
	return []frame.Table{t, score}, []frame.Claim{
		{Says: fmt.Sprintf("Figure 11a: by how much seconds grow from %d to %d objects: "+
			"gradient, row programmes, RECM", few, many),
			Paper: "the gradient much faster than both",
			Mean: fmt.Sprintf("%.0f, %.1f, %.1f times", grows(gradient), grows(irqp),
				grows(recm))},
		{Says: fmt.Sprintf("Figure 11b: seconds of row programmes over those of RECM at %d objects",
			many), Paper: "above 1: RECM is still faster",
			Mean: fmt.Sprintf("%.1f", median(many, irqp)/median(many, recm))},
		{Says: "Mean ARI over these data of row programmes, the same from medoids, RECM",
			Paper: "similar", Mean: c.bothGrowth()},
		{Says: fmt.Sprintf("Seconds of MECM over those of row programmes at %d objects",
			medianUpTo), Paper: "much slower, as its authors wrote it in R",
			Mean: fmt.Sprintf("%.1f", median(medianUpTo, mecm)/median(medianUpTo, irqp))},
	}
}

func (c compiler) growthOf(n int, method, measure string) []float64 {
	return c.over(frame.Key{Part: partGrowth, Set: tClusters, Setting: fmt.Sprintf("n = %d", n)},
		c.Trials, method, measure)
}

func (c compiler) bothGrowth() string {
	var means []string
	for _, m := range []string{irqp, ourIRQP, recm} {
		var all []float64
		for _, n := range sizes(c.Plan) {
			all = append(all, c.growthOf(n, m, "ari")...)
		}
		means = append(means, fmt.Sprintf("%.3f", mean(all)))
	}
	return strings.Join(means, ", ")
}
