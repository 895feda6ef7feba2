package eval

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/data/partition"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/safe"
	"github.com/kindred-go/kindred/scale/shard"
)

// Side is where clusters or classes lie: one per row of a table.
type Side struct {
	// Folder holds parts that were written for the same splits of the table, with the columns id
	// and Column. "": the table itself.
	Folder string

	// Column is the column of clusters or classes. In parts they are numbers, 0 is noise, and ""
	// means cluster. In the table they are numbers or texts, and "" means Source.Label.
	Column string
}

// reading is how a side is read. It travels to workers.
type reading struct {
	Column string // of the table; "": Parts
	// of Column among the table's columns of numbers; −1: it is the table's label
	Index  int
	Parts  shard.Source          // of the parts: one column of numbers, and ids
	Files  map[int][]shard.Split // the splits of the part of each split of the table
	Folder string
	ID     bool // the table has ids; else rows are numbered from 1
}

// plan finds the parts, or the column in the table: as its label, or, where both sides are columns,
// the one as a number.
func (s Side) plan(ctx context.Context, src *shard.Source, splits int) (reading, error) {
	if s.Folder != "" {
		return s.planParts(ctx, src.ID != "", splits)
	}
	if s.Column == "" {
		return reading{}, fault.Inputf("name it with --label",
			"no column of clusters or classes is named")
	}
	if src.Label == "" || src.Label == s.Column {
		src.Label = s.Column
		return reading{Column: s.Column, Index: -1}, nil
	}
	at := slices.Index(src.Columns, s.Column)
	if at < 0 {
		at = len(src.Columns)
		src.Columns = append(slices.Clone(src.Columns), s.Column)
	}
	return reading{Column: s.Column, Index: at}, nil
}

// planParts looks at the parts. Their names have the split.
func (s Side) planParts(ctx context.Context, id bool, splits int) (reading, error) {
	column := cmp.Or(s.Column, partition.ClusterColumn)
	src, found, err := shard.Plan(ctx,
		shard.Source{Paths: []string{s.Folder}, Columns: []string{column}, ID: partition.IDColumn,
			Prepare: shard.Preparation{Missing: shard.MissingKeep}})
	if err != nil {
		return reading{}, err
	}
	r := reading{Parts: src, Files: map[int][]shard.Split{}, Folder: s.Folder, ID: id}
	for _, split := range found {
		digits, is := strings.CutPrefix(path.Base(split.File), "part-")
		digits, _, _ = strings.Cut(digits, ".")
		n, err := strconv.Atoi(digits)
		if !is || err != nil || n < 0 {
			return reading{}, &fault.Input{File: split.File, Problem: "is no part by its name",
				Fix: "name a folder that holds the parts of one run and nothing else"}
		}
		if n >= splits {
			return reading{}, &fault.Input{File: split.File,
				Problem: fmt.Sprintf(
					"is a part of a split that the table does not have: there are %d", splits),
				Fix: "name the table, with the size of splits, that the parts were written for"}
		}
		if len(r.Files[n]) > 0 && r.Files[n][0].File != split.File {
			return reading{}, &fault.Input{File: split.File,
				Problem: "is a second part of the same split, beside " +
					path.Base(r.Files[n][0].File),
				Fix: "name a folder that holds the parts of one run"}
		}
		r.Files[n] = append(r.Files[n], split)
	}
	return r, nil
}

// reader returns the label of one row of a split after the other.
type reader struct {
	*reading
	split shard.Split

	next  func() (*shard.Block, error, bool)
	stop  func()
	block *shard.Block // of the part; what is left of it begins at row
	row   int
	guard bool // ids are guarded as CSV is
	names map[float64]string
}

// open begins with a split.
func (r *reading) open(split shard.Split) (*reader, error) {
	out := &reader{reading: r, split: split, stop: func() {}, names: map[float64]string{}}
	if r.Column != "" {
		return out, nil
	}
	if !r.ID && split.First < 0 {
		return nil, fmt.Errorf("scoring: split %d was not counted", split.Index)
	}
	ctx, cancel := context.WithCancel(context.Background())
	next, stop := iter.Pull2(func(yield func(*shard.Block, error) bool) {
		for _, s := range r.Files[split.Index] {
			_, err := r.Parts.Each(ctx, s, func(b *shard.Block) error {
				if !yield(b, nil) {
					cancel()
				}
				return ctx.Err()
			})
			if ctx.Err() != nil || err != nil && !yield(nil, err) {
				return
			}
		}
	})
	out.next, out.stop = next, func() { stop(); cancel() }
	if files := r.Files[split.Index]; len(files) > 0 {
		name := strings.TrimSuffix(strings.ToLower(files[0].File), ".gz")
		out.guard = strings.HasSuffix(name, ".csv") || strings.HasSuffix(name, ".tsv")
	}
	return out, nil
}

// Close lets go of the part.
func (r *reader) Close() { r.stop() }

// label returns the label of row i of a block of the table, "" where there is none. Rows of a part
// are taken one by one, and must have the ids of those of the table.
func (r *reader) label(b *shard.Block, i int) (string, error) {
	if r.Column != "" {
		if r.Index < 0 {
			return b.Labels[i], nil
		}
		return r.name(b.X.At(i, r.Index)), nil
	}
	for r.block == nil || r.row == r.block.X.Rows {
		block, err, ok := r.next()
		if err != nil {
			return "", err
		}
		if !ok && len(r.Files[r.split.Index]) == 0 {
			return "", &fault.Input{File: r.Folder,
				Problem: fmt.Sprintf("holds no part of split %d of the table", r.split.Index),
				Fix: "let the run that writes the parts finish; or name the table, with the size " +
					"of splits, that they were written for"}
		}
		if !ok {
			return "", r.mismatch(fmt.Sprintf("has fewer rows than split %d of the table",
				r.split.Index))
		}
		r.block, r.row = block, 0
	}
	id, want := r.block.IDs[r.row], b.ID(i, r.split.First)
	if id != want && !(r.guard && safe.Unguard(id) == want) {
		return "", r.mismatch(
			fmt.Sprintf("row %d is of the id %q, and of split %d of the table of %q",
				r.block.Number(r.row)+1, id, r.split.Index, want))
	}
	label := r.name(r.block.X.At(r.row, 0))
	r.row++
	return label, nil
}

// end checks that the part has no more rows.
func (r *reader) end() error {
	if r.Column != "" {
		return nil
	}
	more := r.block != nil && r.row < r.block.X.Rows
	if !more {
		_, err, ok := r.next()
		if err != nil {
			return err
		}
		more = ok
	}
	if more {
		return r.mismatch(fmt.Sprintf("has more rows than split %d of the table", r.split.Index))
	}
	return nil
}

func (r *reader) mismatch(problem string) error {
	file := r.Folder
	if files := r.Files[r.split.Index]; len(files) > 0 {
		file = files[0].File
	}
	return &fault.Input{File: file, Problem: problem,
		Fix: "name the table, with the columns and the size of splits, that the parts were " +
			"written for"}
}

// name writes a number as it stands in files, "" where it is missing.
func (r *reader) name(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	if v == 0 {
		v = 0 // −0 is no other name
	}
	name, known := r.names[v]
	if !known {
		name = strconv.FormatFloat(v, 'f', -1, 64)
		if len(r.names) < MostNames {
			r.names[v] = name
		}
	}
	return name
}
