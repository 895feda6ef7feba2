package frame

import (
	"bytes"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/parquet-go/parquet-go"
	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/filelock"
	"github.com/kindred-go/kindred/internal/pages/pagestest"
)

var rawMeasures = []string{"nmi", "squared"}

// TestRawRunsComeBackTheSame: any runs, whatever their names, in the order written; and writing is
// a function of the runs.
func TestRawRunsComeBackTheSame(t *testing.T) {
	path := filepath.Join(t.TempDir(), runsFile)
	text := rapid.StringOf(rapid.Rune()).Filter(func(s string) bool {
		return strings.ToValidUTF8(s, "") == s
	})
	value := rapid.OneOf(rapid.Just(math.NaN()),
		rapid.Float64().Filter(func(v float64) bool { return !math.IsInf(v, 0) && !math.IsNaN(v) }))
	rapid.Check(t, func(t *rapid.T) {
		runs := rapid.SliceOf(rapid.Custom(func(t *rapid.T) Run {
			return Run{
				Key: Key{text.Draw(t, "part"), text.Draw(t, "set"), text.Draw(t, "setting"),
					rapid.IntRange(1, 10_000).Draw(t, "draw")},
				Start: rapid.IntRange(1, 50).Draw(t, "start"), Method: text.Draw(t, "method"),
				Values: []float64{value.Draw(t, "first"), value.Draw(t, "second")},
			}
		})).Draw(t, "runs")
		var b, again bytes.Buffer
		if err := errors.Join(writeRuns(&b, rawMeasures, runs),
			writeRuns(&again, rawMeasures, runs)); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(b.Bytes(), again.Bytes()) {
			t.Fatal("other bytes the second time")
		}
		if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
		got, err := readRuns(path, rawMeasures)
		if err != nil {
			t.Fatal(err)
		}
		same := func(a, b Run) bool {
			return a.Key == b.Key && a.Start == b.Start && a.Method == b.Method &&
				slices.EqualFunc(a.Values, b.Values, func(v, w float64) bool {
					return math.Float64bits(v) == math.Float64bits(w) ||
						math.IsNaN(v) && math.IsNaN(w)
				})
		}
		if !slices.EqualFunc(got, runs, same) {
			t.Fatalf("read %v, not %v", got, runs)
		}
	})
}

// TestRawRunsAreATable: other programs read them, column by column.
func TestRawRunsAreATable(t *testing.T) {
	path := filepath.Join(t.TempDir(), runsFile)
	rewrite(t, path, []Run{
		{Key: Key{"only", "wine", "plain", 1}, Start: 1, Method: "a", Values: []float64{.25, 7}},
		{Key: Key{"only", "wine", "plain", 1}, Start: 1, Method: "b",
			Values: []float64{.5, math.NaN()}},
	})
	table, err := dataset.Read(t.Context(), path,
		dataset.ReadOptions{Features: []string{"nmi", "squared", "draw", "method"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(table.Columns) != 8 || table.Columns[0].Name != "part" ||
		table.Columns[7].Name != "squared" || table.Columns[7].Missing != 1 {
		t.Errorf("columns %+v", table.Columns)
	}
	if got := table.Value(1, table.Column("nmi")); got != .5 {
		t.Errorf("read %g", got)
	}
}

// TestDamagedRunsAreRefused: nothing of them is lost, and the message has what to do.
func TestDamagedRunsAreRefused(t *testing.T) {
	good := Run{Key: Key{"only", "wine", "plain", 1}, Start: 1, Method: "a",
		Values: []float64{1, 1}}
	written := func(measures []string, runs ...Run) []byte {
		var b bytes.Buffer
		if err := writeRuns(&b, measures, runs); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	changed := func(change func(r *Run)) []byte {
		bad := good
		bad.Values = slices.Clone(good.Values)
		change(&bad)
		return written(rawMeasures, good, bad)
	}
	whole := written(rawMeasures, good, good)
	var foreign bytes.Buffer
	if err := parquet.Write(&foreign, []struct{ A, B int }{{1, 2}}); err != nil {
		t.Fatal(err)
	}
	var lz4 bytes.Buffer
	damaged := parquet.Compression(pagestest.Damaged{Codec: &parquet.Lz4Raw})
	w := parquet.NewGenericWriter[any](&lz4, rawSchema(rawMeasures), damaged)
	if _, err := w.WriteRows([]parquet.Row{rawRow(good), rawRow(good)}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		runs           []byte
		settings, says string
	}{
		"no settings":     {whole, "", "no settings.json"},
		"broken settings": {whole, "{", "cannot be read"},
		"another table":   {whole, "data", "not the one that these runs are of"},
		"other measures": {written([]string{"nmi"},
			Run{Key: good.Key, Start: 1, Method: "a", Values: []float64{1}}), "ok",
			"the columns are not part,set,setting,draw,start,method,nmi,squared"},
		"another file":  {foreign.Bytes(), "ok", "the columns are not"},
		"damaged pages": {lz4.Bytes(), "ok", "column part: is damaged in row group 1"},
		"a draw 0": {changed(func(r *Run) { r.Draw = 0 }), "ok",
			"row 2, column draw: 0 is no whole number from 1"},
		"a start -1": {changed(func(r *Run) { r.Start = -1 }), "ok",
			"row 2, column start: -1 is no whole number"},
		"an infinity": {changed(func(r *Run) { r.Values[0] = math.Inf(1) }), "ok",
			"row 2, column nmi: +Inf is no number"},
		"truncated": {whole[:len(whole)-9], "ok", "is a damaged Parquet file"},
		"half":      {whole[:len(whole)/2], "ok", "is a damaged Parquet file"},
		"empty":     {nil, "ok", "is a damaged Parquet file"},
		"text": {[]byte("part,set,setting,draw,start,method,nmi,squared\n"), "ok",
			"is a damaged Parquet file"},
	} {
		t.Run(what, func(t *testing.T) {
			var ran atomic.Int32
			folder := t.TempDir()
			if _, err := made(&ran).Run(t.Context(), Config{Trials: 1, Out: folder}); err != nil {
				t.Fatal(err)
			}
			write := func(name string, content []byte) {
				if err := os.WriteFile(filepath.Join(folder, name), content, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			write(runsFile, c.runs)
			switch c.settings {
			case "ok":
			case "":
				if err := os.Remove(filepath.Join(folder, settingsFile)); err != nil {
					t.Fatal(err)
				}
			case "data":
				write(settingsFile,
					[]byte(`{"experiment":"made","protocol":1,"sets":{"wine":"other"}}`))
			default:
				write(settingsFile, []byte(c.settings))
			}
			_, err := made(&ran).Run(t.Context(), Config{Out: folder})
			if !fault.IsInput(err) || !strings.Contains(err.Error(), c.says) ||
				!strings.Contains(err.Error(), "remove this file to begin anew") {
				t.Errorf("got %v, not %q", err, c.says)
			}
			if after, err := os.ReadFile(filepath.Join(folder, runsFile)); err != nil ||
				!bytes.Equal(after, c.runs) {
				t.Errorf("the file was changed: %v", err)
			}
		})
	}
}

// FuzzRawRuns: no file makes the reader fall over.
func FuzzRawRuns(f *testing.F) {
	var b bytes.Buffer
	if err := writeRuns(&b, rawMeasures,
		[]Run{{Key: Key{"p", "s", "t", 1}, Start: 1, Method: "m",
			Values: []float64{1, math.NaN()}}}); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	f.Add(b.Bytes()[:b.Len()-8])
	f.Add([]byte("PAR1PAR1"))
	f.Fuzz(func(t *testing.T, content []byte) {
		path := filepath.Join(t.TempDir(), runsFile)
		if err := os.WriteFile(path, content, 0o666); err != nil {
			t.Fatal(err)
		}
		runs, err := readRuns(path, rawMeasures)
		if err != nil && (runs != nil || !fault.IsInput(err)) {
			t.Errorf("%d runs and %v", len(runs), err)
		}
	})
}

// TestPartsKeepEachOthersRuns: running one part alone forgets none of another.
func TestPartsKeepEachOthersRuns(t *testing.T) {
	var ran atomic.Int32
	folder := t.TempDir()
	e := made(&ran)
	e.Parts = append(e.Parts, Part{Name: "bare", Bare: true})
	sets := e.Units
	e.Units = func(p Plan) []Unit {
		var units []Unit
		if p.Has("only") {
			units = sets(p)
		}
		if p.Has("bare") {
			units = append(units,
				Unit{Key: Key{Part: "bare", Draw: 1}, Starts: 1, Methods: []string{"a"},
					Do: onerun(1, 2)})
		}
		return units
	}
	if _, err := e.Run(t.Context(), Config{Out: folder}); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, runsFile)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"bare", "only", "bare"} {
		if _, err := e.Run(t.Context(), Config{Out: folder, Parts: []string{part}}); err != nil {
			t.Fatal(err)
		}
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(after, whole) {
		t.Errorf("the parts one by one gave other raw runs: %v", err)
	}
}

func TestTwoRunsDoNotShareAFolder(t *testing.T) {
	var ran atomic.Int32
	folder := t.TempDir()
	release, err := filelock.Beside(filepath.Join(folder, runsFile))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := made(&ran).Run(t.Context(), Config{Out: folder}); !fault.IsInput(err) ||
		!strings.Contains(err.Error(), "another run is under way") {
		t.Errorf("got %v", err)
	}
	release()
	if _, err := made(&ran).Run(t.Context(), Config{Out: folder}); err != nil {
		t.Error(err)
	}
}
