package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// usage is what a process has of the machine.
type usage struct {
	memory      int64 // bytes that are resident
	descriptors int
}

// uses looks at a process.
func uses(t *testing.T, pid int) usage {
	t.Helper()
	proc := filepath.Join("/proc", strconv.Itoa(pid))
	statm, err := os.ReadFile(filepath.Join(proc, "statm"))
	if err != nil {
		t.Fatal(err)
	}
	var size, resident int64
	if _, err := fmt.Sscan(string(statm), &size, &resident); err != nil {
		t.Fatal(err)
	}
	open, err := os.ReadDir(filepath.Join(proc, "fd"))
	if err != nil {
		t.Fatal(err)
	}
	return usage{resident * int64(os.Getpagesize()), len(open)}
}

// stream opens a stream of the events of a project, over a connection of its own. The status is that
// of the answer; the caller closes the connection.
func (s *server) stream(ctx context.Context) (net.Conn, *bufio.Reader, *http.Response, error) {
	c, err := new(net.Dialer).DialContext(ctx, "tcp", s.at.Host)
	if err != nil {
		return nil, nil, nil, err
	}
	fmt.Fprintf(c, "GET /api/v1/projects/rows/events HTTP/1.1\r\nHost: %s\r\n"+
		"Authorization: Bearer %s\r\n\r\n", s.at.Host, s.at.Query().Get("token"))
	in := bufio.NewReaderSize(c, 4096)
	r, err := http.ReadResponse(in, nil)
	if err != nil {
		c.Close()
		return nil, nil, nil, err
	}
	return c, in, r, nil
}

// TestThousandsOfStreams opens as many streams of events as a server takes, 4,000: one more is
// refused, all get a change, and an answer meanwhile is taken as ever.
func TestThousandsOfStreams(t *testing.T) {
	most := 4000
	if testing.Short() {
		most = 100
	}
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	if limit.Max < uint64(2*most) {
		t.Skipf("a process may have %d files open here, and the server wants more", limit.Max)
	}
	s := begun(t)
	before := uses(t, s.cmd.Process.Pid)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	var all sync.WaitGroup
	var told, here atomic.Int64
	connections := make(chan net.Conn, most)
	for range most {
		all.Go(func() {
			c, in, r, err := s.stream(ctx)
			if err != nil || r.StatusCode != 200 {
				t.Errorf("a stream is not opened: %v", err)
				return
			}
			connections <- c
			here.Add(1)
			for lines := bufio.NewScanner(in); lines.Scan(); {
				if strings.Contains(lines.Text(), `"revision":2`) {
					told.Add(1)
					return
				}
			}
		})
	}
	awaited(t, "all streams are open", func() bool { return here.Load() == int64(most) || t.Failed() })
	open := uses(t, s.cmd.Process.Pid)
	if most == 4000 {
		c, _, r, err := s.stream(ctx)
		if err != nil {
			t.Fatal(err)
		}
		c.Close()
		if r.StatusCode != http.StatusTooManyRequests {
			t.Errorf("a stream more is answered with %d", r.StatusCode)
		}
	}
	wants[any](s, 200, "POST", "/projects/rows/answers",
		`{"id":"second","a":2,"b":3,"answer":"different"}`)
	all.Wait()
	if n := told.Load(); n != int64(most) {
		t.Errorf("%d of %d streams got the change", n, most)
	}
	close(connections)
	for c := range connections {
		c.Close()
	}
	awaited(t, "the server lets go of all streams", func() bool {
		return uses(t, s.cmd.Process.Pid).descriptors <= before.descriptors+8
	})
	if grown := open.memory - before.memory; grown > int64(most)*100<<10 {
		t.Errorf("%d streams take %d bytes", most, grown)
	}
	t.Logf("%d streams: %d got a change; %d KiB and %.2f descriptors for each", most, told.Load(),
		(open.memory-before.memory)>>10/int64(most),
		float64(open.descriptors-before.descriptors)/float64(most))
}

// awaited waits until something is so.
func awaited(t *testing.T, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(3 * time.Minute); !so(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not so: %s", what)
		}
	}
}

// TestFewDescriptors: a server that may have few files open refuses streams beyond with a problem,
// and goes on to take answers.
func TestFewDescriptors(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "rows.csv"), rows(60), 0o600); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := started(t, folder, exec.Command("sh", "-c", `ulimit -n 200; exec "$@"`, "sh", self,
		"serve", folder, "--listen", "127.0.0.1:0"))
	s.begin()
	refused := 0
	for range 250 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		c, _, r, err := s.stream(ctx)
		cancel()
		if err != nil {
			t.Fatalf("a stream is neither opened nor refused: %v", err)
		}
		if r.StatusCode == http.StatusTooManyRequests {
			refused++
			c.Close()
			continue
		}
		defer c.Close()
	}
	if refused == 0 {
		t.Error("no stream is refused")
	}
	for i := range 5 {
		wants[any](s, 200, "POST", "/projects/rows/answers",
			fmt.Sprintf(`{"id":"more%d","a":%d,"b":%d,"answer":"different"}`, i, 2*i+2, 2*i+3))
	}
	// opening a file for an export needs descriptors of its own
	if status, text, _ := s.ask("GET", "/projects/rows/exports/partition.csv", ""); status != 200 {
		t.Errorf("an export is answered with %d: %s", status, text)
	}
	t.Logf("of 250 streams %d were refused", refused)
}

// TestClientsThatDoNotRead: many who ask for much and read nothing take a bounded memory, and hinder
// nobody.
func TestClientsThatDoNotRead(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	s := begun(t)
	wants[any](s, 200, "POST", "/projects/rows/links", many("many", 400))
	before := uses(t, s.cmd.Process.Pid)
	const clients = 300
	for i := range clients {
		c, err := net.Dial("tcp", s.at.Host)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		c.(*net.TCPConn).SetReadBuffer(2048)
		path := "/projects/rows/events"
		if i%2 == 0 {
			path = "/projects/rows/history?limit=1000"
		}
		go func() { // one request after the other, for as long as they are taken
			for range 200 {
				if _, err := fmt.Fprintf(c, "GET /api/v1%s HTTP/1.1\r\nHost: %s\r\n"+
					"Authorization: Bearer %s\r\n\r\n", path, s.at.Host,
					s.at.Query().Get("token")); err != nil {
					return
				}
			}
		}()
	}
	var most usage
	for i := range 40 {
		wants[any](s, 200, "POST", "/projects/rows/answers",
			fmt.Sprintf(`{"id":"more%d","a":%d,"b":%d,"answer":"different","keep":true}`, i,
				2*(i%29)+2, 2*(i/29)+1))
		now := uses(t, s.cmd.Process.Pid)
		most.memory = max(most.memory, now.memory)
		most.descriptors = max(most.descriptors, now.descriptors)
	}
	if grown := most.memory - before.memory; grown > 256<<20 {
		t.Errorf("%d clients that do not read take %d MiB", clients, grown>>20)
	}
	t.Logf("%d clients that do not read take %d MiB, and %d answers were taken meanwhile", clients,
		(most.memory-before.memory)>>20, 40)
}

// TestFiftyClientsOnOneQuestion: of fifty who answer one question at once, one counts; the others
// are told, and all see the same afterwards.
func TestFiftyClientsOnOneQuestion(t *testing.T) {
	s := begun(t)
	const clients = 50
	questions := 25
	if testing.Short() {
		questions = 3
	}
	for q := range questions {
		a, b := 2*q+4, 2*q+5
		var all sync.WaitGroup
		type kept struct {
			Event struct {
				Seq  int64
				Step string
			}
		}
		answers := make([]kept, clients)
		for i := range clients {
			answer := []string{"same", "different", "unknown"}[i%3]
			all.Go(func() {
				status, text, _ := s.ask("POST", "/projects/rows/answers", fmt.Sprintf(
					`{"id":"q%d-%d","a":%d,"b":%d,"answer":%q}`, q, i, a, b, answer))
				if status == 200 {
					if err := json.Unmarshal(text, &answers[i]); err != nil ||
						answers[i].Event.Step != answer {
						t.Errorf("%q is answered with %s: %v", answer, text, err)
					}
				} else if status != 409 {
					t.Errorf("an answer is answered with %d: %s", status, text)
				}
			})
		}
		all.Wait()
		counts := make(map[kept]bool) // who said the same gets the answer that counts
		for _, x := range answers {
			counts[x] = true
		}
		if delete(counts, kept{}); len(counts) != 1 {
			t.Errorf("question %d: these answers count: %+v", q, counts)
		}
	}
	if n := s.events("rows"); n != questions+1 {
		t.Errorf("%d answers are kept of %d questions", n, questions+1)
	}
	t.Logf("%d questions, %d clients each: one answer of each counts", questions, clients)
}

// soakFor is how long a soak goes: KINDRED_SOAK, or half a minute.
func soakFor(t *testing.T) time.Duration {
	t.Helper()
	if text := os.Getenv("KINDRED_SOAK"); text != "" {
		d, err := time.ParseDuration(text)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	return 30 * time.Second
}

// thirds returns the least of the first third of values behind a tenth of warm-up, and of the last
// third: what a process holds of itself, without what comes and goes.
func thirds(values []int64) (first, last int64) {
	values = values[len(values)/10:]
	n := len(values) / 3
	least := func(values []int64) int64 {
		v := values[0]
		for _, x := range values {
			v = min(v, x)
		}
		return v
	}
	return least(values[:n]), least(values[len(values)-n:])
}

// TestSoak works a server and a stream for long: their memory and descriptors stay as they were.
func TestSoak(t *testing.T) {
	length := soakFor(t)
	s := soaked(t)
	end := time.Now().Add(length)
	var all sync.WaitGroup
	var work soakCounts
	for worker := range 3 {
		all.Go(func() {
			for round := 0; time.Now().Before(end) && !t.Failed(); round++ {
				s.round(fmt.Sprintf("r%d-%d", worker, round%soakFiles), &work)
			}
		})
	}
	all.Go(func() {
		for time.Now().Before(end) {
			s.disturb(&work)
			time.Sleep(100 * time.Millisecond)
		}
	})
	fed := feeding(t, end, &work)
	var memory, descriptors [2][]int64
	for pids := [2]int{s.cmd.Process.Pid, fed}; time.Now().Before(end); time.Sleep(length / 300) {
		for i, pid := range pids {
			now := uses(t, pid)
			memory[i] = append(memory[i], now.memory)
			descriptors[i] = append(descriptors[i], int64(now.descriptors))
		}
	}
	all.Wait()
	for i, name := range []string{"serve", "stream"} {
		first, last := thirds(memory[i])
		if last > first+first/5+16<<20 {
			t.Errorf("%s: %d MiB in the first third, %d in the last", name, first>>20, last>>20)
		}
		d1, d2 := thirds(descriptors[i])
		if d2 > d1+4 {
			t.Errorf("%s: %d descriptors in the first third, %d in the last", name, d1, d2)
		}
		t.Logf("%s, %v: %d MiB in the first third and %d in the last, %d and %d descriptors", name,
			length, first>>20, last>>20, d1, d2)
	}
	t.Logf("%d projects begun, %d steps, %d exports, %d streams of events, %d refused requests, "+
		"%d rows labelled", work.projects.Load(), work.steps.Load(), work.exports.Load(),
		work.streams.Load(), work.refused.Load(), work.rows.Load())
}

// soakFiles is how many projects a worker goes through, more than are open at once in all.
const soakFiles = 9

// soakCounts is what was done in a soak.
type soakCounts struct{ projects, steps, exports, streams, refused, rows atomic.Int64 }

// soaked serves a folder of data for a soak.
func soaked(t *testing.T) *server {
	t.Helper()
	folder := t.TempDir()
	for worker := range 3 {
		for i := range soakFiles {
			name := filepath.Join(folder, fmt.Sprintf("r%d-%d.csv", worker, i))
			if err := os.WriteFile(name, rows(60), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	return serving(t, folder, "--log-level", "error")
}

// round begins a project anew, answers, undoes, looks, and takes what can be exported.
func (s *server) round(id string, work *soakCounts) {
	os.Remove(filepath.Join(s.folder, id+".kindred")) // it was closed for others since
	try := func(method, path, body string) bool {
		status, text, _ := s.ask(method, path, body)
		if status >= 500 {
			s.t.Errorf("%s %s: %d: %s", method, path, status, text)
		}
		if status >= 300 {
			work.refused.Add(1)
		}
		return status < 300
	}
	if !try("POST", "/projects", fmt.Sprintf(
		`{"data":"%s.csv","settings":{"super-instances":"6","label":"kind"}}`, id)) {
		return
	}
	work.projects.Add(1)
	if l := s.settled(id); l.State != "open" {
		work.refused.Add(1)
		return
	}
	p := "/projects/" + id
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go s.listenTo(ctx, p+"/events", work)
	for i := range 20 {
		if try("POST", p+"/answers", fmt.Sprintf(`{"id":"s%d","a":%d,"b":%d,"answer":"different"}`,
			i, 2*i, 2*i+1)) {
			work.steps.Add(1)
		}
		if i%5 == 4 && try("POST", p+"/undo", fmt.Sprintf(`{"id":"u%d"}`, i)) {
			work.steps.Add(1)
		}
	}
	for _, path := range []string{"/groups", "/turn", "/map/info", "/history", "/contradictions"} {
		try("GET", p+path, "")
	}
	for _, file := range []string{"partition.csv", "partition.parquet", "picture.svg", "model.json",
		"project.kindred"} {
		if try("GET", p+"/exports/"+file, "") {
			work.exports.Add(1)
		}
	}
}

// listenTo reads a stream of events until ctx ends.
func (s *server) listenTo(ctx context.Context, path string, work *soakCounts) {
	r, err := http.NewRequestWithContext(ctx, "GET", "http://"+s.at.Host+"/api/v1"+path, nil)
	if err != nil {
		return
	}
	r.Header.Set("Authorization", "Bearer "+s.at.Query().Get("token"))
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return
	}
	defer resp.Body.Close()
	work.streams.Add(1)
	io.Copy(io.Discard, resp.Body)
}

// disturb does what must not be taken, and goes in the midst of a request.
func (s *server) disturb(work *soakCounts) {
	for _, send := range []string{
		"GET /api/v1/me HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer wrong\r\n\r\n",
		"POST /api/v1/projects HTTP/1.1\r\nHost: %s\r\nContent-Length: 1000\r\n\r\n{",
		"GET / HTTP/9.9\r\nHost: %s\r\n\r\n",
	} {
		c, err := net.DialTimeout("tcp", s.at.Host, time.Second)
		if err != nil {
			continue
		}
		fmt.Fprintf(c, send, s.at.Host)
		c.Close()
		work.refused.Add(1)
	}
}

// feeding runs kindred stream on rows without end, with links and a state that is saved all the
// time, until a moment, and returns its process.
func feeding(t *testing.T, end time.Time, work *soakCounts) (pid int) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "stream", "-k", "4", "--state", "x.state", "--save-every", "500ms",
		"--missing", "mean", "--json")
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "KINDRED_TEST_AS_COMMAND=1")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		err := cmd.Wait()
		var done struct{ Rows int64 }
		at := bytes.IndexByte(said.Bytes(), '{')
		if err != nil || at < 0 || json.Unmarshal(said.Bytes()[at:], &done) != nil ||
			done.Rows != work.rows.Load() {
			t.Errorf("the stream ended with %v, %d rows of %d: %s", err, done.Rows,
				work.rows.Load(), said.String())
		}
	})
	go func() {
		defer in.Close()
		fmt.Fprintln(in, "x,y")
		for i := 0; time.Now().Before(end); i++ {
			var b bytes.Buffer
			for j := range 500 {
				fmt.Fprintf(&b, "%d,%d\n", 100*(j%4)+i%7, j%11)
			}
			fmt.Fprintf(&b, "@link,%d,%d,same\n", 500*i+1, 500*i+5)
			if _, err := in.Write(b.Bytes()); err != nil {
				return
			}
			work.rows.Add(500)
			time.Sleep(20 * time.Millisecond)
		}
	}()
	return cmd.Process.Pid
}
