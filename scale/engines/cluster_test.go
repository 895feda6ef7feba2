package engines

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/kindred-go/kindred/internal/freeport"
	"github.com/kindred-go/kindred/scale/engine"
)

// TestMain is what the cluster starts as a worker, too.
func TestMain(m *testing.M) {
	engine.Init()
	code := m.Run()
	if flink != nil {
		flink.stop()
	}
	os.Exit(code)
}

// cluster is a Flink of two task managers with a job server, on ports of its own.
type cluster struct {
	script, run string
	env         []string
	rest, jobs  int
}

var flink *cluster // started by the first test that needs it

// started returns the cluster, with all of its task managers.
func started(t *testing.T) *cluster {
	t.Helper()
	installed(t, "flink")
	for try := 1; flink == nil; try++ {
		c := newCluster(t)
		if end, ok := t.Deadline(); ok { // past which nothing is cleaned up
			time.AfterFunc(time.Until(end)-30*time.Second, func() {
				fmt.Fprintln(os.Stderr, "the time for the tests is nearly up: Flink is stopped")
				c.stop()
			})
		}
		begun := time.Now()
		out, err := c.do("start")
		switch {
		case err == nil:
			flink = c
			t.Logf("Flink was ready after %.1f s", time.Since(begun).Seconds())
		case try < 3 && c.lostPort(out): // between our look and Flink's
			c.stop()
		default:
			c.complain(t)
			c.stop()
			t.Fatalf("Flink did not start: %v\n%s", err, out)
		}
	}
	t.Cleanup(func() {
		if t.Failed() && flink != nil {
			flink.complain(t)
		}
	})
	flink.whole(t)
	return flink
}

// installed skips a test where an engine is not installed.
func installed(t *testing.T, name string) {
	t.Helper()
	home := os.Getenv("KINDRED_ENGINES")
	if home == "" {
		t.Skip("KINDRED_ENGINES names no folder that engines are installed in; see scale/engines")
	}
	if _, err := os.Stat(filepath.Join(home, name, "engine.jar")); err != nil {
		t.Skipf("%s is not installed: %v", name, err)
	}
	if _, err := os.Stat("/proc/self/cmdline"); err != nil {
		t.Skip("the tests look for workers in /proc, which is not here")
	}
}

// flinkPatience is how long it may take to be ready: the machine may do much else.
const flinkPatience = "KINDRED_FLINK_PATIENCE=600"

// lostPort reports whether a cluster did not start because somebody else took one of its ports.
func (c *cluster) lostPort(said string) bool {
	logs, _ := filepath.Glob(filepath.Join(c.run, "log", "*"))
	for _, l := range logs {
		data, _ := os.ReadFile(l)
		said += string(data)
	}
	return strings.Contains(said, "is taken") || strings.Contains(said, "BindException") ||
		strings.Contains(said, "Address already in use")
}

func newCluster(t *testing.T) *cluster {
	t.Helper()
	run, err := os.MkdirTemp("", "kindred-flink-")
	if err != nil {
		t.Fatal(err)
	}
	script, err := filepath.Abs("flink/flink")
	if err != nil {
		t.Fatal(err)
	}
	c := &cluster{script: script, run: run, rest: freeport.Port(t), jobs: freeport.Port(t)}
	c.env = append(os.Environ(), flinkPatience, "KINDRED_FLINK_RUN="+run,
		fmt.Sprint("KINDRED_FLINK_REST=", c.rest),
		fmt.Sprint("KINDRED_FLINK_RPC=", freeport.Port(t)),
		fmt.Sprint("KINDRED_FLINK_JOBS=", c.jobs))
	return c
}

// spark starts Spark's job server for a test, and returns its port.
func spark(t *testing.T) int {
	t.Helper()
	installed(t, "spark")
	script, err := filepath.Abs("spark/spark")
	if err != nil {
		t.Fatal(err)
	}
	c := &cluster{script: script, run: t.TempDir(), jobs: freeport.Port(t)}
	c.env = append(os.Environ(), "KINDRED_SPARK_PATIENCE=600", "KINDRED_SPARK_RUN="+c.run,
		fmt.Sprint("KINDRED_SPARK_JOBS=", c.jobs))
	t.Cleanup(func() {
		if t.Failed() {
			c.complain(t)
		}
		c.do("stop")
	})
	if out, err := c.do("start"); err != nil {
		t.Fatalf("Spark did not start: %v\n%s", err, out)
	}
	return c.jobs
}

func (c *cluster) do(args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 12*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.script, args...)
	cmd.Env, cmd.WaitDelay = c.env, 10*time.Second
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (c *cluster) stop() {
	if out, err := c.do("stop"); err != nil {
		fmt.Fprintln(os.Stderr, "Flink was not stopped:", err, out)
		return
	}
	os.RemoveAll(c.run)
}

// complain shows the ends of what the processes logged.
func (c *cluster) complain(t *testing.T) {
	t.Helper()
	logs, _ := filepath.Glob(filepath.Join(c.run, "log", "*"))
	for _, l := range logs {
		data, err := os.ReadFile(l)
		if err == nil {
			t.Logf("%s ends:\n%s", filepath.Base(l), data[max(0, len(data)-1500):])
		}
	}
}

// kill ends a task manager at once, if it lives.
func (c *cluster) kill(t *testing.T, n int) {
	t.Helper()
	if c.resource(n) == "" {
		return
	}
	data, err := os.ReadFile(filepath.Join(c.run, fmt.Sprintf("manager-%d.pid", n)))
	if err != nil {
		t.Error(err)
		return
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(data)))
	if err == nil {
		err = syscall.Kill(pid, syscall.SIGKILL)
	}
	if err != nil && err != syscall.ESRCH {
		t.Error(err)
	}
}

// whole starts task managers again that have died, and waits until Flink has those that live, and
// no others, with all of their slots free.
func (c *cluster) whole(t *testing.T) {
	t.Helper()
	eventually(t, 5*time.Minute, "two task managers with four free slots", func() bool {
		live := map[string]bool{}
		for n := 1; n <= 2; n++ {
			if id := c.resource(n); id != "" {
				live[id] = true
			} else if out, err := c.do("manager", strconv.Itoa(n)); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
		}
		var seen struct {
			Managers []struct {
				ID   string `json:"id"`
				Free int    `json:"freeSlots"`
			} `json:"taskmanagers"`
		}
		if c.ask("/taskmanagers", &seen) != nil || len(live) != 2 || len(seen.Managers) != 2 {
			return false
		}
		for _, m := range seen.Managers {
			if !live[m.ID] || m.Free != 2 {
				return false
			}
		}
		return true
	})
}

// resource returns what Flink knows a task manager by that lives, or "".
func (c *cluster) resource(n int) string {
	pid, err := os.ReadFile(filepath.Join(c.run, fmt.Sprintf("manager-%d.pid", n)))
	if err != nil {
		return ""
	}
	words, _ := os.ReadFile(filepath.Join("/proc", strings.TrimSpace(string(pid)), "cmdline"))
	_, id, _ := strings.Cut(string(words), "taskmanager.resource-id=")
	id, _, _ = strings.Cut(id, "\x00")
	return id
}

// ask reads from Flink's own interface.
func (c *cluster) ask(path string, into any) error {
	client := http.Client{Timeout: time.Minute}
	r, err := client.Get(fmt.Sprintf("http://localhost:%d%s", c.rest, path))
	if err != nil {
		return err
	}
	defer r.Body.Close()
	if r.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", path, r.Status)
	}
	return json.NewDecoder(r.Body).Decode(into)
}

// failures counts what went wrong in all jobs so far.
func (c *cluster) failures() (int, error) {
	var all struct {
		Jobs []struct{ Jid string }
	}
	if err := c.ask("/jobs/overview", &all); err != nil {
		return 0, err
	}
	n := 0
	for _, j := range all.Jobs {
		var told struct {
			History struct {
				Entries []json.RawMessage `json:"entries"`
			} `json:"exceptionHistory"`
		}
		if err := c.ask("/jobs/"+j.Jid+"/exceptions", &told); err != nil {
			return 0, err
		}
		n += len(told.History.Entries)
	}
	return n, nil
}

func eventually(t *testing.T, most time.Duration, what string, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(most); !holds(); time.Sleep(100 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within %v: %s", most, what)
		}
	}
}

// workers returns the processes of this program that an engine started.
func workers() []int {
	self, err := os.Executable()
	if err != nil {
		return nil
	}
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	var pids []int
	for _, f := range files {
		data, err := os.ReadFile(f)
		words := strings.Split(string(data), "\x00")
		if err != nil || words[0] != self || len(words) < 2 ||
			!strings.HasPrefix(words[1], "--worker") {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(f))); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}
