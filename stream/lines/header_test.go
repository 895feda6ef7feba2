package lines

import (
	"strings"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/stream"
)

// TestOtherColumns: a header of other columns is refused, the same header passed over.
func TestOtherColumns(t *testing.T) {
	for text, problem := range map[string]string{
		"id,a,b,c,class\nx,1,2,red,A\n": "",
		"x,1,2,red,A\n":                 "",
		"\n@forget,x\nid,a,b,c,class\n": "",
		"id,b,a,c,class\nx,1,2,red,A\n": "has the columns id, b, a, c, class, where id, a, " +
			"b, c, class were learnt",
		"id,a,b,c,class,more\nx,1,2,red,A,": "where id, a, b, c, class were learnt",
	} {
		d, err := NewDecoder("rows", plainLayout(dataset.FormatCSV), 0)
		if err != nil {
			t.Fatal(err)
		}
		d.expectFront()
		b := decode(t, d, []byte(text))
		if problem == "" {
			if want := strings.Count(text, "x,1"); d.fault() != nil || b.Len() != want ||
				b.After.Rows != int64(want) {
				t.Errorf("%q: %v, rows %v", text, d.fault(), b.Numbers)
			}
		} else if d.fault() == nil || !strings.Contains(d.fault().Error(), problem) || b.Len() != 0 {
			t.Errorf("%q: %v", text, d.fault())
		}
	}
}

// TestLayoutsThatDoNotHangTogether are refused, as a state file may hold one.
func TestLayoutsThatDoNotHangTogether(t *testing.T) {
	for name, spoil := range map[string]func(*stream.Layout){
		"format":    func(l *stream.Layout) { l.Format = dataset.FormatNPY },
		"separator": func(l *stream.Layout) { l.Separator = "ab" },
		"id":        func(l *stream.Layout) { l.ID = "a" },
		"unknown":   func(l *stream.Layout) { l.ID = "z" },
		"label":     func(l *stream.Layout) { l.Label = "id" },
		"twice":     func(l *stream.Layout) { l.Columns[1] = "id" },
		"none":      func(l *stream.Layout) { l.Columns = nil },
		"features":  func(l *stream.Layout) { l.Encoding.Columns = nil },
		"feature":   func(l *stream.Layout) { l.Encoding.Columns[0].Source = "z" },
		"levels":    func(l *stream.Layout) { l.Encoding.Columns[2].Levels = nil },
	} {
		l := plainLayout(dataset.FormatCSV)
		spoil(&l)
		if _, err := NewDecoder("rows", l, 0); err == nil ||
			!strings.Contains(err.Error(), "does not hang together") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
