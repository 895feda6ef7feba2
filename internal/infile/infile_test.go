package infile

import (
	"context"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/kindred-go/kindred/fault"
)

func TestOpenReportsWhatIsWrong(t *testing.T) {
	folder := t.TempDir()
	for path, problem := range map[string]string{filepath.Join(folder, "none"): "no such file",
		folder: "is a folder, not a table"} {
		var in *fault.Input
		if _, err := Open(path, "a table"); !errors.As(err, &in) || in.File != path ||
			in.Fix == "" || !strings.Contains(in.Problem, problem) {
			t.Errorf("%s: %v", path, err)
		}
	}
	denied := func(path string) (*os.File, error) {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrPermission}
	}
	if _, err := OpenBy(t.Context(), denied, "own.csv", "a table"); err == nil ||
		!strings.HasPrefix(err.Error(), "own.csv: may not be read; give yourself leave") {
		t.Errorf("%v", err)
	}
	path := filepath.Join(folder, "some")
	if err := os.WriteFile(path, []byte("abc"), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path, "a table")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var calls []int64
	r := NewReader(t.Context(), f, 3,
		func(done, total int64) { calls = append(calls, done, total) })
	if text, err := io.ReadAll(r); err != nil || string(text) != "abc" || len(calls) != 2 ||
		calls[0] != 3 || calls[1] != 3 {
		t.Errorf("%q (%v), heard %v", text, err, calls)
	}
	// FIPS 180-4's own example
	if sum := hex.EncodeToString(r.Hash.Sum(nil)); !strings.HasPrefix(sum, "ba7816bf8f01cfea") {
		t.Errorf("hash %s", sum)
	}
}

func TestAContextEndsReading(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := NewReader(ctx, strings.NewReader("abc"), 0,
		nil).Read(make([]byte, 3)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestAContextEndsReadingThatBlocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		from, to := io.Pipe()
		r := Interruptible(ctx, from)
		p := make([]byte, 4)
		go to.Write([]byte("ab"))
		if n, err := r.Read(p); err != nil || string(p[:n]) != "ab" {
			t.Errorf("%q (%v)", p[:n], err)
		}
		go func() {
			synctest.Wait() // until the next call blocks
			cancel()
		}()
		for range 2 {
			if n, err := r.Read(p); n != 0 || !errors.Is(err, context.Canceled) {
				t.Errorf("%d (%v)", n, err)
			}
		}
		to.Write([]byte("cd")) // which the call left behind takes
		synctest.Wait()
		if string(p) != "ab\x00\x00" {
			t.Errorf("what the caller has again was written to: %q", p)
		}
	})
}
