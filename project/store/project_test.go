package store_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/project/store"
)

func open(t *testing.T, path string) *store.File {
	t.Helper()
	p, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

func answer(t *testing.T, p *store.File, step store.Step, a, b string) {
	t.Helper()
	if err := p.Append(t.Context(),
		store.Event{Step: step, A: a, B: b, Question: 1, Why: "closest"}); err != nil {
		t.Fatal(err)
	}
}

func TestAnswersOutliveTheProcess(t *testing.T) {
	// Characters that mean something in an SQLite address are ordinary in a file name.
	path := filepath.Join(t.TempDir(), "my 100% #1? data.kindred")
	p := open(t, path)
	if _, ok, err := p.Header(t.Context()); ok || err != nil {
		t.Fatalf("a new project has a header: %v %v", ok, err)
	}
	want := store.Header{Data: "x.csv", Fingerprint: "ab", Rows: 3, Method: "cobra",
		Settings: map[string]string{"seed": "1"}}
	if err := p.SetHeader(t.Context(), want); err != nil {
		t.Fatal(err)
	}
	answer(t, p, store.Same, "1", "2")
	answer(t, p, store.Different, "2", "3")
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("the project is not where it was asked for: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*-wal")); left != nil {
		t.Errorf("a closed project is more than one file: %v", left)
	}

	p = open(t, path)
	got, ok, err := p.Header(t.Context())
	if !ok || err != nil {
		t.Fatal(ok, err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	events, err := p.Events(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(events) != 2 || events[1].Step != store.Different || events[1].A != "2" ||
		events[1].At.IsZero() {
		t.Errorf("events: %+v", events)
	}
}

func TestViewReadsWithoutWriting(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.kindred")
	p := open(t, path)
	answer(t, p, store.Same, "1", "2")
	if _, err := store.View(t.Context(), path); !errors.Is(err, store.ErrInUse) {
		t.Errorf("a project that is open elsewhere: %v", err)
	}
	p.Close()
	before, _ := os.ReadFile(path)
	v, err := store.View(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if events, err := v.Events(t.Context()); err != nil || len(events) != 1 {
		t.Errorf("%v %v", events, err)
	}
	if err := v.Append(t.Context(), store.Event{Step: store.Same, A: "1", B: "2"}); err == nil {
		t.Error("a project opened for reading takes an answer")
	}
	if err := v.Close(); err != nil {
		t.Error(err)
	}
	if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
		t.Error("reading changed the file")
	}
	if files, _ := os.ReadDir(filepath.Dir(path)); len(files) != 1 {
		t.Errorf("reading left %d files", len(files))
	}
}

func TestASecondOpenIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.kindred")
	p := open(t, path)
	answer(t, p, store.Same, "1", "2")
	if _, err := store.Open(t.Context(), path); !errors.Is(err, store.ErrInUse) {
		t.Errorf("a second Open gave %v", err)
	}
}

func TestFilesThatAreNoProject(t *testing.T) {
	dir := t.TempDir()
	good := filepath.Join(dir, "good.kindred")
	p := open(t, good)
	for i := range 200 {
		answer(t, p, store.Same, fmt.Sprint(i), strings.Repeat("x", 100))
	}
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	newer := bytes.Clone(whole)
	newer[63] = 99 // the last byte of user_version in the header
	foreign := bytes.Clone(whole)
	copy(foreign[68:72], "abcd") // the application id
	for name, c := range map[string]struct {
		bytes []byte
		says  string
	}{
		"truncated": {whole[:len(whole)/2], "damaged"},
		"text":      {[]byte(strings.Repeat("not a database ", 100)), "damaged"},
		"newer":     {newer, "newer kindred"},
		"foreign":   {foreign, "not a kindred project"},
	} {
		path := filepath.Join(dir, name+".kindred")
		if err := os.WriteFile(path, c.bytes, 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := store.Open(t.Context(), path)
		if !fault.IsInput(err) || !strings.Contains(err.Error(), c.says) ||
			!strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", name, err)
		}
		if after, _ := os.ReadFile(path); !bytes.Equal(after, c.bytes) {
			t.Errorf("%s: the file was changed", name)
		}
	}
	if _, err := store.Open(t.Context(), dir); !fault.IsInput(err) {
		t.Errorf("a folder: %v", err)
	}
	if _, err := store.Open(t.Context(), filepath.Join(dir, "no", "such.kindred")); err == nil ||
		fault.IsInput(err) {
		t.Errorf("a missing folder: %v", err)
	}
}

func TestAFileThatWouldRunSomethingIsRefused(t *testing.T) {
	for _, query := range []string{
		"CREATE TRIGGER forget AFTER INSERT ON events BEGIN DELETE FROM events; END",
		"DROP TABLE settings; CREATE VIEW settings AS WITH RECURSIVE n(name) AS (SELECT 1 UNION " +
			"ALL SELECT name + 1 FROM n) SELECT name, name AS value FROM n",
	} {
		path := filepath.Join(t.TempDir(), "p.kindred")
		p := open(t, path)
		answer(t, p, store.Same, "1", "2")
		p.Close()
		db, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Exec(query); err != nil {
			t.Fatal(err)
		}
		db.Close()
		if _, err := store.Open(t.Context(), path); !fault.IsInput(err) {
			t.Errorf("Open: %v", err)
		}
		if _, err := store.View(t.Context(), path); !fault.IsInput(err) {
			t.Errorf("View: %v", err)
		}
	}
}

// TestADamagedFileIsRefusedOrRead: whatever bytes are changed, or missing, a project says so or
// gives events, and nothing panics.
func TestADamagedFileIsRefusedOrRead(t *testing.T) {
	dir := t.TempDir()
	good := filepath.Join(dir, "good.kindred")
	p := open(t, good)
	for i := range 50 {
		answer(t, p, store.Same, fmt.Sprint(i), strings.Repeat("x", 100))
	}
	p.Close()
	whole, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "damaged.kindred")
	rapid.Check(t, func(t *rapid.T) {
		bytes := bytes.Clone(whole)
		for range rapid.IntRange(1, 20).Draw(t, "changes") {
			bytes[rapid.IntRange(0, len(bytes)-1).Draw(t, "at")] = rapid.Byte().Draw(t, "byte")
		}
		if rapid.Bool().Draw(t, "cut") {
			bytes = bytes[:rapid.IntRange(1, len(bytes)).Draw(t, "length")]
		}
		for _, beside := range []string{"-wal", "-shm", "-journal"} {
			os.Remove(path + beside)
		}
		if err := os.WriteFile(path, bytes, 0o644); err != nil {
			t.Fatal(err)
		}
		for _, way := range []func(context.Context, string) (*store.File, error){store.View,
			store.Open} {
			p, err := way(context.Background(), path)
			if err != nil {
				continue
			}
			if found, err := p.Events(context.Background()); err == nil {
				tell(store.NewHistory(found))
			}
			p.Close()
		}
	})
}

func TestAnEmptyFileBecomesAProject(t *testing.T) {
	// What a kill leaves between the making of the file and the first commit.
	path := filepath.Join(t.TempDir(), "p.kindred")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	answer(t, open(t, path), store.Same, "1", "2")
}

func TestACancelledAppendLeavesNothing(t *testing.T) {
	p := open(t, filepath.Join(t.TempDir(), "p.kindred"))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := p.Append(ctx, store.Event{Step: store.Same, A: "1", B: "2"}); err == nil {
		t.Error("a cancelled Append succeeded")
	}
	if events, err := p.Events(t.Context()); err != nil || len(events) != 0 {
		t.Errorf("%v %v", events, err)
	}
}
