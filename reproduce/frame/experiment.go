package frame

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/kindred-go/kindred/fault"
)

// Experiment is what a paper did, to be done again.
type Experiment struct {
	Name  string // what it is asked for by
	Title string // one line
	Paper string // authors, title, where and when
	Parts []Part // what can be run by itself, in order
	Needs []Need // data sets

	Trials   int      // repetitions that the paper made
	Reduced  int      // repetitions of a reduced run
	Hours    Hours    // what it takes
	Measures []string // what runs measure, in the order of Run.Values

	// changes whenever the same seed makes other runs than before
	Protocol int
	Units    func(p Plan) []Unit                         // what there is to do
	Tables   func(r *Results)                            // adds tables and claims
	Pictures func(ctx context.Context, r *Results) error // adds pictures; nil: none
	// Markdown: what reproduces, where we differ from the paper, and why
	Remarks string
}

// Hours are about how many hours runs take one thread: reduced ones as measured once, full ones as
// estimated from some of their pieces; 0: not known.
type Hours struct{ Full, Reduced float64 }

// Of returns the hours of a full run or a reduced one.
func (h Hours) Of(reduced bool) float64 {
	if reduced {
		return h.Reduced
	}
	return h.Full
}

// Part is a piece of an experiment.
type Part struct {
	Name  string // what it is asked for by
	Title string // one line
	Bare  bool   // it needs no data set
}

// Config is how much of an experiment to run, and how. The zero value runs what finds its
// data, as the paper did.
type Config struct {
	// repetitions, at most 10 000; 0: as many as the paper made, or as a reduced run makes
	Trials int
	// less of it: fewer repetitions, and without what takes too long; what is run is as in a full
	// run
	Reduced bool
	Seed    uint64 // of all that is drawn; 0 is a seed like any other
	Threads int    // goroutines; 0: one a processor. Only seconds depend on it
	// folder with the data sets, each in the file that its Need names; "": only shipped samples are
	// there
	Datasets string
	Parts    []string // parts to run; nil: all
	// data sets to run, by Need.Name, in the parts that use them unless Parts names others; nil:
	// all
	Sets []string
	// folder for raw runs, taken up again when there are some; "": they are not kept
	Out string

	// Progress, unless nil, is called after every piece of work with how many are done. Calls never
	// overlap.
	Progress func(done, total int)
}

// Plan is what of an experiment is to be run.
type Plan struct {
	Config
	Sets []*Set // those that are there and wanted, in the order of Needs
}

// Has reports whether a part is to be run.
func (p Plan) Has(part string) bool { return len(p.Parts) == 0 || slices.Contains(p.Parts, part) }

// Set returns the data set of a name; nil when it is not there or not wanted.
func (p Plan) Set(name string) *Set {
	for _, s := range p.Sets {
		if s.Name == name {
			return s
		}
	}
	return nil
}

// Run runs the experiment. Data sets that are not there are listed in the report and left out; when
// none is there, or a setting or a file is wrong, it is a [*fault.Input]. When ctx is done it stops
// within a second with ctx's error; what ran until then is kept in Config.Out.
func (e Experiment) Run(ctx context.Context, cfg Config) (*Report, error) {
	if err := e.check(&cfg); err != nil {
		return nil, err
	}
	sets, missing, notes, err := e.Load(ctx, cfg)
	if err != nil {
		return nil, err
	}
	p := Plan{Config: cfg, Sets: sets}
	release, err := Lock(cfg.Out, runsFile,
		"another run is under way that keeps its raw runs there")
	if err != nil {
		return nil, err
	}
	defer release()
	kept, err := openStore(e, cfg, sets)
	if err != nil {
		return nil, err
	}
	pieces := pieces(e.Units(p))
	runs, err := collect(ctx, p, pieces, kept)
	if err != nil {
		return nil, err
	}
	r := &Results{Plan: p, Runs: runs}
	e.Tables(r)
	if e.Pictures != nil {
		r.Fail(e.Pictures(ctx, r))
	}
	return &Report{Experiment: e, Trials: cfg.Trials, Seed: cfg.Seed, Parts: cfg.Parts,
		Sets: cfg.Sets, Missing: missing, Notes: notes, Runs: runs, Resumed: kept.taken,
		Units: len(pieces), Tables: r.Tables, Claims: r.Claims, Pictures: r.Pictures}, r.err
}

// Nothing is the report of an experiment none of whose data sets is there.
func (e Experiment) Nothing(cfg Config, absent *Absent) *Report {
	return &Report{Experiment: e, Trials: cfg.repetitions(e), Seed: cfg.Seed, Parts: cfg.Parts,
		Sets: cfg.Sets, Missing: absent.Needs}
}

// repetitions returns how many are asked for.
func (cfg Config) repetitions(e Experiment) int {
	switch {
	case cfg.Trials > 0:
		return cfg.Trials
	case cfg.Reduced && e.Reduced > 0:
		return e.Reduced
	}
	return e.Trials
}

const mostTrials = 10_000

// check refuses settings that mean nothing, and fills in defaults.
func (e Experiment) check(cfg *Config) error {
	if cfg.Trials < 0 || cfg.Trials > mostTrials {
		return fault.Inputf(fmt.Sprintf("ask for 1 to %d", mostTrials), "%d trials asked for",
			cfg.Trials)
	}
	cfg.Trials = cfg.repetitions(e)
	var parts, sets []string
	for _, p := range e.Parts {
		parts = append(parts, p.Name)
	}
	for _, n := range e.Needs {
		sets = append(sets, n.Name)
	}
	if err := Known(cfg.Parts, parts, "part of this experiment"); err != nil {
		return err
	}
	if err := Known(cfg.Sets, sets, "data set of this experiment"); err != nil {
		return err
	}
	if len(cfg.Parts) == 0 && len(cfg.Sets) > 0 {
		cfg.Parts = e.using(cfg.Sets)
	}
	return nil
}

// using returns the parts that use one of the data sets.
func (e Experiment) using(sets []string) (parts []string) {
	for _, p := range e.Parts {
		if slices.ContainsFunc(e.Needs,
			func(n Need) bool {
				return slices.Contains(sets, n.Name) && slices.Contains(n.Parts, p.Name)
			}) {
			parts = append(parts, p.Name)
		}
	}
	return parts
}

// Known refuses what is given and no name of what there is.
func Known(given, names []string, what string) error {
	for _, g := range given {
		if !slices.Contains(names, g) {
			return fault.Inputf("there is "+strings.Join(names, ", "), "%.60q is no %s", g, what)
		}
	}
	return nil
}
