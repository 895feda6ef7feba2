// Package method defines what a clustering method is: how it describes itself, declares its
// parameters, fits and asks. Each family under cluster/ and ask/ describes its methods in these
// terms, and package method/all lists them.
package method

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method/param"
)

// Method is one way to cluster. The conformance suite tests it against its description.
type Method struct {
	Name   string // as in --method
	Title  string // one line
	Source string // where it is described

	NeedsAnswers  bool // it can do nothing without answers, links or known classes
	NeedsClusters bool // it must be given the number of clusters, or a range of them
	Dissimilarity bool // it takes dissimilarities, and so also rows that are no vectors
	// Cosine: it goes by cosine, too, on rows of length 1, whose squared Euclidean distances are
	// 2 − 2 cos. One that takes dissimilarities needs no such rows.
	Cosine    bool
	Masses    bool // Outcome.Credal has its masses, or its memberships as masses
	Degrees   bool // its models place new rows in every cluster to a degree
	Tree      bool // Outcome.Tree is the tree that it joins rows into
	Condensed bool // Outcome.Condensed is the condensed tree of its clusters
	Links     bool // it learns from links
	Labels    bool // it learns from classes known before, or what links imply of them
	// Endless: its own questions refine a clustering that is whole long before they end.
	Endless bool
	// Expects: the number of clusters that it is given is where it begins, and answers lead to
	// others; else it finds so many.
	Expects bool
	// Draws: it draws at random, so that the order of rows and the seed may change the partition
	Draws bool
	// Criteria are the names of those of Outcome.Criteria, the one to choose by first.
	Criteria []string

	// Invariant is which changes of scale leave its partition as it is, by default.
	Invariant Invariance

	// Pictures are of results of this method alone; package gallery has those of any result.
	Pictures []Picture

	// Configure declares the parameters on set, bound to a new configuration, and returns the steps
	// that go by it once values are set.
	Configure func(set *param.Set) Steps

	once func() *Configured // declared, called once; nil: see Once
}

// Steps are what a configured method does. The functions may be called any number of times.
type Steps struct {
	// Check, unless nil, returns a [fault.Setting] where the values do not go together.
	Check func() error

	// CheckAsking, unless nil, returns a [fault.Setting] where questions cannot be asked under the
	// values.
	CheckAsking func() error

	// Fit clusters. A method whose ctx ends may return the best partition so far with the error.
	// nil: the method only fits under answers, by Begin.
	Fit func(ctx context.Context, p Problem) (*Outcome, error)

	// Focal, unless nil, returns the focal sets of the masses that Fit finds; nil where they are
	// not known before.
	Focal func() []belief.Set

	// Begin begins to ask questions of the method's own. ctx also ends the work between questions.
	// nil: it has none, and asks by a strategy where it learns from links or classes.
	Begin func(ctx context.Context, p Problem) (*Session, error)
}

// Invariance is which changes of scale leave the partition of a method as it is.
type Invariance uint8

const (
	NotInvariant Invariance = iota // values count as they are
	ToFactor                       // all values, or all dissimilarities, times one factor
	ToColumns                      // each column times a factor of its own
)

// Learns reports whether links or known classes mean something to the method.
func (m Method) Learns() bool { return m.Links || m.Labels }

// LearnsFrom names what the method learns from: "classes, links" or "links"; "" for nothing.
func (m Method) LearnsFrom() string {
	switch {
	case m.Labels:
		return "classes, links"
	case m.Links:
		return "links"
	}
	return ""
}

// Finds names what the method finds: masses or groups.
func (m Method) Finds() string {
	if m.Masses {
		return "masses"
	}
	return "groups"
}

// Asks reports whether the method asks, by questions of its own or by a strategy.
func (m Method) Asks() bool { return m.Learns() || m.ownQuestions() }

// Strategic reports whether the method asks by a strategy, and not by questions of its own.
func (m Method) Strategic() bool { return m.Learns() && !m.ownQuestions() }

func (m Method) ownQuestions() bool {
	if m.once != nil {
		return m.once().Steps.Begin != nil
	}
	return m.Configure(&param.Set{}).Begin != nil
}

// Params returns the declarations of the parameters, in order.
func (m Method) Params() []param.Param { return m.declaration().Params() }

// Lookup returns the declaration of the parameter of a name.
func (m Method) Lookup(name string) (p param.Param, ok bool) {
	return m.declaration().Lookup(name)
}

// Takes reports whether a parameter of that name is declared.
func (m Method) Takes(name string) bool {
	_, ok := m.Lookup(name)
	return ok
}

// Once returns the method such that it and all copies of it declare the parameters once, when they
// are first looked at, and again only for each configuration.
func (m Method) Once() Method {
	m.once = sync.OnceValue(func() *Configured { return m.declared() })
	return m
}

// declaration returns the parameters, which are only to be looked at.
func (m Method) declaration() *param.Set {
	if m.once != nil {
		return m.once().set
	}
	return m.declared().set
}

// Check returns a [fault.Setting] unless text is a value of the parameter of that name.
func (m Method) Check(name, text string) error { return m.declared().set.Set(name, text) }

// declared is the method with its parameters declared, and no values.
func (m Method) declared() *Configured {
	c := &Configured{Method: m, set: &param.Set{}}
	c.Steps = m.Configure(c.set)
	c.declareChoice()
	if m.Learns() {
		Contradictions(c.set, &c.contradictions)
	}
	if m.Learns() && c.Steps.Begin == nil {
		c.declareStrategy()
	}
	return c
}

// With configures the method by values, as text by parameter. A name that is not declared and a
// value that its parameter cannot have are a [fault.Setting].
func (m Method) With(values map[string]string) (*Configured, error) {
	c := m.declared()
	for _, p := range c.set.Params() {
		if text, ok := values[p.Name]; ok {
			if err := c.set.Set(p.Name, text); err != nil {
				return nil, err
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if _, ok := c.set.Lookup(name); !ok {
			return nil, fault.Settingf("%s has no parameter --%s", m.Name, name)
		}
	}
	if c.ranged() {
		return c, c.checkRange()
	}
	if c.Steps.Check != nil {
		if err := c.Steps.Check(); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// Configured is a method with values of its parameters.
type Configured struct {
	Method
	Steps Steps

	set            *param.Set
	contradictions link.Policy
	strategy       string
	clusters       int    // for a strategy, of a method that does not take it
	asking         bool   // it is declared for that alone
	seed           uint64 // likewise

	span param.Span // numbers of clusters to choose from; both ends the same: there is one
	few  int        // as many of them are tried, evenly spread; 0: all
	// what criteria that compare them took is added here, for an estimate; nil: nowhere
	judged *time.Duration
	by     string // the criterion to choose by
}

// Params returns the declarations of the parameters, in order.
func (c *Configured) Params() []param.Param { return c.set.Params() }

// Takes reports whether a parameter of that name is declared.
func (c *Configured) Takes(name string) bool {
	_, ok := c.set.Lookup(name)
	return ok
}

// Numbered reports whether the method itself goes by a number of clusters that it may be given, and
// not only the strategy it asks by.
func (c *Configured) Numbered() bool { return c.Takes("clusters") && !c.asking }

// Given reports whether a parameter was given a value.
func (c *Configured) Given(name string) bool { return c.set.Given(name) }

// Value returns the value of a parameter as text: what it was given, or else the default; "" where
// neither is known.
func (c *Configured) Value(name string) string { return c.set.Value(name) }

// Fit clusters the rows of a problem. Where ctx ends, the error may come with the best partition so
// far.
func (c *Configured) Fit(ctx context.Context, p Problem) (*Outcome, error) {
	if c.Steps.Fit == nil {
		return nil, fault.Settingf("%s fits only under answers", c.Name)
	}
	if c.NeedsAnswers && len(p.Links) == 0 && p.Known == nil {
		return nil, &fault.Input{
			Problem: c.Name + " needs someone to answer its questions",
			Fix: "give --oracle labels with --label, or --links, or answer yourself with " +
				"kindred ask",
		}
	}
	p.Contradictions = max(p.Contradictions, c.contradictions)
	fit := c.Steps.Fit
	if c.ranged() {
		fit = c.choose
	}
	out, err := fit(ctx, p)
	if out != nil && c.by != "" && !c.ranged() {
		out.Notes = append(out.Notes, "--choose has no effect on one number of clusters: give a "+
			"range, as in -k 2..8")
	}
	if out != nil && c.Given("strategy") {
		out.Notes = append(out.Notes,
			"nobody was asked, so --strategy has no effect: let the labels answer by --oracle "+
				"labels")
	}
	return out, err
}

// Askable returns a [fault.Setting] where questions cannot be asked under the values.
func (c *Configured) Askable() error {
	if c.ranged() {
		return fault.Settingf("--clusters is %v: questions are about one number of clusters; "+
			"find it first with kindred cluster", c.span)
	}
	if c.Steps.CheckAsking == nil {
		return nil
	}
	return c.Steps.CheckAsking()
}

// Begin starts a session of questions. ctx also ends the work between questions. A method that asks
// nothing is a [fault.Setting].
func (c *Configured) Begin(ctx context.Context, p Problem) (*Session, error) {
	p.Contradictions = max(p.Contradictions, c.contradictions)
	if err := c.Askable(); err != nil {
		return nil, err
	}
	switch {
	case c.Steps.Begin != nil:
		return c.Steps.Begin(ctx, p)
	case c.Learns():
		return c.beginStrategic(ctx, p)
	}
	return nil, fault.Settingf("%s asks no questions: give --method kin, evclus or another that "+
		"learns from links (kindred methods)", c.Name)
}

// NeedsClusters is the error where the number of clusters is not given to a method that needs it.
func NeedsClusters(name string) error {
	return &fault.Input{Problem: name + " needs the number of clusters",
		Fix: "give it with --clusters"}
}

// Are writes a number with its noun and verb: "1 link is", "2 links are", or the plural given.
func Are(n int, noun ...string) string {
	if n == 1 {
		return Number(n, noun...) + " is"
	}
	return Number(n, noun...) + " are"
}

// Number writes a number with its noun: "1 link", "2 links", or the plural given.
func Number(n int, noun ...string) string {
	if n != 1 && len(noun) > 1 {
		return fmt.Sprintf("%d %s", n, noun[1])
	}
	return words.Count(n, noun[0])
}
