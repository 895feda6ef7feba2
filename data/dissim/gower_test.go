package dissim

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
)

// mixed reads a table, all of whose columns are features.
func mixed(t *testing.T, csv string) *dataset.Table {
	t.Helper()
	header, _, _ := strings.Cut(csv, "\n")
	table, err := dataset.ReadStream(t.Context(), strings.NewReader(csv), "a.csv",
		dataset.ReadOptions{Features: strings.Split(header, ",")})
	if err != nil {
		t.Fatal(err)
	}
	return table
}

const people = "height,smokes,town\n150,yes,Bonn\n160,no,Bonn\n200,,Trier\n,yes,Trier\n170,no,\n"

func TestGowerByHand(t *testing.T) {
	old := mixed(t, people)
	space, err := NewGowerSpace(old, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(space)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"columns":[{"name":"height","low":150,"range":50},{"name":"smokes",` +
		`"levels":["no","yes"]},{"name":"town","levels":["Bonn","Trier"]}]}`
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Error(diff)
	}
	x, err := space.Encode(old)
	if err != nil {
		t.Fatal(err)
	}
	src, err := space.Among(x)
	if err != nil {
		t.Fatal(err)
	}
	got := full(src)
	// from the first: height, smokes, town
	for i, want := range []float32{0, (.2 + 1) / 3, 1, .5, .7,
		(.2 + 1) / 3, 0, .9, 1, .1,
		1, .9, 0, 0, .6,
		.5, 1, 0, 0, 1,
		.7, .1, .6, 1, 0} {
		if math.Abs(float64(got[i]-want)) > 1e-6 {
			t.Errorf("d(%d,%d) = %g, want %g", i/5+1, i%5+1, got[i], want)
		}
	}

	// New rows, by the space as it comes back from a file: taller than all, from another town.
	var kept GowerSpace
	if err := json.Unmarshal(text, &kept); err != nil {
		t.Fatal(err)
	}
	fresh := mixed(t, "town,height,smokes\nBonn,300,no\nUlm,150,yes\nBonn,160,no\n")
	y, err := kept.Encode(fresh)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := kept.Cross(y, x)
	if err != nil {
		t.Fatal(err)
	}
	dst := make([]float32, 2)
	rows.Row(dst, 0, []int32{0, 1})
	if diff := cmp.Diff([]float32{2. / 3, 1. / 3}, dst); diff != "" { // height at most 1
		t.Error(diff)
	}
	rows.Row(dst, 1, []int32{0, 3})
	if diff := cmp.Diff([]float32{1. / 3, .5}, dst); diff != "" {
		t.Error(diff)
	}
	all := make([]float32, 5)
	rows.Row(all, 2, nil)
	if diff := cmp.Diff(got[5:10], all); diff != "" { // the row of the second
		t.Error(diff)
	}
}

// TestGowerSkipsMissingValues for any pattern of them, or names two rows that share no column.
func TestGowerSkipsMissingValues(t *testing.T) {
	space := &GowerSpace{Columns: []GowerColumn{{Name: "a", Range: 1},
		{Name: "b", Levels: []string{"x", "y", "z"}}, {Name: "c", Range: 1}}}
	value := rapid.SampledFrom([]float64{0, 1, 2, math.NaN()})
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "n")
		x := dataset.Matrix{Rows: n, Cols: 3, F64: rapid.SliceOfN(value, 3*n, 3*n).Draw(t, "x")}
		want := make([]float64, n*n)
		strangers := false
		for i := range n {
			for j := range n {
				total, shared := 0.0, 0
				for k := range 3 {
					a, b := x.At(i, k), x.At(j, k)
					if math.IsNaN(a) || math.IsNaN(b) {
						continue
					}
					shared++
					// of the values drawn, categories differ by at least 1
					total += min(1, math.Abs(a-b))
				}
				strangers = strangers || shared == 0
				want[i*n+j] = total / float64(shared)
			}
		}
		src, err := space.Among(x)
		if strangers {
			if !fault.IsInput(err) || !strings.Contains(err.Error(), "cannot be compared") {
				t.Fatal(err)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		for i, d := range full(src) {
			if math.Abs(float64(d)-want[i]) > 1e-6 {
				t.Fatalf("d(%d,%d) = %g, want %g", i/n+1, i%n+1, d, want[i])
			}
		}
	})
}

// TestGowerTakesManyPatterns of missing values: comparing each with each would take minutes.
func TestGowerTakesManyPatterns(t *testing.T) {
	const rows, columns = 100_000, 40
	r := rand.New(rand.NewPCG(5, 6))
	space := &GowerSpace{Columns: make([]GowerColumn, columns)}
	x := dataset.Matrix{Rows: rows, Cols: columns, F64: make([]float64, rows*columns)}
	for i := range x.F64 {
		if r.IntN(10) == 0 {
			x.F64[i] = math.NaN()
		}
	}
	if _, err := space.Among(x); err != nil {
		t.Error(err)
	}
}

func TestGowerRefuses(t *testing.T) {
	old := mixed(t, people)
	space, err := NewGowerSpace(old, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for csv, want := range map[string]string{
		"height,smokes\n1,yes\n2,no\n": "column town: there is no such column",
		"height,smokes,town\nlow,yes,Bonn\nhigh,no,Bonn\n": "column height: is not of the kind " +
			"it was",
	} {
		if _, err := space.Encode(mixed(t, csv)); !fault.IsInput(err) ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", csv, err)
		}
	}
	x, err := space.Encode(mixed(t, "height,smokes,town\n,yes,\n150,,Bonn\n1,no,Trier\n"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := space.Among(x); !fault.IsInput(err) || !strings.Contains(err.Error(), "row 1: ") ||
		!strings.Contains(err.Error(), "row "+strconv.Itoa(2)) {
		t.Error(err)
	}
	x.F64[3], x.F64[4], x.F64[5] = math.NaN(), math.NaN(), math.NaN()
	if _, err := space.Among(x); !fault.IsInput(err) ||
		!strings.Contains(err.Error(), "row 2: has no value in any column") {
		t.Error(err)
	}
	if _, err := space.Cross(x, dataset.Matrix{Cols: 2}); !fault.IsInput(err) {
		t.Error(err)
	}
}

// TestGowerWeighs: columns count by their weights, and a column that is not compared has none.
func TestGowerWeighs(t *testing.T) {
	old := mixed(t, people)
	space, err := NewGowerSpace(old, nil, map[string]float64{"height": 3, "town": 0.5})
	if err != nil {
		t.Fatal(err)
	}
	x, err := space.Encode(old)
	if err != nil {
		t.Fatal(err)
	}
	src, err := space.Among(x)
	if err != nil {
		t.Fatal(err)
	}
	got := full(src)
	for j, want := range []float32{0, (3*.2 + 1) / 4.5, (3 + .5) / 3.5, .5 / 1.5, (3*.4 + 1) / 4} {
		if math.Abs(float64(got[j]-want)) > 1e-6 {
			t.Errorf("from the first to row %d: %v, not %v", j+1, got[j], want)
		}
	}
	text, err := json.Marshal(space)
	if err != nil || !strings.Contains(string(text), `"range":50,"weight":3`) {
		t.Errorf("%s (%v)", text, err)
	}
	if _, err := NewGowerSpace(old, nil, map[string]float64{"hight": 3}); err == nil {
		t.Error("a weight of no column is taken")
	}
}
