package studio

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kindred-go/kindred/project"
)

// studio is a server on a real port of this machine, as a test talks to it.
type studio struct {
	t      testing.TB
	server *Server
	at     string // host:port
	folder string // that is served
	token  string // sent along; "": none
	client *http.Client
	log    *logged
	ear    net.Listener
	stop   func() error // ends the server, and gives what Serve did
}

// logged collects what is logged.
type logged struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logged) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logged) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// open starts a server on a folder of its own, unless the config names one.
func open(t testing.TB, cfg Config, prepare ...func(*Server)) *studio {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if cfg.Root == "" {
		cfg.Root = t.TempDir()
	}
	if err := os.MkdirAll(cfg.Root, 0o755); err != nil {
		t.Fatal(err)
	}
	if cfg.Secret == nil {
		cfg.Secret = []byte("a secret of tests")
	}
	log := &logged{}
	cfg.Address = l.Addr().String()
	cfg.Logger = slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	s, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	// a machine that stands still for a while is no test's matter
	s.header, s.patient = time.Minute, time.Minute
	for _, do := range prepare {
		do(s)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Serve(ctx, l) }()
	x := &studio{
		t: t, server: s, at: cfg.Address, folder: cfg.Root, token: s.tokens[0], log: log, ear: l,
		client: &http.Client{CheckRedirect: func(*http.Request,
			[]*http.Request) error {
			return http.ErrUseLastResponse
		}},
	}
	var once sync.Once
	x.stop = func() (err error) {
		once.Do(func() {
			x.client.CloseIdleConnections()
			cancel()
			err = <-done
		})
		return err
	}
	t.Cleanup(func() {
		if err := x.stop(); err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	return x
}

// as is the same server for another person.
func (x *studio) as(name string) *studio {
	x.t.Helper()
	other := *x
	if other.token = x.server.Token(name); other.token == "" {
		x.t.Fatalf("%q has no token", name)
	}
	return &other
}

// link returns a new link for the first person, without the address of the server.
func (x *studio) link() string {
	return strings.TrimPrefix(x.server.Link(x.server.people[0].name), x.server.Address())
}

// put writes a file into the folder served.
func (x *studio) put(name, text string) {
	x.t.Helper()
	path := filepath.Join(x.folder, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		x.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		x.t.Fatal(err)
	}
}

// reply is an answer of the server.
type reply struct {
	t      testing.TB
	call   string
	status int
	header http.Header
	body   []byte
}

// send makes a request; headers are "Name: value", and "Host: …" is the name the server is called
// by.
func (x *studio) send(method, path, body string, headers ...string) reply {
	x.t.Helper()
	r, err := http.NewRequest(method, "http://"+x.at+path, strings.NewReader(body))
	if err != nil {
		x.t.Fatal(err)
	}
	if x.token != "" {
		r.Header.Set("Authorization", "Bearer "+x.token)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		if name == "Host" {
			r.Host = value
		}
		r.Header.Set(name, value)
	}
	resp, err := x.client.Do(r)
	if err != nil {
		x.t.Fatalf("%s %s: %v", method, path, err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		x.t.Fatalf("%s %s: %v", method, path, err)
	}
	return reply{x.t, method + " " + path, resp.StatusCode, resp.Header, text}
}

func (x *studio) get(path string, headers ...string) reply {
	x.t.Helper()
	return x.send("GET", path, "", headers...)
}

func (x *studio) post(path, body string, headers ...string) reply {
	x.t.Helper()
	return x.send("POST", path, body, headers...)
}

// wants checks the status.
func (r reply) wants(status int) reply {
	r.t.Helper()
	if r.status != status {
		r.t.Fatalf("%s gave %d instead of %d: %.500s", r.call, r.status, status, r.body)
	}
	return r
}

// into reads the JSON of an answer.
func into[T any](r reply) (v T) {
	r.t.Helper()
	if err := json.Unmarshal(r.body, &v); err != nil {
		r.t.Fatalf("%s: %v in %.500s", r.call, err, r.body)
	}
	return v
}

// problem reads a problem, which must have its content type, status and a sentence.
func (r reply) problem(status int, kind string) Problem {
	r.t.Helper()
	r.wants(status)
	if got := r.header.Get("Content-Type"); got != "application/problem+json" {
		r.t.Errorf("%s: the problem came as %q", r.call, got)
	}
	p := into[Problem](r)
	want := problemBase + kind
	if kind == "" {
		want = "about:blank"
	}
	if p.Type != want || p.Status != status || p.Detail == "" || p.Title == "" {
		r.t.Errorf("%s gave the problem %+v, want type %s", r.call, p, want)
	}
	return p
}

// begin begins a project and waits until it is open, or failed.
func (x *studio) begin(data string, settings ...string) string {
	x.t.Helper()
	set := map[string]string{}
	for i := 0; i+1 < len(settings); i += 2 {
		set[settings[i]] = settings[i+1]
	}
	text, _ := json.Marshal(map[string]any{"data": data, "settings": set})
	id := into[Started](x.post("/api/v1/projects", string(text)).wants(http.StatusAccepted)).ID
	if l := x.ready(id); l.State != stateOpen {
		x.t.Fatalf("the project on %s is %s: %s", data, l.State, l.Error)
	}
	return "/api/v1/projects/" + url.PathEscape(id)
}

// listed returns a project of the list.
func (x *studio) listed(id string) Listed {
	x.t.Helper()
	for _, l := range into[Listing](x.get("/api/v1/projects").wants(http.StatusOK)).Projects {
		if l.ID == id {
			return l
		}
	}
	x.t.Fatalf("there is no project %q", id)
	return Listed{}
}

// ready waits until a project is no longer being opened.
func (x *studio) ready(id string) Listed {
	x.t.Helper()
	var l Listed
	eventually(x.t, "the project "+id+" is open, or failed", func() bool {
		l = x.listed(id)
		return l.State != stateOpening
	})
	return l
}

// settled waits until the groups are those of all steps.
func (x *studio) settled(p string) project.State {
	x.t.Helper()
	var s project.State
	eventually(x.t, "the fit ends", func() bool {
		s = into[project.State](x.get(p).wants(http.StatusOK))
		return !s.Fitting
	})
	return s
}

// eventually waits until something is so.
func eventually(t testing.TB, what string, so func() bool) {
	t.Helper()
	for end := time.Now().Add(3 * time.Minute); !so(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not so: %s", what)
		}
	}
}

// held lets openings wait, once they have begun, from hold until goOn.
func held() (prepare func(*Server), hold, goOn func()) {
	var on atomic.Bool
	end := make(chan struct{})
	prepare = func(s *Server) {
		s.progress = func(string, float64) {
			if on.Load() {
				<-end
			}
		}
	}
	return prepare, func() { on.Store(true) }, sync.OnceFunc(func() { close(end) })
}

// streamsOpen counts the streams of events that are open.
func (x *studio) streamsOpen() int { return len(x.server.streams) }
