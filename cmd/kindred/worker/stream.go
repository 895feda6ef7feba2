package worker

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/model"
	"github.com/kindred-go/kindred/method/param"
	"github.com/kindred-go/kindred/project/input"
)

// learnRows learns rows of a stream, and links among the rows so far. All that was learnt before is
// in the array state, and what to go on from in that of the reply. A first block also settles where
// prototypes start, and so has at least as many rows as there are.
func learnRows(ctx context.Context, r *request) (any, []*array, error) {
	var s settings
	if err := r.into(&s); err != nil {
		return nil, nil, err
	}
	_, place, err := r.place(&s)
	if err != nil {
		return nil, nil, err
	}
	if place.Memory == nil {
		return nil, nil, fault.Setting("the rows of a stream come as the array X")
	}
	table, err := place.Memory.Table(ctx, called)
	if err != nil {
		return nil, nil, err
	}
	p, err := table.Prepare(ctx, dataset.Preparation{Scale: dataset.ScaleNone, Uncounted: true})
	if err != nil {
		return nil, nil, err
	}
	l, err := r.learner(s, p.X)
	if err != nil {
		return nil, nil, input.Placed(err, called)
	}
	if p.X.Cols != l.Cols() {
		return nil, nil, &fault.Input{File: called, Problem: fmt.Sprintf(
			"there are %d columns, and there were %d before", p.X.Cols, l.Cols()),
			Fix: "give the same columns"}
	}
	found := make([]competitive.Label, p.X.Rows)
	if _, err := l.ObserveRows(ctx, doubles(p.X), found); err != nil {
		return nil, nil, input.Placed(err, called)
	}
	forgotten, err := r.streamLinks(l)
	if err != nil {
		return nil, nil, err
	}
	labels, distances := make([]int32, len(found)), make([]float32, len(found))
	for i, f := range found {
		labels[i], distances[i] = f.Cluster+1, float32(f.Distance)
	}
	state, err := json.Marshal(l.State())
	if err != nil {
		return nil, nil, err
	}
	var text bytes.Buffer
	if err := model.Write(l.Model(p.Encoding), &text); err != nil {
		return nil, nil, err
	}
	now := l.Snapshot()
	active := make([]uint8, len(now.Active))
	for i, is := range now.Active {
		if is {
			active[i] = 1
		}
	}
	means := now.Prototypes
	return map[string]any{"rows": now.Rows, "clusters": now.Clusters(), "forgotten": forgotten},
		[]*array{
			of("labels", labels, len(labels)), of("distance", distances, len(distances)),
			of("state", state, len(state)), of("model", text.Bytes(), text.Len()),
			of("means", means.F64, means.Rows, means.Cols),
			of("active", active, len(active)), of("wins", now.Wins, len(now.Wins)),
		}, nil
}

// learner returns the learner of the state, or one that begins.
func (r *request) learner(s settings, warm dataset.Matrix) (*competitive.Learner, error) {
	if a, given := r.arrays["state"]; given {
		text, err := a.raw()
		if err != nil {
			return nil, err
		}
		var state competitive.State
		if err := json.Unmarshal(text, &state); err != nil {
			return nil, &fault.Input{File: "state", Problem: "the state is damaged",
				Fix: "begin a new one", Err: err}
		}
		return competitive.Restore(state)
	}
	cfg, err := learning(s)
	if err != nil {
		return nil, err
	}
	return competitive.New(cfg, warm)
}

// learning returns how to learn by the parameters of a request.
func learning(s settings) (cfg competitive.Config, err error) {
	if cfg.Rule, err = competitive.ParseRule(s.Method); err != nil {
		return cfg, fault.Setting("--method: " + err.Error())
	}
	var set param.Set
	competitive.Declare(&set, &cfg, cfg.Rule)
	method.Seed(&set, &cfg.Seed)
	method.Contradictions(&set, &cfg.Contradictions)
	set.Int(&cfg.Clusters, param.Param{Name: "clusters", Min: 1, Help: "number of prototypes"})
	set.Int(&cfg.Remember, param.Param{Name: "remember",
		Help: "latest rows that can still be linked"})
	set.Int(&cfg.MostLinked, param.Param{Name: "most-linked", Min: 2,
		Help: "rows kept longer because links name them, at most"})
	set.Int(&cfg.Rehearse, param.Param{Name: "rehearse",
		Help: "every so many rows, learn a linked row and its partners again"})
	for _, name := range slices.Sorted(maps.Keys(s.Params)) {
		if _, ok := set.Lookup(name); !ok {
			continue // of reading, or of fits
		}
		if err := set.Set(name, s.Params[name]); err != nil {
			return cfg, err
		}
	}
	if cfg.Clusters == 0 {
		return cfg, fault.Settingf("%s needs the number of prototypes: give it with --clusters",
			s.Method)
	}
	return cfg, nil
}

// streamLinks passes links to the learner, and counts those to rows that it does not remember.
func (r *request) streamLinks(l *competitive.Learner) (forgotten int, err error) {
	for _, k := range kinds {
		pairs, err := r.pairs(k.name)
		if err != nil {
			return 0, err
		}
		for i := 0; i < len(pairs); i += 2 {
			_, err := l.Link(pairs[i]+1, pairs[i+1]+1, k.kind, 0)
			var clash *link.Contradiction
			switch {
			case errors.Is(err, competitive.ErrForgotten):
				forgotten++
			case errors.Is(err, competitive.ErrUnseen):
				return 0, &fault.Input{File: k.name, Row: i/2 + 1, Problem: fmt.Sprintf(
					"rows %d and %d are linked, and %d came so far", pairs[i], pairs[i+1],
					l.Rows()),
					Fix: "link rows that came, numbered from 0"}
			case errors.As(err, &clash), err != nil:
				return 0, input.Placed(err, k.name)
			}
		}
	}
	return forgotten, nil
}
