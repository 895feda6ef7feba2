package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kindred-go/kindred/internal/cli"
)

// patient is a context that ends after it was asked a number of times, so that a test stops work at
// a place that does not depend on time.
type patient struct {
	context.Context
	left atomic.Int64
	end  context.CancelFunc
}

func (p *patient) Err() error {
	if p.left.Add(-1) == 0 {
		p.end()
	}
	return p.Context.Err()
}

// TestAStoppedFitIsWritten: wherever a fit is stopped, there is either nothing, or the best
// partition so far, whole, and the exit code says so.
func TestAStoppedFitIsWritten(t *testing.T) {
	var kept, nothing int
	for asked := int64(4); asked < 1e6; asked += asked/4 + 1 {
		path := filepath.Join(t.TempDir(), "out.csv")
		ctx, cancel := context.WithCancel(t.Context())
		p := &patient{Context: ctx, end: cancel}
		p.left.Store(asked)
		var out, talk bytes.Buffer
		a := newApp(strings.NewReader(""), &out, &talk, func(string) string { return "" })
		code := run(p, a, []string{"cluster", "iris", "--method", "evclus", "-k", "3",
			"--tolerance", "1e-9", "--threads", "1", "--out", path})
		cancel()
		text, err := os.ReadFile(path)
		switch {
		case code == cli.Done:
			if kept == 0 || nothing == 0 {
				t.Errorf("of the fits that were stopped, %d had a partition and %d had none", kept,
					nothing)
			}
			return
		case code != cli.Interrupted || !strings.Contains(talk.String(), "kindred: interrupted"):
			t.Fatalf("code %d: %s", code, talk.String())
		case err != nil:
			nothing++
		default:
			kept++
			if n := bytes.Count(text, []byte("\n")); n != 151 {
				t.Fatalf("%d lines were written", n)
			}
			if !strings.Contains(talk.String(), "this is the best partition it had found so far") {
				t.Errorf("nothing is said of what was written: %s", talk.String())
			}
			if strings.Contains(talk.String(), "allow more") {
				t.Errorf("who stopped the fit is told to allow more: %s", talk.String())
			}
		}
	}
	t.Errorf("the fit never ended; %d stopped with nothing, %d with a partition", nothing, kept)
}
