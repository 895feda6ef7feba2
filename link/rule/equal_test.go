package rule_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/link/rule"
)

// joined matches rules by the words of the first column, and joins equal rows.
func joined(t interface {
	Helper()
	Context() context.Context
	Fatal(...any)
}, rules *rule.Rules, names []string, rows [][]string) (*rule.Matches, []int) {
	t.Helper()
	cell := func(i, c int) string { return rows[i][c] }
	m, err := rules.MatchText(t.Context(), len(rows), func(i int) string { return rows[i][0] }, 1)
	if err != nil {
		t.Fatal(err)
	}
	counts, err := m.JoinEqual(t.Context(), names, cell, "d.csv")
	if err != nil {
		t.Fatal(err)
	}
	return m, counts
}

func ExampleMatches_JoinEqual() {
	rules, err := rule.Read(strings.NewReader("equal email\nequal name, born\n"), "rules.txt")
	if err != nil {
		panic(err)
	}
	rows := [][]string{
		{"José Müller", "1980", "jm@example.com"},
		{"MULLER, JOSE", "1980", ""},
		{"Jose Muller", "1980", "jose@example.org"},
		{"J. M.", "1981", "JM@example.com"},
	}
	ctx := context.Background()
	matches, err := rules.MatchColumns(ctx, dataset.Matrix{Rows: len(rows)}, nil, "people")
	if err != nil {
		panic(err)
	}
	counts, err := matches.JoinEqual(ctx, []string{"name", "born", "email"},
		func(i, column int) string { return rows[i][column] }, "people")
	if err != nil {
		panic(err)
	}
	links, err := matches.Links(ctx, 100, 0)
	if err != nil {
		panic(err)
	}
	fmt.Println(counts)
	for _, l := range links.Drawn {
		fmt.Println(l.A+1, l.B+1, l.Kind, l.Source)
	}
	// Output:
	// [2 2]
	// 1 3 same rule equal name, born
	// 1 4 same rule equal email
}

// Values are equal without case, accents, blanks and punctuation; numbers by what they are.
func TestEqualValues(t *testing.T) {
	r := read(t, "equal v\n")
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"Müller-Lüd. ", "MULLER LÜD", true},
		{"Mu\u0308ller", "müller", true},
		{"ﬁn", "FIN", true},
		{"O'Brien", "o’brien", true},
		{"Αθήνα", "ΑΘΗΝΑ", true},
		{"край", "краи", false}, // letters of their own
		{"+49 (30) 123-45", "493012345", true},
		{"1.5", "15", false},
		{"1.50", "1.5", true},
		{"-3", "3", false},
		{"-0.0", "0", true},
		{"123456789012345678.5", "123456789012345678.25", false},
		{"007", "7", false},
		{"1,5", "15", false}, // decimals with a comma
		{"-1,5", "1,5", false},
		{"+1.5", "1.5", true},
		{"\u22125", "5", false}, // the sign minus
		{"\u22125", "-5", true},
		{"1e-3", "1e3", false},
		{"1.12.2020", "11.2.2020", false},
		{"1/12/2020", "11/2/2020", false},
		{"1-12-2020", "11-2-2020", false},
		{"2020-1-12 10:00", "2020-11-2 10:00", false},
		{"1:23", "12:3", false},
		{"123-45-6789", "123456789", true},
		{"Lot 1, 2nd floor", "lot 12nd floor", true},
		{"Straße", "STRASSE", true},
		{"", "", false},
		{" - ", "?", false},
	} {
		m, counts := joined(t, r, []string{"v"}, [][]string{{c.a}, {c.b}})
		links, err := m.Links(t.Context(), 9, 0)
		if err != nil || (len(links.Drawn) == 1) != c.same || (counts[0] == 2) != c.same {
			t.Errorf("%q and %q: %v, %v, %v", c.a, c.b, links.Drawn, counts, err)
		}
	}
}

// Equal objects match what any of them matches; those that no group links are linked by equality.
func TestEqualObjectsShareGroups(t *testing.T) {
	m, _ := joined(t, read(t, "a: b, c\nd: e, f\nequal key\n"), []string{"text", "key"}, [][]string{
		{"b c", "x"}, {"", "X"}, {"e f", "y"}, // 1, 2: a; 3: d
		{"b c", "z"}, {"e f", "z"}, // both: torn
		{"", "w"}, {"", "w"}, {"", "w"}, // none
	})
	links, err := m.Links(t.Context(), 99, 0)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range links.Drawn {
		got = append(got, fmt.Sprint(l.A+1, l.B+1, " ", l.Kind, " ", l.Source))
	}
	want := []string{"1 2 same rule a", "1 3 different rule a, d", "2 3 different rule a, d",
		"4 5 same rule equal key", "6 7 same rule equal key", "7 8 same rule equal key"}
	if d := cmp.Diff(want, got); d != "" || links.Must != 4 || links.Cannot != 2 {
		t.Error(d, links.Must, links.Cannot)
	}
}

// Whatever is equal, links never contradict each other, connect what is equal, and of fewer that are
// wanted none comes twice.
func TestEqualNeverContradicts(t *testing.T) {
	r, err := rule.Read(strings.NewReader("least 1\na: b\nc/1: d\nc/2: e\nequal x\nequal y, z\n"),
		"r")
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.SampledFrom([]string{"", "b", "d", "e", "g"})
		rows := rapid.SliceOfN(rapid.SliceOfN(value, 4, 4), 0, 12).Draw(t, "rows")
		m, _ := joined(t, r, []string{"text", "x", "y", "z"}, rows)
		links, err := m.Links(t.Context(), 1000, 0)
		if err != nil {
			t.Fatal(err)
		}
		if int64(len(links.Drawn)) != links.Must+links.Cannot {
			t.Fatalf("%d links, said to be %d", len(links.Drawn), links.Must+links.Cannot)
		}
		closure, _, err := link.Build(len(rows), links.Drawn, link.Refuse)
		if err != nil {
			t.Fatal(err)
		}
		equal := func(a, b []string) bool {
			return a[1] == b[1] && a[1] != "" ||
				a[2] == b[2] && a[3] == b[3] && a[2] != "" && a[3] != ""
		}
		for i := range rows {
			for j := range i {
				if equal(rows[i], rows[j]) && closure.Relation(i, j) != link.MustLink {
					t.Fatalf("%d and %d are equal, and not linked", j, i)
				}
			}
		}
		few, err := m.Links(t.Context(), len(links.Drawn)/2, 1)
		if err != nil || len(few.Drawn) != len(links.Drawn)/2 {
			t.Fatal(few, err)
		}
		seen := map[[2]int]bool{}
		for _, l := range few.Drawn {
			if seen[[2]int{l.A, l.B}] {
				t.Fatalf("%v comes twice", l)
			}
			seen[[2]int{l.A, l.B}] = true
		}
	})
}

func TestBadEqual(t *testing.T) {
	for text, problem := range map[string]string{
		"equal":                     `r.txt, line 1: the name of a column is empty`,
		"equal a,":                  `r.txt, line 1: the name of a column is empty`,
		"equal a, b, a":             `r.txt, line 1: the column "a" is named twice`,
		"equal a\nequal\ta":         `r.txt, line 2: these columns are in line 1 already`,
		"x: b, c\nequal a\nequal a": `r.txt, line 3: these columns are in line 2 already`,
	} {
		if _, err := rule.Read(strings.NewReader(text), "r.txt"); !fault.IsInput(err) ||
			!strings.HasPrefix(err.Error(), problem) {
			t.Errorf("%q: %v", text, err)
		}
	}
	_, err := rule.Read(strings.NewReader("equal name: same"), "r.txt")
	if err == nil || !strings.HasSuffix(err.Error(), "write no colon, as in equal name") {
		t.Errorf("%v", err)
	}
	m, err := read(t, "\nequal emial\n").MatchColumns(t.Context(), dataset.Matrix{Rows: 1}, nil, "d.csv")
	if err != nil {
		t.Fatal(err)
	}
	_, err = m.JoinEqual(t.Context(), []string{"id", "email"}, nil, "d.csv")
	if want := `r.txt, line 2: there is no column "emial" in d.csv; did you mean "email"?`; err == nil ||
		err.Error() != want {
		t.Errorf("%v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.JoinEqual(ctx, []string{"emial"}, nil, "d.csv"); !errors.Is(err,
		context.Canceled) {
		t.Errorf("%v", err)
	}
}

// TestNamesInQuotes may hold what ends a name, makes a group or begins a remark.
func TestNamesInQuotes(t *testing.T) {
	for line, want := range map[string][]string{
		`equal "born: year", "Name, first" # a remark`: {"born: year", "Name, first"},
		`equal "#", city`:                {"#", "city"},
		`equal "say ""hi"", you",x`:      {`say "hi", you`, "x"},
		`equal 5" pipe, a"b`:             {`5" pipe`, `a"b`},
		`equal " blanks "`:               {" blanks "},
		`equal "plain",other # "a: b"`:   {"plain", "other"},
		"\tequal  " + `"a:b"` + "\t,\tc": {"a:b", "c"},
	} {
		rules, err := rule.Read(strings.NewReader(line+"\n"), "rules.txt")
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		if diff := cmp.Diff(want, rules.Equal[0].Columns); diff != "" {
			t.Errorf("%s: %s", line, diff)
		}
		again, err := rule.Read(strings.NewReader(rules.Equal[0].String()+"\n"), "rules.txt")
		if err != nil || !cmp.Equal(again.Equal, rules.Equal) {
			t.Errorf("%s: written as %s, %v", line, rules.Equal[0], err)
		}
	}
	for line, want := range map[string]string{
		`equal "a, b`:     `rules.txt, line 1: a quote of the name of a column is not closed; close it`,
		`equal "a" b`:     `rules.txt, line 1: "b" follows the name of a column in quotes; put a comma`,
		`equal a, ""`:     "rules.txt, line 1: the name of a column is empty",
		`equal # nothing`: "rules.txt, line 1: the name of a column is empty",
		`equal a, "a"`:    `rules.txt, line 1: the column "a" is named twice`,
	} {
		_, err := rule.Read(strings.NewReader(line+"\n"), "rules.txt")
		if !fault.IsInput(err) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v", line, err)
		}
	}
	rules, err := rule.Read(strings.NewReader("least 1\nequal parts: half, whole\n"), "rules.txt")
	if err != nil || len(rules.Groups) != 1 || rules.Groups[0].Name != "equal parts" {
		t.Errorf("a group whose name begins with equal: %v, %v", rules, err)
	}
}
