package worth

import (
	"github.com/kindred-go/kindred/active/strategy"
	"github.com/kindred-go/kindred/cobras"
	"github.com/kindred-go/kindred/method"
)

// asker is a method and what it is told.
type asker struct {
	Name     string // in tables
	Method   string // in the list of methods
	Strategy string // "": its own questions
	Parts    int    // super-instances of COBRA; 0: no matter
	Given    bool   // it is given the number of clusters
	Told     bool   // it is told the share of wrong answers; it is left out where none is wrong
	Most     int    // rows up to which it runs
}

// The numbers of rows up to which askers run, by what they cost. Time limits would make results depend on the machine.
const (
	mostQuick = 5000
	mostTrees = 1000 // a fit compares all pairs, or learns metrics
	mostSlow  = 400  // a fit before each question
)

// starts are those of the k-means that makes COBRA's super-instances, as many as COBRAS has for each split by default.
const starts = 10

// askers are all that may run. Learners that are told links are crossed with strategies only in part: PCK-means, the plain learner,
// meets all strategies, and so tells these apart; the other learners meet one or two, and so are told apart by them.
func askers() []asker {
	all := []asker{
		{Name: "kin", Method: "kin", Most: mostQuick},
		{Name: "kin, told", Method: "kin", Told: true, Most: mostQuick},
		{Name: "COBRAS", Method: "cobras", Most: mostQuick},
		{Name: "nCOBRAS", Method: "ncobras", Most: mostQuick},
		{Name: "nCOBRAS, told", Method: "ncobras", Told: true, Most: mostQuick},
		{Name: "COBRA 25", Method: "cobra", Parts: 25, Most: mostQuick},
		{Name: "COBRA 50", Method: "cobra", Parts: 50, Most: mostQuick},
		{Name: "COBRA 100", Method: "cobra", Parts: 100, Most: mostQuick},
	}
	for _, name := range strategy.Names() {
		if !strategy.Reclusters(name) {
			all = append(all, asker{Name: "PCK-means " + name, Method: "pckmeans", Given: true, Strategy: name, Most: mostQuick})
		}
	}
	return append(all,
		asker{Name: "MPCK-means minmax", Method: "mpckmeans", Given: true, Strategy: strategy.MinMax, Most: mostTrees},
		asker{Name: "MPCK-means random-order", Method: "mpckmeans", Given: true, Strategy: strategy.RandomOrder, Most: mostTrees},
		asker{Name: "COP-k-means minmax", Method: "copkmeans", Given: true, Strategy: strategy.MinMax, Most: mostQuick},
		asker{Name: "seeded k-means farthest-first", Method: "seeded-kmeans", Given: true, Strategy: strategy.FarthestFirst, Most: mostQuick},
		asker{Name: "constrained k-means farthest-first", Method: "constrained-kmeans", Given: true, Strategy: strategy.FarthestFirst, Most: mostQuick},
		asker{Name: "CCL minmax", Method: "ccl", Given: true, Strategy: strategy.MinMax, Most: mostTrees},
		asker{Name: "CCL farthest-first", Method: "ccl", Given: true, Strategy: strategy.FarthestFirst, Most: mostTrees},
		asker{Name: "PCK-means npu", Method: "pckmeans", Given: true, Strategy: strategy.NPU, Most: mostSlow},
		asker{Name: "MPCK-means npu", Method: "mpckmeans", Given: true, Strategy: strategy.NPU, Most: mostSlow},
		asker{Name: "CECM nonspecificity", Method: "cecm", Given: true, Strategy: strategy.Nonspecificity, Most: mostSlow},
		asker{Name: "k-EVCLUS", Method: "kevclus", Given: true, Most: mostSlow},
	)
}

// runs tells whether an asker runs on n rows where a share of answers is wrong.
func (a asker) runs(n int, wrong float64, reduced bool) bool {
	if n > a.limit(reduced) || a.Told && (wrong == 0 || wrong == cobras.DefaultErrorRate) {
		return false
	}
	_, err := method.Find(a.Method)
	return err == nil
}

// limit is the number of rows up to which an asker runs.
func (a asker) limit(reduced bool) int {
	switch {
	case !reduced:
		return a.Most
	case a.Most == mostQuick:
		return 1000
	case a.Most == mostTrees:
		return 400
	}
	return 180
}

// settings are what a session needs.
func (a asker) settings(clusters int, wrong float64, seed uint64) method.Settings {
	s := method.Settings{Seed: seed, Threads: 1, SuperInstances: a.Parts, Asking: method.Asking{Strategy: a.Strategy}}
	if a.Given {
		s.Clusters = clusters
	}
	if a.Method == "cobra" {
		s.Starts = starts
	}
	if a.Told {
		s.Tuning.ErrorRate = wrong
	}
	return s
}
