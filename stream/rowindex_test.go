package stream

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

// TestIDsThatComeAgain: an id is that of its latest row, whether or not links name the one before.
func TestIDsThatComeAgain(t *testing.T) {
	for _, linked := range []bool{false, true} {
		rows := groups(40, 3)
		b := &Block{Cols: 2, Rows: rows, After: Position{Rows: 40}}
		for i := range 40 {
			b.Numbers = append(b.Numbers, int64(i+1))
			b.IDText = fmt.Appendf(b.IDText, "s%d", i%20) // each comes twice
			b.IDEnd = append(b.IDEnd, int32(len(b.IDText)))
		}
		if linked {
			b.Notes = append(b.Notes,
				Note{Before: 20, Kind: LinkNote, A: "s0", B: "s1", Link: link.CannotLink})
		}
		b.Notes = append(b.Notes, Note{Before: 40, Kind: ForgetNote, A: "s0"}) // its second row
		l := learner(t, competitive.Config{}, rows)
		_, reported, s := run(t, []*Block{b}, Config{Learner: l, Layout: layout("name")})
		if len(reported) > 0 || !l.Remembers(1) || l.Remembers(21) ||
			linked != (s.Learner.Links == 1) {
			t.Errorf("linked %v: %q, remembers %v and %v, %d links", linked, reported,
				l.Remembers(1),
				l.Remembers(21), s.Learner.Links)
		}
	}
}

// TestLinksOfBadRows: a link to a row that was bad, or turns out so, is lost and does not wait.
func TestLinksOfBadRows(t *testing.T) {
	rows := groups(30, 5)
	rows[2*19] = 1e300 // which the learner refuses: number 21
	bs := blocks(rows, 30, false)
	for i := 10; i < 30; i++ {
		bs[0].Numbers[i]++ // number 11 is bad
	}
	statement := func(before int, a, b string) Note {
		return Note{Before: before, Kind: LinkNote, A: a, B: b, Link: link.MustLink}
	}
	bs[0].Notes = []Note{
		statement(5, "1", "11"), statement(5, "1", "21"),
		{Before: 10, Kind: BadNote, Problem: &fault.Input{Row: 11, Problem: "is short"}},
		statement(10, "2", "11"),
		statement(15, "3", "00025"), // yet to come, by another spelling
	}
	bs[0].After.Rows = 31
	_, reported, s := run(t, bs,
		Config{Learner: learner(t, competitive.Config{}, groups(30, 6)), Layout: layout("")})
	if s.Held != 0 || s.Lost != 3 || s.Bad != 2 || s.Learner.Must != 1 {
		t.Errorf("%+v, %q", s, reported)
	}
	if len(reported) != 5 || strings.Count(strings.Join(reported, "\n"), "or was bad") != 3 {
		t.Errorf("%q", reported)
	}
}

// TestRings: memories of no row, of one, of more than there are; states of each go on.
func TestRings(t *testing.T) {
	rows := groups(30, 7)
	for _, c := range []struct {
		remember   int
		must, lost int64
	}{{-1, 0, 3}, {1, 0, 3}, {2, 1, 2}, {1000, 3, 0}} {
		for _, column := range []string{"", "name"} {
			bs := blocks(rows, 10, column != "")
			id := strings.Repeat("a", len(column)/4)
			for i := range 3 {
				bs[i].Notes = []Note{{Before: 10, Kind: LinkNote,
					A: id + []string{"10", "11", "1"}[i], B: id + []string{"9", "20", "30"}[i],
					Link: link.MustLink}}
			}
			cfg := competitive.Config{Remember: c.remember}
			path := t.TempDir() + "/state"
			run(t, bs[:1], Config{Learner: learner(t, cfg, rows), Layout: layout(column), ID: "x",
				StatePath: path})
			from, err := Load(path)
			if err != nil {
				t.Fatal(err)
			}
			l, err := from.Restore()
			if err != nil {
				t.Fatal(err)
			}
			_, reported, s := run(t, bs[1:],
				Config{Learner: l, Layout: from.Layout, ID: "x", From: from})
			if s.Learner.Must != int(c.must) || s.Lost+int64(s.Held) != c.lost ||
				column == "" && s.Held > 0 {
				t.Errorf("remember %d, ids %q: %+v, %q", c.remember, column, s, reported)
			}
		}
	}
}
