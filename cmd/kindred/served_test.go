package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/pflag"

	"github.com/kindred-go/kindred/data/images"
)

// served is a kindred under way, which serves the page.
type served struct {
	cmd  *exec.Cmd
	mu   sync.Mutex
	talk bytes.Buffer
	done chan error
}

// said returns all that the server has written to stderr.
func (s *served) said() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.talk.String()
}

// start starts the command, and waits until it says where it serves. One that does not is killed.
func (s *served) start() error {
	stderr, err := s.cmd.StderrPipe()
	if err != nil {
		return err
	}
	if err := s.cmd.Start(); err != nil {
		return err
	}
	ready := make(chan struct{})
	go func() {
		lines := bufio.NewReader(stderr)
		for {
			line, err := lines.ReadString('\n')
			s.mu.Lock()
			s.talk.WriteString(line)
			s.mu.Unlock()
			if strings.HasPrefix(line, "Ctrl-C ends") {
				close(ready)
			}
			if err != nil {
				break
			}
		}
		s.done <- s.cmd.Wait()
	}()
	select {
	case <-ready:
		return nil
	case err := <-s.done:
		return fmt.Errorf("it ended before it served (%v): %s", err, s.said())
	case <-time.After(3 * time.Minute):
		s.kill()
		return fmt.Errorf("it does not serve: %s", s.said())
	}
}

func (s *served) kill() { s.cmd.Process.Kill() }

// links finds the links in what a server says.
var links = regexp.MustCompile(`http://\S+/\?code=[A-Z2-7]+`)

// follow opens a link, as a browser does, and returns the cookie that it has from then on.
func follow(link string) (*http.Cookie, error) {
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	}}
	response, err := client.Get(link)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	for _, c := range response.Cookies() {
		return c, nil
	}
	text, _ := io.ReadAll(response.Body)
	return nil, fmt.Errorf("the link %s gives %s: %s", link, response.Status, text)
}

// serveCommand starts a server and waits until it says where the page is: serve NAME kindred ask
// iris --studio. The links are followed, and what they give is in $NAME, $NAME2 and so on, for
// httpCommand.
func serveCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: serve name command args...")
	}
	path, err := exec.LookPath(args[1])
	ts.Check(err)
	s := &served{cmd: exec.Command(path, args[2:]...), done: make(chan error, 1)}
	s.cmd.Dir = ts.MkAbs(".")
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "CI", "BROWSER", "PATH", "TMPDIR",
		"KINDRED_DATASETS", "GOCOVERDIR"} {
		s.cmd.Env = append(s.cmd.Env, name+"="+ts.Getenv(name))
	}
	if err := s.start(); err != nil {
		ts.Fatalf("%s: %v", strings.Join(args[1:], " "), err)
	}
	ts.Defer(s.kill)
	for i, found := range links.FindAllString(s.said(), -1) {
		name := args[0]
		if i > 0 {
			name += strconv.Itoa(i + 1)
		}
		cookie, err := follow(found)
		ts.Check(err)
		host, _, _ := strings.Cut(strings.TrimPrefix(found, "http://"), "/")
		ts.Setenv(name, "http://"+host+"/?"+cookie.Name+"="+cookie.Value)
	}
	running(ts)[args[0]] = s
}

// running returns the servers of a script.
func running(ts *testscript.TestScript) map[string]*served {
	return ts.Value(servedKey{}).(map[string]*served)
}

type servedKey struct{}

// stopCommand interrupts a server, which must end with code 0 or the one given; what it said is
// then stderr: stop NAME [code].
func stopCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: stop name [code]")
	}
	s := running(ts)[args[0]]
	if s == nil {
		ts.Fatalf("no server is called %s", args[0])
	}
	ts.Check(s.cmd.Process.Signal(os.Interrupt))
	want, got := 0, 0
	if len(args) > 1 {
		var err error
		want, err = strconv.Atoi(args[1])
		ts.Check(err)
	}
	select {
	case err := <-s.done:
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			got = exit.ExitCode()
		}
	case <-time.After(3 * time.Minute):
		ts.Fatalf("%s does not end: %s", args[0], s.said())
	}
	io.WriteString(ts.Stderr(), s.said())
	if got != want {
		ts.Fatalf("%s ended with code %d, want %d: %s", args[0], got, want, s.said())
	}
}

// httpCommand asks a server, with the cookie of a link: http $NAME METHOD PATH [BODY]. The
// path is under /api/v1 unless it begins with a slash twice. stdout is the body, stderr the status
// and type; ! wants a status of 400 or more. A GET of a project that is being opened waits for it.
func httpCommand(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 3 || len(args) > 4 {
		ts.Fatalf("usage: http address method path [body]")
	}
	at, err := url.Parse(args[0])
	ts.Check(err)
	path := "/api/v1" + args[2]
	if strings.HasPrefix(args[2], "//") {
		path = args[2][1:]
	}
	body := ""
	if len(args) > 3 {
		body = args[3]
	}
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); {
		request, err := http.NewRequest(args[1], "http://"+at.Host+path, strings.NewReader(body))
		ts.Check(err)
		request.Header.Set("Cookie", at.RawQuery)
		if body != "" {
			request.Header.Set("Content-Type", "application/json")
		}
		response, err := http.DefaultClient.Do(request)
		ts.Check(err)
		text, err := io.ReadAll(response.Body)
		response.Body.Close()
		ts.Check(err)
		if bytes.Contains(text, []byte(`"type":"/api/v1/problems/opening"`)) {
			time.Sleep(50 * time.Millisecond)
			continue
		}
		fmt.Fprintf(ts.Stderr(), "%d %s\n", response.StatusCode,
			response.Header.Get("Content-Type"))
		ts.Stdout().Write(text)
		if failed := response.StatusCode >= 400; failed != neg {
			ts.Fatalf("%s %s: %s: %s", args[1], path, response.Status, text)
		}
		return
	}
	ts.Fatalf("%s is not ready", path)
}

// carriesCommand checks that the cookie of a link is the token that a command prints: carries NAME
// token FOLDER.
func carriesCommand(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: carries name command args...")
	}
	ts.Check(ts.Exec("kindred", args[1:]...))
	token := strings.TrimSpace(ts.ReadFile("stdout"))
	if same := strings.HasSuffix(ts.Getenv(args[0]), "="+token); token == "" || same == neg {
		ts.Fatalf("%s prints %q, and the link has %s", strings.Join(args[1:], " "), token,
			ts.Getenv(args[0]))
	}
}

// busyCommand takes a free port of this machine until the script ends, and names it: busy VAR.
func busyCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: busy variable")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	ts.Defer(func() { l.Close() })
	_, port, err := net.SplitHostPort(l.Addr().String())
	ts.Check(err)
	ts.Setenv(args[0], port)
}

// drawCommand puts pictures into a folder: dark/a.png to d.png, light/e.png to h.png, and
// broken.png, which is none: draw FOLDER.
func drawCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: draw folder")
	}
	for i, name := range []string{"dark/a", "dark/b", "dark/c", "dark/d", "light/e", "light/f",
		"light/g", "light/h"} {
		ink := make([]float64, 16*16)
		for at := range ink {
			x, y := at%16, at/16
			switch dark := i < 4; {
			case dark && x >= 3+i && x < 8+i, !dark && y >= i && y < i+2:
				ink[at] = 1
			}
		}
		drawn, err := images.FromPixels(ink, 16, 16, 1)
		ts.Check(err)
		path := ts.MkAbs(filepath.Join(args[0], filepath.FromSlash(name)+".png"))
		ts.Check(os.MkdirAll(filepath.Dir(path), 0o777))
		ts.Check(os.WriteFile(path, drawn, 0o666))
		if i == 0 {
			ts.Check(os.WriteFile(filepath.Join(ts.MkAbs(args[0]), "broken.png"), drawn[:50],
				0o666))
		}
	}
}

func TestShortTimes(t *testing.T) {
	for d, want := range map[time.Duration]string{24 * time.Hour: "24h", 30 * time.Minute: "30m",
		90 * time.Minute: "1h30m", 90 * time.Second: "1m30s", 20 * time.Second: "20s",
		time.Hour + 10*time.Second: "1h0m10s"} {
		if got := short(d); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
}

func TestLevelsOfTheLog(t *testing.T) {
	var f logFlags
	f.flags(pflag.NewFlagSet("ask", pflag.ContinueOnError), "warn")
	log := f.logger(&app{err: io.Discard})
	if log.Enabled(t.Context(), slog.LevelInfo) || !log.Enabled(t.Context(), slog.LevelWarn) {
		t.Errorf("ask logs from %q on", f.level)
	}
}
