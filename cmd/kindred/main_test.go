package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets the test binary be the command itself, for scripts and for the tests that kill it.
func TestMain(m *testing.M) {
	switch os.Getenv("KINDRED_TEST_AS_COMMAND") {
	case "":
	case "tell":
		tell()
		fallthrough
	default:
		main()
	}
	testscript.Main(m, map[string]func(){"kindred": main})
}

// heeds is said once an interrupt comes to the command; one before that ends the process, as it
// does any other.
const heeds = "it heeds interrupts\n"

// tell sees that heeds is said.
func tell() {
	signal.Ignore(os.Interrupt)
	go func() {
		for signal.Ignored(os.Interrupt) {
			time.Sleep(time.Millisecond)
		}
		signal.Stop(make(chan os.Signal)) // waits until whoever listens now is known
		fmt.Fprint(os.Stderr, heeds)
	}()
}

// TestScripts runs the command as a user would: each file in testdata/script is a story.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script", ContinueOnError: true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"damage":  damage,
			"exits":   exits,
			"serve":   serveCommand,
			"stop":    stopCommand,
			"http":    httpCommand,
			"busy":    busyCommand,
			"carries": carriesCommand,
			"draw":    drawCommand,
			"format":  formatCommand,
			"rights":  rightsCommand,
		},
		Condition: func(name string) (bool, error) {
			if name != "all-readable" {
				return false, fmt.Errorf("there is no condition %s", name)
			}
			// Windows has no files that may not be read but by lists of users.
			return os.Geteuid() == 0 || runtime.GOOS == "windows", nil
		},
		Setup: func(e *testscript.Env) error {
			e.Setenv("KINDRED_DATASETS", "")
			e.Setenv("XDG_CONFIG_HOME", e.WorkDir+"/.config")
			e.Setenv("CI", "1") // opens no browser
			e.Values[servedKey{}] = map[string]*served{}
			return nil
		},
	})
}

// damage writes other bytes over the last that are as given, as many: damage groups.model 0.25 0.35
func damage(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 || len(args[1]) != len(args[2]) {
		ts.Fatalf("usage: damage file bytes bytes")
	}
	path := ts.MkAbs(args[0])
	data, err := os.ReadFile(path)
	ts.Check(err)
	at := bytes.LastIndex(data, []byte(args[1]))
	if at < 0 {
		ts.Fatalf("%s does not hold %q", args[0], args[1])
	}
	copy(data[at:], args[2])
	ts.Check(os.WriteFile(path, data, 0o600))
}

// exits runs a command that must end with a given code: exits 3 kindred cluster nothing.csv
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits code command args...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// rightsCommand sees that files have permissions: rights 600 groups.csv groups.model
func rightsCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: rights permissions file...")
	}
	for _, name := range args[1:] {
		info, err := os.Stat(ts.MkAbs(name))
		ts.Check(err)
		if got := strconv.FormatUint(uint64(info.Mode().Perm()), 8); got != args[0] {
			ts.Fatalf("%s has the permissions %s, want %s", name, got, args[0])
		}
	}
}
