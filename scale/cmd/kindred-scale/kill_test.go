//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/scale/generate"
)

// command is this program as a process of its own, with what it writes on stderr.
func command(ctx context.Context, t *testing.T, folder string, args ...string) (*exec.Cmd,
	*bytes.Buffer) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "KINDRED_TEST_AS_COMMAND=1", "TMPDIR="+folder)
	said := new(bytes.Buffer)
	cmd.Stderr = said
	return cmd, said
}

// holdUp lets the command begin a round of k-means, and never end it: where it looks for a state
// that an earlier try may have left, there is a pipe that nobody writes to. It returns that pipe,
// and the state that the command goes on from.
func holdUp(t *testing.T, work string, round int) (pipe, before string) {
	t.Helper()
	state := func(round int) string {
		return filepath.Join(work, "lloyd", fmt.Sprintf("%06d.state", round))
	}
	if err := os.MkdirAll(filepath.Join(work, "lloyd"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(state(round), 0o600); err != nil {
		t.Fatal(err)
	}
	return state(round), state(round - 1)
}

// until waits until a file is there; false when the process ended before.
func until(ended <-chan error, file string) bool {
	for {
		select {
		case <-ended:
			return false
		case <-time.After(5 * time.Millisecond):
		}
		if _, err := os.Stat(file); err == nil {
			return true
		}
	}
}

// overlapping writes rows whose clusters overlap, so that k-means takes many rounds.
func overlapping(t *testing.T, rows int64) (folder string) {
	t.Helper()
	folder = t.TempDir()
	generated(t, filepath.Join(folder, "table"), rows)
	return folder
}

// generated writes such rows to a folder.
func generated(t *testing.T, folder string, rows int64) {
	t.Helper()
	if err := generate.Write(t.Context(), folder,
		generate.Config{Rows: rows, Dimensions: 4, Clusters: 30, Noise: 8, Files: 2,
			GroupRows: 5000, Seed: 1}); err != nil {
		t.Fatal(err)
	}
}

// TestAKilledRunGoesOn kills the command without a warning in a round. The same command then does
// what is left, and nothing again, and writes the bytes of a run that nobody disturbed.
func TestAKilledRunGoesOn(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the command three times")
	}
	folder := overlapping(t, 30_000)
	args := func(out string, more ...string) []string {
		return append([]string{"cluster", "table", "-k", "30", "--seed", "3", "--split-rows",
			"5000", "--max-iterations", "8", "--tolerance", "1e-300", "--out", out, "--model",
			out + ".model"}, more...)
	}
	whole, said := command(t.Context(), t, folder, args("whole")...)
	if err := whole.Run(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}

	pipe, before := holdUp(t, filepath.Join(folder, "work"), 4)
	killed, said := command(t.Context(), t, folder, args("killed", "--work", "work")...)
	if err := killed.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- killed.Wait() }()
	if !until(ended, before) {
		t.Fatalf("the command ended by itself: %s", said)
	}
	killed.Process.Kill()
	<-ended
	if err := os.Remove(pipe); err != nil {
		t.Fatal(err)
	}

	again, said := command(t.Context(), t, folder, args("killed", "--work", "work")...)
	if err := again.Run(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	for _, line := range []string{"survey: 1 round done before, not repeated",
		"lloyd: 3 rounds done before, not repeated"} {
		if !strings.Contains(said.String(), line) {
			t.Errorf("%q is missing: %s", line, said)
		}
	}
	parts, err := filepath.Glob(filepath.Join(folder, "whole", "part-*"))
	if err != nil || len(parts) < 4 {
		t.Fatalf("%d parts: %v", len(parts), err)
	}
	for _, part := range append(parts, filepath.Join(folder, "whole.model")) {
		want, err := os.ReadFile(part)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(strings.Replace(part, "whole", "killed", 1))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s differs", filepath.Base(part))
		}
	}
}

// TestAnInterruptEndsTheRunAndSaysHowToGoOn.
func TestAnInterruptEndsTheRunAndSaysHowToGoOn(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the command")
	}
	folder := overlapping(t, 30_000)
	_, before := holdUp(t, filepath.Join(folder, "work"), 3)
	cmd, said := command(t.Context(), t, folder, "cluster", "table", "-k", "30", "--split-rows",
		"5000", "--out", "groups", "--work", "work")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	if !until(ended, before) {
		t.Fatalf("the command ended by itself: %s", said)
	}
	cmd.Process.Signal(syscall.SIGINT)
	select {
	case <-ended:
	case <-time.After(time.Minute): // no figure of how quick it is: the machine may be busy
		cmd.Process.Kill()
		t.Fatal("the command goes on")
	}
	if code := cmd.ProcessState.ExitCode(); code != cli.Interrupted {
		t.Errorf("exit code %d: %s", code, said)
	}
	if !strings.Contains(said.String(),
		"interrupted; the same command goes on after the last round that is done, which --work "+
			"work keeps") {
		t.Errorf("stderr: %s", said)
	}
}
