package credal_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fault"
)

// TestAMutatedPartitionIsNoticed: Parquet is read as it was, or refused. Of text, masses are; an id
// and the number of rows may change unnoticed, as nothing in the file says what they were.
func TestAMutatedPartitionIsNoticed(t *testing.T) {
	const c, rows = 3, 40
	focal, err := belief.Focal(c, []belief.Set{3, 6})
	if err != nil {
		t.Fatal(err)
	}
	p := random(rows, c, focal, 7)
	id := func(row int) string { return fmt.Sprintf("bird-%d", row) }
	n := 3000
	if testing.Short() {
		n = 300
	}
	for _, name := range names {
		path := filepath.Join(t.TempDir(), name)
		if err := credal.WriteFile(path, p, id); err != nil {
			t.Fatal(err)
		}
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(7, 11))
		refused := 0
		for range n {
			bad := bytes.Clone(whole)
			at := rng.IntN(len(bad))
			what := fmt.Sprintf("byte %d", at)
			switch rng.IntN(4) {
			case 0:
				bad[at] = byte(rng.Uint32())
			case 1:
				bad, what = bad[:at], "cut to "+what
			default:
				bad[at] ^= 1 << rng.IntN(8)
			}
			if err := os.WriteFile(path, bad, 0o600); err != nil {
				t.Fatal(err)
			}
			got, ids, err := credal.Read(t.Context(), path)
			if err != nil {
				if refused++; !fault.IsInput(err) {
					t.Fatalf("%s, %s: %v", name, what, err)
				}
				continue
			}
			if strings.HasSuffix(name, ".parquet") {
				same := slices.Equal(got.Mass, p.Mass) && slices.Equal(got.Focal, p.Focal)
				for i, is := range ids {
					same = same && is == id(i)
				}
				if !same || len(ids) != rows {
					t.Fatalf("%s, %s: it is read with other content", name, what)
				}
				continue
			}
			// Rows may be missing at the end, or one within that two became.
			for i, row := range ids {
				var was int
				if k, _ := fmt.Sscanf(row, "bird-%d", &was); k < 1 || was >= rows || row != id(was) {
					was = i
				}
				if !slices.Equal(got.Focal, p.Focal) || !near(got.Row(i), p.Row(was)) &&
					!near(got.Row(i), p.Row(min(i, rows-1))) {
					t.Fatalf("%s, %s: row %d, %s, is read as %v", name, what, i+1, row, got.Row(i))
				}
			}
		}
		t.Logf("%s: of %d mutated files %d are refused", name, n, refused)
	}
}

// near compares masses as far as damage to a text is noticed: the mass of the empty set, which is
// first, is checked by the sum of the row alone.
func near(a, b []float64) bool {
	for i := range a {
		most := 2e-9
		if i == 0 {
			most = 2e-6
		}
		if math.Abs(a[i]-b[i]) > most {
			return false
		}
	}
	return true
}

// TestDamagedMassesAreNamed by their row.
func TestDamagedMassesAreNamed(t *testing.T) {
	focal, err := belief.Simple(2)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "p.csv")
	p := &credal.Partition{Clusters: 2, Focal: focal, Mass: slices.Repeat([]float64{0.1, 0.2, 0.3,
		0.4}, 3)}
	if err := credal.WriteFile(path, p, func(i int) string { return fmt.Sprint(i) }); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	// The masses of a row that still sum to 1.
	lines := strings.SplitAfter(string(text), "\n")
	at := strings.LastIndex(lines[2], "0.2,0.3,0.4")
	lines[2] = lines[2][:at] + "0.3,0.2,0.4\n"
	if err := os.WriteFile(path, []byte(strings.Join(lines, "")), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := credal.Read(t.Context(), path); !fault.IsInput(err) ||
		!strings.Contains(err.Error(), "row 2") || !strings.Contains(err.Error(), "damaged") {
		t.Errorf("%v", err)
	}
}
