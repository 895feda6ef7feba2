package dataset

import (
	"context"
	"encoding/base64"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"
)

// TestParquetDurations reads a file of pyarrow with durations, one of them within a group: like dates
// and times they are no numbers.
func TestParquetDurations(t *testing.T) {
	table, err := Read(context.Background(), "testdata/durations.parquet", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"x", "in.n", "y"}, table.Features()); diff != "" {
		t.Errorf("features (-want +got):\n%s", diff)
	}
	for name, missing := range map[string]int{"took": 1, "in.took": 0} {
		if c := table.Columns[table.Column(name)]; c.Why != "holds durations" || c.Missing != missing {
			t.Errorf("%s is left out because it %q, with %d values missing", name, c.Why, c.Missing)
		}
	}
}

// FuzzArrowSchema damages a schema: no panic and an end.
func FuzzArrowSchema(f *testing.F) {
	file, err := os.Open("testdata/durations.parquet")
	if err != nil {
		f.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		f.Fatal(err)
	}
	opened, err := parquet.OpenFile(file, info.Size())
	if err != nil {
		f.Fatal(err)
	}
	encoded, _ := opened.Lookup("ARROW:schema")
	whole, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	for at := 0; at < len(whole); at += 5 {
		damaged := append([]byte(nil), whole...)
		damaged[at] ^= 0xff
		f.Add(damaged)
		f.Add(whole[:at])
	}
	f.Fuzz(func(t *testing.T, schema []byte) {
		total := 0
		for name := range arrowDurations(base64.StdEncoding.EncodeToString(schema)) {
			total += len(name)
		}
		if total > 16*len(schema) {
			t.Fatalf("%d bytes of names from %d", total, len(schema))
		}
	})
}
