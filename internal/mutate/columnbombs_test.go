package mutate_test

import (
	"bytes"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"

	"github.com/kindred-go/kindred/internal/mutate"
)

// want is what comes of a bomb: a part of its error, and the most MB that may be allocated.
type want struct {
	says string
	most uint64
}

// TestBombsOfParquet reads metadata that state more than their bytes can hold.
func TestBombsOfParquet(t *testing.T) {
	wants := map[string]want{
		"groups":             {"damaged", 20},
		"empty groups":       {"damaged", 40},
		"empty chunks":       {"damaged", 40},
		"deep":               {"too deep", 20},
		"deep columns":       {"too deep", 20},
		"columns by groups":  {"than the schema", 20},
		"long names":         {"the names of its columns", 20},
		"children":           {"damaged", 20},
		"statistics":         {"damaged", 20},
		"dictionary":         {"more than 512 MiB", 20},
		"rows without pages": {"more or fewer values", 20},
		"footer":             {"longer than the file", 20},
	}
	bombs := mutate.ParquetBombs()
	if len(bombs) != len(wants) {
		t.Fatalf("%d of %d are known", len(wants), len(bombs))
	}
	for name, file := range bombs {
		t.Run(name, func(t *testing.T) {
			b := bomb{"a.parquet", file, readTable, wants[name].says, wants[name].most}
			explode(t, b, 0)
			b.read, b.says = readCredal, whatever
			explode(t, b, 0)
		})
	}
}

// TestBombsOfArrow reads schemas whose offsets lead to the same bytes again and again.
func TestBombsOfArrow(t *testing.T) {
	wants := map[string]want{
		"names": {"longer than its schema", 40}, "paths": {"longer than its schema", 60},
		"fields": {"too many fields", 20},
	}
	for name, file := range mutate.ArrowBombs() {
		t.Run(name, func(t *testing.T) {
			explode(t, bomb{"a.arrow", file, readTable, wants[name].says, wants[name].most}, 0)
		})
	}
	explode(t, bomb{"nothing.arrow", nothing(t, 1<<31-1), readTable, "memory are free", 20}, 128)
	explode(t, bomb{"nothing.arrow", nothing(t, 1<<36), readTable, "claims 68719476736 rows", 20}, 0)
}

// nothing is a column in which n rows are missing.
func nothing(t *testing.T, n int) []byte {
	t.Helper()
	schema := arrow.NewSchema([]arrow.Field{{Name: "x", Type: arrow.Null, Nullable: true}}, nil)
	var b bytes.Buffer
	w := ipc.NewWriter(&b, ipc.WithSchema(schema))
	record := array.NewRecordBatch(schema, []arrow.Array{array.NewNull(n)}, int64(n))
	if err := w.Write(record); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
