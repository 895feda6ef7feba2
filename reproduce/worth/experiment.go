// Package worth measures what answers are worth: how well each method that asks groups the rows
// after so many of them. It is an experiment of ours, not of a paper.
package worth

import (
	"context"
	_ "embed" // the remarks
	"fmt"
	"slices"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/all"
	"github.com/kindred-go/kindred/reproduce/catalogue"
	"github.com/kindred-go/kindred/reproduce/frame"
)

//go:embed remarks.md
var remarks string

// condition is who answers.
type condition struct {
	name, title      string
	short            string  // of the title, above a small picture
	errors, unknowns float64 // shares of the answers
}

var conditions = []condition{
	{"right", "all answers are right", "all right", 0, 0},
	{"wrong5", "5 % of the answers are wrong", "5 % wrong", 0.05, 0},
	{"wrong10", "10 % of the answers are wrong", "10 % wrong", 0.1, 0},
	{"unsure10", "10 % of the answers are “don't know”", "10 % “don't know”", 0, 0.1},
}

var sets = []string{
	"iris", "wine", "hepatitis_112", "glass", "column_2C", "column_3C", "ecoli", "ionosphere",
	"dermatology_complete", "breast-cancer",
	"parkinsons", "sonar", "yeast", "segmentation", "pima", "optdigits389", "optdigits_test",
	"letterIJL", "pendigits389", "pendigits_test", "spambase",
	"news20_w100_1136", "news_different3_lsi10", "news_similar3_lsi10",
	"news_different3_lsi10_stripped", "news_similar3_lsi10_stripped",
	"faces-identity", "faces-pose", "faces-expression", "faces-sunglasses",
	"sipu_flame", "sipu_pathbased", "sipu_spiral", "sipu_jain", "sipu_compound", "sipu_r15",
	"sipu_aggregation", "sipu_a1", "sipu_d31",
	"sipu_s1", "sipu_s2", "kevclus_t_n200", "kevclus_t_n2000", "fourclass", "toys2c_like", "9gauss",
	"banking77", "clinc150", "letter",
}

// drawn are sets of many groups that are drawn by laws.
var drawn = []frame.Need{
	{Name: "gauss50", Title: "50 Gaussians", Rows: 2500, Cols: 8, Classes: 50,
		Law: "blobs-unequal"},
	{Name: "gauss100", Title: "100 Gaussians", Rows: 5000, Cols: 16, Classes: 100, Law: "blobs"},
}

// silentPart is the part without answers.
const silentPart = "none"

// Experiment is the worth of an answer.
func Experiment() frame.Experiment {
	e := frame.Experiment{
		Name:  "worth-of-an-answer",
		Title: "The worth of an answer: how well rows are grouped after so many",
		Paper: "An experiment of kindred's own",
		Hours: frame.Hours{Full: 11, Reduced: 1},

		Trials: 10, Reduced: 10, Measures: measures(), Protocol: 3,
		Units: units, Tables: tables, Pictures: pictures, Remarks: remarks,
	}
	var parts []string
	for _, c := range conditions {
		e.Parts = append(e.Parts, frame.Part{Name: c.name, Title: c.title})
		parts = append(parts, c.name)
	}
	e.Parts = append(e.Parts, frame.Part{Name: silentPart, Title: "nobody answers"})
	parts = append(parts, silentPart)
	e.Parts = append(e.Parts, frame.Part{Name: textPart,
		Title: "vectors of texts by three encoders, with answers and without"})
	e.Needs = catalogue.Needs(sets, parts...)
	for i, n := range e.Needs {
		if slices.Contains(textSets, n.Name) {
			e.Needs[i].Text, e.Needs[i].Parts = "text", append(slices.Clone(n.Parts), textPart)
		}
	}
	for _, n := range drawn {
		n.Parts, n.From = parts, "package data/generate"
		e.Needs = append(e.Needs, n)
	}
	return e
}

// The measures beside those of the checkpoints.
const (
	// under the curve of the adjusted Rand index over all rows, over the answers from 0 to 100, by
	// their number
	area100 = "area_100"
	area200 = "area_200" // the same from 0 to 200
	area1   = "area_1"   // the same from 1 to 100
	farea   = "free_area_100"
	askedIn = "asked" // questions asked, at most 200, or 300 where groups are many
	seconds = "seconds"
	fall    = "fall" // from the best checkpoint to that at 200

	// of the first claim that the session is settled: answers before, the index then and later
	settledAfter = "settled_after"
	settledIndex = "settled_index"
	settledLater = "settled_later"
)

// ari and free name the measures of a checkpoint: the adjusted Rand index over all rows, and over
// those that no answer is about. groups names that of the number of groups.
func ari(at int) string    { return fmt.Sprintf("ari_%d", at) }
func free(at int) string   { return fmt.Sprintf("free_%d", at) }
func groups(at int) string { return fmt.Sprintf("groups_%d", at) }

func measures() []string {
	var names []string
	for _, at := range checkpoints {
		names = append(names, ari(at))
	}
	for _, at := range shown {
		names = append(names, free(at))
	}
	for _, at := range counted {
		names = append(names, groups(at))
	}
	names = append(names, area100, area200, area1, farea, askedIn, seconds, fall, settledAfter,
		settledIndex, settledLater, ece(0))
	for _, at := range judged {
		names = append(names, ece(at))
	}
	return append(names, tallyMeasures()...)
}

// values are those of the measures.
func (c curve) values() frame.Values {
	v := frame.Values{area100: area(c.All, 0, 100), area200: area(c.All, 0, 200),
		area1: area(c.All, 1, 100), farea: area(c.Free, 0, 100), askedIn: float64(c.Asked),
		seconds: c.Seconds}
	for i, at := range checkpoints[:len(c.All)] {
		v[ari(at)] = c.All[i]
		if slices.Contains(shown, at) {
			v[free(at)] = c.Free[i]
		}
		if slices.Contains(counted, at) {
			v[groups(at)] = float64(c.Groups[i])
		}
	}
	v[fall] = falls(c.All)
	if c.claim.made {
		v[settledAfter], v[settledIndex], v[settledLater] = float64(c.claim.after), c.claim.index,
			c.claim.later
	}
	c.judgedErrors(v)
	for kind := range kinds {
		c.said[kind].values(v, kind)
	}
	return v
}

// falls returns by how much a curve is lower after 200 answers than at its best before.
func falls(curve []float64) float64 {
	some := curve[:len(upTo(lastFew))]
	return slices.Max(some) - some[len(some)-1]
}

// area is the mean of a curve over the answers between two checkpoints, by trapezoids between those
// that lie there; NaN where the curve is.
func area(curve []float64, from, to int) float64 {
	sum := 0.0
	for i, at := range checkpoints[1:] {
		if before := checkpoints[i]; before >= from && at <= to {
			sum += float64(float64(at-before) * (curve[i] + curve[i+1]) / 2)
		}
	}
	return sum / float64(to-from)
}

// task is a set as questions are asked about it.
type task struct {
	name     string
	title    string
	x        dataset.Matrix
	truth    []int32
	clusters int
}

func newTask(s *frame.Set) task {
	t := task{name: s.Name, title: s.Title}
	t.x, t.truth = ready(s)
	t.clusters = classesOf(t.truth)
	return t
}

// manyGroups is how many groups are many.
const manyGroups = 20

// many reports whether a set has many groups.
func (t task) many() bool { return t.clusters >= manyGroups }

// last returns the last checkpoint.
func (t task) last() int {
	if t.many() {
		return lastMany
	}
	return lastFew
}

// tasks are the sets that a run asks about: those of the list alone where it is reduced.
func tasks(p frame.Plan) []task {
	var out []task
	names, _ := before()
	for _, s := range p.Sets {
		if !p.Reduced || slices.Contains(names, s.Name) {
			out = append(out, newTask(s))
		}
	}
	return out
}

// units are the sessions, and the fits without answers: a piece of work is one of them.
func units(p frame.Plan) []frame.Unit {
	var out []frame.Unit
	if p.Has(textPart) {
		out = textUnits(p)
	}
	for _, t := range tasks(p) {
		if p.Has(silentPart) {
			out = append(out, silentUnits(p, t)...)
		}
		for _, c := range conditions {
			if !p.Has(c.name) {
				continue
			}
			for _, a := range askers() {
				if !a.runs(t, c, p.Reduced) {
					continue
				}
				out = append(out, frame.Unit{
					Key:   frame.Key{Part: c.name, Set: t.name, Setting: a.Name},
					Draws: p.Trials, Methods: []string{a.Name},
					Do: func(ctx context.Context, key frame.Key) ([]frame.Values, error) {
						got, err := a.ask(ctx, t, c, p.Seed, key.Draw)
						if err != nil {
							return nil, fmt.Errorf("%s on %s, %s: %w", a.Name, t.name, c.title, err)
						}
						return []frame.Values{got.values()}, nil
					}})
			}
		}
	}
	return out
}

// ask returns the curve of one session. The noise of the answers is the same for all methods: a
// pair that two of them ask about has the same answer.
func (a asker) ask(ctx context.Context, t task, c condition, seed uint64, draw int) (curve, error) {
	m, err := all.Find(a.Method)
	if err != nil {
		return curve{}, err
	}
	configured, err := m.With(a.values(t.clusters, c.errors,
		frame.Derive(seed, "method", t.name, draw, 1)))
	if err != nil {
		return curve{}, err
	}
	o, err := ask.Noisy(ask.Labels(t.truth), c.errors, c.unknowns,
		frame.Derive(seed, "answers", t.name, draw, 1))
	if err != nil {
		return curve{}, err
	}
	p := method.Problem{Data: t.x, Classes: t.truth, Threads: 1}
	if c.errors > 0 {
		p.Contradictions = link.Keep
	}
	return follow(ctx, configured, p, o, t.last())
}
