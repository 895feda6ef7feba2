package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// The command stands on nothing but the kernel: no libraries, no files, no environment. The one that
// KINDRED_BINARY names is tried instead of a new one, as that of a wheel.
func TestTheCommandWorksInAnEmptyRoot(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command")
	}
	if os.Geteuid() != 0 {
		t.Skip("only root may change the root folder of a process")
	}
	root := t.TempDir()
	path := filepath.Join(root, "kindred")
	if given := os.Getenv("KINDRED_BINARY"); given != "" {
		data, err := os.ReadFile(given)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o755); err != nil {
			t.Fatal(err)
		}
		t.Log("the command is", given)
	} else {
		build := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-o", path, ".")
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	for _, test := range []struct {
		args  []string
		begin string // of stdout
		lines int
	}{
		{[]string{"kindred", "version"}, "kindred ", 1},
		{[]string{"kindred", "cluster", "iris", "-k", "3"}, "id,cluster\n1,", 151},
	} {
		var out, said bytes.Buffer
		cmd := exec.Cmd{
			Path: "/kindred", Args: test.args, Env: []string{}, Dir: "/", Stdout: &out,
			Stderr:      &said,
			SysProcAttr: &syscall.SysProcAttr{Chroot: root},
		}
		err := cmd.Run()
		if errors.Is(err, syscall.EPERM) {
			t.Skip("this machine lets nobody change the root folder of a process")
		}
		if err != nil {
			t.Errorf("%q: %v\n%s", test.args, err, &said)
		}
		got := out.String()
		if !strings.HasPrefix(got, test.begin) || strings.Count(got, "\n") != test.lines {
			t.Errorf("%q: %q", test.args, got)
		}
	}
	left, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	if len(left) != 1 {
		t.Errorf("the command left %v", left)
	}
}
