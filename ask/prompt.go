package ask

import (
	"fmt"
	"strings"

	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
)

// Prompt is a question with what a person may be shown beside it.
type Prompt struct {
	link.Question
	// of an evidential method: the uncertain object (A) with its references; else nil
	Group *Group
}

// Why returns why a question is asked, its rows, which it calls the first and the second, called by
// name.
func Why(q link.Question, name func(row int) string) string {
	return strings.NewReplacer("the first", name(q.A), "the second", name(q.B)).Replace(q.Why)
}

// Group is an object whose cluster is uncertain, with an object that stands for each cluster.
type Group struct {
	Object     int
	May        belief.Set  // the clusters that it may belong to: those that no other dominates
	Outlier    bool        // it seems to belong to none
	References []Reference // nearest first
	Ask        int         // the reference to compare it with now
}

// Reference is the object that the partition is most certain of in a cluster.
type Reference struct {
	Object        int
	Cluster       int // from 0
	Dissimilarity float32
}

// Question returns the question that compares the object with the reference at Ask.
func (g *Group) Question() link.Question {
	what := "the least certain of the rest"
	switch {
	case g.Outlier:
		what = "like no group"
	case g.May.Len() > 1:
		var names []string
		for _, k := range g.May.Clusters() {
			names = append(names, fmt.Sprint(k))
		}
		what = "between groups " + words.List(names, "and")
	}
	ref := g.References[g.Ask]
	near := "the nearest"
	if g.Ask > 0 {
		near = "the next nearest"
	}
	return link.Question{A: g.Object, B: ref.Object,
		Why: fmt.Sprintf("the first is %s; the second stands for group %d, %s", what,
			ref.Cluster+1, near)}
}
