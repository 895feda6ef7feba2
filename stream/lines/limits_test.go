package lines

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
)

// A line of a stream is read up to its limit; one that is longer by a byte is left out and noted.
func TestLongestLine(t *testing.T) {
	const rest = ",1,2,red,A\n"
	for n, want := range map[int]int{MaxLine: 1, MaxLine + 1: 0} {
		d, err := NewDecoder("rows", plainLayout(dataset.FormatCSV), 0)
		if err != nil {
			t.Fatal(err)
		}
		b := decode(t, d, []byte(strings.Repeat("x", n-len(rest))+rest))
		if b.Len() != want || len(b.Notes) != 1-want {
			t.Errorf("a line of %d bytes: %d rows, notes %v", n, b.Len(), b.Notes)
		}
	}
}

// So many classes are told apart; the rows of further ones have none.
func TestManyClasses(t *testing.T) {
	d, err := NewDecoder("rows", plainLayout(dataset.FormatCSV), 0)
	if err != nil {
		t.Fatal(err)
	}
	for i := range MostClasses {
		if got := d.class(fmt.Append(nil, "c", i)); got != int32(i) {
			t.Fatalf("class %d is %d", i, got)
		}
	}
	if got := d.class([]byte("another")); got != -1 {
		t.Errorf("one more is %d", got)
	}
	if got := d.class([]byte("c7")); got != 7 {
		t.Errorf("a known one is %d", got)
	}
}
