package competitive

import (
	"context"
	"errors"
	"fmt"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/internal/sample"
	"github.com/kindred-go/kindred/scale/shard"
	"github.com/kindred-go/kindred/scale/survey"
)

const (
	sampled       = 20_000  // rows to start by, about: as many as package competitive looks at
	sampledValues = 1 << 22 // values of them, unless there are so many prototypes
)

// gathered is what was found.
type gathered struct {
	Linked []linkedRow // by their place among the ids
	Rows   []sample.Row
}

// linkedRow is a row that links name.
type linkedRow struct {
	Place  int   // among the ids
	Number int64 // in the table, from 0
	Values competitive.Floats
}

// gather finds the rows to start by and those that links name; the latter by their place among ids.
// It reads nothing where neither is wanted.
func gather(ctx context.Context, r fold.Runner, src shard.Source, sv *survey.Survey, cfg Config,
	ids []string) (gathered, error) {
	cols := len(src.Columns)
	if len(ids) > mostLinked/cols {
		return gathered{}, &fault.Input{Problem: fmt.Sprintf("links name %d rows of %d columns",
			len(ids), cols), Fix: fmt.Sprintf("give links of at most %d rows", mostLinked/cols)}
	}
	w := sample.Wanted{IDs: ids}
	if cfg.Prototypes.Rows == 0 {
		// Each row is drawn by itself, so the number varies: the bound allows for that, so that
		// prototypes never lack rows.
		want := int64(max(2*cfg.Clusters+50, min(sampled, sampledValues/cols)))
		w.Seed, w.Below = cfg.Seed, sample.Below(want, sv.Kept(src))
	}
	var found sample.Found
	if len(ids) > 0 || w.Below > 0 {
		bare := src
		if bare.Label = ""; len(ids) == 0 {
			bare.ID = ""
		}
		var err error
		if found, err = sample.Find(ctx, r, "online-gather", bare, sv, w); err != nil {
			return gathered{}, err
		}
	}
	of := map[string][]sample.Row{}
	for _, row := range found.Named {
		of[row.ID] = append(of[row.ID], row)
	}
	out := gathered{Rows: found.Drawn}
	for i, id := range ids {
		switch rows := of[id]; len(rows) {
		case 0:
			fix := "give ids of the column " + src.ID
			if src.ID == "" {
				fix = fmt.Sprintf("rows are numbered from 1 to %d; name the column of ids if "+
					"they have any", sv.Rows)
			}
			lacking := fmt.Sprintf("a link names the row %.40q, which the table does not have", id)
			if src.Prepare.Missing == shard.MissingDrop {
				lacking += ", or which is left out for a missing value"
			}
			return gathered{}, fault.Inputf(fix, "%s", lacking)
		case 1:
			out.Linked = append(out.Linked, linkedRow{i, rows[0].Number, rows[0].Values})
		default:
			return gathered{}, &fault.Input{Row: int(rows[1].Number + 1), Column: src.ID,
				Fix: "give ids that are of one row each",
				Problem: fmt.Sprintf("the id %.40q, which a link names, is that of row %d too", id,
					rows[0].Number+1)}
		}
	}
	return out, nil
}

// numbered puts into a fault of a row of the sample the number of the row in the table.
func (g gathered) numbered(err error, columns []string) error {
	in := (*fault.Input)(nil)
	if err = inColumn(err, columns); errors.As(err, &in) && in.Row > 0 && in.Row <= len(g.Rows) {
		in.Row = int(g.Rows[in.Row-1].Number + 1)
	}
	return err
}
