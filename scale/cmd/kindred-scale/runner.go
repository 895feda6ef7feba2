package main

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/method/param"
	"github.com/kindred-go/kindred/scale/engine"
	"github.com/kindred-go/kindred/scale/fold"
)

// running are the flags that choose an engine. Those with underscores are called as in Beam.
type running struct {
	options engine.Options
	beam    []string
}

func (r *running) flags(cmd *cobra.Command) {
	o := &r.options
	o.Runner = "prism"
	var set param.Set
	set.String(&o.Runner, param.Param{Name: "runner", Default: o.Runner,
		Help: "engine: " + strings.Join(engine.Runners(), ", ")})
	set.String(&o.Endpoint, param.Param{Name: "endpoint",
		Help: "host:port of the engine's job server"})
	set.String(&o.EnvironmentType, param.Param{Name: "environment_type",
		Help: "how workers are started: LOOPBACK, PROCESS, DOCKER or EXTERNAL",
		Auto: "LOOPBACK for prism, else DOCKER"})
	set.String(&o.EnvironmentConfig, param.Param{Name: "environment_config",
		Help: `what that takes: for PROCESS {"command": "/path"}, for DOCKER an image`})
	set.Int(&o.Parallelism, param.Param{Name: "parallelism", Default: "0",
		Help: "workers at most, 0 for the engine's choice"})
	set.String(&o.Work, param.Param{Name: "work",
		Help: "folder for what each round leaves, which all workers reach by that name: a run " +
			"that was stopped goes on from it"})
	set.Int(&o.RoundsPerJob, param.Param{Name: "rounds-per-job", Auto: "1 for prism, else 8",
		Help: "rounds that are sent to the engine as one job"})
	set.String(&o.Log, param.Param{Name: "log", Auto: "none of them",
		Help: "show the messages of Beam on stderr: debug, info, warn or error"})
	fs := cmd.Flags()
	cli.Declare(fs, engineGroup, &set)
	fs.StringArrayVar(&r.beam, "beam", nil,
		"further option of Beam, `NAME=VALUE`; may be repeated, or follow --")
	cli.Group(fs, engineGroup, "beam")
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
		if _, ok := errors.AsType[*fault.Input](err); ok {
			return nil, fault.Setting(err.Error())
		}
		return nil, err
	}
	a.rounds, a.work = true, r.options.Work
	return &engineRunner{Runner: e, app: a, progress: p, work: o.Work}, nil
}

// engineRunner is an engine that reports what was done before.
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
		r.app.logf("%s: %s done before, not repeated", p.Name, words.Count(out.Resumed, "round"))
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
