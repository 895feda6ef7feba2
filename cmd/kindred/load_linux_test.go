package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
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
		"Authorization: Bearer %s\r\n\r\n", s.at.Host, s.token)
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
	// What a server at work grows by meanwhile, whoever listens, is not the streams'.
	const meanwhile = 32 << 20
	if grown := open.memory - before.memory; grown > int64(most)*100<<10+meanwhile {
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
					s.token); err != nil {
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
