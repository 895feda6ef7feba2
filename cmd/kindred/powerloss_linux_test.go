package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kindred-go/kindred/internal/crash"
	"github.com/kindred-go/kindred/project/store"
)

// acknowledgements finds the numbers of steps in answers of the API.
var acknowledgements = regexp.MustCompile(`HTTP/1\.1 200 OK(?s:.*?)\{"event":\{"seq":(\d+)`)

// TestAPowerCutUnderAServer cuts the power at each operation of a server that several clients send
// answers, undos and links to: whatever it has acknowledged by then is there, in order and whole.
func TestAPowerCutUnderAServer(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "rows.csv"), rows(60), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "serve", folder, "--listen", "127.0.0.1:0")
	cmd.Dir = folder
	r := crash.Record(t, cmd)
	d, err := crash.NewDisk(folder)
	if err != nil {
		t.Fatal(err)
	}
	s := started(t, folder, cmd)
	s.begin()
	each, mixtures := 12, 4
	if testing.Short() {
		each, mixtures = 2, 0
	}
	var clients sync.WaitGroup
	for client := range 3 {
		clients.Go(func() {
			for i := range each {
				row := 2 * (client*each + i + 1) % 56
				s.ask("POST", "/projects/rows/answers", fmt.Sprintf(
					`{"id":"c%d-%d","a":%d,"b":%d,"answer":"different","keep":true}`, client, i,
					row, row+1), "Accept-Encoding: identity")
				if i%4 == 3 {
					s.ask("POST", "/projects/rows/undo", fmt.Sprintf(`{"id":"u%d-%d"}`, client, i),
						"Accept-Encoding: identity")
				}
			}
		})
	}
	clients.Wait()
	s.ask("POST", "/projects/rows/links", many("many", 20), "Accept-Encoding: identity")
	total := s.events("rows")
	crash.Interrupt(t, s.cmd)
	if err := <-s.done; err != nil {
		t.Fatalf("%v: %s", err, s.said())
	}
	s.done <- nil
	ops := r.Ops(folder)
	acknowledged := make([]int, len(ops)+1) // events, before each operation
	for i, o := range ops {
		acknowledged[i+1] = acknowledged[i]
		if o.Kind != crash.Say {
			continue
		}
		for _, m := range acknowledgements.FindAllSubmatch(o.Data, -1) {
			n, err := strconv.Atoi(string(m[1]))
			if err != nil {
				t.Fatal(err)
			}
			acknowledged[i+1] = max(acknowledged[i+1], n)
		}
	}
	if last := acknowledged[len(ops)]; last < total-20 || last == 0 {
		t.Fatalf("%d of %d steps are acknowledged: the test looks at nothing", last, total)
	}
	known := make(map[string]int)
	kept := func(files crash.Files) (int, error) {
		key := files.Digest()
		n, seen := known[key]
		if seen {
			return n, nil
		}
		n, err := answers(t, files, "rows.kindred")
		if err == nil {
			known[key] = n
		}
		return n, err
	}
	lost, lies := 0, 0
	n, err := crash.Cuts(d, ops, mixtures, 5,
		func(done int, loss crash.Loss, files crash.Files) error {
			n, err := kept(files)
			if err == nil && n < acknowledged[done] {
				err = fmt.Errorf("%d steps are left of %d", n, acknowledged[done])
			}
			if loss == crash.Dropped {
				lies++
				if n, err := kept(d.After(crash.Lying, nil)); err != nil || n < acknowledged[done] {
					lost++
				}
			}
			return err
		})
	if err != nil {
		t.Error(err)
	}
	if lost == 0 {
		t.Error("a disk that ignores syncs loses nothing: the test tries nothing")
	}
	t.Logf("%d power cuts at %d operations with %d steps over HTTP: nothing was lost; of a disk "+
		"that ignores syncs, %d of %d lose some", n, len(ops), total, lost, lies)
}

// TestAServerThatIsKilled kills a server with -9, over and over, while clients send it steps: the
// next one has all that was acknowledged, and a step that is sent again counts once.
func TestAServerThatIsKilled(t *testing.T) {
	s := begun(t)
	s.stop()
	rounds := 20
	if testing.Short() {
		rounds = 3
	}
	rng := rand.New(rand.NewPCG(3, 4))
	acknowledged := make(map[string]string) // requests by the ids of their steps
	var next atomic.Int64
	for range rounds {
		s = serving(t, s.folder)
		s.open("rows", "open")
		for _, request := range acknowledged { // one that was acknowledged, again
			before := s.events("rows")
			if status, err := s.try(request); status != 200 || err != nil ||
				s.events("rows") != before {
				t.Errorf("%s again is answered with %d, %v, and makes %d steps of %d", request,
					status, err, s.events("rows"), before)
			}
			break
		}
		var mu sync.Mutex
		var clients sync.WaitGroup
		stop := time.AfterFunc(time.Duration(rng.IntN(150))*time.Millisecond, s.kill)
		for range 4 {
			clients.Go(func() {
				for {
					n := next.Add(1)
					a, b, ok := pair(n)
					if !ok {
						return
					}
					id := fmt.Sprint("k", n)
					request := fmt.Sprintf(`{"id":%q,"a":%d,"b":%d,"answer":"unknown"}`, id, a, b)
					status, err := s.try(request)
					if err != nil {
						return // it is gone
					}
					if status == 200 {
						mu.Lock()
						acknowledged[id] = request
						mu.Unlock()
					}
				}
			})
		}
		clients.Wait()
		stop.Stop()
		s.kill()
		<-s.done
		s.done <- nil
		p, err := store.Open(t.Context(), filepath.Join(s.folder, "rows.kindred"))
		if err != nil {
			t.Fatal(err)
		}
		for id := range acknowledged {
			if _, there, err := p.ByID(t.Context(), id); err != nil || !there {
				t.Errorf("the step %s, which was acknowledged, is not there: %v", id, err)
			}
		}
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if len(acknowledged) < rounds {
		t.Errorf("%d steps were acknowledged: the test tries nothing", len(acknowledged))
	}
	t.Logf("%d steps acknowledged over %d kills: all are there", len(acknowledged), rounds)
}

// pair returns the n-th pair of 60 rows, from the second on.
func pair(n int64) (a, b int64, ok bool) {
	for a = range int64(60) {
		if n < 59-a {
			return a, a + 1 + n, true
		}
		n -= 59 - a
	}
	return 0, 0, false
}

// try sends an answer to a server that may be gone.
func (s *server) try(body string) (status int, err error) {
	r, err := http.NewRequest("POST", "http://"+s.at.Host+"/api/v1/projects/rows/answers",
		strings.NewReader(body))
	if err != nil {
		return 0, err
	}
	r.Header.Set("Authorization", "Bearer "+s.token)
	r.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	_, err = io.Copy(io.Discard, response.Body)
	return response.StatusCode, err
}
