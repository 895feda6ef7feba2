package dataset_test

import (
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
)

// Files that would take more memory than there is are refused before they have taken it.
func TestTablesBeyondMemory(t *testing.T) {
	const limit = 32 << 20
	t.Cleanup(func() { debug.SetMemoryLimit(debug.SetMemoryLimit(limit)) })
	var keys strings.Builder // each row has twenty keys of its own
	for row := range 2000 {
		for k := range 20 {
			fmt.Fprintf(&keys, "%c\"k%d\":1", "{,"[min(k, 1)], 20*row+k)
		}
		keys.WriteString("}\n")
	}
	rows := "a,b\n" + strings.Repeat("1,2\n", 3<<20)
	var texts strings.Builder
	texts.WriteString("a,b\n")
	for row := range 1 << 20 {
		fmt.Fprintf(&texts, "1,%d words that nobody compares with those of other rows\n", row)
	}
	for name, c := range map[string]struct{ text, says string }{
		"keys.jsonl":    {keys.String(), "memory are free"},
		"keys.jsonl.gz": {keys.String(), "memory are free"},
		"rows.csv":      {rows, "memory are free"},
		"rows.csv.gz":   {rows, "the rows read so far take"},
		"texts.csv.gz":  {texts.String(), "the rows read so far take"},
	} {
		path := filepath.Join(t.TempDir(), name)
		write(t, path, c.text)
		runtime.GC()
		debug.SetMemoryLimit(limit)
		_, err := dataset.Read(t.Context(), path, dataset.ReadOptions{Threads: 2, Keep: true})
		debug.SetMemoryLimit(1 << 40)
		var in *fault.Input
		if !errors.As(err, &in) || !strings.Contains(err.Error(), c.says) || in.Fix == "" ||
			!strings.HasSuffix(in.File, name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A line is refused for its length and its columns before its fields are taken apart.
func TestHugeHeaders(t *testing.T) {
	if testing.Short() {
		t.Skip("writes and reads 200 MB")
	}
	for says, line := range map[string]string{
		"has more than 1048576 columns; leave some out":  strings.Repeat("c,", 2<<20) + "c\n1\n",
		"line 1: the first lines are longer than 64 MiB": strings.Repeat("c,", 80<<20) + "c\n1\n",
	} {
		path := filepath.Join(t.TempDir(), "header.csv")
		write(t, path, line)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := dataset.Read(t.Context(), path, dataset.ReadOptions{})
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v", err)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 700<<20 {
			t.Errorf("%s: %d bytes were allocated", says, took)
		}
	}
}

// write writes a file, compressed where its name ends in .gz.
func write(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(path, ".gz") {
		z := gzip.NewWriter(f)
		z.Write([]byte(text))
		err = z.Close()
	} else {
		_, err = f.WriteString(text)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}
