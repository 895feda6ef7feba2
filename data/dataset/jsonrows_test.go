package dataset

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestJSONDocuments reads JSON in the forms that programs write, all of the same table.
func TestJSONDocuments(t *testing.T) {
	want := [][]string{{"1", "x"}, {"2.5", "y"}, {"3", "x"}}
	for name, text := range map[string]string{
		"lines": `{"a":1,"b":"x"}` + "\n" + `{"a":2.5,"b":"y"}` + "\n" + `{"a":3,"b":"x"}`,
		"array": `[{"a":1,"b":"x"},{"a":2.5,"b":"y"},{"a":3,"b":"x"}]`,
		"array by lines": "[\n{\"a\":1,\"b\":\"x\"}\n,{\"a\":2.5,\"b\":\"y\"},\r\n" +
			"{\"a\":3,\"b\":\"x\"}\n]\n",
		"indented": "\ufeff[\n  {\n    \"a\": 1,\n    \"b\": \"x\"\n  },\n  {\n\t\"a\": 2.5,\n" +
			"\t\"b\": \"y\"\n  },\n  {\"a\": 3,\n \"b\": \"x\"}\n]\n",
		"jq": "{\n \"a\": 1,\n \"b\": \"x\"\n}\n{\n \"a\": 2.5, \"b\": \"y\"\n}\n" +
			"{\"a\":3,\n\"b\":\"x\"}",
		"arrays": `[["a","b"],[1,"x"],[2.5,"y"],[3,"x"]]`,
		"within": `{"total":3,"data":[{"a":1,"b":"x"},{"a":2.5,"b":"y"},` +
			`{"a":3,"b":"x"}],"next":null}`,
		"table of pandas": `{"schema":{"fields":[{"name":"a"}]},"data":[{"a":1,"b":"x"},` +
			`{"a":2.5,"b":"y"},{"a":3,"b":"x"}]}`,
		"split": `{"columns":["a","b"],"index":[0,1,2],"data":[[1,"x"],[2.5,"y"],[3,"x"]]}`,
	} {
		for _, chunk := range []int{7, 1 << 20} {
			for _, path := range []string{"a.json", "a.jsonl", ""} {
				table := readString(t, text, path, ReadOptions{Keep: true, chunk: chunk})
				var got [][]string
				for i := range table.Rows {
					got = append(got, []string{table.Cell(i, 0), table.Cell(i, 1)})
				}
				if diff := cmp.Diff(want, got); diff != "" || table.Columns[0].Name != "a" ||
					table.Columns[1].Name != "b" {
					t.Errorf("%s in %q, %d bytes at a time: %v %s", name, path, chunk,
						table.Columns, diff)
				}
			}
		}
	}
}

// TestNestedJSON names what is in objects within rows by both keys.
func TestNestedJSON(t *testing.T) {
	table := readString(t, `[{"at":{"x":1,"y":{"z":2}},"n":null,"o":{}},`+
		`{"at":null,"n":{"m":4},"o":{}},{"at":{"x":5,"y":{"z":6}},"n":{"m":7}}]`, "a.json",
		ReadOptions{Keep: true})
	var got []string
	for j, c := range table.Columns {
		got = append(got, c.Name+":"+table.Cell(2, j))
	}
	if diff := cmp.Diff([]string{"at.x:5", "at.y.z:6", "n.m:7"}, got); diff != "" {
		t.Error(diff)
	}
	if table.Columns[0].Missing != 1 || table.Columns[2].Missing != 1 {
		t.Error(table.Columns)
	}
}

// TestJSONIdsAreExact keeps whole numbers that no float64 holds.
func TestJSONIdsAreExact(t *testing.T) {
	for _, text := range []string{
		`[{"id":9007199254740993,"x":1},{"id":12345678901234567890123,"x":2},{"id":3,"x":3}]`,
		`[["id","x"],[9007199254740993,1],[12345678901234567890123,2],[3,3]]`,
	} {
		table := readString(t, text, "a.json", ReadOptions{})
		if table.ID(0) != "9007199254740993" || table.ID(1) != "12345678901234567890123" {
			t.Error(table.ID(0), table.ID(1))
		}
	}
}

// TestQuotedCommasAmongNumbers: texts with a decimal comma change no number of the file, before or
// behind the first rows.
func TestQuotedCommasAmongNumbers(t *testing.T) {
	var text strings.Builder
	for i := range 1500 {
		switch {
		case i == 1200:
			text.WriteString(`{"a":1.234,"b":"1.234,5"}` + "\n")
		case i%2 == 0 && i != 2:
			text.WriteString(`{"a":"1,5","b":"2,5"}` + "\n")
		case i < 1000:
			text.WriteString(`{"a":2.125,"b":"2"}` + "\n")
		default:
			text.WriteString(`{"a":-2.125e1,"b":3.5}` + "\n")
		}
	}
	table := readString(t, text.String(), "a.jsonl", ReadOptions{})
	for at, want := range map[[2]int]float64{{0, 0}: 1.5, {1, 0}: 2.125, {0, 1}: 2.5,
		{1200, 0}: 1.234, {1200, 1}: 1234.5, {1499, 0}: -21.25, {1499, 1}: 3.5} {
		if got := table.Value(at[0], at[1]); got != want {
			t.Errorf("row %d, column %d: %v, want %v", at[0], at[1], got, want)
		}
	}
}

// TestWrongJSONDocuments names what is wrong, with the row.
func TestWrongJSONDocuments(t *testing.T) {
	key := strings.Repeat("k", 400)
	for text, want := range map[string]string{
		`[{"a":1},{"a":2`:                "row 2: the JSON ends before it is closed",
		`[{"a":1},{"a":2}`:               "row 2: the JSON ends before it is closed",
		`[{"a":1} {"a":2}]`:              `row 1: is followed by "{" where a comma`,
		`[{"a":1},{"a":2},]`:             "row 2: is followed by a comma, and no row follows",
		`[{"a":1},3]`:                    `row 2: is not an object or an array, but begins with "3"`,
		`[{"a":1}] x`:                    `has "x" after the end of the array`,
		`[["a","b"],[1,2],[3]]`:          "row 2: has 1 item where 2 are expected",
		`[["a","b"]]`:                    "has names of columns but no rows",
		`[{"a":1},{"a":x}]`:              `row 2, column a: is not JSON: "x" where a value`,
		`[{"a":1},{"a":"` + "\n" + `"}]`: "row 2, column a: a string is not closed",
		`{"a":{"0":1,"1":2},"b":{"0":3,"1":4}}`: "is one JSON object of objects, not rows; write " +
			`an object for each row (df.to_json(orient="records")`,
		`{"a":[{"x":1}],"b":[{"y":1}]}`: "several arrays of rows: a, b; write the one",
		`[{"a":` + strings.Repeat(`{"a":`, 40) + "1" + strings.Repeat("}", 41) + "]": "row 1: is " +
			"nested deeper than 32 levels",
		`{"a":` + strings.Repeat(`{"a":`, 40) + "1" + strings.Repeat("}", 41) + "\n{}": "line 1, " +
			"column a.a.a",
		`[{"` + key + key + key + `":1}]`:                "a key is longer than 1000 bytes",
		`[` + strings.Repeat(`{"`+key+`":`, 3) + "1}}}]": "a key is longer than 1000 bytes",
	} {
		_, err := ReadStream(context.Background(), strings.NewReader(text), "a.json", ReadOptions{})
		if err == nil || !strings.Contains(err.Error(), want) ||
			!strings.HasPrefix(err.Error(), "a.json") {
			t.Errorf("%.60s: %v, want a.json: %s", text, err, want)
		}
	}
}

// FuzzJSONDocuments: a table of an array is that of its rows, one a line, and nothing is read
// otherwise with few bytes at a time.
func FuzzJSONDocuments(f *testing.F) {
	for _, text := range []string{`[{"a":1},{"a":{"b":"x\"]"}}]`, `[["a"],[1],[2]]`, `[[1],[2]]`,
		`{"data":[{"a":1}],"b":[]}`, "{\n\"a\":1}\n{\"a\":2\n}", `[]`, `[[]]`, `{"a":{}}`, `[{"a":"`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		read := func(chunk int) string {
			table, err := ReadStream(context.Background(), strings.NewReader(string(text)), "a.json",
				ReadOptions{Keep: true, chunk: chunk})
			if err != nil {
				return err.Error()
			}
			out := fmt.Sprintln(table.Rows)
			for j, c := range table.Columns {
				out += fmt.Sprintln(c.Name, c.Type)
				for i := range table.Rows {
					out += fmt.Sprintln(table.Cell(i, j))
				}
			}
			return out
		}
		if a, b := read(3), read(0); a != b {
			t.Errorf("%q\n%s\n%s", text, a, b)
		}
	})
}
