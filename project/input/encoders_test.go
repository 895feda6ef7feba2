package input

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/model"
)

// small copies the folder of a small encoder into another, under a name.
func small(t *testing.T, folder, name string) {
	t.Helper()
	if err := os.CopyFS(filepath.Join(folder, name),
		os.DirFS("../../data/encode/folder/testdata/mean")); err != nil {
		t.Fatal(err)
	}
}

// embeddings serves vectors that go by the first letter and the length of texts, and counts texts.
func embeddings(t *testing.T) (address string, sent func() int) {
	t.Helper()
	var lock sync.Mutex
	count := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct{ Input []string }
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			t.Error(err)
		}
		lock.Lock()
		count += len(q.Input)
		lock.Unlock()
		var data []any
		for _, text := range q.Input {
			kind := float64(strings.Count(text, "a") - strings.Count(text, "o"))
			data = append(data, map[string]any{"embedding": []float64{kind, 1, float64(len(text))}})
		}
		if err := json.NewEncoder(w).Encode(map[string]any{"data": data}); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1", func() int {
		lock.Lock()
		defer lock.Unlock()
		return count
	}
}

// modelOf writes a model of two clusters of data.
func modelOf(t *testing.T, d *Data, r *Recipe, path string) {
	t.Helper()
	fit, err := kmeans.Fit(t.Context(), d.Ready.X, kmeans.Config{Clusters: 2})
	if err != nil {
		t.Fatal(err)
	}
	by, err := Find(r.MethodName)
	if err != nil {
		t.Fatal(err)
	}
	m := &method.Model{Means: fit.Centers, ClusterOf: []int{1, 2}}
	d.Sign(m, by)
	if err := model.Save(m, path); err != nil {
		t.Fatal(err)
	}
}

func TestEncodersInAFolder(t *testing.T) {
	folder := write(t, map[string]string{"stories.csv": stories()})
	small(t, folder, "minilm")
	dir := filepath.Join(folder, "minilm")
	d, r := openData(t, folder, "stories.csv", "text", "story", "encoder", dir)
	if d.Encoder == nil || d.Encoder.Name != dir || d.Ready.X.Cols != 24 ||
		!strings.Contains(strings.Join(d.Notes(), "; "), "minilm is a BERT of 2 layers") {
		t.Fatalf("%+v, %v", d.Encoder, d.Notes())
	}
	if kept := r.Remember(filepath.Join(folder, "p.kindred"))["encoder"]; kept != "minilm" {
		t.Errorf("a project keeps the folder %q", kept)
	}
	path, data := filepath.Join(folder, "m.model"), filepath.Join(folder, "stories.csv")
	for _, cache := range []string{"", noCache, filepath.Join(folder, "mine")} {
		s := r.Source
		s.EncoderCache = cache
		at := Place{Vectors: filepath.Join(folder, "p.kindred.vectors")}
		if _, err := s.take(t.Context(), at, data, nil, manner{vectors: true}, nil); err != nil {
			t.Fatal(err)
		}
		kept := cmp.Or(cache, at.Vectors)
		if _, err := os.Stat(kept); (err == nil) != (cache != noCache) {
			t.Errorf("--encoder-cache %q: %v", cache, err)
		}
		os.Remove(kept)
	}
	modelOf(t, d, r, path)
	label := func(s Source) []int {
		t.Helper()
		m, err := model.Load(path)
		if err != nil {
			t.Fatal(err)
		}
		_, rows, _, err := s.ForModel(t.Context(), Place{}, m, data, nil)
		if err != nil {
			t.Fatal(err)
		}
		labels, _, err := model.Predict(t.Context(), m, rows, 1)
		if err != nil {
			t.Fatal(err)
		}
		return labels
	}
	want := label(Source{})
	if err := os.Rename(dir, dir+"2"); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(label(Source{Encoder: dir + "2"}), want) {
		t.Error("the encoder in another folder places other texts")
	}
	m, err := model.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, _, err := (Source{}).ForModel(t.Context(), Place{}, m, data, nil); !fault.IsInput(err) {
		t.Errorf("without the folder: %v", err)
	}
	config := filepath.Join(dir+"2", "config.json")
	text, err := os.ReadFile(config)
	if err != nil {
		t.Fatal(err)
	}
	text = []byte(strings.Replace(string(text), "1e-05", "1e-06", 1))
	if err := os.WriteFile(config, text, 0o600); err != nil {
		t.Fatal(err)
	}
	_, _, _, err = Source{Encoder: dir + "2"}.ForModel(t.Context(), Place{}, m, data, nil)
	if !fault.IsInput(err) || !strings.Contains(err.Error(), "another encoder") {
		t.Errorf("with another encoder: %v", err)
	}
}

func TestEncodersBehindAnEndpoint(t *testing.T) {
	folder := write(t, map[string]string{"stories.csv": stories()})
	address, sent := embeddings(t)
	data := filepath.Join(folder, "stories.csv")
	var notes []string
	place := Place{Vectors: filepath.Join(folder, "p.vectors"),
		Notify: func(note string) { notes = append(notes, note) }}
	settings := []string{"text", "story", "encoder", address, "encoder-model", "m"}
	open := func() (*Data, *Recipe) {
		t.Helper()
		r := recipe(t, settings...)
		d, err := Open(t.Context(), place, data, r, nil)
		if err != nil {
			t.Fatal(err)
		}
		return d, r
	}
	d, r := open()
	if sent() != 20 || len(notes) != 1 || d.Ready.X.Cols != 3 ||
		!strings.Contains(strings.Join(d.Notes(), "; "), ": 20 texts sent") {
		t.Errorf("%d texts sent, %q, %q", sent(), notes, d.Notes())
	}
	open()
	if sent() != 20 || len(notes) != 1 {
		t.Errorf("%d texts sent, %q", sent(), notes)
	}
	path := filepath.Join(folder, "m.model")
	modelOf(t, d, r, path)
	m, err := model.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	_, _, _, err = Source{EncoderCache: noCache}.ForModel(t.Context(), Place{}, m, data, nil)
	if err != nil || sent() != 40 {
		t.Errorf("%d texts sent, %v", sent(), err)
	}
}

func TestEndpointsThatAreNotAllowed(t *testing.T) {
	folder := write(t, map[string]string{"stories.csv": stories()})
	root, err := os.OpenRoot(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	const here, there = "http://127.0.0.1:9/v1", "http://192.0.2.1/v1"
	for _, c := range []struct {
		place    Place
		settings []string
		part     string
	}{
		{Place{}, []string{"encoder", there, "encoder-model", "m"}, "--allow-remote"},
		{Place{}, []string{"encoder", here}, "--encoder-model"},
		{Place{}, []string{"encoder", here, "encoder-model", "m", "dimensions", "5"}, "--dimensions"},
		{Place{Root: root}, []string{"encoder", here, "encoder-model", "m"}, "no endpoint"},
		{Place{}, []string{"encoder", "./none"}, "no such folder"},
		{Place{}, []string{"encoder", "../input/intake_test.go"}, "is a file"},
		{Place{}, []string{"encoder", "../../data/encode/folder/testdata/mean", "encoder-model", "m"},
			"names a folder"},
		{Place{}, []string{"encoder", "127.0.0.1:9/v1", "encoder-model", "m"},
			"give --encoder http://127.0.0.1:9/v1"},
		{Place{}, []string{"encoder", "localhost:9"}, "begins with http://"},
	} {
		name := filepath.Join(folder, "stories.csv")
		if c.place.Root != nil {
			name = "stories.csv"
		}
		r := recipe(t, append([]string{"text", "story", "encoder-cache", "none"}, c.settings...)...)
		_, err := Open(t.Context(), c.place, name, r, nil)
		var slip fault.Setting
		if !fault.IsInput(err) && !errors.As(err, &slip) || !strings.Contains(err.Error(), c.part) {
			t.Errorf("%v: %v", c.settings, err)
		}
	}
}

// TestProjectsDoNotAllowEndpoints: where texts may be sent is for this machine to say, and not for
// a file.
func TestProjectsDoNotAllowEndpoints(t *testing.T) {
	r := recipe(t, "text", "story", "encoder", "http://192.0.2.1/v1", "encoder-model", "m",
		"allow-remote", "true", "encoder-cache", "x")
	kept := r.Remember("p.kindred")
	for _, name := range []string{allowRemote, encoderCache} {
		if value, ok := kept[name]; ok {
			t.Errorf("a project keeps %s %q", name, value)
		}
	}
	if kept["encoder"] != "http://192.0.2.1/v1" || kept["encoder-model"] != "m" {
		t.Errorf("%v", kept)
	}
}
