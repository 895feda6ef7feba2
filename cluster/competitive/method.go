package competitive

import (
	"context"
	"fmt"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/param"
)

const paper = "Covões, Hruschka and Ghosh, IEEE TNNLS 24 (2013)"

// Methods returns the methods of this package, one for each rule.
func Methods() []method.Method {
	return []method.Method{
		learning(WinnerTakeAll, method.Method{
			Title:  "WTA: on-line k-means, the nearest prototype learns each row",
			Source: "Hofmann and Buhmann, IEEE TSMC 28 (1998); " + paper,
		}),
		learning(FrequencySensitive, method.Method{
			Title: "FSCL: on-line k-means in which prototypes that win often are handicapped, so " +
				"that all come to win",
			Source: "Ahalt, Krishnamurthy, Chen and Melton, Neural Networks 3 (1990); " + paper,
		}),
		learning(RPCL, method.Method{
			Title: "RPCL: on-line k-means that drives rivals away, and so estimates how many " +
				"clusters there are",
			Source: "Xu, Krzyżak and Oja, IEEE TNN 4 (1993); " + paper,
		}),
		learning(CRPCL, method.Method{
			Title:  "C-RPCL: RPCL under must-links and cannot-links",
			Source: paper + ", algorithm 2",
		}),
		learning(OLCVQE, method.Method{
			Title:  "O-LCVQE: LCVQE on line, row by row",
			Source: paper + ", algorithm 1",
		}),
	}
}

// settings are the parameters of a method.
type settings struct {
	FitConfig
	prune bool
}

// learning completes the method of a rule.
func learning(rule Rule, m method.Method) method.Method {
	m.Name, m.NeedsClusters, m.Draws, m.Invariant = rule.String(), true, true, method.ToFactor
	m.Links = rule.links()
	m.Configure = func(set *param.Set) method.Steps {
		s := &settings{}
		s.Rule = rule
		method.Clusters(set, &s.Clusters)
		set.Int(&s.Epochs, param.Param{Name: "epochs", Basic: true, Min: 1, Default: "100",
			Help: "passes over the rows"})
		Declare(set, &s.Config, rule)
		if rule.penalises() {
			set.Bool(&s.prune, param.Param{Name: "prune", Default: "false",
				Help: "leave out prototypes that represent next to no rows, so that there are as " +
					"many clusters as are estimated"})
		}
		method.Starts(set, &s.Starts, param.Param{Default: "1", Max: mostStarts})
		method.Seed(set, &s.Seed)
		return method.Steps{Fit: s.fit}
	}
	return m
}

// Declare declares how prototypes start and learn, in a fit or on a stream: the parameters that
// mean something to at least one of the rules, bound to c.
func Declare(set *param.Set, c *Config, rules ...Rule) {
	unlearns, penalises := false, false
	for _, r := range rules {
		unlearns = unlearns || r.penalises() || r == OLCVQE
		penalises = penalises || r.penalises()
	}
	set.Float(&c.Rate.Start, param.Param{Name: "learning-rate", Basic: true, Default: "0.05",
		Above: true, Max: 1, Help: "α, the share of the way to a row that a prototype goes"})
	if unlearns {
		set.FloatFunc(param.Param{Name: "unlearning-rate", Default: "0.002", Max: 1, Below: true,
			Help: "β, the share of the way that a rival is driven away; 0: none",
		}, func(v float64) {
			if c.Rate.Unlearn = v; v == 0 {
				c.Rate.Unlearn = -1
			}
		})
	}
	if penalises {
		param.Enum(set, &c.Rate.Penalty, Controlled, param.Param{Name: "penalty",
			Choices: penalties.Words,
			Help: "how far a rival is driven: bounded by the winner's distance too, or plainly " +
				"as in the paper"})
	}
	param.Enum(set, &c.Rate.Schedule, Constant, param.Param{Name: "rate", Choices: schedules.Words,
		Help: "how α and β fall: not, as one over the rows that a prototype has won, or as a " +
			"power of all rows"})
	if penalises {
		param.Enum(set, &c.Metric, fit.Euclidean, param.Param{Name: "prototype-metric",
			Choices: fit.MetricNames(), Help: "distances that prototypes learn, each its own"})
	}
	param.Enum(set, &c.Init, PlusPlus, param.Param{Name: "init", Choices: inits.Words,
		Help: "where prototypes start: by k-means++, drawn as a fifth of the rows is spread, or " +
			"at distinct rows"})
	set.Float(&c.HalfLife, param.Param{Name: "half-life", Min: 1, Example: "10000",
		Auto: "none: a win counts for good", Unit: "rows",
		Help: "rows after which a win counts half, for data that drift"})
}

func (s *settings) fit(ctx context.Context, p method.Problem) (*method.Outcome, error) {
	if s.Clusters == 0 {
		return nil, method.NeedsClusters(s.Rule.String())
	}
	cfg := s.FitConfig
	cfg.Links, cfg.Contradictions = p.Links, p.Contradictions
	cfg.Threads, cfg.Progress = p.Threads, p.Progress
	r, err := Fit(ctx, p.Data, cfg)
	if err != nil {
		return nil, err
	}
	active := countActive(r.Active)
	notes := method.Clashing(len(r.Clashing), "are kept")
	objective, epochs := r.Objective, len(r.Trace)
	estimates := s.Rule.penalises()
	if away := len(r.Active) - active; estimates && away > 0 {
		verb := "represent"
		if away == 1 {
			verb = "represents"
		}
		notes = append(notes,
			fmt.Sprintf("%d of %d prototypes %s next to no rows: the estimate of the number of "+
				"clusters is %d", away, len(r.Active), verb, active))
		if s.prune && active > 0 {
			if r, err = r.pruned(ctx, p.Data, p.Threads); err != nil {
				return nil, err
			}
			notes = append(notes,
				"their rows go to the nearest of the others; the inertia is that before")
		}
	}
	out := method.ByMeans(r.Labels, r.Prototypes)
	if r.Metric != fit.Euclidean {
		out.Model.Metric, out.Model.Roots = r.Metric.String(), r.Roots
		out.Measure = "inertia in learnt metrics"
	}
	out.Objective, out.Iterations, out.Unit, out.Stopped = objective, epochs, "epoch",
		"all epochs are done"
	out.Unmet = link.Violated(out.Labels, p.Links)
	if len(p.Links) > 0 && !s.Rule.links() {
		notes = append(notes, s.Rule.String()+
			" does not learn from links: they are only counted")
	}
	if estimates {
		out.Estimate = active
	}
	out.Notes = append(notes, method.WithoutRows(out.Clusters, r.Prototypes.Rows)...)
	return out, nil
}

// pruned places all rows by the prototypes that represent some.
func (r *Result) pruned(ctx context.Context, data dataset.Matrix, threads int) (*Result, error) {
	few := &Result{Metric: r.Metric}
	size := len(r.Roots) / len(r.Active)
	var kept []int
	for i, is := range r.Active {
		if is {
			kept = append(kept, i)
			few.Roots = append(few.Roots, r.Roots[i*size:(i+1)*size]...)
		}
	}
	few.Prototypes = r.Prototypes.Subset(kept)
	var err error
	few.Labels, err = few.Predict(ctx, data, threads)
	return few, err
}

// Model returns what places new rows by the prototypes as they are now: cluster j+1 is that of
// prototype j. Rows are prepared by an encoding. It publishes a snapshot.
func (l *Learner) Model(e dataset.Encoding) *method.Model {
	state, snapshot := l.State(), l.Publish()
	m := &method.Model{Method: state.Config.Rule.String(), Means: snapshot.Prototypes, Encoding: e}
	if state.Config.Metric != fit.Euclidean {
		m.Metric = state.Config.Metric.String()
	}
	for j := range snapshot.Prototypes.Rows {
		m.ClusterOf = append(m.ClusterOf, j+1)
	}
	if state.Shapes != nil {
		m.Roots = state.Shapes.Root
	}
	return m
}
