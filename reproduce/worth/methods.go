package worth

import (
	"strconv"

	"github.com/kindred-go/kindred/ask/cobras"
	"github.com/kindred-go/kindred/ask/strategy"
)

// asker is a method and what it knows beside the rows and the answers.
type asker struct {
	Name     string // in tables
	Method   string // in the list of methods
	Strategy string // "": its own questions
	Parts    int    // super-instances of COBRA; 0: no matter
	Given    bool   // it is given the number of clusters
	Told     bool   // it is given the share of wrong answers, where some are
	Most     size   // rows up to which it runs
}

// size is the number of rows up to which an asker runs, in a full and in a reduced run. It goes by
// what a session costs: time limits would make results depend on the machine.
type size struct{ full, reduced int }

var (
	quick  = size{5000, 790}
	dear   = size{400, 400} // a fit compares all pairs, or learns metrics
	forest = size{400, 150} // a fit and a forest before each question
	masses = size{400, 150} // evidential fits after each answer
	tiny   = size{250, 150} // a slow fit before each question
)

// starts are those of the k-means that makes COBRA's super-instances, as many as COBRAS has for
// each split by default.
const starts = 10

// askers are all that may run. Learners from links are crossed with strategies only in part:
// PCK-means, the plain learner, runs with the strategies that fit nothing, which compares these; the other learners
// run with one or two, which compares the learners.
func askers() []asker {
	list := []asker{
		{Name: "kin", Method: "kin", Most: quick},
		{Name: "kin, told", Method: "kin", Told: true, Most: quick},
		{Name: "COBRAS", Method: "cobras", Most: quick},
		{Name: "nCOBRAS", Method: "ncobras", Most: quick},
		{Name: "nCOBRAS, told", Method: "ncobras", Told: true, Most: quick},
		{Name: "COBRA 25", Method: "cobra", Parts: 25, Most: quick},
		{Name: "COBRA 50", Method: "cobra", Parts: 50, Most: quick},
		{Name: "COBRA 100", Method: "cobra", Parts: 100, Most: quick},
	}
	for _, name := range []string{strategy.Random, strategy.RandomOrder, strategy.ClosestPairs,
		strategy.FarthestFirst, strategy.ExploreConsolidate, strategy.MinMax} {
		list = append(list, asker{Name: "PCK-means " + name, Method: "pckmeans", Given: true,
			Strategy: name, Most: quick})
	}
	return append(list,
		asker{Name: "MPCK-means minmax", Method: "mpckmeans", Given: true,
			Strategy: strategy.MinMax, Most: dear},
		asker{Name: "MPCK-means random-order", Method: "mpckmeans", Given: true,
			Strategy: strategy.RandomOrder, Most: dear},
		asker{Name: "COP-k-means minmax", Method: "copkmeans", Given: true,
			Strategy: strategy.MinMax, Most: quick},
		asker{Name: "seeded k-means farthest-first", Method: "seeded-kmeans", Given: true,
			Strategy: strategy.FarthestFirst, Most: quick},
		asker{Name: "constrained k-means farthest-first", Method: "constrained-kmeans", Given: true,
			Strategy: strategy.FarthestFirst, Most: quick},
		asker{Name: "CCL minmax", Method: "ccl", Given: true, Strategy: strategy.MinMax,
			Most: dear},
		asker{Name: "CCL farthest-first", Method: "ccl", Given: true,
			Strategy: strategy.FarthestFirst, Most: dear},
		asker{Name: "PCK-means npu", Method: "pckmeans", Given: true, Strategy: strategy.NPU,
			Most: forest},
		asker{Name: "MPCK-means npu", Method: "mpckmeans", Given: true, Strategy: strategy.NPU,
			Most: forest},
		asker{Name: "CECM nonspecificity", Method: "cecm", Given: true,
			Strategy: strategy.Nonspecificity, Most: tiny},
		asker{Name: "k-EVCLUS", Method: "kevclus", Given: true, Most: masses},
	)
}

// runs reports whether an asker runs on so many rows where a share of answers is wrong.
func (a asker) runs(rows int, wrong float64, reduced bool) bool {
	switch {
	case rows > a.limit(reduced), a.Told && wrong == 0:
		return false
	case a.Told && a.Method == "ncobras" && (reduced || wrong == cobras.DefaultErrorRate):
		// which it reckons with anyway
		return false
	case a.Method == "ncobras" && reduced && wrong == 0: // it is slow, and made for other answers
		return false
	}
	return true
}

// limit is the number of rows up to which an asker runs.
func (a asker) limit(reduced bool) int {
	if reduced {
		return a.Most.reduced
	}
	return a.Most.full
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
	if a.Given {
		v["clusters"] = strconv.Itoa(clusters)
	}
	if a.Method == "cobra" {
		v["starts"] = strconv.Itoa(starts)
	}
	if a.Told {
		v["error-rate"] = strconv.FormatFloat(wrong, 'g', -1, 64)
	}
	return v
}
