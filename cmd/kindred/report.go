package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/project/input"
)

// report is what --json writes and the summary is made of.
type report struct {
	Version     string `json:"version"`
	Method      string `json:"method"`
	Data        string `json:"data"`
	Fingerprint string `json:"fingerprint"`
	N           int    `json:"n"`
	Features    int    `json:"features"`
	Duplicates  int    `json:"duplicates"`
	Dropped     int    `json:"dropped"`
	Clusters    int    `json:"clusters"`
	Estimate    int    `json:"estimated_clusters,omitempty"`
	Sizes       []int  `json:"sizes"`
	// rows in no cluster, which have the label 0
	Nowhere    int              `json:"nowhere,omitempty"`
	Seed       uint64           `json:"seed"`
	Seconds    float64          `json:"seconds"`     // of the whole command
	FitSeconds float64          `json:"fit_seconds"` // of the method alone
	Queries    int              `json:"queries"`
	Links      int              `json:"links"` // given and asked
	Objective  *float64         `json:"objective,omitempty"`
	Iterations int              `json:"iterations,omitempty"`
	Unit       string           `json:"unit,omitempty"` // of iterations
	Super      int              `json:"super_instances,omitempty"`
	Stopped    string           `json:"stopped"`
	Scores     *eval.Report     `json:"scores,omitempty"`
	ClassOf    []string         `json:"known_classes,omitempty"` // of clusters; see knownClasses
	Violated   *eval.LinkReport `json:"violated,omitempty"`
	Choice     *method.Choice   `json:"choice,omitempty"` // among several numbers of clusters
	Notes      []string         `json:"notes,omitempty"`
	// where there is no --out: an object a row, as in a file .jsonl
	Labels json.RawMessage `json:"labels,omitempty"`
	*massReport

	label, defaults, measure string
	withClass, known         int // rows with a class, and of them those whose class the method knew
	out                      *method.Outcome
	nowhere                  []string // known classes that no cluster is
}

// MarshalJSON adds the figures that the method reports besides.
func (r *report) MarshalJSON() ([]byte, error) {
	type plain report
	text, err := json.Marshal((*plain)(r))
	if err != nil || r.out.Detail == nil {
		return text, err
	}
	more, err := json.Marshal(r.out.Detail.Figures())
	if err != nil || len(more) < 3 { // {} adds nothing
		return text, err
	}
	return append(append(text[:len(text)-1], ','), more[1:]...), nil
}

// newReport returns the report on an outcome. Known has the class of each row that is known before,
// as [input.Recipe.Classed] returns it.
func newReport(d *input.Data, p method.Problem, known []int32, out *method.Outcome,
	m *method.Configured, f *clusterFlags) *report {
	r := &report{
		Version: cli.Version(version), Method: m.Name, Data: d.Name(), Fingerprint: d.Fingerprint(),
		N:        d.N(),
		Clusters: out.Clusters, Seed: f.Seed(), Queries: out.Queries,
		Iterations: out.Iterations, Unit: out.Unit, Super: len(out.Medoids), Stopped: out.Stopped,
		Estimate: out.Estimate, Choice: out.Choice,
	}
	r.measure = cmp.Or(out.Measure, "inertia")
	r.defaults, r.out = input.Defaults(m.Params(), func(name string) bool {
		return m.Given(name) || name == "choose" && out.Choice == nil
	}), out
	if d.Ready != nil {
		r.Features, r.Duplicates, r.Dropped = d.Ready.X.Cols, d.Ready.Duplicates, d.Ready.Dropped
	}
	if d.Ready == nil {
		r.Dropped = d.Read() - d.N()
	}
	if out.Iterations > 0 || out.Detail != nil {
		r.Objective = &out.Objective
	}
	if out.Credal != nil {
		r.massReport = newMassReport(d, out)
	}
	r.Sizes = make([]int, out.Clusters)
	for _, l := range out.Labels {
		if l > 0 {
			r.Sizes[l-1]++
		} else {
			r.Nowhere++
		}
	}
	links := append(append([]link.Link(nil), p.Links...), out.Asked...)
	r.Links = len(links)
	r.Violated = checkedLinks(out.Labels, links)
	if known != nil {
		r.ClassOf = knownClasses(d, known, out)
		r.nowhere = classesNowhere(d, known, r.ClassOf)
	}
	if p.Classes != nil {
		var pred, truth []int
		for i, c := range p.Classes {
			if c >= 0 {
				pred, truth = append(pred, out.Labels[i]), append(truth, int(c))
				if m.Learns() && known != nil && known[i] >= 0 {
					r.known++
				}
			}
		}
		r.withClass = len(pred)
		if s, err := eval.Compare(pred, truth); err == nil {
			r.Scores = &s
		}
		r.label = cmp.Or(d.Label(), f.Labels)
	}
	return r
}

// listNotes writes notes to stderr, indented.
func (a *app) listNotes(notes []string) {
	for _, n := range notes {
		a.notef("  %s", strings.TrimSuffix(n, "."))
	}
}

// knownClasses returns of each cluster the name of its class, as [method.Outcome.ClassOf] finds it;
// "" where there is none.
func knownClasses(d *input.Data, known []int32, out *method.Outcome) []string {
	of := make([]string, out.Clusters)
	for k, class := range out.ClassOf(known) {
		if class >= 0 {
			of[k] = d.ClassNames[class]
		}
	}
	return of
}

// summarize writes to stderr what was found; what the data are was said before.
func (a *app) summarize(r *report) {
	a.listNotes(r.out.Notes)
	a.notef("  %s, unless flags say otherwise: %s", r.Method, r.defaults)
	line := fmt.Sprintf("%s found %s %s", r.Method, words.Count(r.Clusters, "cluster"),
		sizes(r.Sizes, r.Nowhere))
	if r.Super > 0 {
		line += fmt.Sprintf(" from %s and %s", words.Count(r.Super, "super-instance"),
			words.Count(r.Queries, "answer"))
	}
	more := ""
	if r.out.Detail != nil {
		more = r.out.Detail.Summary(r.out)
	}
	if more != "" {
		line += more
	} else if r.Objective != nil {
		line += fmt.Sprintf(", %s %.6g after %s (%s)", r.measure, *r.Objective,
			words.Count(r.Iterations, r.Unit), r.Stopped)
	}
	a.notef("%s in %.3g s, seed %d", line, r.FitSeconds, r.Seed)
	if r.Choice != nil {
		a.list("  ", r.Choice.Table())
	}
	if r.out.Detail != nil {
		a.list("  ", r.out.Detail.Lines())
	}
	if r.massReport != nil {
		a.list("", r.doubts())
	}
	if r.Scores != nil {
		a.notef("against %s: adjusted Rand index %.3f, Rand index %.3f, NMI (geometric) %.3f%s",
			r.label, r.Scores.AdjustedRand, r.Scores.Rand, r.Scores.NMI, r.judged())
	}
	a.noteLinks(r.Violated, r.Queries)
	if r.ClassOf != nil {
		a.noteClasses(r.ClassOf, r.nowhere)
	}
}

// classesNowhere returns the names of the known classes that no cluster is, by what [knownClasses]
// returns.
func classesNowhere(d *input.Data, known []int32, of []string) (names []string) {
	seen := make([]bool, len(d.ClassNames))
	for _, class := range known {
		if class >= 0 && !seen[class] {
			seen[class] = true
			if name := d.ClassNames[class]; !slices.Contains(of, name) {
				names = append(names, words.Short(name))
			}
		}
	}
	slices.Sort(names)
	return names
}

// noteClasses writes to stderr which group is which known class, "" of those that are none, and
// which classes no group is.
func (a *app) noteClasses(of, nowhere []string) {
	var named []string
	for k, name := range of {
		if name != "" {
			named = append(named, fmt.Sprintf("group %d is class %s", k+1, words.Short(name)))
		}
	}
	if named == nil {
		a.notef("no group has a row whose class is known")
	} else {
		a.notef("by their known rows, %s", words.UpTo(named, 20))
	}
	if named != nil && nowhere != nil {
		a.notef("in no group most known rows are of class %s", words.UpTo(nowhere, 20))
	}
}

// noteUnclassed writes to stderr how many rows have no class, of data whose true classes answered,
// and what became of questions about them. People may have answered some before.
func (a *app) noteUnclassed(d *input.Data, out *method.Outcome) {
	n := d.Unclassed()
	if n == 0 {
		return
	}
	lost, told := 0, 0
	for _, l := range out.Asked {
		switch {
		case d.Classes[l.A] >= 0 && d.Classes[l.B] >= 0:
		case l.Kind == link.Unknown:
			lost++
		default:
			told++
		}
	}
	have, them := "have", "them"
	if n == 1 {
		have, them = "has", "it"
	}
	said := "nothing was asked about " + them
	switch {
	case lost > 0:
		said = words.Count(lost, "answer") + " \"don't know\" about " + them
	case told > 0:
		said = "people alone answered about " + them
	}
	a.notef("%s %s no class: %s", words.Count(n, "row"), have, said)
}

// judged returns the end of the sentence on scores: how many rows they are over, where some have no
// class or the method knew the classes of some; else "".
func (r *report) judged() string {
	if r.withClass == len(r.out.Labels) && r.known == 0 {
		return ""
	}
	over := ", over " + words.Count(r.withClass, "row")
	switch {
	case r.known == 0:
		return over + " with a class"
	case r.known == r.withClass:
		return over + " whose classes the method knew"
	}
	return fmt.Sprintf("%s, of which it knew the classes of %d", over, r.known)
}

// noteLinks writes to stderr how many links, given and asked, the groups violate; nil: there are
// none.
func (a *app) noteLinks(v *eval.LinkReport, asked int) {
	switch {
	case v == nil:
	case v.Violated() > 0:
		a.notef("%d of %d must-links and %d of %d cannot-links are violated", v.MustViolated,
			v.Must, v.CannotViolated, v.Cannot)
	case asked == 0 && v.Must+v.Cannot > 1:
		a.notef("all %d links are met", v.Must+v.Cannot)
	}
}

// uncounted counts the links that an outcome violates; nil where a note of it does, as those of
// methods that choose questions do, and where there are none.
func uncounted(out *method.Outcome, links []link.Link) *eval.LinkReport {
	if out.CountsUnmet() {
		return nil
	}
	return checkedLinks(out.Labels, links)
}

// checkedLinks counts the links that labels violate; nil where there are none.
func checkedLinks(labels []int, links []link.Link) *eval.LinkReport {
	if len(links) == 0 {
		return nil
	}
	checked, err := eval.CheckLinks(labels, links)
	if err != nil {
		return nil
	}
	return &checked
}

// sizes lists how large clusters are, in brackets, and how many rows are in none.
func sizes(n []int, nowhere int) string {
	const most = 8
	empty := 0
	for ; len(n) > 1 && n[len(n)-1] == 0; n = n[:len(n)-1] {
		empty++
	}
	if len(n) == 0 {
		return fmt.Sprintf("(all %s in none)", words.Count(nowhere, "row"))
	}
	var b strings.Builder
	for i, size := range n[:min(len(n), most)] {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprint(&b, size)
	}
	noun := " rows"
	if len(n) == 1 && n[0] == 1 {
		noun = " row"
	}
	if len(n) > most {
		noun += fmt.Sprintf(", and %d smaller", len(n)-most)
	}
	if empty > 0 {
		noun += fmt.Sprintf(", and %d empty", empty)
	}
	if nowhere > 0 {
		noun += fmt.Sprintf(", and %d in none", nowhere)
	}
	return "(" + b.String() + noun + ")"
}

// mostListed is how many doubtful rows and outliers are named.
const mostListed = 10

// massReport is the part of a report about masses.
type massReport struct {
	Nonspecificity float64    `json:"nonspecificity"` // N*, in [0, 1]
	Focal          int        `json:"focal_sets"`
	Metric         string     `json:"metric,omitempty"`
	Ambiguous      int        `json:"ambiguous"`         // rows that may belong to several clusters
	Doubtful       []doubtful `json:"doubtful"`          // the ten most ambiguous
	Weak           int        `json:"weak,omitempty"`    // rows of one cluster, mostly ignorance
	Weakest        []doubtful `json:"weakest,omitempty"` // the ten of most ignorance
	Outliers       int        `json:"outliers"`
	Outlying       []string   `json:"outlying"` // ids of the first ten

	clusters int // how many there are
}

// doubtful is a row that may belong to several clusters, or is a weak member of one.
type doubtful struct {
	ID             string  `json:"id"`
	Clusters       []int   `json:"clusters"`
	Nonspecificity float64 `json:"nonspecificity"` // in bits
}

func newMassReport(d *input.Data, out *method.Outcome) *massReport {
	p := out.Credal
	r := &massReport{
		Nonspecificity: p.Nonspecificity(), Focal: len(p.Focal), Metric: string(d.Objects.Metric),
		Doubtful: []doubtful{}, Outlying: []string{},
		clusters: p.Clusters,
	}
	if method.Fuzzy(p) {
		r.fuzzy(d, p)
		return r
	}
	rough := p.Rough()
	var unsure, weak []int
	for i, outlier := range rough.Outlier {
		switch {
		case out.LeftOut(i):
		case outlier:
			if r.Outliers++; r.Outliers <= mostListed {
				r.Outlying = append(r.Outlying, d.ID(i))
			}
		case rough.Ambiguous(i):
			unsure = append(unsure, i)
		case rough.Weak(i):
			weak = append(weak, i)
		}
	}
	r.Ambiguous, r.Weak = len(unsure), len(weak)
	if len(unsure)+len(weak) == 0 {
		return r
	}
	doubt := p.Nonspecificities()
	most := func(rows []int) (named []doubtful) {
		slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(doubt[b], doubt[a]) })
		for _, i := range rows[:min(mostListed, len(rows))] {
			named = append(named, doubtful{d.ID(i), rough.May(i).Clusters(), doubt[i]})
		}
		return named
	}
	r.Doubtful, r.Weakest = append(r.Doubtful, most(unsure)...), most(weak)
	return r
}

// fuzzy finds the rows of a fuzzy partition that belong to a second cluster at least half as much
// as to the first.
func (r *massReport) fuzzy(d *input.Data, p *credal.Partition) {
	type row struct {
		at, first, second int
		share             float64 // of the second, beside the first
	}
	var unsure []row
	for i := range p.Len() {
		u := row{at: i, first: -1, second: -1}
		masses := p.Row(i)
		for j, m := range masses {
			switch {
			case u.first < 0 || m > masses[u.first]:
				u.first, u.second = j, u.first
			case u.second < 0 || m > masses[u.second]:
				u.second = j
			}
		}
		if u.second < 0 || masses[u.second] < masses[u.first]/2 {
			continue
		}
		u.share = masses[u.second] / masses[u.first]
		unsure = append(unsure, u)
	}
	r.Ambiguous = len(unsure)
	slices.SortStableFunc(unsure, func(a, b row) int { return cmp.Compare(b.share, a.share) })
	for _, u := range unsure[:min(mostListed, len(unsure))] {
		r.Doubtful = append(r.Doubtful,
			doubtful{ID: d.ID(u.at), Clusters: (p.Focal[u.first] | p.Focal[u.second]).Clusters()})
	}
}

// doubts lists in a line or two the rows between clusters and those near none.
func (c *massReport) doubts() []string {
	lines := []string{"no row is between clusters"}
	if c.Ambiguous > 0 {
		var rows []string
		for _, d := range c.Doubtful {
			rows = append(rows, fmt.Sprintf("row %s: %s", words.Short(d.ID),
				either(d.Clusters, c.clusters)))
		}
		lines[0] = fmt.Sprintf("%s between clusters%s: %s", method.Are(c.Ambiguous, "row"),
			first(c.Ambiguous, "the most doubtful"), strings.Join(rows, "; "))
	}
	if c.Weak > 0 {
		var rows []string
		for _, d := range c.Weakest {
			rows = append(rows, fmt.Sprintf("row %s: %d", words.Short(d.ID), d.Clusters[0]))
		}
		lines = append(lines, fmt.Sprintf("%s in a cluster with a mass of at most a half, the rest "+
			"ignorance (weak members)%s: %s", words.Count(c.Weak, "row"),
			first(c.Weak, "the weakest"), strings.Join(rows, "; ")))
	}
	if c.Outliers > 0 {
		var rows []string
		for _, id := range c.Outlying {
			rows = append(rows, words.Short(id))
		}
		lines = append(lines,
			fmt.Sprintf("%s near no cluster (outliers)%s: row %s", method.Are(c.Outliers, "row"),
				first(c.Outliers, "the first"), strings.Join(rows, ", ")))
	}
	return lines
}

// first returns a clause for a list that is cut; "" for a whole one.
func first(n int, which string) string {
	if n <= mostListed {
		return ""
	}
	return ", " + which + " " + strconv.Itoa(mostListed)
}

// either lists clusters, of so many that there are, as an alternative: "1 or 3", "1, 2 or 3".
func either(clusters []int, all int) string {
	const most = 6
	var names []string
	for _, c := range clusters[:min(most, len(clusters))] {
		names = append(names, strconv.Itoa(c))
	}
	if len(clusters) > most && len(clusters) == all {
		return fmt.Sprintf("any of the %d clusters", all)
	}
	if len(clusters) > most {
		return fmt.Sprintf("one of %d clusters, %s, …", len(clusters), strings.Join(names, ", "))
	}
	return words.List(names, "or")
}
