package evclus

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/param"
)

// DefaultPartners is how many partners kevclus draws for each row by default.
const DefaultPartners = 100

// Methods returns the methods of this package.
func Methods() []method.Method {
	methods := []method.Method{
		{
			Name: "evclus",
			Title: "EVCLUS: a credal partition from all dissimilarities, with doubtful objects " +
				"and outliers",
			Source: "Denœux and Masson 2004; Denœux, Sriboonchitta and Kanjanatarakul, " +
				"Knowledge-Based Systems 2016",
			Configure: configure(preset{focal: "simple", asks: true}),
		},
		{
			Name:      "kevclus",
			Title:     "k-EVCLUS: EVCLUS on random partners of each object, for many of them",
			Source:    "Denœux, Sriboonchitta and Kanjanatarakul, Knowledge-Based Systems 2016",
			Configure: configure(preset{focal: "simple", asks: true, partners: DefaultPartners}),
		},
		{
			Name:   "cevclus",
			Title:  "CEVCLUS: EVCLUS under must-links and cannot-links, as first published",
			Source: "Antoine, Quost, Masson and Denœux, Soft Computing 2014",
			Configure: configure(preset{focal: "full", stress: Sammon, optimizer: Gradient,
				constraints: Penalty}),
		},
	}
	for i := range methods {
		m := &methods[i]
		m.NeedsClusters, m.Dissimilarity, m.Masses, m.Links, m.Draws = true, true, true, true, true
		m.Invariant, m.Pictures = method.ToFactor, pictures()
	}
	return methods
}

// configure configures a method.
func configure(standard preset) func(*param.Set) method.Steps {
	return func(set *param.Set) method.Steps {
		s := newSettings(set, standard)
		steps := method.Steps{CheckAsking: s.checkNumber, Focal: s.known, Fit: s.fit}
		if standard.asks {
			steps.CheckAsking, steps.Begin = s.checkAsking, s.begin
		}
		return steps
	}
}

// preset is what a method is by default.
type preset struct {
	focal       string
	asks        bool // it has questions of its own
	partners    int
	stress      Stress
	optimizer   Optimizer
	constraints Constraints
}

// settings are the parameters of a method.
type settings struct {
	Config
	clusters  param.Span
	focal     string // simple, pairs, full or a file
	landmarks int    // rows to fit; 0: all
	modelRows int
	set       *param.Set
}

var (
	transforms  = []string{Exponential: "exp", Linear: "linear", Rank: "rank"}
	stresses    = []string{Conflict: "conflict", Sammon: "sammon"}
	optimizers  = []string{IRQP: "irqp", Gradient: "gradient"}
	constraints = []string{Choose: "choose", Anchor: "anchor", Propagate: "propagate",
		Penalty: "penalty", Soft: "soft"}
)

// newSettings declares the parameters.
func newSettings(set *param.Set, standard preset) *settings {
	s := &settings{focal: standard.focal, set: set}
	s.Partners, s.Stress = standard.partners, standard.stress
	s.Optimizer, s.Constraints = standard.optimizer, standard.constraints
	set.Span(&s.clusters, param.Param{Name: "clusters", Short: "k", Basic: true, Min: 2,
		Max: belief.MaxClusters, Help: "number of clusters", Auto: "none: it must be given",
		Example: "3"})
	partners := param.Param{Name: "partners", Min: 1,
		Help: "random partners that each row is compared with", Auto: "all rows"}
	if standard.partners > 0 {
		partners.Default, partners.Auto = strconv.Itoa(standard.partners), ""
	}
	set.Int(&s.Partners, partners)
	set.Text(param.Param{Name: "d0", Basic: true, Choices: []string{"auto"},
		Values: "a number above 0, quantile:Q with Q above 0 and at most 1, or auto",
		Help:   "dissimilarity from which two rows plausibly belong to different clusters",
		Auto:   "quantile:0.9, or auto for many clusters",
		Unit:   "that of the dissimilarities"}, s.parseD0)
	set.Float(&s.Tail, param.Param{Name: "tail", Above: true, Max: 1, Below: true,
		Default: "0.05", Help: "α: at d0 the conflict called for is 1 − α"})
	param.Enum(set, &s.Transform, Exponential, param.Param{Name: "transform", Choices: transforms,
		Help: "how dissimilarities become conflicts"})
	param.Enum(set, &s.Stress, Conflict, param.Param{Name: "stress", Choices: stresses,
		Default: stresses[standard.stress], Help: "what is minimised"})
	param.Enum(set, &s.Optimizer, IRQP, param.Param{Name: "optimizer", Choices: optimizers,
		Default: optimizers[standard.optimizer],
		Help:    "how: by quadratic programmes row by row, or by gradients"})
	method.Focal(set, &s.focal, param.Param{Default: standard.focal})
	set.Int(&s.Pairs, param.Param{Name: "pairs", Default: "0",
		Help: "then fit again with the pairs of clusters among each other's K most similar"})
	param.Enum(set, &s.Constraints, Choose, param.Param{Name: "constraints", Choices: constraints,
		Default: constraints[standard.constraints], Help: "how links enter"})
	set.Float(&s.LinkWeight, param.Param{Name: "xi", Above: true, Default: "1",
		Help: "ξ, the weight of links"})
	set.Int(&s.landmarks, param.Param{Name: "landmarks", Default: "0", Example: "1000",
		Help: "fit so many rows, drawn at random, and place the others by them; 0: fit all"})
	method.ModelRows(set, &s.modelRows, strconv.Itoa(method.DefaultModelRows))
	method.Starts(set, &s.Starts, param.Param{Default: "1"})
	method.MaxIterations(set, &s.MaxIterations, param.Param{Default: "1000",
		Help: "at most so many sweeps, or gradient steps, per start"})
	method.Tolerance(set, &s.Tolerance, param.Param{Default: "1e-05",
		Help: "a start stops when the stress changes by less than this share of it"})
	method.Seed(set, &s.Seed)
	return s
}

// parseD0 reads a number, quantile:Q, or auto.
func (s *settings) parseD0(text string) error {
	s.D0 = D0{}
	number := func(text string, most float64) (float64, error) {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || !(v > 0 && v <= most) {
			p, _ := s.set.Lookup("d0")
			return 0, p.Invalid(text)
		}
		return v, nil
	}
	var err error
	switch q, isQuantile := strings.CutPrefix(text, "quantile:"); {
	case text == "auto":
		s.D0.Auto = true
	case isQuantile:
		s.D0.Quantile, err = number(q, 1)
	default:
		s.D0.Value, err = number(text, 1e300)
	}
	return err
}

// config returns the configuration for a problem and a number of clusters.
func (s *settings) config(p method.Problem, clusters int) (cfg Config, err error) {
	cfg = s.Config
	cfg.Clusters, cfg.Knowledge, cfg.Options = clusters, p.Knowledge, p.Options(s.Seed)
	cfg.Consume = p.Consume
	cfg.Focal, err = s.sets(p, clusters)
	return cfg, err
}

// known returns the focal sets of a fit as far as they are known before it; nil where they are not.
func (s *settings) known() []belief.Set {
	if s.clusters.From != s.clusters.To || s.Pairs > 0 {
		return nil
	}
	if !slices.Contains([]string{"simple", "pairs", "full"}, s.focal) {
		return nil
	}
	sets, _ := method.Problem{}.FocalSets(s.focal, s.clusters.From)
	return sets
}

// sets returns the focal sets for a number of clusters; nil: the simple ones.
func (s *settings) sets(p method.Problem, clusters int) ([]belief.Set, error) {
	if s.focal == "simple" {
		return nil, nil
	}
	return p.FocalSets(s.focal, clusters)
}

// manyRows is the number of rows above which comparing all pairs after each answer takes seconds.
const manyRows = 20_000

// checkNumber refuses questions about several numbers of clusters.
func (s *settings) checkNumber() error {
	if s.clusters.To > s.clusters.From {
		return fault.Settingf("--clusters is %v: questions are about one number of clusters; "+
			"find it first with kindred cluster", s.clusters)
	}
	return nil
}

// checkAsking refuses values under which the method's own questions cannot be asked.
func (s *settings) checkAsking() error {
	if err := s.checkNumber(); err != nil {
		return err
	}
	switch {
	case s.landmarks > 0:
		return fault.Setting("--landmarks leaves rows out of the fit, and questions need all of " +
			"them; kevclus with few --partners is quick")
	case s.Stress == Sammon || s.Optimizer == Gradient:
		return fault.Setting("questions need fits by row: leave out --stress sammon and " +
			"--optimizer gradient")
	}
	return nil
}

// begin begins to ask.
func (s *settings) begin(ctx context.Context, p method.Problem) (*method.Session, error) {
	src, objects, err := s.compared(p)
	if err != nil {
		return nil, err
	}
	cfg, err := s.config(p, s.clusters.From)
	if err != nil {
		return nil, err
	}
	cfg.Consume = false // questions look at dissimilarities again
	var notes []string
	if n := src.Len(); cfg.Partners == 0 && n > manyRows {
		notes = append(notes,
			fmt.Sprintf("all pairs of %d rows are compared again after each answer: --method "+
				"kevclus is much quicker", n))
	}
	run, err := NewRun(ctx, src, cfg)
	if err == nil {
		err = run.AskOnly(p.Askable)
	}
	if err != nil {
		return nil, err
	}
	return &method.Session{
		Session: run.Session,
		Outcome: func(ctx context.Context) (*method.Outcome, error) {
			return s.soFar(ctx, run, objects)
		},
		Notes: notes,
	}, nil
}

// soFar returns what the answers so far amount to.
func (s *settings) soFar(ctx context.Context, run *Run, o method.Objects) (*method.Outcome, error) {
	r, err := run.Result(ctx)
	if err != nil {
		return nil, err
	}
	asked := run.Answers()
	out, order := s.outcome(r, o, run.Excluded(), IRQP, nil)
	out.Asked, out.Queries, out.Was = asked, len(asked), order
	if len(asked) > 0 && run.Settled() {
		out.Notes = append(out.Notes,
			fmt.Sprintf("The last %d answers changed nothing: more are unlikely to change the "+
				"groups.", SettledAfter))
	}
	return out, nil
}

// compared returns the dissimilarities of a problem, and what they compare.
func (s *settings) compared(p method.Problem) (dissim.Source, method.Objects, error) {
	if s.clusters.From == 0 {
		return nil, method.Objects{}, fault.Inputf(
			"give it with --clusters, or a range to choose from, as in 2..8",
			"an evidential partition needs the number of clusters")
	}
	return p.Compared()
}

// fit fits once, or once for each number of clusters of a range. When ctx ends, the best partition
// so far comes with the error.
func (s *settings) fit(ctx context.Context, p method.Problem) (*method.Outcome, error) {
	src, objects, err := s.compared(p)
	if err != nil {
		return nil, err
	}
	first, last := s.clusters.From, max(s.clusters.From, s.clusters.To)
	tries := last - first + 1
	if tries > 1 {
		if err := s.scannable(p, src.Len(), last); err != nil {
			return nil, err
		}
		p.Consume = false
		if _, isDense := src.(*dissim.Dense); s.Partners == 0 && s.landmarks == 0 && !isDense {
			// once for all numbers of clusters
			if src, err = dissim.NewDense(ctx, src, p.Threads, nil); err != nil {
				return nil, err
			}
		}
	}
	var best *Result
	var chosen ScanStep
	var scan []ScanStep
	report := p.Progress
	for c := first; c <= last && err == nil; c++ {
		p.Progress = fit.Part(report, float64(c-first)/float64(tries),
			float64(c-first+1)/float64(tries))
		var cfg Config
		if cfg, err = s.config(p, c); err != nil {
			return nil, err
		}
		if tries > 1 && s.D0 == (D0{}) {
			cfg.D0.Quantile = usualQuantile // of all numbers, so that they can be compared
		}
		var got *Result
		if s.landmarks > 0 {
			got, err = FitLandmarks(ctx, src, s.landmarks, cfg)
		} else {
			got, err = Fit(ctx, src, cfg)
		}
		if got == nil {
			break
		}
		step := ScanStep{c, got.Stress, got.Credal.Nonspecificity(),
			method.EmptyClusters(got.Credal.Hard(belief.MaxPlausibility), c)}
		scan = append(scan, step)
		if best == nil || step.better(chosen) {
			best, chosen = got, step
		}
	}
	if best == nil || err != nil && ctx.Err() == nil {
		return nil, err
	}
	if tries == 1 {
		scan = nil
	}
	out, _ := s.outcome(best, objects, nil, s.Optimizer, scan)
	out.Unmet = link.Violated(out.Labels, p.Links)
	if s.Stress == Sammon && (s.D0 != D0{} || s.set.Given("tail") || s.Transform != Exponential) {
		out.Notes = append(out.Notes,
			"The Sammon stress takes dissimilarities as they are: d0, the tail and the transform "+
				"have no effect.")
	}
	if len(scan) > 0 {
		what := ""
		if slices.ContainsFunc(scan, func(s ScanStep) bool { return s.Empty > 0 }) &&
			chosen.Empty == 0 {
			what = " among those of which none is empty"
		}
		out.Notef("of %d to %d clusters, %d have the lowest nonspecificity%s, %.4g",
			first, scan[len(scan)-1].Clusters, chosen.Clusters, what, chosen.Nonspecificity)
		if err == nil {
			out.Notes = append(out.Notes, edge(chosen.Clusters, first, last, src.Len()))
		}
	}
	return out, err
}

// scannable refuses numbers of clusters of which the last could not be fitted, before the first is.
func (s *settings) scannable(p method.Problem, n, last int) error {
	if most := min(n, belief.MaxClusters); last > most {
		problem := fmt.Sprintf("cannot be found among %d objects", n)
		if n > most {
			problem = "are too many"
		}
		return fault.Inputf(fmt.Sprintf("let the range end at %d or before", most),
			"%d clusters %s", last, problem)
	}
	_, err := s.sets(p, last)
	return err
}

// outcome returns the outcome of a fit, the largest cluster first, and the order of Renumber.
// Excluded objects, which rise, are in no cluster and place no others.
func (s *settings) outcome(r *Result, o method.Objects, excluded []int, by Optimizer,
	scan []ScanStep) (out *method.Outcome, order []int) {
	order = r.renumber()
	slices.Sort(r.Pairs)
	detail := &Detail{Result: r, Scan: scan}
	out = &method.Outcome{
		Labels: r.Credal.Hard(belief.MaxPlausibility), Clusters: r.Credal.Clusters,
		Credal: r.Credal, Detail: detail, Objective: r.Objective, Iterations: r.Iterations,
		Choice: choice(scan, r.Credal.Clusters),
		Unit:   "sweep", Stopped: "converged", Notes: slices.Clone(r.Notes), Excluded: excluded,
	}
	for _, i := range excluded {
		out.Labels[i] = 0
	}
	if by == Gradient {
		out.Unit = "step"
	}
	if r.Stopped != fit.Converged {
		out.Stopped = "stopped after " + words.Count(r.Iterations, out.Unit)
	}
	if r.Links > 0 && r.Used != Choose {
		detail.Constraints = constraints[r.Used]
		out.Notef("links enter by %s: %s; the fit without them violates %d of %d",
			detail.Constraints, reach[r.Used], r.Violated, r.Links)
	}
	if n := len(excluded); n > 0 {
		out.Notes = append(out.Notes,
			method.Are(n, "row")+" left out as bad data: in no cluster, but in the fit of the "+
				"others")
	}
	if l := s.keep(r, o, excluded); l != nil {
		out.Model = &method.Model{Landmarks: l}
	}
	out.Notes = append(out.Notes, s.advice(out, r)...)
	return out, order
}

// keep returns fitted objects that place new ones; nil where the fit, of the Sammon stress, cannot,
// or no object is left.
func (s *settings) keep(r *Result, o method.Objects, excluded []int) *method.Landmarks {
	n := s.modelRows
	n = cmp.Or(n, method.DefaultModelRows)
	l := &method.Landmarks{Kept: method.Kept{Fitted: r.Credal.Len(),
		Which: r.Landmarks(n, s.Seed)}}
	l.Which = slices.DeleteFunc(l.Which, func(i int32) bool {
		_, out := slices.BinarySearch(excluded, int(i))
		return out
	})
	m, err := r.Model(l.Which)
	if err != nil {
		return nil
	}
	l.By = m
	if !o.None() {
		l.Objects = o.Subset(l.Which)
	}
	return l
}
