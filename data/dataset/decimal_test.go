package dataset

import (
	"slices"
	"strings"
	"testing"
)

// TestWhatShowsTheDecimalMark reads files in which something only looks as if it had a decimal
// comma.
func TestWhatShowsTheDecimalMark(t *testing.T) {
	for _, c := range []struct{ name, file, content, want string }{
		{"addresses", "a.csv", "ip,x\n192.168.178.100,1.584\n192.168.178.101,2.125\n",
			"ip text: 192.168.178.100 | 192.168.178.101\nx number: 1.584 | 2.125\n"},
		{"addresses and semicolons", "a.csv", "ip;x\n192.168.178.100;1.584\n10.0.0.1;2.125\n",
			"ip text: 192.168.178.100 | 10.0.0.1\nx number: 1.584 | 2.125\n"},
		{"numbers of JSON", "a.jsonl", "{\"a\":\"1,5\",\"x\":1.584}\n{\"a\":\"2,5\",\"x\":2.125}\n",
			"a number: 1.5 | 2.5\nx number: 1.584 | 2.125\n"},
		{"points in a file without a comma", "a.csv", "a,x\n1.234.567,1.584\n7.654.321,2.125\n",
			"a number: 1.234567e+06 | 7.654321e+06\nx number: 1.584 | 2.125\n"},
		{"commas in quotes", "a.csv", "a,x\n\"1,5\",1.584\n\"2,5\",2.125\n",
			"a number: 1.5 | 2.5\nx number: 1584 | 2125\n"},
	} {
		got := described(readString(t, c.content, c.file, ReadOptions{Keep: true}))
		if got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
	asked := readString(t, "a;x\n1,5;1.584\n2,5;2.125\n", "a.csv",
		ReadOptions{Keep: true, Types: map[string]Type{"a": Text}})
	if got := described(asked); !strings.Contains(got, "x number: 1.584 | 2.125\n") {
		t.Errorf("a column read as text decides: %q", got)
	}
}

// TestNumbersOfADatabaseHaveNoDecimalMark reads a table whose texts have decimal commas.
func TestNumbersOfADatabaseHaveNoDecimalMark(t *testing.T) {
	path := database(t, "CREATE TABLE a (price, size REAL)",
		"INSERT INTO a VALUES ('1,5', 1.584), ('2,5', 2.125)")
	table, err := Read(t.Context(), path, ReadOptions{Keep: true})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := described(table), "price number: 1.5 | 2.5\nsize number: 1.584 | 2.125\n"; got !=
		want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestTheNoteOfDecimalCommas names the columns in which a comma was seen.
func TestTheNoteOfDecimalCommas(t *testing.T) {
	table := readString(t, "a;b;c\n1,5;2;1.234\n2,5;3;5.678\n", "a.csv", ReadOptions{})
	for _, note := range []string{"read with a decimal comma: a",
		"points read as marks between thousands: c"} {
		if !slices.Contains(table.Notes, note) {
			t.Errorf("no note %q in %q", note, table.Notes)
		}
	}
}

// TestAFirstRowWithoutNames: a row of values above the others becomes the names of the columns, and
// that is reported. Whole numbers are names of dimensions and years.
func TestAFirstRowWithoutNames(t *testing.T) {
	const note = "names of columns that look like values; if the first line is a row, put names " +
		"above it: 0.134, -2.5"
	table := readString(t, "0,0.134,-2.5,a\n1,0.847,0.255,b\n2,0.763,0.495,a\n", "a.csv", ReadOptions{})
	if !slices.Contains(table.Notes, note) {
		t.Errorf("no note in %q", table.Notes)
	}
	table = readString(t, "0,1,1990,v1.5\n1,0.847,0.255,2\n2,0.763,0.495,3\n", "a.csv", ReadOptions{})
	for _, n := range table.Notes {
		if strings.Contains(n, "look like values") {
			t.Errorf("%q", n)
		}
	}
}

// TestPerCentsAmongPlainNumbers refuses a column in which some values have the sign and others do
// not.
func TestPerCentsAmongPlainNumbers(t *testing.T) {
	for _, c := range []struct{ content, want string }{
		{"p\n5%\n6%\n7\n", `a.csv, line 4, column p: "7" is a plain number among per cents`},
		{"p\n5\n6\n7%\n", `a.csv, line 4, column p: "7%" is a per cent among plain numbers`},
		{"p;x\n5,5 %;1\n6;2\n7 %;3\n",
			`a.csv, line 3, column p: "6" is a plain number among per cents`},
	} {
		_, err := ReadStream(t.Context(), strings.NewReader(c.content), "a.csv", ReadOptions{})
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
	if got := described(readString(t, "p,x\n5%,1\n0,2\n", "a.csv", ReadOptions{Keep: true})); got !=
		"p number: 0.05 | 0\nx number: 1 | 2\n" {
		t.Errorf("zero, which is the same without the sign: %q", got)
	}
}
