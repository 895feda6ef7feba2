package project_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kindred-go/kindred/project"
	"github.com/kindred-go/kindred/project/search"
)

// letters writes texts of three matters to a file: of cards, of rates and of names. Each has a
// field, and a class that nobody may see.
func letters(t testing.TB, each int) string {
	t.Helper()
	matters := []struct {
		class string
		words []string
	}{
		{"hidden", strings.Fields("card lost stolen block replace wallet freeze shop")},
		{"secret", strings.Fields("exchange rate currency euro dollar convert foreign pound")},
		{"veiled", strings.Fields("name address change update details personal street house")},
	}
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	b.WriteString("note,city,class\n")
	for i := range each * len(matters) {
		m := matters[i%len(matters)]
		text := []string{"please", "help", "with", "my"}
		for range 6 {
			text = append(text, m.words[r.IntN(len(m.words))])
		}
		fmt.Fprintf(&b, "%s,%s,%s\n", strings.Join(text, " "), []string{"Bern", "Zürich"}[i%2],
			m.class)
	}
	path := filepath.Join(t.TempDir(), "letters.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func query(t testing.TB, text string) search.Query {
	t.Helper()
	q, err := search.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// find looks for objects until the words are read.
func find(t testing.TB, d *project.Project, f project.Find) project.Found {
	t.Helper()
	for {
		found, err := d.Find(t.Context(), f, 0, 1000)
		if err != nil {
			t.Fatal(err)
		}
		if found.Ready {
			return found
		}
		if found.Share < 0 || found.Share > 1 {
			t.Fatalf("a share of %v is read", found.Share)
		}
	}
}

func TestFindByWords(t *testing.T) {
	d := open(t, projectFile(t), letters(t, 20), "text", "note", "label", "class")
	found := find(t, d, project.Find{Query: query(t, "stolen wallet")})
	if found.By != "words" || found.Total == 0 || found.Total != len(found.Members) {
		t.Fatalf("%d of %d by %s", len(found.Members), found.Total, found.By)
	}
	for _, m := range found.Members {
		if !strings.Contains(m.Card.Text, "stolen") || !strings.Contains(m.Card.Text, "wallet") {
			t.Errorf("%q", m.Card.Text)
		}
	}
	if found := find(t, d, project.Find{Query: query(t, "zurich")}); found.Total != 30 {
		t.Errorf("%d in a field", found.Total)
	}
	// True classes are not shown, and not found either.
	if found := find(t, d, project.Find{Query: query(t, "hidden")}); found.Total != 0 {
		t.Errorf("%d by their class", found.Total)
	}
	part, err := d.Find(t.Context(), project.Find{Query: query(t, "zurich")}, 10, 5)
	if err != nil || len(part.Members) != 5 || part.Total != 30 {
		t.Errorf("%d of %d, %v", len(part.Members), part.Total, err)
	}
}

func TestFindByMeaning(t *testing.T) {
	// With vectors of words at hand, a query has a place of its own; without, texts with its words
	// stand for it.
	for _, settings := range [][]string{
		{"text", "note", "label", "class", "dimensions", "6"},
		{"text", "note", "label", "class", "metric", "levenshtein",
			"method", "evclus", "clusters", "3"},
	} {
		d := open(t, projectFile(t), letters(t, 20), settings...)
		found := find(t, d, project.Find{Query: query(t, "exchange currency"), Meaning: true})
		if found.By != "meaning" || found.Total != 60 {
			t.Fatalf("%v: %d by %s", settings, found.Total, found.By)
		}
		for i, m := range found.Members[:5] {
			if m.Card.Row%3 != 1 {
				t.Errorf("%v: the %dth is %q", settings, i+1, m.Card.Text)
			}
		}
		// An unknown word stands for nothing.
		found = find(t, d, project.Find{Query: query(t, "zebra"), Meaning: true})
		if found.Total != 0 || found.Note == "" {
			t.Errorf("%v: %d of a word that no text has, %q", settings, found.Total, found.Note)
		}
	}
}

// A query that no text has a word of, and that none is near to, is said to be far from all; one that
// has a word of theirs, or the meaning of some, is not.
func TestNothingComesClose(t *testing.T) {
	far := func(d *project.Project, words string, want bool) {
		t.Helper()
		found := find(t, d, project.Find{Query: query(t, words), Meaning: true})
		if found.By != "meaning" || found.Total != d.Data().N() || found.Far != want ||
			want != (found.Note != "") {
			t.Errorf("%q: %d by %s, far from all: %v, %q", words, found.Total, found.By, found.Far,
				found.Note)
		}
	}
	d := open(t, projectFile(t), letters(t, 20), "text", "note", "label", "class", "encoder",
		"builtin")
	for words, want := range map[string]bool{"zzzz": true, "xq volcano": true, "stolen": false,
		"zebra walle": false, "exchange currency": false, "my": false, `"-500"`: true} {
		far(d, words, want)
	}
	folder := os.Getenv("KINDRED_DATASETS")
	if folder == "" || testing.Short() {
		t.Skip("KINDRED_DATASETS is not set: the folder with the published data sets")
	}
	d = open(t, projectFile(t), filepath.Join(folder, "banking77.csv"), "text", "text", "label",
		"intent", "clusters", "77")
	for words, want := range map[string]bool{"zzzz": true, "asdf": true, "jupiter moons": true,
		"giraffe": true, "photosynthesis": true,
		"atm": false, "lost card": false, "fees abroad": false, "bankcard": false,
		"purchase with plastic": false} {
		far(d, words, want)
	}
}

func TestFindSimilar(t *testing.T) {
	d := open(t, projectFile(t), "iris", "label", "class", "super-instances", "6")
	row := 7
	found := find(t, d, project.Find{Like: &row})
	if found.By != "likeness" || found.Total != 149 {
		t.Fatalf("%d by %s", found.Total, found.By)
	}
	last := 0.0
	x := d.Data().Ready.X
	for _, m := range found.Members {
		if m.Card.Row == row {
			t.Fatal("it is like itself")
		}
		apart := 0.0
		for j := range x.Cols {
			apart += (x.At(row, j) - x.At(m.Card.Row, j)) * (x.At(row, j) - x.At(m.Card.Row, j))
		}
		if apart < last-1e-5 {
			t.Fatalf("%v after %v", apart, last)
		}
		last = apart
	}
}

func TestFilters(t *testing.T) {
	d, id := open(t, projectFile(t), "iris", "label", "class", "super-instances", "6"), new(ids)
	answer := func(who string, a, b int, answer string) {
		must(t)(d.Answer(t.Context(), who, project.Step{ID: id.next(), A: a, B: b, Answer: answer}))
	}
	answer("ann", 0, 1, "same")
	answer("ann", 0, 140, "different")
	answer("bob", 60, 130, "unknown")
	out, _, err := d.Outcome(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		f    project.Find
		want string
	}{
		{project.Find{Answered: "any"}, "0 1 60 130 140"},
		{project.Find{Answered: "same"}, "0 1"},
		{project.Find{Who: "ann"}, "0 1 140"},
		{project.Find{Who: "bob", Answered: "different"}, ""},
		{project.Find{Who: "bob", Answered: "unknown"}, "60 130"},
	} {
		var rows []string
		for _, m := range find(t, d, c.f).Members {
			rows = append(rows, fmt.Sprint(m.Card.Row))
		}
		if got := strings.Join(rows, " "); got != c.want {
			t.Errorf("%+v: %s, not %s", c.f, got, c.want)
		}
	}
	if found := find(t, d, project.Find{Answered: "none"}); found.Total != 145 {
		t.Errorf("%d without an answer", found.Total)
	}
	group, size := 1, 0
	for _, l := range out.Labels {
		if l == group {
			size++
		}
	}
	if found := find(t, d, project.Find{Group: &group}); found.Total != size {
		t.Errorf("%d of a group of %d", found.Total, size)
	}
	if found := find(t, d, project.Find{}); found.Total != 150 || found.By != "rows" {
		t.Errorf("%d by %s of all", found.Total, found.By)
	}
	_, doubts, err := d.Doubts(t.Context(), 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	if found := find(t, d, project.Find{Doubtful: true}); found.Total != doubts ||
		found.By != "certainty" {
		t.Errorf("%d doubtful by %s, not %d", found.Total, found.By, doubts)
	}
	for _, wrong := range []int{-1, 99, 1000} {
		if _, err := d.Find(t.Context(), project.Find{Group: &wrong}, 0, 1); !errors.Is(err,
			project.ErrNotFound) {
			t.Errorf("group %d: %v", wrong, err)
		}
		if wrong == 99 {
			continue
		}
		if _, err := d.Find(t.Context(), project.Find{Like: &wrong}, 0, 1); !errors.Is(err,
			project.ErrNotFound) {
			t.Errorf("row %d: %v", wrong, err)
		}
	}
}

// TestFindEnds with the request, and with the project.
func TestFindEnds(t *testing.T) {
	d := open(t, projectFile(t), letters(t, 20), "text", "note", "label", "class")
	f := project.Find{Query: query(t, "card")}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := d.Find(ctx, f, 0, 1); err != nil && !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	find(t, d, f)
	d.Close()
	if _, err := d.Find(t.Context(), f, 0, 1); !errors.Is(err, project.ErrClosed) {
		t.Error(err)
	}
}

// TestSuggestedNames come from keywords, and a name that a person gives counts over them.
func TestSuggestedNames(t *testing.T) {
	d, id := open(t, projectFile(t), letters(t, 40), "text", "note", "label", "class",
		"super-instances", "6"), new(ids)
	for row := range 12 {
		must(t)(d.Answer(t.Context(), "", project.Step{ID: id.next(), A: row, B: row + 3,
			Answer: "same"}))
	}
	clusters, _, err := d.Clusters(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, c := range clusters {
		if c.Suggested == "" || seen[c.Suggested] || len(c.Traits) == 0 {
			t.Errorf("group %d is called %q, as others may be: %v", c.Cluster, c.Suggested,
				c.Traits)
		}
		if strings.Contains(c.Suggested, "please") || strings.Contains(c.Suggested, "help") {
			t.Errorf("group %d is called %q by what all have", c.Cluster, c.Suggested)
		}
		seen[c.Suggested] = true
	}
	row := clusters[0].Medoid.Row
	must(t)(d.NameGroup(t.Context(), "", id.next(), row, "Mine"))
	names, err := d.GroupNames(t.Context())
	if err != nil || names[clusters[0].Cluster-1] != "Mine" {
		t.Errorf("%q, %v", names, err)
	}
	scene, err := d.Scene(t.Context())
	if err != nil || scene.ClusterNames[0] != "1 "+names[0] {
		t.Errorf("%q, %v", scene.ClusterNames, err)
	}
}

// BenchmarkSearch reads 10⁵ texts, and looks for words, meaning and likeness among them.
func BenchmarkSearch(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	word := func(k int) string {
		w := ""
		for k++; k > 0; k /= 20 {
			w += string("bcdfghjklmnpqrstvwxz"[k%20]) + string("aeiou"[k%5])
		}
		return w
	}
	var text strings.Builder
	text.WriteString("note\n")
	for range 100_000 {
		text.WriteString("the")
		for range 15 {
			u := r.Float64()
			text.WriteString(" " + word(int(20_000*u*u*u)))
		}
		text.WriteByte('\n')
	}
	path := filepath.Join(b.TempDir(), "notes.csv")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		b.Fatal(err)
	}
	d := open(b, projectFile(b), path, "text", "note")
	began := time.Now()
	find(b, d, project.Find{Query: query(b, "the")})
	reading := time.Since(began).Seconds()
	row, group := 5, 1
	for _, c := range []struct {
		name string
		f    project.Find
	}{
		{"common", project.Find{Query: query(b, "the")}},
		{"words", project.Find{Query: query(b, word(30)+" "+word(90))}},
		{"rare", project.Find{Query: query(b, word(19_000))}},
		{"meaning", project.Find{Query: query(b, word(300)+" "+word(400)), Meaning: true}},
		{"likeness", project.Find{Like: &row}},
		{"group", project.Find{Group: &group, Query: query(b, "the")}},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := d.Find(b.Context(), c.f, 0, 60); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(reading, "s-to-read")
		})
	}
}

// TestLeastCertain lists what is less than certain where no object is doubtful, by the certainty
// that files have, and nothing where all are certain.
func TestLeastCertain(t *testing.T) {
	// Three groups far apart, and two rows that are nearly halfway between two of them.
	var text strings.Builder
	text.WriteString("id,x\n")
	for i := range 60 {
		fmt.Fprintf(&text, "r%d,%d\n", i, 10*(i%3)+i%2)
	}
	far := text.String()
	near := far + "n1,5.7\nn2,5.6\n"
	plain := filepath.Join(t.TempDir(), "points.csv")
	for _, c := range []struct {
		name, data, k  string
		doubts, listed bool
	}{
		{"doubtful objects", near + "n3,5.4\n", "3", true, true},
		{"none doubtful", near, "3", false, true},
		{"one group", near, "1", false, false},
	} {
		if err := os.WriteFile(plain, []byte(c.data), 0o644); err != nil {
			t.Fatal(err)
		}
		d := open(t, projectFile(t), plain, "id", "id", "method", "pckmeans", "clusters", c.k)
		certainty, err := d.Certainty(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		less, below := 0, 0
		for _, sure := range certainty {
			if sure < 1 {
				less++
			}
			if sure < 0.5 {
				below++
			}
		}
		want := less
		if below > 0 {
			want = below
		}
		doubts, n, err := d.Doubts(t.Context(), 0, 100)
		if err != nil || n != below || len(doubts) != below || n > 0 != c.doubts {
			t.Errorf("%s: %d doubtful of %d, %v", c.name, n, below, err)
		}
		members, n, err := d.LeastCertain(t.Context(), 0, 100)
		if err != nil || n != want || len(members) != want || n > 0 != c.listed {
			t.Errorf("%s: %d listed of %d, %v", c.name, n, want, err)
		}
		for i, m := range members {
			if float32(m.Certainty) != certainty[m.Card.Row] {
				t.Errorf("%s: row %d has certainty %g, not %g", c.name, m.Card.Row, m.Certainty,
					certainty[m.Card.Row])
			}
			if i > 0 && m.Certainty < members[i-1].Certainty {
				t.Errorf("%s: the least certain is not first: %d", c.name, i)
			}
		}
		if n > 1 { // page by page
			second, total, err := d.LeastCertain(t.Context(), 1, 1)
			if err != nil || total != n || len(second) != 1 ||
				second[0].Card.Row != members[1].Card.Row {
				t.Errorf("%s: %v of %d, %v", c.name, second, total, err)
			}
		}
	}
}
