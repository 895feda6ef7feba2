package competitive

import (
	"errors"
	"slices"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

// mostLinked bounds the values of rows that links name. Every learner holds them, and an engine
// gets them in the description of its job, some three times over and as text.
const mostLinked = 1 << 22

// tie is a link between rows by their place among those that links name.
type tie struct {
	A, B       int
	Kind       link.Kind
	Confidence float64
}

// known returns the last link of each pair, but for unknown ones.
func known(links []link.Link) []link.Link {
	return slices.DeleteFunc(link.Latest(links),
		func(l link.Link) bool { return l.Kind == link.Unknown })
}

func ties(links []link.Link) []tie {
	var out []tie
	for _, l := range links {
		out = append(out, tie{l.A, l.B, l.Kind, l.Confidence()})
	}
	return out
}

// resolve numbers the rows that links name, in the order in which they are named, and returns the
// links that count between those numbers.
func resolve(given []Link, policy link.Policy) (ids []string, links []link.Link,
	contradicted []*link.Contradiction, err error) {
	numbers := map[string]int{}
	number := func(id string) int {
		n, met := numbers[id]
		if !met {
			n = len(ids)
			numbers[id] = n
			ids = append(ids, id)
		}
		return n
	}
	var all []link.Link
	for i, l := range given {
		if l.A == l.B {
			return nil, nil, nil,
				fault.Inputf("link two different rows", "link %d is between the row %q and itself",
					i+1, l.A)
		}
		all = append(all, link.Link{A: number(l.A), B: number(l.B), Kind: l.Kind,
			Plausibility: l.Confidence})
	}
	named := ids // which a return of an error changes
	name := func(row int) string { return named[row] }
	_, contradicted, err = link.Build(len(ids), all, policy)
	if err != nil {
		if c := (*link.Contradiction)(nil); errors.As(err, &c) {
			c.Names = name
		}
		return nil, nil, nil, err
	}
	for _, c := range contradicted {
		c.Names = name
	}
	return ids, known(all), contradicted, nil
}
