package dataset

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestParquetDurations reads a file of pyarrow with durations, one of them within a group: like
// dates and times they are no numbers.
func TestParquetDurations(t *testing.T) {
	table, err := Read(context.Background(), "testdata/durations.parquet", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"x", "in.n", "y"}, table.Features()); diff != "" {
		t.Errorf("features (-want +got):\n%s", diff)
	}
	for name, missing := range map[string]int{"took": 1, "in.took": 0} {
		if c := table.Columns[table.Column(name)]; c.Why != "holds durations" ||
			c.Missing != missing {
			t.Errorf("%s is left out because it %q, with %d values missing", name, c.Why, c.Missing)
		}
	}
}
