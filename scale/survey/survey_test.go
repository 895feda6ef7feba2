package survey

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/shard"
)

// write puts text into a file of a folder.
func write(t testing.TB, folder, name, text string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// run plans and surveys.
func run(src shard.Source, threads int) (shard.Source, *Survey, error) {
	ctx := context.Background()
	src, splits, err := shard.Plan(ctx, src)
	if err != nil {
		return src, nil, err
	}
	s, err := Run(ctx, fold.Local{Threads: threads}, src, splits)
	return src, s, err
}

// parts cuts lines into files with a header each.
func parts(t testing.TB, header string, lines []string, files int) string {
	folder := t.TempDir()
	n := (len(lines) + files - 1) / files
	for k := range files {
		lo, hi := min(k*n, len(lines)), min((k+1)*n, len(lines))
		write(t, folder, fmt.Sprintf("part-%02d.csv", k),
			header+"\n"+strings.Join(lines[lo:hi], "\n")+"\n")
	}
	return folder
}

// near reports whether two figures of a column agree within 10⁻¹² of its size.
func near(got, want, size float64) bool {
	return math.Abs(got-want) <= 1e-12*math.Max(math.Abs(want), size)
}

func TestFiguresAreThoseOfTheTableReadWhole(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(2, 120).Draw(r, "rows")
		shift := rapid.SampledFrom([]float64{0, 1, 1e9, -1e300}).Draw(r, "shift")
		size := rapid.SampledFrom([]float64{1, 1e-200, 1e300}).Draw(r, "size")
		gaps := rapid.SampledFrom([]float64{0, 0.2}).Draw(r, "gaps")
		value := rapid.Float64Range(-1, 1)
		var lines []string
		for i := range n {
			line := fmt.Sprintf("%d,%v,%v,5,%d", i, value.Draw(r, "a")*size,
				value.Draw(r, "b")+shift, i%12)
			if i > 1 && rapid.Float64Range(0, 1).Draw(r, "gap") < gaps {
				line = fmt.Sprintf("%d,,%v,5,%d", i, value.Draw(r, "b")+shift, i%12)
			}
			lines = append(lines, line)
		}
		one := write(t, t.TempDir(), "one.csv", "id,a,b,c,class\n"+strings.Join(lines, "\n")+"\n")
		table, err := dataset.Read(context.Background(), one, dataset.ReadOptions{Label: "class"})
		if err != nil {
			r.Fatal(err)
		}
		src, s, err := run(shard.Source{Paths: []string{parts(t, "id,a,b,c,class", lines,
			rapid.IntRange(1, 3).Draw(r, "files"))}, Label: "class",
			SplitRows: rapid.IntRange(2, 50).Draw(r, "split"),
			BlockRows: rapid.IntRange(1, 20).Draw(r, "block")}, 2)
		if err != nil {
			r.Fatal(err)
		}
		_, classes, _ := table.Labels()
		if s.Rows != int64(table.Rows) || !slices.Equal(s.Classes, classes) ||
			!slices.Equal(src.Columns, []string{"a", "b", "c"}) {
			r.Fatalf("%d rows of %v, classes %v, want %d and %v", s.Rows, src.Columns, s.Classes,
				table.Rows, classes)
		}
		for j, c := range s.Columns {
			want := table.Columns[1+j]
			if c.Min != want.Min || c.Max != want.Max || c.Missing != int64(want.Missing) ||
				!near(c.Mean, want.Mean, want.Max-want.Min) {
				r.Fatalf("column %s: %+v, want min %v max %v mean %v missing %d", c.Name, c,
					want.Min, want.Max, want.Mean, want.Missing)
			}
		}
		for _, scale := range []string{"none", "minmax", "zscore"} {
			for _, missing := range []string{"refuse", "drop", "mean"} {
				how, _ := dataset.ParseScale(scale)
				treat, _ := dataset.ParseMissing(missing)
				want, wantErr := table.Prepare(context.Background(),
					dataset.Preparation{Scale: how, Missing: treat})
				got, err := s.Prepare(scale, missing)
				if wantErr != nil || err != nil {
					if !fault.IsInput(wantErr) || !fault.IsInput(err) {
						r.Fatalf("%s %s: %v, want %v", scale, missing, err, wantErr)
					}
					continue
				}
				for j, e := range want.Encoding.Columns {
					size := s.Columns[j].Max - s.Columns[j].Min
					if e.Fill != nil && !near(got.Fill[j], *e.Fill, size) {
						r.Fatalf("%s %s: fill %v, want %v", scale, missing, got.Fill[j], *e.Fill)
					}
					switch scale {
					case "minmax":
						if got.Shift[j] != e.Shift[0] || got.Divisor[j] != e.Divisor[0] {
							r.Fatalf("%s %s: %v %v, want %v %v", scale, missing, got.Shift[j],
								got.Divisor[j], e.Shift[0], e.Divisor[0])
						}
					case "zscore":
						// Both means are rounded to the size of the values, however small the
						// range.
						rounding := 4 * math.Abs(e.Shift[0]) * 0x1p-52
						if !near(got.Shift[j], e.Shift[0], size) ||
							math.Abs(got.Divisor[j]-e.Divisor[0]) > 1e-12*e.Divisor[0]+rounding {
							r.Fatalf("%s %s: %v %v, want %v %v", scale, missing, got.Shift[j],
								got.Divisor[j], e.Shift[0], e.Divisor[0])
						}
					}
				}
			}
		}
	})
}

// Preparing by a survey makes the very rows that dataset prepares.
func TestPreparedRowsAreThoseOfTheTableReadWhole(t *testing.T) {
	var lines []string
	for i := range 500 {
		a := fmt.Sprint(math.Sin(float64(i)))
		if i%7 == 3 {
			a = "NA"
		}
		lines = append(lines, fmt.Sprintf("%s,%v", a, math.Sqrt(float64(i))))
	}
	one := write(t, t.TempDir(), "one.csv", "a,b\n"+strings.Join(lines, "\n")+"\n")
	table, err := dataset.Read(context.Background(), one, dataset.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := table.Prepare(context.Background(),
		dataset.Preparation{Missing: dataset.MissingDrop})
	if err != nil {
		t.Fatal(err)
	}
	src, s, err := run(shard.Source{Paths: []string{parts(t, "a,b", lines, 3)}, SplitRows: 60,
		BlockRows: 32}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if src.Prepare, err = s.Prepare("minmax", "drop"); err != nil {
		t.Fatal(err)
	}
	var values []float64
	var numbers []int32
	for _, split := range s.Splits {
		_, err := src.Each(context.Background(), split, func(b *shard.Block) error {
			values = append(values, b.X.F64...)
			for i := range b.X.Rows {
				numbers = append(numbers, int32(split.First+b.Number(i)))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(values, want.X.F64) || !slices.Equal(numbers, want.Rows) {
		t.Error("other rows, or in another order")
	}
}

func TestTheSurveyDependsOnTheFilesAlone(t *testing.T) {
	var lines []string
	for i := range 3000 {
		lines = append(lines, fmt.Sprintf("%v,%v", math.Exp(math.Sin(float64(i))), 1/float64(i+1)))
	}
	src := shard.Source{Paths: []string{parts(t, "a,b", lines, 2)}, SplitRows: 200, BlockRows: 64}
	_, first, err := run(src, 1)
	if err != nil {
		t.Fatal(err)
	}
	_, again, err := run(src, 8)
	if err != nil || !reflect.DeepEqual(first, again) {
		t.Errorf("%+v, then %+v, %v", first, again, err)
	}
	text, err := json.Marshal(first)
	if err != nil {
		t.Fatal(err)
	}
	var back Survey
	if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(first, &back) {
		t.Errorf("%v came back from JSON as %+v", err, back)
	}
	row := int64(0)
	for _, s := range first.Splits {
		if s.First != row || s.Rows <= 0 {
			t.Errorf("split %d has row %d and %d more, want row %d", s.Index, s.First, s.Rows, row)
		}
		row += s.Rows
	}
	if row != 3000 || len(first.Splits) < 10 {
		t.Errorf("%d rows in %d splits", row, len(first.Splits))
	}
}

func TestChangedFilesHaveAnotherFingerprint(t *testing.T) {
	folder := t.TempDir()
	path := write(t, folder, "a.csv", "a,b\n1,2\n3,4\n")
	if err := os.Chtimes(path, time.Unix(1, 0), time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	src := shard.Source{Paths: []string{folder}}
	_, first, err := run(src, 1)
	if err != nil {
		t.Fatal(err)
	}
	write(t, folder, "a.csv", "a,b\n1,2\n3,5\n")
	os.Chtimes(path, time.Unix(1, 0), time.Unix(1, 0))
	_, second, err := run(src, 1)
	if err != nil || second.Files != first.Files || second.Fingerprint == first.Fingerprint {
		t.Errorf("the figures are not in the fingerprint: %v", err)
	}
	os.Chtimes(path, time.Unix(2, 0), time.Unix(2, 0))
	_, third, err := run(src, 1)
	if err != nil || third.Files == first.Files {
		t.Errorf("the time is not in the fingerprint: %v", err)
	}
}

func TestUnreadableRowsFailTheSurveyBeyondTheThreshold(t *testing.T) {
	var lines []string
	for i := range 200 {
		if i%20 == 9 {
			lines = append(lines, "oops")
			continue
		}
		lines = append(lines, "1,2")
	}
	src := shard.Source{Paths: []string{parts(t, "a,b", lines, 4)}, SplitRows: 25}
	for bad, fails := range map[shard.Bad]bool{{}: true, {Most: 9}: true, {Most: 10}: false,
		{Share: 0.049}: true, {Share: 0.05}: false, {Most: 10, Share: 0.01}: true} {
		src.BadRows = bad
		_, s, err := run(src, 2)
		if !fails {
			if err != nil || s.Tally.Unreadable != 10 || s.Rows != 190 ||
				len(s.Tally.Samples) != 5 {
				t.Errorf("%+v: %+v, %v", bad, s, err)
			}
			continue
		}
		var in *fault.Input
		if !errors.As(err, &in) {
			t.Errorf("%+v: %v", bad, err)
		} else if bad != (shard.Bad{}) &&
			!(strings.Contains(err.Error(), "10 of 200 rows (5%)") &&
				strings.Contains(err.Error(), "part-00.csv, line 11: has 1 field")) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

func TestMissingValuesAreRefusedByTheirPlace(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, "a.csv", "a,b,c\n1,2,0\n3,4,0\n")
	path := write(t, folder, "b.csv", "a,b,c\n1,2,0\n1,2,0\n1,,0\n,2,0\n1,,0\n")
	_, s, err := run(shard.Source{Paths: []string{folder}, SplitRows: 1, BlockRows: 1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Prepare("minmax", "")
	var in *fault.Input
	if !errors.As(err, &in) || in.File != path || in.Row != 3 || in.Column != "b" ||
		!strings.Contains(in.Problem, "3 missing values in 2") {
		t.Errorf("got %v", err)
	}
	for _, c := range [][2]string{{"minmax", "median"}, {"none", "some"}, {"square", "drop"}} {
		if _, err := s.Prepare(c[0], c[1]); !fault.IsInput(err) {
			t.Errorf("%v: %v", c, err)
		}
	}
}

func TestManyClassesAreNotListed(t *testing.T) {
	var lines []string
	for i := range MaxClasses + 1 {
		lines = append(lines, fmt.Sprintf("%d,c%d", i, i))
	}
	for n, want := range map[int]int{MaxClasses: MaxClasses, MaxClasses + 1: 0} {
		_, s, err := run(shard.Source{Paths: []string{parts(t, "a,kind", lines[:n], 2)},
			Label: "kind", SplitRows: 1000}, 0)
		if err != nil || len(s.Classes) != want || s.ManyClasses != (want == 0) {
			t.Errorf("%d classes: %d listed, %v", n, len(s.Classes), err)
		}
	}
}

func TestDamagedFindingsAreRefused(t *testing.T) {
	f := findings{rows: []int64{3, 4}, whole: 2,
		columns: []columnFound{{Present: moments{N: 2}, Missing: true, Split: 1}}}
	f.classes.add("x")
	b, err := f.encode()
	if err != nil {
		t.Fatal(err)
	}
	if back, err := decodeFindings(b); err != nil || !reflect.DeepEqual(back, &f) {
		t.Fatalf("%+v, %v", back, err)
	}
	for n := range b {
		if _, err := decodeFindings(b[:n]); err == nil {
			t.Errorf("%d bytes of %d were taken", n, len(b))
		}
	}
}

func TestFindingsOfManyClassesAreTheSameBytes(t *testing.T) {
	merged := func() string {
		var all findings
		for split := range 3 {
			f := findings{rows: []int64{4000}, columns: []columnFound{{}}}
			for i := range MaxClasses / 2 {
				f.classes.add(fmt.Sprintf("%d of %d", i, split))
			}
			if err := all.merge(&f); err != nil {
				t.Fatal(err)
			}
		}
		data, err := all.encode()
		if err != nil {
			t.Fatal(err)
		}
		back, err := decodeFindings(data)
		if err != nil || !back.classes.many {
			t.Errorf("%+v, %v", back, err)
		}
		return string(data)
	}
	one, again := merged(), merged()
	if one != again {
		t.Error("the bytes differ from one time to another")
	}
}
