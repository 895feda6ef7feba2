package input

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/method"
)

// TestNewRowsAreReadAsThoseOfTheModel reads new rows by the decimal mark, the order of dates and
// the words for missing values of the rows that the model was made from, unless they show others.
func TestNewRowsAreReadAsThoseOfTheModel(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	var s Source
	s.NA = []string{"absent"}
	s.Features, s.Missing, s.Duplicates = []string{"x", "when"}, "drop", "keep"
	old, err := s.Read(t.Context(), Place{}, write("old.csv",
		"x;when\n1,5;20/1/2024\n2,25;3/2/2024\nabsent;4/2/2024\n3,5;5/2/2024\n"), false, nil)
	if err != nil {
		t.Fatal(err)
	}
	how, err := s.Preparation(false)
	if err != nil {
		t.Fatal(err)
	}
	ready, err := old.Prepare(t.Context(), how)
	if err != nil {
		t.Fatal(err)
	}
	m := &method.Model{}
	(&Data{Table: old, Ready: ready}).Sign(m, method.Method{})
	if r := m.Encoding.Reading; r == nil || r.Decimal != "," || r.DateOrder != "dmy" ||
		len(r.NA) != 1 {
		t.Fatalf("the model keeps %+v", r)
	}
	for _, c := range []struct {
		text, decimal, note string
		x                   float64
		month               string
	}{
		{"x;when\n1,234;2/1/2024\nabsent;3/1/2024\n", "", "", 1.234, "2024-01-02"},
		{"x;when\n1,234;2/1/2024\nabsent;3/1/2024\n", ".", "", 1234, "2024-01-02"},
		{"x;when\n1.75;2/1/2024\nabsent;3/1/2024\n", "",
			"the decimal mark here is ., and was , when the model was made", 1.75, "2024-01-02"},
		{"x;when\n1,75;1/20/2024\nabsent;1/21/2024\n", "",
			"the order of dates here is mdy, and was dmy when the model was made", 1.75,
			"2024-01-20"},
	} {
		got, _, notes, err := Source{Decimal: c.decimal}.ForModel(t.Context(), Place{}, m,
			write("new.csv", c.text), nil)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		if x, when := got.Value(0, 0), got.Cell(0, 1); x != c.x || when != c.month ||
			got.Columns[0].Missing != 1 {
			t.Errorf("%q: %v and %s, %d missing", c.text, x, when, got.Columns[0].Missing)
		}
		said := strings.Join(notes, "\n")
		if c.note == "" && said != "" || !strings.Contains(said, c.note) {
			t.Errorf("%q: says %q", c.text, said)
		}
	}
	for _, r := range []dataset.Reading{{Decimal: ";"}, {Encoding: "utf-99"}} {
		bad := dataset.Encoding{Reading: &r}
		if err := bad.Check(); err == nil {
			t.Errorf("%+v passes", r)
		}
	}
}

// TestModelsKeepTheEncoding reads new rows, too few to show theirs, in that of the rows before.
func TestModelsKeepTheEncoding(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	s := New().Source
	old, err := s.Read(t.Context(), Place{}, write("old.csv", "city,x\n"+
		strings.Repeat("\xa3\xf3d\x9f,1\nGda\xf1sk,2\nmi\xeadzy \x9cwiat\xb3em,3\n", 9)), false, nil)
	if err != nil {
		t.Fatal(err)
	}
	ready, err := old.Prepare(t.Context(), dataset.Preparation{})
	if err != nil {
		t.Fatal(err)
	}
	m := &method.Model{}
	(&Data{Table: old, Ready: ready}).Sign(m, method.Method{})
	if r := m.Encoding.Reading; r == nil || r.Encoding != "windows-1250" {
		t.Fatalf("the model keeps %+v", r)
	}
	for _, text := range []string{"city,x\n\xa3\xf3d\x9f,1\n", "city,x\nŁódź,1\n"} {
		got, _, notes, err := Source{}.ForModel(t.Context(), Place{}, m, write("new.csv", text), nil)
		if err != nil || got.Cell(0, 0) != "Łódź" || len(notes) > 0 {
			t.Errorf("%q: %q, notes %q, %v", text, got.Cell(0, 0), notes, err)
		}
	}
}
