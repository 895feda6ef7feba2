package studio

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kindred-go/kindred/project"
)

// Of many projects only some are open at once: the one unused for longest is closed, and opened
// again when asked for.
func TestManyProjects(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	x := open(t, Config{MostOpen: 2})
	first := x.begin("iris")
	x.post(first+"/answers", `{"id":"a1","a":0,"b":60,"answer":"different"}`).wants(200)
	time.Sleep(2 * time.Millisecond)
	x.begin("wine")
	time.Sleep(2 * time.Millisecond)
	x.begin("iris") // another one
	if l := x.listed("iris"); l.State != stateClosed || l.Answers != 1 {
		t.Errorf("the first is %+v", l)
	}
	if l := x.listed("iris-2"); l.State != stateOpen {
		t.Errorf("the third is %+v", l)
	}
	x.post(first+"/open", "{}").wants(202)
	if l := x.ready("iris"); l.State != stateOpen || l.Answers != 1 {
		t.Errorf("opened again it is %+v", l)
	}
}

// What can be begun on: samples, and what lies in the folder.
func TestSources(t *testing.T) {
	x := open(t, Config{})
	x.put("a.csv", "x\n1\n")
	x.put("sub/b.parquet.zst", "")
	files := []string{"book.xlsx", "base.db", "base.sqlite", "arrays.npz", "table.arrow",
		"table.feather", "notes.txt", "iris.data"}
	for _, name := range files {
		x.put(name, "")
	}
	x.put("sub/deeper/evendeeper/c.csv", "")
	x.put("birds/one.JPG", "")
	x.put("birds/two.png", "")
	x.put("essays/one.txt", "a cat sat on the mat")
	x.put("essays/two.txt", "rain falls in spring")
	x.put("old.xls", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
	x.put("program.exe", "")
	x.put(".hidden/d.csv", "")
	x.put("p.kindred", "")
	got := map[string]string{}
	for _, s := range into[Sources](x.get("/api/v1/sources").wants(200)).Sources {
		got[s.Name] = s.Kind
		if s.Title == "" {
			t.Errorf("%s has no title", s.Name)
		}
	}
	want := map[string]string{"iris": "sample", "wine": "sample", "digits": "sample",
		"a.csv": "file", "sub/b.parquet.zst": "file", "birds": "folder",
		"essays": "folder", "old.xls": "file", "p.kindred": "project"}
	for _, name := range files {
		want[name] = "file"
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the sources are %v, want %v", got, want)
	}
	texts := into[Preview](x.post("/api/v1/preview",
		`{"data":"essays","settings":{"text":"text","clusters":"2"}}`).wants(200))
	if texts.Rows != 2 || texts.Problem != "" {
		t.Errorf("a folder of two texts has %d rows: %s", texts.Rows, texts.Problem)
	}
	old := x.post("/api/v1/preview", `{"data":"old.xls"}`).problem(422, "input")
	if !strings.Contains(old.Detail, "not read; save it as .xlsx") {
		t.Errorf("an old workbook is explained by %q", old.Detail)
	}
}

// A file that changes under a project: its answers are not taken for answers about other data.
func TestChangedData(t *testing.T) {
	x := open(t, Config{})
	x.put("rows.csv", table(30))
	p := x.begin("rows.csv")
	x.post(p+"/answers", `{"id":"a1","a":0,"b":9,"answer":"different"}`).wants(200)
	x.put("rows.csv", table(29))
	// what is open goes on with what was read
	if s := into[project.State](x.get(p).wants(200)); s.Rows != 30 {
		t.Errorf("the state is %+v", s)
	}
	if err := x.stop(); err != nil {
		t.Fatal(err)
	}
	y := open(t, Config{Root: x.folder})
	y.post(p+"/open", "{}").wants(202)
	if l := y.ready("rows"); l.State != stateFailed || !strings.Contains(l.Error, "other data") {
		t.Errorf("after the change it is %+v", l)
	}
	y.put("rows.csv", table(30))
	y.post(p+"/open", "{}").wants(202)
	if l := y.ready("rows"); l.State != stateOpen || l.Answers != 1 {
		t.Errorf("put right again it is %+v", l)
	}
}

// A folder that may only be read: looked at, but nothing begun in it.
func TestReadOnlyFolder(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("nothing is read-only for root")
	}
	x := open(t, Config{})
	if err := os.Chmod(x.folder, 0o500); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(x.folder, 0o700)
	id := into[Started](x.post("/api/v1/projects", `{"data":"iris"}`).wants(202)).ID
	if l := x.ready(id); l.State != stateFailed || l.Error == "" {
		t.Errorf("it is %+v", l)
	}
}

// A server without a folder serves what the program opens, and begins nothing.
func TestWithoutFolder(t *testing.T) {
	s, err := New(Config{Secret: []byte("x"), Address: "127.0.0.1:1"})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "mine.kindred")
	d, err := s.Open(t.Context(), project.Config{Path: path, Data: "iris"})
	if err != nil {
		t.Fatal(err)
	}
	if d.ID() != "mine" {
		t.Errorf("it is called %q", d.ID())
	}
	if _, err := s.Open(t.Context(), project.Config{Path: path, Data: "iris"}); err == nil {
		t.Error("it was opened twice")
	}
	if _, err := s.Open(t.Context(),
		project.Config{Path: filepath.Join(t.TempDir(), "x.kindred"),
			Data: "nowhere.csv"}); err == nil {
		t.Error("there was nothing to open")
	}
	if sources, err := s.sources(t.Context()); err != nil || len(sources) != 0 {
		t.Errorf("it offers %v, %v", sources, err)
	}
	list, err := s.listing(t.Context())
	if err != nil || len(list.Projects) != 1 || list.Projects[0].State != stateOpen {
		t.Errorf("the list is %+v, %v", list, err)
	}
	if _, err := (settings{"links": "/etc/passwd"}).recipe(false); err == nil {
		t.Error("a setting may name any file")
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if text, err := json.Marshal(list); err != nil || !bytes.Contains(text, []byte(`"mine"`)) {
		t.Errorf("%s, %v", text, err)
	}
}
