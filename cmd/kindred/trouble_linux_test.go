package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/crash"
	"github.com/kindred-go/kindred/project/store"
)

// server is the command as it serves a folder, and a client of it.
type server struct {
	*served
	t      *testing.T
	folder string   // as the test sees it
	at     *url.URL // the link of the first person
	token  string   // theirs
}

// serving starts kindred serve FOLDER with more arguments.
func serving(t *testing.T, folder string, args ...string) *server {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return started(t, folder, exec.Command(self,
		append([]string{"serve", folder, "--listen", "127.0.0.1:0"}, args...)...))
}

// started starts a command that serves, and waits until it says where.
func started(t *testing.T, folder string, cmd *exec.Cmd) *server {
	t.Helper()
	s := &server{served: &served{cmd: cmd, done: make(chan error, 1)}, t: t, folder: folder}
	home := t.TempDir()
	cmd.Env = append(os.Environ(), "KINDRED_TEST_AS_COMMAND=1", "HOME="+home,
		"XDG_CONFIG_HOME="+home)
	err := s.start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.kill)
	link := links.FindString(s.said())
	if s.at, err = url.Parse(link); err != nil {
		t.Fatal(err)
	}
	cookie, err := follow(link)
	if err != nil {
		t.Fatal(err)
	}
	s.token = cookie.Value
	return s
}

// stop interrupts the server, and returns all that it said.
func (s *server) stop() string {
	s.t.Helper()
	s.cmd.Process.Signal(os.Interrupt)
	if err := <-s.done; err != nil {
		s.t.Errorf("it ended with %v: %s", err, s.said())
	}
	s.done <- nil
	return s.said()
}

// troubled is a problem, as far as these tests look at it.
type troubled struct {
	Type, Detail, Mend, Request string
	Status                      int
}

// ask sends a request under the API; headers are "Name: value".
func (s *server) ask(method, path, body string, headers ...string) (status int, text []byte,
	h http.Header) {
	s.t.Helper()
	request, err := http.NewRequest(method, "http://"+s.at.Host+"/api/v1"+path,
		strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+s.token)
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ": ")
		request.Header.Set(name, value)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		s.t.Fatalf("%s %s: %v: %s", method, path, err, s.said())
	}
	defer response.Body.Close()
	text, err = io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return response.StatusCode, text, response.Header
}

// wants sends a request that is answered with a status, and reads the answer.
func wants[T any](s *server, status int, method, path, body string) (v T) {
	s.t.Helper()
	got, text, h := s.ask(method, path, body)
	if got != status {
		s.t.Fatalf("%s %s: %d instead of %d: %s\n%s", method, path, got, status, text, s.said())
	}
	if err := json.Unmarshal(text, &v); err != nil {
		s.t.Fatalf("%s %s: %v: %s", method, path, err, text)
	}
	if p, is := any(v).(troubled); is && (p.Request == "" || p.Request != h.Get("X-Request-Id")) {
		s.t.Errorf("%s %s: the problem is of request %q, the answer of %q", method, path,
			p.Request, h.Get("X-Request-Id"))
	}
	return v
}

// listed is a project in the list, as far as these tests look at it.
type listed struct{ ID, State, Error, Type, Mend string }

// settled waits until a project is no longer being opened.
func (s *server) settled(id string) listed {
	s.t.Helper()
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); {
		list := wants[struct{ Projects []listed }](s, 200, "GET", "/projects", "").Projects
		at := slices.IndexFunc(list, func(l listed) bool { return l.ID == id })
		if at >= 0 && list[at].State != "opening" {
			return list[at]
		}
		time.Sleep(10 * time.Millisecond)
	}
	s.t.Fatalf("%s is being opened for ever", id)
	return listed{}
}

// open opens a project, which then has a state, and returns the name of the request.
func (s *server) open(id, state string) (l listed, request string) {
	s.t.Helper()
	status, text, h := s.ask("POST", "/projects/"+id+"/open", "{}")
	l = s.settled(id)
	if status != 202 || l.State != state {
		s.t.Fatalf("%d %s: %s is %+v, not %s: %s", status, text, id, l, state, s.said())
	}
	return l, h.Get("X-Request-Id")
}

// events is how many steps a project has.
func (s *server) events(id string) int {
	s.t.Helper()
	return wants[struct{ Total int }](s, 200, "GET", "/projects/"+id+"/history", "").Total
}

// logs checks that the log has what failed under the name of a request, and its kind.
func (s *server) logs(request, what string, kind fault.Kind) {
	s.t.Helper()
	// what is done in the background is logged a moment after it is seen
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		for line := range strings.Lines(s.said()) {
			var entry struct {
				Level, Msg, Request string
				Fault               struct{ Kind, File string }
			}
			if json.Unmarshal([]byte(line), &entry) == nil && entry.Request == request &&
				entry.Msg == what && entry.Fault.Kind == string(kind) {
				return
			}
		}
	}
	s.t.Errorf("the log does not say %q, %q, under request %s: %s", what, string(kind), request,
		s.said())
}

// troubleSentence is what the command says of trouble with a project.
func troubleSentence(kind fault.Kind, file string) string {
	s := fault.Storage{Kind: kind, File: file}
	if kind == fault.Full || kind == fault.Failing {
		s.Kept = file + " holds all earlier answers"
	}
	return s.Error()
}

// is checks that a problem is of a kind, and has the sentence of the command.
func (p troubled) is(t *testing.T, kind fault.Kind, file string) {
	t.Helper()
	class := kind.Class()
	want := troubleSentence(kind, file)
	if p.Type != "/api/v1/problems/"+string(kind) || p.Status != class.Status ||
		p.Detail != want || p.Mend != class.Fix {
		t.Errorf("the problem is %+v, want %s: %q", p, kind, want)
	}
}

// rows are two far groups of rows with true classes.
func rows(n int) []byte {
	var b bytes.Buffer
	b.WriteString("id,x,y,kind\n")
	for i := range n {
		far := 100 * (i % 2)
		fmt.Fprintf(&b, "r%d,%d,%d,%d\n", i, far+i%7, far+i%5, i%2)
	}
	return b.Bytes()
}

// many is a step of so many links between rows of one group, under an id.
func many(id string, n int) string {
	var pairs []string
	for a := 0; len(pairs) < n; a += 2 {
		for b := a + 2; b < 60 && len(pairs) < n; b += 2 {
			pairs = append(pairs, fmt.Sprintf(`{"a":%d,"b":%d,"link":"same"}`, a, b))
		}
	}
	return fmt.Sprintf(`{"id":%q,"pairs":[%s]}`, id, strings.Join(pairs, ","))
}

// begun serves a folder with data that a project was begun on and answered about once.
func begun(t *testing.T) *server {
	t.Helper()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "rows.csv"), rows(60), 0o600); err != nil {
		t.Fatal(err)
	}
	s := serving(t, folder, "--log-format", "json", "--log-level", "debug")
	s.begin()
	return s
}

// begin begins a project on the rows, and answers once.
func (s *server) begin() {
	s.t.Helper()
	wants[any](s, 202, "POST", "/projects",
		`{"data":"rows.csv","settings":{"super-instances":"6","label":"kind"}}`)
	if l := s.settled("rows"); l.State != "open" {
		s.t.Fatalf("the project is %+v: %s", l, s.said())
	}
	wants[any](s, 200, "POST", "/projects/rows/answers",
		`{"id":"first","a":0,"b":1,"answer":"different"}`)
}

// refused sends a step that meets trouble, and checks that nothing of it is kept or acknowledged.
func (s *server) refused(step string, kind fault.Kind, file string) {
	s.t.Helper()
	before := s.events("rows")
	p := wants[troubled](s, kind.Class().Status, "POST", "/projects/rows/links", step)
	p.is(s.t, kind, file)
	s.logs(p.Request, "a call failed", kind)
	if n := s.events("rows"); n != before {
		s.t.Errorf("%d steps after the one that was refused, %d before", n, before)
	}
}

// taken sends a step that was refused again, twice: it counts once.
func (s *server) taken(step string, n int) {
	s.t.Helper()
	before := s.events("rows")
	for range 2 {
		wants[any](s, 200, "POST", "/projects/rows/links", step)
	}
	if now := s.events("rows"); now != before+n {
		s.t.Errorf("a step of %d that was sent again made %d of %d", n, now, before)
	}
}

// commanded runs kindred ask on a project, which must fail, and returns the code and the sentence.
func commanded(t *testing.T, path, limit string) (code int, said string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", "-c",
		"ulimit -f "+limit+`; exec "$0" ask "$1" --oracle labels --label kind`, self, path)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "KINDRED_TEST_AS_COMMAND=1")
	out, _ := cmd.CombinedOutput()
	_, said, _ = strings.Cut(string(out), "kindred: ")
	return cmd.ProcessState.ExitCode(), strings.TrimSpace(said)
}

// A full disk: nothing is acknowledged, the problem has its own type, and once there is room the
// same step counts once.
func TestAFullDiskIsReported(t *testing.T) {
	folder := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	disk := []string{"--user", "--map-root-user", "--mount", "sh", "-c",
		`mount -t tmpfs -o size=1m tmpfs "$1" && shift && exec "$@"`, "sh", folder}
	if out, err := exec.Command("unshare", append(disk, "true")...).CombinedOutput(); err != nil {
		t.Skipf("no disk can be made here: %v: %s", err, out)
	}
	s := started(t, folder, exec.Command("unshare", append(disk, self, "serve", folder,
		"--listen", "127.0.0.1:0", "--log-format", "json")...))
	inside := filepath.Join("/proc", strconv.Itoa(s.cmd.Process.Pid), "root", folder)
	if err := os.WriteFile(filepath.Join(inside, "rows.csv"), rows(60), 0o600); err != nil {
		t.Fatal(err)
	}
	s.begin()
	filler := filepath.Join(inside, "filler")
	if err := os.WriteFile(filler, make([]byte, 2<<20), 0o600); err == nil {
		t.Fatal("the disk takes more than it has")
	}
	step := many("many", 400)
	s.refused(step, fault.Full, filepath.Join(folder, "rows.kindred"))
	wants[any](s, 200, "GET", "/projects/rows/turn", "") // what was there can still be read
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	s.taken(step, 400)
	kept, err := os.ReadFile(filepath.Join(inside, "rows.kindred"))
	if err != nil {
		t.Fatal(err)
	}
	s.stop()
	aside := t.TempDir()
	for name, content := range map[string][]byte{"rows.csv": rows(60), "rows.kindred": kept} {
		if err := os.WriteFile(filepath.Join(aside, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(folder, "rows.kindred")
	cmd := exec.Command("unshare", append(disk, "sh", "-c", `cp "$0"/* "$2"
		cat /dev/zero >"$2/filler" 2>/dev/null
		exec "$1" ask "$2/rows.kindred" --oracle labels --label kind`, aside, self, folder)...)
	cmd.Env = append(os.Environ(), "KINDRED_TEST_AS_COMMAND=1")
	out, _ := cmd.CombinedOutput()
	want := "kindred: " + troubleSentence(fault.Full, path) + "\n"
	if code := cmd.ProcessState.ExitCode(); code != 1 || !strings.HasSuffix(string(out), want) {
		t.Errorf("the command ends with %d, and says %q, want %q", code, out, want)
	}
}

// A limit on the size of files is as a full disk is, whoever finds out.
func TestALimitOnFilesIsReported(t *testing.T) {
	s := begun(t)
	path := filepath.Join(s.folder, "rows.kindred")
	pid := s.cmd.Process.Pid
	var was unix.Rlimit
	if err := unix.Prlimit(pid, unix.RLIMIT_FSIZE, nil, &was); err != nil {
		t.Skipf("the limits of a process cannot be looked at here: %v", err)
	}
	low := was
	low.Cur = 4096
	if err := unix.Prlimit(pid, unix.RLIMIT_FSIZE, &low, nil); err != nil {
		t.Fatal(err)
	}
	step := many("many", 100)
	s.refused(step, fault.Full, path)
	if err := unix.Prlimit(pid, unix.RLIMIT_FSIZE, &was, nil); err != nil {
		t.Fatal(err)
	}
	s.taken(step, 100)
	s.stop()
	want := troubleSentence(fault.Full, path)
	if code, said := commanded(t, path, "8"); code != 1 || said != want {
		t.Errorf("the command ends with %d, and says %q, want %q", code, said, want)
	}
}

// A disk that fails, fills up, or may only be read, under an open project: nothing is acknowledged,
// the kind of trouble is named even where SQLite does not know it, and once it is over the same step
// counts once.
func TestADiskThatChangesUnderAServer(t *testing.T) {
	s := begun(t)
	for i, trouble := range []struct {
		calls, number string
		kind          fault.Kind
	}{
		{"pwrite64", "ENOSPC", fault.Full},
		{"pwrite64", "EDQUOT", fault.Full},
		{"pwrite64", "EROFS", fault.Unwritable},
		{"pwrite64", "EIO", fault.Failing},
		{"fsync,fdatasync", "ENOSPC", fault.Full},
		{"fsync,fdatasync", "EDQUOT", fault.Full},
		{"fsync,fdatasync", "EIO", fault.Failing},
	} {
		over := crash.Attach(t, s.cmd.Process.Pid, trouble.calls, trouble.number)
		step := many(fmt.Sprint("many", i), 5+i)
		before := s.events("rows")
		p := wants[troubled](s, trouble.kind.Class().Status, "POST", "/projects/rows/links", step)
		if p.Type != "/api/v1/problems/"+string(trouble.kind) {
			t.Errorf("%s %s is %+v", trouble.calls, trouble.number, p)
		}
		if n := s.events("rows"); n != before {
			t.Errorf("%d steps after the one that was refused, %d before", n, before)
		}
		over()
		more := 1 // as the step holds all links of the one before
		if i == 0 {
			more = 5
		}
		s.taken(step, more)
	}
	s.stop()
	if n, err := answers(t, filesOf(t, s.folder), "rows.kindred"); n != 1+5+6 ||
		err != nil {
		t.Errorf("%d steps are kept: %v", n, err)
	}
}

// A project that is moved while it is open.
func TestAMovedProjectIsReported(t *testing.T) {
	s := begun(t)
	path := filepath.Join(s.folder, "rows.kindred")
	if err := os.Rename(path, path+".aside"); err != nil {
		t.Fatal(err)
	}
	step := many("many", 3)
	s.refused(step, fault.Moved, path)
	if err := os.Rename(path+".aside", path); err != nil {
		t.Fatal(err)
	}
	s.taken(step, 3)
	s.stop()
}

// Trouble that is met as a project is opened: the list, the answers of the API and the command all
// have the same sentence, and the project opens once it has gone.
func TestTroubleInOpeningIsReported(t *testing.T) {
	s := begun(t)
	s.stop()
	path := filepath.Join(s.folder, "rows.kindred")
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s = serving(t, s.folder, "--log-format", "json", "--log-level", "debug")
	write := func(content []byte) {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var other *store.File
	for _, trouble := range []struct {
		kind      fault.Kind
		come, end func()
	}{
		{fault.InUse, func() {
			if other, err = store.Open(t.Context(), path); err != nil {
				t.Fatal(err)
			}
		}, func() { other.Close() }},
		{fault.Damaged, func() { write(append([]byte("no project"), good...)) },
			func() { write(good) }},
		// as SQLite reads it, a file of a later format may only be read
		{fault.Unwritable, func() { write(slices.Replace(slices.Clone(good), 18, 19, 3)) },
			func() { write(good) }},
	} {
		trouble.come()
		l, request := s.open("rows", "failed")
		s.logs(request, "a project could not be opened", trouble.kind)
		class := trouble.kind.Class()
		if l.Type != "/api/v1/problems/"+string(trouble.kind) || l.Mend != class.Fix {
			t.Errorf("%s: the list has %+v", trouble.kind, l)
		}
		p := wants[troubled](s, class.Status, "GET", "/projects/rows", "")
		p.is(t, trouble.kind, path)
		if code, said := commanded(t, path, "unlimited"); code != class.Exit || said != p.Detail {
			t.Errorf("%s: the command ends with %d, and says %q instead of %q", trouble.kind, code,
				said, p.Detail)
		}
		trouble.end()
		s.open("rows", "open")
		if n := s.events("rows"); n != 1 {
			t.Errorf("%s: %d steps are left", trouble.kind, n)
		}
		s.stop()
		s = serving(t, s.folder, "--log-format", "json", "--log-level", "debug")
	}
}
