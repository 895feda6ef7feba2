package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/mattn/go-runewidth"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/data/keywords"
	"github.com/kindred-go/kindred/eval/describe"
	"github.com/kindred-go/kindred/internal/safe"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/project"
	"github.com/kindred-go/kindred/project/input"
)

// How many groups are described, when all questions are answered and before; the rest are counted.
const (
	maxGroups     = 20
	maxUnfinished = 5
)

// printGroups writes the groups with a typical row and the traits of each; called returns the name
// of cluster c at c−1, "" for none.
func printGroups(ctx context.Context, a *app, data *input.Data, out *method.Outcome,
	called func(context.Context) ([]string, error), given int) error {
	groups, err := describeGroups(ctx, data, out)
	if err != nil {
		return err
	}
	telling, err := a.keywords(ctx, data, out, maxWords)
	if err != nil {
		return err
	}
	names, err := called(ctx)
	if err != nil {
		return err
	}
	var b strings.Builder
	from := words.Count(out.Queries, "answer")
	if given > 0 {
		from += " and " + words.Count(given, "given link")
	}
	most := maxGroups
	if out.Unfinished {
		most = maxUnfinished
		fmt.Fprintf(&b, "\nUnfinished: %s so far in %s, from %s; many will join as you answer "+
			"on.\n", words.Count(len(groups), "group"), words.Count(len(out.Labels), "row"), from)
	} else {
		fmt.Fprintf(&b, "\n%s in %s, from %s\n", words.Count(len(groups), "group"),
			words.Count(len(out.Labels), "row"), from)
	}
	v := &viewer{data, a.width()}
	var pictures []ask.Picture
	for _, g := range groups[:min(len(groups), most)] {
		size := words.Count(g.Size, "row")
		if p, ok := v.draw(g.Medoid, fmt.Sprintf("%d: %s", g.Cluster, size)); ok {
			pictures = append(pictures, p)
			continue
		}
		name := ""
		if names[g.Cluster-1] != "" {
			name = fmt.Sprintf(" (%s)", safe.Line(names[g.Cluster-1]))
		}
		fmt.Fprintf(&b, "\n  group %d%s: %s; row %s stands for it\n", g.Cluster, name, size,
			words.Short(data.ID(g.Medoid)))
		if data.Ready == nil || data.Opaque() {
			b.WriteString(v.standsFor(g.Medoid))
			writeWords(&b, telling[g.Cluster])
			continue
		}
		if data.Encoded() { // texts beside columns
			b.WriteString(v.standsFor(g.Medoid))
			writeWords(&b, telling[g.Cluster])
		}
		for _, t := range g.Traits {
			name := words.Short(data.Ready.Names[t.Feature])
			fmt.Fprintf(&b, "    %s\n", project.TraitWords(data, t, name, words.Round))
		}
		if len(g.Traits) == 0 && len(groups) > 1 {
			fmt.Fprintf(&b, "    no single feature tells it from the rest\n")
		}
	}
	if len(pictures) > 0 {
		fmt.Fprintf(&b, "\n%s", ask.Beside(pictures, v.width))
	}
	if n := len(groups) - most; n > 0 {
		rest := 0
		for _, g := range groups[most:] {
			rest += g.Size
		}
		fmt.Fprintf(&b, "\n  and %s of %s altogether\n", words.Count(n, "smaller group"),
			words.Count(rest, "row"))
	}
	if out.Credal != nil {
		for _, line := range newMassReport(data, out).doubts() {
			fmt.Fprintf(&b, "\n%s\n", safe.Line(line))
		}
	}
	for _, n := range out.Notes {
		fmt.Fprintf(&b, "\n%s", safe.Line(n))
	}
	if len(out.Notes) > 0 {
		b.WriteByte('\n')
	}
	_, a.lost = fmt.Fprint(a.out, b.String())
	return nil
}

// How many groups are told apart after a fit, and by how many columns.
const (
	maxToldApart = 5
	maxTelling   = 3
)

// tellApart reports in which columns the largest groups differ most from the rest, and the keywords
// of their texts. Nothing is reported where columns mean nothing to a person, and of one group.
func (a *app) tellApart(ctx context.Context, data *input.Data, out *method.Outcome) error {
	if out.Clusters < 2 {
		return nil
	}
	found, err := a.keywords(ctx, data, out, maxTelling)
	if err != nil {
		return err
	}
	groups, err := data.Telling(ctx, out.Counted(), maxTelling)
	if err != nil || groups == nil && found == nil {
		return err
	}
	telling := make([][]string, out.Clusters+1)
	for _, g := range groups {
		for _, t := range g.Traits {
			name := words.Short(data.Ready.Names[t.Feature])
			telling[g.Cluster] = append(telling[g.Cluster],
				project.TraitWords(data, t, name, words.Round))
		}
	}
	for k := 1; k <= min(out.Clusters, maxToldApart); k++ { // the largest come first
		list := strings.Join(telling[k], "; ")
		if typical := typicalWords(found[k]); typical != "" {
			if list != "" {
				list += "; words: "
			}
			list += typical
		}
		if list != "" {
			a.notef("  group %d: %s", k, list)
		}
	}
	if n := out.Clusters - maxToldApart; n > 0 {
		a.notef("  and %s", words.Count(n, "smaller group"))
	}
	return nil
}

// describeGroups describes each cluster that has rows: by features where there are some, else by
// the row of which the partition is most certain, the nearest to the middle among equals.
func describeGroups(ctx context.Context, p *input.Data, out *method.Outcome) ([]describe.Group,
	error) {
	if p.Ready != nil {
		const traits = 3
		if p.Opaque() || p.Table == nil {
			return describe.Groups(ctx, p.Ready.X, out.Counted(), traits)
		}
		groups, err := describe.Groups(ctx, p.Ready.X, out.Counted(), p.Ready.X.Cols)
		for i := range groups {
			g := &groups[i]
			g.Traits = slices.DeleteFunc(g.Traits,
				func(t describe.Trait) bool { return p.OfVector(t.Feature) })
			g.Traits = g.Traits[:min(len(g.Traits), traits)]
		}
		return groups, err
	}
	sure := make([]float32, len(out.Labels))
	if out.Credal != nil {
		for i, v := range out.Credal.Nonspecificities() {
			sure[i] = float32(-v)
		}
	}
	problem := p.Problem()
	typical, err := method.Typical(ctx, problem, out, sure, problem.Threads)
	if err != nil {
		return nil, err
	}
	var groups []describe.Group
	for k, rows := range typical {
		if k > 0 && len(rows) > 0 {
			groups = append(groups, describe.Group{Cluster: k, Size: len(rows),
				Medoid: int(rows[0])})
		}
	}
	return groups, nil
}

// standsFor shows the text or the series of a row in a line.
func (v *viewer) standsFor(row int) string {
	if text, ok := v.data.Text(row); ok {
		return "    " + runewidth.Truncate(safe.Line(text), v.width-4, "…") + "\n"
	}
	if o := v.data.Objects; o.Series != nil {
		s := o.Series[row]
		return "    " + curve(s, slices.Min(s), slices.Max(s)) + "\n"
	}
	return ""
}

// maxWords is how many words are listed for a group of texts.
const maxWords = 6

// typicalWords lists the keywords of a group of texts; "" where there are none.
func typicalWords(found []keywords.Keyword) string {
	list := make([]string, len(found))
	for i, k := range found {
		list[i] = fmt.Sprintf("%s (%.0f %%, elsewhere %.0f %%)", words.Short(k.Term), 100*k.Inside,
			100*k.Outside)
	}
	return strings.Join(list, ", ")
}

// writeWords writes a line with keywords, unless there are none.
func writeWords(b *strings.Builder, found []keywords.Keyword) {
	if list := typicalWords(found); list != "" {
		fmt.Fprintf(b, "    words: %s\n", list)
	}
}

// keywords returns the keywords of each group of texts, and shows how far they are found.
func (a *app) keywords(ctx context.Context, data *input.Data, out *method.Outcome,
	most int) (map[int][]keywords.Keyword, error) {
	return watched(a, func(p input.Progress) (map[int][]keywords.Keyword, error) {
		return data.Keywords(ctx, out.Labels, most, p)
	})
}

// renumbered lists the groups that questions called by another number, as in "1 was 3, 3 was 1".
func renumbered(was []int) string {
	var moved []string
	for k, before := range was {
		if k != before {
			moved = append(moved, fmt.Sprintf("%d was %d", k+1, before+1))
		}
	}
	return strings.Join(moved, ", ")
}
