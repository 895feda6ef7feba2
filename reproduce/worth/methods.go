package worth

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/ask/cobras"
	"github.com/kindred-go/kindred/ask/strategy"
)

// asker is a method and what it knows beside the rows and the answers.
type asker struct {
	Name     string // in tables
	Method   string // in the list of methods
	Strategy string // "": its own questions
	Parts    int    // super-instances of COBRA; 0: no matter
	Most     size   // rows up to which it runs
	Many     size   // the same on sets of many groups

	KnowsClusters bool // the number of clusters
	KnowsErrors   bool // the share of wrong answers, where some are
}

// size is the number of rows up to which an asker runs, in a full and in a reduced run. It goes by
// what a session costs: time limits would make results depend on the machine.
type size struct{ full, reduced int }

var (
	plain  = size{5000, 5000} // of those that know nothing and ask themselves
	quick  = size{5000, 790}
	dear   = size{400, 400} // a fit compares all pairs, or learns metrics
	forest = size{400, 150} // a fit and a forest before each question
	masses = size{400, 150} // evidential fits after each answer
	tiny   = size{250, 150} // a slow fit before each question

	far = size{20_000, 20_000} // plain, on sets of many groups
)

// starts are those of the k-means that makes COBRA's super-instances, as many as COBRAS has for
// each split by default.
const starts = 10

// askers are all that may run. Learners from links are crossed with strategies only in part:
// PCK-means, the plain learner, runs with the strategies that fit nothing, which compares these;
// the other learners run with one or two, which compares the learners.
func askers() []asker {
	list := []asker{
		{Name: "kin", Method: "kin", Most: plain, Many: far},
		{Name: "kin, told", Method: "kin", KnowsErrors: true, Most: plain, Many: far},
		{Name: "COBRAS", Method: "cobras", Most: plain, Many: far},
		{Name: "nCOBRAS", Method: "ncobras", Most: quick},
		{Name: "nCOBRAS, told", Method: "ncobras", KnowsErrors: true, Most: quick},
	}
	for _, parts := range []int{25, 50, 100} {
		list = append(list, asker{Name: fmt.Sprintf("COBRA %d", parts), Method: "cobra",
			Parts: parts, Most: plain, Many: far})
	}
	for _, l := range []struct {
		name, method string
		strategies   []string // "": its own questions
		most         size
	}{
		{"PCK-means", "pckmeans", []string{strategy.Random, strategy.RandomOrder,
			strategy.ClosestPairs, strategy.FarthestFirst, strategy.ExploreConsolidate,
			strategy.MinMax}, quick},
		{"MPCK-means", "mpckmeans", []string{strategy.MinMax, strategy.RandomOrder}, dear},
		{"COP-k-means", "copkmeans", []string{strategy.MinMax}, quick},
		{"seeded k-means", "seeded-kmeans", []string{strategy.FarthestFirst}, quick},
		{"constrained k-means", "constrained-kmeans", []string{strategy.FarthestFirst}, quick},
		{"CCL", "ccl", []string{strategy.MinMax, strategy.FarthestFirst}, dear},
		{"PCK-means", "pckmeans", []string{strategy.NPU}, forest},
		{"MPCK-means", "mpckmeans", []string{strategy.NPU}, forest},
		{"CECM", "cecm", []string{strategy.Nonspecificity}, tiny},
		{"k-EVCLUS", "kevclus", []string{""}, masses},
	} {
		for _, name := range l.strategies {
			list = append(list, asker{Name: strings.TrimSpace(l.name + " " + name),
				Method: l.method, KnowsClusters: true, Strategy: name, Most: l.most})
		}
	}
	return list
}

// runs reports whether an asker runs on a set under a condition. A reduced run asks about sets of
// many groups where all answers are right alone, and by those that know nothing.
func (a asker) runs(t task, c condition, reduced bool) bool {
	most := a.limit(reduced)
	switch {
	case !t.many():
	case !reduced:
		most = max(most, a.Many.limit(reduced))
	case c.errors+c.unknowns == 0:
		most = a.Many.limit(reduced)
	default:
		return false
	}
	switch {
	case t.x.Rows > most, a.KnowsErrors && c.errors == 0:
		return false
	case a.KnowsErrors && a.Method == "ncobras" && (reduced || c.errors == cobras.DefaultErrorRate):
		// which it reckons with anyway
		return false
	case a.Method == "ncobras" && reduced && c.errors == 0:
		// it is slow, and made for other answers
		return false
	}
	return true
}

// limit is the number of rows up to which an asker runs.
func (a asker) limit(reduced bool) int { return a.Most.limit(reduced) }

func (s size) limit(reduced bool) int {
	if reduced {
		return s.reduced
	}
	return s.full
}

// values are the parameters of a session.
func (a asker) values(clusters int, wrong float64, seed uint64) map[string]string {
	v := map[string]string{"seed": strconv.FormatUint(seed, 10)}
	if a.Parts > 0 {
		v["super-instances"] = strconv.Itoa(a.Parts)
	}
	if a.Strategy != "" {
		v["strategy"] = a.Strategy
	}
	if a.KnowsClusters {
		v["clusters"] = strconv.Itoa(clusters)
	}
	if a.Method == "cobra" {
		v["starts"] = strconv.Itoa(starts)
	}
	if a.KnowsErrors {
		v["error-rate"] = strconv.FormatFloat(wrong, 'g', -1, 64)
	}
	return v
}
