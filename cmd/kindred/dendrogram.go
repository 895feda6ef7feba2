package main

import (
	"fmt"
	"path/filepath"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/plot"
	"github.com/kindred-go/kindred/project/input"
)

// dendrogram is the kind of picture that shows a tree.
const dendrogram = "dendrogram"

// treed checks that the method makes a tree where one is wanted.
func (o *outputs) treed(r *input.Recipe) error {
	if r.Undecided() || o.tree == "" && o.picture != dendrogram {
		return nil
	}
	m, err := input.Find(r.MethodName)
	if err != nil {
		return err
	}
	switch {
	case m.Tree && o.picture == dendrogram && o.plot == "":
		return fault.Setting("--picture says what --plot draws: give --plot FILE, too")
	case m.Tree:
		return nil
	case o.tree != "":
		return fault.Settingf("--tree writes a tree, and %s makes none: use --method agglomerative",
			m.Name)
	}
	return fault.Settingf(
		"--picture %s is of a tree, and %s makes none: use --method agglomerative", dendrogram,
		m.Name)
}

// saveDendrogram draws the tree of an outcome to a file.
func saveDendrogram(a *app, path string, data *input.Data, out *method.Outcome) error {
	cfg := plot.DendrogramConfig{
		Objects: out.Tree.N, Groups: out.Labels,
		Title: fmt.Sprintf("%s: %s", filepath.Base(data.Name()),
			words.Count(out.Clusters, "group")),
		XLabel: "height, " + out.Tree.Linkage.String() + " linkage",
	}
	for _, m := range out.Tree.Merges {
		cfg.Branches = append(cfg.Branches, plot.Branch{A: m.A, B: m.B, Height: m.Height})
	}
	for row := range out.Labels {
		cfg.Names = append(cfg.Names, data.ID(row))
	}
	for c := range out.Clusters {
		cfg.GroupNames = append(cfg.GroupNames, fmt.Sprintf("group %d", c+1))
	}
	fig, err := plot.Dendrogram(cfg)
	if err != nil {
		return err
	}
	if err := fig.Save(path); err != nil {
		return err
	}
	a.say("the picture is in %s", path)
	return nil
}
