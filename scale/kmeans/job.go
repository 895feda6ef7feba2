package kmeans

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"sync"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/shard"
)

const jobName = "lloyd"

func init() { fold.RegisterJSON[job](jobName) }

// job does what the phase of the state calls for.
type job struct {
	work
	last struct { // the splits of a round share one state
		sync.Mutex
		text []byte
		round
	}
}

// round is a state made ready for the kernels.
type round struct {
	state state
	frame *kmeans.Frame // nil where there are no centres yet
}

// round reads a state, or returns the one that was read last if it is the same. It is shared, and
// not to be changed.
func (j *job) round(text []byte) (round, error) {
	j.last.Lock()
	defer j.last.Unlock()
	if j.last.text != nil && bytes.Equal(text, j.last.text) {
		return j.last.round, nil
	}
	var r round
	if err := json.Unmarshal(text, &r.state); err != nil {
		return round{}, fmt.Errorf("lloyd: the state cannot be read: %w", err)
	}
	centers := r.state.Centers
	if r.state.Phase == phaseFar {
		centers = r.state.Base
	}
	if r.state.Phase != phaseDraw {
		var err error
		if r.frame, err = kmeans.NewFrame(dataset.Matrix{Rows: j.Clusters, Cols: j.Cols,
			F64: centers}, j.Single); err != nil {
			return round{}, err
		}
	}
	j.last.text, j.last.round = bytes.Clone(text), r
	return r, nil
}

// Kernel implements [fold.Job].
func (j *job) Kernel(text []byte, split shard.Split) (fold.Kernel, error) {
	r, err := j.round(text)
	if err != nil {
		return nil, err
	}
	switch r.state.Phase {
	case phaseDraw:
		return newDrawer(&j.work, split), nil
	case phaseAssign:
		return newAssigner(&j.work, &r, split), nil
	case phaseFar:
		return newSeeker(&j.work, &r, split), nil
	case phaseLabel:
		return newLabeller(&j.work, &r, split)
	}
	return nil, fmt.Errorf("lloyd: there is no phase %q", r.state.Phase)
}

// Merge implements [fold.Job].
func (j *job) Merge(text []byte, key int64, parts []fold.Part) ([]byte, error) {
	r, err := j.round(text)
	if err != nil {
		return nil, err
	}
	switch {
	case r.state.Phase == phaseDraw:
		return mergeDrawn(parts), nil
	case r.state.Phase == phaseFar:
		return mergeFar(parts, j.Cols, reach(&r.state))
	case key == accountKey:
		return mergeAccounts(parts)
	case r.state.Phase == phaseLabel:
		return mergeMembers(parts)
	}
	return j.mergeSums(parts)
}

// Next implements [fold.Job].
func (j *job) Next(text []byte, merged []fold.Merged) (next []byte, done bool, err error) {
	var s state // of its own, to be changed
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, false, fmt.Errorf("lloyd: the state cannot be read: %w", err)
	}
	if len(merged) == 0 && s.Phase != phaseFar {
		return nil, false, fault.Inputf("", "no row could be read")
	}
	switch s.Phase {
	case phaseDraw:
		err = j.start(&s, merged)
	case phaseAssign:
		done, err = j.assigned(&s, merged)
	case phaseFar:
		done, err = j.repair(&s, merged)
	case phaseLabel:
		done, err = j.labelled(&s, merged)
	}
	if err != nil {
		return nil, false, err
	}
	next, err = json.Marshal(s)
	return next, done, err
}

// KernelBytes implements [fold.Heavy].
func (j *job) KernelBytes([]byte) int64 { return 80*int64(j.Clusters)*int64(j.Cols) + 1<<20 }

// groupCenters is how many centres have one key: as many workers merge as there are groups.
const groupCenters = 64

// groups calls do for each group of centres, from lo to below hi.
func groups(k int, do func(key int64, lo, hi int) error) error {
	for lo := 0; lo < k; lo += groupCenters {
		if err := do(int64(lo/groupCenters), lo, min(k, lo+groupCenters)); err != nil {
			return err
		}
	}
	return nil
}

// take passes a block to a pass. The error of a fault in it has its row in the table.
func (w *work) take(p *kmeans.Pass, b *shard.Block, split shard.Split) error {
	err := p.Block(b.X)
	var in *fault.Input
	if !errors.As(err, &in) || in.Row == 0 {
		return err
	}
	at := *in
	at.File, at.Row = split.File, int(split.Row+b.Number(in.Row-1))+1
	if split.End > 0 { // a piece of a text, whose place among the rows of the file is not known
		at.Row, at.Problem = 0,
			fmt.Sprintf("row %d of the table: %s", split.First+b.Number(in.Row-1)+1, in.Problem)
	}
	if j, err := strconv.Atoi(in.Column); err == nil && j <= len(w.Columns) {
		at.Column = w.Columns[j-1]
	}
	return &at
}
