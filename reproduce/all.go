package reproduce

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// Done is one experiment of many: its report, or why there is none.
type Done struct {
	Report *frame.Report
	Err    error
}

// All runs experiments one after the other, those that use a data set that is asked for. cfg is for
// each: with Out it keeps raw runs and reports in a folder of its own there, OUT/NAME; Parts must
// be nil. began is called before each experiment begins, with its number and how many there are;
// Progress of cfg is that of the current one.
//
// An experiment none of whose data sets is there has an empty report, and one that fails does not
// stop the others. All fails for an invalid setting ([*fault.Input]), when another run has the
// folder, and when ctx is done.
func All(ctx context.Context, experiments []frame.Experiment, cfg frame.Config,
	began func(e frame.Experiment, i, of int)) ([]Done, error) {
	chosen, err := choose(experiments, cfg)
	if err != nil {
		return nil, err
	}
	release, err := frame.Lock(cfg.Out, "all", "another run of all experiments is under way there")
	if err != nil {
		return nil, err
	}
	defer release()
	var all []Done
	for i, e := range chosen {
		if began != nil {
			began(e, i, len(chosen))
		}
		r, err := one(ctx, e, cfg)
		if ctx.Err() != nil {
			return all, ctx.Err()
		}
		if err != nil {
			err = fmt.Errorf("%s: %w", e.Name, err)
		}
		all = append(all, Done{r, err})
	}
	return all, nil
}

// one runs an experiment, and saves its report.
func one(ctx context.Context, e frame.Experiment, cfg frame.Config) (*frame.Report, error) {
	own := cfg
	own.Sets = nil
	for _, n := range e.Needs {
		if slices.Contains(cfg.Sets, n.Name) {
			own.Sets = append(own.Sets, n.Name)
		}
	}
	if cfg.Out != "" {
		own.Out = filepath.Join(cfg.Out, e.Name)
	}
	r, err := e.Run(ctx, own)
	if absent, ok := errors.AsType[*frame.Absent](err); ok {
		return e.Nothing(own, absent), nil
	}
	if err != nil || own.Out == "" {
		return r, err
	}
	return r, r.Save(own.Out)
}

// choose leaves out the experiments that use none of the data sets that are asked for.
func choose(experiments []frame.Experiment, cfg frame.Config) ([]frame.Experiment, error) {
	if len(cfg.Parts) > 0 {
		return nil, fault.Inputf("name it in place of all", "parts are those of one experiment")
	}
	if len(cfg.Sets) == 0 {
		return experiments, nil
	}
	var names []string
	var chosen []frame.Experiment
	for _, e := range experiments {
		wanted := false
		for _, n := range e.Needs {
			wanted = wanted || slices.Contains(cfg.Sets, n.Name)
			if !slices.Contains(names, n.Name) {
				names = append(names, n.Name)
			}
		}
		if wanted {
			chosen = append(chosen, e)
		}
	}
	return chosen, frame.Known(cfg.Sets, names, "data set of an experiment")
}

// Missing lists the data sets that were not there, each file once.
func Missing(reports []*frame.Report) []frame.Need {
	var all []frame.Need
	for _, r := range reports {
		for _, n := range r.Missing {
			if !slices.ContainsFunc(all,
				func(m frame.Need) bool { return m.Files() == n.Files() }) {
				all = append(all, n)
			}
		}
	}
	return all
}
