package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/project/store"
)

// content is what a project's meaning depends on.
type content struct {
	Header   store.Header
	Sharing  map[string]float64
	Events   []store.Event
	Contents map[string]string
}

func contentOf(t *testing.T, p *store.File) (c content) {
	t.Helper()
	var err error
	if c.Header, _, err = p.Header(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Setting(t.Context(), "reliability", &c.Sharing); err != nil {
		t.Fatal(err)
	}
	if c.Contents, err = p.Contents(t.Context()); err != nil {
		t.Fatal(err)
	}
	c.Events = events(t, p)
	return c
}

// whole makes a project of n steps of all kinds, and returns what is in the file.
func whole(t *testing.T, path string, n int) (content, []byte) {
	t.Helper()
	p := open(t, path)
	h := store.Header{Data: "birds.csv", Fingerprint: strings.Repeat("ab", 32), Rows: 90,
		IDs: store.Numbers, Method: "kin", Settings: map[string]string{"seed": "1"}}
	if err := p.SetHeader(t.Context(), h); err != nil {
		t.Fatal(err)
	}
	if err := p.SetSetting(t.Context(), "reliability", map[string]float64{"ana": 0.5}); err != nil {
		t.Fatal(err)
	}
	rows := make(map[string]string)
	for i := range n {
		a, b := fmt.Sprint(i), fmt.Sprint(i+1)
		rows[a] = strings.Repeat(fmt.Sprintf("%08x", i), 8)
		e := store.Event{Step: store.Same, A: a, B: b, Who: "ana", ID: "id-" + a, Question: i + 1,
			Why: "these two decide which groups are joined", At: noon.Add(time.Duration(i))}
		switch i % 8 {
		case 1:
			e.Step = store.Different
		case 3:
			e = store.Event{Step: store.Undo, A: e.A, B: e.B, Target: int64(i), Who: "ana"}
		case 5:
			e = store.Event{Step: store.Name, A: a, Text: "birds of " + a, Who: "bob"}
		case 6:
			e.Step, e.Doubt, e.ID = store.Unknown, true, ""
		}
		add(t, p, e)
	}
	if err := p.Describe(rows); err != nil {
		t.Fatal(err)
	}
	add(t, p, store.Event{Step: store.Bad, A: "1", Who: "bob"})
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p = open(t, path)
	defer p.Close()
	return contentOf(t, p), data
}

// mutated returns a copy of a file with something changed, and what.
func mutated(rng *rand.Rand, data []byte) (what string, out []byte) {
	const page = 4096
	out = bytes.Clone(data)
	at := rng.IntN(len(out))
	pages := len(out) / page
	switch kind := rng.IntN(16); {
	case kind < 6:
		bit := byte(1) << rng.IntN(8)
		out[at] ^= bit
		return fmt.Sprintf("bit %#x of byte %d", bit, at), out
	case kind < 8: // where each bit means much
		at = []int{rng.IntN(100), 100 + rng.IntN(8), page*rng.IntN(pages) + rng.IntN(12)}[rng.IntN(3)]
		out[at] = byte(rng.Uint32())
		return fmt.Sprintf("byte %d is %#x", at, out[at]), out
	case kind < 10:
		n := min(len(out)-at, 1+rng.IntN(64))
		for i := range n {
			out[at+i] = byte(rng.Uint32())
		}
		return fmt.Sprintf("%d bytes from %d", n, at), out
	case kind < 11:
		n := min(len(out)-at, 1+rng.IntN(2*page))
		clear(out[at : at+n])
		return fmt.Sprintf("%d zeros from %d", n, at), out
	case kind < 12: // to one byte at least: a file of none is one that was just made
		return fmt.Sprintf("cut to %d bytes", at+1), out[:at+1]
	case kind < 13:
		n := page * (1 + rng.IntN(pages-1))
		return fmt.Sprintf("cut to %d bytes", n), out[:n]
	case kind < 14:
		return "longer", append(out, data[:at]...)
	}
	a, b := page*rng.IntN(pages), page*rng.IntN(pages)
	copy(out[a:a+page], data[b:b+page])
	what = fmt.Sprintf("page at %d is that at %d", a, b)
	if rng.IntN(2) == 0 {
		copy(out[b:b+page], data[a:a+page])
		what += ", and the other way round"
	}
	return what, out
}

// TestAMutatedProjectIsNoticed: it opens only with all that was in it, and otherwise the error is
// one of input; the repair keeps the steps before the damage, and what cannot be repaired stays.
func TestAMutatedProjectIsNoticed(t *testing.T) {
	n := 2000
	if testing.Short() {
		n = 200
	}
	folder := t.TempDir()
	want, data := whole(t, filepath.Join(folder, "whole.kindred"), 40)
	rng := rand.New(rand.NewPCG(7, 11))
	equal, refused, repaired, kept := 0, 0, 0, 0
	path := filepath.Join(folder, "p.kindred")
	for range n {
		for _, end := range []string{"", "-wal", "-shm", ".damaged", ".damaged-wal"} {
			os.Remove(path + end)
		}
		what, bad := mutated(rng, data)
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		report, checkErr := store.Check(t.Context(), path)
		sound := checkErr == nil && len(report.Damage) == 0
		if !sound && checkErr == nil && strings.Contains(fmt.Sprint(report.Damage),
			fault.Damaged.Class().Fix) {
			t.Fatalf("%s: what is found has a fix in it: %v", what, report.Damage)
		}
		v, err := store.View(t.Context(), path)
		if err == nil {
			if diff := cmp.Diff(want, contentOf(t, v)); diff != "" {
				t.Fatalf("%s: a look at it shows %s", what, diff)
			}
			v.Close()
		} else if !fault.IsInput(err) {
			t.Fatalf("%s: a look at it is %v", what, err)
		}
		p, err := store.Open(t.Context(), path)
		if err == nil {
			if diff := cmp.Diff(want, contentOf(t, p)); diff != "" {
				t.Fatalf("%s: it opens with %s", what, diff)
			}
			p.Close()
			equal++
			if !sound {
				t.Fatalf("%s: it opens, and is found to be %+v, %v", what, report, checkErr)
			}
			continue
		}
		refused++
		if !fault.IsInput(err) {
			t.Fatalf("%s: %v", what, err)
		}
		if sound {
			t.Fatalf("%s: it is found sound, and opened is %v", what, err)
		}
		if left, _ := os.ReadFile(path); !bytes.Equal(left, bad) {
			t.Fatalf("%s: refused, and changed", what)
		}
		_, copied, err := store.Repair(t.Context(), path)
		if err != nil {
			if left, _ := os.ReadFile(path); !fault.IsInput(err) || !bytes.Equal(left, bad) {
				t.Fatalf("%s: the repair is %v", what, err)
			}
			continue
		}
		repaired++
		if left, _ := os.ReadFile(copied); !bytes.Equal(left, bad) {
			t.Fatalf("%s: the copy %s is not the file as it was", what, copied)
		}
		p, err = store.Open(t.Context(), path)
		if err != nil {
			t.Fatalf("%s: after a repair %v", what, err)
		}
		got := contentOf(t, p)
		p.Close()
		kept += len(got.Events)
		if diff := cmp.Diff(want.Events[:len(got.Events)], got.Events); diff != "" &&
			len(got.Events) > 0 {
			t.Fatalf("%s: after a repair there is %s", what, diff)
		}
		for id, c := range got.Contents {
			if want.Contents[id] != c {
				t.Fatalf("%s: after a repair row %s holds %q", what, id, c)
			}
		}
	}
	t.Logf("of %d mutated files %d open with all that was in them, %d are refused; %d of these are "+
		"repaired, with %d of %d steps on average", n, equal, refused, repaired,
		kept/max(1, repaired), len(want.Events))
	if equal == 0 || repaired == 0 {
		t.Error("nothing was tried")
	}
}

// TestAMutatedLogLosesNoStepBefore: what a kill left in the log beside the file is taken up to the
// damage, as after a power cut, or the project is refused.
func TestAMutatedLogLosesNoStepBefore(t *testing.T) {
	n := 300
	if testing.Short() {
		n = 40
	}
	folder := t.TempDir()
	from, path := filepath.Join(folder, "from.kindred"), filepath.Join(folder, "p.kindred")
	p := open(t, from)
	for i := range 20 {
		add(t, p, store.Event{Step: store.Same, A: fmt.Sprint(i), B: "b", At: noon})
	}
	want := events(t, p)
	data, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(from + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(7, 11))
	whole, part, refused := 0, 0, 0
	for range n {
		what, bad := mutated(rng, log)
		os.Remove(path + "-shm")
		for end, bytes := range map[string][]byte{"": data, "-wal": bad} {
			if err := os.WriteFile(path+end, bytes, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		p, err := store.Open(t.Context(), path)
		if err != nil {
			if refused++; !fault.IsInput(err) {
				t.Fatalf("%s: %v", what, err)
			}
			continue
		}
		got := events(t, p)
		p.Close()
		if len(got) > 0 && !cmp.Equal(want[:len(got)], got) {
			t.Fatalf("%s: there is %+v", what, got)
		}
		if part++; len(got) == len(want) {
			whole++
		}
	}
	t.Logf("of %d mutated logs %d are refused, %d read whole, and %d up to the damage", n, refused,
		whole, part-whole)
}

// TestDamageSaysWhatItAffects: in the error, and in what Check returns.
func TestDamageSaysWhatItAffects(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "p.kindred")
	want, data := whole(t, path, 40)
	for _, x := range []struct{ query, said string }{
		{"UPDATE events SET b = '77' WHERE seq = 17", "step 17 of 41, an answer by ana at " +
			"2025-03-01T12:00:00Z, is not as it was written; this step and those after it count " +
			"no longer; 16 steps before it are sound"},
		{"UPDATE events SET text = 'bees' WHERE seq = 6", "step 6 of 41, a step of name by bob"},
		{"DELETE FROM events WHERE seq = 3", "step 3 of 41 is missing"},
		{"DELETE FROM events WHERE seq > 38", "the last 3 of 41 steps are missing; they count no " +
			"longer; 38 steps before them are sound"},
		{"UPDATE events SET digest = zeroblob(32) WHERE seq = 41", "step 41 of 41"},
		{"UPDATE digests SET count = 40 WHERE name = 'events'", "the number of the steps"},
		{"UPDATE digests SET digest = zeroblob(32) WHERE name = 'settings'",
			"the number of the settings"},
		{"DELETE FROM digests WHERE name = 'rows'", "the numbers of steps, settings and rows"},
		{"UPDATE settings SET value = replace(value, 'birds', 'bards') WHERE name = 'header'",
			"the setting header is not as it was written; which data"},
		{"DELETE FROM settings WHERE name = 'reliability'", "1 of 2 settings are missing"},
		{"UPDATE settings SET name = 'reliabilitz' WHERE name = 'reliability'",
			"the setting reliabilitz is not as it was written"},
		{"UPDATE rows SET content = '' WHERE id = '9'", "the content of row 9"},
		{"DELETE FROM rows WHERE id IN ('4', '5')", "2 of 40 contents of rows are missing"},
		{"DROP TABLE rows", "the contents of rows cannot be read"},
		{"DROP TABLE digests", "the numbers of steps, settings and rows cannot be read"},
		{"PRAGMA user_version = 3", "the number of its format"},
		{"PRAGMA application_id = 7", "not a kindred project"},
		{"PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = replace(sql, 'why', 'whz')",
			"damaged"},
	} {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		change(t, path, x.query)
		for _, open := range []func() (*store.File, error){
			func() (*store.File, error) { return store.View(t.Context(), path) },
			func() (*store.File, error) { return store.Open(t.Context(), path) },
		} {
			p, err := open()
			if !fault.IsInput(err) || !strings.Contains(err.Error(), x.said) {
				t.Errorf("%s: %v", x.query, err)
			}
			if err == nil {
				p.Close()
			}
		}
		r, err := store.Check(t.Context(), path)
		if err != nil || len(r.Damage) == 0 {
			t.Errorf("%s: found to be %+v, %v", x.query, r, err)
			continue
		}
		// A repair keeps the steps before the damage, and the next step goes on from there.
		if _, _, err := store.Repair(t.Context(), path); err != nil {
			t.Errorf("%s: the repair is %v", x.query, err)
			continue
		}
		p := open(t, path)
		if got := events(t, p); r.Steps != len(got) || len(got) > 0 &&
			!cmp.Equal(want.Events[:r.Steps], got) {
			t.Errorf("%s: after the repair there are %d steps, not %d", x.query, len(got), r.Steps)
		}
		add(t, p, store.Event{Step: store.Skip, A: "1", B: "2"})
		p.Close()
		open(t, path).Close()
	}
	found, _ := filepath.Glob(path + ".damaged*")
	if len(found) < 10 {
		t.Errorf("copies of what was damaged: %q", found)
	}
}

// TestARepairKeepsTheIndex: damage to the index alone loses nothing.
func TestARepairKeepsTheIndex(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.kindred")
	want, _ := whole(t, path, 40)
	change(t, path, "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET rootpage = (SELECT "+
		"rootpage FROM sqlite_schema WHERE name = 'digests') WHERE name = 'events_id'")
	if p, err := store.Open(t.Context(), path); !errors.Is(err, fault.Damaged) {
		t.Fatal(p, err)
	}
	r, copied, err := store.Repair(t.Context(), path)
	if err != nil || copied != path+".damaged" || len(r.Damage) == 0 || r.Steps != 41 {
		t.Fatalf("%+v, %s, %v", r, copied, err)
	}
	p := open(t, path)
	if diff := cmp.Diff(want, contentOf(t, p)); diff != "" {
		t.Error(diff)
	}
	p.Close()
	if _, copied, err := store.Repair(t.Context(), path); copied != "" || err != nil {
		t.Errorf("a sound file is copied to %q, %v", copied, err)
	}
}

// TestAnOpenProjectIsNotChecked: nor repaired.
func TestAnOpenProjectIsNotChecked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.kindred")
	p := open(t, path)
	add(t, p, store.Event{Step: store.Skip, A: "1", B: "2"})
	if _, err := store.Check(t.Context(), path); !errors.Is(err, fault.InUse) {
		t.Errorf("%v", err)
	}
	if _, _, err := store.Repair(t.Context(), path); !errors.Is(err, fault.InUse) {
		t.Errorf("%v", err)
	}
}
