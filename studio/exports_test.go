package studio

import (
	"bytes"
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/partition"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method/model"
	"github.com/kindred-go/kindred/project/store"
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
	// The table for everybody has the columns of the data beside the group, its name and certainty.
	x.post(p+"/names", `{"id":"n1","row":0,"name":"=blue"}`).wants(200)
	simple, err := csv.NewReader(bytes.NewReader(x.get(p + "/exports/objects.csv").body)).ReadAll()
	if err != nil || len(simple) != 151 {
		t.Fatalf("objects.csv has %d lines, %v", len(simple), err)
	}
	if want := []string{"id", "cluster", "name", "certainty", "sepal_length", "sepal_width",
		"petal_length", "petal_width"}; !slices.Equal(simple[0], want) {
		t.Errorf("its columns are %q", simple[0])
	}
	if row := simple[1]; row[2] != "'=blue" || row[4] != "5.1" || row[7] != "0.2" {
		t.Errorf("its first row is %q", row)
	}
	for _, file := range []string{"answers.csv", "answers.jsonl"} {
		links, err := link.ReadFile(t.Context(), filepath.Join(folder, file), nil)
		if file == "answers.jsonl" {
			links, err = link.ReadFile(t.Context(), filepath.Join(folder, file), link.Numbered(150))
		}
		if err != nil || len(links) != 2 || links[0].A != 0 || links[0].B != 60 ||
			links[0].Kind != link.CannotLink {
			t.Errorf("%s: %v, %v", file, links, err)
		}
	}
	if m, err := model.Load(filepath.Join(folder, "model.json")); err != nil ||
		m.Method != "evclus" {
		t.Errorf("model.json: %+v, %v", m, err)
	}
	copied, err := store.View(t.Context(), filepath.Join(folder, "project.kindred"))
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
	for _, kind := range []string{"groups", "rough", "masses", "focal:1", "focal:all", "heatmap",
		"trace"} {
		if r := x.get(p + "/exports/picture.svg?kind=" + kind).wants(200); !bytes.Contains(r.body,
			[]byte("<svg")) {
			t.Errorf("the picture %s is %.100q", kind, r.body)
		}
	}
	for _, kind := range []string{"focal", "focal:9", "groups:1", "evil"} {
		x.get(p+"/exports/picture.svg?kind="+kind).problem(422, "input")
	}
	rows, err := csv.NewReader(bytes.NewReader(x.get(p + "/exports/history.csv").body)).ReadAll()
	if err != nil || len(rows) != 4 || rows[1][3] != "different" || rows[2][3] != "same" {
		t.Errorf("history.csv is %v, %v", rows, err)
	}
	// Of a partition without masses there is a plain file.
	w := x.begin("wine", "method", "cobras")
	if err := os.WriteFile(filepath.Join(folder, "wine.csv"),
		x.get(w+"/exports/partition.csv").wants(200).body, 0o644); err != nil {
		t.Fatal(err)
	}
	table, err := dataset.Read(t.Context(), filepath.Join(folder, "wine.csv"),
		dataset.ReadOptions{Label: partition.ClusterColumn, ID: partition.IDColumn})
	if err != nil || table.Rows != 178 {
		t.Errorf("the partition of wine: %v", err)
	}
	x.get(w+"/exports/picture.svg?kind=masses").problem(422, "input")
	x.get(w + "/exports/picture.svg").wants(200)
}

// The pictures that are offered can be drawn, and the others are refused for the reason given.
func TestOfferedPictures(t *testing.T) {
	x := open(t, Config{})
	for _, p := range []string{x.begin("iris", "method", "evclus", "clusters", "3"),
		x.begin("wine", "method", "cobras")} {
		list := into[PictureOffers](x.get(p + "/pictures").wants(200)).Pictures
		drawable := 0
		for _, o := range list {
			if o.Argument != "" {
				continue
			}
			r := x.get(p + "/exports/picture.svg?kind=" + o.Name)
			if o.Lacks == "" {
				r.wants(200)
				drawable++
				continue
			}
			if got := r.problem(422, "input"); got.Detail != o.Lacks {
				t.Errorf("%s: %s lacks %q, and is refused as %q", p, o.Name, o.Lacks, got.Detail)
			}
		}
		if drawable < 2 || drawable == len(list) {
			t.Errorf("%s: of %d pictures %d are drawn", p, len(list), drawable)
		}
	}
}
