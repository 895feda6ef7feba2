package dataset

import (
	"context"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// manyLevels looks like a category in its first rows and has the given number of levels in all, a
// quarter of them in the last rows only.
func manyLevels(rows, levels int) string {
	var b strings.Builder
	b.WriteString("x,town\n")
	for i := range rows {
		level := i % 20
		switch {
		case i >= rows-levels/4:
			level = rows - 1 - i
		case i >= 1000:
			level = levels/4 + i%(levels-levels/4)
		}
		if level == 7 {
			fmt.Fprintf(&b, "%d,\n", i)
			continue
		}
		fmt.Fprintf(&b, "%d,town %d\n", i, level)
	}
	return b.String()
}

// TestTooManyLevels reads a column that turns out to be text by the roles of the first edition, in
// many ways, and one that just does not.
func TestTooManyLevels(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for _, c := range []struct {
		levels   int
		typ      Type
		role     Role
		distinct int
		why      string
	}{
		// town 7 is missing
		{MaxLevels + 1, Category, Feature, MaxLevels, "holds few different values"},
		{MaxLevels + 2, Text, Unused, 0,
			"has more than 1000 different values, too many for a category"},
	} {
		content := manyLevels(6000, c.levels)
		path := writeFile(t, "a.csv", []byte(content))
		var want *Table
		for _, chunk := range []int{0, 500, 20_000} {
			for _, threads := range []int{1, 3} {
				o := ReadOptions{Plain: true, chunk: chunk, Threads: threads}
				file, err := Read(context.Background(), path, o)
				if err != nil {
					t.Fatal(err)
				}
				stream := readString(t, content, path, o)
				if want == nil {
					want = file
					got := file.Columns[1]
					if got.Type != c.typ || got.Role != c.role || got.Why != c.why ||
						got.Distinct != c.distinct || got.Missing == 0 {
						t.Errorf("%d levels: %+v", c.levels, got)
					}
				}
				for _, table := range []*Table{file, stream} {
					if !reflect.DeepEqual(want.Columns, table.Columns) ||
						!cmp.Equal(want.Notes, table.Notes) {
						t.Fatalf("%d levels, chunks of %d, %d threads: other columns or notes",
							c.levels, chunk, threads)
					}
				}
			}
		}
		if x := prepare(t, want, Preparation{Missing: MissingMean}).X; x.Rows != 6000 ||
			x.Cols != 1+c.distinct {
			t.Errorf("%d levels: a matrix of %d×%d", c.levels, x.Rows, x.Cols)
		}
		kept := readString(t, content, path, ReadOptions{Plain: true, Keep: true})
		if kept.Cell(5999, 1) != "town 0" || kept.Columns[1].Why != c.why {
			t.Errorf("with all kept the last town is %q: %s", kept.Cell(5999, 1),
				kept.Columns[1].Why)
		}
	}
	_, err := ReadStream(context.Background(), strings.NewReader(manyLevels(6000, 2001)), "a.csv",
		ReadOptions{Plain: true, Features: []string{"town"}})
	wantFault(t, err, "a.csv, column town: has 2000 different values, too many for a category; "+
		"leave it out of --features")
}

// TestForgottenLevelsTakeNoMemory reads a hundred thousand levels that nobody asked for.
func TestForgottenLevelsTakeNoMemory(t *testing.T) {
	content := manyLevels(200_000, 100_000)
	path := writeFile(t, "a.csv", []byte(content))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := Read(context.Background(), path,
		ReadOptions{chunk: 1 << 16, Threads: 2}); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 20<<20 {
		t.Errorf("%d MiB were allocated for %d MiB of text", used>>20, len(content)>>20)
	}
}
