package all_test

import (
	"testing"

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
		if p.Check("no value\x00 at all") == nil && p.Kind != param.File {
			t.Errorf("--%s takes anything", p.Name)
		}
	}
}
