package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/project/store"
)

var noon = time.Date(2025, 3, 1, 12, 0, 0, 5000, time.UTC)

func project(t *testing.T) *store.File {
	t.Helper()
	return open(t, filepath.Join(t.TempDir(), "p.kindred"))
}

func add(t *testing.T, p *store.File, events ...store.Event) []store.Event {
	t.Helper()
	added, err := p.AppendAll(t.Context(), events)
	if err != nil {
		t.Fatal(err)
	}
	return added
}

func events(t *testing.T, p *store.File) []store.Event {
	t.Helper()
	all, err := p.Events(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestAnEventIsReadAsItWasAdded(t *testing.T) {
	p := project(t)
	want := add(t, p, store.Event{ID: "x-1_Z", At: noon.In(time.FixedZone("", 3600)),
		Step: store.Same, A: "a\x00b", B: "é\xff", Question: 3, Why: "w", Who: "ann", Doubt: true,
		Repeat: true})
	want = append(want, add(t, p,
		store.Event{Step: store.Different, A: "a", B: "b", Target: 1, Who: "ann"},
		store.Event{ID: "x2", Step: store.Name, A: "a", Text: "Cats <b>", Who: "ann"})...)
	if want[0].Seq != 1 || want[0].Batch != 0 || want[1].Batch != 2 || want[2].Batch != 2 ||
		want[2].Seq != 3 || want[1].At.IsZero() || !want[1].At.Equal(want[2].At) {
		t.Errorf("added %+v", want)
	}
	if diff := cmp.Diff(want, events(t, p)); diff != "" {
		t.Error(diff)
	}
	if e, ok, err := p.ByID(t.Context(), "x2"); !ok || err != nil || e.Seq != 3 {
		t.Errorf("%+v %v %v", e, ok, err)
	}
	for _, id := range []string{"", "x"} {
		if _, ok, err := p.ByID(t.Context(), id); ok || err != nil {
			t.Errorf("%q: %v %v", id, ok, err)
		}
	}
}

func TestTheSameIDIsAddedOnce(t *testing.T) {
	p := project(t)
	e := store.Event{ID: "one", Step: store.Same, A: "a", B: "b"}
	add(t, p, e)
	if err := p.Append(t.Context(), e); !errors.Is(err, store.ErrDuplicate) {
		t.Errorf("again: %v", err)
	}
	f := e
	f.ID = "two"
	if _, err := p.AppendAll(t.Context(), []store.Event{f, f}); !errors.Is(err,
		store.ErrDuplicate) {
		t.Errorf("twice at once: %v", err)
	}
	path := p.Path()
	p.Close()
	p = open(t, path)
	if err := p.Append(t.Context(), e); !errors.Is(err, store.ErrDuplicate) {
		t.Errorf("after opening it again: %v", err)
	}
	if n := len(events(t, p)); n != 1 {
		t.Errorf("%d events", n)
	}
	// A race of many with one id: one gets it, and the others find it on disk.
	var race sync.WaitGroup
	added := make(chan int64, 20)
	for range 20 {
		race.Go(func() {
			got, err := p.AppendAll(t.Context(), []store.Event{f})
			if errors.Is(err, store.ErrDuplicate) {
				if found, ok, err := p.ByID(t.Context(), f.ID); !ok || err != nil ||
					found.Seq != 2 {
					t.Errorf("%+v %v %v", found, ok, err)
				}
			} else if err != nil {
				t.Error(err)
			} else {
				added <- got[0].Seq
			}
		})
	}
	race.Wait()
	if len(added) != 1 || len(events(t, p)) != 2 {
		t.Errorf("%d were added, and there are %d events", len(added), len(events(t, p)))
	}
}

func TestWhatIsNoEventIsRefused(t *testing.T) {
	p := project(t)
	long := strings.Repeat("x", 1<<17)
	for name, e := range map[string]store.Event{
		"no step":         {A: "a", B: "b"},
		"another step":    {Step: "guess", A: "a", B: "b"},
		"one object":      {Step: store.Same, A: "a"},
		"itself":          {Step: store.Skip, A: "a", B: "a"},
		"two bad":         {Step: store.Bad, A: "a", B: "b"},
		"name of nothing": {Step: store.Name, Text: "x"},
		"drop of nothing": {Step: store.Drop},
		"undo of nothing": {Step: store.Undo},
		"undo by pair":    {Step: store.Undo, A: "a", B: "b"},
		"later target":    {Step: store.Undo, Target: 1},
		"negative target": {Step: store.Same, A: "a", B: "b", Target: -1},
		"skip of a skip":  {Step: store.Skip, A: "a", B: "b", Target: 1},
		"blank in id":     {Step: store.Same, A: "a", B: "b", ID: "a b"},
		"end of line":     {Step: store.Same, A: "a", B: "b", ID: "a\n"},
		"long id":         {Step: store.Same, A: "a", B: "b", ID: long[:65]},
		"long row id":     {Step: store.Same, A: "a", B: long},
		"long who":        {Step: store.Same, A: "a", B: "b", Who: long[:257]},
		"long why":        {Step: store.Same, A: "a", B: "b", Why: long[:4097]},
		"long name":       {Step: store.Name, A: "a", Text: long[:1025]},
		"no text":         {Step: store.Name, A: "a", Text: "\xff"},
		"year": {Step: store.Same, A: "a", B: "b",
			At: time.Date(12025, 1, 1, 0, 0, 0, 0, time.UTC)},
	} {
		if err := p.Append(t.Context(), e); !fault.IsInput(err) || len(err.Error()) > 500 {
			t.Errorf("%s: %v", name, err)
		}
	}
	two := []store.Event{{Step: store.Same, A: "a", B: "b", Who: "ann"},
		{Step: store.Same, A: "a", B: "b", Who: "bob"}}
	if _, err := p.AppendAll(t.Context(), two); !fault.IsInput(err) {
		t.Errorf("two people: %v", err)
	}
	if added, err := p.AppendAll(t.Context(), nil); err != nil || added != nil {
		t.Errorf("nothing: %v %v", added, err)
	}
	if all := events(t, p); len(all) != 0 {
		t.Errorf("%+v", all)
	}
	answer(t, p, store.Same, "a", "b") // and the numbers begin at 1 all the same
	if all := events(t, p); len(all) != 1 || all[0].Seq != 1 {
		t.Errorf("%+v", all)
	}
}

func TestManyAddAtOnce(t *testing.T) {
	p := project(t)
	var all sync.WaitGroup
	for who := range 20 {
		all.Go(func() {
			last := int64(0)
			for i := range 20 {
				step := []store.Event{{Step: store.Same, A: "a", B: "b",
					ID: fmt.Sprintf("%d-%d", who, i)}}
				if i%5 == 0 {
					step = append(step, store.Event{Step: store.Bad, A: "c"})
				}
				added, err := p.AppendAll(t.Context(), step)
				if err != nil {
					t.Error(err)
					return
				}
				if added[0].Seq <= last {
					t.Errorf("event %d came after %d", added[0].Seq, last)
				}
				last = added[0].Seq
				if err := p.SetSetting(t.Context(), fmt.Sprint("at ", who), last); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	got := events(t, p)
	if len(got) != 20*24 {
		t.Fatalf("%d events", len(got))
	}
	for i, e := range got {
		if e.Seq != int64(i+1) ||
			e.Step == store.Bad && (e.Batch != e.Seq-1 || got[i-1].Batch != e.Batch) {
			t.Fatalf("event %d is %+v", i+1, e)
		}
	}
}

func TestSubmitSettlesTheOrderAtOnce(t *testing.T) {
	p := project(t)
	var waits []func() error
	for i := range 10 {
		added, wait, err := p.Submit(t.Context(), []store.Event{{Step: store.Same, A: "a", B: "b"}})
		if err != nil || added[0].Seq != int64(i+1) {
			t.Fatalf("%+v %v", added, err)
		}
		waits = append(waits, wait)
	}
	if err := p.Close(); err != nil { // writes what was submitted
		t.Fatal(err)
	}
	for _, wait := range waits {
		if err := wait(); err != nil {
			t.Error(err)
		}
	}
	if err := p.Append(t.Context(), store.Event{Step: store.Same, A: "a", B: "b"}); err == nil {
		t.Error("a closed project takes an answer")
	}
	if n := len(events(t, open(t, p.Path()))); n != 10 {
		t.Errorf("%d events", n)
	}
}

// TestAFullDiskBeforeTheFirstAnswer: of a project without answers it is not said that they are kept.
func TestAFullDiskBeforeTheFirstAnswer(t *testing.T) {
	p := project(t)
	big := store.Event{Step: store.Same, A: strings.Repeat("x", 60000), B: "b"}
	for _, answered := range []bool{false, true} {
		if answered {
			answer(t, p, store.Same, "first", "answer")
		}
		if err := p.LimitPages(t.Context(), 20); err != nil {
			t.Fatal(err)
		}
		err := p.Append(t.Context(), big)
		if !errors.Is(err, fault.Full) ||
			strings.Contains(err.Error(), "holds all earlier answers") != answered {
			t.Errorf("answered %v: %v", answered, err)
		}
	}
}

func TestAFullDisk(t *testing.T) {
	p := project(t)
	answer(t, p, store.Same, "first", "answer")
	if err := p.LimitPages(t.Context(), 20); err != nil {
		t.Fatal(err)
	}
	kept := 1
	var failed error
	for i := 0; i < 1000 && failed == nil; i++ {
		e := store.Event{ID: fmt.Sprint("n", kept), Step: store.Same, A: strings.Repeat("x", 500),
			B: "b"}
		if failed = p.Append(t.Context(), e); failed == nil {
			kept++
		}
	}
	if failed == nil || fault.IsInput(failed) || !errors.Is(failed, fault.Full) ||
		!strings.Contains(failed.Error(), "the disk is full") {
		t.Fatalf("a full disk gives %v", failed)
	}
	// All that waits in line behind the one that fails, fails too.
	big := store.Event{Step: store.Same, A: strings.Repeat("x", 60000), B: "b"}
	var waits []func() error
	for range 5 {
		_, wait, err := p.Submit(t.Context(), []store.Event{big})
		if err != nil {
			t.Fatal(err)
		}
		waits = append(waits, wait)
	}
	for _, wait := range waits {
		if wait() == nil {
			t.Error("an answer went onto a full disk")
		}
	}
	if n := len(events(t, p)); n != kept {
		t.Errorf("%d events, and %d were acknowledged", n, kept)
	}
	if err := p.LimitPages(t.Context(), 100000); err != nil {
		t.Fatal(err)
	}
	// the id is free again
	again := add(t, p, store.Event{ID: fmt.Sprint("n", kept), Step: store.Same, A: "a", B: "b"})
	if again[0].Seq != int64(kept+1) {
		t.Errorf("room again: event %d after %d", again[0].Seq, kept)
	}
	path := p.Path()
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	if n := len(events(t, open(t, path))); n != kept+1 {
		t.Errorf("%d events after opening it again, want %d", n, kept+1)
	}
}

func TestAClockThatJumpsBack(t *testing.T) {
	p := project(t)
	add(t, p, store.Event{Step: store.Same, A: "a", B: "b", At: noon})
	add(t, p, store.Event{Step: store.Same, A: "c", B: "d", At: noon.AddDate(-10, 0, 0)})
	add(t, p, store.Event{Step: store.Undo, Target: 2, At: noon.AddDate(-20, 0, 0)})
	if got := tell(store.NewHistory(events(t, p))); got != "a-b:same" {
		t.Error(got)
	}
}

func TestTheFileAloneHoldsAllOnceItIsQuiet(t *testing.T) {
	p := project(t)
	answer(t, p, store.Same, "a", "b")
	copied := filepath.Join(t.TempDir(), "copy.kindred")
	for {
		bytes, err := os.ReadFile(p.Path())
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(copied, bytes, 0o644); err != nil {
			t.Fatal(err)
		}
		if v, err := store.View(t.Context(), copied); err == nil {
			found, err := v.Events(t.Context())
			v.Close()
			if err == nil && len(found) == 1 {
				return
			}
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func TestSettings(t *testing.T) {
	p := project(t)
	var got map[string]float64
	if ok, err := p.Setting(t.Context(), "reliability", &got); ok || err != nil {
		t.Errorf("%v %v", ok, err)
	}
	for _, x := range []float64{.5, .8} {
		if err := p.SetSetting(t.Context(), "reliability",
			map[string]float64{"ann": x}); err != nil {
			t.Fatal(err)
		}
	}
	if ok, err := p.Setting(t.Context(), "reliability", &got); !ok || err != nil ||
		got["ann"] != .8 {
		t.Errorf("%v %v %v", got, ok, err)
	}
	if err := p.SetSetting(t.Context(), "header", 1); err == nil {
		t.Error("a setting replaces the header")
	}
	if err := p.SetSetting(t.Context(), "big", strings.Repeat("x", 1<<20)); err == nil {
		t.Error("a setting has no limit")
	}
	if err := p.SetSetting(t.Context(), "no JSON", func() {}); err == nil {
		t.Error("a function is a setting")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.SetSetting(ctx, "late", 1); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestCopy(t *testing.T) {
	p := project(t)
	answer(t, p, store.Same, "a", "b")
	if err := p.SetHeader(t.Context(), store.Header{Data: "x.csv"}); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "it's a copy.kindred")
	for range 2 { // the second in place of the first
		if err := p.Copy(t.Context(), path); err != nil {
			t.Fatal(err)
		}
		answer(t, p, store.Different, "c", "d")
	}
	if files, _ := os.ReadDir(dir); len(files) != 1 {
		t.Errorf("%v", files)
	}
	c := open(t, path)
	if h, ok, err := c.Header(t.Context()); !ok || err != nil || h.Data != "x.csv" {
		t.Errorf("%+v %v %v", h, ok, err)
	}
	if n := len(events(t, c)); n != 2 {
		t.Errorf("the copy holds %d events", n)
	}
	if err := p.Copy(t.Context(), p.Path()); !fault.IsInput(err) {
		t.Errorf("onto itself: %v", err)
	}
	if err := p.Copy(t.Context(), dir); !fault.IsInput(err) {
		t.Errorf("onto a folder: %v", err)
	}
	if err := p.Copy(t.Context(), filepath.Join(dir, "no", "folder.kindred")); err == nil {
		t.Error("into no folder")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	before, _ := os.ReadFile(path)
	if err := p.Copy(ctx, path); err == nil {
		t.Error("a cancelled copy succeeded")
	}
	if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
		t.Error("a copy that failed changed its target")
	}
	if files, _ := os.ReadDir(dir); len(files) > 2 { // -wal of the one that is open
		t.Errorf("%v", files)
	}
	v, err := store.View(t.Context(), filepath.Join(t.TempDir(), "none.kindred"))
	if err == nil {
		v.Close()
		t.Error("a project that is not there can be seen")
	}
}

// Who checked events against those up to a number is refused once others came, or some of those are
// not there.
func TestSubmitAfterWhatIsKnown(t *testing.T) {
	p := open(t, filepath.Join(t.TempDir(), "test.kindred"))
	e := store.Event{Step: store.Same, A: "a", B: "b", Seq: 1, ID: "first"}
	if _, err := p.AppendAll(t.Context(), []store.Event{e}); err != nil || p.Last() != 1 {
		t.Fatal(p.Last(), err)
	}
	e.ID = "second"
	for _, seq := range []int64{1, 3} {
		e.Seq = seq
		if err := p.Append(t.Context(), e); !errors.Is(err, store.ErrMoved) {
			t.Errorf("an event numbered %d gives %v", seq, err)
		}
	}
	if err := p.Wait(1); err != nil {
		t.Error(err)
	}
	if err := p.Wait(2); !errors.Is(err, store.ErrMoved) {
		t.Errorf("waiting for what is not there gives %v", err)
	}
}
