package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/model"
	"github.com/kindred-go/kindred/scale/eval"
	"github.com/kindred-go/kindred/scale/internal/recipe"
)

// silhouettes shows the mean, how it was found, and the clusters.
func silhouettes(s *eval.Silhouettes) string {
	var b strings.Builder
	how := "over all " + words.Count(s.Sample, "row")
	if int64(s.Sample) < s.Of {
		how = fmt.Sprintf("± %.4f (standard error) over a sample of %d of %s", s.Error, s.Sample,
			words.Count(int(s.Of), "row"))
	}
	fmt.Fprintf(&b, "silhouette %.4f %s in %s", s.Mean, how,
		words.Count(len(s.Clusters), "cluster"))
	if s.Noise > 0 {
		fmt.Fprintf(&b, ", %s in none left out", words.Count(int(s.Noise), "row"))
	}
	const most = 20
	for _, c := range s.Clusters[:min(most, len(s.Clusters))] {
		fmt.Fprintf(&b, "\n  cluster %s: %.4f", words.Short(c.Name), c.Mean)
		if int64(c.Sample) < c.Of {
			fmt.Fprintf(&b, " ± %.4f", c.Error)
		}
		fmt.Fprintf(&b, ", %s", words.Count(int(c.Of), "row"))
	}
	if n := len(s.Clusters) - most; n > 0 {
		fmt.Fprintf(&b, "\n  and %s more, which --json lists", words.Count(n, "cluster"))
	}
	return b.String()
}

// simplified shows the mean of simplified silhouettes.
func simplified(s *eval.Centered) string {
	return fmt.Sprintf("%.4f over all %s about %s, inertia %.6g", s.Simplified,
		words.Count(int(s.Rows), "row"), words.Count(len(s.Clusters), "centre"), s.Inertia)
}

// centres reads a model of one centre a cluster.
func (a *app) centres(path string) (*method.Model, error) {
	m, err := model.Load(path)
	if err != nil {
		return nil, err
	}
	if note := model.Note(m, path); note != "" {
		a.logf("%s", note)
	}
	refuse := func(problem string) error {
		return &fault.Input{File: path, Problem: problem,
			Fix: "leave --model out; --silhouette judges any groups"}
	}
	seen := map[int]bool{}
	for _, c := range m.ClusterOf {
		if seen[c] {
			return nil, refuse("its clusters have several centres each, so the distance to the " +
				"nearest means little for a cluster")
		}
		seen[c] = true
	}
	if m.Means.Rows == 0 || m.Texts != nil || len(m.Roots) > 0 || len(m.Offsets) > 0 {
		return nil, refuse("it does not place rows by the nearest of some centres of numbers")
	}
	return m, nil
}

// judgeCentres judges all rows, prepared as the model has it, by its centres.
func judgeCentres(ctx context.Context, on *engineRunner, t *table, m *method.Model) (*eval.Centered,
	error) {
	source, err := recipe.Apply(t.source, m.Encoding)
	if err != nil {
		return nil, err
	}
	if !slices.Equal(source.Columns, t.source.Columns) {
		return nil, &fault.Input{File: t.name,
			Problem: fmt.Sprintf("the model is of the columns %s, and of DATA are read %s",
				words.UpTo(source.Columns, 6), words.UpTo(t.source.Columns, 6)),
			Fix: "name the columns as they were when the model was made"}
	}
	r, err := eval.AboutCenters(ctx, on, source, t.survey, m.Means)
	if err != nil {
		return nil, err
	}
	for i := range r.Clusters {
		r.Clusters[i].Label = m.ClusterOf[i]
	}
	slices.SortFunc(r.Clusters, func(a, b eval.CenteredCluster) int { return a.Label - b.Label })
	return r, nil
}
