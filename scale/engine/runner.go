package engine

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	beamlog "github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"

	// runners are known by being imported
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/dataflow"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/flink"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/prism"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/spark"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/runners/universal"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/shard"
	_ "github.com/kindred-go/kindred/scale/shard/clouds" // files at gs:// and s3://
)

// Runner is a [fold.Runner] on an engine. Jobs run one after the other, as Beam keeps its options
// for the whole process.
type Runner struct {
	options   Options
	temporary bool // the folder Work is removed by Close
}

// flags are Beam's options, which are flags of the process: one job uses them at a time.
var flags struct {
	sync.Mutex
	prism string // where the one within this process listens; "": it was not started yet
	pool  *pool  // of workers in this process; nil: none was needed yet
}

// New returns a runner. It fails with a *fault.Input where options do not fit together.
func New(o Options) (*Runner, error) {
	o, err := o.filled()
	if err != nil {
		return nil, err
	}
	if o.Log != "" {
		beamlog.SetupLogging(o.Log, "text")
	}
	r := &Runner{options: o}
	if r.options.Threads == 0 {
		r.options.Threads = 1
		if o.Runner == "prism" {
			r.options.Threads = runtime.GOMAXPROCS(0)
		}
	}
	if o.Work == "" {
		if r.options.Work, err = os.MkdirTemp("", "kindred-scale-"); err != nil {
			return nil, err
		}
		r.temporary = true
	}
	return r, nil
}

// Close removes the folder of states if it was a temporary one.
func (r *Runner) Close() error {
	if !r.temporary {
		return nil
	}
	return os.RemoveAll(r.options.Work)
}

// Rounds implements [fold.Runner].
func (r *Runner) Rounds(ctx context.Context, p fold.Plan) (fold.Outcome, error) {
	if err := p.Check(); err != nil {
		return fold.Outcome{}, err
	}
	if _, err := fold.Make(p.Job, p.Config); err != nil {
		return fold.Outcome{}, err
	}
	folder := shard.Join(r.options.Work, p.Name)
	e, err := claim(ctx, folder, p)
	if err != nil {
		return fold.Outcome{}, err
	}
	if e != nil && e.Fault != nil { // what was wrong may have been put right
		if err := prune(ctx, folder, e.Round); err != nil {
			return fold.Outcome{}, err
		}
		e = nil
	}
	if e == nil {
		e = &envelope{State: p.State}
		if e.Plan, err = identity(p); err == nil {
			err = leave(ctx, folder, e)
		}
		if err != nil {
			return fold.Outcome{}, err
		}
	}
	defer forget()
	resumed := e.Round
	for !e.over() && e.Round < p.Most() {
		after, err := r.some(ctx, p, e, folder)
		if err != nil {
			after = overtaken(ctx, folder, p, e.Round)
		}
		if after == nil {
			return fold.Outcome{}, err
		}
		e = after
		if err := prune(ctx, folder, e.Round-kept); err != nil {
			return fold.Outcome{}, err
		}
	}
	if e.Fault != nil {
		return fold.Outcome{}, e.Fault
	}
	return fold.Outcome{State: e.State, Rounds: e.Round, Resumed: resumed, Done: e.Done,
		Tally: e.Tally}, nil
}

// some runs some rounds as one job.
func (r *Runner) some(ctx context.Context, p fold.Plan, from *envelope, folder string) (*envelope,
	error) {
	rounds := min(r.options.RoundsPerJob, p.Most()-from.Round)
	pipe, err := pipeline(p, from, rounds, folder, r.options)
	if err != nil {
		return nil, err
	}
	name := fmt.Sprintf("kindred-%s-%d-%s", p.Name, from.Round+1,
		strconv.FormatInt(time.Now().UnixNano(), 36))
	flags.Lock()
	defer flags.Unlock()
	if r.options.here() {
		if flags.pool == nil {
			if flags.pool, err = openPool(); err != nil {
				return nil, err
			}
		}
		flags.pool.begin()
		defer flags.pool.rest()
	}
	if err := r.set(name); err != nil {
		return nil, err
	}
	if err := reachable(ctx, r.options); err != nil {
		return nil, err
	}
	stop := r.watch(p, from.Round, name)
	err = run(ctx, r.options, name, pipe)
	stop()
	if r.options.Runner == "prism" && r.options.Endpoint == "" {
		flags.prism = *jobopts.Endpoint
	}
	if err != nil {
		return nil, err
	}
	return newest(ctx, folder, p, from.Round)
}

// set hands the options to Beam, which has them as flags of the process.
func (r *Runner) set(name string) error {
	o := r.options
	*jobopts.JobName = name
	*jobopts.EnvironmentType = o.EnvironmentType
	*jobopts.EnvironmentConfig = o.EnvironmentConfig
	switch {
	case o.here(): // workers have the program already, so that an empty one is sent
		*jobopts.EnvironmentType, *jobopts.EnvironmentConfig, *jobopts.WorkerBinary = "EXTERNAL",
			flags.pool.address(), os.DevNull
	default: // without one, Beam would compile it
		self, err := os.Executable()
		if err != nil {
			return err
		}
		*jobopts.WorkerBinary = self
	}
	*jobopts.Endpoint = o.Endpoint
	if o.Runner == "prism" && o.Endpoint == "" {
		*jobopts.Endpoint = flags.prism
	}
	if o.Parallelism > 0 {
		*jobopts.Parallelism = o.Parallelism
	}
	for name, value := range o.Beam {
		if flag.Lookup(name) == nil {
			return fault.Inputf("look at the runner's documentation for its options",
				"Beam has no option named %q", name)
		}
		if err := flag.Set(name, value); err != nil {
			return fault.Inputf("", "Beam's option %s does not take %q: %v", name, value, err)
		}
	}
	return nil
}

// rowsSeen counts rows that workers within this process read, for progress: an engine's own
// counters come at the end of a job only.
var rowsSeen atomic.Int64

// watch reports progress until the function that it returns is called.
func (r *Runner) watch(p fold.Plan, round int, job string) (stop func()) {
	if r.options.Progress == nil {
		return func() {}
	}
	var of int64
	for _, s := range p.Splits {
		if s.Rows < 0 {
			of = 0
			break
		}
		of += s.Rows
	}
	begun, from := time.Now(), rowsSeen.Load()
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(250 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				r.options.Progress(Progress{Plan: p.Name, Round: round + 1, Rounds: p.Most(),
					Rows: rowsSeen.Load() - from, Of: of,
					Since: time.Since(begun), Job: job})
			}
		}
	}()
	return func() { close(done); <-ended }
}
