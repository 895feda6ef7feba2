package kmeans

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/shard"
	"github.com/kindred-go/kindred/scale/survey"
)

// Label places every row of a table at the nearest of the centres, K×d float64 in prepared units,
// the lowest among equals, and writes to folder out a part for each split: id and cluster. Centre c
// is that of cluster clusterOf[c]; nil: c+1. Format is csv, parquet or jsonl; "": csv. The result
// has Sizes, Inertia, Medoids and Tally.
func Label(ctx context.Context, r fold.Runner, src shard.Source, sv *survey.Survey,
	centers dataset.Matrix, clusterOf []int, out, format string) (*Result, error) {
	cfg := Config{Clusters: centers.Rows, Centers: centers, Out: out, Format: format}.withDefaults()
	if clusterOf == nil {
		for c := range centers.Rows {
			clusterOf = append(clusterOf, c+1)
		}
	}
	switch {
	case centers.Cols != len(src.Columns):
		return nil, fault.Inputf("give the columns that were fitted",
			"the rows have %d columns and the centres %d", len(src.Columns), centers.Cols)
	case len(clusterOf) != centers.Rows:
		return nil, fmt.Errorf("lloyd: %d clusters of %d centres", len(clusterOf), centers.Rows)
	}
	if _, err := kmeans.NewFrame(centers, src.Single); err != nil {
		return nil, err
	}
	begin := state{Phase: phaseLabel, Centers: centers.F64, Settled: true, Fixed: true,
		ClusterOf: clusterOf}
	src.Label = ""
	s, tally, err := newWork(src, sv, cfg).run(ctx, r, "labels", src, sv.Splits, begin)
	if err != nil {
		return nil, err
	}
	return s.result(centers.Cols, tally), shard.Finish(ctx, out, len(sv.Splits))
}

// labeller labels the rows of a split for good, counts the clusters and finds their medoids.
type labeller struct {
	w         *work
	split     shard.Split
	pass      *kmeans.Pass
	account   account
	nearest   []candidate // of each centre; Row −1: none yet
	clusterOf []int

	part     *shard.Labels // nil: labels are not written
	clusters []int64
}

// candidate is a row that may be the medoid of a cluster.
type candidate struct {
	Medoid
	Center int
}

func newLabeller(w *work, r *round, split shard.Split) (*labeller, error) {
	k := &labeller{w: w, split: split, pass: r.frame.Pass(nil, true), clusterOf: r.state.ClusterOf,
		nearest: make([]candidate, w.Clusters)}
	for c := range k.nearest {
		k.nearest[c] = candidate{Medoid{Row: -1}, c}
	}
	if w.Out == "" {
		return k, nil
	}
	var err error
	k.part, err = shard.CreateLabels(w.Out, split, w.Format)
	return k, err
}

// Block implements [fold.Kernel].
func (k *labeller) Block(b *shard.Block) error {
	if err := k.w.take(k.pass, b, k.split); err != nil {
		return err
	}
	k.account.add(k.pass.Labels)
	d := k.w.Cols
	for i, l := range k.pass.Labels {
		m := &k.nearest[l]
		if v := k.pass.Squared[i]; m.Row < 0 || v < m.Squared {
			m.Row, m.ID, m.Squared = k.split.First+b.Number(i), b.ID(i, k.split.First), v
			m.Values = append(m.Values[:0], b.X.F64[i*d:(i+1)*d]...)
		}
	}
	if k.part == nil {
		return nil
	}
	k.clusters = k.clusters[:0]
	for _, l := range k.pass.Labels {
		k.clusters = append(k.clusters, int64(k.clusterOf[l]))
	}
	return k.part.Write(b, k.clusters)
}

// Close implements [io.Closer]: what was written of the part is forgotten.
func (k *labeller) Close() error {
	if k.part != nil {
		k.part.Abort()
	}
	return nil
}

// members are the clusters of a group of centres.
type members struct {
	Counts  []int64
	Nearest []candidate // of the clusters that have rows, in order
}

// End implements [fold.Kernel].
func (k *labeller) End(emit func(key int64, data []byte)) error {
	if k.part != nil {
		if err := k.part.Close(); err != nil {
			return err
		}
	}
	k.account.Inertia = k.pass.Inertia()
	emit(accountKey, fold.AppendNumbers(nil, k.account))
	return groups(k.w.Clusters, func(key int64, lo, hi int) error {
		m := members{Counts: k.pass.Counts[lo:hi]}
		for _, c := range k.nearest[lo:hi] {
			if c.Row >= 0 {
				m.Nearest = append(m.Nearest, c)
			}
		}
		data, err := json.Marshal(m)
		if err != nil {
			return err
		}
		emit(key, data)
		return nil
	})
}

func mergeMembers(parts []fold.Part) ([]byte, error) {
	var all members
	best := map[int]candidate{}
	err := fold.Each(parts, func(data []byte) error {
		var m members
		if err := json.Unmarshal(data, &m); err != nil {
			return err
		}
		if all.Counts == nil {
			all.Counts = make([]int64, len(m.Counts))
		}
		for c, v := range m.Counts {
			all.Counts[c] += v
		}
		for _, c := range m.Nearest {
			if was, ok := best[c.Center]; !ok || c.Squared < was.Squared {
				best[c.Center] = c
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, c := range slices.Sorted(maps.Keys(best)) {
		all.Nearest = append(all.Nearest, best[c])
	}
	return json.Marshal(all)
}

// labelled takes the clusters of all splits.
func (w *work) labelled(s *state, merged []fold.Merged) (done bool, err error) {
	var a account
	if err := fold.Numbers(merged[0].Data, &a); err != nil {
		return false, err
	}
	f := &found{Inertia: a.Inertia, Medoids: make([]Medoid, w.Clusters)}
	for c := range f.Medoids {
		f.Medoids[c].Row = -1
	}
	for _, part := range merged[1:] {
		var m members
		if err := json.Unmarshal(part.Data, &m); err != nil {
			return false, err
		}
		f.Counts = append(f.Counts, m.Counts...)
		for _, c := range m.Nearest {
			f.Medoids[c.Center] = c.Medoid
		}
	}
	if len(f.Counts) != w.Clusters {
		return false, fmt.Errorf("lloyd: %d clusters were counted of %d", len(f.Counts), w.Clusters)
	}
	s.Found = f
	return w.judge(s), nil
}
