package studio

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/kindred-go/kindred/credal"
	"github.com/kindred-go/kindred/dataset"
	"github.com/kindred-go/kindred/desk"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/partition"
	"github.com/kindred-go/kindred/session"
)

// Every export is read again by what reads such files.
func TestExports(t *testing.T) {
	x := open(t, Config{})
	p := x.begin("iris", "method", "evclus", "clusters", "3")
	x.post(p+"/answers", `{"id":"a1","a":0,"b":60,"answer":"different"}`).wants(200)
	x.post(p+"/answers", `{"id":"a2","a":0,"b":1,"answer":"same"}`).wants(200)
	folder := t.TempDir()
	for file := range exports {
		r := x.get(p + "/exports/" + file).wants(200)
		want := "attachment; filename=iris-" + file
		if file == "project.kindred" {
			want = "attachment; filename=iris.kindred"
		}
		if got := r.header.Get("Content-Disposition"); got != want {
			t.Errorf("%s is named %q", file, got)
		}
		if err := os.WriteFile(filepath.Join(folder, file), r.body, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{"partition.csv", "partition.parquet", "partition.jsonl"} {
		c, ids, err := credal.Read(t.Context(), filepath.Join(folder, file))
		if err != nil || c.Len() != 150 || len(ids) != 150 {
			t.Errorf("%s: %v", file, err)
		}
	}
	for _, file := range []string{"answers.csv", "answers.jsonl"} {
		links, err := link.ReadFile(t.Context(), filepath.Join(folder, file), nil)
		if file == "answers.jsonl" {
			links, err = link.ReadFile(t.Context(), filepath.Join(folder, file), link.Numbered(150))
		}
		if err != nil || len(links) != 2 || links[0].A != 0 || links[0].B != 60 || links[0].Kind != link.CannotLink {
			t.Errorf("%s: %v, %v", file, links, err)
		}
	}
	if m, err := method.LoadModel(filepath.Join(folder, "model.json")); err != nil || m.Method != "evclus" {
		t.Errorf("model.json: %+v, %v", m, err)
	}
	copied, err := session.View(t.Context(), filepath.Join(folder, "project.kindred"))
	if err != nil {
		t.Fatal(err)
	}
	defer copied.Close()
	if events, err := copied.Events(t.Context()); err != nil || len(events) != 2 {
		t.Errorf("the copied project has %d events, %v", len(events), err)
	}
	if png := x.get(p + "/exports/picture.png").body; !bytes.HasPrefix(png, []byte("\x89PNG")) {
		t.Errorf("picture.png begins with %q", png[:8])
	}
	for _, kind := range []string{"groups", "rough", "masses", "focal:1", "focal:all", "heatmap", "trace"} {
		if r := x.get(p + "/exports/picture.svg?kind=" + kind).wants(200); !bytes.Contains(r.body, []byte("<svg")) {
			t.Errorf("the picture %s is %.100q", kind, r.body)
		}
	}
	for _, kind := range []string{"focal", "focal:9", "groups:1", "evil"} {
		x.get(p+"/exports/picture.svg?kind="+kind).problem(422, "input")
	}
	rows, err := csv.NewReader(bytes.NewReader(x.get(p + "/exports/history.csv").body)).ReadAll()
	if err != nil || len(rows) != 3 || rows[1][3] != "different" || rows[2][3] != "same" {
		t.Errorf("history.csv is %v, %v", rows, err)
	}
	// Of a partition without masses there is a plain file.
	w := x.begin("wine")
	if err := os.WriteFile(filepath.Join(folder, "wine.csv"), x.get(w+"/exports/partition.csv").wants(200).body, 0o644); err != nil {
		t.Fatal(err)
	}
	table, err := dataset.Read(t.Context(), filepath.Join(folder, "wine.csv"), dataset.ReadOptions{Label: partition.ClusterColumn, ID: partition.IDColumn})
	if err != nil || table.Rows != 178 {
		t.Errorf("the partition of wine: %v", err)
	}
	x.get(w+"/exports/picture.svg?kind=masses").problem(422, "input")
	x.get(w + "/exports/picture.svg").wants(200)
}

// Of many projects only some are open at once: the one unused for longest is closed, and opened again when asked for.
func TestManyProjects(t *testing.T) {
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
	x.put("sub/deeper/evendeeper/c.csv", "")
	x.put("birds/one.JPG", "")
	x.put("birds/two.png", "")
	x.put("notes.txt", "")
	x.put(".hidden/d.csv", "")
	x.put("p.kindred", "")
	got := map[string]string{}
	for _, s := range into[Sources](x.get("/api/v1/sources").wants(200)).Sources {
		got[s.Name] = s.Kind
		if s.Title == "" {
			t.Errorf("%s has no title", s.Name)
		}
	}
	want := map[string]string{"iris": "sample", "wine": "sample", "digits": "sample", "a.csv": "file", "sub/b.parquet.zst": "file", "birds": "folder", "p.kindred": "project"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the sources are %v, want %v", got, want)
	}
}

// A server without a folder serves what the program opens, and begins nothing.
func TestWithoutFolder(t *testing.T) {
	s, err := New(Config{Secret: []byte("x"), Address: "127.0.0.1:1"})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "mine.kindred")
	d, err := s.Open(t.Context(), desk.Config{Path: path, Data: "iris"})
	if err != nil {
		t.Fatal(err)
	}
	if d.ID() != "mine" {
		t.Errorf("it is called %q", d.ID())
	}
	if _, err := s.Open(t.Context(), desk.Config{Path: path, Data: "iris"}); err == nil {
		t.Error("it was opened twice")
	}
	if _, err := s.Open(t.Context(), desk.Config{Path: filepath.Join(t.TempDir(), "x.kindred"), Data: "nowhere.csv"}); err == nil {
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
