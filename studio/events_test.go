package studio

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kindred-go/kindred/project"
)

// listening reads server-sent events.
type listening struct {
	t    testing.TB
	resp *http.Response
	in   *bufio.Scanner
	quit func()
}

// event is one event, or a comment where name is empty.
type event struct{ name, data string }

func (x *studio) listen(path string) *listening {
	x.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	r, err := http.NewRequestWithContext(ctx, "GET", "http://"+x.at+path, nil)
	if err != nil {
		x.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+x.token)
	resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(r)
	if err != nil {
		x.t.Fatal(err)
	}
	l := &listening{t: x.t, resp: resp, in: bufio.NewScanner(resp.Body), quit: cancel}
	l.in.Buffer(nil, 1<<20)
	x.t.Cleanup(l.close)
	return l
}

func (l *listening) close() {
	l.quit()
	l.resp.Body.Close()
}

// next returns the next event or comment; ok is false when the stream ended.
func (l *listening) next() (e event, ok bool) {
	l.t.Helper()
	for l.in.Scan() {
		line := l.in.Text()
		switch {
		case line == "" && e != event{}:
			return e, true
		case strings.HasPrefix(line, "event: "):
			e.name = line[len("event: "):]
		case strings.HasPrefix(line, "data: "):
			e.data = line[len("data: "):]
		case strings.HasPrefix(line, ":"):
			e.data = line
		}
	}
	return event{}, false
}

// until reads events until one is as wanted.
func until[T any](l *listening, name string, wanted func(T) bool) T {
	l.t.Helper()
	for {
		e, ok := l.next()
		if !ok {
			l.t.Fatalf("the stream ended without the %s that was waited for: %v", name, l.in.Err())
		}
		if e.name != name {
			continue
		}
		var v T
		if err := json.Unmarshal([]byte(e.data), &v); err != nil {
			l.t.Fatalf("%v in %.200s", err, e.data)
		}
		if wanted(v) {
			return v
		}
	}
}

// What one person does, everybody sees, each as it is for them; and pages that are open are known.
func TestEventsOfAProject(t *testing.T) {
	x := open(t, Config{People: []string{"ann", "bob"}})
	ann, bob := x.as("ann"), x.as("bob")
	p := ann.begin("iris", "method", "cobra") // whose steps cost nothing
	l := bob.listen(p + "/events")
	if kind := l.resp.Header.Get("Content-Type"); kind != "text/event-stream" {
		t.Fatalf("the stream is %q", kind)
	}
	until(l, "state", func(s project.State) bool { return s.Revision == 0 })
	ann.post(p+"/answers", `{"id":"a1","a":0,"b":60,"answer":"different"}`).wants(200)
	until(l, "state", func(s project.State) bool {
		return s.Revision == 1 && s.Answers == 1 && s.Mine == 0
	})
	active := func() (active bool) {
		for _, person := range into[Team](ann.get(p + "/people")).People {
			active = active || person.Name == "bob" && person.Active
		}
		return active
	}
	eventually(t, "bob's page counts as open", active)
	l.close()
	eventually(t, "bob's page no longer counts as open", func() bool { return !active() })
}

// Many steps at once come as one event, which has them all.
func TestEventsAreJoined(t *testing.T) {
	goOn := make(chan struct{})
	x := open(t, Config{}, func(s *Server) {
		s.pause = func(ctx context.Context, d time.Duration) {
			if d < streamGap {
				t.Errorf("events are joined for %v alone", d)
			}
			select {
			case <-goOn:
			case <-ctx.Done():
			}
		}
	})
	p := x.begin("iris", "method", "cobra") // whose steps cost nothing
	l := x.listen(p + "/events")
	until(l, "state", func(s project.State) bool { return s.Revision == 0 })
	for i := range 100 {
		x.post(p+"/answers", fmt.Sprintf(`{"id":"m%d","a":%d,"b":%d,"answer":"unknown"}`, i, i,
			i+40)).wants(200)
	}
	close(goOn)
	count := 0
	until(l, "state", func(s project.State) bool { count++; return s.Revision == 100 })
	if count != 1 {
		t.Errorf("100 steps came as %d events", count)
	}
}

// A stream lives on while the project is opened anew, and says how far that is.
func TestEventsWhileReopened(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	prepare, hold, goOn := held()
	x := open(t, Config{}, prepare)
	defer goOn()
	x.put("large.csv", table(20_000))
	p := x.begin("large.csv")
	l := x.listen(p + "/events")
	until(l, "state", func(s project.State) bool { return s.Settings["seed"] == "0" })
	hold()
	x.post(p+"/settings", `{"settings":{"seed":"7","super-instances":"500"}}`).wants(202)
	until(l, "progress",
		func(o opening) bool {
			return o.State == stateOpening && o.What != "" && o.What != "closing"
		})
	goOn()
	until(l, "state", func(s project.State) bool { return s.Settings["seed"] == "7" })
}

// table makes a table of three columns.
func table(rows int) string {
	var b strings.Builder
	b.WriteString("x,y,z\n")
	for i := range rows {
		fmt.Fprintf(&b, "%d,%d,%d\n", i%977, i%891, i%13)
	}
	return b.String()
}

// The list of projects tells of each that is begun, and of one that fails.
func TestEventsOfTheList(t *testing.T) {
	x := open(t, Config{})
	l := x.listen("/api/v1/events")
	until(l, "projects", func(list Listing) bool { return len(list.Projects) == 0 })
	x.begin("iris")
	until(l, "projects",
		func(list Listing) bool {
			return len(list.Projects) == 1 && list.Projects[0].State == stateOpen
		})
	x.put("bad.csv", "a,b\n1\n")
	x.post("/api/v1/projects", `{"data":"bad.csv"}`).wants(202)
	until(l, "projects",
		func(list Listing) bool {
			return len(list.Projects) == 2 && list.Projects[0].State == stateFailed
		})
}

// A silent stream says that it lives, so that neither side waits for the dead.
func TestPings(t *testing.T) {
	x := open(t, Config{}, func(s *Server) { s.ping = 5 * time.Millisecond })
	p := x.begin("iris")
	l := x.listen(p + "/events")
	for pings := 0; pings < 3; {
		e, ok := l.next()
		if !ok {
			t.Fatal("the stream ended")
		}
		if e.name == "" && strings.HasPrefix(e.data, ":") {
			pings++
		}
	}
}

// Streams beyond the limit are told so; those that end make room.
func TestMostStreams(t *testing.T) {
	x := open(t, Config{})
	p := x.begin("iris")
	for range mostStreams - 1 {
		x.server.streams.enter()
	}
	l := x.listen(p + "/events")
	until(l, "state", func(project.State) bool { return true })
	r := x.get(p + "/events")
	if r.problem(429, "busy"); r.header.Get("Retry-After") == "" {
		t.Error("nobody says when to come again")
	}
	l.close()
	eventually(t, "a stream that ended no longer counts",
		func() bool { return x.streamsOpen() == mostStreams-1 })
}

// A client that takes no more events without a word is let go.
func TestDeadClients(t *testing.T) {
	x := open(t, Config{}, func(s *Server) {
		s.patient = 100 * time.Millisecond
		s.writing = time.Hour // which would let it go, too
	})
	f, ended := newFeed(), make(chan struct{})
	// More than the system holds for a client that reads nothing.
	if err := f.publish("state", strings.Repeat("x", 64<<20)); err != nil {
		t.Fatal(err)
	}
	told := httptest.NewServer(
		x.server.guard(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			defer close(ended)
			x.server.listen(w, r, f)
		})))
	defer told.Close()
	at := told.Listener.Addr().String()
	c, err := net.Dial("tcp", at)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprintf(c, "GET /api/v1/events HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n",
		at, x.token)
	select {
	case <-ended:
	case <-time.After(3 * time.Minute):
		t.Error("the stream of a dead client stays open")
	}
}

// A stop ends streams and requests, closes projects, and takes no more.
func TestStop(t *testing.T) {
	x := open(t, Config{})
	p := x.begin("iris")
	l := x.listen(p + "/events")
	until(l, "state", func(project.State) bool { return true })
	idle, err := net.Dial("tcp", x.at)
	if err != nil {
		t.Fatal(err)
	}
	defer idle.Close()
	began := time.Now()
	if err := x.stop(); err != nil {
		t.Fatal(err)
	}
	t.Logf("it took %v", time.Since(began))
	if _, err := io.Copy(io.Discard, l.resp.Body); err != nil && l.in.Err() != nil {
		t.Logf("the stream ended with %v", err)
	}
	// Whether somebody answers at its port says nothing: it is anybody's now.
	x.ear.(*net.TCPListener).SetDeadline(time.Now())
	if _, err := x.ear.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("it still listens: %v", err)
	}
	if _, err := x.server.Begin(project.Config{Path: x.folder + "/late.kindred",
		Data: "iris"}); err == nil {
		t.Error("it still begins projects")
	}
	// The project is free for the next process.
	y := open(t, Config{Root: x.folder})
	y.post(p+"/open", "{}").wants(202)
	if l := y.ready("iris"); l.State != stateOpen {
		t.Errorf("it is %+v", l)
	}
}

// A stop ends an opening that is under way.
func TestStopWhileOpening(t *testing.T) {
	began := make(chan struct{})
	tell := sync.OnceFunc(func() { close(began) })
	x := open(t, Config{}, func(s *Server) { s.progress = func(string, float64) { tell() } })
	x.put("large.csv", table(200_000))
	x.post("/api/v1/projects", `{"data":"large.csv"}`).wants(202)
	<-began
	if err := x.stop(); err != nil {
		t.Fatal(err)
	}
}

// A value that JSON has no word for is an event less, and no end of the server.
func TestImpossibleEvent(t *testing.T) {
	f := newFeed()
	if err := f.publish("progress", opening{Share: math.NaN()}); err == nil {
		t.Error("it was told")
	}
	if _, count := f.newest(); count != 0 {
		t.Errorf("it counts %d", count)
	}
}
