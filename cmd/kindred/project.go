package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/project/input"
	"github.com/kindred-go/kindred/project/store"
)

// projectName is NAME.kindred in this folder, NAME being that of the data without its endings.
func projectName(data string) string {
	base := filepath.Base(data)
	if base == "." || base == ".." {
		if abs, err := filepath.Abs(data); err == nil {
			base = filepath.Base(abs)
		}
	}
	for _, end := range []string{".gz", ".zst"} {
		base = strings.TrimSuffix(base, end)
	}
	return strings.TrimSuffix(base, filepath.Ext(base)) + ".kindred"
}

// open reads the project and the data, and brings the run to where the answers stand. The project
// is made only when the data could be read.
func (f *askFlags) open(ctx context.Context, cmd *cobra.Command, a *app, name,
	path string) (*asking, error) {
	var project *store.File
	var header store.Header
	var began bool
	var err error
	if store.Exists(path) {
		if project, err = store.Open(ctx, path); err != nil {
			return nil, err
		}
		if header, began, err = project.Header(ctx); err == nil {
			err = recall(a, f.Recipe, header, path)
		}
		if err == nil {
			err = f.checkOutputs(a, name, path)
		}
		if err != nil {
			project.Close()
			return nil, err
		}
	}
	s := &asking{project: project}
	if err := f.decided(); err != nil {
		return s, err
	}
	if err := load(ctx, a, f.Recipe, s, name); err != nil {
		return s, err
	}
	if err := f.decided(); err != nil { // the data may have decided the method
		return s, err
	}
	if err := f.outputs.suit(s.data); err != nil {
		return s, err
	}
	s.notes = append(s.notes, f.Useless(s.method)...)
	if began && header.Fingerprint != s.data.Fingerprint() && f.changed != "carry" {
		return s, changedData(path, header, name, s.data.Read(),
			"restore the data, keep another project with --project, or take the answers along by "+
				"row id with --changed-data carry")
	}
	if s.project == nil {
		if s.project, err = store.Open(ctx, path); err != nil {
			return s, err
		}
	}
	if err := restore(ctx, a, f.Recipe, s); err != nil {
		return s, err
	}
	if !began {
		header.Created = time.Now().UTC()
	}
	header.Data, header.Path = name, input.Stored(name, path, a.place())
	header.Fingerprint, header.Rows, header.Method = s.data.Fingerprint(), s.data.Read(),
		s.method.Name
	changes := f.Changes(header, path)
	if !began {
		header.Settings, header.Given = f.Remember(path), true
	}
	if err := s.project.SetHeader(ctx, header); err != nil {
		return s, err
	}
	// What was decided otherwise before is kept only when answers are given under it.
	for _, c := range changes {
		if !began {
			break
		}
		a.say("--%s was %s in this project and is %s now; that is kept with the next answer",
			c.Name, said(c.Was), said(c.Is))
		later := header
		later.Settings, later.Given = f.Remember(path), true
		s.header = &later
	}
	return s, nil
}

// said writes the value of a flag, or that it was not given.
func said(value string) string {
	if value == "" {
		return "the default"
	}
	return value
}

// recall sets what was not given to what the project keeps, and says so.
func recall(a *app, r *input.Recipe, h store.Header, project string) error {
	said, err := r.Recall(h, project)
	if len(said) > 0 {
		a.say("settings of %s: %s", project, strings.Join(said, ", "))
	}
	return err
}

// dataOf finds the data that a project is about.
func dataOf(ctx context.Context, a *app, project string) (string, error) {
	p, err := store.View(ctx, project)
	if err != nil {
		return "", err
	}
	defer p.Close()
	h, ok, err := p.Header(ctx)
	if err != nil {
		return "", err
	}
	if !ok {
		return "", &fault.Input{File: project, Problem: "the project holds no session yet",
			Fix: "begin one with kindred ask DATA"}
	}
	return input.DataOf(h, project, a.place())
}

func changedData(path string, h store.Header, name string, rows int, fix string) error {
	return &fault.Input{
		File: path,
		Problem: fmt.Sprintf(
			"the project was begun with other data (%s of %s) than %s holds now (%s)",
			words.Count(h.Rows, "row"), h.Data, name, words.Count(rows, "row")),
		Fix: fix,
	}
}
