//go:build ignore

// Package method is the one list of clustering methods: the command, the page and other languages
// reach every method by its name here.
package method

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/kindred-go/kindred/cluster/evclus"
	"github.com/kindred-go/kindred/cluster/hierarchy"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

// Problem is what there is to cluster.
type Problem struct {
	Data dataset.Matrix // n×d, prepared; empty where there are only dissimilarities
	// what rows are compared by, for methods that take dissimilarities; zero: Data by Euclidean
	// distance
	Objects Objects
	Dissim  dissim.Source // dissimilarities among the rows; nil: of Objects
	// true class of each row, negative where missing; nil when there are none
	Classes []int32
	Links   []link.Link // links known before
	// class of each row that is known before, from 0, negative where it is not; nil: none
	Known []int32
}

// Settings are the parameters of all methods; each takes those that mean something to it.
// The zero value of a field is the method's documented default.
type Settings struct {
	Clusters       int     // number of clusters
	SuperInstances int     // N_S of COBRA
	Starts         int     // starts, of which the best is kept
	MaxIterations  int     // iterations of a start
	Tolerance      float64 // when to stop iterating
	Budget         int     // answers allowed; 0: no limit
	// a method that asks asks Problem.Classes; else it takes the links alone
	AskLabels      bool
	Contradictions link.Policy // what to do with links that contradict each other
	Seed           uint64
	Threads        int // 0: one a processor

	Evidential Evidential // for methods that make credal partitions
	Learning   Learning   // for methods of competitive learning
	Tuning     Tuning     // for single methods
	Asking     Asking     // for sessions of questions

	// Progress, if set, is told how far the work is, from 0 to 1.
	Progress func(share float64)
}

// Outcome is what a method found.
type Outcome struct {
	Labels   []int       // cluster of each row, from 1; 0 is noise, or an outlier
	Clusters int         // number of clusters
	Queries  int         // answers used
	Asked    []link.Link // the answers, in order
	Unmet    []link.Link // given links that the method could not honour
	// representatives of super-instances, where there are any; one that is excluded where no other
	// row can be
	Medoids    []int
	Of         []int32 // super-instance of each row, where there are any
	Excluded   []int   // rows left out as bad data, rising; their label is 0
	Objective  float64 // inertia, or what another method minimises
	Measure    string  // what Objective is, where it is not the inertia: objective; else ""
	Iterations int
	// what Iterations counts: iteration; epoch; sweep or step of an evidential method
	Unit       string
	Stopped    string // why it stopped
	Unfinished bool   // questions remain, so clusters may still join
	Model      *Model // places new rows; nil where the outcome cannot
	Notes      []string

	// where the method gives masses, or as masses fuzzy memberships; clusters numbered as in
	// Labels; else nil
	Credal     *credal.Partition
	Evidential *evclus.Result  // of methods by EVCLUS, whose partition Credal is; else nil
	Tree       *hierarchy.Tree // of methods that join rows into one; else nil
	// how links entered: anchor, propagate or penalty; "" without links
	Constraints string
	// of an evidential session: cluster k+1 is number Was[k]+1 in its questions; else nil
	Was      []int
	Scan     []ScanStep // numbers of clusters that were tried, where several were
	Estimate int        // number of clusters that the method estimates; 0: it does not
}

// Method is one way to cluster.
type Method struct {
	Name    string // as in --method
	Title   string // one line
	Source  string // where it is described
	Default string // what it does when nothing is said, as a clause

	NeedsAnswers  bool // it can do nothing without answers or links
	NeedsClusters bool // it must be told the number of clusters
	Dissimilarity bool // it takes dissimilarities, and so also rows that are no vectors
	Evidential    bool // it makes credal partitions by EVCLUS, as Settings.Evidential says
	Masses        bool // it gives masses, or memberships as masses: Outcome.Credal
	Tree          bool // it joins rows into a tree: Outcome.Tree
	Links         bool // it learns from links
	Labels        bool // it learns from classes known before, or what links tell of them
	// it draws at random, so that the order of rows and the seed may change the partition
	Draws bool
	// which changes of scale leave its partition as it is, under default settings
	Invariant Invariance
	Takes     []string // parameters that mean something to it, named as flags

	// Fit clusters. An evidential method that ctx ends gives the best partition so far with the
	// error.
	Fit func(ctx context.Context, p Problem, s Settings) (*Outcome, error)

	// Begin begins to ask. ctx also ends the work between questions. nil: the method asks none.
	Begin func(ctx context.Context, p Problem, s Settings) (Session, error)
}

// Invariance says which changes of scale mean nothing to a method.
type Invariance uint8

const (
	NotInvariant Invariance = iota // values count as they are
	ToFactor                       // all values, or all dissimilarities, times one factor
	ToColumns                      // each column times a factor of its own
)

// List returns all methods, by name.
func List() []Method {
	all := slices.Concat(
		[]Method{
			cevclusMethod(), cobraMethod(), crpclMethod(), evclusMethod(), fsclMethod(),
			kevclusMethod(), kinMethod(), kmeansMethod(), lcvqeMethod(),
			olcvqeMethod(), rpclMethod(), wtaMethod(),
		},
		bayesMethods(), cobrasMethods(), densityMethods(), ecmMethods(), hierarchyMethods(),
		partitionalMethods(), relationalMethods(),
		spectralMethods(),
	)
	for i, m := range all {
		if (m.Links || m.Labels) && m.Begin == nil {
			all[i] = strategic(m)
		}
	}
	slices.SortFunc(all, func(a, b Method) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// Find returns the method of that name. The error names the nearest one.
func Find(name string) (Method, error) {
	all := List()
	names := make([]string, len(all))
	for i, m := range all {
		if m.Name == name {
			return m, nil
		}
		names[i] = m.Name
	}
	far := make([]float32, len(names))
	dissim.TextsTo([]string{name}, names).Row(far, 0, nil)
	nearest := 0
	for i, v := range far {
		if v < far[nearest] {
			nearest = i
		}
	}
	return Method{}, &fault.Input{Problem: fmt.Sprintf("there is no method %.40q", name),
		Fix: fmt.Sprintf("did you mean %s? kindred methods lists them all", names[nearest])}
}
