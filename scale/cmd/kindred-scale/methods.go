package main

import (
	"context"
	"fmt"
	"slices"

	asking "github.com/kindred-go/kindred/ask/cobra"
	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/all"
	"github.com/kindred-go/kindred/method/param"
	"github.com/kindred-go/kindred/scale/cobra"
	scalecompetitive "github.com/kindred-go/kindred/scale/competitive"
	"github.com/kindred-go/kindred/scale/evclus"
	"github.com/kindred-go/kindred/scale/internal/recipe"
	"github.com/kindred-go/kindred/scale/kmeans"
	"github.com/kindred-go/kindred/scale/spectral"
)

// scaled is a method of kindred that works on tables of any size.
type scaled struct {
	name, title string

	// configure declares the parameters, bound to a new configuration, and returns what fits by
	// them once their values are set.
	configure func(set *param.Set) fitting

	also    []string      // flags that mean something to it, beside its parameters
	without []string      // parameters that it declares, and which mean nothing to it here
	instead []param.Param // how parameters of those names are documented here
}

// fitting fits a method.
type fitting func(ctx context.Context, j *job) (*found, error)

// params returns the declarations of the parameters.
func (m *scaled) params() []param.Param {
	var set param.Set
	m.configure(&set)
	params := slices.DeleteFunc(set.Params(),
		func(p param.Param) bool { return slices.Contains(m.without, p.Name) })
	for i, p := range params {
		for _, other := range m.instead {
			if other.Name == p.Name {
				params[i] = other
			}
		}
	}
	return params
}

// takes returns the flags that mean something to the method, but for those that do to all.
func (m *scaled) takes() []string {
	names := slices.Clone(m.also)
	for _, p := range m.params() {
		names = append(names, p.Name)
	}
	return names
}

// found is what a method found: of the report, all that depends on the method.
type found struct {
	report
	asked []link.Link
	name  func(row int) string // of a row that asked names
	model *method.Model        // nil: none
}

// note adds a note to the report.
func (f *found) note(format string, args ...any) {
	f.Notes = append(f.Notes, fmt.Sprintf(format, args...))
}

func methods() []scaled {
	landmarks := []param.Param{{Name: "landmarks", Default: fmt.Sprint(evclus.DefaultLandmarks),
		Help: "rows that are fitted, by which all others are placed"}}
	credal := func(name, title string) scaled {
		return scaled{name: name, title: title, configure: byLandmarks(name),
			also: []string{"metric", "links"}, without: []string{"starts"}, instead: landmarks}
	}
	learnt := func(rule competitive.Rule, title string, also ...string) scaled {
		return scaled{name: rule.String(), title: title, configure: online(rule, len(also) > 0),
			also: append(also, "learners"), without: []string{"prototype-metric", "half-life"}}
	}
	return []scaled{
		{name: "kmeans", title: "k-means: K groups around their means", configure: means},
		{name: "cobra", title: "COBRA: asks about super-instances that stand for all rows, whose " +
			"groups all rows then have", configure: supers,
			also: []string{"oracle", "budget", "answers", "links"}},
		credal("kevclus", "k-EVCLUS: fits landmarks, places every row by them, and finds doubtful "+
			"rows and outliers"),
		credal("evclus", "EVCLUS of landmarks, of which all pairs are compared"),
		{name: "spectral", title: "groups of any shape, by a graph of landmarks: not that of " +
			"kindred cluster, whose graph is of all rows; its groups may differ",
			configure: graph},
		learnt(competitive.OLCVQE, "O-LCVQE: prototypes that learn row by row, from links too",
			"links"),
		learnt(competitive.CRPCL, "C-RPCL: drives rivals away, and so estimates how many clusters "+
			"there are; learns from links", "links"),
		learnt(competitive.RPCL, "RPCL: the same without links"),
		learnt(competitive.FrequencySensitive,
			"FSCL: prototypes that win often are handicapped"),
		learnt(competitive.WinnerTakeAll, "WTA: on-line k-means"),
	}
}

// declareIterations declares how long k-means over all rows goes on: limit has its default.
func declareIterations(set *param.Set, iterations *int, tolerance *float64, limit param.Param) {
	limit.Help = "at most so many iterations, each a pass over all rows"
	method.MaxIterations(set, iterations, limit)
	method.Tolerance(set, tolerance, param.Param{Default: "1e-4",
		Help: "the iterations end where the centres move by less, as a share of the mean " +
			"variance of the columns"})
}

func means(set *param.Set) fitting {
	var cfg kmeans.Config
	method.Clusters(set, &cfg.Clusters)
	declareIterations(set, &cfg.MaxIterations, &cfg.Tolerance, param.Param{Default: "300"})
	method.Seed(set, &cfg.Seed)
	return func(ctx context.Context, j *job) (*found, error) {
		cfg.Out, cfg.Format = j.flags.outputs.folder, j.flags.outputs.parts
		fit, err := kmeans.Fit(ctx, j.on, j.table.source, j.table.survey, cfg)
		if err != nil {
			return nil, err
		}
		f := &found{report: report{Sizes: bySize(fit.Sizes, fit.ClusterOf),
			Objective: &fit.Inertia, Iterations: fit.Iterations, Unit: "iteration",
			Stopped: fit.Stopped.String()}}
		if n := len(f.Sizes); n < cfg.Clusters {
			f.note("only %d of the %d clusters have rows: the data have no more distinct rows", n,
				cfg.Clusters)
		}
		return f, f.means(j, fit.Centers, fit.ClusterOf)
	}
}

// means makes a model of means.
func (f *found) means(j *job, means dataset.Matrix, clusterOf []int) error {
	encoding, err := recipe.Of(j.table.source, j.table.scale)
	f.model = &method.Model{Method: j.method.name, Means: means, ClusterOf: clusterOf,
		Encoding: encoding}
	return err
}

// label makes a model of means, and writes the cluster of each row by it where parts are wanted.
func (f *found) label(ctx context.Context, j *job, means dataset.Matrix, clusterOf []int) error {
	if err := f.means(j, means, clusterOf); err != nil || j.flags.outputs.out == "" {
		return err
	}
	_, err := kmeans.Label(ctx, j.on, j.table.source, j.table.survey, means, clusterOf,
		j.flags.outputs.folder, j.flags.outputs.parts)
	return err
}

// bySize adds up the rows of each cluster from those of its centres; clusters without rows are the
// last, and left out.
func bySize(rows []int64, clusterOf []int) []int64 {
	var sizes []int64
	for i, c := range clusterOf {
		for len(sizes) < c {
			sizes = append(sizes, 0)
		}
		if c > 0 {
			sizes[c-1] += rows[i]
		}
	}
	for len(sizes) > 0 && sizes[len(sizes)-1] == 0 {
		sizes = sizes[:len(sizes)-1]
	}
	return sizes
}

// declareSupers declares how super-instances are made.
func declareSupers(set *param.Set, cfg *cobra.Config) {
	set.Int(&cfg.SuperInstances, param.Param{Name: "super-instances", Min: 1,
		Default: fmt.Sprint(asking.DefaultSuperInstances),
		Help:    "rows that stand for all others; about as many answers are needed"})
	declareIterations(set, &cfg.MaxIterations, &cfg.Tolerance,
		param.Param{Auto: "300 up to 100 000 rows, 10 above"})
	method.Seed(set, &cfg.Seed)
}

func supers(set *param.Set) fitting {
	var cfg cobra.Config
	var policy link.Policy
	declareSupers(set, &cfg)
	method.Contradictions(set, &policy)
	return func(ctx context.Context, j *job) (*found, error) {
		cfg.Scale = j.table.scale
		t, fit, err := cobra.Make(ctx, j.on, j.table.source, j.table.survey, cfg)
		if err != nil {
			return nil, err
		}
		known, err := t.Resolve(ctx, j.on, j.table.source, j.table.survey, j.links, j.ids)
		if err != nil {
			return nil, err
		}
		var g *cobra.Groups
		if j.flags.oracle != "" {
			g, err = t.Answer(ctx, j.flags.budget, known, policy)
		} else {
			g, err = t.Join(known, policy)
		}
		if err != nil {
			return nil, err
		}
		f := &found{asked: g.Asked, name: t.Name,
			report: report{Sizes: bySize(t.Sizes, g.ClusterOf), Super: t.Len(),
				Queries: len(g.Asked), Links: len(known), Stopped: "every question is answered"}}
		f.note("super-instances: inertia %.6g after %s (%s)", fit.Inertia,
			words.Count(fit.Iterations, "iteration"), fit.Stopped)
		if !g.Complete {
			f.Stopped = "questions remain"
			f.note("at least about %d more answers complete the clustering", g.Likely)
		}
		if n := len(g.Unmet); n > 0 {
			f.note("%s cannot be met: each contradicts others, or parts rows of one "+
				"super-instance; more super-instances may help", words.Count(n, "link"))
		}
		return f, f.label(ctx, j, t.Means, g.ClusterOf)
	}
}

// byLandmarks declares the parameters of an evidential method as it declares them itself.
func byLandmarks(name string) func(set *param.Set) fitting {
	return func(set *param.Set) fitting {
		if m, err := all.Find(name); err == nil { // which there is
			m.Configure(set)
		}
		method.Contradictions(set, new(link.Policy))
		return fitLandmarks
	}
}

func fitLandmarks(ctx context.Context, j *job) (*found, error) {
	fit, err := evclus.Fit(ctx, j.on, j.table.source, j.table.survey, evclus.Config{
		Method: j.how, Metric: dissim.Metric(j.flags.Metric), Scale: j.table.scale,
		Threads: j.flags.Threads, Links: j.links, Linked: j.ids})
	if err != nil {
		return nil, err
	}
	out := evclus.Output{Path: j.flags.outputs.folder, Format: j.flags.outputs.parts}
	if len(j.links) > 0 {
		out.Fitted = fit // what links made of their rows shows in them alone
	}
	sum, err := evclus.Place(ctx, j.on, j.table.source, j.table.survey, fit.Model, out)
	if err != nil {
		return nil, err
	}
	f := &found{model: fit.Model,
		report: report{Credal: sum, Nowhere: sum.Nowhere, Objective: &fit.Outcome.Objective,
			Iterations: fit.Outcome.Iterations, Unit: fit.Outcome.Unit,
			Stopped: fit.Outcome.Stopped, Links: len(j.links), Notes: fit.Notes}}
	for _, c := range sum.Clusters {
		f.Sizes = append(f.Sizes, c.Size)
	}
	return f, nil
}

// online declares the parameters of competitive learning by a rule, from links or not.
func online(rule competitive.Rule, links bool) func(set *param.Set) fitting {
	return func(set *param.Set) fitting {
		var cfg scalecompetitive.Config
		cfg.Rule = rule
		method.Clusters(set, &cfg.Clusters)
		set.Int(&cfg.Passes, param.Param{Name: "epochs", Min: 1, Default: "10",
			Help: "passes over the rows"})
		competitive.Declare(set, &cfg.Config, rule)
		method.Seed(set, &cfg.Seed)
		if links {
			method.Contradictions(set, &cfg.Contradictions)
		}
		return func(ctx context.Context, j *job) (*found, error) { return fitOnline(ctx, j, cfg) }
	}
}

func fitOnline(ctx context.Context, j *job, cfg scalecompetitive.Config) (*found, error) {
	cfg.Learners = j.flags.learners
	for _, l := range j.links {
		cfg.Links = append(cfg.Links,
			scalecompetitive.Link{A: j.ids[l.A], B: j.ids[l.B], Kind: l.Kind,
				Confidence: l.Confidence()})
	}
	fit, err := scalecompetitive.Fit(ctx, j.on, j.table.source, j.table.survey, cfg)
	if err != nil {
		return nil, err
	}
	// Rows are counted before they are labelled, as the largest cluster is the first.
	counted, err := kmeans.Label(ctx, within{j.on, "count"}, j.table.source, j.table.survey,
		fit.Prototypes, nil, "", "")
	if err != nil {
		return nil, err
	}
	clusterOf := kmeans.Ranks(counted.Sizes)
	f := &found{report: report{Sizes: bySize(counted.Sizes, clusterOf),
		Objective: &counted.Inertia, Iterations: len(fit.Trace), Unit: "pass",
		Stopped: "all passes are done", Links: len(j.links)}}
	if n := len(fit.Violated); n > 0 {
		f.note("%d of %s violated", n, words.Count(len(j.links), "link"))
	}
	return f, f.label(ctx, j, fit.Prototypes, clusterOf)
}

func graph(set *param.Set) fitting {
	var cfg spectral.Config
	method.Clusters(set, &cfg.Clusters)
	set.Int(&cfg.Landmarks, param.Param{Name: "landmarks", Min: 1, Max: spectral.MostLandmarks,
		Default: "1000", Help: "landmarks of the graph"})
	set.Int(&cfg.Nearest, param.Param{Name: "neighbours", Min: 1, Default: "5",
		Help: "nearest landmarks that each row is a mixture of"})
	set.Float(&cfg.Bandwidth, param.Param{Name: "bandwidth", Above: true, Example: "1",
		Help: "σ of the weights exp(−d²/2σ²) of a row's landmarks",
		Unit: "that of the scaled features",
		Auto: "the mean distance of the rows of a sample from their nearest landmarks"})
	method.Seed(set, &cfg.Seed)
	return func(ctx context.Context, j *job) (*found, error) {
		cfg.Threads = j.flags.Threads
		fit, err := spectral.Fit(ctx, j.on, j.table.source, j.table.survey, cfg)
		if err != nil {
			return nil, err
		}
		n := words.Count(len(fit.Model.Landmarks)/fit.Model.Columns, "landmark")
		f := &found{report: report{Sizes: fit.Sizes, Objective: &fit.Inertia,
			Iterations: fit.Rounds, Unit: "round", Stopped: "all rounds are done",
			by: "by a graph of " + n}}
		f.note("the graph is of %s; that of kindred cluster --method spectral is of all rows, "+
			"and its groups may differ", n)
		if fit.Converged {
			f.Stopped = "no centre moves"
		}
		if j.flags.outputs.out == "" {
			return f, nil
		}
		f.Sizes, err = spectral.Label(ctx, j.on, j.table.source, j.table.survey, fit.Model,
			j.flags.outputs.folder, j.flags.outputs.parts)
		return f, err
	}
}
