package generate_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/scale/generate"
	"github.com/kindred-go/kindred/scale/shard"
)

func ExampleWrite() {
	folder, err := os.MkdirTemp("", "sample")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	ctx := context.Background()
	if err := generate.Write(ctx, folder,
		generate.Config{Rows: 10_000, Dimensions: 2, Files: 4, Class: true}); err != nil {
		panic(err)
	}
	source, splits, err := shard.Plan(ctx, shard.Source{Paths: []string{folder}, Label: "class"})
	fmt.Println(source.Columns, len(splits), splits[3].Rows, err)
	// Output: [x1 x2] 4 2500 <nil>
}

// TestTheLaw reads what was written: the mean of each class lies by its centre, and its spread is
// the noise.
func TestTheLaw(t *testing.T) {
	for _, single := range []bool{false, true} {
		folder := t.TempDir()
		cfg := generate.Config{Rows: 20_000, Dimensions: 3, Clusters: 4, Noise: 0.5, Class: true,
			Seed: 9, Single: single, Compression: "snappy"}
		if err := generate.Write(context.Background(), folder, cfg); err != nil {
			t.Fatal(err)
		}
		table, err := dataset.Read(context.Background(),
			filepath.Join(folder, "part-00000.parquet"), dataset.ReadOptions{Label: "class"})
		if err != nil {
			t.Fatal(err)
		}
		centers, err := generate.Centers(cfg)
		if err != nil {
			t.Fatal(err)
		}
		codes, names, _ := table.Labels()
		if table.Rows != 20_000 || len(names) != 4 {
			t.Fatal(table.Rows, names)
		}
		for j := range 3 {
			var count, sum, square [4]float64
			for i, c := range codes {
				class, _ := strconv.Atoi(names[c])
				v := table.Value(i, j) - centers[(class-1)*3+j]
				count[c]++
				sum[c] += v
				square[c] += v * v
			}
			for c := range count {
				mean, spread := sum[c]/count[c], math.Sqrt(square[c]/count[c])
				if math.Abs(mean) > 0.05 || math.Abs(spread-0.5) > 0.05 || count[c] < 4600 {
					t.Errorf("column %d, class %s: %g rows, %g off the centre, spread %g", j,
						names[c], count[c], mean, spread)
				}
			}
		}
	}
}

// TestSameBytes writes the same files whatever the threads, and others with another seed.
func TestSameBytes(t *testing.T) {
	folder := t.TempDir()
	write := func(name string, threads int, seed uint64) string {
		out := filepath.Join(folder, name)
		if err := generate.Write(context.Background(), out,
			generate.Config{Rows: 5000, Files: 3, Seed: seed, Threads: threads, GroupRows: 700,
				Compression: "zstd"}); err != nil {
			t.Fatal(err)
		}
		all := ""
		for i := range 3 {
			b, err := os.ReadFile(filepath.Join(out, fmt.Sprintf("part-%05d.parquet", i)))
			if err != nil {
				t.Fatal(err)
			}
			all += string(b)
		}
		return all
	}
	one, again, other := write("one", 1, 5), write("again", 3, 5), write("other", 3, 6)
	if one != again || one == other {
		t.Error("the bytes depend on the threads, or not on the seed")
	}
	if write("one", 2, 5) != one {
		t.Error("the same table cannot be written again in its place")
	}
}

func TestWrongSamples(t *testing.T) {
	folder := t.TempDir()
	if err := generate.Write(context.Background(), folder, generate.Config{Rows: 10}); err != nil {
		t.Fatal(err)
	}
	for name, cfg := range map[string]generate.Config{
		"negative": {Rows: -1}, "codec": {Compression: "rar"}, "files": {Rows: 2, Files: 3},
		"noise": {Noise: math.NaN()}, "endless noise": {Noise: math.Inf(1)}, "taken": {Rows: 11},
	} {
		out := filepath.Join(folder, name)
		if name == "taken" {
			out = folder
		}
		if err := generate.Write(context.Background(), out, cfg); !fault.IsInput(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := generate.Centers(generate.Config{Clusters: -1}); !fault.IsInput(err) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := generate.Write(ctx, filepath.Join(folder, "new"), generate.Config{}); err == nil {
		t.Error("a cancelled context is ignored")
	}
}
