package dataset

import "testing"

// TestTheReadingIsHowTheTextWasRead: what a model keeps is the decimal mark and the order of dates
// by which the values were read.
func TestTheReadingIsHowTheTextWasRead(t *testing.T) {
	assume := Reading{Decimal: ",", DateOrder: "dmy"}
	for _, c := range []struct {
		name, file, content string
		o                   ReadOptions
		want                Reading
	}{
		{"a decimal comma", "a.csv", "x;d\n1,5;2024-01-02\n2,5;2024-01-03\n", ReadOptions{},
			Reading{Decimal: ",", DateOrder: "dmy"}},
		{"dates", "a.csv", "x;d\n1;1/20/2024\n2;1/2/2024\n", ReadOptions{Assume: assume},
			Reading{Decimal: ",", DateOrder: "mdy"}},
		{"points", "a.csv", "x;d\n1.5;1/2/2024\n2.5;1/3/2024\n", ReadOptions{Assume: assume},
			Reading{Decimal: ".", DateOrder: "dmy"}},
		{"an option", "a.csv", "x;d\n1,234;1/2/2024\n2;1/3/2024\n",
			ReadOptions{Decimal: ".", DateOrder: "mdy", Assume: assume},
			Reading{Decimal: ".", DateOrder: "mdy"}},
		{"nothing", "a.csv", "x\n1\n2\n", ReadOptions{}, Reading{}},
		{"numbers of JSON", "a.jsonl", "{\"x\":1.5}\n{\"x\":2.5}\n", ReadOptions{Assume: assume},
			Reading{Decimal: ".", DateOrder: "dmy"}},
		{"texts of JSON among numbers", "a.jsonl",
			"{\"a\":\"1,5\",\"x\":1.5,\"y\":1.5}\n{\"a\":\"2,5\",\"x\":2.5,\"y\":2.5}\n",
			ReadOptions{}, Reading{Decimal: ",", DateOrder: "dmy"}},
		{"a column read as text", "a.csv", "a;x\n1,5;1.584\n2,5;2.125\n",
			ReadOptions{Types: map[string]Type{"a": Text}}, Reading{}},
		{"only marks between thousands", "a.csv", "a,b\n1.234.567,x\n7.654.321,y\n",
			ReadOptions{}, Reading{}},
	} {
		got := readString(t, c.content, c.file, c.o).Reading()
		if got.Decimal != c.want.Decimal || got.DateOrder != c.want.DateOrder {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
	bad := ReadOptions{Assume: Reading{Decimal: ";"}}
	if _, err := readBytes(t.Context(), []byte("x\n1\n"), "a.csv", bad); err == nil {
		t.Error("a mark that is none passes")
	}
}
