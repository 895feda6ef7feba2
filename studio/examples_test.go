package studio

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/partition"
)

// The examples do a whole session from the address and the token alone, and end with a good
// partition.
func TestExamples(t *testing.T) {
	for _, c := range []struct {
		program, script string
		says            []string
	}{
		{"curl", "session.sh", []string{"project iris", "answered", "groups:", "of size"}},
		{"python3", "session.py",
			[]string{"project iris", "answered", "refused: ", "groups", "petal"}},
	} {
		t.Run(c.script, func(t *testing.T) {
			if _, err := exec.LookPath(c.program); err != nil {
				t.Skipf("there is no %s here", c.program)
			}
			script, err := filepath.Abs(filepath.Join("..", "examples", "api", c.script))
			if err != nil {
				t.Fatal(err)
			}
			x := open(t, Config{})
			out := filepath.Join(t.TempDir(), "groups.csv")
			cmd := exec.CommandContext(t.Context(), script, out)
			cmd.Env = append(os.Environ(), "KINDRED_ADDRESS="+x.server.Address(),
				"KINDRED_TOKEN="+x.token, "no_proxy=*")
			text, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			for _, want := range c.says {
				if !strings.Contains(string(text), want) {
					t.Errorf("%q is not in what it says:\n%s", want, text)
				}
			}
			table, err := dataset.Read(t.Context(), out,
				dataset.ReadOptions{Label: partition.ClusterColumn, ID: partition.IDColumn})
			if err != nil {
				t.Fatal(err)
			}
			found, err := partition.Of(table)
			if err != nil {
				t.Fatal(err)
			}
			truth := make([]int, len(found.Labels))
			for i := range truth {
				truth[i] = 1 + i/50
			}
			if ari := agreement(t, found.Labels, truth); len(truth) != 150 || ari < 0.6 {
				t.Errorf("the partition has %d rows and an adjusted Rand index of %.2f", len(truth),
					ari)
			}
		})
	}
}
