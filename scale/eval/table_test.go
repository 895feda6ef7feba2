package eval

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/scale/fold"
)

// TestTablesAddUp: however the rows are cut into pieces, and the pieces spread over keys and
// written as bytes, the sum is the table of all.
func TestTablesAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom([]string{"", "0", "1", "10", "2", "a b", "ü", "c,\n"})
		all := newCounter()
		pieces := []*counter{newCounter(), newCounter(), newCounter()}
		for range rapid.IntRange(0, 40).Draw(t, "rows") {
			f, u, n := name.Draw(t, "found"), name.Draw(t, "truth"),
				rapid.Int64Range(1, 1<<40).Draw(t, "count")
			if err := all.add(f, u, n); err != nil {
				t.Fatal(err)
			}
			if err := pieces[rapid.IntRange(0, 2).Draw(t, "piece")].add(f, u, n); err != nil {
				t.Fatal(err)
			}
		}
		sum := newCounter()
		for _, p := range pieces {
			for _, part := range p.table().spread() {
				if part == nil {
					continue
				}
				data, err := fold.Encode(part)
				if err != nil {
					t.Fatal(err)
				}
				if err := sum.Add(data); err != nil {
					t.Fatal(err)
				}
			}
		}
		if got, want := sum.table(), all.table(); !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v, want %+v", got, want)
		}
	})
}

// TestBytesThatAreNoTable are refused, and nothing panics.
func TestBytesThatAreNoTable(t *testing.T) {
	c := newCounter()
	for i := range 5 {
		if err := c.add(fmt.Sprint(i), fmt.Sprint(i%2), int64(i+1)); err != nil {
			t.Fatal(err)
		}
	}
	whole, err := fold.Encode(c.table())
	if err != nil {
		t.Fatal(err)
	}
	for cut := range whole {
		if _, err := decodeTable(whole[:cut]); err == nil {
			t.Errorf("%d of %d bytes were taken for a table", cut, len(whole))
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		data := append([]byte(nil), whole...)
		data[rapid.IntRange(0, len(data)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
		if table, err := decodeTable(data); err == nil {
			_ = newCounter().addTable(table)
		}
	})
}

// TestTooMany: a column of ids is not taken for classes.
func TestTooMany(t *testing.T) {
	c := newCounter()
	c.truth.most, c.most = 3, 4
	for i := range 3 {
		if err := c.add("a", fmt.Sprint(i), 1); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.add("a", "3", 1); !fault.IsInput(err) || !strings.Contains(err.Error(),
		`more than 3 classes, among them "0" and "3"`) {
		t.Errorf("%v", err)
	}
	if err := c.add("b", "0", 1); err != nil {
		t.Error(err)
	}
	if err := c.add("b", "1", 1); !fault.IsInput(err) ||
		!strings.Contains(err.Error(), "more than 4 pairs") {
		t.Errorf("%v", err)
	}
}

// TestNumbers: names are numbers only where all are plain whole ones.
func TestNumbers(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  []int
	}{{[]string{"0", "10", "2"}, []int{0, 10, 2}}, {[]string{"0", "1a"}, []int{1, 2}},
		{[]string{"01", "1"}, []int{1, 2}}, {[]string{"-1", "1"}, []int{1, 2}}, {nil, []int{}}} {
		if got := numbers(c.names); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q: %v, want %v", c.names, got, c.want)
		}
	}
}
