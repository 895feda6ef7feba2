package project

import (
	"os"
	"path/filepath"
	"testing"
)

// TestTypicalMembersAreInTheMiddle: where all members are certain, those in the middle come first.
func TestTypicalMembersAreInTheMiddle(t *testing.T) {
	path := filepath.Join(t.TempDir(), "line.csv")
	text := "id,x\na,0\nb,3\nc,2\nd,100\ne,103\nf,101\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	d := at(t, filepath.Join(t.TempDir(), "line.kindred"), path, "method", "pckmeans",
		"clusters", "2")
	clusters, _, err := d.Clusters(t.Context())
	if err != nil || len(clusters) != 2 {
		t.Fatalf("%v (%v)", clusters, err)
	}
	for _, c := range clusters {
		members, n, err := d.Members(t.Context(), c.Cluster, Typical, 0, 3)
		if err != nil || n != 3 {
			t.Fatalf("%v (%v)", members, err)
		}
		ids := ""
		for i, m := range members {
			if m.Certainty != 1 {
				t.Errorf("%s is certain by %g alone", m.Card.ID, m.Certainty)
			}
			if c.Members[i].ID != m.Card.ID {
				t.Errorf("of group %d %s is shown, and %s listed", c.Cluster, c.Members[i].ID,
					m.Card.ID)
			}
			ids += m.Card.ID
		}
		// The means are 1.67 and 101.33.
		if want := map[string]string{"c": "cba", "f": "fde"}[c.Medoid.ID]; ids != want {
			t.Errorf("the typical members are %s, the first of them %s", ids, c.Medoid.ID)
		}
	}
}
