package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// pseudoTerminal returns both ends of a new pseudo-terminal.
func pseudoTerminal(t *testing.T) (person, command *os.File) {
	t.Helper()
	person, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { person.Close() })
	fd := int(person.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	command, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { command.Close() })
	return person, command
}

// typed runs the command on a terminal. Each of talk is what to wait for on the terminal, and what
// to type then. It returns all that the terminal showed, and the exit code.
func typed(t *testing.T, folder string, args []string, talk ...[2]string) (shown string, code int) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	person, command := pseudoTerminal(t)
	cmd := exec.CommandContext(t.Context(), self, args...)
	cmd.Dir, cmd.Env = folder, append(os.Environ(), "KINDRED_TEST_AS_COMMAND=1", "CI=1")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = command, command, command
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	command.Close()
	var mu sync.Mutex
	var seen strings.Builder
	look := func() string { mu.Lock(); defer mu.Unlock(); return seen.String() }
	read := make(chan struct{})
	go func() {
		defer close(read)
		buf := make([]byte, 4096)
		for {
			n, err := person.Read(buf)
			mu.Lock()
			seen.Write(buf[:n])
			mu.Unlock()
			if err != nil { // the command has ended
				return
			}
		}
	}()
	at := 0
	for _, step := range talk {
		for wait := 0; ; wait++ {
			if i := strings.Index(look()[at:], step[0]); i >= 0 {
				at += i + len(step[0])
				break
			}
			if wait > 6000 {
				cmd.Process.Kill()
				t.Fatalf("%q is not shown:\n%s", step[0], look())
			}
			time.Sleep(10 * time.Millisecond)
		}
		if _, err := person.WriteString(step[1]); err != nil {
			t.Fatal(err)
		}
	}
	<-read
	cmd.Wait()
	return look(), cmd.ProcessState.ExitCode()
}

const gapsCSV = "a,b,c\n1,2,red\n3,,red\n,4,blue\n5,6,\n7,7,blue\n9,8,red\n"

// whatBecomes is the prompt about missing values.
const whatBecomes = "What becomes of them? › "

func TestTheTerminalAsksAboutMissingValuesOnce(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "gaps.csv"), []byte(gapsCSV), 0o600); err != nil {
		t.Fatal(err)
	}
	ask := []string{"ask", "gaps.csv", "--terminal"}
	shown, code := typed(t, folder, ask, [2]string{whatBecomes, "\r"}, [2]string{choices, "d"},
		[2]string{choices, "q"})
	for _, want := range []string{
		"gaps.csv: values are missing in 3 of 6 rows: a 1, b 1, c 1",
		"[k], or Enter  keep all rows",
		"[d]  leave out 3 rows, so that 3 stay",
		"gaps.csv: 6 rows",
		"all rows were kept: 3 missing values",
	} {
		if !strings.Contains(shown, want) {
			t.Errorf("%q is not shown", want)
		}
	}
	if code != 0 || t.Failed() {
		t.Fatalf("exit code %d:\n%s", code, shown)
	}
	// The project remembers it.
	shown, code = typed(t, folder, ask, [2]string{choices, "q"})
	if code != 0 || strings.Contains(shown, whatBecomes) ||
		!strings.Contains(shown, "settings of gaps.kindred: --missing keep") {
		t.Errorf("exit code %d:\n%s", code, shown)
	}
}

// TestCtrlCAtAKeyWritesTheFiles named, as q does.
func TestCtrlCAtAKeyWritesTheFiles(t *testing.T) {
	folder := t.TempDir()
	shown, code := typed(t, folder, []string{"ask", "iris", "--terminal", "--out", "g.csv"},
		[2]string{choices, "s"}, [2]string{choices, "\x03"})
	_, err := os.Stat(filepath.Join(folder, "g.csv"))
	if code != 130 || err != nil || !strings.Contains(shown, "is in g.csv") {
		t.Errorf("exit code %d (%v):\n%s", code, err, shown)
	}
}

func TestTheTerminalTakesOtherTreatments(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "gaps.csv"), []byte(gapsCSV), 0o600); err != nil {
		t.Fatal(err)
	}
	cluster := []string{"cluster", "gaps.csv", "-k", "2", "--method", "kmeans"}
	for key, want := range map[string]string{
		"d": "3 rows with missing values left out",
		"m": "3 missing values were filled in by the median",
		"a": "3 missing values were filled in by the mean",
	} {
		if shown, code := typed(t, folder, cluster, [2]string{whatBecomes, key}); code != 0 ||
			!strings.Contains(shown, want) {
			t.Errorf("%s: exit code %d:\n%s", key, code, shown)
		}
	}
	// To stop is to be refused, with a line to copy.
	for key, want := range map[string]int{"q": 3, "\x03": 130} {
		shown, code := typed(t, folder, cluster, [2]string{whatBecomes, key})
		if code != want || strings.Contains(shown, "id,cluster") {
			t.Errorf("%q: exit code %d:\n%s", key, code, shown)
		}
	}
}
