package sample

import (
	"context"
	"fmt"
	"slices"

	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/shard"
	"github.com/kindred-go/kindred/scale/survey"
)

const jobName = "find-rows"

func init() { fold.RegisterSum[Wanted](jobName) }

// twins is how many rows of one id are found: two show that it is not the id of one row, and a
// column of ids may have the same for every row.
const twins = 2

// mergedTogether is how many splits are merged under one key, so that no worker has the parts of
// all of them.
const mergedTogether = 256

// Wanted describes the rows of a table to look for: a sample, and rows that are named. It is the
// job that finds them.
type Wanted struct {
	Seed  uint64 // of the keys
	Below uint64 // rows are drawn whose keys are not above it; 0: none
	Least int    // rows of the lowest keys that are drawn in any case, unless Below is 0
	Most  int    // rows that are drawn at most, of the lowest keys; 0: no limit

	Numbers []int64  // of rows that are named, rising
	IDs     []string // of rows that are named; at most two rows are found of each
	Apart   bool     // rows of IDs are not drawn

	ids map[string]bool
}

// Found are rows in the order of the table. A row may be both drawn and named.
type Found struct{ Drawn, Named []Row }

// Find looks for rows in one pass over the splits in which there can be any. Values are as src
// prepares them. Rows that are not there, or are left out for missing values, are passed over.
func Find(ctx context.Context, r fold.Runner, name string, src shard.Source, sv *survey.Survey,
	w Wanted) (found Found, err error) {
	out, err := fold.Run(ctx, r,
		fold.Plan{Name: name, Job: jobName, Source: src, Splits: sv.Splits}, w)
	if err != nil {
		return found, err
	}
	all, err := fold.Decode[Found](out.State)
	return *all, err
}

// Ready makes the map of ids, which serves all kernels.
func (w *Wanted) Ready() error {
	w.ids = make(map[string]bool, len(w.IDs))
	for _, id := range w.IDs {
		w.ids[id] = true
	}
	return nil
}

// collector holds rows that were found.
type collector struct {
	*Wanted
	set   Set
	named []Row
	seen  map[string]int // rows of each id
}

func (w *Wanted) collector() collector {
	return collector{Wanted: w, set: Set{Below: w.Below, Least: w.Least, Most: w.Most},
		seen: map[string]int{}}
}

// takes reports whether another row of an id is found, and counts it then.
func (c *collector) takes(id string) bool {
	if !c.ids[id] || c.seen[id] == twins {
		return false
	}
	c.seen[id]++
	return true
}

// Add adds the rows of later splits.
func (c *collector) Add(data []byte) error {
	f, err := fold.Decode[Found](data)
	if err != nil {
		return err
	}
	for _, r := range f.Drawn {
		c.set.Add(r)
	}
	for _, r := range f.Named {
		if !c.ids[r.ID] || c.takes(r.ID) {
			c.named = append(c.named, r)
		}
	}
	return nil
}

// Bytes encodes the rows.
func (c *collector) Bytes() ([]byte, error) {
	return fold.Encode(Found{c.set.Sorted(), c.named})
}

// Kernel implements [fold.Summing].
func (w *Wanted) Kernel(_ []byte, split shard.Split) (fold.Kernel, error) {
	if split.First < 0 {
		return nil, fmt.Errorf("sample: split %d was not counted", split.Index)
	}
	from, _ := slices.BinarySearch(w.Numbers, split.First)
	to, _ := slices.BinarySearch(w.Numbers, split.First+split.Rows)
	if from == to && len(w.ids) == 0 && w.Below == 0 {
		return nil, nil
	}
	return &finder{collector: w.collector(), split: split, numbers: w.Numbers[from:to]}, nil
}

// Sum implements [fold.Summing].
func (w *Wanted) Sum() fold.Sum { c := w.collector(); return &c }

// finder looks for rows in a split.
type finder struct {
	collector
	split   shard.Split
	numbers []int64 // that are still to come
	row     []float64
}

// Block implements [fold.Kernel].
func (k *finder) Block(b *shard.Block) error {
	for i := range b.X.Rows {
		r := Row{Number: k.split.First + b.Number(i)}
		for len(k.numbers) > 0 && k.numbers[0] < r.Number { // it was left out
			k.numbers = k.numbers[1:]
		}
		named, drawn := len(k.numbers) > 0 && k.numbers[0] == r.Number, k.Below > 0
		if len(k.ids) > 0 {
			r.ID = b.ID(i, k.split.First)
			named = k.takes(r.ID) || named
			drawn = drawn && !(k.Apart && k.ids[r.ID])
		}
		if drawn {
			r.Key = Key(k.Seed, r.Number)
			drawn = k.set.Wants(r.Key)
		}
		if !named && !drawn {
			continue
		}
		r.ID = b.ID(i, k.split.First)
		if b.Labels != nil {
			r.Label = b.Labels[i]
		}
		k.row = b.X.AppendRow(k.row[:0], i)
		r.Values = k.row
		if drawn {
			k.set.Add(r)
		}
		if named {
			r.Values = slices.Clone(k.row)
			k.named = append(k.named, r)
		}
	}
	return nil
}

// End implements [fold.Kernel].
func (k *finder) End(emit func(key int64, data []byte)) error {
	if len(k.set.Rows)+len(k.named) == 0 {
		return nil
	}
	data, err := k.Bytes()
	emit(int64(k.split.Index/mergedTogether), data)
	return err
}
