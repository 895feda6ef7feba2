package columns_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/kindred-go/kindred/internal/columns"
)

func TestColumnsKeepTheirOrder(t *testing.T) {
	var o columns.Ordered
	want := []string{"zebra", "id", "ant"}
	for _, name := range want {
		if o.Has(name) {
			t.Errorf("%s is there before it was added", name)
		}
		o.Add(name, parquet.Int(64))
	}
	if !o.Has("ant") || o.Len() != 3 {
		t.Errorf("%d columns", o.Len())
	}
	var file bytes.Buffer
	w := parquet.NewGenericWriter[any](&file, parquet.NewSchema("table", &o))
	row := parquet.Row{parquet.Int64Value(1).Level(0, 0, 0), parquet.Int64Value(2).Level(0, 0, 1),
		parquet.Int64Value(3).Level(0, 0, 2)}
	if _, err := w.WriteRows([]parquet.Row{row}); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	read, err := parquet.OpenFile(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range read.Schema().Fields() {
		got = append(got, f.Name())
	}
	if !slices.Equal(got, want) {
		t.Errorf("the columns of the file are %v, want %v", got, want)
	}
}
