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
		for _, n := range largeSizes {
			list = append(list, largeSweep(p, n))
		}
	}
	return append(list, matrixSweeps(p)...)
}

// partners are Figures 12 to 14, 16 to 18 and 20 to 25, and what sections 4.1 and 4.2 print of
// other methods.
func (c compiler) partners() {
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
	add := func(title, set, method string, of func(measure string) []float64) {
		paper, printed := paperRivals[set][method]
		if !printed {
			paper = unprinted
		}
		keys := []string{title, method}
		others.AddCells(keys, ours(paper.ari, of("ari")), one(paper.most, greatest(of("ari"))))
		vague.AddCells(keys, ours(paper.nonspecificity, of("nonspecificity")))
		seconds.AddCells(keys, ours(paper.seconds, of("seconds")))
		if method == eknnclus {
			n := of("clusters")
			clusters.AddCells([]string{title}, ours(paper.clusters[0], n),
				one(paper.clusters[1], least(n)), one(paper.clusters[2], greatest(n)))
		}
	}
	for _, s := range sweeps(c.Plan) {
		c.partnersOf(s)
		for _, m := range s.beside() {
			add(s.title, s.key.Setting, m,
				func(measure string) []float64 { return c.over(s.key, m, measure) })
		}
	}
	for _, m := range []struct{ part, set string }{{partDigits, "zongker"},
		{partGestures, "gestures"}} {
		if !c.Has(m.part) || c.Set(m.set) != nil {
			continue
		}
		for _, method := range []string{recm, eknnclus} {
			add(catalogue.Need(m.set).Title+" (not here)", m.set, method,
				func(string) []float64 { return nil })
		}
	}
	c.Add(others, vague, seconds, clusters)
}

// sweepMeasures are what the figures of a sweep draw.
var sweepMeasures = []struct {
	name, title string
	digits      int
}{{"ari", "ARI", 3}, {"seconds", "seconds", 3}, {"nonspecificity", "nonspecificity", 4}}

// partnersOf are the three figures of a sweep, as tables: medians over the repetitions with
// quartiles are drawn, means listed here.
func (c compiler) partnersOf(s sweep) {
	for i, m := range sweepMeasures {
		t := frame.Table{Name: fmt.Sprintf("figure%d", s.figures[i]),
			Title: fmt.Sprintf("Figure %d. %s of k-EVCLUS by the number of partners, %s",
				s.figures[i], strings.ToUpper(m.title[:1])+m.title[1:], s.title),
			Keys: []string{"partners"}, Groups: partnerMethods, Digits: m.digits,
			Plain: m.name == "seconds", Long: true}
		c.byCount(&t, s.partners, s.at, m.name)
		c.Add(t)
	}
	c.partnerClaims(s)
}

// partnerClaims compare with what the text states of the figures of a sweep.
func (c compiler) partnerClaims(s sweep) {
	of := func(k int, method, measure string) []float64 { return c.over(s.at(k), method, measure) }
	all := s.partners[len(s.partners)-1]
	enough := 100
	if s.key.Part == partDigits {
		enough = 300
	}
	ari := func(k int, m string) float64 { return median(of(k, m, "ari")) }
	time := func(k int) float64 { return median(of(k, kevclus, "seconds")) }
	var off, off2 float64
	for _, k := range s.partners {
		if k >= enough {
			off = max(off, ari(all, kevclus)-ari(k, kevclus))
			off2 = max(off2, ari(all, ourEvclus)-ari(k, ourEvclus))
		}
	}
	full, paper := fmt.Sprintf("k = %d", all), "as well as with the whole matrix"
	if s.cut {
		paper += ", which a reduced run leaves out"
	}
	c.Claim(fmt.Sprintf("Figure %d: by how much the median ARI for k ≥ %d is below that for "+
		"%s, at most: from random masses, from medoids", s.figures[0], enough, full), paper,
		"%.3f, %.3f", off, off2)
	if s.key.Part == partDigits {
		c.Claim("Figure 20: median ARI for k = 300: from random masses, from medoids",
			"roughly .8", "%.2f, %.2f", ari(300, kevclus), ari(300, ourEvclus))
	}
	if !s.cut {
		c.Claim(fmt.Sprintf("Figure %d: seconds for %s over those for k = 100", s.figures[1], full),
			"a significant gain", "%.1f", time(all)/time(100))
	}
	if s.key.Part == partPartners && s.figures[1] == 13 {
		c.Claim("Figure 13: what k = 10 takes over what k = 20 takes: sweeps, seconds",
			"more: it takes longer to converge", "%.2f, %.2f times",
			mean(of(10, kevclus, "sweeps"))/mean(of(20, kevclus, "sweeps")), time(10)/time(20))
	}
	beside := func(m, measure string) []float64 { return c.over(s.key, m, measure) }
	for _, m := range s.rivals {
		paper := map[string]string{recm: "performs comparably", eknnclus: "less robust"}[m]
		if s.key.Part != partPartners {
			paper = map[string]string{recm: "quite poorly", eknnclus: "significantly less"}[m]
		}
		if m == recm && s.neighbours == 300 {
			paper = "not possible for want of memory"
		}
		ends := func(m string) string {
			return fmt.Sprintf("%.2f–%.2f", least(beside(m, "ari")), greatest(beside(m, "ari")))
		}
		c.Claim(fmt.Sprintf(
			"%s: ARI from least to most of %s, beside k-EVCLUS, and the same from medoids", s.title,
			m), paper, "%s beside %s, %s", ends(m), ends(kevclus), ends(ourEvclus))
	}
	if s.key.Part == partPartners {
		c.Claim(s.title+": seconds of EK-NNclus over those of k-EVCLUS",
			map[int]string{100: "slightly less than 1", 300: "above 1"}[s.neighbours], "%.1f",
			median(beside(eknnclus, "seconds"))/median(beside(kevclus, "seconds")))
	}
	lost := func(m string) string {
		return lostOf(s.partners, func(k int) []float64 { return of(k, m, "stress") },
			func(k int) []float64 { return of(k, ourEvclus, "stress") })
	}
	c.Claim(s.title+": fits of all numbers of partners that are trapped above the least stress: "+
		"from random masses, from medoids", "–", "%s, %s", lost(kevclus), lost(ourEvclus))
}

// lostOf counts the fits by all numbers of partners that are trapped above the least stress, of
// their own and of others.
func lostOf(partners []int, own, others func(k int) []float64) string {
	count, all := 0.0, 0
	for _, k := range partners {
		count += trapped(own(k), min(least(own(k)), least(others(k))))
		all += len(own(k))
	}
	return fmt.Sprintf("%.0f of %d", count, all)
}

// scaling is Figure 19.
func (c compiler) scaling() {
	seconds := frame.Table{Name: "figure19a", Title: "Figure 19a. Seconds by the number of objects",
		Keys: []string{"objects"}, Groups: scalingMethods, Digits: 3, Plain: true}
	ari := frame.Table{Name: "figure19b",
		Title: "Figure 19b. ARI: mean (standard deviation over the data sets)",
		Keys:  []string{"objects"}, Groups: scalingMethods, Digits: 3, Spread: true}
	key, counts := sized(partScaling), scalingSizes
	last := counts[len(counts)-1]
	c.byCount(&seconds, counts, key, "seconds")
	c.byCount(&ari, counts, key, "ari")
	c.Add(seconds, ari)
	at := func(m string) float64 { return median(c.over(key(last), m, "seconds")) }
	spread := func(m string) string {
		all := frame.Mean(c.pooled(counts, key, m, "ari"))
		return fmt.Sprintf("%.3f (%.3f)", all.Value, all.Spread)
	}
	c.Claim(fmt.Sprintf("Figure 19a: seconds over those of k-EVCLUS at %d objects: EK-NNclus, RECM",
		last), "comparable; considerably higher", "%.1f, %.1f", at(eknnclus)/at(kevclus),
		at(recm)/at(kevclus))
	c.Claim("Figure 19b: mean ARI (standard deviation) of k-EVCLUS, the same from medoids, RECM",
		"comparable", "%s, %s, %s", spread(kevclus), spread(ourEvclus), spread(recm))
	c.Claim("Figure 19b: that of EK-NNclus", "higher variability", "%s", spread(eknnclus))
}

// pairs are section 5 and Figures 26 to 28.
func (c compiler) pairs(set *frame.Set) {
	of := func(start, step, measure string) []float64 {
		return c.over(pairKey(start, 0), step, measure)
	}
	counts := frame.Table{Name: "figures27and28",
		Title: "Section 5, Figures 27 and 28. S2 without and with pairs of clusters",
		Keys:  []string{"what"}, Groups: starts, Digits: 1,
		Notes: []string{"The paper has one run, from random masses. The best start is the " +
			"one of least stress without pairs. There are 105 pairs in all."}}
	for _, row := range []struct {
		title         string
		paper         float64
		step, measure string
	}{
		{"ambiguous objects without pairs", paperAmbiguous[0], steps[0], "ambiguous"},
		{"ambiguous objects with pairs, K = 1", paperAmbiguous[1], steps[1], "ambiguous"},
		{"ambiguous objects with pairs, K = 2", -1, steps[2], "ambiguous"},
		{"pairs of mutual nearest clusters, K = 1", paperPairs[0], steps[1], "pairs"},
		{"pairs of mutual 2-nearest clusters, K = 2", paperPairs[1], steps[2], "pairs"},
	} {
		counts.Add([]string{row.title}, func(start string) frame.Cell {
			values, stress := of(start, row.step, row.measure), of(start, steps[0], "stress")
			cell := ours(row.paper, values)
			cell.Best = one(-1, values[slices.Index(stress, least(stress))]).Mean
			return cell
		})
	}
	quality := frame.Table{Name: "figures27and28-quality", Title: "The same fits: ARI and stress",
		Keys: []string{"step", "of"}, Groups: starts, Digits: 4, Long: true}
	seconds := frame.Table{Name: "section5-seconds", Title: "Section 5. Seconds of the steps",
		Keys: []string{"step"}, Groups: starts, Digits: 2, Plain: true}
	for i, step := range steps {
		for _, measure := range []string{"ari", "stress"} {
			quality.Add([]string{step, measure},
				func(start string) frame.Cell { return ours(-1, of(start, step, measure)) })
		}
		paper := -1.0
		if i < len(paperSteps) {
			paper = paperSteps[i]
		}
		seconds.Add([]string{step},
			func(start string) frame.Cell { return ours(paper, of(start, step, "seconds")) })
	}
	alike := frame.Table{Name: "example6",
		Title: "Example 6. Similarities of two clusters that are each other's nearest",
		Keys:  []string{"similarity"}, Groups: similar, Digits: 1,
		Notes: []string{"Clusters have no numbers of their own: ours are the two whose " +
			"similarities are most like those printed, each in order of size."}}
	paper := paperRanks()
	for t := range set.Classes {
		alike.Add([]string{rankName(t)}, func(m string) frame.Cell {
			return one(paper[slices.Index(similar, m)][t],
				c.Of(pairKey("", 1), m, "similarity")[t])
		})
	}
	c.Add(counts, quality, seconds, alike)
	ambiguous := func(start, step int) float64 {
		return median(of(starts[start], steps[step], "ambiguous"))
	}
	c.Claim("Section 5: ambiguous objects of S2 without pairs, and with the four: medians of fits "+
		"from medoids, from random masses", "9 and 139", "%.0f and %.0f, %.0f and %.0f",
		ambiguous(0, 0), ambiguous(0, 1), ambiguous(1, 0), ambiguous(1, 1))
}

// sides compare ways to move a row.
func (c compiler) sides() {
	groups := sideMethods()
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
		c.byCount(&t, sidePartners, sideKey, m.measure)
		c.Add(t)
	}
	var lost []string
	for _, method := range groups {
		stress := func(k int) []float64 { return c.over(sideKey(k), method, "stress") }
		lost = append(lost, lostOf(sidePartners, stress, stress))
	}
	c.Claim("Fits that are trapped above the least stress of their way: "+
		strings.Join(groups, "; "), "–", "%s", strings.Join(lost, ", "))
}
