package competitive

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/internal/sample"
	"github.com/kindred-go/kindred/scale/shard"
	"github.com/kindred-go/kindred/scale/survey"
)

// gatherJob is the name of the job that looks for the rows to start by, and for those that links
// name.
const gatherJob = "online-gather"

func init() {
	fold.Register(gatherJob, func(config []byte) (fold.Job, error) {
		var g gathering
		if err := json.Unmarshal(config, &g); err != nil {
			return nil, err
		}
		g.ids = map[string]int{}
		for i, id := range g.IDs {
			g.ids[id] = i
		}
		return g, nil
	})
}

const (
	sampled       = 20_000  // rows to start by, about: as many as package competitive looks at
	sampledValues = 1 << 22 // values of them, unless there are so many prototypes

	// enough rows of one id are two: that is one too many, and a column of ids may have the same
	// for every row.
	enough = 2
)

// gathering is the configuration of the job: the rows looked for.
type gathering struct {
	IDs   []string // of rows that links name
	Named bool     // by a column; else ids are numbers from 1
	Seed  uint64   // of the sample
	Below uint64   // rows are of the sample whose keys are not above it; 0: none

	ids map[string]int
}

// gathered is what was found: rows by where they are in the table.
type gathered struct {
	Linked []linkedRow
	Rows   []sampleRow
}

// linkedRow is a row that links name.
type linkedRow struct {
	Place  int   // among the ids
	Number int64 // in the table, from 0
	Values competitive.Floats
}

type sampleRow struct {
	Number int64
	Values competitive.Floats
}

// gather finds the rows to start by and those that links name; the latter by their place among ids.
// It reads nothing where neither is wanted.
func gather(ctx context.Context, r fold.Runner, src shard.Source, sv *survey.Survey, cfg Config,
	ids []string) (gathered, error) {
	g := gathering{IDs: ids, Named: src.ID != ""}
	cols := len(src.Columns)
	if len(ids) > mostLinked/cols {
		return gathered{}, &fault.Input{Problem: fmt.Sprintf("links name %d rows of %d columns",
			len(ids), cols), Fix: fmt.Sprintf("give links of at most %d rows", mostLinked/cols)}
	}
	if cfg.Prototypes.Rows == 0 {
		// Each row is drawn by itself, so the number varies: the bound allows for that, so that
		// prototypes never lack rows.
		want := int64(max(2*cfg.Clusters+50, min(sampled, sampledValues/cols)))
		g.Seed, g.Below = cfg.Seed, sample.Below(want, sv.Kept(src))
	}
	var found gathered
	if len(ids) > 0 || cfg.Prototypes.Rows == 0 {
		config, err := json.Marshal(g)
		if err != nil {
			return gathered{}, err
		}
		if len(ids) == 0 {
			src = src.Bare()
		}
		src.Label = ""
		out, err := r.Rounds(ctx,
			fold.Plan{Name: "online-gather", Job: gatherJob, Config: config, Source: src,
				Splits: sv.Splits})
		if err != nil {
			return gathered{}, err
		}
		if err := json.Unmarshal(out.State, &found); err != nil {
			return gathered{}, err
		}
	}
	slices.SortStableFunc(found.Linked, func(a, b linkedRow) int { return a.Place - b.Place })
	for i, id := range ids {
		switch {
		case i >= len(found.Linked) || found.Linked[i].Place > i:
			fix := "give ids of the column " + src.ID
			if !g.Named {
				fix = fmt.Sprintf("rows are numbered from 1 to %d; name the column of ids if "+
					"they have any", sv.Rows)
			}
			lacking := fmt.Sprintf("a link names the row %.40q, which the table does not have", id)
			if src.Prepare.Missing == shard.MissingDrop {
				lacking += ", or which is left out for a missing value"
			}
			return gathered{}, &fault.Input{Problem: lacking, Fix: fix}
		case i+1 < len(found.Linked) && found.Linked[i+1].Place == i:
			return gathered{}, &fault.Input{Row: int(found.Linked[i+1].Number + 1), Column: src.ID,
				Fix: "give ids that are of one row each",
				Problem: fmt.Sprintf("the id %.40q, which a link names, is that of row %d too", id,
					found.Linked[i].Number+1)}
		}
	}
	return found, nil
}

// sample returns the rows to start by as a matrix.
func (g gathered) sample(cols int) dataset.Matrix {
	x := dataset.Matrix{Rows: len(g.Rows), Cols: cols, F64: make([]float64, 0, len(g.Rows)*cols)}
	for _, r := range g.Rows {
		x.F64 = append(x.F64, r.Values...)
	}
	return x
}

// numbered returns a fault in a row of the sample the number that the row has in the table.
func (g gathered) numbered(err error, columns []string) error {
	in := (*fault.Input)(nil)
	if err = inColumn(err, columns); errors.As(err, &in) && in.Row > 0 && in.Row <= len(g.Rows) {
		in.Row = int(g.Rows[in.Row-1].Number + 1)
	}
	return err
}

// Kernel implements [fold.Job].
func (g gathering) Kernel(_ []byte, split shard.Split) (fold.Kernel, error) {
	return &gatherer{gathering: g, split: split, seen: map[int]int{}}, nil
}

// gatherer looks for rows in a split.
type gatherer struct {
	gathering
	split shard.Split
	seen  map[int]int // rows found, by their place among the ids
	found gathered
}

// Block implements [fold.Kernel].
func (g *gatherer) Block(b *shard.Block) error {
	for i := range b.X.Rows {
		number := g.split.First + b.Number(i)
		if g.Below > 0 && sample.Key(g.Seed, number) <= g.Below {
			g.found.Rows = append(g.found.Rows, sampleRow{number, b.X.AppendRow(nil, i)})
		}
		if len(g.ids) == 0 {
			continue
		}
		var place int
		var named bool
		if g.Named {
			place, named = g.ids[b.IDs[i]]
		} else {
			place, named = g.ids[strconv.FormatInt(number+1, 10)]
		}
		if named && g.seen[place] < enough {
			g.seen[place]++
			g.found.Linked = append(g.found.Linked, linkedRow{place, number, b.X.AppendRow(nil, i)})
		}
	}
	return nil
}

// End implements [fold.Kernel].
func (g *gatherer) End(emit func(key int64, data []byte)) error {
	data, err := json.Marshal(g.found)
	if err == nil && len(g.found.Linked)+len(g.found.Rows) > 0 {
		emit(0, data)
	}
	return err
}

// Merge implements [fold.Job].
func (gathering) Merge(_ []byte, _ int64, parts []fold.Part) ([]byte, error) {
	var all gathered
	seen := map[int]int{}
	for _, p := range parts {
		var g gathered
		if err := json.Unmarshal(p.Data, &g); err != nil {
			return nil, err
		}
		all.Rows = append(all.Rows, g.Rows...)
		for _, r := range g.Linked {
			if seen[r.Place] < enough {
				seen[r.Place]++
				all.Linked = append(all.Linked, r)
			}
		}
	}
	return json.Marshal(all)
}

// Next implements [fold.Job].
func (gathering) Next(_ []byte, merged []fold.Merged) ([]byte, bool, error) {
	if len(merged) == 0 {
		data, err := json.Marshal(gathered{})
		return data, true, err
	}
	return merged[0].Data, true, nil
}
