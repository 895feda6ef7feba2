package store_test

import (
	"bufio"
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

	"github.com/kindred-go/kindred/internal/crash"
	"github.com/kindred-go/kindred/project/store"
)

// workThrough does all that is done to a project, and says on stdout what is on disk: several
// people add steps, the log is folded, a setting changes, a copy is made, the project is closed.
func workThrough(p *store.File) error {
	ctx := context.Background()
	var out sync.Mutex
	say := func(args ...any) {
		out.Lock()
		defer out.Unlock()
		fmt.Println(args...)
	}
	if err := p.SetHeader(ctx, store.Header{Data: "x.csv"}); err != nil {
		return err
	}
	say("header")
	several := func(each int) error {
		errs := make([]error, 3)
		var all sync.WaitGroup
		for who := range errs {
			all.Go(func() {
				for i := range each {
					step := []store.Event{{Step: store.Same, A: "a", B: "b", Who: fmt.Sprint(who)}}
					if (who+i)%2 == 0 {
						step = append(step, store.Event{Step: store.Bad, A: "c",
							Who: fmt.Sprint(who)})
					}
					added, err := p.AppendAll(ctx, step)
					if err != nil {
						errs[who] = err
						return
					}
					say("step", added[len(added)-1].Seq)
				}
			})
		}
		all.Wait()
		return errors.Join(errs...)
	}
	for i := range 2 {
		if err := several(4); err != nil {
			return err
		}
		time.Sleep(120 * time.Millisecond) // the log is folded meanwhile
		if err := p.SetSetting(ctx, "round", i); err != nil {
			return err
		}
		say("round", i)
		if err := p.Copy(ctx, p.Path()+".copy"); err != nil {
			return err
		}
		say("copied", p.Last())
	}
	if err := several(2); err != nil {
		return err
	}
	if err := p.Close(); err != nil {
		return err
	}
	say("closed")
	return nil
}

// recorded runs a child on a project and returns the disk before, and what the child did.
func recorded(t *testing.T, what, path string) (*crash.Disk, []crash.Op) {
	t.Helper()
	folder := filepath.Dir(path)
	c := child(t, what, path)
	c.Dir = folder
	r := crash.Record(t, c)
	d, err := crash.NewDisk(folder)
	if err != nil {
		t.Fatal(err)
	}
	if out, err := c.Output(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return d, r.Ops(folder)
}

// acknowledged is what a child has said so far.
type acknowledged struct {
	step, copied int64
	header       bool
	round        int
}

func told(ops []crash.Op) acknowledged {
	a := acknowledged{round: -1}
	var b bytes.Buffer
	for _, o := range ops {
		if o.Kind == crash.Say {
			b.Write(o.Data)
		}
	}
	for lines := bufio.NewScanner(&b); lines.Scan(); {
		var n int64
		word, _, _ := strings.Cut(lines.Text(), " ")
		fmt.Sscan(strings.TrimPrefix(lines.Text(), word), &n)
		switch word {
		case "step":
			a.step = max(a.step, n) // those before it were written before, or with it
		case "copied":
			a.copied = n
		case "round":
			a.round = int(n)
		case "header":
			a.header = true
		}
	}
	return a
}

// sound opens a project and returns how many events it has, each step whole.
func sound(path string) (n int64, p *store.File, err error) {
	p, err = store.Open(context.Background(), path)
	if err != nil {
		return 0, nil, err
	}
	all, err := p.Events(context.Background())
	if err != nil {
		return 0, nil, errors.Join(err, p.Close())
	}
	for i, e := range all {
		if e.Seq != int64(i+1) {
			err = fmt.Errorf("event %d has number %d", i+1, e.Seq)
		}
		if e.Batch == e.Seq && (i+1 == len(all) || all[i+1].Batch != e.Batch) {
			err = fmt.Errorf("half of the step of event %d is there", e.Seq)
		}
	}
	return int64(len(all)), p, err
}

// holds checks that a project in files holds what was acknowledged.
func holds(folder string, files crash.Files, a acknowledged) error {
	if err := files.Write(folder); err != nil {
		return err
	}
	copied := filepath.Join(folder, "p.kindred.copy")
	if _, err := os.Stat(copied); err == nil || a.copied > 0 {
		n, p, err := sound(copied)
		if err != nil {
			return fmt.Errorf("the copy: %w", err)
		}
		p.Close()
		if n < a.copied {
			return fmt.Errorf("the copy has %d events of %d", n, a.copied)
		}
	}
	n, p, err := sound(filepath.Join(folder, "p.kindred"))
	if err != nil {
		return err
	}
	defer p.Close()
	if n < a.step {
		return fmt.Errorf("%d events are there, %d were acknowledged", n, a.step)
	}
	round := -1
	if _, err := p.Setting(context.Background(), "round", &round); err != nil {
		return err
	}
	if h, there, err := p.Header(context.Background()); err != nil || round < a.round ||
		a.header && (!there || h.Data != "x.csv") {
		return fmt.Errorf("the settings are %+v and %d (%v), acknowledged %+v", h, round, err, a)
	}
	// And it takes more.
	if err := p.Append(context.Background(), store.Event{Step: store.Same, A: "a",
		B: "b"}); err != nil {
		return err
	}
	return nil
}

// TestAPowerCutLosesNothingAcknowledged cuts the power after each write, sync, rename and removal
// of a process that works on a project. Whatever of what was not synced is lost, the project opens,
// holds all that was acknowledged, and takes more. A disk that ignores syncs must lose some: else
// the test could not fail.
func TestAPowerCutLosesNothingAcknowledged(t *testing.T) {
	d, ops := recorded(t, "work", filepath.Join(t.TempDir(), "p.kindred"))
	mixtures := 4
	if testing.Short() {
		mixtures = 0
		ops = ops[:min(len(ops), 140)]
	}
	lost, lies := 0, 0
	n, err := crash.Cuts(d, ops, mixtures, 1,
		func(done int, loss crash.Loss, files crash.Files) error {
			folder, remove := crash.Scratch(t)
			defer remove()
			a := told(ops[:done])
			if err := holds(folder, files, a); err != nil || loss != crash.Dropped {
				return err
			}
			folder, remove = crash.Scratch(t)
			defer remove()
			lies++
			if holds(folder, d.After(crash.Lying, nil), a) != nil {
				lost++
			}
			return nil
		})
	if err != nil {
		t.Error(err)
	}
	if lost == 0 {
		t.Error("a disk that ignores syncs loses nothing: the test tries nothing")
	}
	a := told(ops)
	t.Logf("%d power cuts at %d operations with %d acknowledged steps: nothing was lost; of a "+
		"disk that ignores syncs, %d of %d lose some", n, len(ops), a.step, lost, lies)
}

// TestAPowerCutWhileAFileIsBroughtUpToDate: the old project or the new one is there, whole, and so
// is its copy, if it is there.
func TestAPowerCutWhileAFileIsBroughtUpToDate(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.kindred")
	steps := []string{"same a b", "different b c", "undo b c", "same c d"}
	old(t, path, steps...)
	d, ops := recorded(t, "upgrade", path)
	mixtures := 8
	if testing.Short() {
		mixtures = 0
	}
	n, err := crash.Cuts(d, ops, mixtures, 2,
		func(done int, _ crash.Loss, files crash.Files) error {
			folder, remove := crash.Scratch(t)
			defer remove()
			if err := files.Write(folder); err != nil {
				return err
			}
			if _, there := files["p.kindred.v1.bak"]; there {
				v, err := store.View(t.Context(), filepath.Join(folder, "p.kindred.v1.bak"))
				if err != nil {
					return fmt.Errorf("the copy: %w", err)
				}
				all, err := v.Events(t.Context())
				v.Close()
				if err != nil || len(all) != len(steps) {
					return fmt.Errorf("the copy has %d events: %v", len(all), err)
				}
			}
			n, p, err := sound(filepath.Join(folder, "p.kindred"))
			if err != nil {
				return err
			}
			p.Close()
			if n != int64(len(steps)) {
				return fmt.Errorf("%d events are there", n)
			}
			return nil
		})
	if err != nil {
		t.Error(err)
	}
	t.Logf("%d power cuts at %d operations: nothing was lost", n, len(ops))
}
