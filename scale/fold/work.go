package fold

import (
	"bytes"
	"cmp"
	"context"
	"encoding/gob"
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

// Encode returns a value as bytes, by package gob.
func Encode(v any) ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(v)
	return b.Bytes(), err
}

// Decode reads what Encode wrote.
func Decode[T any](data []byte) (*T, error) {
	v := new(T)
	err := gob.NewDecoder(bytes.NewReader(data)).Decode(v)
	return v, err
}

// Each calls add with the bytes of each part, in order, until it fails.
func Each[P interface{ bytes() []byte }](parts []P, add func(data []byte) error) error {
	for _, p := range parts {
		if err := add(p.bytes()); err != nil {
			return err
		}
	}
	return nil
}

// Sum adds up what splits come to.
type Sum interface {
	Add(data []byte) error
	Bytes() ([]byte, error)
}

// Summing is a job of one round whose parts are sums, of a split, of a key and in the end of all:
// the last state.
type Summing interface {
	Kernel(state []byte, split shard.Split) (Kernel, error)
	Sum() Sum // of nothing yet
}

// Summed is the job of what is summed.
type Summed struct{ Summing }

// Merge implements [Job].
func (s Summed) Merge(_ []byte, _ int64, parts []Part) ([]byte, error) {
	return total(s.Sum(), parts)
}

// Next implements [Job].
func (s Summed) Next(_ []byte, merged []Merged) ([]byte, bool, error) {
	next, err := total(s.Sum(), merged)
	return next, true, err
}

// KernelBytes implements [Heavy].
func (s Summed) KernelBytes(state []byte) int64 {
	if h, ok := s.Summing.(Heavy); ok {
		return h.KernelBytes(state)
	}
	return 0
}

func total[P interface{ bytes() []byte }](sum Sum, parts []P) ([]byte, error) {
	if err := Each(parts, sum.Add); err != nil {
		return nil, err
	}
	return sum.Bytes()
}

// Once is embedded in jobs of one round whose kernels emit one key: the last state is what was
// merged, nil where nothing was.
type Once struct{}

// Next implements [Job].
func (Once) Next(_ []byte, merged []Merged) ([]byte, bool, error) {
	switch len(merged) {
	case 0:
		return nil, true, nil
	case 1:
		return merged[0].Data, true, nil
	}
	return nil, false, fmt.Errorf("fold: %d keys were merged where there is one", len(merged))
}
