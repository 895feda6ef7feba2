// Package describe finds what the groups of a partition are like: their size, the member that
// represents each, and the features that distinguish it from the rest.
package describe

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
)

// minEffect is the smallest standardised difference that is reported: Cohen's "medium" effect.
const minEffect = 0.5

// Group is one cluster of a partition.
type Group struct {
	Cluster int     // its label
	Size    int     // rows in it
	Medoid  int     // the row nearest its mean; −1 where it was not looked for
	Traits  []Trait // what distinguishes it from the rest, the strongest first
}

// Trait is a feature in which a group differs from all other rows.
type Trait struct {
	Feature int     // column of the matrix
	Inside  float64 // mean over the group
	Outside float64 // mean over the other rows
	Effect  float64 // (Inside − Outside) / pooled standard deviation; ±Inf where both are constant
}

// Groups describes each cluster of a partition, in ascending order of label, with at most traits
// features each whose standardised difference is at least a half. labels has one entry per row of
// x. Labels of 0 are noise, which is not described, though its rows count among the others; rows of
// labels below 0 count nowhere.
func Groups(ctx context.Context, x dataset.Matrix, labels []int, traits int) ([]Group, error) {
	groups, index, m, err := describe(ctx, x, labels, traits)
	if err != nil {
		return nil, err
	}
	medoids, err := kmeans.Medoids(ctx, x, index, m.means(), nil, 0)
	if err != nil {
		return nil, err
	}
	unnamed := len(medoids) - len(groups) // noise comes first
	for i := range groups {
		groups[i].Medoid = medoids[unnamed+i]
	}
	return groups, nil
}

// Traits is [Groups] without the medoids, which take another pass over x.
func Traits(ctx context.Context, x dataset.Matrix, labels []int, traits int) ([]Group, error) {
	groups, _, _, err := describe(ctx, x, labels, traits)
	return groups, err
}

// describe returns the groups without medoids, for each row the place of its label among all
// distinct ones, and the moments of these.
func describe(ctx context.Context, x dataset.Matrix, labels []int, traits int) (groups []Group,
	index []int32, m *moments, err error) {
	if len(labels) != x.Rows {
		return nil, nil, nil, fmt.Errorf("describe: %d labels for %d rows", len(labels), x.Rows)
	}
	var names []int
	index, names = compact(labels)
	k, d := len(names), x.Cols
	m = &moments{d, make([]int, k), make([]float64, k*d), make([]float64, k*d)}
	var row []float64
	for i := range x.Rows {
		if i%4096 == 0 && ctx.Err() != nil {
			return nil, nil, nil, ctx.Err()
		}
		if labels[i] >= 0 {
			row = x.AppendRow(row[:0], i)
			m.add(int(index[i]), row)
		}
	}
	groups = make([]Group, 0, k)
	for c, name := range names {
		if name <= 0 {
			continue
		}
		g := Group{Cluster: name, Size: m.count[c], Medoid: -1}
		for j := range d {
			if t := m.trait(c, j); math.Abs(t.Effect) >= minEffect {
				g.Traits = append(g.Traits, t)
			}
		}
		slices.SortStableFunc(g.Traits, func(a, b Trait) int {
			return cmp.Compare(math.Abs(b.Effect), math.Abs(a.Effect))
		})
		g.Traits = slices.Clip(g.Traits[:min(len(g.Traits), traits)])
		groups = append(groups, g)
	}
	return groups, index, m, nil
}

// compact returns for each row the index of its label among the ascending distinct labels.
func compact(labels []int) (index []int32, names []int) {
	at := map[int]int32{}
	for _, l := range labels {
		at[l] = 0
	}
	names = slices.Sorted(maps.Keys(at))
	for i, l := range names {
		at[l] = int32(i)
	}
	index = make([]int32, len(labels))
	for i, l := range labels {
		index[i] = at[l]
	}
	return index, names
}

// moments holds count, mean and sum of squared deviations by cluster and feature (Welford's update,
// which stays accurate for features far from 0).
type moments struct {
	d     int
	count []int
	mean  []float64
	dev   []float64
}

func (m *moments) add(c int, row []float64) {
	m.count[c]++
	n := float64(m.count[c])
	mean, dev := m.mean[c*m.d:(c+1)*m.d], m.dev[c*m.d:(c+1)*m.d]
	for j, v := range row {
		delta := v - mean[j]
		mean[j] += delta / n
		dev[j] += float64(delta * (v - mean[j]))
	}
}

func (m *moments) means() dataset.Matrix {
	return dataset.Matrix{Rows: len(m.count), Cols: m.d, F64: m.mean}
}

// trait compares cluster c with all other rows in feature j.
func (m *moments) trait(c, j int) Trait {
	in := c*m.d + j
	t := Trait{Feature: j, Inside: m.mean[in]}
	var n, dev float64
	for o, count := range m.count {
		if o == c || count == 0 {
			continue
		}
		// Chan's rule for joining two samples.
		at, w := o*m.d+j, float64(count)
		delta := m.mean[at] - t.Outside
		t.Outside += delta * w / (n + w)
		dev += m.dev[at] + float64(delta*delta*n*w/(n+w))
		n += w
	}
	if n == 0 {
		return Trait{Feature: j, Inside: t.Inside, Outside: t.Inside}
	}
	diff := t.Inside - t.Outside
	free := float64(m.count[c]) + n - 2
	if diff == 0 || free <= 0 {
		return t
	}
	if sd := math.Sqrt((m.dev[in] + dev) / free); sd > 0 {
		t.Effect = diff / sd
	} else {
		t.Effect = math.Copysign(math.Inf(1), diff)
	}
	return t
}
