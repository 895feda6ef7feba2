package all_test

import (
	"testing"

	"github.com/kindred-go/kindred/method"
)

// The default that a parameter declares is the one that the method has: setting it changes nothing.
func TestDeclaredDefaults(t *testing.T) {
	each(t, func(t *testing.T, m method.Method) {
		x, classes := blobs(90)
		for i := range x.F64 {
			x.F64[i] *= float64(1 + i%3) // clusters that are not round
		}
		p := problemOf(t, m, x, classes, 5)
		v := valuesOf(m, 3)
		want := outcomeOf(t, m, p, v)
		for _, d := range m.Params() {
			if _, set := v[d.Name]; set || d.Default == "" {
				continue
			}
			v[d.Name] = d.Default
			out := outcomeOf(t, m, p, v)
			delete(v, d.Name)
			if !same(want, out) || out.Iterations != want.Iterations {
				t.Errorf("--%s %s, the declared default, changes the outcome", d.Name, d.Default)
			}
		}
	})
}
