// Package all lists the methods: the command, the page and other languages reach every method by
// its name here. A new method is one line in [List].
package all

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/kindred-go/kindred/ask/cobra"
	"github.com/kindred-go/kindred/ask/cobras"
	"github.com/kindred-go/kindred/ask/kin"
	"github.com/kindred-go/kindred/cluster/bayes"
	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/cluster/constrained"
	"github.com/kindred-go/kindred/cluster/density"
	"github.com/kindred-go/kindred/cluster/ecm"
	"github.com/kindred-go/kindred/cluster/eknn"
	"github.com/kindred-go/kindred/cluster/evclus"
	"github.com/kindred-go/kindred/cluster/fuzzy"
	"github.com/kindred-go/kindred/cluster/gmm"
	"github.com/kindred-go/kindred/cluster/hierarchy"
	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/cluster/optics"
	"github.com/kindred-go/kindred/cluster/relational"
	"github.com/kindred-go/kindred/cluster/spectral"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/param"
)

// List returns all methods, by name.
func List() []method.Method {
	all := slices.Concat(
		bayes.Methods(),
		cobra.Methods(),
		cobras.Methods(),
		competitive.Methods(),
		constrained.Methods(),
		density.Methods(),
		ecm.Methods(),
		eknn.Methods(),
		evclus.Methods(),
		fuzzy.Methods(),
		gmm.Methods(),
		hierarchy.Methods(),
		kin.Methods(),
		kmeans.Methods(),
		optics.Methods(),
		relational.Methods(),
		spectral.Methods(),
	)
	for i, m := range all {
		all[i] = m.Once()
	}
	slices.SortFunc(all, func(a, b method.Method) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// Find returns the method of that name, in any case. The error names the one that may be meant, as
// [words.Nearest] finds it, or what another name stands for elsewhere.
func Find(name string) (method.Method, error) {
	all := List()
	names := make([]string, len(all))
	for i, m := range all {
		if strings.EqualFold(m.Name, name) {
			return m, nil
		}
		names[i] = m.Name
	}
	fix := "kindred methods lists them all"
	meant := otherNames[strings.ToLower(name)]
	if meant == "" {
		meant, _ = words.Nearest(name, names)
	}
	if meant != "" {
		fix = "did you mean " + meant + "? " + fix
	}
	return method.Method{}, fault.Inputf(fix, "there is no method %.40q", name)
}

// otherNames are names of methods elsewhere, and of those that do the same or nearly so here.
var otherNames = map[string]string{
	"agnes": "agglomerative", "hclust": "agglomerative", "hierarchical": "agglomerative",
	"linkage": "agglomerative", "ward": "agglomerative", "single": "agglomerative",
	"single-linkage": "agglomerative", "complete": "agglomerative", "average": "agglomerative",
	"complete-linkage": "agglomerative", "average-linkage": "agglomerative",
	"c-means": "fcm", "cmeans": "fcm", "fanny": "rfcm", "fuzzy": "fcm",
	"gaussian": "gmm", "gaussian-mixture": "gmm", "gaussianmixture": "gmm", "em": "gmm",
	"mclust": "gmm", "mixture": "gmm",
	"k-medoids": "mecm", "kmedoids": "mecm", "pam": "mecm",
	"cop-kmeans": "copkmeans", "k-means": "kmeans", "lloyd": "kmeans",
	"spectralclustering": "spectral",
}

// Param is a parameter by name, as the methods that take it declare it.
type Param struct {
	param.Param                 // as the first of Methods declares it, and with Span if any does
	Methods     []method.Method // that take it, by name
}

// Check returns a [fault.Setting] unless text is a value of the parameter for one of the methods:
// that of the method named, if it takes the parameter, or else that of the widest values. Methods
// that take ranges of numbers come last then, unless text looks like a range.
func (p Param) Check(text, named string) error {
	var own, wrong error
	var widest param.Param // that wrong is of
	last := true           // wrong is of a method that comes last
	for _, m := range p.Methods {
		err := m.Check(p.Name, text)
		if err == nil {
			return nil
		}
		q, _ := m.Lookup(p.Name)
		late := q.Span && !rangeLike.MatchString(text)
		if wrong == nil || last && !late || last == late && wider(q, widest) {
			wrong, last, widest = err, late, q
		}
		if m.Name == named {
			own = err
		}
	}
	return cmp.Or(own, wrong)
}

// rangeLike matches what is a range, or may be meant as one.
var rangeLike = regexp.MustCompile(`^\s*\d+\s*(\.\.|[-–:,]|to)`)

// wider reports whether p takes more values than q: a wider range of numbers, or more choices.
func wider(p, q param.Param) bool {
	top := func(p param.Param) float64 { return cmp.Or(p.Max, math.Inf(1)) }
	switch {
	case p.Kind != q.Kind || p.Kind == param.Choice:
		return len(p.Range()) > len(q.Range())
	case p.Span != q.Span:
		return p.Span
	case p.Min != q.Min:
		return p.Min < q.Min
	case p.Above != q.Above:
		return q.Above
	case p.Max != q.Max:
		return top(p) > top(q)
	}
	return q.Below && !p.Below
}

// Params returns the parameters of all methods, each name once, by name.
func Params() []Param {
	at := map[string]int{}
	var out []Param
	for _, m := range List() {
		for _, p := range m.Params() {
			i, known := at[p.Name]
			if !known {
				i = len(out)
				at[p.Name] = i
				out = append(out, Param{Param: p})
			}
			out[i].Methods = append(out[i].Methods, m)
			out[i].Span = out[i].Span || p.Span
		}
	}
	slices.SortFunc(out, func(a, b Param) int { return strings.Compare(a.Name, b.Name) })
	return out
}
