// Package credal holds credal partitions, the views that sum them up (hard, fuzzy, possibilistic, rough), and
// how they are read and written.
package credal

import "github.com/kindred-go/kindred/belief"

// Partition is a credal partition: a mass function for each of n objects (cevclus-2013 §2.2,
// kevclus-2016 §2.2).
type Partition struct {
	Clusters int          // c, the size of the frame
	Focal    []belief.Set // f focal sets, sorted as belief.Sort gives them
	Mass     []float64    // n×f, row-major: row i is the mass function of object i; each row ≥ 0 and sums to 1
}

// Len gives the number of objects.
func (p *Partition) Len() int {
	if len(p.Focal) == 0 {
		return 0
	}
	return len(p.Mass) / len(p.Focal)
}

// Row gives the masses of object i, in the order of Focal. It is a view, not a copy.
func (p *Partition) Row(i int) []float64 {
	f := len(p.Focal)
	return p.Mass[i*f : (i+1)*f : (i+1)*f]
}
