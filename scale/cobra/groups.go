package cobra

import (
	"context"
	"fmt"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/partition"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/safe"
)

// ReadGroups reads the cluster of each super-instance from a partition of their medoids, as kindred
// ask --out writes it. Clusters are numbered anew, by the rows that they stand for; 0 stays 0. A
// medoid without a cluster, and one that t does not have, is a *fault.Input.
func (t *Table) ReadGroups(ctx context.Context, path string) (*Groups, error) {
	names, err := dataset.Read(ctx, path,
		dataset.ReadOptions{ID: "id", Label: partition.ClusterColumn})
	if err != nil {
		return nil, err
	}
	p, err := partition.Of(names)
	if err != nil {
		return nil, err
	}
	clusterOf := slices.Repeat([]int{-1}, t.Len())
	row := make(map[string]int, t.Len())
	for i, id := range t.IDs {
		row[id] = i
	}
	for i, cluster := range p.Labels {
		id := names.ID(i)
		at, ok := row[id]
		if !ok {
			at, ok = row[safe.Unguard(id)]
		}
		if !ok {
			return nil, &fault.Input{File: path, Row: i + 1, Column: "id",
				Problem: fmt.Sprintf("%q is no row that stands for others", id),
				Fix:     "give the groups of the medoids in this folder"}
		}
		clusterOf[at] = cluster
	}
	for i, cluster := range clusterOf {
		if cluster < 0 {
			return nil, &fault.Input{File: path,
				Problem: fmt.Sprintf("has no cluster for the row %q", t.IDs[i]),
				Fix:     "give the groups of all medoids in this folder"}
		}
	}
	g := &Groups{}
	g.ClusterOf, g.Clusters = bySize(clusterOf, t.Sizes)
	return g, nil
}

// bySize numbers clusters from 1, that of most rows first, and of equally large ones that of the
// lowest super-instance; 0 stays 0.
func bySize(clusterOf []int, sizes []int64) (renumbered []int, clusters int) {
	var order []int
	rows := map[int]int64{}
	for i, c := range clusterOf {
		if c == 0 {
			continue
		}
		if _, seen := rows[c]; !seen {
			order = append(order, c)
		}
		rows[c] += sizes[i]
	}
	slices.SortStableFunc(order,
		func(a, b int) int { return int(min(1, max(-1, rows[b]-rows[a]))) })
	number := map[int]int{0: 0}
	for i, c := range order {
		number[c] = i + 1
	}
	renumbered = make([]int, len(clusterOf))
	for i, c := range clusterOf {
		renumbered[i] = number[c]
	}
	return renumbered, len(order)
}
