package fold

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/kindred-go/kindred/scale/shard"
)

// Split folds one split by a kernel of its own, and emits what it comes to. A kernel that fails, or
// whose split cannot be read, is closed when it is an [io.Closer], so that it leaves nothing half
// done.
func Split(ctx context.Context, job Job, state []byte, source shard.Source, s shard.Split,
	emit func(key int64, data []byte)) (tally shard.Tally, err error) {
	kernel, err := job.Kernel(state, s)
	if err != nil || kernel == nil {
		return shard.Tally{}, err
	}
	defer func() {
		if c, ok := kernel.(io.Closer); ok && err != nil {
			err = errors.Join(err, c.Close())
		}
	}()
	if tally, err = source.Each(ctx, s, kernel.Block); err != nil {
		return tally, err
	}
	return tally, kernel.End(emit)
}

// Merge sorts the parts of a key by split, and makes one of them.
func Merge(job Job, state []byte, key int64, parts []Part) ([]byte, error) {
	slices.SortFunc(parts, func(a, b Part) int { return cmp.Compare(a.Split, b.Split) })
	for i := 1; i < len(parts); i++ {
		if parts[i].Split == parts[i-1].Split {
			return nil, fmt.Errorf("fold: split %d has two parts of key %d", parts[i].Split, key)
		}
	}
	return job.Merge(state, key, parts)
}

// Next sorts what was merged by key, and makes the next state.
func Next(job Job, state []byte, merged []Merged) (next []byte, done bool, err error) {
	slices.SortFunc(merged, func(a, b Merged) int { return cmp.Compare(a.Key, b.Key) })
	return job.Next(state, merged)
}
