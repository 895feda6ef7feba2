package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"
)

// TestAStoppedExperimentGoesOn: wherever it is stopped, what ran is kept, it is said how to go on, and doing so gives the tables of
// a run that was never stopped.
func TestAStoppedExperimentGoesOn(t *testing.T) {
	args := []string{"reproduce", "competitive-learning-2013", "--sets", "iris", "--parts", "tables", "--trials", "2", "--threads", "1"}
	reproduced := func(ctx context.Context, more ...string) (code int, out, talk string) {
		var o, e bytes.Buffer
		a := newApp(strings.NewReader(""), &o, &e, func(string) string { return "" })
		code = run(ctx, a, append(args, more...))
		return code, o.String(), e.String()
	}
	code, whole, talk := reproduced(t.Context())
	if code != exitDone {
		t.Fatalf("code %d: %s", code, talk)
	}
	folder := filepath.Join(t.TempDir(), "out")
	stopped := 0
	for asked := int64(1); ; asked++ {
		ctx, cancel := context.WithCancel(t.Context())
		p := &patient{Context: ctx, end: cancel}
		p.left.Store(asked)
		code, out, talk := reproduced(p, "--out", folder)
		cancel()
		if code == exitDone {
			if out != whole {
				t.Errorf("another report:\n%s\nnot\n%s", out, whole)
			}
			break
		}
		stopped++
		if code != exitInterrupted || !strings.Contains(talk, "what ran is in "+folder+"; the same command goes on from there") {
			t.Fatalf("code %d: %s", code, talk)
		}
	}
	if stopped == 0 {
		t.Error("it was never stopped")
	}
	ctx, cancel := context.WithCancel(t.Context())
	p := &patient{Context: ctx, end: cancel}
	p.left.Store(1)
	if code, _, talk := reproduced(p); code != exitInterrupted || !strings.Contains(talk, "with --out FOLDER the same command goes on") {
		t.Errorf("code %d: %s", code, talk)
	}
	cancel()
}
