package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/crash"
	"github.com/kindred-go/kindred/project/store"
)

// names are the files that are whole or not there.
func (w writer) names() []string { return strings.Fields(w.files) }

// old is what is in files before.
const old = "what was there before\n"

// prepare makes the folders in and out, and puts old files into out.
func (w writer) prepare(t *testing.T, in string) (out string) {
	t.Helper()
	base := t.TempDir()
	if err := os.Symlink(in, filepath.Join(base, "in")); err != nil {
		t.Fatal(err)
	}
	out = filepath.Join(base, "out")
	if err := os.Mkdir(out, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range w.names() {
		if err := os.WriteFile(filepath.Join(out, name), []byte(old), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// command is the command in a folder.
func (w writer) command(t *testing.T, folder string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, strings.Fields(w.args)...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "KINDRED_TEST_AS_COMMAND=1", "KINDRED_DATASETS=", "CI=1")
	return cmd
}

// inputs makes what the writers read.
func inputs(t *testing.T) (folder string) {
	t.Helper()
	folder = t.TempDir()
	notes := "id,note\n"
	for i := range 20 {
		notes += fmt.Sprintf("%d,%s number %d\n", i, []string{"a red apple", "a blue sky"}[i%2], i)
	}
	for name, content := range map[string][]byte{"rows.csv": twoHeaps(3000),
		"notes.csv": []byte(notes), "rules.txt": []byte("fruit: apple, red\nair: sky, blue\n")} {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	encoder := os.DirFS("../../data/encode/folder/testdata/mean")
	if err := os.CopyFS(filepath.Join(folder, "encoder"), encoder); err != nil {
		t.Fatal(err)
	}
	cmd := writer{args: "cluster iris -k 3 --out g.csv --model g.model"}.command(t, folder)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return folder
}

// whole runs the command without a fault, and returns what it writes.
func (w writer) whole(t *testing.T, in string) crash.Files {
	t.Helper()
	out := w.prepare(t, in)
	if said, err := w.command(t, out).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v: %s", w.args, err, said)
	}
	files := filesOf(t, out)
	for _, name := range append(w.names(), strings.Fields(w.goesOn)...) {
		if content := files[name]; len(content) == 0 || string(content) == old {
			t.Fatalf("%s: %s is not written", w.args, name)
		}
	}
	return files
}

func filesOf(t *testing.T, folder string) crash.Files {
	t.Helper()
	d, err := crash.NewDisk(folder)
	if err != nil {
		t.Fatal(err)
	}
	return d.After(crash.Kept, nil)
}

// volatile are parts of files that differ from run to run: ids of runs, checksums and times.
var volatile = regexp.MustCompile(`sha256:\w+|"id":"[^"]*"|"seconds":[^,}]*|\d{4}-\d\d-\d\dT[\d:.]+Z`)

func same(a, b []byte) bool {
	return bytes.Equal(a, b) ||
		bytes.Equal(volatile.ReplaceAll(a, nil), volatile.ReplaceAll(b, nil))
}

// half returns an error for a file that is neither as it was nor as it should be, or is not new
// though the command succeeded. A fault in the system leaves no temporary files; a cut may.
func (w writer) half(files, whole crash.Files, done bool) error {
	for _, name := range w.names() {
		if !same(files[name], whole[name]) && (done || string(files[name]) != old) {
			return fmt.Errorf("%s is neither old nor new: %.80q", name, files[name])
		}
	}
	return nil
}

// goOn runs the same command again after a fault: it succeeds, and all is as it should be.
func (w writer) goOn(t *testing.T, in string, files, whole crash.Files) error {
	folder, remove := crash.Scratch(t)
	defer remove()
	out := filepath.Join(folder, "out")
	if err := os.Symlink(in, filepath.Join(folder, "in")); err != nil {
		return err
	}
	if err := os.Mkdir(out, 0o700); err != nil {
		return err
	}
	if err := files.Write(out); err != nil {
		return err
	}
	if said, err := w.command(t, out).CombinedOutput(); err != nil {
		return fmt.Errorf("it does not go on: %w: %s", err, said)
	}
	now := filesOf(t, out)
	for _, name := range append(w.names(), strings.Fields(w.goesOn)...) {
		if strings.HasSuffix(name, ".state") {
			continue // it has times
		}
		if !same(now[name], whole[name]) {
			return fmt.Errorf("%s is not as in one run: %d bytes, not %d", name, len(now[name]),
				len(whole[name]))
		}
	}
	return nil
}

// answers returns the answers of a project in files; it must be sound, or not be there.
func answers(t *testing.T, files crash.Files, name string) (int, error) {
	folder, remove := crash.Scratch(t)
	defer remove()
	if err := files.Write(folder); err != nil {
		return 0, err
	}
	path := filepath.Join(folder, name)
	if !store.Exists(path) {
		return 0, nil
	}
	p, err := store.Open(t.Context(), path)
	if err != nil {
		return 0, err
	}
	defer p.Close()
	events, err := p.Events(t.Context())
	return len(events), err
}

// each calls try for the writers, some of them in short mode.
func each(t *testing.T, try func(t *testing.T, w writer, in string, whole crash.Files)) {
	in := inputs(t)
	for i, w := range writers {
		if testing.Short() && i%10 != 0 {
			continue
		}
		t.Run(strings.NewReplacer("../in/", "", "/", "_").Replace(w.args), func(t *testing.T) {
			try(t, w, in, w.whole(t, in))
		})
	}
}

// TestAPowerCutLeavesFilesWhole cuts the power at each write, sync and rename of each command.
func TestAPowerCutLeavesFilesWhole(t *testing.T) {
	mixtures, cuts, lost := 3, 0, 0
	if testing.Short() {
		mixtures = 0
	}
	each(t, func(t *testing.T, w writer, in string, whole crash.Files) {
		out := w.prepare(t, in)
		cmd := w.command(t, out)
		r := crash.Record(t, cmd)
		d, err := crash.NewDisk(out)
		if err != nil {
			t.Fatal(err)
		}
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, said)
		}
		ops := r.Ops(out)
		total := 0
		if w.project != "" {
			if total, err = answers(t, whole, w.project); err != nil || total == 0 {
				t.Fatalf("%d answers: %v", total, err)
			}
		}
		known := make(map[string]int) // answers in files that were looked at
		some := mixtures
		if len(ops) > 400 { // a picture is written in many pieces
			some = min(some, 1)
		}
		n, err := crash.Cuts(d, ops, some, 3,
			func(done int, loss crash.Loss, files crash.Files) error {
				ended := done == len(ops)
				if err := w.half(files, whole, ended); err != nil {
					return err
				}
				if ended && w.half(d.After(crash.Lying, nil), whole, true) != nil {
					lost++
				}
				if w.project != "" {
					key := files.Digest()
					kept, seen := known[key]
					if !seen {
						if kept, err = answers(t, files, w.project); err != nil {
							return err
						}
						known[key] = kept
					}
					if ended && kept != total {
						return fmt.Errorf("%d answers of %d are left", kept, total)
					}
				}
				if w.goesOn != "" && (ended || (done+int(loss))%max(7, len(ops)/10) == 0) {
					return w.goOn(t, in, files, whole)
				}
				return nil
			})
		if err != nil {
			t.Error(err)
		}
		cuts += n
	})
	if lost == 0 {
		t.Error("disks that ignore syncs lose nothing: the test tries nothing")
	}
	t.Logf("%d power cuts of %d commands: every file was whole; of disks that ignore syncs %d lost "+
		"files", cuts, len(writers), lost)
}

// onDisk runs a command on a disk of its own with so many KiB left beside the old files, or one that
// may only be read where that is below 0, and returns what is on it then.
func (w writer) onDisk(t *testing.T, in string, left int) (code int, said string, files crash.Files) {
	t.Helper()
	out := w.prepare(t, in)
	kept := t.TempDir()
	cmd := w.command(t, out)
	script := `d=$1 keep=$2 size=$3 left=$4; shift 4
		mkdir "$keep/was"; cp -a "$d"/. "$keep/was"
		mount -t tmpfs -o size=${size}k tmpfs "$d" && cp -a "$keep/was"/. "$d" && cd "$d" || exit 99
		if [ "$left" -lt 0 ]; then mount -o remount,ro "$d" && cd "$d" || exit 99; fi
		"$@"; code=$?; mkdir "$keep/is"; cp -a "$d"/. "$keep/is"; exit $code`
	size := 4*len(w.names()) + 4 + max(left, 0)
	if left < 0 {
		size = 4096
	}
	cmd.Args = slices.Concat([]string{"unshare", "--user", "--map-root-user", "--mount", "sh", "-c",
		script, "sh", out, kept, fmt.Sprint(size), fmt.Sprint(left), cmd.Path}, cmd.Args[1:])
	var err error
	if cmd.Path, err = exec.LookPath("unshare"); err != nil {
		t.Skip("no disk can be made here")
	}
	text, _ := cmd.CombinedOutput()
	if code = cmd.ProcessState.ExitCode(); code == 99 || code < 0 ||
		bytes.HasPrefix(text, []byte("unshare:")) {
		t.Skipf("no disk can be made here: %s", text)
	}
	return code, string(text), filesOf(t, filepath.Join(kept, "is"))
}

// tidy returns an error for files that a fault must not leave.
func (w writer) tidy(files crash.Files) error {
	may := slices.Concat(w.names(), strings.Fields(w.goesOn))
	for _, name := range slices.Sorted(maps.Keys(files)) {
		top, _, _ := strings.Cut(name, "/")
		if !slices.ContainsFunc(may, func(m string) bool {
			return m == name || strings.HasPrefix(m, top+"/")
		}) && (w.project == "" || !strings.HasPrefix(name, w.project)) {
			return fmt.Errorf("%s is left", name)
		}
	}
	return nil
}

// TestAFullDiskLeavesFilesWhole runs each command on a disk with no room, one page more, and so on
// until it succeeds: before, each file is as it was, the code is 1, and the sentence says why.
func TestAFullDiskLeavesFilesWhole(t *testing.T) {
	runs := 0
	each(t, func(t *testing.T, w writer, in string, whole crash.Files) {
		for left := 0; ; left += 4 {
			if testing.Short() && left > 0 {
				left *= 2
			}
			code, said, files := w.onDisk(t, in, left)
			runs++
			if err := w.half(files, whole, code == 0); err != nil {
				t.Errorf("%d KiB: %v: %s", left, err, said)
			}
			if err := w.tidy(files); err != nil {
				t.Errorf("%d KiB: %v: %s", left, err, said)
			}
			if w.project != "" {
				if _, err := answers(t, files, w.project); err != nil {
					t.Errorf("%d KiB: %v", left, err)
				}
			}
			if w.goesOn != "" {
				if err := w.goOn(t, in, files, whole); err != nil {
					t.Errorf("%d KiB: %v", left, err)
				}
			}
			if code == 0 {
				return
			}
			if want := fault.Full.Class(); code != want.Exit ||
				!strings.Contains(said, want.Problem) || !strings.Contains(said, want.Fix) {
				t.Errorf("%d KiB: the code is %d: %s", left, code, said)
			}
			if left > 4096 || t.Failed() {
				t.Fatalf("%d KiB do not do", left)
			}
		}
	})
	t.Logf("%d runs of %d commands on full disks: every file was whole", runs, len(writers))
}

// TestADiskThatMayOnlyBeRead: nothing is changed, and the sentence says why.
func TestADiskThatMayOnlyBeRead(t *testing.T) {
	each(t, func(t *testing.T, w writer, in string, whole crash.Files) {
		code, said, files := w.onDisk(t, in, -1)
		if err := w.half(files, crash.Files{}, false); err != nil {
			t.Errorf("%v: %s", err, said)
		}
		if want := fault.Unwritable.Class(); code != want.Exit ||
			!strings.Contains(said, want.Problem) || !strings.Contains(said, want.Fix) {
			t.Errorf("the code is %d: %s", code, said)
		}
	})
}

// TestFailingCallsLeaveFilesWhole lets all syncs, or all renames, of each command fail.
func TestFailingCallsLeaveFilesWhole(t *testing.T) {
	runs := 0
	each(t, func(t *testing.T, w writer, in string, whole crash.Files) {
		for _, broken := range []struct {
			calls, number string
			kind          fault.Kind
		}{
			{"fsync,fdatasync", "EIO", fault.Failing},
			{"fsync,fdatasync", "EDQUOT", fault.Full},
			{"rename,renameat,renameat2", "EROFS", fault.Unwritable},
			{"pwrite64", "EDQUOT", fault.Full},
			{"pwrite64", "EIO", fault.Failing},
			{"pwrite64", "EROFS", fault.Unwritable},
		} {
			if broken.calls == "pwrite64" && w.project == "" ||
				strings.HasPrefix(broken.calls, "rename") && w.files == "" {
				continue // it has no use for them
			}
			out := w.prepare(t, in)
			cmd := w.command(t, out)
			crash.Break(t, cmd, broken.calls, broken.number)
			said, _ := cmd.CombinedOutput()
			runs++
			files := filesOf(t, out)
			for _, err := range []error{w.half(files, whole, false), w.tidy(files)} {
				if err != nil {
					t.Errorf("%v: %v: %s", broken, err, said)
				}
			}
			class := broken.kind.Class()
			if code := cmd.ProcessState.ExitCode(); code != class.Exit ||
				!bytes.Contains(said, []byte(class.Problem)) {
				t.Errorf("%v: the code is %d, and it says %s", broken, code, said)
			}
			if w.goesOn != "" {
				if err := w.goOn(t, in, files, whole); err != nil {
					t.Errorf("%v: %v", broken, err)
				}
			}
		}
	})
	t.Logf("%d runs with failing calls: every file was whole", runs)
}
