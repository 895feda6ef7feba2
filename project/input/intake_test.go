package input

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"
	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/project/store"
)

// write puts files into a new folder.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// recipe makes a recipe of settings.
func recipe(t *testing.T, settings ...string) *Recipe {
	t.Helper()
	r := New()
	for i := 0; i < len(settings); i += 2 {
		if err := r.Set(settings[i], settings[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// openData reads a file of a folder.
func openData(t *testing.T, folder, name string, settings ...string) (*Data, *Recipe) {
	t.Helper()
	r := recipe(t, settings...)
	d, err := Open(t.Context(), Place{}, filepath.Join(folder, name), r, nil)
	if err != nil {
		t.Fatal(err)
	}
	return d, r
}

func TestARecipeTakesWhatFlagsTake(t *testing.T) {
	r := recipe(t, "features", `a,"b,c"`, "clusters", "3", "scale", "zscore")
	for name, want := range map[string]string{"features": `a,"b,c"`, "clusters": "3",
		"scale": "zscore", "starts": "", "missing": "refuse"} {
		if got, ok := r.Get(name); !ok || got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if len(r.Features) != 2 || r.Features[1] != "b,c" {
		t.Errorf("features %q", r.Features)
	}
	if err := New().Set("threads", "100000000"); err == nil {
		t.Error("a hundred million threads are taken")
	}
	for name, value := range map[string]string{"clusters": "many", "scale": "big", "nothing": "1",
		"starts": "-1", "threads": "x", "tail": "2", "tolerance": "NaN"} {
		before, _ := r.Get(name)
		var slip fault.Setting
		if err := r.Set(name, value); !errors.As(err, &slip) {
			t.Errorf("--%s %s: %v", name, value, err)
		}
		if after, _ := r.Get(name); after != before {
			t.Errorf("--%s became %q though it was refused", name, after)
		}
	}
	c := r.Copy()
	if err := r.Set("features", "d"); err != nil || len(r.Features) != 1 {
		t.Errorf("a list set again is %q", r.Features)
	}
	if len(c.Features) != 2 || c.Scale != "zscore" {
		t.Errorf("the copy has features %q and scale %q", c.Features, c.Scale)
	}
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	c.Flags(fs)
	if err := fs.Parse([]string{"-k", "5", "--features", "x", "--features", "y,z"}); err != nil ||
		c.params["clusters"] != "5" || !c.Given("clusters") ||
		!slices.Equal(c.Features, []string{"x", "y", "z"}) {
		t.Errorf("%v, clusters %s, features %q", err, c.params["clusters"], c.Features)
	}
}

// TestAProjectRemembers: what is remembered and recalled is what was set, and what is given again
// wins.
func TestAProjectRemembers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfN(rapid.StringMatching(`[a-z," ]{1,6}`), 1, 4).Draw(t, "features")
		r := New()
		r.Features, r.Embedding, r.MethodName = names, "/data/v.npy", "evclus"
		for name, text := range map[string]string{"clusters": "4", "pairs": "0",
			"seed": strconv.FormatUint(rapid.Uint64().Draw(t, "seed"), 10)} {
			if err := r.Set(name, text); err != nil {
				t.Fatal(err)
			}
		}
		project := "/projects/p.kindred"
		h := store.Header{Method: "evclus", Settings: r.Remember(project), Given: true}
		if h.Settings["embedding"] != "../data/v.npy" {
			t.Fatalf("the path is kept as %s", h.Settings["embedding"])
		}
		back := New()
		if err := back.Set("clusters", "2"); err != nil {
			t.Fatal(err)
		}
		said, err := back.Recall(h, project)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(names, back.Features); diff != "" || back.Seed() != r.Seed() ||
			back.Embedding != r.Embedding || back.params["clusters"] != "2" ||
			back.params["pairs"] != "0" || back.Given("pairs") || back.MethodName != "evclus" {
			t.Fatalf("%s %+v", diff, back)
		}
		if changes := back.Changes(h, project); !slices.Equal(changes,
			[]Change{{"clusters", "4", "2"}}) {
			t.Fatalf("changed %+v", changes)
		}
		if !strings.Contains(strings.Join(said, " "), "--method evclus") {
			t.Fatalf("said %q", said)
		}
		other := New()
		other.MethodName = "cobra"
		if _, err := other.Recall(h, project); !fault.IsInput(err) {
			t.Fatalf("another method: %v", err)
		}
		set := New()
		if err := set.Set("method", "kevclus"); err != nil {
			t.Fatal(err)
		}
		if _, err := set.Recall(h, project); err != nil || set.MethodName != "kevclus" ||
			set.params["clusters"] != "4" {
			t.Fatalf("a method that was set: %v, %s", err, set.MethodName)
		}
	})
}

// TestAProjectOfTheFirstEdition holds all settings, with zeros where nothing was given: they mean
// what they meant.
func TestAProjectOfTheFirstEdition(t *testing.T) {
	h := store.Header{Method: "evclus", Settings: map[string]string{
		"id": "", "label": "class", "features": "", "drop": `a,"b,c"`, "format": "",
		"scale": "zscore", "duplicates": "keep", "missing": "refuse", "dissimilarity": "false",
		"labels": "", "pictures": "", "metric": "", "text": "", "series": "", "images": "",
		"embedding": "", "dimensions": "0", "band": "0", "edit-cost": "0", "clusters": "3",
		"partners": "0", "d0": "quantile:0.5", "tail": "0", "transform": "exp", "focal": "",
		"pairs": "0", "xi": "0", "constraints": "", "tolerance": "0", "super-instances": "0",
		"starts": "0", "max-iterations": "0", "seed": "0", "contradictions": "refuse", "eps": "0",
		"min-points": "0", "new-clusters": "false", "neighbours": "0", "bandwidth": "0",
		"eigenvectors": "0", "graph": "", "fuzziness": "0", "set-penalty": "0",
		"noise-distance": "0", "link-weight": "0", "cluster-metric": "", "shared-metric": "false",
		"linkage": "", "cut": "0", "likelihood": "", "smoothing": "0", "unlabelled-weight": "0",
		"quantile": "0", "error-rate": "0", "strategy": "", "links": "known.csv",
		"of-a-later-one": "x",
	}}
	r := New()
	said, err := r.Recall(h, "/projects/p.kindred")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"--method evclus", "--label class", `--drop a,"b,c"`, "--scale zscore",
		"--clusters 3", "--d0 quantile:0.5", "--links /projects/known.csv"}
	if diff := cmp.Diff(want, said); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]string{"clusters": "3", "d0": "quantile:0.5"},
		r.params); diff != "" {
		t.Error(diff)
	}
	if changes := r.Changes(h, "/projects/p.kindred"); changes != nil {
		t.Errorf("changed %+v", changes)
	}
}

// TestZerosOfTheFirstEdition: where 0 meant the default, it still does.
func TestZerosOfTheFirstEdition(t *testing.T) {
	r := recipe(t, "super-instances", "20", "starts", "3", "strategy", "npu")
	for name, text := range map[string]string{"super-instances": "0", "starts": "0",
		"strategy": ""} {
		if err := r.Set(name, text); err != nil || r.params[name] != "" || !r.Given(name) {
			t.Errorf("--%s %q: %v", name, text, err)
		}
	}
	h := store.Header{Method: "cobra", Settings: map[string]string{"starts": "7"}, Given: true}
	if _, err := r.Recall(h, "p.kindred"); err != nil || r.params["starts"] != "" {
		t.Errorf("%v: the project's starts come back: %q", err, r.params["starts"])
	}
}

const people = `id,name,age,note,class
a,Ann,30,quick,x
b,Bob,31,quick,y
c,Cleo,70,slow,x
`

// TestCardsHideTheClass, whether it was named or looks like one, and show the rest.
func TestCardsHideTheClass(t *testing.T) {
	folder := write(t, map[string]string{"people.csv": people})
	for _, settings := range [][]string{{"label", "class"}, {}} {
		d, _ := openData(t, folder, "people.csv", settings...)
		want := Card{Row: 0, ID: "a",
			Fields: []Field{{Name: "name", Value: "Ann", Aside: true}, {Name: "age", Value: "30"},
				{Name: "note", Value: "quick"}}}
		if diff := cmp.Diff(want, d.Card(0)); diff != "" {
			t.Error(diff)
		}
		var marks []string
		for _, f := range d.Compare(0, 1) {
			marks = append(marks, f.Name+f.Mark)
		}
		if got := strings.Join(marks, " "); got != "name≠ age~ note" {
			t.Errorf("compared as %q", got)
		}
		if row, ok := d.Row("c"); !ok || row != 2 || d.ID(2) != "c" || d.Kind() != "fields" {
			t.Errorf("row %d %v, kind %s", row, ok, d.Kind())
		}
	}
}

// TestCardsAreBounded: whatever is in the data, a card is small.
func TestCardsAreBounded(t *testing.T) {
	var head, row strings.Builder
	for i := range 100 {
		if i > 0 {
			head.WriteByte(',')
			row.WriteByte(',')
		}
		head.WriteString("c" + strings.Repeat("x", i))
		row.WriteString("1")
	}
	text := head.String() + ",story\n"
	for range 4 {
		text += row.String() + `,"` + strings.Repeat("ä word ", 5000) + "\"\n"
	}
	long := `{"curve":[` + strings.Repeat("1,", 4999) + `2]}` + "\n" + `{"curve":[1,2]}` + "\n" +
		`{"curve":[3]}` + "\n"
	folder := write(t, map[string]string{"wide.csv": text, "long.jsonl": long})
	d, _ := openData(t, folder, "wide.csv")
	c := d.Card(0)
	if len(c.Fields) != maxFields || !c.Truncated {
		t.Errorf("%d fields, truncated %v", len(c.Fields), c.Truncated)
	}
	if n := len(d.Compare(0, 1)); n != maxFields {
		t.Errorf("%d fields compared", n)
	}
	d, _ = openData(t, folder, "wide.csv", "text", "story", "metric", "levenshtein", "clusters",
		"2")
	if c := d.Card(1); len(c.Text) > maxText || len(c.Text) < maxText-4 || !c.Truncated ||
		d.Kind() != "text" {
		t.Errorf("%d bytes of text", len(c.Text))
	}
	d, _ = openData(t, folder, "long.jsonl", "series", "curve", "clusters", "2")
	if c := d.Card(0); len(c.Series) != maxPoints || c.Series[0] != 1 ||
		math.Abs(c.Series[maxPoints-1]-1.2) > 1e-9 || !c.Truncated {
		t.Errorf("%d points, the last %v", len(c.Series), c.Series[len(c.Series)-1])
	}
	if c := d.Card(1); len(c.Series) != 2 || c.Truncated || len(c.Fields) != 0 {
		t.Errorf("%+v", c)
	}
}

// TestARootIsNeverLeft: neither by the name of data, nor by a setting, nor by a link in the file
// system.
func TestARootIsNeverLeft(t *testing.T) {
	outside := write(t, map[string]string{"secret.csv": "x,y\n1,2\n3,4\n5,7\n",
		"links.csv": "a,b,link\n1,2,same\n"})
	folder := write(t, map[string]string{"in.csv": "x,y\n1,2\n3,4\n5,7\n",
		"links.csv": "a,b,link\n1,2,same\n", "sub/m.csv": "0,1,2\n1,0,3\n2,3,0\n"})
	for _, name := range []string{"secret.csv", "links.csv"} {
		if err := os.Symlink(filepath.Join(outside, name),
			filepath.Join(folder, "to-"+name)); err != nil {
			t.Skip("no symbolic links here")
		}
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	place := Place{Root: root, Folder: outside}
	up, _ := filepath.Rel(folder, outside)
	for _, name := range []string{"to-secret.csv", filepath.Join(outside, "secret.csv"),
		filepath.Join(up, "secret.csv"), "sub/../../" + filepath.Base(outside) + "/secret.csv",
		"secret", "..", "/etc/hostname", "http://example.org/x.csv",
		"sub/../../../../etc/hostname"} {
		if _, err := Open(t.Context(), place, name, New(), nil); !fault.IsInput(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, links := range []string{"to-links.csv", filepath.Join(outside, "links.csv"),
		filepath.Join(up, "links.csv")} {
		r := recipe(t, "links", links)
		d, err := Open(t.Context(), place, "in.csv", r, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Begin(t.Context(), d, nil); !fault.IsInput(err) {
			t.Errorf("links %s: %v", links, err)
		}
		for _, setting := range []string{"labels", "pictures", "focal"} {
			r := recipe(t, "dissimilarity", "true", setting, links, "clusters", "2")
			d, err := Open(t.Context(), place, "sub/m.csv", r, nil)
			if err == nil { // sets are read when the fit begins
				_, err = r.Begin(t.Context(), d, nil)
			}
			if !fault.IsInput(err) {
				t.Errorf("--%s %s: %v", setting, links, err)
			}
		}
		if _, err := Open(t.Context(), place, "in.csv", recipe(t, "embedding", links),
			nil); !fault.IsInput(err) {
			t.Errorf("--embedding %s: %v", links, err)
		}
	}
	r := recipe(t, "links", "links.csv")
	d, err := Open(t.Context(), place, "in.csv", r, nil)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := r.Begin(t.Context(), d, nil); err != nil || len(b.Problem.Links) != 1 {
		t.Errorf("links in the root: %v", err)
	}
	// What a project keeps leads back to the same files.
	project := filepath.Join(folder, "p.kindred")
	h := store.Header{Path: Stored("in.csv", project, place), Method: "cobra",
		Settings: r.Remember(project)}
	if h.Path != "in.csv" || h.Settings["links"] != "links.csv" {
		t.Errorf("kept as %q and %q", h.Path, h.Settings["links"])
	}
	if name, err := DataOf(h, project, place); err != nil || name != "in.csv" {
		t.Errorf("%s %v", name, err)
	}
	h.Path = filepath.ToSlash(filepath.Join(up, "secret.csv"))
	if name, err := DataOf(h, project, place); !fault.IsInput(err) {
		t.Errorf("a project that names data outside: %s %v", name, err)
	} else if strings.Contains(err.Error(), "there is no") {
		t.Errorf("data that are outside are said to be nowhere: %v", err)
	}
}

func TestOpeningEnds(t *testing.T) {
	folder := write(t, map[string]string{"people.csv": people})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Open(ctx, Place{}, filepath.Join(folder, "people.csv"), New(),
		nil); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}
