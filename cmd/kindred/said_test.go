package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestUnmetLinksOnce: a method that counts the links it did not meet says so alone.
func TestUnmetLinksOnce(t *testing.T) {
	dir := t.TempDir()
	links := filepath.Join(dir, "links.csv")
	// The first rows of iris are of one species.
	clash := "a,b,link\n1,2,same\n2,3,same\n1,3,different\n"
	if err := os.WriteFile(links, []byte(clash), 0o600); err != nil {
		t.Fatal(err)
	}
	_, said := command(t, "ask", "iris", "--label", "class", "--oracle", "labels", "--budget", "10",
		"--method", "cobras", "--links", links, "--contradictions", "keep",
		"--project", filepath.Join(dir, "p.kindred"))
	if n := strings.Count(said, " not met") + strings.Count(said, " violated"); n != 1 {
		t.Errorf("links that are not met are counted %d times in %s", n, said)
	}
}

// TestWordsBesideColumns: keywords of texts that stand beside columns have a line of their own.
func TestWordsBesideColumns(t *testing.T) {
	dir := t.TempDir()
	notes := filepath.Join(dir, "notes.csv")
	var rows strings.Builder
	rows.WriteString("id,note,amount,class\n")
	for i := range 24 {
		rows.WriteString([]string{"a", "b"}[i%2] + string(rune('a'+i)) + "," + []string{
			"the card was lost in the rain", "how do i change my pin code"}[i%2] + "," +
			[]string{"1", "9"}[i%2] + "," + []string{"x", "y"}[i%2] + "\n")
	}
	if err := os.WriteFile(notes, []byte(rows.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	_, said := command(t, "ask", notes, "--text", "note", "--features", "amount", "--label", "class",
		"--oracle", "labels", "--budget", "10", "--project", filepath.Join(dir, "p.kindred"))
	for _, want := range []string{"\n    words: card (100 %", "\n    amount 1"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in %s", want, said)
		}
	}
}

// TestDataComeFirst: what is said about the data comes before what is said about the fit, that
// before the results, and files come last.
func TestDataComeFirst(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		args []string
		want []string // in order
	}{
		{[]string{"cluster", "iris", "--method", "dbscan", "-k", "3", "--label", "class", "--out",
			"g.csv", "--plot", "g.svg"},
			[]string{"iris: 150 rows", "--clusters means nothing", "Eps ", "unless flags say",
				"dbscan found", "against class", "group 1:", "is in g.csv", "is in g.svg"}},
		{[]string{"predict", "k.model", "iris", "--out", "p.csv"},
			[]string{"named by their numbers", "placed into"}},
		{[]string{"neighbours", "wine", "--out", "n.csv"},
			[]string{"not a feature", "of each of 178 rows", "is in n.csv"}},
		{[]string{"links", "notes.csv", "--text", "note", "--rules", "rules.txt", "--out", "l.csv"},
			[]string{"notes.csv: 2 rows", "the rules make", "in l.csv"}},
	} {
		command(t, "cluster", "iris", "-k", "3", "--model", "k.model", "--out", "k.csv")
		write(t, "notes.csv", "id,note\na,orbit moon\nb,moon in orbit\n")
		write(t, "rules.txt", "space: orbit, moon\n")
		code, said := command(t, c.args...)
		rest := said
		for _, want := range c.want {
			at := strings.Index(rest, want)
			if at < 0 {
				t.Errorf("%q (%d): %q is not behind what comes before it in\n%s", c.args, code,
					want, said)
				break
			}
			rest = rest[at:]
		}
	}
}

// write writes a file of a test.
func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
