package dataset

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestParquetDurations reads a file of pyarrow with durations, one of them within a group: they are
// seconds, as in texts and in Arrow.
func TestParquetDurations(t *testing.T) {
	table, err := Read(context.Background(), "testdata/durations.parquet", ReadOptions{Keep: true})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"x", "took", "in.took", "in.n", "y"}, table.Features()); diff != "" {
		t.Errorf("features (-want +got):\n%s", diff)
	}
	for name, want := range map[string][]string{"took": {"1e-06", "2e-06", ""},
		"in.took": {"5", "6", "7"}} {
		for row := range table.Rows {
			if got := table.Cell(row, table.Column(name)); got != want[row] {
				t.Errorf("%s in row %d: %q, want %q", name, row+1, got, want[row])
			}
		}
	}
	texts, err := Read(context.Background(), "testdata/durations.parquet",
		ReadOptions{ID: "in.took"})
	if err != nil {
		t.Fatal(err)
	}
	if got := texts.ID(2); got != "7" {
		t.Errorf("as an id 7 seconds are %q", got)
	}
}
