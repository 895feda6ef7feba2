package kevclus2016

import (
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/reproduce/frame"
)

// tables makes the paper's printed figures, and ours, of the runs, and what its text states of its
// drawings.
func tables(r *frame.Results) {
	c := compiler{r}
	if r.Has(partMasses) {
		c.masses()
	}
	c.descents()
	if r.Has(partGrowth) {
		c.growth()
	}
	c.partners()
	if r.Has(partScaling) {
		c.scaling()
	}
	if set := r.Set("sipu_s2"); set != nil && r.Has(partPairs) {
		c.pairs(set)
	}
	if r.Has(partSides) {
		c.sides()
	}
}

// compiler makes tables and pictures of runs.
type compiler struct{ *frame.Results }

// over returns a measure of the repetitions of a key, of the last start.
func (c compiler) over(key frame.Key, method, measure string) []float64 {
	return c.Over(key, 0, method, measure)
}

// ours is a cell of a mean over repetitions, beside a printed figure, −1 for none.
func ours(paper float64, values []float64) frame.Cell {
	return frame.Cell{Paper: figure(paper), Mean: frame.Mean(values)}
}

// one is a cell of a single figure.
func one(paper, value float64) frame.Cell {
	return ours(paper, []float64{value})
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
func (c compiler) masses() {
	t := frame.Table{
		Name: "figure2", Title: "Figure 2. Masses of the butterfly's objects",
		Keys: []string{"object"}, Groups: massNames, Digits: 2,
		Notes: []string{"The paper draws all masses and names three."},
	}
	most := make([]string, butterfly.Rows) // the set of the largest mass
	for i := range butterfly.Rows {
		paper, printed := paperMasses[i+1]
		top := -1.0
		t.Add([]string{fmt.Sprint(i + 1)}, func(name string) frame.Cell {
			v, theirs := c.Of(massKey, irqp, name)[i], -1.0
			if printed {
				theirs = paper[slices.Index(massNames, name)]
			}
			if v > top {
				top, most[i] = v, name
			}
			return one(theirs, v)
		})
	}
	c.Add(t)
	c.Claim("Figure 2: the set of largest mass of object 6, which is ambiguous, and of object "+
		"12, which is in no cluster", "m(Ω), m(∅)", "%s, %s", most[5], most[11])
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
func (c compiler) descents() {
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
	keys, titles := c.descentKeys()
	for i, key := range keys {
		all := map[string][]float64{}
		lowest := math.Inf(1)
		for _, m := range descents {
			all[m] = c.over(key, m, "stress")
			lowest = min(lowest, least(all[m]))
		}
		time := func(m string) []float64 { return c.over(key, m, "seconds") }
		seconds.Add([]string{titles[i]}, func(m string) frame.Cell { return ours(-1, time(m)) })
		stress.Add([]string{titles[i], "mean"},
			func(m string) frame.Cell { return ours(-1, all[m]) })
		stress.Add([]string{"", "least"},
			func(m string) frame.Cell { return one(-1, least(all[m])) })
		counts.Add([]string{titles[i], "starts of 20 that are trapped"},
			func(m string) frame.Cell {
				paper := -1.0
				if v, printed := paperTrapped[m]; printed && key.Part == partSimulated {
					paper = v
				}
				return one(paper, 20*trapped(all[m], lowest)/float64(len(all[m])))
			})
		for _, count := range []struct {
			measure, title, part string
			paper                float64
		}{{"wrong", "misclassified", partProtein, paperWrong},
			{"outliers", "outliers", partSimulated, paperOutliers}} {
			counts.Add([]string{"", count.title}, func(m string) frame.Cell {
				paper := -1.0
				if m == irqp && key.Part == count.part {
					paper = count.paper
				}
				best := slices.Index(all[m], least(all[m]))
				return one(paper, c.over(key, m, count.measure)[best])
			})
		}
		lower := 0
		for t, v := range all[irqp] {
			if v <= all[gradient][t] {
				lower++
			}
		}
		c.Claim("How many times faster row programmes converge than the gradient, of "+titles[i],
			"more than 10", "%.0f (medians)", median(time(gradient))/median(time(irqp)))
		c.Claim("Starts from which row programmes end at no higher a stress than the gradient, of "+
			titles[i], map[string]string{partProtein: "consistently",
			partSimulated: "lower values"}[key.Part], "%d of %d", lower, len(all[irqp]))
		if key.Part == partProtein && c.Trials > 1 {
			c.Claim("Standard deviation of the final stress of proteins: gradient, row programmes",
				"lower for row programmes", "%.2g, %.2g", frame.Mean(all[gradient]).Spread,
				frame.Mean(all[irqp]).Spread)
		}
	}
	c.Add(seconds, stress, counts)
}

// byCount adds the means of a measure by a count, such as that of objects, to a table.
func (c compiler) byCount(t *frame.Table, counts []int, key func(n int) frame.Key, measure string) {
	for _, n := range counts {
		t.Add([]string{fmt.Sprint(n)},
			func(m string) frame.Cell { return ours(-1, c.over(key(n), m, measure)) })
	}
}

// pooled returns a measure of the repetitions of all counts.
func (c compiler) pooled(counts []int, key func(n int) frame.Key, method,
	measure string) (values []float64) {
	for _, n := range counts {
		values = append(values, c.over(key(n), method, measure)...)
	}
	return values
}

// growth is Figure 11.
func (c compiler) growth() {
	t := frame.Table{Name: "figure11",
		Title: "Figure 11 and section 3.2. Seconds by the number of objects",
		Keys:  []string{"objects"}, Groups: []string{gradient, irqp, ourIRQP, recm, mecm},
		Digits: 4, Plain: true,
		Notes: []string{"On one thread of this machine, dissimilarities included. The paper " +
			"prints the seconds of MECM alone, of a program in R."}}
	score := frame.Table{Name: "figure11-ari", Title: "ARI on the same data",
		Keys: []string{"objects"}, Groups: t.Groups, Digits: 3, Long: true}
	key, counts := sized(partGrowth), sizes(c.Plan)
	for _, n := range counts {
		t.Add([]string{fmt.Sprint(n)}, func(m string) frame.Cell {
			paper := -1.0
			if v, printed := paperMedian[n]; printed && m == mecm {
				paper = v
			}
			return ours(paper, c.over(key(n), m, "seconds"))
		})
	}
	c.byCount(&score, counts, key, "ari")
	c.Add(t, score)
	few, many := counts[0], counts[len(counts)-1]
	time := func(n int, m string) float64 { return median(c.over(key(n), m, "seconds")) }
	ari := func(m string) float64 { return frame.Mean(c.pooled(counts, key, m, "ari")).Value }
	grows := func(m string) float64 { return time(many, m) / time(few, m) }
	c.Claim(fmt.Sprintf("Figure 11a: by how much seconds grow from %d to %d objects: gradient, "+
		"row programmes, RECM", few, many), "the gradient much faster than both",
		"%.0f, %.1f, %.1f times", grows(gradient), grows(irqp), grows(recm))
	c.Claim(fmt.Sprintf("Figure 11b: seconds of row programmes over those of RECM at %d objects",
		many), "above 1: RECM is still faster", "%.1f", time(many, irqp)/time(many, recm))
	c.Claim("Mean ARI over these data of row programmes, the same from medoids, RECM", "similar",
		"%.3f, %.3f, %.3f", ari(irqp), ari(ourIRQP), ari(recm))
	c.Claim(fmt.Sprintf("Seconds of MECM over those of row programmes at %d objects", medianUpTo),
		"much slower, as its authors wrote it in R", "%.1f",
		time(medianUpTo, mecm)/time(medianUpTo, irqp))
}
