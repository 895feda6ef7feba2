package credal

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/linalg"
)

// FromHard returns the credal partition of a hard one, all mass on singletons (kevclus-2016 §2.2).
// Labels run from 1 to clusters; 0 is an outlier, with all mass on ∅. With clusters 0 the greatest
// label is taken. The focal sets are those of belief.Simple.
func FromHard(labels []int, clusters int) (*Partition, error) {
	if clusters == 0 {
		clusters = slices.Max(append([]int{1}, labels...))
	}
	p, err := simple(clusters, len(labels))
	if err != nil {
		return nil, err
	}
	l := newLayout(clusters, p.Focal)
	for i, label := range labels {
		switch {
		case label < 0 || label > clusters:
			return nil, &fault.Input{Row: i + 1,
				Problem: fmt.Sprintf("there is no cluster %d", label),
				Fix:     fmt.Sprintf("give one from 1 to %d, or 0 for an outlier", clusters)}
		case label == 0:
			p.Row(i)[l.empty] = 1
		default:
			p.Row(i)[l.single[label-1]] = 1
		}
	}
	return p, nil
}

// FromFuzzy returns the Bayesian credal partition of a fuzzy one (kevclus-2016 §2.2): n×clusters
// memberships, row-major, each row summing to 1 within 10⁻⁶. The focal sets are those of
// belief.Simple.
func FromFuzzy(memberships []float64, clusters int) (*Partition, error) {
	n, err := rowsOf(memberships, clusters)
	if err != nil {
		return nil, err
	}
	p, err := simple(clusters, n)
	if err != nil {
		return nil, err
	}
	l := newLayout(clusters, p.Focal)
	for i := range n {
		for k, j := range l.single {
			p.Row(i)[j] = memberships[i*clusters+k]
		}
	}
	return p, p.Check()
}

// FromPossibilistic returns the consonant credal partition of a possibilistic one: n×clusters
// plausibilities from 0 to 1, row-major; m(∅) is 1 less a row's greatest (kevclus-2016 §2.2). The
// focal sets are the nested sets that occur, with those of belief.Simple.
func FromPossibilistic(contours []float64, clusters int) (*Partition, error) {
	n, err := rowsOf(contours, clusters)
	if err != nil {
		return nil, err
	}
	rows := make([]belief.Mass, n)
	for i := range rows {
		if rows[i], err = belief.Consonant(contours[i*clusters : (i+1)*clusters]); err != nil {
			return nil, inRow(err, i)
		}
	}
	return FromMasses(rows)
}

// FromRough returns the credal partition of a rough one, all mass of an object on the set of its
// clusters (kevclus-2016 §2.2); the empty set is an outlier. The focal sets are those that occur,
// with those of belief.Simple.
func FromRough(sets []belief.Set, clusters int) (*Partition, error) {
	rows := make([]belief.Mass, len(sets))
	for i, s := range sets {
		var err error
		if rows[i], err = belief.New(clusters, []belief.Set{s}, []float64{1}); err != nil {
			return nil, inRow(err, i)
		}
	}
	return FromMasses(rows)
}

// FromMasses returns the credal partition of mass functions on one frame, one per object. The focal
// sets are those that occur, with those of belief.Simple.
func FromMasses(rows []belief.Mass) (*Partition, error) {
	if len(rows) == 0 {
		return nil, fault.Inputf("give at least one", "there are no objects")
	}
	c := rows[0].Clusters()
	occur := map[belief.Set]bool{}
	for i, m := range rows {
		if m.Clusters() != c {
			return nil, &fault.Input{Row: i + 1,
				Problem: fmt.Sprintf("the mass function is on %d clusters, the first on %d",
					m.Clusters(), c), Fix: "give all the same frame"}
		}
		for j := range m.Len() {
			s, _ := m.Focal(j)
			occur[s] = true
		}
	}
	focal, err := belief.Focal(c, slices.Collect(maps.Keys(occur)))
	if err != nil {
		return nil, err
	}
	place := map[belief.Set]int{}
	for j, s := range focal {
		place[s] = j
	}
	p := &Partition{Clusters: c, Focal: focal, Mass: make([]float64, len(rows)*len(focal))}
	for i, m := range rows {
		for j := range m.Len() {
			s, mass := m.Focal(j)
			p.Row(i)[place[s]] = mass
		}
	}
	return p, nil
}

// Object returns the mass function of object i.
func (p *Partition) Object(i int) (belief.Mass, error) {
	row := slices.Clone(p.Row(i))
	// what Check lets pass, belief.New is stricter about
	if sum := linalg.Sum(row); math.Abs(sum-1) <= sumTolerance {
		linalg.Divide(row, sum)
	}
	m, err := belief.New(p.Clusters, p.Focal, row)
	return m, inRow(err, i)
}

func simple(c, n int) (*Partition, error) {
	focal, err := belief.Simple(c)
	if err != nil {
		return nil, err
	}
	return &Partition{Clusters: c, Focal: focal, Mass: make([]float64, n*len(focal))}, nil
}

func rowsOf(values []float64, c int) (int, error) {
	if c < 1 || len(values)%c != 0 {
		return 0, fault.Inputf("give one value a cluster and object",
			"%d values cannot fill rows of %d clusters", len(values), c)
	}
	return len(values) / c, nil
}

// inRow adds the row to an input error.
func inRow(err error, i int) error { return located(err, func(e *fault.Input) { e.Row = i + 1 }) }

// inFile adds the file to an input error.
func inFile(err error, path string) error {
	return located(err, func(e *fault.Input) { e.File = path })
}

// located adds a place to a copy of an input error.
func located(err error, add func(e *fault.Input)) error {
	in, ok := err.(*fault.Input)
	if !ok {
		return err
	}
	about := *in
	add(&about)
	return &about
}
