package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/scale/cobra"
	scalecompetitive "github.com/kindred-go/kindred/scale/competitive"
	"github.com/kindred-go/kindred/scale/evclus"
	"github.com/kindred-go/kindred/scale/internal/recipe"
	"github.com/kindred-go/kindred/scale/kmeans"
	"github.com/kindred-go/kindred/scale/spectral"
)

// scaled is a method that works on tables of any size.
type scaled struct {
	name, title string
	like        string   // the method of kindred that it is on one machine
	takes       []string // flags, those of all methods aside
	fit         func(ctx context.Context, j *job) (*found, error)
}

// found is what a method found.
type found struct {
	sizes      []int64 // rows of each cluster
	nowhere    int64   // rows in none
	objective  *float64
	iterations int
	unit       string
	by         string // what a method here went by that is not its own on one machine; ""
	stopped    string
	queries    int
	links      int
	super      int
	asked      []link.Link
	name       func(row int) string // of a row that asked names
	model      *method.Model        // nil: none
	credal     *evclus.Summary
	scores     *eval.Report // against the column of true classes; nil: not compared
	notes      []string
}

func methods() []scaled {
	learning := []string{"clusters", "seed", "init", "epochs", "learning-rate", "rate", "learners"}
	linked := []string{"links", "contradictions"}
	rivals := []string{"unlearning-rate", "penalty"}
	evidential := append([]string{"clusters", "seed", "metric", "landmarks", "model-rows",
		"partners", "d0", "tail", "transform", "stress", "optimizer", "focal", "pairs",
		"tolerance", "max-iterations", "xi", "constraints"}, linked...)
	join := func(lists ...[]string) (all []string) {
		for _, l := range lists {
			all = append(all, l...)
		}
		return all
	}
	return []scaled{
		{"kmeans", "k-means: K groups around their means", "kmeans",
			[]string{"clusters", "max-iterations", "tolerance", "seed"}, fitMeans},
		{"cobra", "COBRA: asks about super-instances that stand for all rows, and gives their " +
			"groups to all", "cobra",
			join([]string{"super-instances", "max-iterations", "tolerance", "seed", "oracle",
				"budget", "answers"}, linked), fitCobra},
		{"kevclus", "k-EVCLUS: fits landmarks, places every row by them, and tells doubtful rows " +
			"and outliers", "kevclus", evidential, fitLandmarks},
		{"evclus", "EVCLUS of landmarks, of which all pairs are compared", "evclus", evidential,
			fitLandmarks},
		{"spectral", "groups of any shape, by a graph of landmarks: not that of kindred cluster, " +
			"whose graph is of all rows; its groups may differ", "spectral",
			[]string{"clusters", "seed", "landmarks", "neighbours", "bandwidth"}, fitSpectral},
		{"olcvqe", "O-LCVQE: prototypes that learn row by row, from links too", "olcvqe",
			join(learning, linked, rivals[:1]), fitOnline},
		{"crpcl", "C-RPCL: drives rivals away, and so estimates how many clusters there are; " +
			"learns from links", "crpcl", join(learning, linked, rivals), fitOnline},
		{"rpcl", "RPCL: the same without links", "rpcl", join(learning, rivals), fitOnline},
		{"fscl", "FSCL: prototypes that win often are handicapped", "fscl", learning, fitOnline},
		{"wta", "WTA: on-line k-means", "wta", learning, fitOnline},
	}
}

func fitMeans(ctx context.Context, j *job) (*found, error) {
	fit, err := kmeans.Fit(ctx, j.on, j.table.source, j.table.survey, kmeans.Config{
		Clusters: j.settings.Clusters, MaxIterations: j.settings.MaxIterations,
		Tolerance: j.settings.Tolerance, Seed: j.settings.Seed,
		Out: j.flags.outputs.folder, Format: j.flags.outputs.parts,
	})
	if err != nil {
		return nil, err
	}
	f := &found{sizes: bySize(fit.Sizes, fit.ClusterOf), objective: &fit.Inertia,
		iterations: fit.Iterations, unit: "iteration", stopped: fit.Stopped.String()}
	if n := len(f.sizes); n < j.settings.Clusters {
		f.notes = append(f.notes,
			fmt.Sprintf("only %d of the %d clusters have rows: the data have no more distinct rows",
				n, j.settings.Clusters))
	}
	return f, f.means(j, fit.Centers, fit.ClusterOf)
}

// means makes a model of means.
func (f *found) means(j *job, means dataset.Matrix, clusterOf []int) error {
	encoding, err := recipe.Of(j.table.source, j.table.scale)
	f.model = &method.Model{Method: j.method.name, Means: means, ClusterOf: clusterOf,
		Encoding: encoding}
	return err
}

// bySize adds up the rows of each cluster from those of its centres; clusters without rows are the
// last, and left out.
func bySize(rows []int64, clusterOf []int) []int64 {
	var sizes []int64
	for i, c := range clusterOf {
		for len(sizes) < c {
			sizes = append(sizes, 0)
		}
		if c > 0 {
			sizes[c-1] += rows[i]
		}
	}
	for len(sizes) > 0 && sizes[len(sizes)-1] == 0 {
		sizes = sizes[:len(sizes)-1]
	}
	return sizes
}

func fitCobra(ctx context.Context, j *job) (*found, error) {
	t, fit, err := cobra.Make(ctx, j.on, j.table.source, j.table.survey, cobra.Config{
		SuperInstances: j.settings.SuperInstances, MaxIterations: j.settings.MaxIterations,
		Tolerance: j.settings.Tolerance,
		Seed:      j.settings.Seed, Scale: j.table.scale,
	})
	if err != nil {
		return nil, err
	}
	known, err := t.Resolve(ctx, j.on, j.table.source, j.table.survey, j.links, j.ids)
	if err != nil {
		return nil, err
	}
	var g *cobra.Groups
	if j.flags.oracle != "" {
		g, err = t.Answer(ctx, j.flags.budget, known, j.settings.Contradictions)
	} else {
		g, err = t.Join(known, j.settings.Contradictions)
	}
	if err != nil {
		return nil, err
	}
	f := &found{sizes: bySize(t.Sizes, g.ClusterOf), super: t.Len(), queries: len(g.Asked),
		links: len(known), asked: g.Asked, name: t.Name, stopped: "every question is answered"}
	f.notes = append(f.notes,
		fmt.Sprintf("super-instances: inertia %.6g after %s (%s)", fit.Inertia,
			words.Count(fit.Iterations, "iteration"), fit.Stopped))
	if !g.Complete {
		f.stopped = "questions remain"
		f.notes = append(f.notes,
			fmt.Sprintf("at least about %d more answers complete the clustering", g.Likely))
	}
	if n := len(g.Unmet); n > 0 {
		f.notes = append(f.notes,
			fmt.Sprintf("%s cannot be met: each contradicts others, or parts rows of one "+
				"super-instance; more super-instances may help", words.Count(n, "link")))
	}
	if err := f.means(j, t.Means, g.ClusterOf); err != nil || j.flags.outputs.out == "" {
		return f, err
	}
	_, err = kmeans.Label(ctx, j.on, j.table.source, j.table.survey, t.Means, g.ClusterOf,
		j.flags.outputs.folder, j.flags.outputs.parts)
	return f, err
}

func fitLandmarks(ctx context.Context, j *job) (*found, error) {
	cfg := evclus.Config{Method: j.method.name, Metric: dissim.Metric(j.flags.Metric),
		Scale: j.table.scale, Settings: j.settings, Links: j.links, Linked: j.ids}
	fit, err := evclus.Fit(ctx, j.on, j.table.source, j.table.survey, cfg)
	if err != nil {
		return nil, err
	}
	out := evclus.Output{Path: j.flags.outputs.folder, Format: j.flags.outputs.parts}
	if len(j.links) > 0 {
		out.Fitted = fit // what links made of their rows shows in them alone
	}
	sum, err := evclus.Place(ctx, j.on, j.table.source, j.table.survey, fit.Model, out)
	if err != nil {
		return nil, err
	}
	f := &found{credal: sum, nowhere: sum.Nowhere, objective: &fit.Outcome.Objective,
		iterations: fit.Outcome.Iterations, unit: fit.Outcome.Unit,
		stopped: fit.Outcome.Stopped, links: len(j.links), model: fit.Model, notes: fit.Notes}
	for _, c := range sum.Clusters {
		f.sizes = append(f.sizes, c.Size)
	}
	return f, nil
}

func fitOnline(ctx context.Context, j *job) (*found, error) {
	rule, err := competitive.ParseRule(j.method.name)
	if err != nil {
		return nil, err
	}
	s := j.settings
	cfg := scalecompetitive.Config{Passes: s.Learning.Epochs, Learners: j.flags.learners}
	cfg.Config = competitive.Config{Rule: rule, Clusters: s.Clusters, Rate: s.Learning.Rate,
		Init: s.Learning.Init, Contradictions: s.Contradictions, Seed: s.Seed}
	for _, l := range j.links {
		cfg.Links = append(cfg.Links,
			scalecompetitive.Link{A: j.ids[l.A], B: j.ids[l.B], Kind: l.Kind,
				Confidence: l.Confidence()})
	}
	fit, err := scalecompetitive.Fit(ctx, j.on, j.table.source, j.table.survey, cfg)
	if err != nil {
		return nil, err
	}
	// Rows are counted before they are labelled, as the largest cluster is the first.
	counted, err := kmeans.Label(ctx, within{j.on, "count"}, j.table.source, j.table.survey,
		fit.Prototypes, nil, "", "")
	if err != nil {
		return nil, err
	}
	clusterOf := ranks(counted.Sizes)
	f := &found{sizes: bySize(counted.Sizes, clusterOf), objective: &counted.Inertia,
		iterations: len(fit.Trace), unit: "pass", stopped: "all passes are done",
		links: len(j.links)}
	if n := len(fit.Violated); n > 0 {
		f.notes = append(f.notes,
			fmt.Sprintf("%d of %s violated", n, words.Count(len(j.links), "link")))
	}
	if err := f.means(j, fit.Prototypes, clusterOf); err != nil || j.flags.outputs.out == "" {
		return f, err
	}
	_, err = kmeans.Label(ctx, j.on, j.table.source, j.table.survey, fit.Prototypes, clusterOf,
		j.flags.outputs.folder, j.flags.outputs.parts)
	return f, err
}

// ranks numbers centres from 1 by their rows, the largest first, and equal ones in order.
func ranks(rows []int64) []int {
	order := make([]int, len(rows))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rows[b], rows[a]) })
	rank := make([]int, len(rows))
	for i, c := range order {
		rank[c] = i + 1
	}
	return rank
}

func fitSpectral(ctx context.Context, j *job) (*found, error) {
	fit, err := spectral.Fit(ctx, j.on, j.table.source, j.table.survey, spectral.Config{
		Clusters: j.settings.Clusters, Landmarks: j.flags.Evidential.Landmarks,
		Nearest: j.flags.Tuning.Neighbours, Bandwidth: j.flags.Tuning.Bandwidth,
		Seed: j.settings.Seed, Threads: j.flags.Threads,
	})
	if err != nil {
		return nil, err
	}
	n := len(fit.Model.Landmarks) / fit.Model.Columns
	f := &found{objective: &fit.Inertia, iterations: fit.Rounds, unit: "round",
		stopped: "all rounds are done", by: "by a graph of " + words.Count(n, "landmark")}
	f.notes = append(f.notes, fmt.Sprintf("the graph is of %s; that of kindred cluster --method "+
		"spectral is of all rows, and its groups may differ", words.Count(n, "landmark")))
	if fit.Converged {
		f.stopped = "no centre moves"
	}
	if f.sizes = fit.Sizes; j.flags.outputs.out == "" {
		return f, nil
	}
	f.sizes, err = spectral.Label(ctx, j.on, j.table.source, j.table.survey, fit.Model,
		j.flags.outputs.folder, j.flags.outputs.parts)
	return f, err
}
