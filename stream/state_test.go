package stream

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

// saved runs rows of two columns and returns the path of the state that it leaves.
func saved(t *testing.T, column string) string {
	t.Helper()
	rows := groups(90, 11)
	path := filepath.Join(t.TempDir(), "state")
	bs := blocks(rows, 30, column != "")
	bs[2].Notes = []Note{{Before: 9, Kind: LinkNote, A: string(bs[0].AppendID(nil, 4)), B: "1000",
		Link: link.MustLink}}
	run(t, bs, Config{Learner: learner(t, competitive.Config{}, rows[:60]), Layout: layout(column),
		ID: "x", StatePath: path})
	return path
}

// TestDamagedStates: whatever is wrong with a state file, it is refused with its name, and left as
// it is.
func TestDamagedStates(t *testing.T) {
	whole, err := os.ReadFile(saved(t, "name"))
	if err != nil {
		t.Fatal(err)
	}
	head, _, _ := bytes.Cut(whole, []byte("\n"))
	if !bytes.HasPrefix(head, []byte(stateFormat+" 1 sha256:")) {
		t.Fatalf("the file begins with %q", head)
	}
	for name, text := range map[string][]byte{
		"empty":      nil,
		"other file": []byte("a,b,link\n1,2,same\n"),
		"newer":      bytes.Replace(whole, []byte(" 1 sha"), []byte(" 2 sha"), 1),
		"cut short":  whole[:len(whole)/2],
		"one bit": append(append(bytes.Clone(whole[:len(whole)/2]), whole[len(whole)/2]^4),
			whole[len(whole)/2+1:]...),
		"no body": append(head, '\n'),
	} {
		path := filepath.Join(t.TempDir(), "s.state")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Load(path)
		var in *fault.Input
		if !errors.As(err, &in) || in.File != path || in.Fix == "" {
			t.Errorf("%s: %v", name, err)
		}
		if name == "newer" && !strings.Contains(err.Error(), "format 2") {
			t.Error(err)
		}
		if left, err := os.ReadFile(path); err != nil || !bytes.Equal(left, text) {
			t.Errorf("%s: the file was changed", name)
		}
	}
	if _, err := Load(filepath.Join(t.TempDir(), "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if _, err := Load(t.TempDir()); !fault.IsInput(err) {
		t.Errorf("a folder: %v", err)
	}
}

// TestStatesThatLie: a state whose parts do not fit together is refused, and never breaks the
// program.
func TestStatesThatLie(t *testing.T) {
	for name, twist := range map[string]func(*State){
		"rows":        func(s *State) { s.Roll.Count++ },
		"numbers":     func(s *State) { s.Roll.Numbers = s.Roll.Numbers[1:] },
		"order":       func(s *State) { s.Roll.Numbers[3] = s.Roll.Numbers[4] },
		"negative":    func(s *State) { s.Roll.Numbers[0] = -1 },
		"ids":         func(s *State) { s.Roll.IDs = s.Roll.IDs[1:] },
		"kept":        func(s *State) { s.Roll.Kept = map[string]int64{"a": 91} },
		"another":     func(s *State) { s.Layout.Encoding.Columns = s.Layout.Encoding.Columns[:1] },
		"no last":     func(s *State) { s.Roll.Last = 3 },
		"learner":     func(s *State) { s.Learner = competitive.State{} },
		"many sizes":  func(s *State) { s.Counted.Sizes = make([]int64, 50) },
		"minus sizes": func(s *State) { s.Counted.Rows = -5 },
	} {
		path := saved(t, "name")
		s, err := Load(path)
		if err != nil {
			t.Fatal(err)
		}
		twist(s)
		if err := s.save(path); err != nil { // with a good checksum
			t.Fatal(err)
		}
		again, err := Load(path)
		var l *competitive.Learner
		if err == nil {
			l, err = again.Restore()
		}
		if err == nil {
			_, err = Run(t.Context(), &fakeSource{}, &fakeSink{},
				Config{Learner: l, Layout: again.Layout, From: again})
		}
		if !fault.IsInput(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestHeldLinksAreSaved: a link that waits goes on waiting in the state.
func TestHeldLinksAreSaved(t *testing.T) {
	s, err := Load(saved(t, ""))
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Held) != 1 || s.Held[0].B != "1000" || s.Held[0].Row != "1000" {
		t.Errorf("%+v", s.Held)
	}
}

// TestManyHeldLinks: links known before may be more than may wait later, and all go on waiting over
// a state.
func TestManyHeldLinks(t *testing.T) {
	rows := groups(100, 12)
	var links []NamedLink
	for i := range 30 {
		links = append(links, NamedLink{A: "2", B: strconv.Itoa(60 + i), Kind: link.CannotLink})
	}
	path := filepath.Join(t.TempDir(), "state")
	bs := blocks(rows, 50, false)
	_, _, s := run(t, bs[:1],
		Config{Learner: learner(t, competitive.Config{}, rows), Layout: layout(""), ID: "x",
			StatePath: path, Links: links, Hold: 3})
	if s.Held != 30 {
		t.Fatalf("%+v", s)
	}
	from, err := Load(path)
	if err != nil {
		t.Fatal(err)
	}
	l, err := from.Restore()
	if err != nil {
		t.Fatal(err)
	}
	if _, reported, s := run(t, bs[1:],
		Config{Learner: l, Layout: from.Layout, ID: "x", From: from,
			Hold: 3}); s.Learner.Cannot != 30 || s.Lost != 0 {
		t.Errorf("%+v, %q", s, reported)
	}
}
