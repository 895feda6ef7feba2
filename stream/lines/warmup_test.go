package lines

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
)

// TestNoGoodFirstRow: where every row is bad, one is reported, by its number.
func TestNoGoodFirstRow(t *testing.T) {
	for text, want := range map[string]string{
		"x,y\n1\n2\n": "rows, row 1: has 1 field where the header has 2 " +
			"(none of the first 2 rows could be used)",
		"x,y\n\n@link,1,2,same\n1\n2,3,4\n5\n": "rows, row 1: has 1 field where the header has 2 " +
			"(none of the first 3 rows could be used)",
		"x,y\n1,\xff\n\xff,2\n": "rows, row 1: has a byte that is not UTF-8 (none " +
			"of the first 2 rows could be used)",
		"x,y\n1\n": "rows, row 1: has 1 field where the header has 2; ",
		"{\"x\":1\n{\"x\":\n": "rows, row 1: the line ends where a comma or a " +
			"closing brace should be",
		"x,y\n1e130,1\n2e130,-1e121\n": `rows, row 1, column x: "1e130" is beyond`,
	} {
		w := WarmUp{Skip: true, Prepare: dataset.Preparation{Scale: dataset.ScaleNone}}
		_, err := From(strings.NewReader(text), "rows").WarmUp(t.Context(), w)
		if !fault.IsInput(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestBadFirstObject: JSON lines have no header that the others need.
func TestBadFirstObject(t *testing.T) {
	const good = `{"x":1,"y":2}` + "\n" + `{"x":3,"y":2}` + "\n"
	for _, bad := range []string{`{"x":1,"y":`, `{"x":1,"y":[2]}`, `{"x":1,"x":2}`,
		"{\"x\":\"\xff\"}"} {
		s := From(strings.NewReader(bad+"\n"+good), "stdin")
		first, err := s.WarmUp(t.Context(), WarmUp{Skip: true})
		if err != nil {
			t.Errorf("%s: %v", bad, err)
			continue
		}
		if numbers, notes, _ := drain(t, s); first.X.Rows != 2 || fmt.Sprint(numbers) != "[2 3]" ||
			len(notes) != 1 {
			t.Errorf("%s: a warm-up of %d rows, then rows %v and %d notes", bad, first.X.Rows,
				numbers, len(notes))
		}
	}
}

// TestValuesBeyondLearning: a row that a learner would refuse is a bad one, among the first and
// later.
func TestValuesBeyondLearning(t *testing.T) {
	none := dataset.Preparation{Scale: dataset.ScaleNone}
	for name, text := range map[string]string{
		"rows.csv": "id,x,y\na,1,2\nb,1e120,1\nc,3,-1.5e120\nd,4,5\ne,-1E+130,5\nf,6,7\n",
		"rows.jsonl": `{"id":"a","x":1,"y":2}` + "\n" + `{"id":"b","x":1e120,"y":1}` + "\n" +
			`{"id":"c","x":3,"y":-1.5e120}` + "\n" + `{"id":"d","x":4,"y":5}` + "\n" +
			`{"id":"e","x":-1E+130,"y":5}` + "\n" + `{"id":"f","y":7,"x":6}` + "\n",
	} {
		for _, rows := range []int{2, 3, 100} {
			s := From(strings.NewReader(text), name)
			first, err := s.WarmUp(t.Context(), WarmUp{Rows: rows, Skip: true, Prepare: none})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := competitive.New(competitive.Config{Clusters: 1}, first.X); err != nil {
				t.Errorf("%s: the first %d rows are not learnt from: %v", name, rows, err)
			}
			if want := min(rows, 6) - min(rows, 6)/3; first.X.Rows != want {
				t.Errorf("%s: %d of the first %d rows are good, want %d", name, first.X.Rows, rows,
					want)
			}
			numbers, notes, _ := drain(t, s)
			if fmt.Sprint(numbers) != "[1 2 4 6]" || len(notes) != 2 {
				t.Fatalf("%s: rows %v, notes %v", name, numbers, notes)
			}
			for i, want := range []string{name + `, row 3, column y: "-1.5e120" is beyond ±1e+120`,
				name + `, row 5, column x: "-1E+130" is beyond ±1e+120`} {
				if got := notes[i].Problem.Error(); !strings.Contains(got, want) {
					t.Errorf("%s, want %s", got, want)
				}
			}
		}
		_, err := From(strings.NewReader(text), name).WarmUp(t.Context(), WarmUp{Prepare: none})
		if want := name + `, row 3, column y: "-1.5e120" is beyond ±1e+120`; !fault.IsInput(err) ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	s := From(strings.NewReader("x\n0\n1e-20\n1e105\n"), "rows.csv")
	if _, err := s.WarmUp(t.Context(), WarmUp{Rows: 2, Skip: true}); err != nil {
		t.Fatal(err)
	}
	numbers, notes, _ := drain(t, s)
	if len(numbers) != 2 || len(notes) != 1 ||
		!strings.Contains(notes[0].Problem.Error(),
			`row 3, column x: "1e105" is too far from the first rows`) {
		t.Errorf("rows %v, notes %v", numbers, notes)
	}
}

// TestRolesAsInTables: a stream compares the columns of a text that reading it whole compares, and
// with types that are asked for, too.
func TestRolesAsInTables(t *testing.T) {
	var text strings.Builder
	text.WriteString("customer_id,zip,surname,constant,n,amount,colour\n")
	for i := range 60 {
		fmt.Fprintf(&text, "%d,%d,name%d,5,%d,%g,%s\n", 7000+3*i, 75001+i%3, i%9, i+1,
			float64(i*i%17)+0.5, []string{"red", "green", "blue"}[i*7%3])
	}
	for _, types := range []map[string]dataset.Type{nil, {"zip": dataset.Category}} {
		whole, err := dataset.ReadStream(t.Context(), strings.NewReader(text.String()), "rows.csv",
			dataset.ReadOptions{Types: types})
		if err != nil {
			t.Fatal(err)
		}
		s := From(strings.NewReader(text.String()), "rows.csv")
		first, err := s.WarmUp(t.Context(), WarmUp{Read: dataset.ReadOptions{Types: types}})
		if err != nil {
			t.Fatal(err)
		}
		ready, err := whole.Prepare(t.Context(), dataset.Preparation{})
		if err != nil {
			t.Fatal(err)
		}
		got, want := first.Layout.Encoding, ready.Encoding
		if fmt.Sprint(got.Sources(), got.Types()) != fmt.Sprint(want.Sources(), want.Types()) ||
			first.Layout.ID != "customer_id" {
			t.Errorf("compared by %v (id %s), as a table by %v", got.Types(), first.Layout.ID,
				want.Types())
		}
		if _, notes, _ := drain(t, s); len(notes) > 0 {
			t.Errorf("rows of the warm-up are bad: %v", notes[0].Problem)
		}
	}
}

// TestRowsWithoutAValue are counted by column among the first rows, and each is marked as such.
func TestRowsWithoutAValue(t *testing.T) {
	s := From(strings.NewReader("x,y\n1,2\n,3\n4,\n5,6\nseven,8\n"), "rows.csv")
	first, err := s.WarmUp(t.Context(), WarmUp{Skip: true})
	if err != nil {
		t.Fatal(err)
	}
	if notes := strings.Join(first.Notes, "\n"); !strings.Contains(notes,
		"rows without a value (2 of the first 4: x 1, y 1) get no label: --missing keep") {
		t.Errorf("notes %q", first.Notes)
	}
	_, notes, _ := drain(t, s)
	lacking := int64(0)
	for _, n := range notes {
		lacking += n.Lacking
	}
	if len(notes) != 3 || lacking != 2 {
		t.Errorf("%d of %d bad rows lack a value, want 2 of 3", lacking, len(notes))
	}
}
