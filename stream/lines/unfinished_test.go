package lines

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/fault"
)

// TestUnfinishedLine: a run with a state leaves the last line of a growing file until it has its
// line end, and the next one goes on with it.
func TestUnfinishedLine(t *testing.T) {
	const reported = "the last line has no line end yet: it is left for the next run"
	long := strings.Repeat("7", MaxLine+1000)
	for name, c := range map[string]struct {
		first, then string
		rows, bad   int     // of the first run
		numbers     []int64 // of the next
		again       int     // bad rows of the next
		offset      int
		left        bool
	}{
		"cut":          {"a,b\n1,2\n3,4\n5,3", "0\n6,7\n", 2, 0, []int64{3, 4}, 0, 12, true},
		"bad as it is": {"a,b\n1,2\n3,4\n5", ",6\n", 2, 0, []int64{3}, 0, 12, true},
		"whole":        {"a,b\n1,2\n3,4\n5,6", "\n", 2, 0, []int64{3}, 0, 12, true},
		"ended":        {"a,b\n1,2\n3,4\n", "5,6\n", 2, 0, []int64{3}, 0, 12, false},
		"blanks":       {"a,b\n1,2\n3,4\n  ", "5,6\n", 2, 0, []int64{3}, 0, 12, false},
		"in quotes":    {"a,b\n1,2\n3,4\n\"5\n", "\",6\n7,8\n", 2, 1, []int64{5}, 1, 15, false},
		"in open ones": {"a,b\n1,2\n3,4\n\"\n5", "\",6\n7,8\n", 2, 0, []int64{4}, 1, 12, true},
		"too long":     {"a,b\n1,2\n3,4\n" + long, long + "\n5,6\n", 2, 1, []int64{4}, 1, 12, true},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "rows.csv")
			if err := os.WriteFile(path, []byte(c.first), 0o666); err != nil {
				t.Fatal(err)
			}
			s, err := Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			s.LeaveUnfinished()
			first, err := s.WarmUp(t.Context(), WarmUp{Rows: 10, Skip: true})
			if err != nil {
				t.Fatal(err)
			}
			numbers, notes, at := drain(t, s)
			if len(numbers) != c.rows || len(notes) != c.bad || at.Offset != int64(c.offset) {
				t.Errorf("%d rows, %d notes, at %+v", len(numbers), len(notes), at)
			}
			if left := strings.Count(strings.Join(s.Notes(), "; "), reported) == 1; left != c.left {
				t.Errorf("got %q", s.Notes())
			}
			if err := os.WriteFile(path, []byte(c.first+c.then), 0o666); err != nil {
				t.Fatal(err)
			}
			next, err := Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer next.Close()
			next.LeaveUnfinished()
			if err := next.Resume(first.Layout, at, false); err != nil {
				t.Fatal(err)
			}
			numbers, notes, _ = drain(t, next)
			if !slices.Equal(numbers, c.numbers) || len(notes) != c.again || len(next.Notes()) > 0 {
				t.Errorf("then rows %v, %d notes, and %q", numbers, len(notes), next.Notes())
			}
		})
	}
}

// TestUnfinishedAlone: a file with no whole row yet is an error; what is packed, or comes by a
// pipe, has ended.
func TestUnfinishedAlone(t *testing.T) {
	folder := t.TempDir()
	for name, c := range map[string]struct {
		text, problem string
	}{
		"nothing.csv": {"a,b", "nothing.csv: has no line end yet"},
		"header.csv": {"a,b\n1,2",
			"header.csv: has a header but no rows (its last line has no line end yet)"},
		"one.csv.gz":  {"a,b\n1,2", ""},
		"one.csv.zst": {"a,b\n1,2", ""},
	} {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path,
			packed(t, []byte(c.text), strings.TrimPrefix(filepath.Ext(name), ".csv")),
			0o666); err != nil {
			t.Fatal(err)
		}
		s, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		s.LeaveUnfinished()
		_, err = s.WarmUp(t.Context(), WarmUp{})
		switch {
		case c.problem != "":
			if !fault.IsInput(err) || !strings.Contains(err.Error(), c.problem) {
				t.Errorf("%s: %v", name, err)
			}
		case err != nil:
			t.Errorf("%s: %v", name, err)
		default:
			if numbers, _, _ := drain(t, s); len(numbers) != 1 || len(s.Notes()) > 0 {
				t.Errorf("%s: rows %v, and %q", name, numbers, s.Notes())
			}
		}
		s.Close()
	}
	s := From(strings.NewReader("a,b\n1,2"), "stdin")
	s.LeaveUnfinished()
	if _, err := s.WarmUp(t.Context(), WarmUp{}); err != nil {
		t.Fatal(err)
	}
	if numbers, _, _ := drain(t, s); len(numbers) != 1 {
		t.Errorf("of a pipe: rows %v", numbers)
	}
}
