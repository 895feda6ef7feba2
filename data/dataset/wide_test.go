package dataset

import (
	"context"
	"runtime"
	"strings"
	"testing"
)

// TestBlankLinesTakeNoMemory reads wide tables of one row with many lines that are no rows; were
// they given rows of the matrix, it would take gigabytes.
func TestBlankLinesTakeNoMemory(t *testing.T) {
	const columns, lines = 5_000, 100_000
	var names, numbers, declared, object strings.Builder
	for j := range columns {
		if j > 0 {
			names.WriteByte(',')
			numbers.WriteByte(',')
			object.WriteByte(',')
		}
		name := "c" + itoa(j)
		names.WriteString(name)
		numbers.WriteString("1")
		declared.WriteString("@attribute " + name + " real\n")
		object.WriteString(`"` + name + `":1`)
	}
	csv := names.String() + "\n" + numbers.String() + "\n"
	for _, c := range []struct{ what, name, content string }{
		{"blank", "a.csv", csv + strings.Repeat("\n", lines)},
		{"blanks", "a.csv", csv + strings.Repeat(" \r\n", lines)},
		{"blank after a quote", "a.csv", `"` + csv[:2] + `"` + csv[2:] +
			strings.Repeat("\n", lines)},
		{"blank", "a.arff", declared.String() + "@data\n" + numbers.String() + "\n" +
			strings.Repeat("\n", lines)},
		{"remarks", "a.arff",
			declared.String() + "@data\n" + numbers.String() + "\n" +
				strings.Repeat(" % remark\r\n", lines)},
		{"blank", "a.jsonl", "{" + object.String() + "}\n" + strings.Repeat("\n", lines)},
	} {
		path := writeFile(t, c.name, []byte(c.content))
		for _, how := range []string{"file", "stream"} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			o := ReadOptions{chunk: 1 << 16}
			var table *Table
			var err error
			if how == "file" {
				table, err = Read(context.Background(), path, o)
			} else {
				table, err = ReadStream(context.Background(), strings.NewReader(c.content), c.name,
					o)
			}
			if err != nil {
				t.Fatal(err)
			}
			runtime.ReadMemStats(&after)
			if table.Rows != 1 || len(table.Features()) != columns {
				t.Errorf("%s, %s, %s: %d rows of %d features", c.name, c.what, how, table.Rows,
					len(table.Features()))
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 100<<20 {
				t.Errorf("%s, %s, %s: %d MiB were allocated", c.name, c.what, how, used>>20)
			}
		}
	}
}

// TestShortestRows reads rows that are as short as their format allows.
func TestShortestRows(t *testing.T) {
	for name, content := range map[string]string{
		"a.csv":   "a,b,c\n1,2,3\n,,\n,,\n,,",
		"one.csv": "a\n1\n2\n3\n4",
		"a.arff":  "@attribute a real\n@data\n1\n{}\n{}\n{}",
		"a.jsonl": "{\"a\":1}\n{}\n{}\n{}",
	} {
		path := writeFile(t, name, []byte(content))
		for chunk := range 12 {
			table, err := Read(context.Background(), path, ReadOptions{chunk: chunk})
			if err != nil || table.Rows != 4 {
				t.Errorf("%s in chunks of %d: %v", name, chunk, err)
			}
		}
	}
}
