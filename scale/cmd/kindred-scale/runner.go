package main

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/scale/engine"
	"github.com/kindred-go/kindred/scale/fold"
)

// running are the flags that choose an engine. Those with underscores are called as in Beam.
type running struct {
	options engine.Options
	beam    []string
}

func (r *running) flags(cmd *cobra.Command) {
	fs, o := cmd.Flags(), &r.options
	fs.StringVar(&o.Runner, "runner", "prism", "engine: "+strings.Join(engine.Runners(), ", "))
	fs.StringVar(&o.Endpoint, "endpoint", "", "host:port of the engine's job server")
	fs.StringVar(&o.EnvironmentType, "environment_type", "",
		"how workers are started: LOOPBACK, PROCESS, DOCKER or EXTERNAL (default LOOPBACK for "+
			"prism, else DOCKER)")
	fs.StringVar(&o.EnvironmentConfig, "environment_config", "", `what that takes: for PROCESS {"command": "/path"}, for DOCKER an image`)
	fs.IntVar(&o.Parallelism, "parallelism", 0, "workers at most (default: the engine's choice)")
	fs.StringVar(&o.Work, "work", "",
		"folder for what each round leaves, which all workers reach by that name: a run that was "+
			"stopped goes on from it")
	fs.IntVar(&o.RoundsPerJob, "rounds-per-job", 0,
		"rounds that are sent to the engine as one job (default 1 for prism, else 8)")
	fs.StringVar(&o.Log, "log", "",
		"say on stderr what Beam says: debug, info, warn or error (default: nothing of it)")
	fs.StringArrayVar(&r.beam, "beam", nil,
		"further option of Beam, NAME=VALUE; may be repeated, or given after --")
}

// ofRunning are those flags.
var ofRunning = []string{"runner", "endpoint", "environment_type", "environment_config",
	"parallelism", "work", "rounds-per-job", "log", "beam"}

// start returns the engine. Close ends it.
func (r *running) start(cmd *cobra.Command, a *app, threads int, args []string) (*engineRunner,
	error) {
	o := r.options
	o.Threads, o.Beam = threads, map[string]string{}
	further := r.beam
	if dash := cmd.ArgsLenAtDash(); dash >= 0 {
		further = append(further[:len(further):len(further)], args[dash:]...)
	}
	for _, option := range further {
		name, value, ok := strings.Cut(strings.TrimLeft(option, "-"), "=")
		if !ok || name == "" {
			return nil, fault.Settingf("the option %q of Beam has no value: give NAME=VALUE",
				option)
		}
		o.Beam[name] = value
	}
	var err error
	if o.Work, err = absolute(o.Work); err != nil {
		return nil, err
	}
	p := &progress{app: a}
	o.Progress = p.update
	e, err := engine.New(o)
	if err != nil {
		var in *fault.Input
		if errors.As(err, &in) {
			return nil, fault.Setting(err.Error())
		}
		return nil, err
	}
	a.rounds, a.work = true, r.options.Work
	return &engineRunner{Runner: e, app: a, progress: p, work: o.Work}, nil
}

// engineRunner is an engine that says what was done before.
type engineRunner struct {
	*engine.Runner
	app      *app
	progress *progress
	work     string // folder of states that lasts; ""
	resumed  int    // rounds that earlier tries did
}

// Rounds implements [fold.Runner].
func (r *engineRunner) Rounds(ctx context.Context, p fold.Plan) (fold.Outcome, error) {
	out, err := r.Runner.Rounds(ctx, p)
	r.progress.wipe()
	if err == nil && out.Resumed > 0 {
		r.resumed += out.Resumed
		r.app.say("%s: %s done before, not repeated", p.Name, words.Count(out.Resumed, "round"))
	}
	return out, err
}

// within names the plans of a step after it, where a method takes the same step twice.
type within struct {
	fold.Runner
	step string
}

// Rounds implements [fold.Runner].
func (w within) Rounds(ctx context.Context, p fold.Plan) (fold.Outcome, error) {
	p.Name = w.step + "-" + p.Name
	return w.Runner.Rounds(ctx, p)
}
