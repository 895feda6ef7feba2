package eval

import (
	"context"
	"hash/fnv"

	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/shard"
	"github.com/kindred-go/kindred/scale/survey"
)

const compareJob = "scoring-compare"

// tableKeys is over how many keys the clusters of a table are spread, so that many workers merge a
// large one.
const tableKeys = 64

func init() { fold.RegisterSum[comparing](compareJob) }

// Compare counts the rows of each found cluster in each true class, in one pass. Its [Table.Report]
// is what `kindred score` reports.
//
// Either side is a column of the table, or the parts that a pipeline wrote for the same splits of
// it. Rows without a cluster or a class are left out and counted. It fails with a [*fault.Input]
// where parts are of other rows than the table's, and with more than [MostNames] clusters or
// classes, or [MostCells] pairs of them that share rows; and when ctx is done.
func Compare(ctx context.Context, r fold.Runner, src shard.Source, sv *survey.Survey, found,
	truth Side) (*Table, error) {
	var j comparing
	src, err := j.sides(ctx, src, len(sv.Splits), found, truth)
	if err != nil {
		return nil, err
	}
	out, err := fold.Run(ctx, r, fold.Plan{Job: compareJob, Source: src, Splits: sv.Splits}, j)
	if err != nil {
		return nil, err
	}
	return decodeTable(out.State)
}

// comparing is the job.
type comparing struct{ Found, Truth reading }

// sides reports how both sides are read, and returns the source with the columns that they need.
func (j *comparing) sides(ctx context.Context, src shard.Source, splits int, found,
	truth Side) (shard.Source, error) {
	missing := shard.MissingKeep
	if src.Prepare.Missing == shard.MissingDrop {
		missing = shard.MissingDrop
	}
	if missing == shard.MissingKeep && src.BadRows == (shard.Bad{}) {
		src.Columns = nil // else they decide which rows there are
	}
	src.Prepare = shard.Preparation{Missing: missing}
	for _, s := range []*Side{&found, &truth} {
		if *s == (Side{}) {
			s.Column = src.Label
		}
	}
	if found.Column != src.Label && truth.Column != src.Label {
		src.Label = ""
	}
	for _, s := range []struct {
		side Side
		to   *reading
	}{{found, &j.Found}, {truth, &j.Truth}} {
		var err error
		if *s.to, err = s.side.plan(ctx, &src, splits); err != nil {
			return src, err
		}
	}
	return src, nil
}

// Kernel implements [fold.Summing].
func (j *comparing) Kernel(_ []byte, split shard.Split) (fold.Kernel, error) {
	found, err := j.Found.open(split)
	if err != nil {
		return nil, err
	}
	truth, err := j.Truth.open(split)
	if err != nil {
		found.Close()
		return nil, err
	}
	return &compareKernel{found: found, truth: truth, counter: newCounter()}, nil
}

type compareKernel struct {
	found, truth *reader
	counter      *counter
}

// Block implements [fold.Kernel].
func (k *compareKernel) Block(b *shard.Block) error {
	for i := range b.X.Rows {
		found, err := k.found.label(b, i)
		if err != nil {
			return err
		}
		truth, err := k.truth.label(b, i)
		if err != nil {
			return err
		}
		if err := k.counter.add(found, truth, 1); err != nil {
			return err
		}
	}
	return nil
}

// End implements [fold.Kernel].
func (k *compareKernel) End(emit func(key int64, data []byte)) error {
	if err := k.found.end(); err != nil {
		return err
	}
	if err := k.truth.end(); err != nil {
		return err
	}
	for key, t := range k.counter.table().spread() {
		if t != nil {
			data, err := fold.Encode(t)
			if err != nil {
				return err
			}
			emit(int64(key), data)
		}
	}
	return nil
}

// Close lets go of parts, also of a split that failed.
func (k *compareKernel) Close() error {
	k.found.Close()
	k.truth.Close()
	return nil
}

// keyOf returns the key of a cluster.
func keyOf(name string) int {
	h := fnv.New32a()
	h.Write([]byte(name))
	return int(h.Sum32() % tableKeys)
}

// spread cuts a table into those of some clusters each, by key; nil where there are none.
func (t *Table) spread() []*Table {
	out := make([]*Table, tableKeys)
	with := func(key int) *Table {
		if out[key] == nil {
			out[key] = &Table{}
		}
		return out[key]
	}
	if t.Left > 0 {
		with(0).Left = t.Left
	}
	truth := make([][]int32, tableKeys) // place of a class in the list of a key, from 1
	for _, c := range t.Cells {
		key := keyOf(t.Found[c.Found])
		to := with(key)
		if n := len(to.Found); n == 0 || to.Found[n-1] != t.Found[c.Found] {
			to.Found = append(to.Found, t.Found[c.Found])
		}
		if truth[key] == nil {
			truth[key] = make([]int32, len(t.Truth))
		}
		if truth[key][c.Truth] == 0 {
			to.Truth = append(to.Truth, t.Truth[c.Truth])
			truth[key][c.Truth] = int32(len(to.Truth))
		}
		to.Cells = append(to.Cells,
			Cell{int32(len(to.Found) - 1), truth[key][c.Truth] - 1, c.Count})
	}
	return out
}

// Sum implements [fold.Summing].
func (j *comparing) Sum() fold.Sum { return newCounter() }

// Add adds a table that was encoded.
func (c *counter) Add(data []byte) error {
	t, err := decodeTable(data)
	if err != nil {
		return err
	}
	return c.addTable(t)
}

// Bytes encodes the table.
func (c *counter) Bytes() ([]byte, error) { return fold.Encode(c.table()) }
