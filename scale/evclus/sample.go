package evclus

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/internal/sample"
	"github.com/kindred-go/kindred/scale/shard"
	"github.com/kindred-go/kindred/scale/survey"
)

// sampleName names the checkpoints of the pass that draws landmarks.
const sampleName = "landmark-sample"

// sampling draws rows: those of the smallest keys, and those named.
type sampling struct {
	Count int    // rows, named ones included
	Seed  uint64 // of the keys
	// ids of the rows named, each once; all of them are drawn, of an id that many rows have two
	Linked []string
}

// drawnRow is a row and its values.
type drawnRow struct {
	Row
	Linked bool
	X      []float64
}

// draw returns the rows drawn, in the order of the table. A pass takes only rows with keys below a
// bound under which enough are expected, so that splits send few rows each; should there be too
// few, another pass takes a higher one.
func draw(ctx context.Context, r fold.Runner, src shard.Source, sv *survey.Survey,
	s sampling) ([]drawnRow, error) {
	w := sample.Wanted{Seed: s.Seed, Most: max(0, s.Count-len(s.Linked)), IDs: s.Linked,
		Apart: true}
	if w.Most > 0 {
		w.Below = bound(s.Count, sv.Kept(src))
	}
	name := sampleName
	var found sample.Found
	for pass := 2; ; pass++ {
		var err error
		if found, err = sample.Find(ctx, r, name, src, sv, w); err != nil {
			return nil, err
		}
		if len(found.Drawn) >= w.Most || w.Below == math.MaxUint64 {
			break
		}
		if w.Below > math.MaxUint64/4 {
			w.Below = math.MaxUint64
		} else {
			w.Below *= 4
		}
		name = fmt.Sprintf("%s-%d", sampleName, pass)
	}
	var drawn []drawnRow
	for linked, rows := range [][]sample.Row{found.Drawn, found.Named} {
		for _, r := range rows {
			for j, v := range r.Values {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					return nil, &fault.Input{Row: int(r.Number) + 1,
						Problem: fmt.Sprintf("value %d of the row is not a finite number", j+1),
						Fix:     "fix it or leave the row out"}
				}
			}
			drawn = append(drawn, drawnRow{Row: Row{Number: r.Number, ID: r.ID, Label: r.Label},
				Linked: linked == 1, X: r.Values})
		}
	}
	slices.SortFunc(drawn, func(a, b drawnRow) int { return cmp.Compare(a.Number, b.Number) })
	return drawn, nil
}

// bound returns a key under which count of n keys are found but one time in 10⁸.
func bound(count int, n int64) uint64 {
	return sample.Below(int64(float64(count)+6*math.Sqrt(float64(count))+20), n)
}

// decode reads what this package wrote as JSON.
func decode(text []byte, into any) error {
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("landmark: what a worker sent cannot be read: %w", err)
	}
	return nil
}
