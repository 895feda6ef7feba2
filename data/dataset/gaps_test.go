package dataset

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestPrepareKeepsAllRows(t *testing.T) {
	table := readString(t, mixedCSV, "a.csv", ReadOptions{})
	got := prepare(t, table, Preparation{Missing: MissingKeep})
	// The ages 10, 20, 10, 20 and 40 have the median 20. The member of row 3 is as far from yes as
	// from no, and the colour of row 4 as far from blue as from green and red.
	want := []float64{
		0, 1, 0, 0, 1, 0,
		1. / 3, 0, 0, 1, 0, 0,
		1. / 3, 1, 0, 0, 0, 0,
		1, 0.5, 0, 0, 1, 0,
		0, 1, 0, 0, 1, 0,
		1. / 3, 0, 1, 0, 0, 0,
	}
	if diff := cmp.Diff(want, got.X.F64); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
	if got.Rows != nil || got.Dropped != 0 {
		t.Errorf("rows %v, %d dropped", got.Rows, got.Dropped)
	}
	note := "all rows were kept: 3 missing values count as the median of the column, or as equally " +
		"far from all values of a category (3 columns)"
	if got.Notes[0] != note {
		t.Errorf("note %q", got.Notes[0])
	}
}

// TestKeepKnowsWhatWasNeverMissing encodes rows that lack values in columns that had all of them.
func TestKeepKnowsWhatWasNeverMissing(t *testing.T) {
	fitted := readString(t, "x,ok,colour\n0,yes,red\n4,no,red\n8,no,blue\n", "a.csv", ReadOptions{})
	e := prepare(t, fitted, Preparation{Missing: MissingKeep}).Encoding
	text, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	var again Encoding
	if err := json.Unmarshal(text, &again); err != nil {
		t.Fatal(err)
	}
	if err := again.Check(); err != nil {
		t.Fatal(err)
	}
	fresh := readString(t, "x,ok,colour\n,yes,red\n2,,blue\n8,no,\n", "b.csv",
		ReadOptions{Features: again.Sources()})
	x, rows, err := again.Apply(context.Background(), fresh)
	if err != nil || rows != nil {
		t.Fatal(rows, err)
	}
	want := []float64{0.5, 1, 0, 1, 0.25, 0.5, 1, 0, 1, 0, 0, 0}
	if diff := cmp.Diff(want, x.F64); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
}

func TestKeepTakesAColumnWithoutValues(t *testing.T) {
	table := readString(t, "x,y\n1,\n2,\n", "a.csv", ReadOptions{Features: []string{"x", "y"}})
	got := prepare(t, table, Preparation{Missing: MissingKeep})
	if diff := cmp.Diff([]float64{0, 0, 1, 0}, got.X.F64); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
}

func TestRefusalListsGaps(t *testing.T) {
	table := readString(t, mixedCSV, "a.csv", ReadOptions{})
	_, err := table.Prepare(context.Background(), Preparation{})
	var gaps *Gaps
	if !errors.As(err, &gaps) {
		t.Fatalf("no gaps in %v", err)
	}
	want := &Gaps{Values: 3, Rows: 6, Lacking: 2,
		Columns: []GapColumn{{"age", 1}, {"member", 1}, {"colour", 1}},
		Choices: []Missing{MissingKeep, MissingDrop, MissingMedian, MissingMean}}
	if diff := cmp.Diff(want, gaps); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want, table.Gaps()); diff != "" {
		t.Errorf("Gaps (-want +got):\n%s", diff)
	}
	if gaps.Error() != "3 missing values in 3 columns" {
		t.Error(gaps)
	}
	whole := readString(t, "x\n1\n2\n", "a.csv", ReadOptions{})
	if g := whole.Gaps(); g != nil {
		t.Errorf("gaps in a whole table: %v", g)
	}
}

// TestKeepLosesNothing draws tables with holes: every row stays, no value is missing afterwards, and
// the recipe makes the same matrix of the same rows.
func TestKeepLosesNothing(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(2, 30).Draw(rt, "rows")
		var text strings.Builder
		text.WriteString("number,truth,word\n")
		cell := func(name string, values ...string) string {
			return rapid.SampledFrom(append(values, "")).Draw(rt, name)
		}
		for range n {
			fmt.Fprintf(&text, "%s,%s,%s\n", cell("number", "1", "2.5", "-3", "1e3"),
				cell("truth", "yes", "no"), cell("word", "red", "green", "blue"))
		}
		text.WriteString("0,yes,red\n1,no,blue\n") // so that each type shows
		table := readString(t, text.String(), "a.csv", ReadOptions{})
		scale := rapid.SampledFrom([]Scale{ScaleMinMax, ScaleNone, ScaleZScore}).Draw(rt, "scale")
		got := prepare(t, table, Preparation{Missing: MissingKeep, Scale: scale})
		if got.Rows != nil || got.X.Rows != n+2 {
			rt.Fatalf("%d of %d rows", got.X.Rows, n+2)
		}
		for i, v := range got.X.F64 {
			if !isFinite(v) {
				rt.Fatalf("value %d is %v", i, v)
			}
		}
		again := readString(t, text.String(), "a.csv",
			ReadOptions{Features: got.Encoding.Sources()})
		x, rows, err := got.Encoding.Apply(context.Background(), again)
		if err != nil || rows != nil {
			rt.Fatal(rows, err)
		}
		for i, v := range x.F64 {
			if math.Float64bits(v) != math.Float64bits(got.X.F64[i]) {
				rt.Fatalf("value %d is %v, and was %v", i, v, got.X.F64[i])
			}
		}
	})
}
