package engine

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"sync"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
	"golang.org/x/sync/errgroup"

	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/shard"
)

func init() {
	register.DoFn5x1[context.Context, []byte, []byte, func(int64, []byte), func([]byte),
		error](&scanFn{})
	register.DoFn5x1[context.Context, int64, func(*[]byte) bool, []byte, func([]byte),
		error](&mergeFn{})
	register.DoFn5x1[context.Context, []byte, func(*[]byte) bool, func(*[]byte) bool, func([]byte),
		error](&nextFn{})
	register.Emitter2[int64, []byte]()
	register.Emitter1[[]byte]()
	register.Iter1[[]byte]()
}

// The counters that engines show in their own pages.
var (
	rowsRead   = beam.NewCounter("kindred", "rows_read")
	rowsBad    = beam.NewCounter("kindred", "rows_unreadable")
	rowsLeft   = beam.NewCounter("kindred", "rows_dropped")
	blocksRead = beam.NewCounter("kindred", "blocks_read")
	splitsDone = beam.NewCounter("kindred", "splits_folded")
	partsMade  = beam.NewCounter("kindred", "parts_merged")
	roundsDone = beam.NewCounter("kindred", "rounds_done")
)

// step is what all steps of a round have.
type step struct {
	Job    string
	Config []byte
	Folder string // of the plan's checkpoints

	job fold.Job
}

// Setup makes the job once a worker.
func (f *step) Setup() (err error) {
	f.job, err = fold.Make(f.Job, f.Config)
	return err
}

// scanFn folds the splits of a group, each by a kernel of its own.
type scanFn struct {
	step
	Source  shard.Source
	Threads int
	Anew    bool // the engine may begin a job anew
}

// ProcessElement returns the parts of a group of splits as (key, split and data), and a report.
func (f *scanFn) ProcessElement(ctx context.Context, group, state []byte, part func(int64, []byte),
	emit func([]byte)) error {
	e, err := fold.Decode[envelope](state)
	if err != nil || e.over() {
		return err
	}
	// Flink begins a job anew when it loses a worker: rounds that have left their states are not
	// read again.
	if f.Anew {
		if left, err := shard.List(ctx, stateFile(f.Folder, e.Round+1)); err != nil ||
			len(left) > 0 {
			return err
		}
	}
	if e.State, err = e.state(ctx, f.Folder); err != nil {
		return err
	}
	var splits []shard.Split
	if err := json.Unmarshal(group, &splits); err != nil {
		return err
	}
	all := report{First: splits[0].Index}
	if in := fits(f.job, e.State, min(f.Threads, len(splits))); in != nil {
		all.Fault = in
		return send(&all, emit)
	}
	each := make([]report, len(splits))
	var lock sync.Mutex // emitters and counters are for one goroutine at a time
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(1, f.Threads))
	for i, s := range splits {
		g.Go(func() error {
			tally, err := fold.Split(ctx, watched{f.job, ctx, &lock}, e.State, f.Source, s,
				func(key int64, data []byte) {
					lock.Lock()
					defer lock.Unlock()
					part(key, append(binary.BigEndian.AppendUint64(nil, uint64(s.Index)), data...))
				})
			each[i] = report{Tally: tally, Fault: inputFault(err)}
			if each[i].Fault != nil {
				return nil
			}
			if err == nil {
				lock.Lock()
				defer lock.Unlock()
				rowsBad.Inc(ctx, tally.Unreadable)
				rowsLeft.Inc(ctx, tally.Dropped)
				splitsDone.Inc(ctx, 1)
			}
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	for i, r := range each {
		all.Tally.Add(r.Tally)
		if r.Fault != nil && all.Fault == nil {
			all.Fault, all.At = r.Fault, splits[i].Index
		}
	}
	return send(&all, emit)
}

func send(r *report, emit func([]byte)) error {
	data, err := fold.Encode(r)
	if err == nil {
		emit(data)
	}
	return err
}

// watched counts the blocks that a job's kernels are given.
type watched struct {
	fold.Job
	ctx  context.Context
	lock *sync.Mutex
}

func (w watched) Kernel(state []byte, split shard.Split) (fold.Kernel, error) {
	k, err := w.Job.Kernel(state, split)
	if err != nil || k == nil {
		return nil, err
	}
	return watchedKernel{k, w}, nil
}

type watchedKernel struct {
	fold.Kernel
	by watched
}

// Close closes the kernel within, if that can be.
func (k watchedKernel) Close() error {
	if c, ok := k.Kernel.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

func (k watchedKernel) Block(b *shard.Block) error {
	k.by.lock.Lock()
	blocksRead.Inc(k.by.ctx, 1)
	rowsRead.Inc(k.by.ctx, int64(b.X.Rows))
	k.by.lock.Unlock()
	rowsSeen.Add(int64(b.X.Rows))
	return k.Kernel.Block(b)
}

// mergeFn merges the parts of a key.
type mergeFn struct{ step }

// ProcessElement returns the key and what its parts come to.
func (f *mergeFn) ProcessElement(ctx context.Context, key int64, values func(*[]byte) bool,
	state []byte, emit func([]byte)) error {
	e, err := fold.Decode[envelope](state)
	if err != nil {
		return err
	}
	if e.State, err = e.state(ctx, f.Folder); err != nil {
		return err
	}
	var parts []fold.Part
	for v := []byte(nil); values(&v); v = nil {
		if len(v) < 8 {
			return fmt.Errorf("engine: a part of %d bytes", len(v))
		}
		parts = append(parts, fold.Part{Split: int(binary.BigEndian.Uint64(v)), Data: v[8:]})
	}
	partsMade.Inc(ctx, int64(len(parts)))
	data, err := fold.Merge(f.job, e.State, key, parts)
	if err != nil {
		return err
	}
	emit(append(binary.BigEndian.AppendUint64(nil, uint64(key)), data...))
	return nil
}

// nextFn makes the state of the next round, and leaves a checkpoint.
type nextFn struct{ step }

// ProcessElement is given the state, what was merged, and the reports.
func (f *nextFn) ProcessElement(ctx context.Context, state []byte, merged,
	reports func(*[]byte) bool, emit func([]byte)) error {
	e, err := fold.Decode[envelope](state)
	if err != nil {
		return err
	}
	if e.over() {
		emit(state)
		return nil
	}
	switch before, err := shard.ReadFile(ctx, stateFile(f.Folder, e.Round+1)); {
	case err == nil: // of an earlier try, whose splits were not folded again
		left, err := fold.Decode[envelope](before)
		if err == nil && left.Plan != e.Plan {
			err = others(f.Folder)
		}
		if err != nil {
			return err
		}
		return left.pass(emit)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if e.State, err = e.state(ctx, f.Folder); err != nil {
		return err
	}
	if err := f.next(e, merged, reports); err != nil {
		return err
	}
	roundsDone.Inc(ctx, 1)
	if err := leave(ctx, f.Folder, e); err != nil {
		return err
	}
	return e.pass(emit)
}

// pass leads the next round to its state.
func (e *envelope) pass(emit func([]byte)) error {
	data, err := e.bare()
	if err == nil {
		emit(data)
	}
	return err
}

func (f *nextFn) next(e *envelope, merged, reports func(*[]byte) bool) error {
	e.Round++
	var scans []*report
	for v := []byte(nil); reports(&v); v = nil {
		r, err := fold.Decode[report](v)
		if err != nil {
			return err
		}
		scans = append(scans, r)
	}
	slices.SortFunc(scans, func(a, b *report) int { return a.First - b.First })
	e.Tally = shard.Tally{}
	for _, r := range scans {
		e.Tally.Add(r.Tally)
		if r.Fault != nil && e.Fault == nil {
			e.Fault = r.Fault
		}
	}
	if e.Fault != nil {
		return nil
	}
	var all []fold.Merged
	for v := []byte(nil); merged(&v); v = nil {
		if len(v) < 8 {
			return fmt.Errorf("engine: a merged part of %d bytes", len(v))
		}
		all = append(all, fold.Merged{Key: int64(binary.BigEndian.Uint64(v)), Data: v[8:]})
	}
	next, done, err := fold.Next(f.job, e.State, all)
	if e.Fault = inputFault(err); e.Fault != nil {
		return nil
	}
	e.State, e.Done = next, done
	return err
}
