package dataset

import (
	"strings"
	"testing"
)

// TestRulers reads rows of dashes, which are data unless they are drawn below a header.
func TestRulers(t *testing.T) {
	for _, c := range []struct{ name, content, want string }{
		{"dashes for missing values", "a\tb\n-\t-\n1\tx\n2\ty\n1\tx\n",
			"a number:  | 1 | 2 | 1\nb category: - | x | y | x\n"},
		{"two dashes each", "a\tb\n--\t--\n1\t2\n3\t4\n",
			"a number:  | 1 | 3\nb number:  | 2 | 4\n"},
		{"bars without a ruler", "a|b\n-|-\n1|2\n3|4\n",
			"a number:  | 1 | 3\nb number:  | 2 | 4\n"},
		{"one column", "a\n---\n1\n2\n", "a number:  | 1 | 2\n"},
		{"psql", " a | b \n---+---\n 1 | 2\n 3 | 4\n(2 rows)\n",
			"a number: 1 | 3\nb number: 2 | 4\n"},
		{"psql with one column", " a \n---\n 1\n 2\n(2 rows)\n", "a number: 1 | 2\n"},
	} {
		table, err := ReadStream(t.Context(), strings.NewReader(c.content), "a.txt",
			ReadOptions{Keep: true})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		} else if got := described(table); got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}

// TestHeadersBelowTitles finds the header below what spreadsheets write above it, and keeps one
// that names only some columns.
func TestHeadersBelowTitles(t *testing.T) {
	for _, c := range []struct{ name, content, want string }{
		{"one name", "name,,\nx,1,2\ny,3,4\n",
			"name text: x | y\ncolumn2 number: 1 | 3\ncolumn3 number: 2 | 4\n"},
		{"one name and years as values", "name,,\nx,2001,2002\ny,2003,2004\n",
			"name text: x | y\ncolumn2 number: 2001 | 2003\ncolumn3 number: 2002 | 2004\n"},
		{"a padded title and a padded blank line", "Sales 2024,,\n,,\nname,b,c\nx,1,2\ny,3,4\n",
			"name text: x | y\nb number: 1 | 3\nc number: 2 | 4\n"},
		{"blank lines first", ",,\n,,\nname,b,c\nx,1,2\ny,3,4\n",
			"name text: x | y\nb number: 1 | 3\nc number: 2 | 4\n"},
		{"words below a padded blank line", "Sales,,\n,,\nname,b,c\nx,u,v\ny,w,z\n",
			"name text: x | y\nb text: u | w\nc text: v | z\n"},
		{"years below a padded title", "Sales,,\nname,2023,2024\nx,1,2\ny,3,4\n",
			"name text: x | y\n2023 number: 1 | 3\n2024 number: 2 | 4\n"},
	} {
		table, err := ReadStream(t.Context(), strings.NewReader(c.content), "a.csv",
			ReadOptions{Keep: true})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		} else if got := described(table); got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}
