package main

import (
	"fmt"
	"strings"

	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/scale/evclus"
)

// report is what --json writes and what the summary shows; names are those of kindred cluster.
type report struct {
	Version     string          `json:"version"`
	Method      string          `json:"method"`
	Data        string          `json:"data"`
	Fingerprint string          `json:"fingerprint"`
	N           int64           `json:"n"`
	Features    int             `json:"features"`
	Dropped     int64           `json:"dropped"`
	Unreadable  int64           `json:"unreadable"`
	Clusters    int             `json:"clusters"`
	Sizes       []int64         `json:"sizes"`
	Nowhere     int64           `json:"nowhere,omitempty"`
	Seed        uint64          `json:"seed"`
	Seconds     float64         `json:"seconds"`
	FitSeconds  float64         `json:"fit_seconds"`
	Queries     int             `json:"queries"`
	Links       int             `json:"links"`
	Objective   *float64        `json:"objective,omitempty"`
	Iterations  int             `json:"iterations,omitempty"`
	Unit        string          `json:"unit,omitempty"`
	Super       int             `json:"super_instances,omitempty"`
	Stopped     string          `json:"stopped"`
	Credal      *evclus.Summary `json:"credal,omitempty"`
	Scores      *eval.Report    `json:"scores,omitempty"`
	Notes       []string        `json:"notes,omitempty"`
	Runner      string          `json:"runner"`
	Splits      int             `json:"splits"`
	// rounds that earlier tries of the same run did
	Resumed int `json:"resumed_rounds"`

	by    string // how a method differs here from that of its name on one machine; ""
	label string // column of true classes
}

// complete adds to a report what does not depend on the method.
func (r *report) complete(j *job) {
	sv := j.table.survey
	r.Version, r.Method, r.Data = cli.Version(version), j.method.name, j.table.name
	r.Fingerprint, r.Features = sv.Fingerprint, len(j.table.source.Columns)
	r.Unreadable, r.Clusters, r.Seed = sv.Tally.Unreadable, len(r.Sizes), j.flags.Seed()
	r.Links += r.Queries
	r.label, r.Notes = j.table.source.Label, append(j.table.notes(), r.Notes...)
	r.Runner, r.Splits, r.Resumed = j.flags.running.options.Runner, len(sv.Splits), j.on.resumed
	// Which rows lack a value is found out as they are read: those that are in no cluster in the
	// end.
	r.Dropped = sv.Rows - total(r.Sizes) - r.Nowhere
	r.N = sv.Rows - r.Dropped
	if r.Dropped > 0 {
		r.Notes = append([]string{words.Count(int(r.Dropped),
			"row") + " left out for missing values"}, r.Notes...)
	}
}

// notes reports what became of rows and columns.
func (t *table) notes() []string {
	var notes []string
	if left := t.source.Left; len(left) > 0 {
		notes = append(notes, "left out: "+words.UpTo(left, 6))
	}
	tally := t.survey.Tally
	if tally.Unreadable > 0 {
		notes = append(notes,
			fmt.Sprintf("%s left out, as they cannot be read: %s",
				words.Count(int(tally.Unreadable), "row"), strings.Join(tally.Samples, " | ")))
	}
	return notes
}

// list writes notes to stderr.
func (a *app) list(notes []string) {
	for _, n := range notes {
		a.logf("  %s", n)
	}
}

// summarize reports on stderr what was found.
func (a *app) summarize(r *report) {
	a.logf("%s: %s of %s in %s, on %s", r.Data, words.Count(int(r.N), "row"),
		words.Count(r.Features, "feature"), words.Count(r.Splits, "split"), r.Runner)
	for _, n := range r.Notes {
		a.logf("  %s", strings.TrimSuffix(n, "."))
	}
	line := r.Method
	if r.by != "" {
		line += " " + r.by
	}
	line += fmt.Sprintf(" found %s %s", words.Count(r.Clusters, "cluster"),
		sizes(r.Sizes, r.Nowhere))
	if r.Super > 0 {
		line += fmt.Sprintf(" from %s and %s", words.Count(r.Super, "super-instance"),
			words.Count(r.Queries, "answer"))
	} else if r.Objective != nil {
		measure := "inertia"
		if r.Credal != nil {
			measure = "stress"
		}
		unit := r.Unit
		if unit == "pass" && r.Iterations != 1 {
			unit = "passe"
		}
		line += fmt.Sprintf(", %s %.6g after %s (%s)", measure, *r.Objective,
			words.Count(r.Iterations, unit), r.Stopped)
	}
	a.logf("%s in %.3g s, seed %d", line, r.FitSeconds, r.Seed)
	if c := r.Credal; c != nil {
		a.logf("%s may belong to several clusters, %s; mean nonspecificity %.3f of 1",
			words.Count(int(c.Ambiguous), "row"), words.Count(int(c.Outliers), "outlier"),
			c.Nonspecificity)
	}
	if s := r.Scores; s != nil {
		a.logf("against %s: adjusted Rand index %.3f, Rand index %.3f, NMI (geometric) %.3f",
			r.label, s.AdjustedRand, s.Rand, s.NMI)
	}
}

// total returns the number of rows of all clusters.
func total(sizes []int64) (rows int64) {
	for _, n := range sizes {
		rows += n
	}
	return rows
}

// sizes lists how large clusters are, in brackets, and how many rows are in none.
func sizes(n []int64, nowhere int64) string {
	const most = 8
	var b strings.Builder
	for i, size := range n[:min(len(n), most)] {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprint(&b, size)
	}
	if len(n) == 1 && n[0] == 1 {
		b.WriteString(" row")
	} else {
		b.WriteString(" rows")
	}
	if len(n) > most {
		fmt.Fprintf(&b, ", and %d smaller", len(n)-most)
	}
	if nowhere > 0 {
		fmt.Fprintf(&b, ", and %d in none", nowhere)
	}
	return "(" + b.String() + ")"
}
