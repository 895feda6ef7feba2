package dataset

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestCancelAnywhere stops the reading of plain files at many moments: it must end soon, either
// with the whole table or with the context's error.
func TestCancelAnywhere(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const rows = 4000
	r := rand.New(rand.NewPCG(7, 8))
	for name, content := range map[string]string{
		"a.csv":   "a,b\n" + strings.Repeat("1,2\n", rows),
		"a.arff":  "@attribute a real\n@attribute b real\n@data\n" + strings.Repeat("1,2\n", rows),
		"a.jsonl": strings.Repeat("{\"a\":1,\"b\":2}\n", rows),
	} {
		path := writeFile(t, name, []byte(content))
		cancelled := 0
		for i := range 300 {
			o := ReadOptions{chunk: len(content) / 40, Threads: 1 + 2*(i%2)}
			ctx, cancel := context.WithCancel(context.Background())
			// Some way into the parsing, at a moment that nothing in it waits for.
			begun, done := make(chan struct{}), make(chan error, 1)
			last, wait := r.Int64N(int64(len(content))*9/10), time.Duration(r.Int64N(20_000))
			o.Progress = func(read, _ int64) {
				if read >= last && last >= 0 {
					if i%10 == 0 { // within the reading, however fast it is
						cancel()
					}
					close(begun)
					last = -1
				}
			}
			go func() {
				table, err := Read(ctx, path, o)
				if err == nil && table.Rows != rows {
					err = errors.New("rows are lost")
				}
				done <- err
			}()
			select {
			case <-begun:
			case <-time.After(time.Minute):
				t.Fatalf("%s: no progress", name)
			}
			for start := time.Now(); time.Since(start) < wait; {
			}
			cancel()
			select {
			case err := <-done:
				if errors.Is(err, context.Canceled) {
					cancelled++
				} else if err != nil {
					t.Fatalf("%s, %d threads: %v", name, o.Threads, err)
				}
			case <-time.After(time.Minute):
				t.Fatalf("%s, %d threads: hangs", name, o.Threads)
			}
		}
		if cancelled == 0 {
			t.Errorf("%s: no reading was stopped", name)
		}
	}
}

// When the context ends, nothing of the reading goes on beside its caller: what is read of a stream
// is cut off while a call of its Read is under way.
func TestNothingReadsOnAfterCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		in, out := io.Pipe()
		go io.WriteString(out, "a,b\n"+strings.Repeat("1,2\n", 1000))
		returned := false // under the race detector, a call of Progress beside this is one
		o := ReadOptions{Progress: func(int64, int64) {
			if returned {
				t.Error("progress is reported after ReadStream returned")
			}
		}}
		go func() {
			synctest.Wait() // until it waits for more
			cancel()
		}()
		if _, err := ReadStream(ctx, in, "", o); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		returned = true
		io.WriteString(out, "3,4\n")
		out.Close()
		synctest.Wait()
	})
}
