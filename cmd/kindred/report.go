package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/project/input"
)

// report is what --json writes and what the summary says.
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
	Violated   *eval.LinkReport `json:"violated,omitempty"`
	Notes      []string         `json:"notes,omitempty"`
	*massReport

	label, what, defaults, measure string
	out                            *method.Outcome
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

// newReport gathers what is to be said of an outcome.
func newReport(d *input.Data, p method.Problem, out *method.Outcome,
	m *method.Configured, f *clusterFlags) *report {
	r := &report{
		Version: cli.Version(version), Method: m.Name, Data: d.Name(), Fingerprint: d.Fingerprint(),
		N:        d.N(),
		Clusters: out.Clusters, Seed: f.Seed(), Queries: out.Queries,
		Iterations: out.Iterations, Unit: out.Unit, Super: len(out.Medoids), Stopped: out.Stopped,
		Notes: append(d.Notes(), out.Notes...), Estimate: out.Estimate,
	}
	r.measure = cmp.Or(out.Measure, "inertia")
	r.what, r.defaults, r.out = d.What(), input.Defaults(m.Params(), m.Given), out
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
	if checked, err := eval.CheckLinks(out.Labels, links); err == nil && len(links) > 0 {
		r.Violated = &checked
	}
	if p.Classes != nil {
		var pred, truth []int
		for i, c := range p.Classes {
			if c >= 0 {
				pred, truth = append(pred, out.Labels[i]), append(truth, int(c))
			}
		}
		if s, err := eval.Compare(pred, truth); err == nil {
			r.Scores = &s
		}
		r.label = f.Labels
		if !d.IsMatrix() {
			for _, c := range d.Table.Columns {
				if c.Role == dataset.Label {
					r.label = c.Name
				}
			}
		}
	}
	return r
}

// tell says on stderr what was found.
func (a *app) tell(r *report) {
	a.say("%s: %s, %s", r.Data, words.Count(r.N, "row"), r.what)
	for _, n := range r.Notes {
		a.say("  %s", strings.TrimSuffix(n, "."))
	}
	a.say("  %s, unless flags say otherwise: %s", r.Method, r.defaults)
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
	a.say("%s in %.3g s, seed %d", line, r.FitSeconds, r.Seed)
	if r.out.Detail != nil {
		for _, line := range r.out.Detail.Lines() {
			a.say("  %s", line)
		}
	}
	if r.massReport != nil {
		for _, line := range r.doubts() {
			a.say("%s", line)
		}
	}
	if r.Scores != nil {
		a.say("against %s: adjusted Rand index %.3f, Rand index %.3f, NMI (geometric) %.3f",
			r.label, r.Scores.AdjustedRand, r.Scores.Rand, r.Scores.NMI)
	}
	switch v := r.Violated; {
	case v == nil:
	case v.Violated() > 0:
		a.say("%d of %d must-links and %d of %d cannot-links are violated", v.MustViolated, v.Must,
			v.CannotViolated, v.Cannot)
	case r.Queries == 0 && v.Must+v.Cannot > 1:
		a.say("all %d links are met", v.Must+v.Cannot)
	}
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
