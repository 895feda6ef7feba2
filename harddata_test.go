package kindred_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kindred-go/kindred"
	"github.com/kindred-go/kindred/fault"
)

// TestHardData is refused with its place and a fix, or has a partition, whatever the method.
func TestHardData(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	infinite := write("infinite.csv", "id,x,y\na,1,2\nb,inf,3\nc,4,4\nd,5,6\n")
	missing := write("missing.csv", "id,x,y\na,1,2\nb,,3\nc,4,4\nd,5,6\n")
	zeros := write("zeros.csv", "id,x,y\na,1,2\nb,0,0\nc,4,4\nd,5,6\n")
	few := write("few.csv", "id,x,y\na,1,2\nb,2,3\nc,4,4\nd,5,6\n")
	equal := write("equal.csv", "id,x,y\n"+strings.Repeat("@,1,2\n", 30))
	text, err := os.ReadFile(equal)
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; strings.Contains(string(text), "@"); i++ { // an id of its own for each
		text = []byte(strings.Replace(string(text), "@", strings.Repeat("r", i), 1))
	}
	if err := os.WriteFile(equal, text, 0o600); err != nil {
		t.Fatal(err)
	}
	cosine := kindred.Params{"metric": "cosine"}
	clusters := map[string]kindred.Params{
		"kmeans": {"clusters": "2"}, "fcm": {"clusters": "2"}, "ecm": {"clusters": "2"},
		"spectral": {"clusters": "2"}, "dbscan": {}, "hdbscan": {}, "optics": {},
		"cdbscan": {}, "eknnclus": {}, "agglomerative": {},
	}
	for _, c := range []struct {
		name, file string
		params     kindred.Params
		want       []string // of the error; nil: there is a partition of all rows
	}{
		{"infinite", infinite, nil, []string{"infinite.csv", "inf"}},
		{"missing", missing, nil, []string{"missing.csv", "column x", "--missing"}},
		{"zero vectors", zeros, cosine, []string{"zeros.csv", "row b is 0 throughout"}},
		{"equal rows", equal, nil, nil},
		{"few rows", few, nil, nil},
	} {
		for name, params := range clusters {
			table, err := kindred.Read(t.Context(), c.file, c.params)
			var r *kindred.Result
			if err == nil {
				r, err = table.Cluster(t.Context(), name, params)
			}
			if c.want == nil {
				if _, in := errors.AsType[*fault.Input](err); err != nil && !in {
					t.Errorf("%s, %s: %v", c.name, name, err)
				} else if err == nil && len(r.Labels) < 4 {
					t.Errorf("%s, %s: %d labels", c.name, name, len(r.Labels))
				}
				continue
			}
			if err == nil {
				t.Errorf("%s, %s: no error", c.name, name)
				continue
			}
			for _, part := range c.want {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%s, %s: %v", c.name, name, err)
				}
			}
		}
	}
	for name, params := range clusters {
		if params["clusters"] == "" {
			continue
		}
		table, err := kindred.Read(t.Context(), few)
		if err != nil {
			t.Fatal(err)
		}
		_, err = table.Cluster(t.Context(), name, kindred.Params{"clusters": "9"})
		if _, in := errors.AsType[*fault.Input](err); !in {
			t.Errorf("9 clusters of 4 rows, %s: %v", name, err)
		}
	}
}
