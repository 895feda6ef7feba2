package method

import (
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method/param"
)

// The parameters that many methods share have one name, type and meaning everywhere. A method
// declares those that mean something to it by these functions, with the default that it has.

// Clusters declares the number of clusters.
func Clusters(set *param.Set, v *int) {
	set.Int(v, param.Param{Name: "clusters", Short: "k", Basic: true, Min: 1,
		Help: "number of clusters", Auto: "none: it must be given", Example: "3"})
}

// Seed declares the seed.
func Seed(set *param.Set, v *uint64) {
	set.Uint64(v, param.Param{Name: "seed", Help: "seed of all that is drawn at random",
		Default: "0", Example: "1"})
}

// Contradictions declares what becomes of links that contradict each other.
func Contradictions(set *param.Set, v *link.Policy) {
	param.Enum(set, v, link.Refuse, param.Param{Name: "contradictions",
		Help:    "links that contradict each other: refuse them, or go on and count them",
		Choices: []string{"refuse", "keep"}})
}

// Starts declares the number of starts: p has its Default or Auto.
func Starts(set *param.Set, v *int, p param.Param) {
	p.Name, p.Help, p.Min = "starts", "starts, of which the best is kept", 1
	set.Int(v, p)
}

// MaxIterations declares the bound of the iterations of a start: p has its Default or Auto, and
// Help, where "iterations per start" does not fit.
func MaxIterations(set *param.Set, v *int, p param.Param) {
	p.Name, p.Min = "max-iterations", 1
	if p.Help == "" {
		p.Help = "at most so many iterations per start"
	}
	set.Int(v, p)
}

// Tolerance declares when a start stops: p has its Default and Help.
func Tolerance(set *param.Set, v *float64, p param.Param) {
	p.Name, p.Above, p.Example = "tolerance", true, "1e-4"
	set.Float(v, p)
}

// ModelRows declares how many rows a model keeps to place new ones by.
func ModelRows(set *param.Set, v *int, standard string) {
	set.Int(v, param.Param{Name: "model-rows", Min: 1, Default: standard,
		Help: "rows that a saved model keeps to place new ones by"})
}
