package kevclus2016

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kindred-go/kindred/reproduce/catalogue"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// sweeps are the data sets on which the number of partners varies, as far as they ran.
func sweeps(p frame.Plan) []sweep {
	var list []sweep
	if p.Has(partPartners) {
		for _, n := range largeSizes(p) {
			list = append(list, largeSweep(p, n))
		}
	}
	return append(list, matrixSweeps(p)...)
}

// partners are Figures 12 to 14, 16 to 18 and 20 to 25, and what sections 4.1 and 4.2 print of
// other methods.
func (c compiler) partners() (list []frame.Table, claims []frame.Claim) {
	others := frame.Table{Name: "rivals", Title: "Sections 4.1 and 4.2. Other methods",
		Keys: []string{"data set", "method"}, Groups: []string{"ARI", "largest ARI"}, Digits: 2,
		Notes: []string{"The paper fits one data set ten times. Here simulated points are drawn " +
			"anew for each repetition; k-EVCLUS has 100 partners."}}
	vague := frame.Table{Name: "rivals-nonspecificity",
		Title: "Sections 4.1 and 4.2. Nonspecificity of the same fits", Keys: others.Keys,
		Groups: []string{"nonspecificity"}, Digits: 5, Long: true,
		Notes: []string{"The paper prints .01 for the Zongker digits, to two decimals, and " +
			".00621 for the gestures."}}
	seconds := frame.Table{Name: "rivals-seconds",
		Title: "Sections 4.1 and 4.2. Seconds of the same fits", Keys: others.Keys,
		Groups: []string{"seconds"}, Digits: 2, Plain: true,
		Notes: []string{"On one thread of this machine, dissimilarities included; the paper's on " +
			"a MacBook Pro with a 2.5 GHz Core i7."}}
	clusters := frame.Table{Name: "rivals-clusters", Title: "Clusters that EK-NNclus finds",
		Keys: []string{"data set"}, Groups: []string{"mean", "least", "most"}, Digits: 1}
	for _, s := range sweeps(c.Plan) {
		t, more := c.partnersOf(s)
		if len(t) == 0 {
			continue
		}
		list, claims = append(list, t...), append(claims, more...)
		for _, m := range s.beside() {
			paper, printed := paperRivals[s.key.Setting][m]
			if !printed {
				paper = unprinted
			}
			of := func(measure string) []float64 { return c.over(s.key, few(c.Plan), m, measure) }
			others.Rows = append(others.Rows,
				frame.Row{Keys: []string{s.title, m}, Cells: []frame.Cell{
					ours(paper.ari, of("ari")), one(paper.most, greatest(of("ari"))),
				}})
			vague.Rows = append(vague.Rows,
				frame.Row{Keys: []string{s.title, m},
					Cells: []frame.Cell{ours(paper.nonspecificity, of("nonspecificity"))}})
			seconds.Rows = append(seconds.Rows,
				frame.Row{Keys: []string{s.title, m},
					Cells: []frame.Cell{ours(paper.seconds, of("seconds"))}})
			if m == eknnclus {
				n := of("clusters")
				clusters.Rows = append(clusters.Rows,
					frame.Row{Keys: []string{s.title}, Cells: []frame.Cell{
						ours(paper.clusters[0], n), one(paper.clusters[1], least(n)),
						one(paper.clusters[2], greatest(n)),
					}})
			}
		}
	}
	for _, m := range []struct{ part, set string }{{partDigits, "zongker"},
		{partGestures, "gestures"}} {
		if !c.Has(m.part) || c.Set(m.set) != nil {
			continue
		}
		title := catalogue.Need(m.set).Title + " (not here)"
		for _, method := range []string{recm, eknnclus} {
			paper := paperRivals[m.set][method]
			others.Rows = append(others.Rows,
				frame.Row{Keys: []string{title, method},
					Cells: []frame.Cell{ours(paper.ari, nil), ours(paper.most, nil)}})
			vague.Rows = append(vague.Rows,
				frame.Row{Keys: []string{title, method},
					Cells: []frame.Cell{ours(paper.nonspecificity, nil)}})
			seconds.Rows = append(seconds.Rows,
				frame.Row{Keys: []string{title, method},
					Cells: []frame.Cell{ours(paper.seconds, nil)}})
		}
		n := paperRivals[m.set][eknnclus].clusters
		clusters.Rows = append(clusters.Rows,
			frame.Row{Keys: []string{title},
				Cells: []frame.Cell{ours(n[0], nil), ours(n[1], nil), ours(n[2], nil)}})
	}
	return append(list, others, vague, seconds, clusters), claims
}

// sweepMeasures are what the figures of a sweep draw.
var sweepMeasures = []struct {
	name, title string
	digits      int
}{{"ari", "ARI", 3}, {"seconds", "seconds", 3}, {"nonspecificity", "nonspecificity", 4}}

// partnersOf are the three figures of a sweep, as tables: medians over the repetitions with
// quartiles are drawn, means listed here.
func (c compiler) partnersOf(s sweep) (list []frame.Table, claims []frame.Claim) {
	draws := often(c.Plan)
	of := func(k int, method,
		measure string) []float64 {
		return c.over(s.at(k, 0), draws, method, measure)
	}
	all := s.partners[len(s.partners)-1]
	if len(of(all, kevclus, "ari")) == 0 {
		return nil, nil
	}
	for i, m := range sweepMeasures {
		t := frame.Table{Name: fmt.Sprintf("figure%d", s.figures[i]),
			Title: fmt.Sprintf("Figure %d. %s of k-EVCLUS by the number of partners, %s",
				s.figures[i], strings.ToUpper(m.title[:1])+m.title[1:], s.title),
			Keys: []string{"partners"}, Groups: partnerMethods, Digits: m.digits,
			Plain: m.name == "seconds", Long: true}
		for _, k := range s.partners {
			t.Rows = append(t.Rows,
				frame.Row{Keys: []string{fmt.Sprint(k)},
					Cells: []frame.Cell{ours(-1, of(k, kevclus, m.name)),
						ours(-1, of(k, ourEvclus, m.name))}})
		}
		list = append(list, t)
	}
	return list, c.partnerClaims(s, of)
}

// partnerClaims meet what the text says of the figures of a sweep.
func (c compiler) partnerClaims(s sweep,
	of func(k int, method, measure string) []float64) (claims []frame.Claim) {
	all := s.partners[len(s.partners)-1]
	enough := 100
	if s.key.Part == partDigits {
		enough = 300
	}
	var off, off2 float64
	for _, k := range s.partners {
		if k >= enough {
			off = max(off, median(of(all, kevclus, "ari"))-median(of(k, kevclus, "ari")))
			off2 = max(off2, median(of(all, ourEvclus, "ari"))-median(of(k, ourEvclus, "ari")))
		}
	}
	full, says := fmt.Sprintf("k = %d", all), "as well as with the whole matrix"
	if s.cut {
		says += ", which a reduced run leaves out"
	}
	claims = append(claims, frame.Claim{
		Says: fmt.Sprintf("Figure %d: by how much the median ARI for k ≥ %d is below that for "+
			"%s, at most: from random masses, from medoids", s.figures[0], enough, full),
		Paper: says, Mean: fmt.Sprintf("%.3f, %.3f", off, off2),
	})
	if s.key.Part == partDigits {
		claims = append(claims,
			frame.Claim{Says: "Figure 20: median ARI for k = 300: from random masses, from medoids",
				Paper: "roughly .8",
				Mean: fmt.Sprintf("%.2f, %.2f", median(of(300, kevclus, "ari")),
					median(of(300, ourEvclus, "ari")))})
	}
	if !s.cut {
		claims = append(claims, frame.Claim{
			Says: fmt.Sprintf("Figure %d: seconds for %s over those for k = 100", s.figures[1],
				full),
			Paper: "a significant gain",
			Mean: fmt.Sprintf("%.1f",
				median(of(all, kevclus, "seconds"))/median(of(100, kevclus, "seconds"))),
		})
	}
	if s.key.Part == partPartners && s.figures[1] == 13 {
		claims = append(claims,
			frame.Claim{
				Says:  "Figure 13: what k = 10 takes over what k = 20 takes: sweeps, seconds",
				Paper: "more: it takes longer to converge",
				Mean: fmt.Sprintf("%.2f, %.2f times",
					mean(of(10, kevclus, "sweeps"))/mean(of(20, kevclus, "sweeps")),
					median(of(10, kevclus, "seconds"))/median(of(20, kevclus, "seconds")))})
	}
	beside := func(m, measure string) []float64 { return c.over(s.key, few(c.Plan), m, measure) }
	for _, m := range s.rivals {
		says := map[string]string{recm: "performs comparably", eknnclus: "less robust"}[m]
		if s.key.Part != partPartners {
			says = map[string]string{recm: "quite poorly", eknnclus: "significantly less"}[m]
		}
		if m == recm && s.neighbours == 300 {
			says = "not possible for want of memory"
		}
		ends := func(m string) string {
			return fmt.Sprintf("%.2f–%.2f", least(beside(m, "ari")), greatest(beside(m, "ari")))
		}
		claims = append(claims,
			frame.Claim{Says: fmt.Sprintf(
				"%s: ARI from least to most of %s, beside k-EVCLUS, and the same from medoids",
				s.title, m), Paper: says,
				Mean: fmt.Sprintf("%s beside %s, %s", ends(m), ends(kevclus), ends(ourEvclus))})
	}
	if s.key.Part == partPartners {
		claims = append(claims,
			frame.Claim{Says: fmt.Sprintf("%s: seconds of EK-NNclus over those of k-EVCLUS",
				s.title), Paper: map[int]string{100: "slightly less than 1",
				300: "above 1"}[s.neighbours],
				Mean: fmt.Sprintf("%.1f",
					median(beside(eknnclus, "seconds"))/median(beside(kevclus, "seconds")))})
	}
	lost := func(m string) string {
		count, all := 0.0, 0
		for _, k := range s.partners {
			stress := of(k, m, "stress")
			count += trapped(stress, min(least(stress), least(of(k, ourEvclus, "stress"))))
			all += len(stress)
		}
		return fmt.Sprintf("%.0f of %d", count, all)
	}
	claims = append(claims, frame.Claim{Says: fmt.Sprintf("%s: fits of all numbers of partners "+
		"that are trapped above the least stress: from random masses, from medoids", s.title),
		Paper: "–", Mean: lost(kevclus) + ", " + lost(ourEvclus)})
	return claims
}

func (c compiler) scalingOf(n int, method, measure string) []float64 {
	return c.over(frame.Key{Part: partScaling, Set: tClusters, Setting: fmt.Sprintf("n = %d", n)},
		few(c.Plan), method, measure)
}

// scaling is Figure 19.
func (c compiler) scaling() ([]frame.Table, []frame.Claim) {
	seconds := frame.Table{Name: "figure19a", Title: "Figure 19a. Seconds by the number of objects",
		Keys: []string{"objects"}, Groups: scalingMethods, Digits: 3, Plain: true}
	ari := frame.Table{Name: "figure19b",
		Title: "Figure 19b. ARI: mean (standard deviation over the data sets)",
		Keys:  []string{"objects"}, Groups: scalingMethods, Digits: 3, Spread: true}
	last := 0
	pooled := map[string][]float64{}
	for _, n := range scalingSizes(c.Plan) {
		if len(c.scalingOf(n, recm, "ari")) == 0 {
			return nil, nil
		}
		last = n
		a, b := frame.Row{Keys: []string{fmt.Sprint(n)}}, frame.Row{Keys: []string{fmt.Sprint(n)}}
		for _, m := range scalingMethods {
			a.Cells, b.Cells = append(a.Cells, ours(-1, c.scalingOf(n, m, "seconds"))),
				append(b.Cells, ours(-1, c.scalingOf(n, m, "ari")))
			pooled[m] = append(pooled[m], c.scalingOf(n, m, "ari")...)
		}
		seconds.Rows, ari.Rows = append(seconds.Rows, a), append(ari.Rows, b)
	}
	at := func(m string) float64 { return median(c.scalingOf(last, m, "seconds")) }
	spread := func(m string) string {
		return fmt.Sprintf("%.3f (%.3f)", mean(pooled[m]), frame.Mean(pooled[m]).Spread)
	}
	return []frame.Table{seconds, ari}, []frame.Claim{
		{Says: fmt.Sprintf("Figure 19a: seconds over those of k-EVCLUS at %d objects: EK-NNclus, "+
			"RECM", last), Paper: "comparable; considerably higher",
			Mean: fmt.Sprintf("%.1f, %.1f", at(eknnclus)/at(kevclus), at(recm)/at(kevclus))},
		{Says: "Figure 19b: mean ARI (standard deviation) of k-EVCLUS, the same from medoids, RECM",
			Paper: "comparable",
			Mean:  strings.Join([]string{spread(kevclus), spread(ourEvclus), spread(recm)}, ", ")},
		{Says: "Figure 19b: that of EK-NNclus", Paper: "higher variability",
			Mean: spread(eknnclus)},
	}
}

// pairs are section 5 and Figures 26 to 28.
func (c compiler) pairs(set *frame.Set) ([]frame.Table, []frame.Claim) {
	of := func(start, step, measure string) []float64 {
		return c.over(pairKey(start, 0), few(c.Plan), step, measure)
	}
	if len(of(starts[0], steps[0], "ari")) == 0 {
		return nil, nil
	}
	counts := frame.Table{Name: "figures27and28",
		Title: "Section 5, Figures 27 and 28. S2 without and with pairs of clusters",
		Keys:  []string{"what"}, Groups: starts, Digits: 1,
		Notes: []string{"The paper has one run, from random masses. The best start is the " +
			"one of least stress without pairs. There are 105 pairs in all."}}
	row := func(t *frame.Table, says string, paper float64, step, measure string) {
		line := frame.Row{Keys: []string{says}}
		for _, start := range starts {
			cell, stress := ours(paper, of(start, step, measure)), of(start, steps[0], "stress")
			cell.Best = one(-1, of(start, step, measure)[slices.Index(stress, least(stress))]).Mean
			line.Cells = append(line.Cells, cell)
		}
		t.Rows = append(t.Rows, line)
	}
	row(&counts, "ambiguous objects without pairs", paperAmbiguous[0], steps[0], "ambiguous")
	row(&counts, "ambiguous objects with pairs, K = 1", paperAmbiguous[1], steps[1], "ambiguous")
	row(&counts, "ambiguous objects with pairs, K = 2", -1, steps[2], "ambiguous")
	row(&counts, "pairs of mutual nearest clusters, K = 1", paperPairs[0], steps[1], "pairs")
	row(&counts, "pairs of mutual 2-nearest clusters, K = 2", paperPairs[1], steps[2], "pairs")
	quality := frame.Table{Name: "figures27and28-quality", Title: "The same fits: ARI and stress",
		Keys: []string{"step", "of"}, Groups: starts, Digits: 4, Long: true}
	seconds := frame.Table{Name: "section5-seconds", Title: "Section 5. Seconds of the steps",
		Keys: []string{"step"}, Groups: starts, Digits: 2, Plain: true}
	for i, step := range steps {
		for _, measure := range []string{"ari", "stress"} {
			line := frame.Row{Keys: []string{step, measure}}
			for _, start := range starts {
				line.Cells = append(line.Cells, ours(-1, of(start, step, measure)))
			}
			quality.Rows = append(quality.Rows, line)
		}
		paper := -1.0
		if i < len(paperSteps) {
			paper = paperSteps[i]
		}
		line := frame.Row{Keys: []string{step}}
		for _, start := range starts {
			line.Cells = append(line.Cells, ours(paper, of(start, step, "seconds")))
		}
		seconds.Rows = append(seconds.Rows, line)
	}
	alike := frame.Table{Name: "example6",
		Title: "Example 6. Similarities of two clusters that are each other's nearest",
		Keys:  []string{"similarity"}, Groups: similar, Digits: 1,
		Notes: []string{"Clusters have no numbers of their own: ours are the two whose " +
			"similarities are most like those printed, each in order of size."}}
	paper := paperRanks()
	for t := range set.Classes {
		line := frame.Row{Keys: []string{rankName(t)}}
		for i, m := range similar {
			line.Cells = append(line.Cells,
				one(paper[i][t], c.runs.Of(pairKey("", 1), m, "similarity")[t]))
		}
		alike.Rows = append(alike.Rows, line)
	}
	return []frame.Table{counts, quality, seconds, alike}, []frame.Claim{
		{Says: "Section 5: ambiguous objects of S2 without pairs, and with the four: medians of " +
			"fits from medoids, from random masses", Paper: "9 and 139",
			Mean: fmt.Sprintf("%.0f and %.0f, %.0f and %.0f",
				median(of(starts[0], steps[0], "ambiguous")),
				median(of(starts[0], steps[1], "ambiguous")),
				median(of(starts[1], steps[0], "ambiguous")),
				median(of(starts[1], steps[1], "ambiguous")))},
	}
}

// sides compare ways to move a row.
func (c compiler) sides() ([]frame.Table, []frame.Claim) {
	groups := sideMethods()
	of := func(k int, method, measure string) []float64 {
		return c.over(sideKey(k, 0), few(c.Plan), method, measure)
	}
	if len(of(sidePartners[0], sides[0], "ari")) == 0 {
		return nil, nil
	}
	var list []frame.Table
	for _, m := range []struct {
		measure, title string
		digits         int
	}{{"stress", "stress (equation 22) at the end", 4}, {"ari", "ARI", 3}, {"sweeps", "sweeps", 1},
		{"rises", "sweeps that raised the stress", 1}} {
		t := frame.Table{Name: "sides-" + m.measure,
			Title: fmt.Sprintf("Not in the paper. Rows moved by their own partners alone, or by "+
				"both sides: %s, %d simulated points", m.title, sideObjects),
			Keys: []string{"partners"}, Groups: groups, Digits: m.digits,
			Long: m.measure == "sweeps"}
		if m.measure == "rises" {
			t.Groups = sides
		}
		for _, k := range sidePartners {
			line := frame.Row{Keys: []string{fmt.Sprint(k)}}
			for _, method := range t.Groups {
				line.Cells = append(line.Cells, ours(-1, of(k, method, m.measure)))
			}
			t.Rows = append(t.Rows, line)
		}
		list = append(list, t)
	}
	var lost []string
	for _, method := range groups {
		count, all := 0.0, 0
		for _, k := range sidePartners {
			stress := of(k, method, "stress")
			count += trapped(stress, least(stress))
			all += len(stress)
		}
		lost = append(lost, fmt.Sprintf("%.0f of %d", count, all))
	}
	return list, []frame.Claim{{
		Says: "Fits that are trapped above the least stress of their way: " +
			strings.Join(groups, "; "),
		Paper: "–", Mean: strings.Join(lost, ", ")}}
}
