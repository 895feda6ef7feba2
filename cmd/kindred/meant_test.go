package main

import (
	"strings"
	"testing"
)

// TestSuggestions: what is suggested is near, and can be used.
func TestSuggestions(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "customers.csv", "a,b\n1,2\n")
	for line, want := range map[string]string{
		"clustr iris":                       `did you mean kindred cluster?`,
		"group iris":                        `did you mean kindred cluster?`,
		"info iris":                         `did you mean kindred data info?`,
		"data infos iris":                   `did you mean kindred data info?`,
		"customers.csv":                     `give kindred ask customers.csv or kindred cluster`,
		"frobnicate":                        `unknown command "frobnicate" for "kindred"; see`,
		"cluster iris --lable class":        "did you mean --label?",
		"cluster iris --n-clusters 3":       "did you mean --clusters?",
		"cluster iris --min-samples 3":      "did you mean --min-points, a parameter of ",
		"cluster iris --epochz 3":           "did you mean --epochs, a parameter of ",
		"cluster iris --people ann":         "it is a flag of kindred serve\n",
		"demo --project x":                  "it is a flag of kindred ask\n",
		"score a b --metric euclidean":      "it is a flag of kindred ask, ",
		"cluster iris --zigzag 3":           "see kindred cluster --help",
		"cluster iris -z 3":                 "see kindred cluster --help",
		"cluster irsi -k 3":                 "did you mean iris?",
		"cluster custmers.csv -k 3":         "did you mean customers.csv?",
		"cluster nothing.csv -k 3":          "check the spelling",
		"cluster iris --method ward -k 3":   "did you mean agglomerative?",
		"cluster iris --method xyz -k 3":    "; kindred methods lists them all",
		"cluster iris --method hdbscn -k 3": "did you mean hdbscan?",
	} {
		code, said := command(t, strings.Fields(line)...)
		if code == 0 || !strings.Contains(said, want) {
			t.Errorf("kindred %s ends with %d: %s", line, code, said)
		}
	}
	if code, said := command(t); code != 0 || !strings.Contains(said, "Available Commands") {
		t.Errorf("kindred alone ends with %d: %s", code, said)
	}
}
