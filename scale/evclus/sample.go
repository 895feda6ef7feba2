package evclus

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/internal/sample"
	"github.com/kindred-go/kindred/scale/shard"
	"github.com/kindred-go/kindred/scale/survey"
)

// sampleJob is the name of the job that draws landmarks.
const sampleJob = "landmark-sample"

func init() {
	fold.Register(sampleJob, makeSampling)
}

// sampling draws rows: those of the smallest keys, and those named.
type sampling struct {
	Count int    // rows, named ones included
	Seed  uint64 // of the keys
	// ids of the rows named, each once; all of them are drawn, of an id that many rows have two
	Linked []string
}

func makeSampling(config []byte) (fold.Job, error) {
	var s sampling
	return s, decode(config, &s)
}

// sampleState is what is drawn so far. A round takes only rows with keys below a bound under which
// enough are expected, so that splits send few rows each; should there be too few, another round
// takes a higher one.
type sampleState struct {
	Below uint64     // keys from here on are not drawn; the largest key stands for no bound
	Rows  []drawnRow // nil before the first round
}

// drawnRow is a row and its values.
type drawnRow struct {
	Row
	Key    uint64
	Linked bool
	X      []float64
}

// draw returns the rows drawn, in the order of the table.
func draw(ctx context.Context, r fold.Runner, src shard.Source, sv *survey.Survey,
	s sampling) ([]drawnRow, error) {
	config, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	state, err := json.Marshal(sampleState{Below: bound(s.Count, sv.Kept(src))})
	if err != nil {
		return nil, err
	}
	const rounds = 64 // each bound is four times the last: it is none after 32
	out, err := r.Rounds(ctx,
		fold.Plan{Name: sampleJob, Job: sampleJob, Config: config, Source: src, Splits: sv.Splits,
			State: state, Rounds: rounds})
	if err != nil {
		return nil, err
	}
	var drawn sampleState
	return drawn.Rows, decode(out.State, &drawn)
}

// bound returns a key under which count of n keys are found but one time in 10⁸.
func bound(count int, n int64) uint64 {
	return sample.Below(int64(float64(count)+6*math.Sqrt(float64(count))+20), n)
}

// byKey is the order in which rows that no link names are drawn.
func byKey(a, b drawnRow) int {
	return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(a.Number, b.Number))
}

// Kernel implements [fold.Job].
func (s sampling) Kernel(state []byte, split shard.Split) (fold.Kernel, error) {
	if split.First < 0 {
		return nil, errors.New("landmark: the rows of the splits were not counted")
	}
	k := &sampleKernel{sampling: s, split: split.Index, first: split.First,
		ids: make(map[string]int, len(s.Linked))}
	for _, id := range s.Linked {
		k.ids[id] = twins
	}
	var drawn sampleState
	err := decode(state, &drawn)
	k.below = drawn.Below
	return k, err
}

// twins is how many rows of a named id are drawn: two show that it is not the id of one.
const twins = 2

type sampleKernel struct {
	sampling
	split int
	first int64 // number of the first row of the split
	below uint64
	ids   map[string]int // named by links, and how many more rows of them are drawn
	// the named, and at least the others of the smallest keys that may be drawn
	kept []drawnRow
}

// Block implements [fold.Kernel].
func (k *sampleKernel) Block(b *shard.Block) error {
	for i := range b.X.Rows {
		number := k.first + b.Number(i)
		mark := sample.Key(k.Seed, number)
		linked := false
		if len(k.ids) > 0 {
			id := idOf(b, i, k.first)
			left, named := k.ids[id]
			if named && left == 0 {
				continue
			}
			if linked = named; named {
				k.ids[id]--
			}
		}
		if !linked && mark >= k.below && k.below != math.MaxUint64 {
			continue
		}
		d := drawnRow{Row: Row{Number: number, ID: idOf(b, i, k.first)}, Key: mark, Linked: linked,
			X: b.X.AppendRow(nil, i)}
		if b.Labels != nil {
			d.Label = b.Labels[i]
		}
		for j, v := range d.X {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return &fault.Input{Row: int(number) + 1,
					Problem: fmt.Sprintf("value %d of the row is not a finite number", j+1),
					Fix:     "fix it or leave the row out"}
			}
		}
		k.kept = append(k.kept, d)
	}
	if len(k.kept) > 2*k.Count+len(k.Linked)+4096 {
		k.kept = k.smallest(k.kept)
	}
	return nil
}

// End implements [fold.Kernel].
func (k *sampleKernel) End(emit func(key int64, data []byte)) error {
	data, err := json.Marshal(k.smallest(k.kept))
	if err == nil {
		emit(int64(k.split/mergedTogether), data)
	}
	return err
}

// smallest keeps the rows that are named, and as many others of the smallest keys as may be drawn.
func (s sampling) smallest(rows []drawnRow) []drawnRow {
	seen := map[string]int{}
	rows = slices.DeleteFunc(rows, func(d drawnRow) bool {
		if d.Linked {
			seen[d.ID]++
		}
		return seen[d.ID] > twins
	})
	slices.SortFunc(rows, func(a, b drawnRow) int {
		switch {
		case a.Linked && !b.Linked:
			return -1
		case b.Linked && !a.Linked:
			return 1
		}
		return byKey(a, b)
	})
	return rows[:min(len(rows), linkedRows(rows)+s.others())]
}

// others is how many rows that no link names are wanted.
func (s sampling) others() int { return max(0, s.Count-len(s.Linked)) }

// linkedRows counts the rows that links name.
func linkedRows(rows []drawnRow) int {
	n := 0
	for _, d := range rows {
		if d.Linked {
			n++
		}
	}
	return n
}

// Merge implements [fold.Job].
func (s sampling) Merge(_ []byte, _ int64, parts []fold.Part) ([]byte, error) {
	var all []drawnRow
	for _, p := range parts {
		var some []drawnRow
		if err := decode(p.Data, &some); err != nil {
			return nil, err
		}
		all = s.smallest(append(all, some...))
	}
	return json.Marshal(all)
}

// Next implements [fold.Job].
func (s sampling) Next(state []byte, merged []fold.Merged) (next []byte, done bool, err error) {
	var drawn sampleState
	if err := decode(state, &drawn); err != nil {
		return nil, false, err
	}
	for _, m := range merged {
		var some []drawnRow
		if err := decode(m.Data, &some); err != nil {
			return nil, false, err
		}
		drawn.Rows = s.smallest(append(drawn.Rows, some...))
	}
	switch {
	case drawn.Below == math.MaxUint64, len(drawn.Rows)-linkedRows(drawn.Rows) >= s.others():
		done = true
		slices.SortFunc(drawn.Rows,
			func(a, b drawnRow) int { return cmp.Compare(a.Number, b.Number) })
	default:
		drawn.Rows = nil
		if drawn.Below > math.MaxUint64/4 {
			drawn.Below = math.MaxUint64
		} else {
			drawn.Below *= 4
		}
	}
	next, err = json.Marshal(drawn)
	return next, done, err
}

// idOf returns the id of row i of a block: its number in the table, from 1, where there are no ids.
func idOf(b *shard.Block, i int, first int64) string {
	if b.IDs != nil {
		return b.IDs[i]
	}
	return strconv.FormatInt(first+b.Number(i)+1, 10)
}

// decode reads what this package wrote as JSON.
func decode(text []byte, into any) error {
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("landmark: what a worker sent cannot be read: %w", err)
	}
	return nil
}
