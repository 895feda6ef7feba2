//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestFurtherInterruptsEndWhatWaits: a model is read from a pipe that stays open and silent.
func TestFurtherInterruptsEndWhatWaits(t *testing.T) {
	if testing.Short() {
		t.Skip("takes two seconds")
	}
	pipe := filepath.Join(t.TempDir(), "model")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skip("no pipes here")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "predict", pipe, "iris")
	cmd.Env = append(os.Environ(), "KINDRED_TEST_AS_COMMAND=1")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		cmd.Wait()
	}()
	for { // until it is being read
		to, err := os.OpenFile(pipe, os.O_WRONLY|syscall.O_NONBLOCK, 0)
		if err == nil {
			defer to.Close()
			break
		}
		select {
		case <-ended:
			t.Fatal("it ends without having read the pipe")
		case <-time.After(10 * time.Millisecond):
		}
	}
	for range 120 {
		cmd.Process.Signal(os.Interrupt)
		select {
		case <-ended:
			if s := cmd.ProcessState.Sys().(syscall.WaitStatus); !s.Signaled() {
				t.Errorf("it ends by itself: %v", cmd.ProcessState)
			}
			return
		case <-time.After(500 * time.Millisecond):
		}
	}
	cmd.Process.Kill()
	t.Error("interrupts do not end it")
}
