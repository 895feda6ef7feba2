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
