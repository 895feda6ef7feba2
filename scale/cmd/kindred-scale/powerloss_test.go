//go:build unix

package main

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kindred-go/kindred/internal/crash"
)

// interrupted is a command that works in rounds, and the files that it writes at the end.
type interrupted struct {
	name  string
	args  []string
	files string // pattern of their first names
	slow  bool   // it has many rounds, and is tried less often
}

// resuming are the commands that go on from --work. TestEveryCommandThatResumesIsTried wants all.
var resuming = []interrupted{
	{"cluster", []string{"cluster", "../table", "-k", "8", "--seed", "3", "--split-rows", "1000",
		"--max-iterations", "4", "--tolerance", "1e-300", "--out", "groups", "--model",
		"groups.model", "--work", "work"}, "groups*", false},
	{"super", []string{"super", "../table", "--super-instances", "12", "--seed", "3",
		"--split-rows", "1000", "--out", "chosen", "--work", "work"}, "chosen*", true},
}

// results are the files that the command wrote, without those of its work.
func (c interrupted) results(t *testing.T, folder string) crash.Files {
	t.Helper()
	d, err := crash.NewDisk(folder)
	if err != nil {
		t.Fatal(err)
	}
	files := d.After(crash.Kept, nil)
	for name := range files {
		if ok, err := filepath.Match(c.files, strings.Split(name, "/")[0]); err != nil || !ok ||
			strings.HasSuffix(name, ".tmp") {
			delete(files, name)
		}
	}
	return files
}

// run runs the command in folder.
func (c interrupted) run(t *testing.T, folder string) error {
	cmd, said := command(t.Context(), t, folder, c.args...)
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%w: %s", err, said)
	}
	return nil
}

// as returns an error if results are not those of a run that nobody disturbed.
func as(got, want crash.Files) error {
	if len(want) == 0 {
		return fmt.Errorf("no results")
	}
	for name, content := range want {
		if !bytes.Equal(got[name], content) {
			return fmt.Errorf("%s differs: %d bytes, %d in one run", name, len(got[name]),
				len(content))
		}
	}
	for name := range got {
		if _, there := want[name]; !there {
			return fmt.Errorf("%s is there, and not in one run", name)
		}
	}
	return nil
}

// TestAPowerCutInARound cuts the power at operations all over the run of each command that goes on
// from --work, and runs it again on what the disk may then hold: the results are those of one run.
func TestAPowerCutInARound(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the commands many times")
	}
	for _, c := range resuming {
		t.Run(c.name, func(t *testing.T) {
			base, remove := crash.Scratch(t)
			defer remove()
			generated(t, filepath.Join(base, "table"), 3000)
			folder := filepath.Join(base, "run")
			anew := func(files crash.Files) error { // as what it reads and writes has names
				if err := os.RemoveAll(folder); err != nil {
					return err
				}
				if err := os.Mkdir(folder, 0o700); err != nil {
					return err
				}
				return files.Write(folder)
			}
			if err := anew(nil); err != nil {
				t.Fatal(err)
			}
			cmd, said := command(t.Context(), t, folder, c.args...)
			r := crash.Record(t, cmd)
			d, err := crash.NewDisk(folder)
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Run(); err != nil {
				t.Fatalf("%v: %s", err, said)
			}
			want := c.results(t, folder)
			ops := r.Ops(folder)
			trials := 20
			if c.slow {
				trials = 5
			}
			every, met, tried := max(1, 5*len(ops)/trials), 0, 0
			n, err := crash.Cuts(d, ops, 3, 4,
				func(done int, loss crash.Loss, files crash.Files) error {
					ended := done == len(ops)
					if met++; !ended && met%every != 0 {
						return nil
					}
					tried++
					if err := anew(files); err != nil {
						return err
					}
					whole := as(c.results(t, folder), want)
					if whole == nil || ended { // what is reported as done must be there
						return whole
					}
					if err := c.run(t, folder); err != nil {
						return err
					}
					return as(c.results(t, folder), want)
				})
			if err != nil {
				t.Error(err)
			}
			t.Logf("%d operations, %d of %d power cuts tried: the results are those of one run",
				len(ops), tried, n)
		})
	}
}

// TestKillsAtRandom kills each command that goes on from --work at random moments, until it comes
// to its end.
func TestKillsAtRandom(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the commands many times")
	}
	table := overlapping(t, 20_000)
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range resuming {
		if c.slow {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			whole, killed := filepath.Join(table, "whole"), filepath.Join(table, "killed")
			for _, folder := range []string{whole, killed} {
				os.RemoveAll(folder)
				if err := os.Mkdir(folder, 0o700); err != nil {
					t.Fatal(err)
				}
			}
			began := time.Now()
			if err := c.run(t, whole); err != nil {
				t.Fatal(err)
			}
			took := time.Since(began)
			kills, ended := 0, false
			for round := 0; round < 6 && !ended; round++ {
				cmd, said := command(t.Context(), t, killed, c.args...)
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				stop := time.AfterFunc(time.Duration(rng.Int64N(int64(took)*3/4)), func() {
					cmd.Process.Kill()
				})
				err := cmd.Wait()
				stop.Stop()
				if ended = err == nil; ended {
					break
				}
				if cmd.ProcessState.ExitCode() >= 0 {
					t.Fatalf("round %d: %v: %s", round, err, said)
				}
				kills++
			}
			if whole := as(c.results(t, killed), c.results(t, whole)) == nil; !ended && !whole {
				if err := c.run(t, killed); err != nil {
					t.Fatal(err)
				}
			}
			if err := as(c.results(t, killed), c.results(t, whole)); err != nil {
				t.Error(err)
			}
			t.Logf("killed %d times: the results are those of one run", kills)
		})
	}
}

// alike are commands that go on from --work by what others are tried for.
var alike = map[string]string{
	"expand": "one round, whose parts are written as those of cluster",
	"score":  "rounds as those of cluster; its result is on stdout",
	"survey": "the first round of cluster; its result is on stdout",
}

func TestEveryCommandThatResumesIsTried(t *testing.T) {
	for _, cmd := range newRoot(newApp(io.Discard, io.Discard, os.Getenv)).Commands() {
		if cmd.Flags().Lookup("work") != nil && alike[cmd.Name()] == "" &&
			!slices.ContainsFunc(resuming, func(c interrupted) bool { return c.name == cmd.Name() }) {
			t.Errorf("no fault is tried on kindred-scale %s, which goes on from --work", cmd.Name())
		}
	}
}
