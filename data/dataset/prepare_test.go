package dataset

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func prepare(tb testing.TB, t *Table, p Preparation) *Prepared {
	tb.Helper()
	out, err := t.Prepare(context.Background(), p)
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

const mixedCSV = `age,member,colour,constant
10,yes,red,7
20,no,green,7
,yes,,7
40,,red,7
10,yes,red,7
20,no,blue,7
`

func TestPrepareFillsSpreadsAndScales(t *testing.T) {
	table := readString(t, mixedCSV, "a.csv", ReadOptions{})
	got := prepare(t, table, Preparation{Missing: MissingMean})
	// Four colours of six are red, so that their variance is 1 − (4² + 1 + 1)/6² = 1/2.
	one := 1 / math.Sqrt(6)
	want := &Prepared{
		// The mean age is 20; member and red are the most frequent.
		X: Matrix{Rows: 6, Cols: 6, F64: []float64{
			0, 1, 0, 0, one, 0,
			1. / 3, 0, 0, one, 0, 0,
			1. / 3, 1, 0, 0, one, 0,
			1, 1, 0, 0, one, 0,
			0, 1, 0, 0, one, 0,
			1. / 3, 0, one, 0, 0, 0,
		}},
		Names: []string{"age", "member", "colour=blue", "colour=green", "colour=red",
			"constant"},
		Duplicates: 1,
		Notes: []string{
			"3 missing values were filled in by the mean of the column, or the most frequent " +
				"value (3 columns)",
			"category colour became 3 columns of zeros and ones before scaling",
			"1 row equals an earlier one in all features: kept",
			"constant, so 0 after scaling: constant",
		},
		Filled: "3 missing values were filled in by the mean of the column, or the most frequent " +
			"value (3 columns)",
		Encoding: Encoding{Missing: MissingMean, Columns: []EncodedColumn{
			{Source: "age", Fill: ptr(20.), Shift: []float64{10}, Divisor: []float64{30}},
			{Source: "member", Type: Boolean, Fill: ptr(1.), Shift: []float64{0},
				Divisor: []float64{1}},
			{Source: "colour", Type: Category, Levels: []string{"blue", "green", "red"},
				Fill: ptr(2.), Shift: []float64{0, 0, 0}, Divisor: []float64{1 / one, 1 / one,
					1 / one}},
			{Source: "constant", Fill: ptr(7.), Shift: []float64{7}, Divisor: []float64{0}},
		}},
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-14)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if table.Cell(0, 1) != "yes" || table.Cell(2, 2) != "" {
		t.Error("the table changed")
	}
}

func TestPrepareDrops(t *testing.T) {
	table := readString(t, mixedCSV, "a.csv", ReadOptions{})
	got := prepare(t, table,
		Preparation{Missing: MissingDrop, Duplicates: DuplicatesDrop, Scale: ScaleNone,
			Consume: true})
	if diff := cmp.Diff([]int32{0, 1, 5}, got.Rows); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if got.Dropped != 2 || got.Duplicates != 1 {
		t.Errorf("%d dropped, %d duplicates", got.Dropped, got.Duplicates)
	}
	want := []float64{10, 1, 0, 0, 1, 7, 20, 0, 0, 1, 0, 7, 20, 0, 1, 0, 0, 7}
	if diff := cmp.Diff(want, got.X.F64); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
	if table.Cell(0, 0) != "" {
		t.Error("a consumed table still shows values")
	}
	if _, err := table.Prepare(context.Background(), Preparation{}); err == nil {
		t.Error("a consumed table was prepared again")
	}
}

func TestPrepareRefuses(t *testing.T) {
	ctx := context.Background()
	_, err := readString(t, mixedCSV, "a.csv", ReadOptions{}).Prepare(ctx, Preparation{})
	wantFault(t, err, "a.csv, row 3, column age: the first of 3 missing values in 3 features; "+
		"keep all rows (--missing keep), drop such rows (--missing drop), fill them in (--missing "+
		"mean or median), or leave the column out (--drop age)")
	_, err = readString(t, "x,y\n1,\n,1\n", "a.csv", ReadOptions{}).Prepare(ctx,
		Preparation{Missing: MissingDrop})
	wantFault(t, err, "a.csv: every row has a missing value, so dropping such rows leaves none")
	_, err = readString(t, "x,y\n1,\n2,\n", "a.csv",
		ReadOptions{Features: []string{"x", "y"}}).Prepare(ctx, Preparation{Missing: MissingMean})
	wantFault(t, err, "a.csv, column y: has no values, so there is nothing to fill it in with; "+
		"leave it out (--drop)")
	_, err = readString(t, "class\na\nb\na\n", "a.csv", ReadOptions{Label: "class"}).Prepare(ctx,
		Preparation{})
	wantFault(t, err, "a.csv: no column can be a feature; name some with --features")
	_, err = readString(t, "x\n-1.7e308\n1.7e308\n", "a.csv", ReadOptions{}).Prepare(ctx,
		Preparation{})
	wantFault(t, err, "a.csv, column x: its values are too far apart to be scaled in 64-bit "+
		"numbers")
}

// TestManyColumns prepares a table whose columns must not be searched one by one: 300 000 times
// 300 000 names would take most of ten minutes.
func TestManyColumns(t *testing.T) {
	d := 300_000
	if testing.Short() {
		d = 50_000
	}
	values := make([]float64, 2*d)
	for j := range d {
		values[d+j] = float64(j + 1)
	}
	content := string(npyFile("<f8", "False", fmt.Sprintf("(2, %d)", d), values))
	table := readString(t, content, "a.npy", ReadOptions{})
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	got, err := table.Prepare(ctx, Preparation{})
	if err != nil {
		t.Fatal(err)
	}
	again := readString(t, content, "a.npy", ReadOptions{Features: got.Encoding.Sources()})
	x, _, err := got.Encoding.Apply(ctx, again)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(x.F64, got.X.F64) || x.At(1, d-1) != 1 {
		t.Error("the recipe makes another matrix")
	}
}

// TestZScoreOfExtremes scales values whose squares are beyond float64.
func TestZScoreOfExtremes(t *testing.T) {
	want := prepare(t, readString(t, "x\n1\n2\n3\n", "a.csv", ReadOptions{}),
		Preparation{Scale: ScaleZScore}).X.F64
	for _, unit := range []string{"e-200", "e-300", "e-318", "e200", "e307", "e0"} {
		content := "x\n1" + unit + "\n2" + unit + "\n3" + unit + "\n"
		got := prepare(t, readString(t, content, "a.csv", ReadOptions{}),
			Preparation{Scale: ScaleZScore})
		for i, v := range got.X.F64 {
			if math.Abs(v-want[i]) > 1e-5 { // 1e-318 has few bits
				t.Errorf("%s: row %d becomes %v, want %v", unit, i+1, v, want[i])
			}
		}
		if len(got.Notes) != 0 {
			t.Errorf("%s: notes %q", unit, got.Notes)
		}
	}
	got := prepare(t, readString(t, "x\n0\n0\n0\n0\n0\n0\n0\n0\n0\n5e-324\n", "a.csv",
		ReadOptions{}), Preparation{Scale: ScaleZScore})
	if got.X.F64[9] != 1 || len(got.Notes) != 1 {
		t.Errorf("the smallest difference becomes %v, %q", got.X.F64, got.Notes)
	}
}

// TestMeanOfHugeValues takes the mean of values whose sum is beyond float64, in blocks that cancel
// out and in blocks that do not.
func TestMeanOfHugeValues(t *testing.T) {
	up, down := strings.Repeat("1e308,1e308\n", statRows),
		strings.Repeat("-1e308,1.5e308\n", statRows)
	table := readString(t, "x,y\n"+up+down+",\n", "a.csv", ReadOptions{})
	if x, y := table.Columns[0].Mean, table.Columns[1].Mean; math.Abs(x) > 1e295 ||
		math.Abs(y-1.25e308) > 1e297 {
		t.Errorf("the means are %v and %v", x, y)
	}
	got := prepare(t, table, Preparation{Missing: MissingMean, Scale: ScaleNone})
	if got.Rows != nil || got.X.Rows != 2*statRows+1 || math.Abs(got.X.At(2*statRows, 0)) > 1e295 {
		t.Errorf("%d rows, the last one %v", got.X.Rows, got.X.At(2*statRows, 0))
	}
	x := prepare(t, readString(t, "x\n"+strings.Repeat("1.7e308\n1e308\n", 10), "a.csv",
		ReadOptions{}), Preparation{Scale: ScaleZScore}).X
	if math.Abs(x.F64[0]-1) > 1e-12 || math.Abs(x.F64[1]+1) > 1e-12 {
		t.Errorf("scaled values %v", x.F64[:2])
	}
}

func TestFloat32StaysFloat32(t *testing.T) {
	content := string(npyFile("<f4", "False", "(3, 2)", []float32{0, 5, 1, 5, 4, 5}))
	for _, consume := range []bool{false, true} {
		got := prepare(t, readString(t, content, "a.npy", ReadOptions{}),
			Preparation{Consume: consume})
		if diff := cmp.Diff(Matrix{Rows: 3, Cols: 2, F32: []float32{0, 0, .25, 0, 1, 0}},
			got.X); diff != "" {
			t.Errorf("consume %v (-want +got):\n%s", consume, diff)
		}
	}
}

// TestConsumeLeavesOutColumns prepares in place a table whose matrix has fewer columns.
func TestConsumeLeavesOutColumns(t *testing.T) {
	for _, consume := range []bool{false, true} {
		table := readString(t, "a,none,b\n1,,5\n2,,6\n,,7\n4,,8\n", "a.csv", ReadOptions{})
		got := prepare(t, table,
			Preparation{Missing: MissingDrop, Scale: ScaleNone, Consume: consume})
		if diff := cmp.Diff(Matrix{Rows: 3, Cols: 2, F64: []float64{1, 5, 2, 6, 4, 8}},
			got.X); diff != "" {
			t.Errorf("consume %v (-want +got):\n%s", consume, diff)
		}
	}
}

// TestPrepareAgainstPlainCode compares with a straightforward computation on random tables with
// missing values, duplicates and a category, for all ways to prepare them, threads and consumption.
func TestPrepareAgainstPlainCode(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(2, 30).Draw(rt, "rows")
		var content strings.Builder
		content.WriteString("x,y\n")
		rows := make([][2]float64, n)
		for i := range rows {
			for j := range rows[i] {
				rows[i][j] = rapid.SampledFrom([]float64{math.NaN(), 0, 1, -2.5, 7}).Draw(rt,
					"value")
				if j == 1 {
					content.WriteByte(',')
				}
				if !math.IsNaN(rows[i][j]) {
					content.WriteString(strconv.FormatFloat(rows[i][j], 'g', -1, 64))
				}
			}
			content.WriteByte('\n')
		}
		p := Preparation{
			Scale: rapid.SampledFrom([]Scale{ScaleMinMax, ScaleNone, ScaleZScore}).Draw(rt,
				"scale"),
			Duplicates: rapid.SampledFrom([]Duplicates{DuplicatesKeep, DuplicatesDrop}).Draw(rt,
				"duplicates"),
			Missing: MissingDrop,
			Consume: rapid.Bool().Draw(rt, "consume"),
			Threads: rapid.IntRange(1, 3).Draw(rt, "threads"),
		}
		var want [][2]float64
		var from []int32
		duplicates := 0
		for i, r := range rows {
			if math.IsNaN(r[0]) || math.IsNaN(r[1]) {
				continue
			}
			twin := false
			for _, other := range want {
				twin = twin || other == r
			}
			if twin {
				duplicates++
				if p.Duplicates == DuplicatesDrop {
					continue
				}
			}
			want, from = append(want, r), append(from, int32(i))
		}
		for j := range 2 {
			lo, hi, mean, variance := math.Inf(1), math.Inf(-1), 0.0, 0.0
			for _, r := range want {
				lo, hi, mean = min(lo, r[j]), max(hi, r[j]), mean+r[j]/float64(len(want))
			}
			for _, r := range want {
				variance += (r[j] - mean) * (r[j] - mean) / float64(len(want))
			}
			for i := range want {
				switch {
				case p.Scale == ScaleNone:
				case lo == hi:
					want[i][j] = 0
				case p.Scale == ScaleMinMax:
					want[i][j] = (want[i][j] - lo) / (hi - lo)
				default:
					want[i][j] = (want[i][j] - mean) / math.Sqrt(variance)
				}
			}
		}
		table, err := ReadStream(context.Background(), strings.NewReader(content.String()), "a.csv",
			ReadOptions{Features: []string{"x", "y"}})
		if err != nil {
			rt.Fatal(err)
		}
		got, err := table.Prepare(context.Background(), p)
		if len(want) == 0 {
			if err == nil {
				rt.Fatal("a table without a whole row was prepared")
			}
			return
		}
		if err != nil {
			rt.Fatal(err)
		}
		if got.X.Rows != len(want) || got.Duplicates != duplicates {
			rt.Fatalf("%d rows, %d duplicates, want %d, %d", got.X.Rows, got.Duplicates, len(want),
				duplicates)
		}
		for i, r := range want {
			if got.Rows != nil && got.Rows[i] != from[i] || got.Rows == nil && from[i] != int32(i) {
				rt.Fatalf("row %d comes from another row", i)
			}
			for j, v := range r {
				if g := got.X.At(i, j); math.Abs(g-v) > 1e-12 {
					rt.Fatalf("row %d, column %d is %v, want %v", i, j, g, v)
				}
			}
		}
	})
}

// TestEncodingRepeatsThePreparation applies a recipe, after a trip through JSON, to the table that
// it was made from.
func TestEncodingRepeatsThePreparation(t *testing.T) {
	for _, scale := range []Scale{ScaleMinMax, ScaleNone, ScaleZScore} {
		for _, missing := range []Missing{MissingMean, MissingMedian, MissingDrop} {
			table := readString(t, mixedCSV, "a.csv", ReadOptions{})
			want := prepare(t, table, Preparation{Scale: scale, Missing: missing})
			text, err := json.Marshal(want.Encoding)
			if err != nil {
				t.Fatal(err)
			}
			var e Encoding
			if err := json.Unmarshal(text, &e); err != nil {
				t.Fatal(err)
			}
			x, rows, err := e.Apply(context.Background(), table)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want.X, x); diff != "" {
				t.Errorf("%v, %v (-want +got):\n%s", scale, missing, diff)
			}
			if diff := cmp.Diff(want.Rows, rows); diff != "" {
				t.Errorf("%v, %v: rows (-want +got):\n%s", scale, missing, diff)
			}
		}
	}
}

func TestEncodingOfOtherRows(t *testing.T) {
	ctx := context.Background()
	e := prepare(t, readString(t, mixedCSV, "a.csv", ReadOptions{Drop: []string{"constant"}}),
		Preparation{Missing: MissingMedian}).Encoding
	o := ReadOptions{Features: e.Sources()}
	later := readString(t, "colour,member,age\npink,no,25\n,,\nred,yes,-5\n", "b.csv", o)
	x, rows, err := e.Apply(ctx, later)
	if err != nil || rows != nil {
		t.Fatal(rows, err)
	}
	third := 1. / 3
	red := 1 / math.Sqrt(6) // as in TestPrepareFillsSpreadsAndScales
	want := []float64{0.5, 0, 0, 0, 0, third, 1, 0, 0, red, -0.5, 1, 0, 0, red}
	if diff := cmp.Diff(want, x.F64, cmpopts.EquateApprox(0, 1e-14)); diff != "" {
		t.Errorf("values (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{`column colour: 1 value is unknown and count as none of the ` +
		`known ones, the first "pink" in row 1`}, e.Unknown(later)); diff != "" {
		t.Errorf("notes (-want +got):\n%s", diff)
	}

	_, _, err = e.Apply(ctx,
		readString(t, "color,member,age\nred,yes,1\nred,no,2\n", "b.csv", ReadOptions{}))
	wantFault(t, err, `b.csv, column colour: is missing; the model needs it; did you mean "color"?`)
	_, _, err = e.Apply(ctx,
		readString(t, "colour,member,age\nred,yes,old\ngreen,no,old\n", "b.csv", o))
	wantFault(t, err, "b.csv, column age: is category here, but was number when the model was made")
	_, _, err = e.Apply(ctx,
		readString(t, "colour,member,age\nred,yes,1\n", "b.csv",
			ReadOptions{Drop: []string{"age"}}))
	wantFault(t, err, "b.csv, column age: is needed as a feature, but it is unused here")
}

func TestChoicesHaveNames(t *testing.T) {
	for _, s := range []Scale{ScaleMinMax, ScaleNone, ScaleZScore} {
		if got, err := ParseScale(s.String()); err != nil || got != s {
			t.Errorf("%v reads as %v, %v", s, got, err)
		}
	}
	for _, m := range []Missing{MissingRefuse, MissingDrop, MissingMean, MissingMedian} {
		if got, err := ParseMissing(m.String()); err != nil || got != m {
			t.Errorf("%v reads as %v, %v", m, got, err)
		}
	}
	for _, d := range []Duplicates{DuplicatesKeep, DuplicatesDrop} {
		if got, err := ParseDuplicates(d.String()); err != nil || got != d {
			t.Errorf("%v reads as %v, %v", d, got, err)
		}
	}
	if _, err := ParseScale("MINMAX"); err == nil ||
		err.Error() != `unknown scale "MINMAX": give one of minmax, none, zscore` {
		t.Errorf("an unknown scale: %v", err)
	}
}
