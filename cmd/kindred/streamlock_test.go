package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestOneRunToAState: while one run keeps a state, or writes labels, another is refused and changes
// nothing; after it, not.
func TestOneRunToAState(t *testing.T) {
	folder := t.TempDir()
	rows := string(twoHeaps(40))
	if err := os.WriteFile(filepath.Join(folder, "rows.csv"), []byte(rows), 0o600); err != nil {
		t.Fatal(err)
	}
	first := startPiped(t, folder, "-k", "2", "--warm-up", "20", "--state", "s", "--out",
		"labels.csv")
	first.ask(t, rows, 0)
	labels := filepath.Join(folder, "labels.csv")
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(10 *
		time.Millisecond) {
		if text, err := os.ReadFile(labels); err == nil && strings.Count(string(text), "\n") == 41 {
			break
		}
	}
	for _, args := range [][]string{
		{"rows.csv", "-k", "2", "--warm-up", "20", "--state", "s", "--out", "other.csv"},
		{"rows.csv", "-k", "2", "--warm-up", "20", "--state", "t", "--out", "labels.csv"},
	} {
		cmd := streamCommand(t, folder, args...)
		said, err := cmd.CombinedOutput()
		if err == nil || cmd.ProcessState.ExitCode() != 1 ||
			!strings.Contains(string(said), "another kindred stream writes to it") {
			t.Errorf("%v: %v: %s", args, err, said)
		}
	}
	if text, err := os.ReadFile(labels); err != nil || strings.Count(string(text), "\n") != 41 {
		t.Errorf("%v: %d lines of labels", err, strings.Count(string(text), "\n"))
	}
	first.in.Close()
	if err := first.cmd.Wait(); err != nil {
		t.Errorf("%v: %s", err, first.said())
	}
	if said, err := streamCommand(t, folder, "rows.csv", "-k", "2", "--warm-up", "20", "--out",
		"labels.csv").CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, said)
	}
	if left, _ := filepath.Glob(filepath.Join(folder, "*.lock")); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}
