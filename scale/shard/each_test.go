package shard

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/pages/pagestest"
)

// planned returns the source and splits of a file of points.
func planned(t *testing.T, path string, s Source) (Source, []Split) {
	t.Helper()
	s.Paths = []string{path}
	s, splits, err := Plan(context.Background(), s)
	if err != nil {
		t.Fatal(err)
	}
	return s, splits
}

// TestValuesThatAreNoNumbers are refused by file, row and column, left out, or filled in.
func TestValuesThatAreNoNumbers(t *testing.T) {
	rows := points(20)
	rows[3].Y, rows[11].X, rows[11].Y = math.NaN(), math.NaN(), math.NaN()
	path := filepath.Join(t.TempDir(), "a.parquet")
	writeParquet(t, path, rows, parquet.MaxRowsPerRowGroup(6))
	s, splits := planned(t, path, Source{SplitRows: 6, BlockRows: 4})
	read := func(split int) error {
		_, err := s.Each(context.Background(), splits[split], func(*Block) error { return nil })
		return err
	}
	want := path + ", row 4, column y: the value is missing; drop such rows (--missing drop), " +
		"fill them in (--missing mean), or leave the column out (--drop y)"
	if err := read(0); !fault.IsInput(err) || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
	if err := read(1); !fault.IsInput(err) ||
		!strings.Contains(err.Error(), "row 12, column x: the value is missing") {
		t.Error(err)
	}

	s.Prepare.Missing = MissingDrop
	dropped := gather(t, s, splits)
	if dropped.tally.Rows != 20 || dropped.tally.Dropped != 2 ||
		!slices.Equal(dropped.rows,
			[]int64{0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 15, 16, 17, 18, 19}) {
		t.Error(dropped.tally, dropped.rows)
	}
	for i, row := range dropped.rows {
		if dropped.x[2*i] != float64(row) {
			t.Errorf("row %d holds %g", row, dropped.x[2*i])
		}
	}

	s.Prepare = Preparation{Missing: MissingMean, Fill: []float64{100, 200}, Shift: []float64{0, 1},
		Divisor: []float64{2, 0}}
	filled := gather(t, s, splits)
	if filled.x[2*11] != 50 || filled.x[2*11+1] != 0 || filled.x[2*5] != 2.5 ||
		filled.x[2*5+1] != 0 {
		t.Error(filled.x)
	}
	s.Prepare = Preparation{Missing: MissingKeep}
	if kept := gather(t, s, splits); !math.IsNaN(kept.x[2*3+1]) || kept.x[2*3] != 3 ||
		len(kept.rows) != 20 {
		t.Error(kept.x)
	}

	rows[3].X = math.Inf(-1)
	writeParquet(t, path, rows, parquet.MaxRowsPerRowGroup(6))
	for _, missing := range []string{MissingDrop, MissingKeep, MissingRefuse} {
		s.Prepare = Preparation{Missing: missing}
		if err := read(0); !fault.IsInput(err) ||
			!strings.Contains(err.Error(), "row 4, column x: is infinite") {
			t.Errorf("%s: %v", missing, err)
		}
	}
}

// TestReadingStops at an error of who takes the blocks, and when the context ends.
func TestReadingStops(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.parquet")
	writeParquet(t, path, points(1000))
	s, splits := planned(t, path, Source{BlockRows: 10})
	stop, calls := errors.New("enough"), 0
	_, err := s.Each(context.Background(), splits[0], func(*Block) error {
		if calls++; calls == 3 {
			return stop
		}
		return nil
	})
	if err != stop || calls != 3 {
		t.Error(err, calls)
	}
	ctx, cancel := context.WithCancel(context.Background())
	calls = 0
	_, err = s.Each(ctx, splits[0], func(*Block) error { calls++; cancel(); return nil })
	if !errors.Is(err, context.Canceled) || calls != 1 {
		t.Error(err, calls)
	}
}

// TestFilesThatChange after they were planned are refused.
func TestFilesThatChange(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.parquet")
	for name, change := range map[string]func(){
		"has fewer rows":    func() { writeParquet(t, path, points(7)) },
		"no such column":    func() { writeParquet(t, path, []lonePoint{{1}}) },
		"holds no numbers":  func() { writeParquet(t, path, []textPoint{{1, "a"}}) },
		"is a damaged":      func() { os.Truncate(path, 100) },
		"there is no such ": func() { os.Remove(path) },
	} {
		writeParquet(t, path, points(10))
		s, splits := planned(t, path, Source{})
		change()
		if _, err := s.Each(context.Background(), splits[0],
			func(*Block) error { return nil }); !fault.IsInput(err) ||
			!strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestAPanicOfTheTakerIsNoDamage must not send people to look for what is wrong with their file.
func TestAPanicOfTheTakerIsNoDamage(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.parquet")
	writeParquet(t, name, points(3))
	s, splits := planned(t, name, Source{})
	defer func() {
		if p := recover(); p != "a mistake" {
			t.Errorf("got %v", p)
		}
	}()
	_, err := s.Each(context.Background(), splits[0], func(*Block) error { panic("a mistake") })
	t.Errorf("no panic, %v", err)
}

// TestBlocksAreNoLargerThanTheirSplit lets a wide table of few rows be read in the memory that it
// takes.
func TestBlocksAreNoLargerThanTheirSplit(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.parquet")
	writeParquet(t, name, points(3))
	s, splits := planned(t, name, Source{BlockRows: 1 << 50})
	rows := 0
	if _, err := s.Each(context.Background(), splits[0],
		func(b *Block) error { rows += b.X.Rows; return nil }); err != nil || rows != 3 {
		t.Errorf("%d rows, %v", rows, err)
	}
}

// TestPagesThatDoNotInflate reads numbers, ids and classes of files whose pages hold damaged bytes,
// or more than they state.
func TestPagesThatDoNotInflate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.parquet")
	for _, codec := range pagestest.Bad() {
		for _, column := range []string{"x", "s", "t"} {
			content, err := pagestest.File(codec, column, 1000)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, content, 0o666); err != nil {
				t.Fatal(err)
			}
			s, splits := planned(t, path, Source{Columns: []string{"x"}, ID: "s", Label: "t"})
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err = s.Each(context.Background(), splits[0], func(*Block) error { return nil })
			runtime.ReadMemStats(&after)
			want := path + ", column " + column + ": is damaged in row group 1: "
			if !fault.IsInput(err) || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("%s, column %s: %v", codec, column, err)
			}
			if took := after.TotalAlloc - before.TotalAlloc; took > 12<<20 {
				t.Errorf("%s, column %s: %d bytes are allocated", codec, column, took)
			}
		}
	}
}
