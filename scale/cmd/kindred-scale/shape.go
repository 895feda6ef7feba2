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

// silhouettes is what --json writes of them; names are those of kindred score, and errors are
// standard ones.
type silhouettes struct {
	Mean     float64             `json:"mean"` // of all rows, estimated from the sample
	Error    float64             `json:"error"`
	Objects  int                 `json:"objects"` // rows that were scored
	Of       int64               `json:"of"`      // rows but noise
	Noise    int64               `json:"noise"`
	Clusters []clusterSilhouette `json:"clusters"`
}

type clusterSilhouette struct {
	Label   string  `json:"label"`
	Objects int     `json:"objects"`
	Of      int64   `json:"of"`
	Mean    float64 `json:"mean"`
	Error   float64 `json:"error"`
}

// String shows the mean, how it was found, and the clusters.
func (s *silhouettes) String() string {
	var b strings.Builder
	how := "over all " + words.Count(s.Objects, "row")
	if int64(s.Objects) < s.Of {
		how = fmt.Sprintf("± %.4f (standard error) over a sample of %d of %s", s.Error, s.Objects,
			words.Count(int(s.Of), "row"))
	}
	fmt.Fprintf(&b, "silhouette %.4f %s in %s", s.Mean, how,
		words.Count(len(s.Clusters), "cluster"))
	if s.Noise > 0 {
		fmt.Fprintf(&b, ", %s in none left out", words.Count(int(s.Noise), "row"))
	}
	const most = 20
	for _, c := range s.Clusters[:min(most, len(s.Clusters))] {
		fmt.Fprintf(&b, "\n  cluster %s: %.4f", words.Short(c.Label), c.Mean)
		if int64(c.Objects) < c.Of {
			fmt.Fprintf(&b, " ± %.4f", c.Error)
		}
		fmt.Fprintf(&b, ", %s", words.Count(int(c.Of), "row"))
	}
	if n := len(s.Clusters) - most; n > 0 {
		fmt.Fprintf(&b, "\n  and %s more, which --json lists", words.Count(n, "cluster"))
	}
	return b.String()
}

// judgeShape takes the silhouettes of a sample.
func (f *scoreFlags) judgeShape(ctx context.Context, on *engineRunner, t *table,
	found eval.Side) (*silhouettes, error) {
	r, err := eval.Silhouette(ctx, on, t.source, t.survey, found, f.cfg)
	if err != nil {
		return nil, err
	}
	s := &silhouettes{Mean: r.Mean, Error: r.Error, Objects: r.Sample, Of: r.Of, Noise: r.Noise}
	for _, c := range r.Clusters {
		s.Clusters = append(s.Clusters, clusterSilhouette{c.Name, c.Sample, c.Of, c.Mean, c.Error})
	}
	return s, nil
}

// aboutCentres is what --json writes of simplified silhouettes.
type aboutCentres struct {
	Mean     float64         `json:"mean"`
	Of       int64           `json:"of"` // rows
	Inertia  float64         `json:"inertia"`
	Clusters []centreCluster `json:"clusters"`
}

type centreCluster struct {
	Label int     `json:"label"`
	Of    int64   `json:"of"`
	Mean  float64 `json:"mean"`
}

// String shows the mean.
func (s *aboutCentres) String() string {
	return fmt.Sprintf("%.4f over all %s about %s, inertia %.6g", s.Mean,
		words.Count(int(s.Of), "row"), words.Count(len(s.Clusters), "centre"), s.Inertia)
}

// centres reads a model of one centre a cluster.
func centres(path string) (*method.Model, error) {
	m, err := model.Load(path)
	if err != nil {
		return nil, err
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
func judgeCentres(ctx context.Context, on *engineRunner, t *table, m *method.Model) (*aboutCentres,
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
	s := &aboutCentres{Mean: r.Simplified, Of: r.Rows, Inertia: r.Inertia}
	for i, c := range r.Clusters {
		s.Clusters = append(s.Clusters, centreCluster{m.ClusterOf[i], c.Rows, c.Simplified})
	}
	slices.SortFunc(s.Clusters, func(a, b centreCluster) int { return a.Label - b.Label })
	return s, nil
}
