package mutate_test

import (
	"os"
	"strconv"
	"testing"

	"github.com/kindred-go/kindred/internal/mutate"
)

// seed and files choose the damaged files of a run: KINDRED_MUTATE_SEED and KINDRED_MUTATE_FILES,
// else the same ones each time.
func seed(t testing.TB) uint64 { return uint64(number(t, "KINDRED_MUTATE_SEED", 1)) }

func files(t testing.TB) int {
	n := 2000
	if testing.Short() {
		n = 30
	}
	return number(t, "KINDRED_MUTATE_FILES", n)
}

func number(t testing.TB, name string, otherwise int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestDamagedFiles reads damaged files of every format: each is refused with a sentence or read,
// without a panic, in the memory of a valid one. The counts of docs/reliability.md are its log.
func TestDamagedFiles(t *testing.T) {
	var all mutate.Counts
	for _, f := range formats(t) {
		t.Run(f.Name, func(t *testing.T) {
			c := f.Check(t, t.TempDir(), seed(t), files(t))
			t.Logf("| %s | %d | %d | %d | %d | %.1f |", f.Name, c.Files, c.Refused, c.Read-c.Same,
				c.Same, float64(c.MostHeap)/1e6)
			all.Add(c)
		})
	}
	t.Logf("| all | %d | %d | %d | %d | %.1f |", all.Files, all.Refused, all.Read-all.Same,
		all.Same, float64(all.MostHeap)/1e6)
}

// FuzzFormats reads files that the fuzzer makes of valid ones, in the format of their number.
func FuzzFormats(f *testing.F) {
	all := formats(f)
	for i, format := range all {
		for _, sample := range format.Samples {
			f.Add(uint8(i), sample)
		}
	}
	folder := f.TempDir()
	f.Fuzz(func(t *testing.T, number uint8, file []byte) {
		format := &all[int(number)%len(all)]
		if c := format.One(t, folder, file); c.MostHeap > 512<<20 {
			t.Errorf("%s: %d bytes of it allocate %d", format.Name, len(file), c.MostHeap)
		}
	})
}
