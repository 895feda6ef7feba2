package evclus

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/cluster/evclus"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/shard"
)

// landmarksOf returns landmarks with the clusters and focal sets of a partition.
func landmarksOf(p *credal.Partition) *landmarks {
	return &landmarks{Model: &evclus.Model{Clusters: p.Clusters, Focal: p.Focal}}
}

// massesOf returns the masses of the landmarks of a model.
func massesOf(m *method.Model) []float64 { return m.Landmarks.By.(*evclus.Model).Mass }

// fitted returns the fit of landmarks of a table in memory.
func fitted(t *testing.T, m inMemory, cfg Config) *Result {
	t.Helper()
	res, err := Fit(t.Context(), m, shard.Source{Columns: columns(m.x.Cols)}, m.survey(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// parts reads what was written of all splits, in order.
func parts(t *testing.T, folder, format string) (*credal.Partition, []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "part-*."+format))
	if err != nil || len(files) == 0 {
		t.Fatalf("no parts in %s: %v", folder, err)
	}
	slices.Sort(files)
	var all *credal.Partition
	var ids []string
	for _, f := range files {
		p, names, err := credal.Read(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		if all == nil {
			all = &credal.Partition{Clusters: p.Clusters, Focal: p.Focal}
		}
		all.Mass, ids = append(all.Mass, p.Mass...), append(ids, names...)
	}
	return all, ids
}

// withStrangers moves every 50th row far from all others.
func withStrangers(x dataset.Matrix) dataset.Matrix {
	for i := 49; i < x.Rows; i += 50 {
		for j := range x.Cols {
			x.F64[i*x.Cols+j] += 1000 * float64(1+i%7)
		}
	}
	return x
}

// TestPlacesAreThoseOfOneMachine: 10⁵ rows, a part of them far from all clusters, get to the last
// bit the masses that the single machine finds for them by the same model, in any splits and
// blocks; and what is summed up in passing is what a second look at the written parts finds.
func TestPlacesAreThoseOfOneMachine(t *testing.T) {
	n := 100_000
	if testing.Short() {
		n = 12_000
	}
	x, _ := blobs(n, 5, 4, 7)
	whole := inMemory{x: withStrangers(x), split: 9973, blocks: 4096}
	m := fitted(t, whole,
		Config{Method: kevclus(t, "clusters=4", "seed=2", "landmarks=300", "model-rows=120")}).Model
	rows, err := dissim.Cross(x, m.Landmarks.Objects.Rows, dissim.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	want, err := m.Landmarks.By.Place(t.Context(), rows, n, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, cut := range []struct {
		split, block int
		format       string
	}{{9973, 4096, "parquet"}, {n, 311, "parquet"}, {4000, 4000, "csv"}, {7001, 97, "jsonl"}} {
		out := Output{Path: t.TempDir(), Format: cut.format, Doubtful: 30}
		cutting := inMemory{x: x, split: cut.split, blocks: cut.block}
		s, err := Place(t.Context(), cutting, shard.Source{}, cutting.survey(), m, out)
		if err != nil {
			t.Fatal(err)
		}
		got, ids := parts(t, out.Path, cut.format)
		if !slices.Equal(got.Focal, want.Focal) || !slices.Equal(got.Mass, want.Mass) {
			t.Fatalf("cut %d: other masses", i)
		}
		for at, id := range ids {
			if id != fmt.Sprint(at+1) {
				t.Fatalf("cut %d: row %d is called %q", i, at+1, id)
			}
		}
		agree(t, s, brute(t, got, func(i int) string { return ids[i] }, 30))
		if s.Outliers < int64(n/50) || len(s.Doubtful) == 0 {
			t.Errorf("cut %d: %d outliers of %d strangers, %d doubtful", i, s.Outliers, n/50,
				len(s.Doubtful))
		}
	}
}

// TestAMillionRows get the masses that the single machine finds for them, in splits and blocks of
// the usual size.
func TestAMillionRows(t *testing.T) {
	if testing.Short() {
		t.Skip("places a million rows twice")
	}
	const n = 1_000_000
	x, _ := blobs(n, 3, 3, 8)
	table := inMemory{x: withStrangers(x), split: shard.DefaultSplitRows,
		blocks: shard.DefaultBlockRows}
	m := fitted(t, table,
		Config{Method: kevclus(t, "clusters=3", "landmarks=200", "model-rows=50")}).Model
	rows, err := dissim.Cross(x, m.Landmarks.Objects.Rows, dissim.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	want, err := m.Landmarks.By.Place(t.Context(), rows, n, 0)
	if err != nil {
		t.Fatal(err)
	}
	out := Output{Path: t.TempDir()}
	s, err := Place(t.Context(), table, shard.Source{}, table.survey(), m, out)
	if err != nil || s.Rows != n {
		t.Fatal(s, err)
	}
	if got, _ := parts(t, out.Path, "parquet"); !slices.Equal(got.Mass, want.Mass) {
		t.Error("other masses")
	}
}

// TestSameBytes: the parts of the same splits are the same files, whatever the blocks.
func TestSameBytes(t *testing.T) {
	x, _ := blobs(3000, 3, 3, 1)
	m := fitted(t, inMemory{x: x, split: 1000, blocks: 500},
		Config{Method: kevclus(t, "clusters=3", "landmarks=100")}).Model
	var first map[string]string
	for _, block := range []int{1000, 128, 7} {
		cut := inMemory{x: x, split: 700, blocks: block}
		out := Output{Path: t.TempDir()}
		if _, err := Place(t.Context(), cut, shard.Source{}, cut.survey(), m, out); err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		files, _ := filepath.Glob(filepath.Join(out.Path, "part-*"))
		for _, f := range files {
			text, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			got[filepath.Base(f)] = string(text)
		}
		if len(got) != 5 {
			t.Fatalf("%d parts of 5 splits", len(got))
		}
		if first == nil {
			first = got
		}
		for name, text := range first {
			if got[name] != text {
				t.Errorf("blocks of %d rows write other bytes of %s", block, name)
			}
		}
	}
}

// TestNothingIsLeftOfASplitThatFails: a part appears at the end, and not before.
func TestNothingIsLeftOfASplitThatFails(t *testing.T) {
	x, _ := blobs(300, 2, 2, 1)
	table := inMemory{x: x, split: 300, blocks: 100}
	m := fitted(t, table, Config{Method: kevclus(t, "clusters=2")}).Model
	out := Output{Path: t.TempDir(), Format: "csv"}
	l, err := placeable(m)
	if err != nil {
		t.Fatal(err)
	}
	config, err := json.Marshal(placing{Landmarks: l, Output: out})
	if err != nil {
		t.Fatal(err)
	}
	job, err := fold.Make(placeJob, config)
	if err != nil {
		t.Fatal(err)
	}
	k, err := job.Kernel(nil, table.survey().Splits[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := table.each(table.survey().Splits[0], k.Block); err != nil {
		t.Fatal(err)
	}
	if err := k.(io.Closer).Close(); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(out.Path); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
	if need := job.(fold.Heavy).KernelBytes(nil); need < 1<<20 || need > 1<<27 {
		t.Errorf("a kernel takes %d bytes", need)
	}
	out.Format = "xlsx"
	if _, err := Place(t.Context(), table, shard.Source{}, table.survey(), m,
		out); !fault.IsInput(err) {
		t.Errorf("parts of .xlsx: %v", err)
	}
}

// TestSplitsWithoutRows have parts all the same, as others know by their number how many there are.
func TestSplitsWithoutRows(t *testing.T) {
	x, _ := blobs(300, 2, 2, 1)
	table := inMemory{x: x, split: 100, blocks: 40, gone: map[int]bool{}}
	m := fitted(t, table, Config{Method: kevclus(t, "clusters=2")}).Model
	for i := range 100 {
		table.gone[100+i] = true
	}
	for _, format := range shard.PartFormats() {
		out := Output{Path: t.TempDir(), Format: format}
		s, err := Place(t.Context(), table, shard.Source{}, table.survey(), m, out)
		if err != nil || s.Rows != 200 {
			t.Fatalf("%s: %+v, %v", format, s, err)
		}
		if files, _ := filepath.Glob(filepath.Join(out.Path, "part-*")); len(files) != 3 {
			t.Errorf("%s: %v", format, files)
		}
	}
}

// TestFarRows: whatever is infinitely far by comparison is an outlier, and one that is too far to
// be compared is refused by its number.
func TestFarRows(t *testing.T) {
	x, _ := blobs(400, 2, 2, 1)
	table := inMemory{x: x, split: 150, blocks: 64}
	m := fitted(t, table,
		Config{Method: kevclus(t, "clusters=2", "landmarks=100")}).Model
	far := inMemory{x: dataset.Matrix{Rows: 3, Cols: 2,
		F64: []float64{1e15, -1e15, 3e30, 1, x.F64[0], x.F64[1]}}, split: 2, blocks: 1}
	s, err := Place(t.Context(), far, shard.Source{}, far.survey(), m, Output{})
	if err != nil {
		t.Fatal(err)
	}
	if s.Rows != 3 || s.Outliers != 2 {
		t.Errorf("of two far rows and a near one %d are outliers, of %d", s.Outliers, s.Rows)
	}
	far.x.F64[4] = math.Inf(1)
	_, err = Place(t.Context(), far, shard.Source{}, far.survey(), m, Output{})
	if !fault.IsInput(err) || err.(*fault.Input).Row != 3 {
		t.Errorf("an infinite value in row 3: %v", err)
	}
}

// TestModelsThatCannotPlace are refused.
func TestModelsThatCannotPlace(t *testing.T) {
	x, _ := blobs(100, 2, 2, 1)
	table := inMemory{x: x, split: 50, blocks: 20}
	good := fitted(t, table, Config{Method: kevclus(t, "clusters=2")}).Model
	for name, spoil := range map[string]func(m *method.Model, l *method.Landmarks){
		"means":    func(m *method.Model, _ *method.Landmarks) { m.Landmarks = nil },
		"a matrix": func(_ *method.Model, l *method.Landmarks) { l.Objects = method.Objects{} },
		"texts": func(_ *method.Model,
			l *method.Landmarks) {
			l.Objects.Metric = dissim.Levenshtein
		},
		"no masses": func(_ *method.Model, l *method.Landmarks) { l.By = &evclus.Model{} },
		"a category": func(m *method.Model, _ *method.Landmarks) {
			m.Encoding.Columns[0] = dataset.EncodedColumn{Type: dataset.Category,
				Levels: []string{"a"}}
		},
		"other width": func(m *method.Model,
			_ *method.Landmarks) {
			m.Encoding.Columns = m.Encoding.Columns[:1]
		},
	} {
		m, l := *good, *good.Landmarks
		m.Landmarks = &l
		m.Encoding.Columns = slices.Clone(m.Encoding.Columns)
		spoil(&m, m.Landmarks)
		if _, err := Place(t.Context(), table, shard.Source{}, table.survey(), &m,
			Output{}); !fault.IsInput(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
