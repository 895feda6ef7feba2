package main

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// completed returns what a shell is offered for the last word of a command line, without
// descriptions, and what it is to do with that.
func completed(t *testing.T, args ...string) (words []string, how string) {
	t.Helper()
	out := outputOf(t, append([]string{"__completeNoDesc"}, args...)...)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	return lines[:len(lines)-1], lines[len(lines)-1]
}

// TestCompletion: shells are offered what a command takes, by the command line so far.
func TestCompletion(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"customers.csv": "id,age,city,note\n1,20,Ulm,ab\n2,30,Bonn,cd\n",
		"groups.csv":    "row,group\n1,1\n2,1\n", "iris-more.csv": "a,b\n1,2\n", "taken.svg": "",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir("photos", 0o700); err != nil {
		t.Fatal(err)
	}
	command(t, "ask", "customers.csv", "--features", "age,city", "--label", "note", "--oracle",
		"labels", "--project", "mine.kindred")
	const files, exact, grow, only, dirs = ":0", ":4", ":6", ":8", ":16"
	for _, c := range []struct {
		line, want, how string // the words of line, and of want; the last one is typed so far
	}{
		{"cluster|", "iris wine digits customers.csv groups.csv iris-more.csv mine.kindred " +
			"photos/ taken.svg", grow},
		{"cluster|ir", "iris iris-more.csv", exact},
		{"cluster|cust", "", files},
		{"cluster|iris|", "", exact},
		{"demo|w", "wine", exact},
		{"methods|hd", "hdbscan", exact},
		{"data|make|mo", "moons", exact},
		{"reproduce|cobra", "cobra-2017", exact},
		{"data|in", "info", exact},
		{"version|", "", exact},
		{"cluster|iris|--method|hdb", "hdbscan", exact},
		{"ask|iris|--method|hdb", "hdbscan", exact},
		{"ask|iris|--method|dbsc", "", exact},
		{"stream|iris|--method|", "crpcl fscl olcvqe rpcl wta", exact},
		{"cluster|iris|--method|hdbscan|--selection|", "eom leaf", exact},
		{"cluster|iris|--scale|m", "minmax", exact},
		{"stream|iris|--scale|m", "minmax", exact},
		{"cluster|iris|--plot|p.svg|--picture|den", "dendrogram", exact},
		{"cluster|iris|--plot|p.svg|--layout|", "neighbours pca mds", exact},
		{"cluster|iris|--encoder|b", "builtin", files},
		{"cluster|customers.csv|--label|", "id age city note", exact},
		{"cluster|customers.csv|--label|c", "city", exact},
		{"cluster|iris|--label|cl", "class", exact},
		{"ask|customers.csv|--drop|city,", "city,id city,age city,note", grow},
		{"cluster|customers.csv|--column-weights|a", "age=", grow},
		{"ask|mine.kindred|--label|ci", "city", exact},
		{"plot|mine.kindred|--id|ci", "city", exact},
		{"plot|groups.csv|--data|customers.csv|--label|ag", "age", exact},
		{"score|groups.csv|customers.csv|--label|ag", "age", exact},
		{"score|groups.csv|customers.csv|--pred-column|", "row group", exact},
		{"cluster|nowhere.csv|--label|", "", exact},
		{"cluster|--label|", "", exact},
		{"cluster|iris|--out|g", "csv parquet jsonl", only}, // there is groups.csv
		{"cluster|iris|--out|new", "new.csv new.parquet new.jsonl", exact},
		{"cluster|iris|--out|new.p", "new.parquet", exact},
		{"cluster|iris|--plot|", "svg png", only},
		{"ask|iris|--project|", "kindred", only},
		{"reproduce|all|--datasets|", "", dirs},
		{"cluster|iris|--links|", "", files},
		{"cluster|iris|--seed|", "", exact},
		{"cluster|iris|--min-p", "--min-points", exact},
		{"cluster|iris|--method|kmeans|--min-p", "", exact},
		{"cluster|iris|--method|hdbscan|--min-p", "--min-points", exact},
		{"predict|", "", files},
		{"predict|g.model|w", "wine", exact},
	} {
		got, how := completed(t, strings.Split(c.line, "|")...)
		if !slices.Equal(got, strings.Fields(c.want)) || how != c.how {
			t.Errorf("kindred %s: %q %s, want %q %s", strings.ReplaceAll(c.line, "|", " "), got,
				how, c.want, c.how)
		}
	}
}

// TestCompletionOfParameters: those of the method that is named are offered, and only they.
func TestCompletionOfParameters(t *testing.T) {
	none, _ := completed(t, "cluster", "iris", "--")
	with, _ := completed(t, "cluster", "iris", "--method=hdbscan", "--")
	if slices.Contains(none, "--min-cluster-size") ||
		!slices.Contains(with, "--min-cluster-size") || slices.Contains(with, "--fuzzifier") {
		t.Errorf("without a method %q; with hdbscan %q", none, with)
	}
}

// TestCompletionScripts: each shell has one.
func TestCompletionScripts(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if text := outputOf(t, "completion", shell); !strings.Contains(text, "__complete") {
			t.Errorf("kindred completion %s: %.200s", shell, text)
		}
	}
}
