package dataset

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/fault"
)

func TestPrepareKeepsAllRows(t *testing.T) {
	// y is 2x+1 wherever both are there, and word follows from x.
	var text strings.Builder
	text.WriteString("x,y,word\n")
	for i := range 1000 {
		x, y, word := strconv.Itoa(i%10), strconv.Itoa(2*(i%10)+1), "low"
		if i%10 > 4 {
			word = "high"
		}
		switch i {
		case 17:
			y = ""
		case 108:
			word = ""
		}
		text.WriteString(x + "," + y + "," + word + "\n")
	}
	table := readString(t, text.String(), "a.csv", ReadOptions{})
	got := prepare(t, table, Preparation{Missing: MissingKeep, Scale: ScaleNone})
	if got.Rows != nil || got.Dropped != 0 || got.X.Rows != 1000 {
		t.Errorf("rows %v, %d dropped, %d there", got.Rows, got.Dropped, got.X.Rows)
	}
	// Row 17 has x = 7 and so y = 15; row 108 has x = 8 and y = 17, which are those of high.
	if y := got.X.At(17, 1); math.Abs(y-15) > 0.3 {
		t.Errorf("y is predicted as %v, and follows from x as 15", y)
	}
	high, low := got.X.At(108, 2), got.X.At(108, 3)
	if !(high > 0.8 && low < 0.2 && math.Abs(high+low-1) < 1e-9) {
		t.Errorf("high %v, low %v, and high is plain", high, low)
	}
	if got.Names[2] != "word=high" {
		t.Fatal(got.Names)
	}
	note := "all rows were kept: 2 missing values were predicted from the other columns (2 columns)"
	if got.Notes[0] != note {
		t.Errorf("note %q", got.Notes[0])
	}
}

// TestImputationByHand works out the regression of y on x alone.
func TestImputationByHand(t *testing.T) {
	table := readString(t, "x,y\n0,0\n2,4\n0,0\n2,4\n2,\n", "a.csv", ReadOptions{})
	got := prepare(t, table, Preparation{Missing: MissingKeep, Scale: ScaleNone})
	// The mean of x is 1.2, its variance 4.8/5; that of y is 2, its variance 4. The standardised y
	// of rows 1 to 4 is −1, 1, −1, 1 and x times √.96 is −1.2, .8, −1.2, .8, .8.
	r := math.Sqrt(.96)
	xx, xy := 5.0, (1.2+.8+1.2+.8)/r
	slope := xy / (xx + imputeRidge) * 5 / 4 // of standardised columns; y is there in 4 of 5 rows
	want := 2 + 2*slope*.8/r
	if y := got.X.At(4, 1); math.Abs(y-want) > 1e-12 {
		t.Errorf("y is %v, by hand %v", y, want)
	}
	e := got.Encoding
	row := []float64{2, -1}
	e.Impute(row, row, []int{1})
	if row[0] != 2 || math.Abs(row[1]-want) > 1e-12 {
		t.Errorf("a row alone becomes %v", row)
	}
}

// TestImputeIsApply predicts in prepared rows what the recipe predicts in a table.
func TestImputeIsApply(t *testing.T) {
	for _, scale := range []Scale{ScaleNone, ScaleMinMax, ScaleZScore} {
		table := readString(t, mixedCSV, "a.csv", ReadOptions{})
		got := prepare(t, table, Preparation{Missing: MissingKeep, Scale: scale})
		row := got.X.AppendRow(nil, 2) // which lacks age and colour
		want := slices.Clone(row)
		row[0], row[2], row[3], row[4] = 99, 99, 99, 99
		got.Encoding.Impute([]float64{0, 1, 0, 0, 0, 7}, row, []int{0, 2})
		for j := range row {
			if row[j] != want[j] {
				t.Errorf("%v: column %d is %v, not %v", scale, j, row[j], want[j])
			}
		}
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
	// What is there is as it was; what is missing is predicted within the values of its column.
	nan := math.NaN()
	one := 1 / math.Sqrt(12*4./9) // of colours with the variance 1 − (2/3)² − (1/3)²
	want := []float64{nan, 1, 0, one, 0.25, nan, one, 0, 1, 0, nan, nan}
	for i, v := range x.F64 {
		if w := want[i]; w == w && math.Abs(v-w) > 1e-12 || !(v >= 0 && v <= 1) {
			t.Errorf("value %d is %v, not %v", i, v, w)
		}
	}
	if sum := x.F64[10] + x.F64[11]; math.Abs(sum-one) > 1e-12 {
		t.Errorf("the shares of both colours add up to %v", sum)
	}
}

// TestWideTablesAreFilledWithMeans has more columns than weights are learnt for.
func TestWideTablesAreFilledWithMeans(t *testing.T) {
	d := imputeCols + 1
	values := make([]float64, 3*d)
	for i := range values {
		values[i] = float64(i)
	}
	values[d] = math.NaN() // of 0, NaN and 2d
	content := string(npyFile("<f8", "False", fmt.Sprintf("(3, %d)", d), values))
	got := prepare(t, readString(t, content, "a.npy", ReadOptions{}),
		Preparation{Missing: MissingKeep, Scale: ScaleNone})
	if got.Encoding.Imputation.Weights != nil {
		t.Error("weights were learnt")
	}
	if v := got.X.At(1, 0); v != float64(d) {
		t.Errorf("%v is filled in, and the mean is %d", v, d)
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
	if d := table.MatrixCols(); d != 6 {
		t.Errorf("%d columns of the matrix", d)
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

// TestKeepTakesDates predicts a date by its days and parts, and keeps those of other rows.
func TestKeepTakesDates(t *testing.T) {
	var text strings.Builder
	text.WriteString("x,day\n")
	for i := range 60 {
		day := time.Date(2024, 1, 1+i, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
		if i == 40 {
			day = ""
		}
		fmt.Fprintf(&text, "%d,%s\n", i, day)
	}
	o := ReadOptions{Features: []string{"x", "day"}, Dates: DatesDays}
	table := readString(t, text.String(), "a.csv", o)
	got := prepare(t, table, Preparation{Missing: MissingKeep, Scale: ScaleNone})
	if got.X.Cols != 2 || got.X.Rows != 60 || table.MatrixCols() != 2 {
		t.Fatalf("%d rows, %d columns, %v", got.X.Rows, got.X.Cols, got.Names)
	}
	if v := got.X.At(40, 1); math.Abs(v-40) > 2 {
		t.Errorf("the day is predicted as %v, and all others are the number x", v)
	}
	if err := got.Encoding.Check(); err != nil {
		t.Error(err)
	}
	x, _, err := got.Encoding.Apply(context.Background(), readString(t, text.String(), "b.csv", o))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(got.X.F64, x.F64); diff != "" {
		t.Errorf("applied (-want +got):\n%s", diff)
	}
}

// TestWideTablesAreFilledByMeans keeps the rows of a table with too many columns for predictions,
// and says how.
func TestWideTablesAreFilledByMeans(t *testing.T) {
	for columns, want := range map[int][2]string{
		imputeCols: {"what is missing is predicted from the other columns",
			"all rows were kept: 1 missing value was predicted from the other columns (1 column)"},
		imputeCols + 1: {"what is missing is filled in by the mean of its column",
			"all rows were kept: 1 missing value was filled in by the mean of the column (1 column)"},
	} {
		var text strings.Builder
		for row := range 4 {
			for j := range columns {
				if j > 0 {
					text.WriteString(",")
				}
				switch {
				case row == 0:
					fmt.Fprintf(&text, "v%d", j)
				case row > 1 || j > 0:
					fmt.Fprint(&text, float64(j%7)+0.5*float64(row))
				}
			}
			text.WriteString("\n")
		}
		table := readString(t, text.String(), "a.csv", ReadOptions{})
		if got := table.Gaps().About(MissingKeep); got != "keep all rows: "+want[0] {
			t.Errorf("%d columns: %q", columns, got)
		}
		got := prepare(t, table, Preparation{Missing: MissingKeep, Scale: ScaleNone})
		if !slices.Contains(got.Notes, want[1]) {
			t.Errorf("%d columns: no note %q in %q", columns, want[1], got.Notes)
		}
		if v := got.X.At(0, 0); columns > imputeCols && v != 1.25 {
			t.Errorf("the mean of 1 and 1.5 is %v", v)
		}
	}
}

// TestFixesQuoteColumnsForTheShell: a fix can be copied to a shell, whatever the column is called.
func TestFixesQuoteColumnsForTheShell(t *testing.T) {
	table, err := ReadStream(t.Context(), strings.NewReader("Umsatz (EUR);y\n1;2\n;3\n2;1\n"),
		"a.csv", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = table.Prepare(t.Context(), Preparation{})
	if err == nil || !strings.Contains(err.Error(), "(--drop 'Umsatz (EUR)')") {
		t.Error(err)
	}
}

// TestMissingVectorsNameTheirColumn: the numbers of a vector are no columns that can be dropped.
func TestMissingVectorsNameTheirColumn(t *testing.T) {
	table, err := ReadStream(t.Context(),
		strings.NewReader(`{"v":[1,2]}`+"\n"+`{"v":null}`+"\n"+`{"v":[2,1]}`+"\n"), "a.jsonl",
		ReadOptions{Vectors: "v"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = table.Prepare(t.Context(), Preparation{})
	if in, ok := err.(*fault.Input); !ok || in.Column != "v" || in.Row != 2 ||
		strings.Contains(in.Fix, "--drop") || !strings.Contains(in.Fix, "--missing drop") {
		t.Error(err)
	}
}
