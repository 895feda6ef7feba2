package store_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	_ "modernc.org/sqlite"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/project/store"
)

// format1 is the schema of files of format 1, as that was written.
const format1 = `CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE events (
	seq      INTEGER PRIMARY KEY AUTOINCREMENT,
	at       TEXT NOT NULL,
	kind     TEXT NOT NULL CHECK (kind IN ('same', 'different', 'unknown', 'undo', 'redo')),
	a        TEXT NOT NULL,
	b        TEXT NOT NULL,
	question INTEGER NOT NULL,
	why      TEXT NOT NULL,
	who      TEXT NOT NULL
) STRICT;
PRAGMA application_id = 0x6b696e64;
PRAGMA user_version = 1;`

// old makes a file of format 1 with events such as "same a b".
func old(t *testing.T, path string, steps ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, query := range []string{"PRAGMA journal_mode = WAL", "PRAGMA synchronous = OFF", format1,
		`INSERT INTO settings VALUES ('header', '{"data":"x.csv"}')`} {
		if _, err := db.Exec(query); err != nil {
			t.Fatal(err)
		}
	}
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range steps {
		f := strings.Fields(s)
		_, err := tx.Exec("INSERT INTO events (at, kind, a, b, question, why, who) VALUES (?, ?, "+
			"?, ?, ?, 'closest', 'ann')",
			noon.Add(time.Duration(i)).Format(time.RFC3339Nano), f[0], f[1], f[2], i+1)
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
}

var oldSteps = []string{
	"undo a b", // nothing to take back
	"same a b", "different b c", "unknown c d", "undo d c", "undo a b", "redo a b",
	"same a b", "undo a b", "redo a b", // once more the same pair
	"undo b c", "same e f", "redo b c", // forgotten
}

func files(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestAnOldFileIsBroughtUpToDate(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "p.kindred")
	old(t, path, oldSteps...)
	v, err := store.View(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	before := events(t, v)
	seen := store.NewHistory(before)
	if _, ok, err := v.ByID(t.Context(), "x"); ok || err != nil {
		t.Error(ok, err)
	}
	v.Close()
	if got := files(t, dir); len(got) != 1 {
		t.Errorf("a look left %v", got)
	}

	p := open(t, path)
	got := events(t, p)
	if len(got) != len(oldSteps) {
		t.Fatalf("%d events", len(got))
	}
	targets := map[int64]int64{5: 4, 6: 2, 7: 2, 9: 8, 10: 8, 11: 3}
	for i, e := range got {
		want := before[i]
		want.Target = targets[e.Seq]
		if diff := cmp.Diff(want, e); diff != "" {
			t.Error(diff)
		}
	}
	if diff := cmp.Diff(seen.Answers(), store.NewHistory(got).Answers()); diff != "" {
		t.Error(diff)
	}
	if got := tell(store.NewHistory(got)); got != "a-b:same a-b:same e-f:same" {
		t.Error(got)
	}
	if h, ok, err := p.Header(t.Context()); !ok || err != nil || h.Data != "x.csv" {
		t.Errorf("%+v %v %v", h, ok, err)
	}
	if added := add(t, p,
		store.Event{Step: store.Skip, A: "a", B: "b",
			ID: "new"}); added[0].Seq != int64(len(oldSteps)+1) {
		t.Errorf("the next event is %+v", added[0])
	}
	p.Close()

	// The copy is the file as it was.
	backup := path + ".v1.bak"
	if got := files(t, dir); !slices.Equal(got, []string{"p.kindred", "p.kindred.v1.bak"}) {
		t.Errorf("files: %v", got)
	}
	v, err = store.View(t.Context(), backup)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	if diff := cmp.Diff(before, events(t, v)); diff != "" {
		t.Error(diff)
	}
	open(t, path).Close() // a file that is up to date is left alone
	if got := files(t, dir); len(got) != 2 {
		t.Errorf("files: %v", got)
	}
}

// change runs a query on a file that is not open.
func change(t *testing.T, path, query string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(query); err != nil {
		t.Fatal(err)
	}
}

// What makes a file of format 3 of one of a later format, and one of format 2 of that.
const (
	asFormat3 = `DROP TABLE digests;
ALTER TABLE events DROP COLUMN digest;
ALTER TABLE settings DROP COLUMN digest;
ALTER TABLE rows DROP COLUMN digest;
PRAGMA user_version = 3;`
	asFormat2 = asFormat3 + "DROP TABLE rows; PRAGMA user_version = 2"
)

// TestFormat3IsUpgraded: it is without digests, which is said once, and gets them.
func TestFormat3IsUpgraded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.kindred")
	p := open(t, path)
	if notes := p.Notes(); len(notes) != 0 {
		t.Errorf("of a new file it is said: %q", notes)
	}
	h := store.Header{Data: "x.csv"}
	if err := p.SetHeader(t.Context(), h); err != nil {
		t.Fatal(err)
	}
	if err := p.Describe(map[string]string{"1": "one", "2": "two"}); err != nil {
		t.Fatal(err)
	}
	want := add(t, p, store.Event{Step: store.Same, A: "1", B: "2", ID: "x"},
		store.Event{Step: store.Name, A: "1", Text: "birds"})
	p.Close()
	change(t, path, asFormat3)
	v, err := store.View(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if notes := v.Notes(); len(notes) != 1 || !strings.Contains(notes[0], "no digests") {
		t.Errorf("it is said: %q", notes)
	}
	if diff := cmp.Diff(want, events(t, v)); diff != "" {
		t.Error(diff)
	}
	v.Close()
	for _, said := range []int{1, 0} {
		p = open(t, path)
		if notes := p.Notes(); len(notes) != said ||
			said > 0 && !strings.Contains(notes[0], path+".v3.bak") {
			t.Errorf("it is said: %q", notes)
		}
		if diff := cmp.Diff(want, events(t, p)); diff != "" {
			t.Error(diff)
		}
		contents, err := p.Contents(t.Context())
		if diff := cmp.Diff(map[string]string{"1": "one", "2": "two"}, contents); diff != "" ||
			err != nil {
			t.Error(diff, err)
		}
		if got, ok, err := p.Header(t.Context()); !ok || err != nil || got.Data != h.Data {
			t.Errorf("%+v %v %v", got, ok, err)
		}
		want = append(want, add(t, p, store.Event{Step: store.Bad, A: "2"})...)
		p.Close()
	}
	change(t, path, "UPDATE events SET b = '3' WHERE seq = 1")
	if _, err := store.Open(t.Context(), path); !errors.Is(err, fault.Damaged) ||
		!strings.Contains(err.Error(), "step 1 of 4") {
		t.Errorf("a changed answer: %v", err)
	}
}

// TestFormat4IsUpgraded: it had no steps about the number of groups alone. The file is one that a
// program of then wrote.
func TestFormat4IsUpgraded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.kindred")
	packed, err := os.Open(filepath.Join("testdata", "format4.kindred.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	content, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := io.ReadAll(content)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	v, err := store.View(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	want := events(t, v)
	v.Close()
	if len(want) != 2 || want[0].ID != "x" || want[1].Text != "birds" {
		t.Fatalf("%+v", want)
	}
	for range 2 {
		p := open(t, path)
		if notes := p.Notes(); len(notes) != 0 {
			t.Errorf("it is said: %q", notes)
		}
		if diff := cmp.Diff(want, events(t, p)); diff != "" {
			t.Error(diff)
		}
		contents, err := p.Contents(t.Context())
		if diff := cmp.Diff(map[string]string{"1": "one", "2": "two"}, contents); diff != "" ||
			err != nil {
			t.Error(diff, err)
		}
		h := store.NewHistory(want)
		n := h.Groups(3, 0)
		want = append(want, add(t, p, store.Event{Step: store.Groups,
			Text: store.Number{From: n, To: 7}.String()})...)
		if got := store.NewHistory(want).Groups(3, 0); got != 7 {
			t.Errorf("%d groups, want 7", got)
		}
		p.Close()
	}
	if r, err := store.Check(t.Context(), path); err != nil || len(r.Damage) > 0 || r.Format != 5 {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err := store.Check(t.Context(), path+".v4.bak"); err != nil || r.Format != 4 {
		t.Errorf("the copy: %+v, %v", r, err)
	}
	change(t, path, "UPDATE events SET b = '3' WHERE seq = 1")
	if _, err := store.Open(t.Context(), path); !errors.Is(err, fault.Damaged) {
		t.Errorf("a changed answer: %v", err)
	}
	if err := os.WriteFile(path, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	change(t, path, "UPDATE events SET b = '3' WHERE seq = 1")
	if _, err := store.Open(t.Context(), path); !errors.Is(err, fault.Damaged) {
		t.Errorf("a changed answer of format 4: %v", err)
	}
}

// TestFormat2IsUpgraded: it is without a table of rows.
func TestFormat2IsUpgraded(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "p.kindred")
	p := open(t, path)
	want := add(t, p, store.Event{Step: store.Same, A: "1", B: "2", ID: "x"})
	p.Close()
	change(t, path, asFormat2)
	v, err := store.View(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	contents, err := v.Contents(t.Context())
	if diff := cmp.Diff(want, events(t, v)); diff != "" || err != nil || len(contents) != 0 {
		t.Error(diff, contents, err)
	}
	v.Close()
	p = open(t, path)
	if diff := cmp.Diff(want, events(t, p)); diff != "" {
		t.Error(diff)
	}
	if err := p.Describe(map[string]string{"1": "one"}); err != nil {
		t.Fatal(err)
	}
	add(t, p, store.Event{Step: store.Bad, A: "1"}) // which is on disk after what was kept before
	if contents, err = p.Contents(t.Context()); contents["1"] != "one" || err != nil {
		t.Errorf("contents %v, %v", contents, err)
	}
	p.Close()
	if got := files(t, dir); !slices.Equal(got, []string{"p.kindred", "p.kindred.v2.bak"}) {
		t.Errorf("files: %v", got)
	}
}

// TestContentsOfRowsOutliveARename: events and what their rows hold are renamed together.
func TestContentsOfRowsOutliveARename(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.kindred")
	p := open(t, path)
	if err := p.Describe(map[string]string{"1": "one", "2": "two", "9": "nine"}); err != nil {
		t.Fatal(err)
	}
	was := add(t, p, store.Event{Step: store.Same, A: "1", B: "2"})
	was = append(was, add(t, p, store.Event{Step: store.Bad, A: "2"})...)
	was[0].A, was[0].B, was[1].A = "2", "1", "1"
	now := map[string]string{"2": "one", "1": "two"}
	h := store.Header{Data: "y.csv", IDs: store.Numbers}
	if err := p.Carry(t.Context(), h, was, now); err != nil {
		t.Fatal(err)
	}
	was[0].B = "" // no event
	if err := p.Carry(t.Context(), h, was, nil); !fault.IsInput(err) {
		t.Errorf("events that make no sense: %v", err)
	}
	was[0].B = "1"
	p.Close()
	p = open(t, path)
	if diff := cmp.Diff(was, events(t, p)); diff != "" {
		t.Error(diff)
	}
	got, err := p.Contents(t.Context())
	if diff := cmp.Diff(now, got); diff != "" || err != nil {
		t.Error(diff, err)
	}
	if got, _, err := p.Header(t.Context()); got.IDs != store.Numbers || got.Data != "y.csv" ||
		err != nil {
		t.Errorf("%+v %v", got, err)
	}
}

func TestABackupIsNeverOverwritten(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "p.kindred")
	for i, steps := range [][]string{{"same a b"}, {"same c d"}, {"same c d"}} {
		os.Remove(path)
		old(t, path, steps...)
		if i == 2 {
			os.WriteFile(path+".v1.bak.tmp", []byte("half of a backup that was killed"), 0o644)
		}
		open(t, path).Close()
	}
	want := []string{"p.kindred", "p.kindred.v1-2.bak", "p.kindred.v1.bak"} // the third was there
	if got := files(t, dir); !slices.Equal(got, want) {
		t.Errorf("files: %v", got)
	}
	for name, a := range map[string]string{".v1.bak": "a", ".v1-2.bak": "c"} {
		v, err := store.View(t.Context(), path+name)
		if err != nil {
			t.Fatal(err)
		}
		if e := events(t, v); len(e) != 1 || e[0].A != a {
			t.Errorf("%s holds %+v", name, e)
		}
		v.Close()
	}
}

func TestWithoutABackupNothingChanges(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "p.kindred")
	old(t, path, oldSteps...)
	obstacle := path + ".v1.bak.tmp"
	if err := os.MkdirAll(filepath.Join(obstacle, "full"), 0o755); err != nil {
		t.Fatal(err)
	}
	before, _ := os.ReadFile(path)
	_, err := store.Open(t.Context(), path)
	if err == nil || !strings.Contains(err.Error(), obstacle) ||
		!strings.Contains(err.Error(), "left as it was") {
		t.Errorf("%v", err)
	}
	if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
		t.Error("the file was changed")
	}
	if err := os.RemoveAll(obstacle); err != nil {
		t.Fatal(err)
	}
	if n := len(events(t, open(t, path))); n != len(oldSteps) {
		t.Errorf("%d events", n)
	}
}

func TestAFolderThatCannotBeWritten(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "p.kindred")
	old(t, path, oldSteps...)
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(dir, 0o755) })
	if f, err := os.Create(filepath.Join(dir, "probe")); err == nil {
		f.Close()
		t.Skip("this user writes everywhere")
	}
	if _, err := store.Open(t.Context(), path); err == nil ||
		!strings.Contains(err.Error(), "cannot be written") {
		t.Errorf("%v", err)
	}
	v, err := store.View(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	if n := len(events(t, v)); n != len(oldSteps) {
		t.Errorf("%d events", n)
	}
}

func TestADamagedOldFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.kindred")
	old(t, path, "same a b")
	change(t, path, "UPDATE events SET at = 'yesterday'")
	if _, err := store.Open(t.Context(), path); !fault.IsInput(err) ||
		!strings.Contains(err.Error(), "damaged") {
		t.Errorf("%v", err)
	}
	// of format 1 still
	if _, err := store.View(t.Context(), path); !fault.IsInput(err) {
		t.Errorf("%v", err)
	}
}

// TestAKillDuringTheMigration kills it at any moment: the file is of the old format or the new,
// with all events either way, and a backup that is there is whole.
func TestAKillDuringTheMigration(t *testing.T) {
	var steps []string
	for i := range 1500 {
		steps = append(steps, fmt.Sprintf("same a%d b%d", i, i))
		if i%10 == 0 {
			steps = append(steps, fmt.Sprintf("undo a%d b%d", i, i))
		}
	}
	made := filepath.Join(t.TempDir(), "made.kindred")
	old(t, made, steps...)
	whole, err := os.ReadFile(made)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	rounds := 12
	if testing.Short() {
		rounds = 3
	}
	kept := 0
	for range rounds {
		dir := t.TempDir()
		path := filepath.Join(dir, "p.kindred")
		if err := os.WriteFile(path, whole, 0o644); err != nil {
			t.Fatal(err)
		}
		c := child(t, "open", path)
		time.Sleep(time.Duration(rng.IntN(60)) * time.Millisecond)
		c.Process.Kill()
		c.Wait()
		for _, name := range files(t, dir) {
			if strings.HasSuffix(name, ".bak") {
				v, err := store.View(t.Context(), filepath.Join(dir, name))
				if err != nil {
					t.Fatal(err)
				}
				if n := len(events(t, v)); n != len(steps) {
					t.Fatalf("the backup holds %d events", n)
				}
				v.Close()
				kept++
			}
		}
		p := open(t, path)
		if n := len(store.NewHistory(events(t, p)).Answers()); n != 1350 {
			t.Fatalf("%d answers in effect", n)
		}
		p.Close()
	}
	t.Logf("%d of %d kills came after the backup was made", kept, rounds)
}

// child runs this test as another process that does what it is told; see TestMain.
func child(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self)
	c.Env = append(os.Environ(), "KINDRED_TEST_SESSION="+strings.Join(args, "\n"))
	c.Stderr = os.Stderr
	if args[0] == "open" {
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Process.Kill() })
	}
	return c
}

func TestMain(m *testing.M) {
	if told := os.Getenv("KINDRED_TEST_SESSION"); told != "" {
		args := strings.Split(told, "\n")
		p, err := store.Open(context.Background(), args[1])
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		if args[0] == "append" {
			appendForEver(p)
		}
		if args[0] == "work" {
			if err := workThrough(p); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}
		p.Close()
		os.Exit(0)
	}
	os.Exit(m.Run())
}
