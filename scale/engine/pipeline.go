package engine

import (
	"encoding/json"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/shard"
)

// pipeline is a job of some rounds that goes on from a state. A round is three steps: groups of
// splits are folded beside the state, the parts of each key are merged, and the next state is made
// of what was merged. The name of the state goes round as a side input; the state itself lies in
// the folder.
func pipeline(p fold.Plan, from *envelope, rounds int, folder string, o Options) (*beam.Pipeline,
	error) {
	pipe, root := beam.NewPipelineWithRoot()
	first, err := from.bare()
	if err != nil {
		return nil, err
	}
	groups, err := grouped(p.Splits, o)
	if err != nil {
		return nil, err
	}
	anew := o.Runner != "prism" || !o.here() // nothing begins anew within this process
	state, common := beam.Create(root, first), step{Job: p.Job, Config: p.Config, Folder: folder}
	for range rounds {
		s := root.Scope(p.Name)
		// The groups are dealt out to all workers, and again in each round: one that failed is only
		// read again.
		dealt := beam.Reshuffle(s, beam.CreateList(s, groups))
		parts, reports := beam.ParDo2(s.Scope("fold"),
			&scanFn{step: common, Source: p.Source, Threads: o.Threads, Anew: anew}, dealt,
			beam.SideInput{Input: state})
		merged := beam.ParDo(s.Scope("merge"), &mergeFn{common}, beam.GroupByKey(s, parts),
			beam.SideInput{Input: state})
		state = beam.ParDo(s.Scope("next"), &nextFn{common}, state, beam.SideInput{Input: merged},
			beam.SideInput{Input: reports})
	}
	return pipe, nil
}

// grouped puts the splits into groups that are dealt out: with workers in this process all into
// one, as its splits are folded side by side; else each into its own.
func grouped(splits []shard.Split, o Options) ([][]byte, error) {
	size := 1
	if o.Runner == "prism" && o.here() {
		size = len(splits)
	}
	var out [][]byte
	for lo := 0; lo < len(splits); lo += size {
		group, err := json.Marshal(splits[lo:min(len(splits), lo+size)])
		if err != nil {
			return nil, err
		}
		out = append(out, group)
	}
	return out, nil
}
