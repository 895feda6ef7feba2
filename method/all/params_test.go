package all_test

import (
	"strings"
	"testing"

	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/all"
	"github.com/kindred-go/kindred/method/param"
)

// A parameter of one name is of one kind, with one short form and unit, whatever the method; each
// has help and says what it is by default, and its example and default are values of it.
func TestParametersOfOneNameAreOfOneKind(t *testing.T) {
	for _, p := range all.Params() {
		for _, m := range p.Methods {
			for _, q := range m.Params() {
				if q.Name != p.Name {
					continue
				}
				if q.Kind != p.Kind || q.Short != p.Short {
					t.Errorf("--%s is a %v of %s and a %v of %s", p.Name, p.Kind, p.Methods[0].Name,
						q.Kind, m.Name)
				}
				if q.Help == "" || q.DefaultWords() == "" {
					t.Errorf("--%s of %s says %q, by default %q", p.Name, m.Name, q.Help,
						q.DefaultWords())
				}
				for _, value := range []string{q.Default, q.Example} {
					if value != "" && m.Check(p.Name, value) != nil {
						t.Errorf("--%s of %s: %v", p.Name, m.Name, m.Check(p.Name, value))
					}
				}
			}
		}
		if p.Check("no value\x00 at all", "") == nil && p.Kind != param.File {
			t.Errorf("--%s takes anything", p.Name)
		}
	}
}

// The advice for a wrong number of clusters names a range only where one would be taken.
func TestAdviceNamesARangeWhereOneIsTaken(t *testing.T) {
	for _, p := range all.Params() {
		if p.Name != "clusters" {
			continue
		}
		for _, c := range []struct {
			text, method string
			ranges       bool
		}{{"many", "", false}, {"many", "kmeans", true}, {"many", "evclus", true},
			{"8..2", "kmeans", false}, {"8..2", "", false}, // the ends are to change places
			{"2-8", "", true}, {"2 to 8", "", true},
			{"3.5", "", false}, {"-1", "", false}} {
			err := p.Check(c.text, c.method)
			if err == nil || strings.Contains(err.Error(), "a range of them") != c.ranges {
				t.Errorf("-k %s for method %q: %v", c.text, c.method, err)
			}
		}
	}
}

// The advice where no method is named is the range of the method that takes most.
func TestAdviceNamesTheWidestRange(t *testing.T) {
	for _, p := range all.Params() {
		if p.Name == "error-rate" { // kin takes 0, too
			const want = `--error-rate is "0.9": give a number from 0 to below 0.5, such as 0.1`
			if err := p.Check("0.9", ""); err == nil || err.Error() != want {
				t.Errorf("%v, want %s", err, want)
			}
			if err := p.Check("0.9", "ncobras"); err == nil ||
				!strings.Contains(err.Error(), "a number above 0 and below 0.5") {
				t.Errorf("of ncobras: %v", err)
			}
		}
	}
}

// Parameters are declared once for all that only looks at them.
func TestParametersAreDeclaredOnce(t *testing.T) {
	m, err := all.Find("kmeans")
	if err != nil {
		t.Fatal(err)
	}
	declared, configure := 0, m.Configure
	m.Configure = func(set *param.Set) method.Steps { declared++; return configure(set) }
	m = m.Once()
	same := m
	for range 3 {
		if !m.Takes("clusters") || same.Takes("nothing") || m.Strategic() || len(m.Params()) == 0 {
			t.Error("the declarations are not those of k-means")
		}
	}
	if declared != 1 {
		t.Errorf("parameters are declared %d times", declared)
	}
}
