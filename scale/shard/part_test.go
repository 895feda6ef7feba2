package shard

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
)

// writeHarvest writes one part with what needs care: quotes, commas, line ends, numbers of all
// bits.
func writeHarvest(out, format string, split, rows int) error {
	p, err := CreateLabels(out, Split{Index: split}, format)
	if err != nil {
		return err
	}
	defer p.Abort()
	for lo := 0; lo < rows; lo += 300 {
		var ids []string
		var clusters []int64
		for i := lo; i < min(rows, lo+300); i++ {
			ids = append(ids,
				[]string{"plain", `with "quotes", commas`, "two\nlines", "", "größer"}[i%5])
			clusters = append(clusters, int64(i)+1<<60)
		}
		if err := p.Write(&Block{IDs: ids}, clusters); err != nil {
			return err
		}
	}
	return p.Close()
}

// TestPartsReadBack reads parts of every format with dataset.
func TestPartsReadBack(t *testing.T) {
	for _, format := range PartFormats() {
		out := filepath.Join(t.TempDir(), "new", "folder")
		for split := range 2 {
			if err := writeHarvest(out, format, split, 1000); err != nil {
				t.Fatal(err)
			}
		}
		path := filepath.Join(out, "part-00001."+format)
		table, err := dataset.Read(context.Background(), path,
			dataset.ReadOptions{Label: "cluster", Keep: true})
		if err != nil {
			t.Fatal(format, err)
		}
		if table.Rows != 1000 || len(table.Columns) != 2 || table.Columns[1].Name != "cluster" {
			t.Fatalf("%s: %d rows, %+v", format, table.Rows, table.Columns)
		}
		for i := range 1000 {
			if name := table.Cell(i, 0); i%5 == 1 && name != `with "quotes", commas` ||
				i%5 == 2 && name != "two\nlines" || i%5 == 4 && name != "größer" {
				t.Fatalf("%s, row %d: %q", format, i, name)
			}
			if cluster := table.Cell(i, 1); cluster != fmt.Sprint(int64(i)+1<<60) {
				t.Fatalf("%s, row %d: %s", format, i, cluster)
			}
		}
	}
}

// TestPartsAreInput plans and reads a folder of parts like any other.
func TestPartsAreInput(t *testing.T) {
	for _, format := range []string{"parquet", "csv"} {
		out := t.TempDir()
		if err := Claim(context.Background(), out, "run 1", false); err != nil {
			t.Fatal(err)
		}
		for split := range 3 {
			if err := writeHarvest(out, format, split, 10); err != nil {
				t.Fatal(err)
			}
		}
		if err := Finish(context.Background(), out, 3); err != nil {
			t.Fatal(err)
		}
		s, splits, err := Plan(context.Background(),
			Source{Paths: []string{out}, Columns: []string{"cluster"}, Label: "id"})
		if err != nil {
			t.Fatal(format, err)
		}
		all := 0
		for _, split := range splits {
			tally, err := s.Each(context.Background(), split,
				func(b *Block) error { all += b.X.Rows; return nil })
			if err != nil || tally.Rows != 10 {
				t.Fatal(format, tally, err)
			}
		}
		if len(splits) != 3 || all != 30 {
			t.Error(format, len(splits), all)
		}
	}
}

// TestTriesOfOneSplit runs many tries of a split at the same time, some of which are given up: one
// whole file is left, of the same bytes.
func TestTriesOfOneSplit(t *testing.T) {
	for _, format := range PartFormats() {
		alone, together := t.TempDir(), t.TempDir()
		if err := writeHarvest(alone, format, 7, 2000); err != nil {
			t.Fatal(err)
		}
		var wait sync.WaitGroup
		for try := range 8 {
			wait.Go(func() {
				if try%2 == 0 {
					if err := writeHarvest(together, format, 7, 2000); err != nil {
						t.Error(err)
					}
					return
				}
				p, err := CreateLabels(together, Split{Index: 7}, format)
				if err != nil {
					t.Error(err)
					return
				}
				if err := p.Write(&Block{IDs: []string{"half"}}, []int64{1}); err != nil {
					t.Error(err)
				}
				p.Abort()
			})
		}
		wait.Wait()
		want, err := os.ReadFile(filepath.Join(alone, "part-00007."+format))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(together, "part-00007."+format))
		if err != nil || string(got) != string(want) {
			t.Errorf("%s: other bytes (%v)", format, err)
		}
		if left, err := os.ReadDir(together); err != nil || len(left) != 1 {
			t.Errorf("%s: %v left, %v", format, left, err)
		}
	}
}

// TestFinish removes leftovers and nothing else, and misses a part that is lacking.
func TestFinish(t *testing.T) {
	ctx, out := context.Background(), t.TempDir()
	for _, name := range []string{".part-00001.csv.99.tmp", "part-00003.csv", "notes.txt",
		"part-x.csv"} {
		if err := os.WriteFile(filepath.Join(out, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := writeHarvest(out, "csv", 0, 1); err != nil {
		t.Fatal(err)
	}
	if err := Finish(ctx, out, 2); err == nil {
		t.Error("a part is lacking, and no error is returned")
	}
	if err := writeHarvest(out, "csv", 1, 1); err != nil {
		t.Fatal(err)
	}
	if err := Finish(ctx, out, 2); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(out)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if diff := cmp.Diff([]string{"_SUCCESS", "notes.txt", "part-00000.csv", "part-00001.csv",
		"part-x.csv"}, names); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if text, err := os.ReadFile(filepath.Join(out, "_SUCCESS")); err != nil ||
		string(text) != "2\n" {
		t.Errorf("%q, %v", text, err)
	}
	if err := writeHarvest(out, "jsonl", 1, 1); err != nil {
		t.Fatal(err)
	}
	if err := Finish(ctx, out, 2); !fault.IsInput(err) {
		t.Errorf("a part in two formats: %v", err)
	}
}

// TestClaim takes a folder up again for the same run, and refuses it to another, unless the first
// left nothing in it.
func TestClaim(t *testing.T) {
	ctx, folder := context.Background(), t.TempDir()
	out := filepath.Join(folder, "out")
	for _, run := range []string{"k=4", "k=4", "k=3"} {
		if err := Claim(ctx, out, run, false); err != nil {
			t.Errorf("%s: %v", run, err)
		}
	}
	if err := writeHarvest(out, "csv", 0, 1); err != nil {
		t.Fatal(err)
	}
	if err := Claim(ctx, out, "k=3", false); err != nil {
		t.Error(err)
	}
	if err := Claim(ctx, out, "k=5", false); !fault.IsInput(err) {
		t.Error(err)
	}
	foreign := filepath.Join(folder, "foreign")
	if err := writeHarvest(foreign, "csv", 0, 1); err != nil {
		t.Fatal(err)
	}
	if err := Claim(ctx, foreign, "k=3", false); !fault.IsInput(err) {
		t.Error(err)
	}
}

func TestWrongParts(t *testing.T) {
	out := t.TempDir()
	if _, err := CreateLabels(out, Split{}, "xlsx"); !fault.IsInput(err) {
		t.Error(err)
	}
	p, err := CreateLabels(out, Split{}, "csv")
	if err != nil {
		t.Fatal(err)
	}
	defer p.Abort()
	if err := p.Write(&Block{IDs: []string{"a", "b"}}, []int64{1}); err == nil {
		t.Error("a row without a cluster is taken")
	}
}

// TestFoldersBelow are none of a run's: what lies in them is neither counted nor removed. A link to
// nothing hides no part.
func TestFoldersBelow(t *testing.T) {
	ctx := context.Background()
	t.Chdir(t.TempDir())
	for _, out := range []string{".", "out"} {
		kept := filepath.Join(out, "kept")
		for _, split := range []int{1, 7} {
			if err := writeHarvest(kept, "csv", split, 1); err != nil {
				t.Fatal(err)
			}
		}
		if err := Claim(ctx, out, "k=3", false); err != nil {
			t.Error(err)
		}
		if err := writeHarvest(out, "csv", 0, 1); err != nil {
			t.Fatal(err)
		}
		if err := Finish(ctx, out, 2); err == nil {
			t.Error("a part is lacking, and one in a folder below is taken for it")
		}
		if err := Finish(ctx, out, 1); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(filepath.Join(kept, "part-00007.csv")); err != nil {
			t.Error(err)
		}
		if err := os.Symlink("nowhere", filepath.Join(out, "dead")); err != nil {
			t.Skip("no symbolic links here:", err)
		}
		if err := Claim(ctx, out, "k=4", false); !fault.IsInput(err) {
			t.Errorf("parts of another run beside a link to nothing: %v", err)
		}
	}
}
