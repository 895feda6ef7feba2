package project_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// TestTextsAreEncodedOnce: a project keeps the vectors of its texts beside its file, for its owner
// alone, and opening it again encodes only texts that are new.
func TestTextsAreEncodedOnce(t *testing.T) {
	var sent atomic.Int64
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct{ Input []string }
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			t.Error(err)
		}
		var data []any
		for _, text := range q.Input {
			data = append(data, map[string]any{"embedding": []float64{
				float64(strings.Count(text, "boat")), 1, float64(len(text))}})
		}
		sent.Add(int64(len(q.Input)))
		if err := json.NewEncoder(w).Encode(map[string]any{"data": data}); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(s.Close)
	folder := t.TempDir()
	data, path := filepath.Join(folder, "stories.csv"), filepath.Join(folder, "stories.kindred")
	var b strings.Builder
	b.WriteString("key,story\n")
	for i := range 12 {
		fmt.Fprintf(&b, "k%d,the %s was lost in the rain on day %d\n", i,
			[]string{"boat", "soup"}[i%2], i)
	}
	if err := os.WriteFile(data, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	settings := []string{"text", "story", "encoder", s.URL + "/v1", "encoder-model", "small"}
	d := open(t, path, data, settings...)
	first, clusters := labels(t, d)
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path + ".vectors")
	if err != nil || info.Mode().Perm() != 0o600 || sent.Load() != 12 {
		t.Fatalf("%v, %v, %d texts were sent", info, err, sent.Load())
	}
	for _, c := range []struct {
		settings []string
		sent     int64
	}{
		{nil, 12},
		{[]string{"encoder-cache", filepath.Join(folder, "mine")}, 24},
		{[]string{"encoder-cache", filepath.Join(folder, "mine")}, 24},
		{[]string{"encoder-cache", "none"}, 36},
		{[]string{"encoder-cache", "none"}, 48},
	} {
		d := open(t, path, data, append(c.settings, settings...)...)
		again, k := labels(t, d)
		if fmt.Sprint(again, k) != fmt.Sprint(first, clusters) || sent.Load() != c.sent {
			t.Errorf("%v: %d texts were sent, want %d; groups %v, want %v", c.settings, sent.Load(),
				c.sent, again, first)
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
