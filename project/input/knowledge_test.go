package input

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/link"
)

// TestClassesKnownBefore: a column that is filled in for a few rows becomes links between them,
// beside which answers count.
func TestClassesKnownBefore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "few.csv")
	text := "x,y,kind\n1.5,2.25,oak\n1.25,2.5,\n1.75,2,oak\n7.5,8.25,elm\n7.25,8.5,\n7,8,\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, method := range []string{"kin", "cobra", "pckmeans", "evclus", "ssnb"} {
		r := New()
		for name, value := range map[string]string{"label": "kind", "labelled-share": "1",
			"method": method, "clusters": "2"} {
			if method == "kin" && name == "clusters" || method == "cobra" && name == "clusters" {
				continue
			}
			if err := r.Set(name, value); err != nil {
				t.Fatal(err)
			}
		}
		d, err := Open(t.Context(), Place{}, path, r, nil)
		if err != nil {
			t.Fatal(err)
		}
		b, err := r.Begin(t.Context(), d, nil)
		if err != nil {
			t.Fatal(err)
		}
		want := []link.Link{{A: 0, B: 2, Kind: link.MustLink}, {A: 0, B: 3, Kind: link.CannotLink},
			{A: 2, B: 3, Kind: link.CannotLink}}
		got := slices.SortedFunc(slices.Values(b.Problem.Links), func(a, b link.Link) int {
			return 10*(a.A-b.A) + a.B - b.B
		})
		if !slices.Equal(got, want) || b.Problem.Known != nil {
			t.Errorf("%s: %v, want %v", method, got, want)
		}
		if !slices.ContainsFunc(b.Notes, func(n string) bool {
			return strings.Contains(n, "the classes of 3 rows are known before, which makes 3 links")
		}) {
			t.Errorf("%s: notes %q", method, b.Notes)
		}
		if kept := r.Remember("")["labelled-share"]; kept != "1" {
			t.Errorf("a project keeps the share %q", kept)
		}
	}
}

// TestClassesKnownNeedAColumn: what says how many classes are known needs the classes.
func TestClassesKnownNeedAColumn(t *testing.T) {
	for _, of := range []struct{ a, b, want string }{
		{"labelled-share", "", "the column of true classes is needed"},
		{"labelled-per-class", "", "the column of true classes is needed"},
		{"labelled-per-class", "labelled-share", "give one of them"},
	} {
		r := New()
		for _, name := range []string{of.a, of.b} {
			if name != "" {
				if err := r.Set(name, "1"); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := r.Check(); !isSetting(err) || !strings.Contains(err.Error(), of.want) {
			t.Errorf("%s %s: %v", of.a, of.b, err)
		}
	}
}
