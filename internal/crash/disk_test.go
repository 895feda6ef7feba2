package crash_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindred-go/kindred/internal/crash"
)

func disk(t *testing.T, folder string, ops ...crash.Op) *crash.Disk {
	t.Helper()
	d, err := crash.NewDisk(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range ops {
		if err := d.Apply(o); err != nil {
			t.Fatal(err)
		}
	}
	return d
}

// What a cut leaves, worked by hand.
func TestWhatACutLeaves(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "old"), []byte("before"), 0o600); err != nil {
		t.Fatal(err)
	}
	open := crash.Op{Kind: crash.Open, Path: "new", FD: 7, New: true}
	write := crash.Op{Kind: crash.Write, FD: 7, At: -1, Data: []byte("after")}
	begin, sync := crash.Op{Kind: crash.Begin, FD: 7}, crash.Op{Kind: crash.Sync, FD: 7}
	rename := crash.Op{Kind: crash.Rename, Path: "new", To: "old"}
	folderOpen := crash.Op{Kind: crash.Open, Path: ".", FD: 8}
	begin8, sync8 := crash.Op{Kind: crash.Begin, FD: 8}, crash.Op{Kind: crash.Sync, FD: 8}
	late := crash.Op{Kind: crash.Write, FD: 7, At: 0, Data: []byte("A")}
	was := crash.Files{"old": []byte("before")}
	for _, c := range []struct {
		name          string
		ops           []crash.Op
		kept, dropped crash.Files
	}{
		{"nothing is done", nil, was, was},
		{"nothing is synced", []crash.Op{open, write},
			crash.Files{"old": []byte("before"), "new": []byte("after")}, was},
		{"the name is not synced", []crash.Op{open, write, begin, sync, rename},
			crash.Files{"old": []byte("after")}, was},
		{"the data are not synced", []crash.Op{open, write, rename, folderOpen, begin8, sync8},
			crash.Files{"old": []byte("after")}, crash.Files{"old": nil}},
		{"all is synced", []crash.Op{open, write, begin, sync, rename, folderOpen, begin8, sync8},
			crash.Files{"old": []byte("after")}, crash.Files{"old": []byte("after")}},
		{"what is written while a sync is under way is not synced",
			[]crash.Op{open, folderOpen, begin8, sync8, write, begin, late, sync},
			crash.Files{"old": []byte("before"), "new": []byte("After")},
			crash.Files{"old": []byte("before"), "new": []byte("after")}},
		{"a file is cut", []crash.Op{open, write, begin, sync, folderOpen, begin8, sync8,
			{Kind: crash.Truncate, FD: 7, At: 2}},
			crash.Files{"old": []byte("before"), "new": []byte("af")},
			crash.Files{"old": []byte("before"), "new": []byte("after")}},
		{"a file is removed", []crash.Op{{Kind: crash.Remove, Path: "old"}}, crash.Files{}, was},
		{"a folder is made", []crash.Op{{Kind: crash.Make, Path: "in"},
			{Kind: crash.Rename, Path: "old", To: "in/new"}},
			crash.Files{"in/": nil, "in/new": []byte("before")}, was},
	} {
		d := disk(t, folder, c.ops...)
		for loss, want := range map[crash.Loss]crash.Files{crash.Kept: c.kept,
			crash.Dropped: c.dropped, crash.Lying: was} {
			if diff := cmp.Diff(want, d.After(loss, nil)); diff != "" {
				t.Errorf("%s, loss %d: %s", c.name, loss, diff)
			}
		}
	}
	seen := make(map[string]bool)
	d := disk(t, folder, open, crash.Op{Kind: crash.Write, FD: 7, At: 0, Data: make([]byte, 1024)},
		write)
	for i := range 200 {
		content, there := d.After(crash.Mixed, rand.New(rand.NewPCG(1, uint64(i))))["new"]
		if there {
			seen[string(content)] = true
		}
	}
	// Nothing, 512 and 1024 zeros, each with the second write and without.
	if len(seen) < 6 {
		t.Errorf("cuts leave %d different contents", len(seen))
	}
}

// TestMain lets the test binary be a command that is recorded.
func TestMain(m *testing.M) {
	if elsewhere := os.Getenv("KINDRED_TEST_ELSEWHERE"); elsewhere != "" {
		if err := work(elsewhere); err != nil {
			fmt.Println(err)
		}
		return
	}
	os.Exit(m.Run())
}

// work changes files of this folder and one elsewhere in all ways that are understood.
func work(elsewhere string) error {
	a, err := os.Create("a")
	if err != nil {
		return err
	}
	for _, do := range []func() error{
		func() error { return os.Mkdir("d", 0o700) },
		func() error { _, err := a.WriteString("one\ntwo, too\n"); return err },
		func() error { _, err := a.WriteAt([]byte("O"), 0); return err },
		func() error { return a.Truncate(8) },
		a.Sync,
		func() error { return os.Rename("a", "d/c") },
		func() error { return os.WriteFile("gone", []byte("x"), 0o600) },
		func() error { return os.Remove("gone") },
		func() error { _, err := fmt.Println("said"); return err },
		func() error { return os.WriteFile(elsewhere, []byte("x"), 0o600) },
		a.Close,
		func() error { // copied within the system, where that is let
			from, err := os.Open("d/c")
			if err != nil {
				return err
			}
			defer from.Close()
			to, err := os.Create("d/b")
			if err != nil {
				return err
			}
			defer to.Close()
			_, err = io.Copy(to, from)
			return err
		},
	} {
		if err := do(); err != nil {
			return err
		}
	}
	return nil
}

// What a command does to a folder is replayed to what is in the folder then.
func TestWhatIsRecordedIsWhatWasDone(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	cmd := exec.Command(self)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "KINDRED_TEST_ELSEWHERE="+filepath.Join(t.TempDir(), "x"))
	r := crash.Record(t, cmd)
	d := disk(t, folder)
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	said := ""
	for _, o := range r.Ops(folder) {
		if err := d.Apply(o); err != nil {
			t.Fatal(err)
		}
		if o.Kind == crash.Say {
			said += string(o.Data)
		}
	}
	want := crash.Files{"d/": nil, "d/b": []byte("One\ntwo,"), "d/c": []byte("One\ntwo,")}
	if diff := cmp.Diff(want, d.After(crash.Kept, nil)); diff != "" {
		t.Error(diff)
	}
	if said != "said\nx" {
		t.Errorf("it said %q", said)
	}
}
