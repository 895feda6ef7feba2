package stream

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

// TestFollow: lines count as they are completed, whenever the file comes, each once; bad ones are
// reported with their number.
func TestFollow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		path := filepath.Join(t.TempDir(), "links.csv")
		lines := (&Follower{Path: path}).open(0).start(ctx)
		write := func(text string) {
			t.Helper()
			f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if _, err := f.WriteString(text); err != nil {
				t.Fatal(err)
			}
		}
		quiet := func() {
			t.Helper()
			time.Sleep(time.Second)
			select {
			case s := <-lines:
				t.Fatalf("%+v came", s)
			default:
			}
		}
		quiet()
		write("a,b,link,p\n12,15,sa")
		quiet()
		write("me,0.9\n\n")
		if s := <-lines; s.err != nil ||
			s.link != (NamedLink{A: "12", B: "15", Kind: link.MustLink, Confidence: .9}) ||
			s.end != int64(len("a,b,link,p\n12,15,same,0.9\n")) {
			t.Errorf("%+v", s)
		}
		quiet()
		write("x,y\n\"x, y\",z,different,\n")
		if s := <-lines; s.err == nil || !strings.Contains(s.err.Error(), path+", line 4") {
			t.Errorf("%+v", s)
		}
		last := <-lines
		if last.err != nil || last.link != (NamedLink{A: "x, y", B: "z", Kind: link.CannotLink}) {
			t.Errorf("%+v", last)
		}
		quiet()
		if err := os.WriteFile(path, []byte("a,b,link\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if s := <-lines; s.err == nil || !strings.Contains(s.err.Error(), "shorter") ||
			s.end != last.end {
			t.Errorf("%+v", s)
		}
		quiet() // it is said once
		cancel()
		synctest.Wait()

		// A run that goes on does not take again what the one before took.
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		write("a,b,link\n1,2,same\n3,4,same\n")
		again, stop := context.WithCancel(t.Context())
		if s := <-(&Follower{Path: path}).open(int64(len("a,b,link\n1,2,same\n"))).
			start(again); s.link.A != "3" {
			t.Errorf("%+v", s)
		}
		stop()
		synctest.Wait()
	})
}

// TestLongLines: a line may be longer than what is read at a time, but not without end.
func TestLongLines(t *testing.T) {
	for _, c := range []struct {
		length int
		ok     bool
	}{{200_000, true}, {3 << 20, false}} {
		path := filepath.Join(t.TempDir(), "links.csv")
		id := strings.Repeat("x", c.length)
		if err := os.WriteFile(path, []byte("a,b,link\n"+id+",2,same\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		s := <-(&Follower{Path: path, Every: time.Millisecond}).open(0).start(ctx)
		if (s.err == nil && s.link.A == id) != c.ok {
			t.Errorf("%d bytes: %v", c.length, s.err)
		}
		cancel()
	}
}

// TestLinksThatAreThere: what the followed file holds when the run begins is known before the first
// row, more than may wait later too.
func TestLinksThatAreThere(t *testing.T) {
	rows := groups(3000, 3)
	path := filepath.Join(t.TempDir(), "links.csv")
	text := []byte("a,b,link\n")
	for i := range 200 {
		text = fmt.Appendf(text, "%d,%d,different\n", 3*i+1, 3*i+2)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	state := filepath.Join(t.TempDir(), "state")
	_, reported, s := run(t, blocks(rows, 1000, false),
		Config{Learner: learner(t, competitive.Config{}, rows), Layout: layout(""), ID: "x",
			StatePath: state,
			Follow:    &Follower{Path: path}, Hold: 10})
	if s.Links != 200 || s.Lost != 0 || len(reported) != 0 {
		t.Errorf("%+v, %q", s, reported)
	}
	from, err := Load(state)
	if err != nil || from.Links != int64(len(text)) {
		t.Fatalf("%+v, %v", from, err)
	}
}

// TestAnotherFileOfLinks: a file that was put in the place of the one that was read is an error,
// not read from its middle.
func TestAnotherFileOfLinks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "links.csv")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("a,b,link\n1,2,same\n")
	r := (&Follower{Path: path}).open(0)
	if got := r.now(); len(got) != 1 || got[0].link.B != "2" {
		t.Fatalf("%+v", got)
	}
	write("a,b,link\n110,112,same\n3,4,same\n")
	if got := r.now(); len(got) != 1 || got[0].err == nil ||
		!strings.Contains(got[0].err.Error(), "no longer") {
		t.Errorf("%+v", got)
	}
	write("a,b,link\n1,2,same\n3,4,same\n") // it is back
	got := r.now()
	if len(got) != 1 || got[0].link.A != "3" {
		t.Errorf("%+v", got)
	}
	write("a,b,link\n1,2,different\n3,4,same\n5,6,same\n")
	if got := (&Follower{Path: path}).open(got[0].end).now(); len(got) != 1 || got[0].err == nil {
		t.Errorf("a run that goes on: %+v", got)
	}
}

// TestNoFileOfLinks: what is no file is an error.
func TestNoFileOfLinks(t *testing.T) {
	if got := (&Follower{Path: t.TempDir()}).open(0).now(); len(got) != 1 ||
		!fault.IsInput(got[0].err) {
		t.Errorf("%+v", got)
	}
}

// TestFollowObjects: links may be JSON lines, and a packed file is refused once.
func TestFollowObjects(t *testing.T) {
	path := filepath.Join(t.TempDir(), "links.jsonl")
	text := `{"a":"1","b":"2","link":"same"}` + "\n" + `{"a":"1"}` + "\n" +
		`{"a":3,"b":"4","link":"different","p":0.5}` + "\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	found := (&Follower{Path: path}).open(0).now()
	if len(found) != 3 || found[0].link != (NamedLink{A: "1", B: "2", Kind: link.MustLink}) ||
		found[2].link != (NamedLink{A: "3", B: "4", Kind: link.CannotLink, Confidence: .5}) {
		t.Fatalf("%+v", found)
	}
	if err := found[1].err; err == nil || !strings.Contains(err.Error(), path+", line 2") {
		t.Errorf("%v", err)
	}
	packed := filepath.Join(t.TempDir(), "links.csv.gz")
	if err := os.WriteFile(packed, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if found := (&Follower{Path: packed}).open(0).now(); len(found) != 1 ||
		!strings.Contains(found[0].err.Error(), "packed") {
		t.Errorf("%+v", found)
	}
}

// TestFollowDialects reads what spreadsheets write, and refuses UTF-16 once.
func TestFollowDialects(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		folder := t.TempDir()
		path := filepath.Join(folder, "links.csv")
		if err := os.WriteFile(path, []byte("\ufeffa;b;link;p\r\nx;\xe9;same;0,5\r\n"),
			0o600); err != nil {
			t.Fatal(err)
		}
		s := <-(&Follower{Path: path}).open(0).start(ctx)
		if s.err == nil {
			t.Errorf("text in two encodings was read: %+v", s)
		}
		if err := os.WriteFile(path, []byte("a;b;link;p\r\nx;\xe9;same;0,5\r\n"),
			0o600); err != nil {
			t.Fatal(err)
		}
		s = <-(&Follower{Path: path}).open(0).start(ctx)
		if s.err != nil || s.link != (NamedLink{A: "x", B: "é", Kind: link.MustLink,
			Confidence: .5}) {
			t.Errorf("%+v", s)
		}
		if err := os.WriteFile(path, []byte("\xff\xfea\x00;\x00\n\x00b\x00\n\x00"),
			0o600); err != nil {
			t.Fatal(err)
		}
		lines := (&Follower{Path: path}).open(0).start(ctx)
		if s := <-lines; s.err == nil || !strings.Contains(s.err.Error(), "UTF-16") {
			t.Errorf("%+v", s)
		}
		time.Sleep(time.Second)
		select {
		case s := <-lines:
			t.Errorf("%+v came", s)
		default:
		}
		cancel()
		synctest.Wait()
	})
}
