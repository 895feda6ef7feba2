package stream

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

// run runs blocks through and returns the lines and what was reported.
func run(t *testing.T, bs []*Block, cfg Config) (lines []string, reported []string, s Statistics) {
	t.Helper()
	sink := &fakeSink{}
	cfg.Report = func(err error) { reported = append(reported, err.Error()) }
	s, err := Run(t.Context(), &fakeSource{blocks: bs}, sink, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return sink.lines, reported, s
}

// TestBlocksDoNotMatter: how rows are cut into blocks never changes a label.
func TestBlocksDoNotMatter(t *testing.T) {
	rows := groups(300, 1)
	reported := []NamedLink{{A: "5", B: "250", Kind: link.CannotLink},
		{A: "7", B: "8", Kind: link.MustLink}}
	var want []string
	for _, size := range []int{1, 7, 64, 300} {
		got, _, s := run(t, blocks(rows, size, false),
			Config{Learner: learner(t, competitive.Config{}, rows[:60]), Layout: layout(""),
				Links: reported})
		if want == nil {
			want = got
		}
		if !slices.Equal(got, want) {
			t.Errorf("blocks of %d rows give other labels", size)
		}
		if s.Rows != 300 || s.Links != 2 || s.Held != 0 || s.Learner.Links != 2 {
			t.Errorf("blocks of %d rows: %+v", size, s)
		}
	}
	if len(want) != 300 {
		t.Fatalf("%d labels", len(want))
	}
}

// TestLinks: a link before its rows waits, one after them counts at once, one of rows long gone is
// reported, and so is a mistake.
func TestLinks(t *testing.T) {
	rows := groups(100, 2)
	for _, named := range []bool{false, true} {
		id := func(n string) string {
			if named {
				return "a" + n
			}
			return n
		}
		column := ""
		if named {
			column = "name"
		}
		bs := blocks(rows, 50, named)
		bs[0].Notes = []Note{
			// both yet to come
			{Before: 0, Kind: LinkNote, A: id("3"), B: id("60"), Link: link.CannotLink},
			// both there
			{Before: 20, Kind: LinkNote, A: id("19"), B: id("20"), Link: link.MustLink},
		}
		bs[1].Notes = []Note{
			// row 1 has left the memory
			{Before: 30, Kind: LinkNote, A: id("1"), B: id("75"), Link: link.MustLink},
			// a mistake
			{Before: 30, Kind: LinkNote, A: id("78"), B: id("78"), Link: link.MustLink},
			// 19 is kept, since it is linked
			{Before: 31, Kind: LinkNote, A: id("19"), B: id("79"), Link: link.MustLink},
			{Before: 32, Kind: ForgetNote, A: id("82")},
			// it has just left
			{Before: 33, Kind: LinkNote, A: id("82"), B: id("79"), Link: link.MustLink},
			{Before: 50, Kind: LinkNote, A: id("99"), B: id("100"), Link: link.MustLink},
			// never comes
			{Before: 50, Kind: LinkNote, A: id("99"), B: id("5000"), Link: link.MustLink},
		}
		l := learner(t, competitive.Config{Remember: 60}, rows[:60])
		_, reported, s := run(t, bs, Config{Learner: l, Layout: layout(column)})
		want := []string{"too late", "itself", "too late"}
		if named { // an id that is not known any more may be that of a row to come
			want = want[1:]
		}
		if s.Learner.Must+s.Learner.Cannot != 4 || s.Held != 4-len(want) ||
			s.Lost != int64(len(want)) || s.Links != int64(4+len(want)) {
			t.Errorf("named %v: %+v", named, s)
		}
		if len(reported) != len(want) {
			t.Fatalf("named %v: %q", named, reported)
		}
		for i, part := range want {
			if !strings.Contains(reported[i], part) {
				t.Errorf("named %v: %q", named, reported)
			}
		}
	}
}

// TestWrongNames: rows that have no ids cannot be named by words.
func TestWrongNames(t *testing.T) {
	rows := groups(30, 2)
	bs := blocks(rows, 30, false)
	bs[0].Notes = []Note{{Before: 9, Kind: LinkNote, A: "ann", B: "3", Link: link.MustLink},
		{Before: 9, Kind: ForgetNote, A: "12"}}
	_, reported, s := run(t, bs,
		Config{Learner: learner(t, competitive.Config{}, rows), Layout: layout("")})
	if len(reported) != 2 || !strings.Contains(reported[0], "no ids") ||
		!strings.Contains(reported[1], "not there") || s.Lost != 1 {
		t.Errorf("%q %+v", reported, s)
	}
}

// TestHoldIsBounded: too many links that wait push out the oldest, and report that.
func TestHoldIsBounded(t *testing.T) {
	rows := groups(30, 3)
	bs := blocks(rows, 30, false)
	for i := range 5 {
		bs[0].Notes = append(bs[0].Notes,
			Note{Before: 1, Kind: LinkNote, A: "1", B: string(rune('2' + i)), Link: link.MustLink})
	}
	_, reported, s := run(t, bs,
		Config{Learner: learner(t, competitive.Config{}, rows), Layout: layout(""), Hold: 3})
	if s.Lost != 2 || len(reported) != 2 || !strings.Contains(reported[0], "longest of 3") ||
		s.Learner.Must != 3 {
		t.Errorf("%q %+v", reported, s)
	}
}

// TestContradiction: a link that contradicts others is reported with their ids and does not count;
// with Stop it ends the run, behind the labels of the rows before it.
func TestContradiction(t *testing.T) {
	rows := groups(30, 4)
	bs := func() []*Block {
		bs := blocks(rows, 30, true)
		bs[0].Notes = []Note{
			{Before: 10, Kind: LinkNote, A: "a1", B: "a2", Link: link.MustLink},
			{Before: 10, Kind: LinkNote, A: "a2", B: "a3", Link: link.MustLink},
			{Before: 10, Kind: LinkNote, A: "a1", B: "a3", Link: link.CannotLink},
		}
		return bs
	}
	lines, reported, s := run(t, bs(),
		Config{Learner: learner(t, competitive.Config{}, rows), Layout: layout("name")})
	if len(lines) != 30 || len(reported) != 1 || reported[0] != "a1 = a2, a2 = a3, but a1 ≠ a3" ||
		s.Lost != 1 {
		t.Errorf("%d lines, %q, %+v", len(lines), reported, s)
	}
	sink := &fakeSink{}
	_, err := Run(t.Context(), &fakeSource{blocks: bs()}, sink,
		Config{Learner: learner(t, competitive.Config{}, rows), Layout: layout("name"), Stop: true})
	var clash *link.Contradiction
	if !errors.As(err, &clash) || len(sink.lines) != 10 {
		t.Errorf("%v behind %d lines", err, len(sink.lines))
	}
}

// TestBadRows: they are reported and counted, and rows that the learner cannot take have no label.
func TestBadRows(t *testing.T) {
	rows := groups(30, 5)
	rows[2*6], rows[2*20+1] = 1e300, math.MaxFloat64
	bs := blocks(rows, 30, true)
	bad := &fault.Input{File: "in.csv", Row: 12, Problem: "the row has 3 fields of 2"}
	bs[0].Notes = []Note{{Before: 11, Kind: BadNote, Problem: bad},
		{Before: 25, Kind: LinkNote, A: "a25", B: "a22", Link: link.MustLink}}
	lines, reported, s := run(t, bs,
		Config{Learner: learner(t, competitive.Config{}, groups(30, 6)), Layout: layout("name")})
	if len(lines) != 28 || s.Bad != 3 || s.Rows != 28 || s.Learner.Must != 1 || s.Lost != 0 {
		t.Errorf("%d lines, %+v", len(lines), s)
	}
	if len(reported) != 3 || !strings.Contains(reported[0], "row 7") ||
		!strings.Contains(reported[1], "row 12") || !strings.Contains(reported[2], "row 21") {
		t.Errorf("%q", reported)
	}
	for _, line := range lines {
		if strings.HasPrefix(line, "a7 ") || strings.HasPrefix(line, "a21 ") {
			t.Errorf("a refused row has the label %s", line)
		}
	}
	if !strings.HasPrefix(lines[6], "a8 ") || !strings.HasPrefix(lines[27], "a30 ") {
		t.Errorf("ids have moved: %s, %s", lines[6], lines[27])
	}
}

// TestGoOn: a run that ends in the middle and goes on from its state has the labels of one that
// does not, links that wait included.
func TestGoOn(t *testing.T) {
	rows := groups(600, 7)
	for _, named := range []bool{false, true} {
		column, id := "", "5"
		if named {
			column, id = "name", "a5"
		}
		make := func() []*Block {
			bs := blocks(rows, 40, named)
			late := strings.TrimSuffix(id, "5") + "590"
			bs[0].Notes = []Note{{Before: 7, Kind: LinkNote, A: id, B: late, Link: link.CannotLink},
				{Before: 9, Kind: LinkNote, A: id, B: strings.TrimSuffix(id, "5") + "6",
					Link: link.MustLink}}
			return bs
		}
		cfg := competitive.Config{Remember: 100, Rehearse: 10, HalfLife: 500}
		want, _, all := run(t, make(),
			Config{Learner: learner(t, cfg, rows[:60]), Layout: layout(column)})
		path := filepath.Join(t.TempDir(), "state")
		bs := make()
		got, _, _ := run(t, bs[:6],
			Config{Learner: learner(t, cfg, rows[:60]), Layout: layout(column), ID: "one",
				StatePath: path})
		s, err := Load(path)
		if err != nil {
			t.Fatal(err)
		}
		if s.ID != "one" || s.Source.Offset != 2400 || s.Sink.Rows != 240 {
			t.Fatalf("%+v %+v", s.Source, s.Sink)
		}
		l, err := s.Restore()
		if err != nil {
			t.Fatal(err)
		}
		rest, _, sum := run(t, bs[6:],
			Config{Learner: l, Layout: s.Layout, ID: s.ID, From: s, StatePath: path})
		if !slices.Equal(append(got, rest...), want) {
			t.Errorf("named %v: the labels differ from those of an uninterrupted run", named)
		}
		if sum.Rows != all.Rows || sum.Links != all.Links || sum.RunRows != 360 || sum.Held != 0 ||
			sum.Learner != all.Learner {
			t.Errorf("named %v:\n%+v\n%+v", named, sum, all)
		}
	}
}

// TestInterrupted: when ctx ends, what was read is labelled and the state knows it.
func TestInterrupted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state")
	synctest.Test(t, func(t *testing.T) {
		rows := groups(600, 8)
		ctx, cancel := context.WithCancel(t.Context())
		sink := &fakeSink{after: func(puts int) {
			if puts == 3 {
				cancel()
				synctest.Wait() // until the source is stopped
			}
		}}
		_, err := Run(ctx, &fakeSource{blocks: blocks(rows, 20, false)}, sink,
			Config{Learner: learner(t, competitive.Config{}, rows[:60]), Layout: layout(""),
				ID: "x", StatePath: path})
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		s, err := Load(path)
		if err != nil {
			t.Fatal(err)
		}
		if int(s.Source.Rows) != len(sink.lines) || len(sink.lines) < 60 ||
			len(sink.lines) > 20*(3+ahead+2) {
			t.Errorf("the state knows %d rows, %d have labels", s.Source.Rows, len(sink.lines))
		}
	})
}

// TestSinkFails: the error comes out, and the state stays what it was.
func TestSinkFails(t *testing.T) {
	rows := groups(60, 9)
	full := errors.New("no space left")
	path := filepath.Join(t.TempDir(), "state")
	_, err := Run(t.Context(), &fakeSource{blocks: blocks(rows, 20, false)}, &fakeSink{fails: full},
		Config{Learner: learner(t, competitive.Config{}, rows), Layout: layout(""),
			StatePath: path})
	if !errors.Is(err, full) {
		t.Error(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Error("a state was written")
	}
}

// TestSourceFails: the rows before have their labels, and the state is behind them.
func TestSourceFails(t *testing.T) {
	rows := groups(60, 9)
	broken := errors.New("the disk is broken")
	sink := &fakeSink{}
	path := filepath.Join(t.TempDir(), "state")
	_, err := Run(t.Context(), &fakeSource{blocks: blocks(rows, 20, false), fails: broken}, sink,
		Config{Learner: learner(t, competitive.Config{}, rows), Layout: layout(""), ID: "x",
			StatePath: path})
	if !errors.Is(err, broken) || len(sink.lines) != 60 {
		t.Errorf("%v behind %d lines", err, len(sink.lines))
	}
	if s, err := Load(path); err != nil || s.Source.Rows != 60 {
		t.Errorf("%v", err)
	}
}

// TestNothingGained: a run that fails before its first row leaves the state as it is.
func TestNothingGained(t *testing.T) {
	rows := groups(60, 9)
	path := filepath.Join(t.TempDir(), "state")
	cfg := Config{Learner: learner(t, competitive.Config{}, rows), Layout: layout(""), ID: "x",
		StatePath: path}
	broken := errors.New("other columns")
	if _, err := Run(t.Context(), &fakeSource{fails: broken}, &fakeSink{}, cfg); !errors.Is(err,
		broken) {
		t.Error(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Error("a state of no row was written")
	}
	run(t, blocks(rows, 20, false), cfg)
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if cfg.From, err = Load(path); err != nil {
		t.Fatal(err)
	}
	if cfg.Learner, err = cfg.From.Restore(); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), &fakeSource{fails: broken}, &fakeSink{}, cfg); !errors.Is(err,
		broken) {
		t.Error(err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != string(want) {
		t.Errorf("the state was written anew: %v", err)
	}
}

// TestABadRowStops: rows before it have labels, and the state is that before its block.
func TestABadRowStops(t *testing.T) {
	rows := groups(60, 9)
	bs := blocks(rows, 20, false)
	bad := &fault.Input{Row: 46, Problem: "is short"}
	bs[2].Notes = []Note{{Before: 5, Kind: BadNote, Problem: bad}}
	sink := &fakeSink{}
	path := filepath.Join(t.TempDir(), "state")
	_, err := Run(t.Context(), &fakeSource{blocks: bs}, sink,
		Config{Learner: learner(t, competitive.Config{}, rows), Layout: layout(""), ID: "x",
			StatePath: path, Stop: true})
	if !errors.Is(err, bad) || len(sink.lines) != 45 {
		t.Errorf("%v behind %d lines", err, len(sink.lines))
	}
	if s, err := Load(path); err != nil || s.Source.Rows != 40 || s.Sink.Rows != 40 ||
		s.Learner.Rows != 40 {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestSavesNowAndThen: the state is saved every so often while rows come.
func TestSavesNowAndThen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state")
	synctest.Test(t, func(t *testing.T) {
		rows := groups(60, 10)
		src := &fakeSource{blocks: blocks(rows, 20, false), wait: make(chan struct{})}
		ended := make(chan error)
		var monitor Monitor
		go func() {
			_, err := Run(t.Context(), src, &fakeSink{},
				Config{Learner: learner(t, competitive.Config{}, rows), Layout: layout(""), ID: "x",
					StatePath: path, SaveEvery: time.Minute, Monitor: &monitor})
			ended <- err
		}()
		src.wait <- struct{}{}
		time.Sleep(61 * time.Second)
		synctest.Wait()
		if s, err := Load(path); err != nil || s.Source.Rows != 20 {
			t.Errorf("%+v, %v", s, err)
		}
		if got := monitor.Statistics(); got.Rows != 20 || got.Saved.IsZero() {
			t.Errorf("%+v", got)
		}
		close(src.wait)
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if s, err := Load(path); err != nil || s.Source.Rows != 60 {
			t.Errorf("%+v, %v", s, err)
		}
	})
}

// TestManyBadRows: bad rows without end are all counted, some reported, and take little memory.
func TestManyBadRows(t *testing.T) {
	rows := groups(30, 5)
	bs := blocks(rows, 30, false)
	var b Block
	for i := range 100_000 {
		b.Bad(&fault.Input{File: "m", Row: i + 1000, Problem: "no number"})
	}
	for i := range b.Notes {
		b.Notes[i].Before = 30
	}
	bs[0].Notes = b.Notes
	_, reported, s := run(t, bs,
		Config{Learner: learner(t, competitive.Config{}, rows), Layout: layout("")})
	if s.Bad != 100_000 || len(reported) != mostReported+1 ||
		!strings.HasSuffix(reported[mostReported],
			"95904 rows behind that could not be read either") {
		t.Errorf("%d bad, %d reported", s.Bad, len(reported))
	}
}
