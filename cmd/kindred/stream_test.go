package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/kindred-go/kindred/internal/cli"
)

// twoHeaps returns CSV of rows around two points, with an id, and a link now and then.
func twoHeaps(rows int) []byte {
	rng := rand.New(rand.NewPCG(5, 6))
	text := []byte("id,x,y\n")
	for i := range rows {
		at := float64(i % 2 * 5)
		text = fmt.Appendf(text, "r%d,%.3f,%.3f\n", i, at+rng.Float64(), at+rng.Float64())
		if i%1000 == 7 {
			text = fmt.Appendf(text, "@link,r%d,r%d,different\n", i, i+500) // which comes later
		}
	}
	return text
}

// streamCommand is a kindred stream in a process of its own.
func streamCommand(t *testing.T, folder string, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, append([]string{"stream"}, args...)...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), "KINDRED_TEST_AS_COMMAND=1", "KINDRED_DATASETS=")
	return cmd
}

// TestAStreamThatIsKilledGoesOn: whether it is killed or asked to end, and however often, the
// labels are those of one run, each row's once.
func TestAStreamThatIsKilledGoesOn(t *testing.T) {
	rows := 400_000
	if testing.Short() {
		rows = 60_000
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "rows.csv"), twoHeaps(rows), 0o666); err != nil {
		t.Fatal(err)
	}
	if talk, err := streamCommand(t, folder, "rows.csv", "-k", "3", "--out",
		"want.csv").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, talk)
	}
	rng := rand.New(rand.NewPCG(7, 8))
	ended, killed, terminated := false, 0, 0
	for round := 0; !ended && round < 60; round++ {
		cmd := streamCommand(t, folder, "rows.csv", "-k", "3", "--out", "got.csv", "--state", "s",
			"--save-every", "5ms")
		var talk bytes.Buffer
		cmd.Stderr = &talk
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		signal := syscall.SIGKILL
		if round%2 == 1 {
			signal = syscall.SIGTERM
		}
		stop := time.AfterFunc(time.Duration(20+rng.IntN(100+20*round))*time.Millisecond,
			func() { cmd.Process.Signal(signal) })
		err := cmd.Wait()
		stop.Stop()
		switch code := cmd.ProcessState.ExitCode(); {
		case err == nil:
			ended = true
		case code == cli.Interrupted:
			terminated++
		case code < 0:
			killed++
		default:
			t.Fatalf("round %d: %v: %s", round, err, talk.Bytes())
		}
	}
	if !ended { // the machine is slow: let it finish
		if talk, err := streamCommand(t, folder, "rows.csv", "-k", "3", "--out", "got.csv",
			"--state", "s").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, talk)
		}
	}
	want, err := os.ReadFile(filepath.Join(folder, "want.csv"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(folder, "got.csv"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("after %d kills and %d ends there are %d bytes of labels, in one go %d", killed,
			terminated, len(got), len(want))
	}
	t.Logf("killed %d times, ended %d times", killed, terminated)
}

// piped is a stream under way, with rows going in one by one.
type piped struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    io.Closer
	labels *bufio.Reader
	talk   noted
}

func (p *piped) said() string { return p.talk.String() }

// noted is what a process said so far.
type noted struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (n *noted) Write(b []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.text.Write(b)
}

func (n *noted) String() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.text.String()
}

func startPiped(t *testing.T, folder string, args ...string) *piped {
	t.Helper()
	p := &piped{cmd: streamCommand(t, folder, args...)}
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.out, p.labels = out, bufio.NewReader(out)
	p.cmd.Stderr = &p.talk
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.cmd.Process.Kill(); p.cmd.Wait() })
	return p
}

// ask sends lines and waits for labels.
func (p *piped) ask(t *testing.T, text string, labels int) (last string) {
	t.Helper()
	if _, err := io.WriteString(p.in, text); err != nil {
		t.Fatal(err)
	}
	for range labels {
		line, err := p.labels.ReadString('\n')
		if err != nil {
			t.Fatalf("%v after %q: %s", err, line, p.said())
		}
		last = line
	}
	return last
}

// TestEachRowIsAnsweredAtOnce, before the next one is there; links may come late. Ended by a signal
// it keeps what it knows, half a row included, and goes on.
func TestEachRowIsAnsweredAtOnce(t *testing.T) {
	folder := t.TempDir()
	p := startPiped(t, folder, "-k", "2", "--warm-up", "4", "--state", "s")
	p.ask(t, "id,x,y\na,1,2\nb,1.1,2\nc,9,8\nd,9.1,8\n", 5) // the header too
	for i := range 20 {
		want := fmt.Sprintf("e%d,", i)
		if got := p.ask(t, fmt.Sprintf("e%d,%d,2\n", i, i%2*8), 1); !strings.HasPrefix(got, want) {
			t.Fatalf("the label is %q", got)
		}
	}
	p.ask(t, "@link,a,c,different\n@link,e0,later,same\nmid,5,5\nhalf,1", 1)
	p.cmd.Process.Signal(syscall.SIGTERM)
	rest, _ := io.ReadAll(p.labels)
	p.cmd.Wait()
	if code := p.cmd.ProcessState.ExitCode(); code != cli.Interrupted || len(rest) > 0 {
		t.Fatalf("exit code %d, more labels %q: %s", code, rest, p.said())
	}
	for _, says := range []string{"the state is in s", "1 wait for rows", "kindred: interrupted"} {
		if !strings.Contains(p.said(), says) {
			t.Errorf("it does not say %q: %s", says, p.said())
		}
	}
	p = startPiped(t, folder, "--state", "s")
	if got := p.ask(t, ".2,2\n", 1); !strings.HasPrefix(got, "half,") {
		t.Errorf("the row that was half there is labelled %q", got)
	}
	p.ask(t, "later,1,2\n", 1)
	p.in.Close()
	if err := p.cmd.Wait(); err != nil {
		t.Fatalf("%v: %s", err, p.said())
	}
	if !strings.Contains(p.said(), "2 links came: of those held now") {
		t.Errorf("it says %s", p.said())
	}
}

// TestLinksFromAFileThatGrows, which is not there when the stream begins; how it goes is on stderr,
// and served to Prometheus.
func TestLinksFromAFileThatGrows(t *testing.T) {
	folder := t.TempDir()
	p := startPiped(t, folder, "-k", "2", "--warm-up", "4", "--links", "links.csv", "--follow",
		"--stats-every", "20ms", "--metrics", "0")
	p.ask(t, "id,x,y\na,1,2\nb,1.1,2\nc,9,8\nd,9.1,8\n", 5)
	write := func(text string) {
		t.Helper()
		f, err := os.OpenFile(filepath.Join(folder, "links.csv"),
			os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteString(text); err != nil {
			t.Fatal(err)
		}
	}
	waitFor := func(what string) {
		t.Helper()
		for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(10 *
			time.Millisecond) {
			if strings.Contains(p.said(), what) {
				return
			}
		}
		t.Fatalf("it never says %q: %s", what, p.said())
	}
	write("a,b,link\na,c,different\n")
	waitFor("1 link (0 violated, 0 waiting, 0 lost)")
	write("a,z,same\n")
	waitFor("1 link (0 violated, 1 waiting, 0 lost)")
	p.ask(t, "z,1,2\n", 1)
	waitFor("2 links (0 violated, 0 waiting, 0 lost)")
	at := regexp.MustCompile(`http://\S+/metrics`).FindString(p.said())
	answer, err := http.Get(at)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(answer.Body)
	answer.Body.Close()
	if err != nil || !strings.Contains(string(text), "kindred_stream_rows_total 5") ||
		!strings.Contains(string(text), "kindred_stream_links_total 2") {
		t.Errorf("%v: %s", err, text)
	}
	p.in.Close()
	if err := p.cmd.Wait(); err != nil {
		t.Errorf("%v: %s", err, p.said())
	}
}

// TestNowhereToWrite: a full disk is a failure, and a reader who has seen enough is none.
func TestNowhereToWrite(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "rows.csv"), twoHeaps(50_000), 0o666); err != nil {
		t.Fatal(err)
	}
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("there is no device that is full")
	}
	defer full.Close()
	cmd := streamCommand(t, folder, "rows.csv", "-k", "2")
	var talk bytes.Buffer
	cmd.Stdout, cmd.Stderr = full, &talk
	cmd.Run()
	if code := cmd.ProcessState.ExitCode(); code != cli.Failed ||
		!strings.Contains(talk.String(), "the disk is full") {
		t.Errorf("code %d: %s", code, talk.String())
	}
	p := startPiped(t, folder, "rows.csv", "-k", "2")
	if _, err := p.labels.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	p.out.Close()
	p.cmd.Wait()
	if said := p.said(); strings.Contains(said, "panic") || strings.Contains(said, "broken pipe") {
		t.Errorf("it says %s", said)
	}
}

// TestLabelsBeforeAreKept: a run that cannot begin leaves the file of labels as it is.
func TestLabelsBeforeAreKept(t *testing.T) {
	folder := t.TempDir()
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	for name, text := range map[string]string{"rows.csv": string(twoHeaps(50)),
		"labels.csv": "keep\n", "links.csv": "a,b,link\nr1,r2,perhaps\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, wrong := range [][]string{{"--metrics", busy.Addr().String()},
		{"--links", "links.csv"}} {
		said, err := streamCommand(t, folder,
			append([]string{"rows.csv", "-k", "2", "--out", "labels.csv"},
				wrong...)...).CombinedOutput()
		if err == nil {
			t.Errorf("%q ends well: %s", wrong, said)
		}
		if left, _ := os.ReadFile(filepath.Join(folder, "labels.csv")); string(left) != "keep\n" {
			t.Errorf("%q leaves %q", wrong, left)
		}
	}
}

// TestAReaderWhoWaitsSlowsTheRowsDown: what is not read does not pile up, and nothing is lost once
// it is.
func TestAReaderWhoWaitsSlowsTheRowsDown(t *testing.T) {
	const rows = 300_000
	p := startPiped(t, t.TempDir(), "-k", "2")
	text := twoHeaps(rows)
	wrote := make(chan int, 1)
	moved := make(chan struct{}, 1)
	go func() {
		n := 0
		for n < len(text) {
			k, err := p.in.Write(text[n:min(len(text), n+32<<10)])
			n += k
			if err != nil {
				break
			}
			select {
			case moved <- struct{}{}:
			default:
			}
		}
		p.in.Close()
		wrote <- n
	}()
	for waiting := true; waiting; { // until nothing moves any more
		select {
		case <-moved:
		case n := <-wrote:
			t.Fatalf("all %d bytes were taken though nobody reads", n)
		case <-time.After(time.Second):
			waiting = false
		}
	}
	if status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid)); err == nil {
		for line := range strings.Lines(string(status)) {
			var kib int
			if n, _ := fmt.Sscanf(line, "VmHWM: %d kB", &kib); n == 1 && kib > 150<<10 {
				t.Errorf("it takes %d KiB", kib)
			}
		}
	}
	labels := 0
	for {
		_, err := p.labels.ReadString('\n')
		if err != nil {
			break
		}
		labels++
	}
	if err := p.cmd.Wait(); err != nil || labels != rows+1 {
		t.Errorf("%d labels (%v): %s", labels, err, p.said())
	}
}

// made returns rows as they are read, and looks at the heap on the way.
type made struct {
	text   []byte
	at     int
	rounds int
	look   func(rounds int)
}

func (m *made) Read(p []byte) (int, error) {
	if m.rounds == 0 {
		return 0, io.EOF
	}
	n := copy(p, m.text[m.at:])
	if m.at += n; m.at == len(m.text) {
		m.at = 0
		m.rounds--
		m.look(m.rounds)
	}
	return n, nil
}

// TestAStreamTakesConstantMemory, with links all along.
func TestAStreamTakesConstantMemory(t *testing.T) {
	rounds := 1000
	if testing.Short() {
		rounds = 100
	}
	text := bytes.ReplaceAll(twoHeaps(1000), []byte("id,x,y\n"), nil)
	for i := range 20 {
		text = fmt.Appendf(text, "@link,r%d,r%d,same\n", i, i+300)
	}
	var heaps []uint64
	in := &made{text: text, rounds: rounds, look: func(left int) {
		if left == rounds*4/5 || left == 0 {
			var m runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&m)
			heaps = append(heaps, m.HeapAlloc)
		}
	}}
	var talk bytes.Buffer
	a := newApp(io.MultiReader(strings.NewReader("id,x,y\n"), in), io.Discard, &talk,
		func(string) string { return "" })
	if code := run(t.Context(), a,
		[]string{"stream", "-k", "2", "--id", "id", "--remember", "2000",
			"--json"}); code != cli.Done {
		t.Fatalf("code %d: %s", code, talk.String())
	}
	var r struct{ Rows int }
	said := strings.TrimSpace(talk.String())
	if err := json.Unmarshal([]byte(said[strings.LastIndexByte(said, '\n')+1:]), &r); err != nil ||
		r.Rows != rounds*1000 {
		t.Errorf("%d rows (%v): %s", r.Rows, err, said)
	}
	if len(heaps) != 2 || heaps[1] > heaps[0]+2<<20 {
		t.Errorf("the heap went from %d", heaps)
	}
}

// TestKDD99 streams the paper's largest set from CSV.
func TestKDD99(t *testing.T) {
	path := filepath.Join(os.Getenv("KINDRED_DATASETS"), "kddcup99_10pct_ge1000.csv.gz")
	if _, err := os.Stat(path); os.Getenv("KINDRED_DATASETS") == "" || err != nil {
		t.Skip("KINDRED_DATASETS names no folder with the KDD'99 rows")
	}
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	for _, method := range []string{"wta", "olcvqe", "crpcl"} {
		var out, talk bytes.Buffer
		a := newApp(strings.NewReader(""), &out, &talk, func(string) string { return "" })
		if code := run(t.Context(), a,
			[]string{"stream", path, "-k", "8", "--method", method, "--scale", "none", "--label",
				"class"}); code != cli.Done {
			t.Fatalf("%s: code %d: %s", method, code, talk.String())
		}
		if n := bytes.Count(out.Bytes(), []byte("\n")); n != 492_369 {
			t.Errorf("%s: %d lines", method, n)
		}
		if !strings.Contains(talk.String(), "over 492368 rows of this run") ||
			strings.Contains(talk.String(), "could not be read") {
			t.Errorf("%s: %s", method, talk.String())
		}
		t.Log(talk.String())
	}
}
