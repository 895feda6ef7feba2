package engine

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/shard"
)

// kept is how many states of a plan are kept: the newest, and the one before in case the newest
// cannot be read.
const kept = 2

// identity is what plans differ by: everything that a state depends on. More rounds may be asked
// for later.
func identity(p fold.Plan) (string, error) {
	p.Rounds = 0
	return fold.Digest(p)
}

// claim makes the folder of a plan's checkpoints its own, and returns the newest state in it, nil
// when there is none. Another run of the plan may be further, and remove states that were just
// listed: then it looks again.
func claim(ctx context.Context, folder string, p fold.Plan) (e *envelope, err error) {
	for range 20 {
		if e, err = claimOnce(ctx, folder, p); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return e, err
}

func claimOnce(ctx context.Context, folder string, p fold.Plan) (*envelope, error) {
	want, err := identity(p)
	if err != nil {
		return nil, err
	}
	names, err := shard.List(ctx, folder)
	if err != nil {
		return nil, err
	}
	names = slices.DeleteFunc(names, func(n string) bool { return !strings.HasSuffix(n, ".state") })
	mark := shard.Join(folder, "plan")
	have, err := shard.ReadFile(ctx, mark)
	if errors.Is(err, fs.ErrNotExist) && len(names) == 0 {
		return nil, shard.WriteFile(ctx, mark, []byte(want+"\n"))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if strings.TrimSpace(string(have)) != want {
		return nil, others(folder)
	}
	for i := len(names) - 1; i >= 0; i-- { // by name, so in order of round
		data, err := shard.ReadFile(ctx, names[i])
		if err != nil {
			return nil, err
		}
		e, err := fold.Decode[envelope](data)
		if err == nil && e.Plan != want {
			return nil, others(folder)
		}
		if err == nil {
			return e, nil
		}
	}
	return nil, nil
}

func others(folder string) error {
	return &fault.Input{File: folder,
		Problem: "holds the states of a run of other data or another configuration",
		Fix:     "give another folder to --work, or remove this one to begin anew"}
}

// leave writes the state after a round, whole or not at all.
func leave(ctx context.Context, folder string, e *envelope) error {
	data, err := fold.Encode(e)
	if err == nil {
		err = shard.WriteFile(ctx, stateFile(folder, e.Round), data)
	}
	if err != nil {
		return fmt.Errorf("leaving the state of round %d: %w", e.Round, err)
	}
	return nil
}

// lately is the state that was read last: all splits that a worker folds in a round share it.
var lately struct {
	sync.Mutex
	file, plan string
	state      []byte
}

// state reads the state that a bare envelope goes with.
func (e *envelope) state(ctx context.Context, folder string) ([]byte, error) {
	file := stateFile(folder, e.Round)
	lately.Lock()
	defer lately.Unlock()
	if lately.file == file && lately.plan == e.Plan {
		return lately.state, nil
	}
	data, err := shard.ReadFile(ctx, file)
	if err != nil {
		return nil, fmt.Errorf("reading the state of round %d: %w", e.Round, err)
	}
	left, err := fold.Decode[envelope](data)
	if err != nil {
		return nil, fmt.Errorf("reading the state of round %d: %s: %w", e.Round, file, err)
	}
	if left.Plan != e.Plan {
		return nil, others(folder)
	}
	lately.file, lately.plan, lately.state = file, e.Plan, left.State
	return left.State, nil
}

// forget lets go of the state that was read last.
func forget() {
	lately.Lock()
	defer lately.Unlock()
	lately.file, lately.plan, lately.state = "", "", nil
}

// prune removes all states up to a round.
func prune(ctx context.Context, folder string, upTo int) error {
	names, err := shard.List(ctx, folder)
	if err != nil {
		return err
	}
	for _, name := range names {
		if strings.HasSuffix(name, ".state") &&
			path.Base(name) <= path.Base(stateFile(folder, upTo)) {
			if err := shard.Remove(ctx, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// newest returns the last state after a round that a job went on from.
func newest(ctx context.Context, folder string, p fold.Plan, from int) (*envelope, error) {
	e, err := claim(ctx, folder, p)
	if err == nil && (e == nil || e.Round <= from) {
		err = fmt.Errorf("the job ended, but its workers left no state in %s: they must reach it "+
			"by that name", folder)
	}
	return e, err
}

// overtaken returns the newest state when the one that a job went on from is gone, as another run
// of the same plan in the same folder is further and has removed it; else nil.
func overtaken(ctx context.Context, folder string, p fold.Plan, from int) *envelope {
	if there, err := shard.List(ctx, stateFile(folder, from)); err != nil || len(there) > 0 {
		return nil
	}
	e, err := newest(ctx, folder, p, from)
	if err != nil {
		return nil
	}
	return e
}

func stateFile(folder string, round int) string {
	return shard.Join(folder, fmt.Sprintf("%06d.state", round))
}
