package main

import (
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
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

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
	var all sync.WaitGroup
	var work soakCounts
	rounds := func(more func(round int) bool) {
		for worker := range 3 {
			all.Go(func() {
				for round := 0; more(round) && !t.Failed(); round++ {
					s.round(fmt.Sprintf("r%d-%d", worker, round%soakFiles), &work)
				}
			})
		}
	}
	// A server that works holds as many projects as may be open, which a slow machine comes to late.
	rounds(func(round int) bool { return round < soakFiles })
	all.Wait()
	end := time.Now().Add(length)
	rounds(func(int) bool { return time.Now().Before(end) })
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
	r.Header.Set("Authorization", "Bearer "+s.token)
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
