package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kindred-go/kindred/internal/cli"
)

// program is one that started kindred sessions.
type program struct {
	t        *testing.T
	requests io.WriteCloser
	replies  *bufio.Reader
	address  string
	token    string
	done     chan int
	err      bytes.Buffer
}

func startSessions(t *testing.T) *program {
	t.Helper()
	in, requests := io.Pipe()
	replies, out := io.Pipe()
	p := &program{t: t, requests: requests, replies: bufio.NewReader(replies),
		done: make(chan int, 1)}
	go func() {
		p.done <- run(t.Context(), newApp(in, out, &p.err, func(string) string { return "" }),
			[]string{"sessions"})
		out.Close()
	}()
	var hello struct{ Address, Token string }
	p.read(&hello)
	if p.address, p.token = hello.Address, hello.Token; p.address == "" || p.token == "" {
		t.Fatalf("the first line has no address or token: %+v", hello)
	}
	t.Cleanup(func() { requests.Close() })
	return p
}

func (p *program) read(v any) {
	p.t.Helper()
	line, err := p.replies.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, v)
	}
	if err != nil {
		p.t.Fatalf("%v in %q", err, line)
	}
}

func (p *program) ask(request string) (reply sessionReply) {
	p.t.Helper()
	if _, err := io.WriteString(p.requests, request+"\n"); err != nil {
		p.t.Fatal(err)
	}
	p.read(&reply)
	return reply
}

// get calls the API, and returns the status and the body.
func (p *program) get(path string) (int, string) {
	p.t.Helper()
	r, err := http.NewRequestWithContext(p.t.Context(), "GET", p.address+"/api/v1"+path, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+p.token)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

func TestSessionsServeTheProgramThatStartsThem(t *testing.T) {
	p := startSessions(t)
	path := filepath.Join(t.TempDir(), "flowers.kindred")
	quoted, err := json.Marshal(path)
	if err != nil {
		t.Fatal(err)
	}
	open := `{"open": {"id": "flowers", "project": ` + string(quoted) +
		`, "data": "iris", "settings": {"super-instances": "10"}}}`
	if r := p.ask(open); r.ID != "flowers" || r.Error != "" {
		t.Fatalf("opening: %+v", r)
	}
	for {
		status, body := p.get("/projects/flowers/turn")
		if status == http.StatusOK {
			if !strings.Contains(body, `"question"`) {
				t.Fatalf("no question: %s", body)
			}
			break
		}
		if !strings.Contains(body, "/problems/opening") {
			t.Fatalf("%d: %s", status, body)
		}
		time.Sleep(10 * time.Millisecond)
	}
	if r := p.ask(open); r.Kind != "input" {
		t.Errorf("a second project of one id: %+v", r)
	}
	if r := p.ask(`{"number": 7, "link": true}`); r.Number != 7 || !strings.HasPrefix(r.Link, p.address+"/?code=") {
		t.Errorf("a link: %+v", r)
	}
	if r := p.ask(`{"close": "flowers"}`); r.Error != "" {
		t.Errorf("closing: %+v", r)
	}
	if status, _ := p.get("/projects/flowers"); status != http.StatusNotFound {
		t.Errorf("a project that was closed answers with %d", status)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
	if r := p.ask(open); r.Error != "" { // again, and closed while it is opened
		t.Errorf("opening again: %+v", r)
	}
	if r := p.ask(`{"close": "flowers"}`); r.Error != "" {
		t.Errorf("closing at once: %+v", r)
	}
	p.requests.Close()
	if code := <-p.done; code != cli.Done {
		t.Errorf("it ended with %d: %s", code, p.err.String())
	}
}

func TestSessionsRefuseWhatCannotBe(t *testing.T) {
	p := startSessions(t)
	for request, kind := range map[string]string{
		`{"open": {"id": "a", "project": "a.kindred", "data": "iris", "settings": {"colour": "1"}}}`: "setting",
		`{"open": {"id": "a", "project": "there/is/none.kindred"}}`:                                  "input",
		`{"close": "b"}`: "internal",
		`{`:              "internal",
	} {
		if r := p.ask(request); r.Kind != kind || r.Error == "" {
			t.Errorf("%s: %+v, and not %s", request, r, kind)
		}
	}
}
