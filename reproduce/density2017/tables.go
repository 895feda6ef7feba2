package density2017

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// compiler makes tables and pictures of runs.
type compiler struct{ *frame.Results }

// mean is the mean of a measure over the draws.
func (c compiler) mean(s source, share float64, name, measure string) frame.Figure {
	return c.Mean(s.key(share), 0, name, measure)
}

// over is the mean over sets and shares, whose spread is that of the draws.
func (c compiler) over(sets []source, of []float64, name, measure string) frame.Figure {
	var values []float64
	for draw := range c.Trials {
		var one []float64
		for _, s := range sets {
			for _, share := range of {
				one = append(one, c.Over(s.key(share), 0, name, measure)[draw])
			}
		}
		values = append(values, frame.Mean(one).Value)
	}
	return frame.Mean(values)
}

// scores returns the mean adjusted Rand index of each set and method.
func (c compiler) scores(sets []source, share float64) [][]float64 {
	var out [][]float64
	for _, s := range sets {
		var row []float64
		for _, m := range methods {
			row = append(row, c.mean(s, share, m.name, "ari").Value)
		}
		out = append(out, row)
	}
	return out
}

// group is sets that are summed up together.
type group struct {
	title string
	sets  []source
}

// groups returns the sets by part, and those of both published parts together.
func (c compiler) groups() (each []group, published group) {
	each = []group{{title: "UCI"}, {title: "shapes"}, {title: "discs"}}
	at := []string{partUCI, partShapes, partDensities}
	for _, s := range sources(c.Plan) {
		g := &each[slices.Index(at, s.part)]
		g.sets = append(g.sets, s)
	}
	published = group{"UCI and shapes", slices.Concat(each[0].sets, each[1].sets)}
	return slices.DeleteFunc(each, func(g group) bool { return len(g.sets) == 0 }), published
}

func tables(r *frame.Results) {
	c := compiler{r}
	each, published := c.groups()
	r.Tables = append(r.Tables, c.means(each))
	if len(published.sets) > 1 {
		r.Tables = append(r.Tables, c.ranks(published), c.tests(published))
	}
	for i, t := range []struct {
		title, measure string
		of             []string
	}{
		{"Adjusted Rand index over the unlabelled rows, set by set", "ari", titles()},
		{"Normalised mutual information over the unlabelled rows, set by set", "nmi", titles()},
		{"Share of noise among the unlabelled rows", "noise", noisy},
		{"Adjusted Rand index over the unlabelled rows that are not noise", "ari_claimed", noisy},
		{"Adjusted Rand index over the unlabelled rows, all noise as one cluster", "ari_joint",
			noisy},
	} {
		r.Tables = append(r.Tables,
			c.bySet(each, fmt.Sprintf("table%d", i+4), t.title, t.measure, t.of))
	}
	c.claims(each, published)
}

// noisy are the methods that leave rows out as noise, by title.
var noisy = []string{titleOf(ours), titleOf("ssdbscan"), titleOf("cdbscan"), titleOf("dbscan")}

const alone = "Each row of noise counts as a cluster of its own."

// means sums sets up.
func (c compiler) means(each []group) frame.Table {
	t := frame.Table{
		Name: "table1", Title: "Mean adjusted Rand index over the unlabelled rows",
		Keys: []string{"sets", "labels"}, Groups: titles(), Digits: 3,
		Notes: []string{alone},
	}
	if c.Trials > 1 {
		t.Notes = append(t.Notes, "Intervals are over the draws of labels.")
	}
	if c.Reduced {
		t.Notes = append(t.Notes,
			fmt.Sprintf("A reduced run leaves out sets of more than %d rows, and every other "+
				"share of labels.", mostReduced))
	}
	for _, g := range each {
		for _, share := range sharesOf(c.Plan) {
			c.addMeans(&t, g, settingOf(share), []float64{share})
		}
		c.addMeans(&t, g, "all", sharesOf(c.Plan))
		t.Rows[len(t.Rows)-1].Sum = true
	}
	return t
}

// addMeans adds the means over a group of sets at some shares.
func (c compiler) addMeans(t *frame.Table, g group, title string, of []float64) {
	t.Add([]string{fmt.Sprintf("%s (%d)", g.title, len(g.sets)), title},
		func(title string) frame.Cell {
			return frame.Cell{Mean: c.over(g.sets, of, titled(title).name, "ari")}
		})
}

// ranks returns mean ranks over sets.
func (c compiler) ranks(g group) frame.Table {
	t := frame.Table{
		Name: "table2", Title: "Mean ranks by the adjusted Rand index over " + g.title, Digits: 3,
		Plain: true,
		Keys:  []string{"labels"}, Groups: append(titles(), "p (Friedman)", "p (aligned ranks)"),
		Notes: []string{fmt.Sprintf("1 is best of %d; ties share their mean rank.", len(methods)),
			"p-values are those of Iman and Davenport's F, and of the χ² of aligned ranks, that " +
				"no method is better than another. One of 0.000 is below 0.0005."},
	}
	for _, share := range sharesOf(c.Plan) {
		scores := c.scores(g.sets, share)
		r, err := eval.Friedman(scores)
		aligned, alsoErr := eval.AlignedRanks(scores)
		if err != nil || alsoErr != nil {
			continue
		}
		row := frame.Row{Keys: []string{settingOf(share)}}
		for _, v := range append(slices.Clone(r.Ranks), r.PDavenport, aligned.PCorrected) {
			row.Cells = append(row.Cells, figure(v))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// figure is a cell with a figure of ours.
func figure(v float64) frame.Cell { return frame.Cell{Mean: frame.Printed(v)} }

// tests compares the method of the paper with each other one.
func (c compiler) tests(g group) frame.Table {
	t := frame.Table{
		Name: "table3", Title: titleOf(ours) + " against each other method over " + g.title,
		Digits: 3, Plain: true, Long: true,
		Keys: []string{"labels", "against", "better on", "worse on"},
		Groups: []string{"difference", "Wilcoxon p", "after Holm", "aligned ranks p",
			"also after Holm"},
		Notes: []string{
			"The difference is that of mean adjusted Rand indices; below 0, " + titleOf(ours) +
				" are worse.",
			"p-values are two-sided; Holm's correction is over the other methods at one share of " +
				"labels. One of 0.000 is below 0.0005.",
		},
	}
	for _, share := range sharesOf(c.Plan) {
		t.Rows = append(t.Rows, c.testRows(g, share)...)
	}
	return t
}

func (c compiler) testRows(g group, share float64) []frame.Row {
	scores := c.scores(g.sets, share)
	aligned, err := eval.AlignedRanks(scores)
	if err != nil {
		return nil
	}
	against, err := aligned.Against(0)
	if err != nil {
		return nil
	}
	var rows []frame.Row
	var p []float64
	for j, other := range methods[1:] {
		var a, b []float64
		difference := 0.0
		for _, row := range scores {
			a, b = append(a, row[0]), append(b, row[j+1])
			difference += (row[0] - row[j+1]) / float64(len(scores))
		}
		d := frame.Against(a, b, 0)
		p = append(p, d.P)
		rows = append(rows, frame.Row{
			Keys: []string{settingOf(share), other.title, fmt.Sprint(d.Won), fmt.Sprint(d.Lost)},
			Cells: []frame.Cell{figure(difference), figure(d.P), {}, figure(against[j].P),
				figure(against[j].Holm)},
		})
	}
	for j, adjusted := range eval.Holm(p) {
		rows[j].Cells[2] = figure(adjusted)
	}
	return rows
}

// bySet shows a measure of the methods of such titles set by set.
func (c compiler) bySet(each []group, name, title, measure string, of []string) frame.Table {
	t := frame.Table{Name: name, Title: title, Keys: []string{"set", "labels"}, Groups: of,
		Digits: 3, Long: true}
	switch measure {
	case "ari", "nmi":
		t.Notes = []string{alone}
	case "ari_claimed":
		t.Notes = []string{"A method that claims few rows is judged by those few. Where all are " +
			"of one class, the index is 1 if they are one cluster, and 0 if not; it is 0 where " +
			"one cluster has rows of several."}
	}
	for _, g := range each {
		for _, s := range g.sets {
			for _, share := range sharesOf(c.Plan) {
				t.Add([]string{s.title, settingOf(share)}, func(title string) frame.Cell {
					return frame.Cell{Mean: c.mean(s, share, titled(title).name, measure)}
				})
			}
		}
	}
	return t
}

// claims counts what a reader wants to know first.
func (c compiler) claims(each []group, published group) {
	const none = "–" // its tables are not at hand
	if len(published.sets) > 0 {
		add := func(what string, is func(row []float64) bool) {
			c.Claim(fmt.Sprintf("sets of %d on which %s %s, at %s labels", len(published.sets),
				titleOf(ours), what, list(sharesOf(c.Plan))), none, "%s", c.count(published, is))
		}
		add("are best", func(row []float64) bool { return slices.Max(row) == row[0] })
		for j, m := range methods[1:] {
			add("are better than "+m.title, func(row []float64) bool { return row[0] > row[j+1] })
		}
	}
	for _, g := range each {
		if i := slices.IndexFunc(g.sets,
			func(s source) bool { return s.name == discsName(10) }); i >= 0 {
			var found []string
			for _, m := range methods {
				found = append(found, fmt.Sprintf("%s %.2f", m.title,
					c.mean(g.sets[i], .05, m.name, "ari").Value))
			}
			c.Claim("adjusted Rand index on discs of a tenfold density ratio, at 5 % labels", none,
				"%s", strings.Join(found, ", "))
		}
	}
}

// count counts sets at each share.
func (c compiler) count(g group, is func(row []float64) bool) string {
	var counts []string
	for _, share := range sharesOf(c.Plan) {
		var sets frame.Share
		for _, row := range c.scores(g.sets, share) {
			sets.Count(is(row))
		}
		counts = append(counts, fmt.Sprint(sets.N))
	}
	return strings.Join(counts, ", ")
}

// list returns shares in words.
func list(shares []float64) string {
	text := make([]string, len(shares))
	for i, share := range shares {
		text[i] = strings.TrimSuffix(settingOf(share), " %")
	}
	return strings.Join(text, ", ") + " %"
}
