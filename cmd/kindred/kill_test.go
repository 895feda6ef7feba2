package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/project/store"
)

// asker is a kindred ask under way in a process of its own, with keys going in one by one.
type asker struct {
	cmd  *exec.Cmd
	keys io.WriteCloser
	seen *bufio.Reader
}

func startAsk(t *testing.T, folder string, args ...string) *asker {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	a := &asker{cmd: exec.Command(self, append([]string{"ask"}, args...)...)}
	a.cmd.Dir = folder
	a.cmd.Env = append(os.Environ(), "KINDRED_TEST_AS_COMMAND=1")
	if a.keys, err = a.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	talk, err := a.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	a.seen = bufio.NewReader(talk)
	if err := a.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.cmd.Process.Kill(); a.cmd.Wait() })
	return a
}

// prompt waits for the next question's prompt, at which every earlier answer is acknowledged; false
// at the end of the talk or of the questions.
func (a *asker) prompt() bool {
	line := ""
	for {
		text, err := a.seen.ReadString(' ')
		if err != nil {
			return false
		}
		if line += text; strings.HasSuffix(line, "› ") {
			return strings.HasSuffix(line, choices)
		}
	}
}

// choices is the end of a question's prompt.
const choices = "[q] quit  › "

// TestNoAcknowledgedAnswerIsLost kills the command at any moment, over and over. Each time the
// project must hold all answers that were acknowledged by the next question, perhaps the one under
// way, and nothing else; and the same command must go on from there.
func TestNoAcknowledgedAnswerIsLost(t *testing.T) {
	t.Run("cobra", func(t *testing.T) { killOver(t, 25, "digits", "--super-instances", "600") })
	t.Run("evclus", func(t *testing.T) { killOver(t, 8, "wine", "--method", "evclus", "-k", "3") })
}

// killOver kills the command so many times, a fifth of them in short tests.
func killOver(t *testing.T, rounds int, args ...string) {
	folder := t.TempDir()
	path := filepath.Join(folder, args[0]+".kindred")
	rng := rand.New(rand.NewPCG(1, 2))
	var sent []store.Step // what the project is known to hold, then what was sent since
	if testing.Short() {
		rounds = (rounds + 4) / 5
	}
	for round := range rounds {
		a := startAsk(t, folder, args...)
		kill := func() { a.cmd.Process.Kill() }
		delay := time.Duration(rng.IntN(120)) * time.Millisecond
		// prompts: none, so often while it starts or replays; two, so that an answer was
		// acknowledged
		behind := [3]int{0, 2, 1}[round%3]
		if behind == 0 {
			time.AfterFunc(delay, kill)
		}
		acknowledged := len(sent)
		for prompts := 1; a.prompt(); prompts++ {
			acknowledged = len(sent)
			if prompts == behind {
				time.AfterFunc(delay, kill)
			}
			key := "sdd?"[rng.IntN(4)]
			step := map[byte]store.Step{'s': store.Same, 'd': store.Different,
				'?': store.Unknown}[key]
			sent = append(sent, step)
			if _, err := a.keys.Write([]byte{key}); err != nil {
				break
			}
		}
		kill() // also where the questions came to an end
		a.cmd.Wait()

		p, err := store.Open(t.Context(), path)
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		events, err := p.Events(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
		if len(events) < acknowledged || len(events) > len(sent) {
			t.Fatalf("round %d: the project holds %d answers; %d were acknowledged, %d sent", round,
				len(events), acknowledged, len(sent))
		}
		for i, e := range events {
			if e.Step != sent[i] || e.A == "" || e.B == "" || e.Question != i+1 {
				t.Fatalf("round %d: answer %d is %+v, sent was %v", round, i+1, e, sent[i])
			}
		}
		sent = sent[:len(events)]
	}
	if len(sent) == 0 {
		t.Fatal("no answer got through in any round: the test tried nothing")
	}
	t.Logf("%d answers over %d kills", len(sent), rounds)
}

// TestInterruptKeepsTheAnswers: Ctrl-C at a question ends the command with code 130.
func TestInterruptKeepsTheAnswers(t *testing.T) {
	folder := t.TempDir()
	a := startAsk(t, folder, "iris")
	for _, key := range "sd" {
		if !a.prompt() {
			t.Fatal("no question came")
		}
		a.keys.Write([]byte(string(key)))
	}
	if !a.prompt() {
		t.Fatal("no third question came")
	}
	a.cmd.Process.Signal(syscall.SIGINT)
	rest, _ := io.ReadAll(a.seen)
	err := a.cmd.Wait()
	if code := a.cmd.ProcessState.ExitCode(); code != cli.Interrupted {
		t.Errorf("exit code %d (%v), want %d", code, err, cli.Interrupted)
	}
	if !bytes.Contains(rest, []byte("the answers are kept in iris.kindred")) {
		t.Errorf("it says %q", rest)
	}
	p, err := store.Open(t.Context(), filepath.Join(folder, "iris.kindred"))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if events, err := p.Events(t.Context()); err != nil || len(events) != 2 {
		t.Errorf("%d answers are kept (%v), want 2", len(events), err)
	}
}

// TestInterruptWritesTheFiles: Ctrl-C at a question writes the files named, as q does, and so it
// does while labels answer; the exit code says that it was no end.
func TestInterruptWritesTheFiles(t *testing.T) {
	for _, c := range []struct {
		args []string
		at   string // what is said before the interrupt; "": one question is answered
	}{
		{[]string{"iris"}, ""},
		// which would go on for long
		{[]string{"digits", "--oracle", "labels", "--label", "class", "--budget", "1000000",
			"--method", "cobras", "--super-instances", "1797"}, "digits:"},
	} {
		folder := t.TempDir()
		a := startAsk(t, folder, append(c.args, "--project", "p.kindred", "--out", "g.csv",
			"--plot", "g.svg")...)
		if c.at == "" {
			if !a.prompt() {
				t.Fatal("no question came")
			}
			a.keys.Write([]byte("s"))
			if !a.prompt() {
				t.Fatal("no second question came")
			}
		}
		for line := ""; !strings.HasPrefix(line, c.at); {
			var err error
			if line, err = a.seen.ReadString('\n'); err != nil {
				t.Fatalf("%v behind %q", err, line)
			}
		}
		a.cmd.Process.Signal(syscall.SIGINT)
		rest, _ := io.ReadAll(a.seen)
		a.cmd.Wait()
		if code := a.cmd.ProcessState.ExitCode(); code != cli.Interrupted {
			t.Errorf("exit code %d, want %d", code, cli.Interrupted)
		}
		for _, want := range []string{"Ctrl-C once more ends without them", "is in g.csv",
			"is in g.svg", "the answers are kept in p.kindred", "kindred: interrupted"} {
			if !bytes.Contains(rest, []byte(want)) {
				t.Errorf("%q is not in %q", want, rest)
			}
		}
		groups, err := os.ReadFile(filepath.Join(folder, "g.csv"))
		if err != nil || !bytes.Contains(groups, []byte("\n1,")) {
			t.Errorf("%v: %q", err, groups)
		}
		if _, err := os.Stat(filepath.Join(folder, "g.svg")); err != nil {
			t.Error(err)
		}
	}
}

// TestTheWorkAfterAnInterruptEnds at the next interrupt, but not at the same one sent on, and at
// once where a service is told to end.
func TestTheWorkAfterAnInterruptEnds(t *testing.T) {
	for _, c := range []struct {
		signal os.Signal
		after  time.Duration
		ends   bool
	}{
		{os.Interrupt, 0, false},
		{os.Interrupt, oneInterrupt - time.Nanosecond, false},
		{os.Interrupt, oneInterrupt, true},
		{os.Interrupt, time.Hour, true},
		{syscall.SIGTERM, 0, true},
	} {
		synctest.Test(t, func(t *testing.T) {
			before, cancel := context.WithCancel(t.Context())
			cancel()
			signals := make(chan os.Signal)
			ctx, stop := untilAnother(before, signals)
			defer stop()
			synctest.Wait()
			if ctx.Err() != nil {
				t.Fatalf("%v from the first interrupt", ctx.Err())
			}
			time.Sleep(c.after)
			signals <- c.signal
			synctest.Wait()
			if ended := ctx.Err() != nil; ended != c.ends {
				t.Errorf("%v after %v: ended %v, want %v", c.signal, c.after, ended, c.ends)
			}
		})
	}
}

// TestSignalsReachTheWorkAfterAnInterrupt: a later interrupt ends it, and so does a service that is
// told to end.
func TestSignalsReachTheWorkAfterAnInterrupt(t *testing.T) {
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	kept := make(chan os.Signal, 1) // that no signal ends the tests
	signal.Notify(kept, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(kept)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		ctx, stop := uninterrupted(t.Context())
		defer stop()
		if s == os.Interrupt {
			time.Sleep(oneInterrupt) // one before would be the same
		}
		if err := self.Signal(s); err != nil {
			t.Fatal(err)
		}
		select {
		case <-ctx.Done():
		case <-time.After(2 * time.Minute):
			t.Errorf("%v does not end it", s)
		}
	}
}

// TestInterruptAtWork stops commands that would be busy for hours: reading an endless stream,
// fitting with endless starts, making super-instances.
func TestInterruptAtWork(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"cluster", "-", "-k", "2"},
		{"cluster", "digits", "-k", "50", "--starts", "1000000000"},
		{"ask", "digits", "--starts", "1000000000"},
		{"ask", "digits", "--method", "evclus", "-k", "10", "--starts", "1000000000"},
	} {
		t.Run(strings.Join(args[:min(4, len(args))], " "), func(t *testing.T) {
			cmd := exec.Command(self, args...)
			cmd.Dir = t.TempDir()
			cmd.Env = append(os.Environ(), "KINDRED_TEST_AS_COMMAND=tell")
			in, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			talk, err := cmd.StderrPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { cmd.Process.Kill() })
			fed := make(chan struct{})
			go func() {
				defer close(fed)
				rows := []byte(strings.Repeat("1.5,2.5\n3.5,4.5\n", 1000))
				for range 1000 {
					if _, err := in.Write(rows); err != nil {
						return
					}
				}
			}()
			seen := bufio.NewReader(talk)
			for line := ""; line != heeds; {
				if line, err = seen.ReadString('\n'); err != nil {
					t.Fatalf("%v behind %q", err, line)
				}
			}
			// let it get to work; sooner or later must not matter
			time.Sleep(200 * time.Millisecond)
			cmd.Process.Signal(syscall.SIGINT)
			io.Copy(io.Discard, seen)
			cmd.Wait()
			<-fed
			if code := cmd.ProcessState.ExitCode(); code != cli.Interrupted {
				t.Errorf("exit code %d, want %d", code, cli.Interrupted)
			}
			if left, _ := os.ReadDir(cmd.Dir); len(left) != 0 {
				t.Errorf("it left %v", left)
			}
		})
	}
}

// TestTwoProcessesOnOneProject: the second is told, and the first goes on.
func TestTwoProcessesOnOneProject(t *testing.T) {
	folder := t.TempDir()
	first := startAsk(t, folder, "iris")
	if !first.prompt() {
		t.Fatal("no question came")
	}
	second := startAsk(t, folder, "iris")
	talk, _ := io.ReadAll(second.seen)
	second.cmd.Wait()
	if code := second.cmd.ProcessState.ExitCode(); code != cli.Failed ||
		!bytes.Contains(talk, []byte("open in another kindred")) {
		t.Errorf("exit code %d, saying %q", code, talk)
	}
	first.keys.Write([]byte("s"))
	if !first.prompt() {
		t.Error("the first process does not go on")
	}
}
