package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEncodersOnTheCommandLine: in a folder, and behind an endpoint, whose host is shown before
// texts are sent, once.
func TestEncodersOnTheCommandLine(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	var rows strings.Builder
	rows.WriteString("id,note\n")
	for i := range 12 {
		fmt.Fprintf(&rows, "r%d,the %s was late number %d\n", i, []string{"card", "rain"}[i%2], i)
	}
	if err := os.WriteFile(in("notes.csv"), []byte(rows.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	const mean, cls = "../../data/encode/folder/testdata/mean", "../../data/encode/folder/testdata/cls"
	sent := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct{ Input []string }
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			t.Error(err)
		}
		if r.Header.Get("Authorization") != "Bearer very-secret" {
			t.Errorf("the key is %q", r.Header.Get("Authorization"))
		}
		var data []any
		for i, text := range q.Input {
			kind := strings.Count(text, "card")
			data = append(data, map[string]any{"index": i, "embedding": []int{kind, 1 - kind}})
		}
		sent += len(q.Input)
		if err := json.NewEncoder(w).Encode(map[string]any{"data": data}); err != nil {
			t.Error(err)
		}
	}))
	defer server.Close()
	t.Setenv("KINDRED_ENCODER_KEY", "very-secret")
	cluster := func(args ...string) []string {
		return append([]string{"cluster", in("notes.csv"), "--text", "note", "-k", "2", "--out",
			in("g.csv"), "--model", in("g.model"), "--encoder-cache", in("vectors")}, args...)
	}
	predict := func(args ...string) []string {
		return append([]string{"predict", in("g.model"), in("notes.csv"), "--out", in("p.csv")},
			args...)
	}
	endpoint := server.URL + "/v1"
	for _, c := range []struct {
		args []string
		code int
		says string
		sent int
	}{
		{cluster("--encoder", mean), 0, "testdata/mean is a BERT of 2 layers", 0},
		{predict(), 0, "12 rows placed", 0},
		{predict("--encoder", cls), 3, "another encoder", 0},
		{cluster("--encoder", mean, "--encoder-prompt", "query: "), 0, `"query: " before each`, 0},
		{predict("--encoder", mean), 0, "12 rows placed", 0},
		{cluster("--encoder", "nothing"), 2, "there is no such encoder", 0},
		{cluster("--encoder", "./nothing"), 3, "there is no such folder", 0},
		{cluster("--encoder", "http://192.0.2.1/v1", "--encoder-model", "m"), 2, "--allow-remote", 0},
		{cluster("--encoder", endpoint, "--encoder-model", "m"), 0,
			"texts are sent to " + strings.TrimPrefix(server.URL, "http://") + " (model m)", 12},
		{cluster("--encoder", endpoint, "--encoder-model", "m"), 0,
			"0 texts sent, 12 known from earlier", 12},
		{predict("--encoder-cache", in("vectors")), 0, "12 rows placed", 12},
		{predict("--encoder-cache", "none"), 0, "12 rows placed", 24},
	} {
		code, said := command(t, c.args...)
		if code != c.code || !strings.Contains(said, c.says) || sent != c.sent ||
			strings.Contains(said, "very-secret") {
			t.Errorf("%v: exit %d, %d texts sent: %s", c.args, code, sent, said)
		}
	}
}
