package dataset

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func readString(tb testing.TB, content, name string, o ReadOptions) *Table {
	tb.Helper()
	t, err := ReadStream(context.Background(), strings.NewReader(content), name, o)
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

// cells returns the whole table as text.
func cells(t *Table) [][]string {
	out := make([][]string, t.Rows)
	for i := range out {
		for j := range t.Columns {
			out[i] = append(out[i], t.Cell(i, j))
		}
	}
	return out
}

func TestCSVLayouts(t *testing.T) {
	want := [][]string{{"1.5", "red"}, {"-2", "a \"b\", c"}, {"", "red"}, {"3000", "two\nlines"},
		{"0.25", ""}}
	for name, content := range map[string]string{
		"plain": "x,colour\n1.5,red\n-2,\"a \"\"b\"\", " +
			"c\"\n,red\n3e3,\"two\nlines\"\n.25,\n",
		"byte order mark": "\ufeffx,colour\n1.5,red\n-2,\"a \"\"b\"\", " +
			"c\"\n,red\n3e3,\"two\nlines\"\n.25,\n",
		"CRLF": "x,colour\r\n1.5,red\r\n-2,\"a \"\"b\"\", " +
			"c\"\r\n,red\r\n3e3,\"two\r\nlines\"\r\n.25,\r\n",
		"CR": "x,colour\r1.5,red\r-2,\"a \"\"b\"\", " +
			"c\"\r,red\r3e3,\"two\nlines\"\r.25,\r",
		"mixed": "x,colour\r\n1.5,red\r-2,\"a \"\"b\"\", " +
			"c\"\n,red\r\n3e3,\"two\nlines\"\r.25,",
		"blank lines": "\n\nx,colour\n1.5,red\n\n-2,\"a \"\"b\"\", c\"\n   " +
			"\n,red\n3e3,\"two\nlines\"\n.25,\n\n\n",
		"blanks": "x , colour\n 1.5 ,red \n -2,  \"a \"\"b\"\", c\" \n  " +
			",red\n3e3,\"two\nlines\"\n.25 ,  \n",
		"missing words": "x,colour\n1.5,red\n-2,\"a \"\"b\"\", " +
			"c\"\nNA,red\n3e3,\"two\nlines\"\n.25,?\n",
		"semicolons": "x;colour\n1.5;red\n-2;\"a \"\"b\"\", " +
			"c\"\n;red\n3e3;\"two\nlines\"\n.25;null\n",
		"tabs": "x\tcolour\n1.5\tred\n-2\t\"a \"\"b\"\", " +
			"c\"\nnan\tred\n3e3\t\"two\nlines\"\n.25\tN/A\n",
	} {
		for _, chunk := range []int{0, 1, 2, 3, 5, 8, 13} {
			for _, threads := range []int{1, 4} {
				o := ReadOptions{Keep: true, chunk: chunk, Threads: threads}
				table := readString(t, content, "a.csv", o)
				if diff := cmp.Diff(want, cells(table)); diff != "" {
					t.Fatalf("%s, stream, chunks of %d (-want +got):\n%s", name, chunk, diff)
				}
				table, err := Read(context.Background(), writeFile(t, "a.csv", []byte(content)), o)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, cells(table)); diff != "" {
					t.Fatalf("%s, file, chunks of %d (-want +got):\n%s", name, chunk, diff)
				}
				if got := table.Columns[0]; got.Missing != 1 || got.FirstMissing != 3 ||
					got.Min != -2 || got.Max != 3000 || got.Mean != 749.9375 {
					t.Fatalf("%s: figures of x: %+v", name, got)
				}
			}
		}
	}
}

// TestCSVAgreesWithEncodingCSV writes random tables with encoding/csv, reads them back with it and
// with Read, and compares every cell, whatever the chunks and threads.
func TestCSVAgreesWithEncodingCSV(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		columns := rapid.IntRange(2, 5).Draw(t, "columns")
		field := rapid.StringMatching(`[a-c0-9,;" \n\t.é-]{0,6}`)
		rows := rapid.SliceOfN(rapid.SliceOfN(field, columns, columns), 1, 20).Draw(t, "rows")
		var b bytes.Buffer
		w := csv.NewWriter(&b)
		w.UseCRLF = rapid.Bool().Draw(t, "CRLF")
		head := make([]string, columns)
		for j := range head {
			head[j] = "name" + strconv.Itoa(j)
		}
		w.Write(head)
		w.WriteAll(rows)
		content := b.Bytes()
		records, err := csv.NewReader(bytes.NewReader(content)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		// As text, so that every cell can be compared; what the formats treat as missing is "".
		o := ReadOptions{Keep: true, Drop: head, chunk: rapid.IntRange(1, 40).Draw(t, "chunk"),
			Threads: rapid.IntRange(1, 3).Draw(t, "threads")}
		table, err := ReadStream(context.Background(), bytes.NewReader(content), "a.csv", o)
		want := records[1:]
		if err != nil {
			t.Fatalf("%q: %v", content, err)
		}
		for i, r := range want {
			for j := range r {
				r[j] = strings.Trim(r[j], " \t")
				got := strings.Trim(table.Cell(i, j), " \t")
				if isMissing([]byte(r[j])) {
					r[j] = ""
				}
				if got != r[j] {
					t.Fatalf("%q: row %d, column %d is %q, want %q", content, i+1, j+1, got, r[j])
				}
			}
		}
		if table.Rows != len(want) {
			t.Fatalf("%q: %d rows, want %d", content, table.Rows, len(want))
		}
	})
}

// TestScanNumber compares with strconv, bit for bit.
func TestScanNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.OneOf(
			rapid.StringMatching(`[+-]?[0-9]{0,25}(\.[0-9]{0,25})?([eE][+-]?[0-9]{1,4})?`),
			rapid.StringMatching(`[+-]?[0-9.eE+-]{0,8}`),
			rapid.Custom(func(t *rapid.T) string {
				return strconv.FormatFloat(rapid.Float64().Draw(t, "v"), 'g',
					rapid.IntRange(-1, 20).Draw(t, "digits"), 64)
			})).Draw(t, "s")
		got, ok := ParseNumber([]byte(s))
		want, err := strconv.ParseFloat(s, 64)
		wantOK := err == nil || math.IsInf(want, 0) && strings.ContainsAny(s, "0123456789")
		if ok != wantOK || ok && math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("%q: got %v %v, strconv %v %v", s, got, ok, want, err)
		}
	})
}

func TestFirstLineOfNumbers(t *testing.T) {
	table := readString(t, "1,2\n3,4\n", "a.csv", ReadOptions{})
	if table.Rows != 2 || table.Columns[1].Name != "x2" {
		t.Errorf("%d rows, columns %v", table.Rows, table.Features())
	}
	want := "the first line holds only numbers, so it was taken as data and the columns are " +
		"named x1 to x2"
	if len(table.Notes) != 1 || table.Notes[0] != want {
		t.Errorf("notes %q", table.Notes)
	}
}

// TestFirstLineCountsColumns reads what programs write for columns without names.
func TestFirstLineCountsColumns(t *testing.T) {
	note := "the first line only counts the columns, so it was taken as the header"
	for _, c := range []struct {
		content  string
		features []string
		rows     int
		note     string
	}{
		{",0,1,2\n0,5.1,3.5,1.4\n1,4.9,3,1.4\n", []string{"0", "1", "2"}, 2, note},
		{",0\n0,5.1\n1,4.9\n", []string{"0"}, 2, note},
		{";1;2\na;5.1;2\nb;4.9;3\n", []string{"1", "2"}, 2, note},
		{"0,1\n5.1,3.5\n", []string{"0", "1"}, 1, note},
		{"0\t1\t2\n5.1\t3.5\t1\n", []string{"0", "1", "2"}, 1, note},
		{"1,2,3\n5.1,3.5,1\n", []string{"1", "2", "3"}, 1, note},
		{"1\n2\n3\n", []string{"x1"}, 3, ""},
		{"0\n1\n", []string{"x1"}, 2, ""},
		{"1,2\n3,4\n", []string{"x1", "x2"}, 2, ""},
		{"0,1,3\n3,4,5\n", []string{"x1", "x2", "x3"}, 2, ""},
		{",5,6\n1,4,5\n", []string{"x1", "x2", "x3"}, 2, ""},
		{"0.0,1.0,2.0\n3,4,5\n", []string{"x1", "x2", "x3"}, 2, ""},
	} {
		table := readString(t, c.content, "a.csv", ReadOptions{})
		if !cmp.Equal(c.features, table.Features()) || table.Rows != c.rows ||
			c.note != "" && !slices.Contains(table.Notes, c.note) {
			t.Errorf("%q: %d rows of %q, notes %q", c.content, table.Rows, table.Features(),
				table.Notes)
		}
	}
}

func TestRolesByDefault(t *testing.T) {
	var b strings.Builder
	b.WriteString(",height,ok,colour,remark,Species,empty\n")
	for i := range 60 {
		fmt.Fprintf(&b, "r%d,%d,%t,%s,remark %d,%c,\n", i, i%7, i%2 == 0,
			[]string{"red", "green", "blue"}[i%3], i, 'a'+i%2)
	}
	table := readString(t, b.String(), "a.csv", ReadOptions{})
	type column struct {
		Name string
		Type Type
		Role Role
		Why  string
	}
	var got []column
	for _, c := range table.Columns {
		got = append(got, column{c.Name, c.Type, c.Role, c.Why})
	}
	want := []column{
		{"column1", Text, ID, "is the first column, has no name and all its values differ"},
		{"height", Number, Feature, "holds numbers"},
		{"ok", Boolean, Feature, "holds true and false"},
		{"colour", Category, Feature, "holds few different values"},
		{"remark", Text, Unused, "is text with many different values: --text compares it"},
		{"Species", Category, Unused,
			"looks like the true classes: --label Species uses it, --features puts it in"},
		{"empty", Number, Unused, "has no values"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("columns (-want +got):\n%s", diff)
	}
	if row, ok := table.RowOf("r17"); !ok || row != 17 || table.ID(17) != "r17" {
		t.Errorf("row of r17 is %d %v", row, ok)
	}
	if _, ok := table.RowOf("18"); ok {
		t.Error("18 is a row number, not an id")
	}
}

func TestIDThatRepeats(t *testing.T) {
	table := readString(t, "id,x\n1,2\n1,3\n", "a.csv", ReadOptions{})
	c := table.Columns[0]
	if c.Role != Unused || c.Why != `is named like an id, but row 2 has the id "1" of row 1` {
		t.Errorf("id has the role %v, because it %s", c.Role, c.Why)
	}
	c = readString(t, ",x\n1,2\n1,3\n", "a.csv", ReadOptions{}).Columns[0]
	if c.Role != Unused || c.Why != `is the first column and has no name, like an id, but row `+
		`2 has the id "1" of row 1` {
		t.Errorf("a nameless column has the role %v, because it %s", c.Role, c.Why)
	}
	if table.ID(1) != "2" {
		t.Errorf("the second row is called %s", table.ID(1))
	}
}

func TestLabels(t *testing.T) {
	table := readString(t, "x,class\n1,10\n2,9\n3,NA\n4,10\n", "a.csv",
		ReadOptions{Label: "class", chunk: 3})
	codes, names, ok := table.Labels()
	if !ok || !cmp.Equal(codes, []int32{1, 0, -1, 1}) || !cmp.Equal(names, []string{"9", "10"}) {
		t.Errorf("labels %v %v %v", codes, names, ok)
	}
	if _, _, ok := readString(t, "x,class\n1,10\n", "a.csv", ReadOptions{}).Labels(); ok {
		t.Error("labels without a label column")
	}
}

func TestDroppedColumnIsNotJudged(t *testing.T) {
	table := readString(t, "x,y\n1,2\n2,3\n3,oops\n", "a.csv", ReadOptions{Drop: []string{"y"}})
	if table.Rows != 3 || !cmp.Equal(table.Features(), []string{"x"}) {
		t.Errorf("%d rows of %v", table.Rows, table.Features())
	}
}

// TestDivide compares quotients of long mantissas with strconv, bit for bit.
func TestDivide(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	refused := 0
	for range 50_000 {
		m, power := uint64(1)<<53+r.Uint64N(1<<62-1<<53), 1+r.IntN(22)
		got, ok := divide(m, pow10[power])
		if !ok {
			refused++
			continue
		}
		s := strconv.FormatUint(m, 10) + "e-" + strconv.Itoa(power)
		if want, err := strconv.ParseFloat(s, 64); err != nil || got != want {
			t.Fatalf("%s: got %v, want %v", s, got, want)
		}
	}
	if refused > 200 { // ties exist, for one in a few hundred of the smaller powers
		t.Errorf("%d quotients were left to strconv", refused)
	}
}

// TestBlanksOfAllKinds reads numbers between blanks that are not ASCII.
func TestBlanksOfAllKinds(t *testing.T) {
	for name, content := range map[string]string{
		"a.csv":  "\u00a0x,y\n\u00a01,\u20032\u00a0\n 3\u00a0 ,\u00a0\n",
		"a.tsv":  "x\ty\u3000\n1\u00a0\t2\n3\t\u00a0\n",
		"a.arff": "@attribute x real\n@attribute y real\n@data\n\u00a01,2\u00a0\n3, \u00a0\n",
	} {
		table := readString(t, content, name, ReadOptions{})
		if diff := cmp.Diff([][]string{{"1", "2"}, {"3", ""}}, cells(table)); diff != "" ||
			!cmp.Equal(table.Features(), []string{"x", "y"}) {
			t.Errorf("%s: %v (-want +got):\n%s", name, table.Features(), diff)
		}
	}
}
