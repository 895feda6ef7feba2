package density2017

import (
	"slices"
	"strconv"

	"github.com/kindred-go/kindred/cluster/evclus"
	"github.com/kindred-go/kindred/method"
)

// ours is the method whose paper this is.
const ours = "mdbscan"

// takes is what a method knows of the rows whose classes are known.
type takes int

const (
	nothing takes = iota
	classes       // their classes
	links         // the links that their classes entail, all of them
)

// compared is a method of the comparison, under its default settings.
type compared struct {
	name     string // in the list of methods
	title    string // in tables
	takes    takes
	clusters bool // it knows the number of classes
	pairs    bool // it goes through all pairs of rows, and of focal sets, at each step
}

var methods = []compared{
	{name: ours, title: "multiple densities", takes: classes},
	{name: "cevclus", title: "CEVCLUS", takes: links, clusters: true, pairs: true},
	{name: "kevclus", title: "k-EVCLUS", takes: links, clusters: true},
	{name: "ccsr", title: "CCSR", takes: links, clusters: true},
	{name: "ssnb", title: "naive Bayes", takes: classes},
	{name: "ssdbscan", title: "SSDBSCAN", takes: classes},
	{name: "cdbscan", title: "C-DBSCAN", takes: links},
	{name: "dbscan", title: "DBSCAN", takes: nothing},
	{name: "seeded-kmeans", title: "seeded k-means", takes: classes},
}

// The size up to which CEVCLUS runs under default settings: all focal sets of more classes, and all
// pairs of more rows, take too long.
const (
	allFocal = 3
	allPairs = 1000
)

// values are the parameters of a method on n rows of k classes: the defaults, except for CEVCLUS on
// large problems.
func (c compared) values(m method.Method, n, k int, seed uint64) map[string]string {
	v := map[string]string{}
	if m.Takes("seed") {
		v["seed"] = strconv.FormatUint(seed, 10)
	}
	if c.clusters {
		v["clusters"] = strconv.Itoa(k)
	}
	if c.pairs && k > allFocal {
		v["focal"] = "simple"
	}
	if c.pairs && n > allPairs {
		v["partners"] = strconv.Itoa(evclus.DefaultPartners)
	}
	return v
}

// each returns what a function returns of each method, in order.
func each(of func(c compared) string) (all []string) {
	for _, c := range methods {
		all = append(all, of(c))
	}
	return all
}

// names and titles are what the list of methods and tables call the methods.
func names() []string  { return each(func(c compared) string { return c.name }) }
func titles() []string { return each(func(c compared) string { return c.title }) }

// titleOf is what tables call a method.
func titleOf(name string) string { return methods[slices.Index(names(), name)].title }

// titled returns the method that tables call so.
func titled(title string) compared { return methods[slices.Index(titles(), title)] }
