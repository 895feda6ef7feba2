package worth

import (
	"context"
	"fmt"
	"math"
	"strconv"

	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/all"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// silent is a method that nobody answers.
type silent struct {
	name, method  string
	values        map[string]string
	knowsClusters bool
	drawn         bool // its result depends on the seed
	most          int  // rows up to which it runs
}

// silents are the methods that kin is set beside where nobody answers: those that find the number
// of clusters, and two that are given it.
var silents = []silent{
	{name: preferred, method: "kin", drawn: true, most: far.full},
	{name: "HDBSCAN*", method: "hdbscan", most: far.full},
	{name: "DBSCAN", method: "dbscan", most: far.full},
	{name: "EK-NNclus", method: "eknnclus", drawn: true, most: plain.full},
	{name: "k-means, k given", method: "kmeans", knowsClusters: true, drawn: true, most: far.full},
	{name: "Ward, k given", method: "agglomerative", values: map[string]string{"linkage": "ward"},
		knowsClusters: true, most: far.full},
}

// silentUnits are the fits of a set.
func silentUnits(p frame.Plan, t task) (out []frame.Unit) {
	most := plain.limit(p.Reduced)
	if t.many() {
		most = far.limit(p.Reduced)
	}
	if t.x.Rows > most {
		return nil
	}
	for _, s := range silents {
		if t.x.Rows > s.most {
			continue
		}
		key := frame.Key{Part: silentPart, Set: t.name, Setting: s.name, Draw: 1}
		draws := 0 // once
		if s.drawn {
			draws = p.Trials
		}
		out = append(out, frame.Unit{
			Key: key, Draws: draws, Methods: []string{s.name},
			Do: func(ctx context.Context, key frame.Key) ([]frame.Values, error) {
				v, err := s.fit(ctx, t, frame.Derive(p.Seed, "method", t.name, key.Draw, 1))
				if err != nil {
					return nil, fmt.Errorf("%s on %s without answers: %w", s.name, t.name, err)
				}
				return []frame.Values{v}, nil
			}})
	}
	return out
}

// fit returns how good what a method finds in a set is.
func (s silent) fit(ctx context.Context, t task, seed uint64) (frame.Values, error) {
	out, err := s.outcome(ctx, t, seed)
	if err != nil {
		return nil, err
	}
	return judge(out, t)
}

// outcome returns what a method finds in a set.
func (s silent) outcome(ctx context.Context, t task, seed uint64) (*method.Outcome, error) {
	m, err := all.Find(s.method)
	if err != nil {
		return nil, err
	}
	values := map[string]string{}
	for name, v := range s.values {
		values[name] = v
	}
	if s.drawn {
		values["seed"] = strconv.FormatUint(seed, 10)
	}
	if s.knowsClusters {
		values["clusters"] = strconv.Itoa(t.clusters)
	}
	configured, err := m.With(values)
	if err != nil {
		return nil, err
	}
	return unanswered(ctx, configured, method.Problem{Data: t.x, Threads: 1})
}

// judge returns how good what was found in a set without answers is.
func judge(out *method.Outcome, t task) (frame.Values, error) {
	index, err := eval.Compare(out.Labels, frame.FromOne(t.truth))
	if err != nil {
		return nil, err
	}
	return frame.Values{ari(0): index.AdjustedRand, groups(0): float64(groupsOf(out))}, nil
}

// unanswered returns what a method finds before its first question, or without any.
func unanswered(ctx context.Context, m *method.Configured, p method.Problem) (*method.Outcome,
	error) {
	if !m.NeedsAnswers {
		return m.Fit(ctx, p)
	}
	session, err := m.Begin(ctx, p)
	if err != nil {
		return nil, err
	}
	return session.Outcome(ctx)
}

// silence is the table of what methods find where nobody answers.
func (r *record) silence() frame.Table {
	t := frame.Table{
		Name:  "no-answers",
		Title: "Zero answers: adjusted Rand index before the first question",
		Keys:  []string{"set", "rows", "classes", "groups of " + preferred}, Digits: 2, Plain: true,
		Long: true,
		Notes: []string{"All with their defaults. k-means and Ward's method are given the number " +
			"of classes, the others find theirs. Rows that a method leaves in no cluster count " +
			"as one more.", tunedNote},
	}
	for _, s := range silents {
		t.Groups = append(t.Groups, s.name)
	}
	for _, s := range r.tasks {
		own := r.of(silentPart, s.name, preferred, groups(0))
		if !own.There() {
			continue
		}
		t.Add([]string{conditions[0].titled(s), fmt.Sprint(s.x.Rows), fmt.Sprint(s.clusters),
			fmt.Sprintf("%.0f", own.Value)}, func(name string) frame.Cell {
			return frame.Cell{Mean: r.of(silentPart, s.name, name, ari(0))}
		})
	}
	if len(t.Rows) > 0 {
		var means []frame.Cell
		n := len(t.Rows)
		for _, s := range silents {
			all := r.silentOn(s.name)
			mean := math.NaN()
			if len(all) == n {
				mean = r.average(silentPart, all, s.name, ari(0))
			}
			means = append(means, printed(mean))
		}
		t.Rows = append(t.Rows, frame.Row{Keys: []string{"mean", "", "", ""}, Cells: means,
			Sum: true})
	}
	return t
}

// silentOn returns the sets on which a method ran where nobody answers.
func (r *record) silentOn(name string) []task {
	return r.where(func(t task) bool { return r.of(silentPart, t.name, name, ari(0)).There() })
}

// silentClaims set kin beside each other method before the first question.
func (r *record) silentClaims() {
	for _, s := range silents[1:] {
		sets := r.silentOn(s.name)
		if len(sets) == 0 {
			continue
		}
		a := r.over(silentPart, sets, preferred, ari(0))
		b := r.over(silentPart, sets, s.name, ari(0))
		d := frame.Against(a, b, tie)
		r.Claim(fmt.Sprintf("%s before the first question beside %s", preferred, s.name), "",
			"better on %d of %d sets, worse on %d; mean index %.3f beside %.3f", d.Won, d.Tasks(),
			d.Lost, frame.Mean(a).Value, frame.Mean(b).Value)
	}
}
