package cobra

import (
	"bytes"
	"cmp"
	"context"
	"encoding/gob"
	"encoding/json"
	"slices"
	"strconv"

	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/shard"
	"github.com/kindred-go/kindred/scale/survey"
)

// findJob is the name of the job that looks for rows.
const findJob = "super-find"

func init() {
	fold.Register(findJob, func(config []byte) (fold.Job, error) {
		var f finding
		if err := json.Unmarshal(config, &f); err != nil {
			return nil, err
		}
		f.ids = make(map[string]bool, len(f.IDs))
		for _, id := range f.IDs {
			f.ids[id] = true
		}
		return &f, nil
	})
}

// Row is a row of the table.
type Row struct {
	Number int64  // from 0, over all files
	ID     string // its number from 1, where the source has no ids
	Label  string // "" without one
	Values []float64
}

// Find returns the rows of some numbers, sorted, and those of some ids, in order of the table.
// Splits in which none can be are not read. Values are as src prepares them. Rows that are not
// there, or are left out for missing values, are passed over.
func Find(ctx context.Context, r fold.Runner, name string, src shard.Source, sv *survey.Survey,
	numbers []int64, ids []string) ([]Row, error) {
	config, err := json.Marshal(finding{Numbers: numbers, IDs: ids})
	if err != nil {
		return nil, err
	}
	out, err := r.Rounds(ctx,
		fold.Plan{Name: name, Job: findJob, Config: config, Source: src, Splits: sv.Splits})
	if err != nil {
		return nil, err
	}
	return openRows(out.State)
}

// finding is the job and its configuration. A map of the ids serves all kernels.
type finding struct {
	Numbers []int64
	IDs     []string
	ids     map[string]bool
}

// Kernel implements [fold.Job].
func (f *finding) Kernel(_ []byte, split shard.Split) (fold.Kernel, error) {
	from, _ := slices.BinarySearch(f.Numbers, split.First)
	to, _ := slices.BinarySearch(f.Numbers, split.First+split.Rows)
	if from == to && len(f.ids) == 0 {
		return nil, nil
	}
	return &findKernel{first: split.First, numbers: f.Numbers[from:to], ids: f.ids}, nil
}

// Merge implements [fold.Job].
func (f *finding) Merge(_ []byte, _ int64, parts []fold.Part) ([]byte, error) {
	var all []Row
	for _, p := range parts {
		rows, err := openRows(p.Data)
		if err != nil {
			return nil, err
		}
		all = append(all, rows...)
	}
	slices.SortFunc(all, func(a, b Row) int { return cmp.Compare(a.Number, b.Number) })
	return packRows(all)
}

// Next implements [fold.Job].
func (f *finding) Next(_ []byte, merged []fold.Merged) ([]byte, bool, error) {
	if len(merged) == 0 {
		none, err := packRows(nil)
		return none, true, err
	}
	return merged[0].Data, true, nil
}

// findKernel looks through the rows of one split.
type findKernel struct {
	first   int64
	numbers []int64 // that are still to come
	ids     map[string]bool
	found   []Row
}

// Block implements [fold.Kernel].
func (k *findKernel) Block(b *shard.Block) error {
	for i := range b.X.Rows {
		n := k.first + b.Number(i)
		for len(k.numbers) > 0 && k.numbers[0] < n { // it was left out
			k.numbers = k.numbers[1:]
		}
		wanted := len(k.numbers) > 0 && k.numbers[0] == n
		if !wanted && len(k.ids) == 0 {
			if len(k.numbers) == 0 {
				return nil
			}
			continue
		}
		id := ""
		if b.IDs != nil {
			id = b.IDs[i]
		} else if wanted || len(k.ids) > 0 {
			id = strconv.FormatInt(n+1, 10)
		}
		if !wanted && !k.ids[id] {
			continue
		}
		row := Row{Number: n, ID: id, Values: b.X.AppendRow(nil, i)}
		if b.Labels != nil {
			row.Label = b.Labels[i]
		}
		k.found = append(k.found, row)
	}
	return nil
}

// End implements [fold.Kernel].
func (k *findKernel) End(emit func(key int64, data []byte)) error {
	if len(k.found) == 0 {
		return nil
	}
	data, err := packRows(k.found)
	emit(0, data)
	return err
}

func packRows(rows []Row) ([]byte, error) {
	var b bytes.Buffer
	err := gob.NewEncoder(&b).Encode(rows)
	return b.Bytes(), err
}

func openRows(data []byte) (rows []Row, err error) {
	err = gob.NewDecoder(bytes.NewReader(data)).Decode(&rows)
	return rows, err
}
