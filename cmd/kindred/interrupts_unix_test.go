//go:build unix

package main

import (
	"syscall"
	"testing"
	"time"
)

// TestInterruptsAtOnceAreOne: who is interrupted twice at once goes on, and ends at a later one.
func TestInterruptsAtOnceAreOne(t *testing.T) {
	ctx, stop := uninterrupted(t.Context())
	defer stop()
	interrupt := func() {
		t.Helper()
		if err := syscall.Kill(syscall.Getpid(), syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
	}
	interrupt()
	select {
	case <-ctx.Done():
		t.Fatal("an interrupt at once ends the work")
	case <-time.After(2 * oneInterrupt):
	}
	interrupt()
	select {
	case <-ctx.Done():
	case <-time.After(time.Minute):
		t.Fatal("a later interrupt does not end the work")
	}
}
