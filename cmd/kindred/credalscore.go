package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/project/input"
)

// credalRand are the credal Rand indices of two credal partitions.
type credalRand struct {
	Rows        int     `json:"rows"` // that both have
	Consistency float64 `json:"consistency"`
	Belief      float64 `json:"belief"`
	Jousselme   float64 `json:"jousselme"`
	Pairs       int     `json:"pairs"`
	Sampled     bool    `json:"sampled"` // the pairs are a sample
}

func (c *credalRand) String() string {
	pairs := "all pairs"
	if c.Sampled {
		pairs = words.Count(c.Pairs, "drawn pair")
	}
	return fmt.Sprintf("Credal Rand indices of %s, %s: consistency %.4f, belief %.4f, Jousselme "+
		"%.4f",
		words.Count(c.Rows, "row"), pairs, c.Consistency, c.Belief, c.Jousselme)
}

// hasMasses reports whether a table is a credal partition, by its columns.
func hasMasses(t *dataset.Table) bool {
	return slices.ContainsFunc(t.Columns,
		func(c dataset.Column) bool { return strings.HasPrefix(c.Name, "m_{") })
}

// judgeMasses compares the masses of two credal partitions, row by row by id. Where those cannot be
// compared, clusters still can, so that is only said.
func (f *scoreFlags) judgeMasses(ctx context.Context, a *app, predName,
	truthName string) (*credalRand, error) {
	var read [2]*credal.Partition
	var ids [2][]string
	for i, name := range []string{predName, truthName} {
		path, where, err := a.place().Locate(name)
		if err != nil || where != input.InFile {
			return nil, err
		}
		if read[i], ids[i], err = credal.Read(ctx, path); err != nil {
			var in *fault.Input
			if errors.As(err, &in) {
				a.say("masses are not compared: %v", err)
				return nil, nil
			}
			return nil, err
		}
	}
	at := make(map[string]int, len(ids[1]))
	for row, id := range ids[1] {
		at[id] = row
	}
	aligned := [2]*credal.Partition{{Clusters: read[0].Clusters, Focal: read[0].Focal},
		{Clusters: read[1].Clusters, Focal: read[1].Focal}}
	rows := 0
	for row, id := range ids[0] {
		if other, ok := at[id]; ok {
			aligned[0].Mass = append(aligned[0].Mass, read[0].Row(row)...)
			aligned[1].Mass = append(aligned[1].Mass, read[1].Row(other)...)
			rows++
		}
	}
	r, err := credal.CompareRand(ctx, aligned[0], aligned[1],
		credal.RandConfig{Seed: f.seed, Threads: f.truth.Threads})
	if err != nil {
		return nil, err
	}
	return &credalRand{Rows: rows, Consistency: r.Consistency, Belief: r.Belief,
		Jousselme: r.Jousselme, Pairs: r.Pairs, Sampled: r.Sampled}, nil
}
