package studio

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/kindred-go/kindred/project"
)

// A project's life: opened, closed for another, opened again, gone on with otherwise; and what
// happens to its file meanwhile.

// closing takes an open project away, as if another had needed its place; finish lets go of
// the file.
func (x *studio) closing(id string) (finish func()) {
	x.t.Helper()
	p, err := x.server.find(id)
	if err != nil {
		x.t.Fatal(err)
	}
	end := p.release(stateClosed)
	return func() {
		if err := end(); err != nil {
			x.t.Error(err)
		}
	}
}

// A project that is wanted again while it is still being closed waits for that, rather than to take
// itself for another program.
func TestOpenedWhileClosing(t *testing.T) {
	x := open(t, Config{})
	p := x.begin("iris")
	x.post(p+"/answers", `{"id":"a1","a":0,"b":60,"answer":"different"}`).wants(200)
	finish := x.closing("iris")
	x.post(p+"/open", "{}").wants(202)
	if l := x.listed("iris"); l.State != stateOpening {
		t.Errorf("before the file is free it is %+v", l)
	}
	finish()
	if l := x.ready("iris"); l.State != stateOpen || l.Answers != 1 {
		t.Errorf("it is %+v", l)
	}
}

// However many projects are asked for at once, no more are open than may be; the others wait until
// those before them are open, and take their places.
func TestMostOpenAtOnce(t *testing.T) {
	x := open(t, Config{MostOpen: 2})
	x.begin("iris")
	if err := x.stop(); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(filepath.Join(x.folder, "iris.kindred"))
	if err != nil {
		t.Fatal(err)
	}
	const n = 12
	for i := range n {
		x.put(fmt.Sprintf("p%d.kindred", i), string(file))
	}
	y := open(t, Config{Root: x.folder, MostOpen: 2})
	var calls sync.WaitGroup
	for i := range n {
		calls.Go(func() {
			if s := y.post(fmt.Sprintf("/api/v1/projects/p%d/open", i), "{}").status; s != 202 {
				t.Errorf("opening one of many gave %d", s)
			}
		})
	}
	most, done := 0, make(chan struct{})
	go func() { calls.Wait(); close(done) }()
	for going := true; going; {
		select {
		case <-done:
			going = false
		default:
		}
		// The list looks at one after the other, and may meet one before and another after their
		// places were exchanged.
		y.get("/api/v1/projects").wants(200)
		open, all := 0, &y.server.projects
		all.mu.Lock()
		for _, p := range all.byID {
			if p.isCurrent() {
				open++
			}
		}
		all.mu.Unlock()
		most = max(most, open)
	}
	if most > 2 {
		t.Errorf("%d projects were open at once", most)
	}
}

// Two changes of settings at once: one is taken, or both after each other; none is lost halfway,
// and requests meanwhile are told to come again.
func TestSettingsUnderLoad(t *testing.T) {
	x := open(t, Config{})
	p := x.begin("iris")
	var calls sync.WaitGroup
	taken := make([]string, 6)
	for i := range taken {
		calls.Go(func() {
			seed := fmt.Sprint(i + 1)
			switch r := x.post(p+"/settings", `{"settings":{"seed":"`+seed+`"}}`); r.status {
			case 202:
				taken[i] = seed
			case 409:
				r.problem(409, "opening")
			default:
				t.Errorf("new settings gave %d: %s", r.status, r.body)
			}
		})
		calls.Go(func() {
			for n := range 20 {
				r := x.post(p+"/answers",
					fmt.Sprintf(`{"id":"l%d-%d","a":%d,"b":%d,"answer":"unknown"}`, i, n, i, 20+n))
				if r.status == 409 && strings.HasSuffix(into[Problem](r).Type, "opening") &&
					r.header.Get("Retry-After") == "" ||
					r.status != 200 && r.status != 409 {
					t.Errorf("an answer meanwhile gave %d: %s", r.status, r.body)
				}
			}
		})
	}
	calls.Wait()
	if l := x.ready("iris"); l.State != stateOpen || l.Error != "" {
		t.Fatalf("it is %+v", l)
	}
	if s := into[project.State](x.get(p).wants(200)); !strings.Contains(strings.Join(taken, " "),
		s.Settings["seed"]) {
		t.Errorf("the seeds %v were taken, and it goes on with %q", taken, s.Settings["seed"])
	}
}

// While settings that do not suit are tried, and those of before taken up again, the project is
// being opened, and never failed: whoever saw that would open it, too.
func TestRefusedSettingsAreNoFailure(t *testing.T) {
	x := open(t, Config{})
	x.begin("iris")
	p, err := x.server.find("iris")
	if err != nil {
		t.Fatal(err)
	}
	p.mu.Lock()
	cfg := p.cfg
	p.mu.Unlock()
	cfg.Data = "nowhere.csv"
	over := make(chan struct{})
	var looking sync.WaitGroup
	looking.Go(func() {
		for going := true; going; {
			select {
			case <-over:
				going = false
			default:
			}
			// who changes the state tells of it before going on, and so waits until it was looked
			// at
			p.moved.mu.Lock()
			p.mu.Lock()
			state := p.state
			p.mu.Unlock()
			p.moved.mu.Unlock()
			if state == stateFailed {
				t.Error("between two attempts it has failed")
				return
			}
		}
	})
	for range 8 {
		if err := p.reopen(t.Context(), cfg, p.release(stateOpening)); err == nil {
			t.Error("there was nothing to open")
		}
		if l := x.listed("iris"); l.State != stateOpen || l.Error == "" {
			t.Errorf("afterwards it is %+v", l)
		}
	}
	close(over)
	looking.Wait()
}

// The file of a closed project goes away: so does the project, and none is begun in its place.
func TestRemovedProject(t *testing.T) {
	x := open(t, Config{})
	p := x.begin("iris")
	x.closing("iris")()
	if l := x.listed("iris"); l.State != stateClosed {
		t.Fatalf("it is %+v", l)
	}
	if err := os.Remove(filepath.Join(x.folder, "iris.kindred")); err != nil {
		t.Fatal(err)
	}
	if list := into[Listing](x.get("/api/v1/projects").wants(200)); len(list.Projects) != 0 {
		t.Errorf("the list has %+v", list)
	}
	x.post(p+"/open", "{}").problem(404, "not-found")
}

// The file of a closed project is replaced by another: that one is opened as it says itself, and
// never by a symbolic link.
func TestReplacedProject(t *testing.T) {
	x := open(t, Config{})
	iris := x.begin("iris")
	x.begin("wine")
	x.closing("iris")()
	x.closing("wine")()
	inside := func(name string) string { return filepath.Join(x.folder, name) }
	if err := os.Rename(inside("wine.kindred"), inside("iris.kindred")); err != nil {
		t.Fatal(err)
	}
	x.post(iris+"/open", "{}").wants(202)
	if l := x.ready("iris"); l.State != stateOpen || l.Data != "wine" {
		t.Errorf("it is %+v", l)
	}
	x.closing("iris")()
	outside := filepath.Join(t.TempDir(), "outside.kindred")
	if err := os.Rename(inside("iris.kindred"), outside); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, inside("iris.kindred")); err != nil {
		t.Skip("no symbolic links here")
	}
	x.post(iris+"/open", "{}").problem(404, "not-found")
}

// A page that was open before a restart of the server hears that its project is closed, and then
// that it is open.
func TestEventsAcrossRestart(t *testing.T) {
	x := open(t, Config{})
	p := x.begin("iris")
	if err := x.stop(); err != nil {
		t.Fatal(err)
	}
	y := open(t, Config{Root: x.folder})
	l := y.listen(p + "/events")
	if l.resp.StatusCode != http.StatusOK {
		t.Fatalf("the events of a closed project: %d", l.resp.StatusCode)
	}
	until(l, "progress", func(o opening) bool { return o.State == stateClosed })
	y.post(p+"/settings", `{"settings":{"seed":"1"}}`).problem(409, "closed")
	y.post(p+"/open", "{}").wants(202)
	until(l, "state", func(s project.State) bool { return s.Rows == 150 })
	y.get("/api/v1/projects/none/events").problem(404, "not-found")
}

// The list of projects keeps up with their answers.
func TestListFollowsAnswers(t *testing.T) {
	x := open(t, Config{})
	p := x.begin("iris")
	l := x.listen("/api/v1/events")
	until(l, "projects",
		func(list Listing) bool { return len(list.Projects) == 1 && list.Projects[0].Answers == 0 })
	x.post(p+"/answers", `{"id":"a1","a":0,"b":60,"answer":"different"}`).wants(200)
	until(l, "projects", func(list Listing) bool { return list.Projects[0].Answers == 1 })
}
