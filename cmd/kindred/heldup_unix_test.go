//go:build unix

package main

import (
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/kindred-go/kindred/internal/cli"
)

// TestAStreamThatIsHeldUpAtItsEnd, as by a machine that sleeps, keeps what it knows nevertheless.
func TestAStreamThatIsHeldUpAtItsEnd(t *testing.T) {
	folder := t.TempDir()
	p := startPiped(t, folder, "-k", "2", "--warm-up", "4", "--state", "s")
	p.ask(t, "id,x,y\na,1,2\nb,1.1,2\nc,9,8\nd,9.1,8\nhalf,1", 5)
	p.cmd.Process.Signal(syscall.SIGTERM)
	time.Sleep(20 * time.Millisecond) // within the time for a last read, or not
	p.cmd.Process.Signal(syscall.SIGSTOP)
	time.Sleep(time.Second) // more than the time for what was read
	p.cmd.Process.Signal(syscall.SIGCONT)
	p.cmd.Wait()
	if code := p.cmd.ProcessState.ExitCode(); code != cli.Interrupted ||
		!strings.Contains(p.said(), "the state is in s") {
		t.Fatalf("exit code %d: %s", code, p.said())
	}
	p = startPiped(t, folder, "--state", "s")
	if got := p.ask(t, ".2,2\n", 1); !strings.HasPrefix(got, "half,") {
		t.Errorf("the row that was half there is labelled %q", got)
	}
	p.in.Close()
	if err := p.cmd.Wait(); err != nil {
		t.Errorf("%v: %s", err, p.said())
	}
}
