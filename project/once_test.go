package project

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"testing"
)

// Work that a context ended is begun anew by the next one, and else it is done once.
func TestOnce(t *testing.T) {
	var o once
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	runs := 0
	work := func(ctx context.Context) error { runs++; return ctx.Err() }
	if err := o.do(ended, t.Context(), work); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that ended: %v", err)
	}
	if err := o.do(t.Context(), ended, func(ctx context.Context) error {
		<-ctx.Done()
		return ctx.Err()
	}); !errors.Is(err, context.Canceled) {
		t.Errorf("the other context ended: %v", err)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if err := o.do(t.Context(), t.Context(), work); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if runs != 2 {
		t.Errorf("it ran %d times, not twice", runs)
	}
	failed := errors.New("failed")
	o = once{}
	for range 2 {
		if err := o.do(t.Context(), t.Context(), func(context.Context) error {
			runs++
			return failed
		}); !errors.Is(err, failed) {
			t.Errorf("%v, not the error of the work", err)
		}
	}
	if runs != 3 {
		t.Errorf("work that failed ran %d times, not once", runs-2)
	}
	var held once // who waits is not held up beyond its own context
	begun, release := make(chan struct{}), make(chan struct{})
	all.Go(func() {
		held.do(t.Context(), t.Context(), func(context.Context) error {
			close(begun)
			<-release
			return nil
		})
	})
	<-begun
	if err := held.do(ended, t.Context(), work); !errors.Is(err, context.Canceled) {
		t.Errorf("waiting beyond its context: %v", err)
	}
	close(release)
	all.Wait()
}

// Who does not wait for work of others reads nothing that it writes.
func TestAskersThatDoNotWait(t *testing.T) {
	d, err := Open(t.Context(), Config{Path: filepath.Join(t.TempDir(), "p.kindred"), Data: "iris"})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for range 20 {
		r := &result{out: d.shown().out} // of which nobody asked anything
		var all sync.WaitGroup
		for i := range 8 {
			ctx := t.Context()
			if i%2 > 0 {
				ctx = ended
			}
			all.Go(func() {
				if c, err := d.certainty(ctx, r); (err == nil) != (c != nil) {
					t.Errorf("certainty %t with the error %v", c != nil, err)
				}
				if words, err := d.keywords(ctx, r); err != nil && words != nil {
					t.Errorf("keywords %v with the error %v", words, err)
				}
			})
		}
		all.Wait()
	}
}

// What the certainty costs ends with the context of who asks, and the next one has it all the same.
func TestCertaintyEndsWithItsContext(t *testing.T) {
	d, err := Open(t.Context(), Config{Path: filepath.Join(t.TempDir(), "p.kindred"), Data: "iris"})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	r := d.shown()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := d.certainty(ended, r); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that ended: %v", err)
	}
	if sure, err := d.Certainty(t.Context()); err != nil || len(sure) != d.Data().N() {
		t.Errorf("%d certainties after that: %v", len(sure), err)
	}
}
