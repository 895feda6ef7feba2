package main

import (
	"encoding/json"
	"os"
	"testing"
)

// TestJSONCarriesTheRows: what --json writes has the rows where no file does.
func TestJSONCarriesTheRows(t *testing.T) {
	t.Chdir(t.TempDir())
	notes := "id,note\n"
	for _, n := range []string{"a,orbit moon", "b,moon in orbit", "c,doctor disease",
		"d,disease and doctor"} {
		notes += n + "\n"
	}
	for name, text := range map[string]string{"notes.csv": notes,
		"rules.txt": "space: orbit, moon\nhealth: doctor, disease\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	outputOf(t, "cluster", "iris", "-k", "3", "--model", "k.model", "--out", "k.csv")
	outputOf(t, "cluster", "iris", "--method", "evclus", "-k", "3", "--model", "e.model", "--out",
		"e.csv")
	for _, c := range []struct {
		list, key string // the array, and a key of its rows
		rows      int
		args      []string
	}{
		{"labels", "cluster", 150, []string{"cluster", "iris", "-k", "3"}},
		{"labels", "lower", 150, []string{"cluster", "iris", "--method", "evclus", "-k", "3"}},
		{"labels", "strength", 150, []string{"cluster", "iris", "--method", "hdbscan"}},
		{"labels", "cluster", 150, []string{"predict", "k.model", "iris"}},
		{"labels", "upper", 150, []string{"predict", "e.model", "iris"}},
		{"links", "link", 6, []string{"links", "notes.csv", "--text", "note", "--rules",
			"rules.txt"}},
	} {
		var with, without map[string]any
		for _, to := range []*map[string]any{&with, &without} {
			args := append(c.args, "--json")
			if to == &without {
				args = append(args, "--out", "rows.csv")
			}
			if err := json.Unmarshal([]byte(outputOf(t, args...)), to); err != nil {
				t.Fatalf("%q: %v", args, err)
			}
		}
		rows, _ := with[c.list].([]any)
		if len(rows) != c.rows {
			t.Errorf("%q has %d %s, want %d", c.args, len(rows), c.list, c.rows)
			continue
		}
		if _, has := rows[0].(map[string]any)[c.key]; !has {
			t.Errorf("%q: a row of %s is %v", c.args, c.list, rows[0])
		}
		if without[c.list] != nil {
			t.Errorf("%q with --out has %s, too", c.args, c.list)
		}
	}
}
