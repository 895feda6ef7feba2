package main

import (
	"context"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/atomicfile"
	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method/model"
	"github.com/kindred-go/kindred/method/param"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/shard"
)

// outputs are the flags of what is written.
type outputs struct {
	out, parts, model, answers string
	folder                     string // out as workers have it
}

func (o *outputs) flags(a *app, cmd *cobra.Command) {
	o.parts = "csv"
	var set param.Set
	set.File(&o.out, param.Param{Name: "out", Help: "folder for the partition: a part for each " +
		"piece of the data, and _SUCCESS when all are there"})
	set.Choice(&o.parts, param.Param{Name: "parts", Choices: shard.PartFormats(), Default: o.parts,
		Help: "format of the parts"})
	set.File(&o.model, param.Param{Name: "model", Help: "write here what kindred predict needs"})
	set.File(&o.answers, param.Param{Name: "answers",
		Help: "write the links that cobra asked here (.csv or .jsonl)"})
	cli.Declare(cmd.Flags(), outputGroup, &set)
	cli.Shared(cmd.Flags(), outputGroup, &a.shared)
}

// check refuses outputs that cannot be, or that would lie among DATA, before any work is done.
func (o *outputs) check(data []string) (err error) {
	if o.folder, err = absolute(o.out); err != nil {
		return err
	}
	if o.answers != "" {
		if err := link.CheckPath(o.answers); err != nil {
			return fault.Setting("--answers: " + err.Error())
		}
	}
	if err := apart("--out", o.out, data); err != nil {
		return err
	}
	for _, file := range []struct{ flag, name string }{{"--model", o.model},
		{"--answers", o.answers}} {
		if file.name == "" {
			continue
		}
		if strings.Contains(file.name, "://") {
			return fault.Settingf("%s: %s is no file of this machine: name one, and copy it there",
				file.flag, file.name)
		}
		if err := apart(file.flag, file.name, data); err != nil {
			return err
		}
		if info, err := os.Stat(file.name); err == nil && info.IsDir() {
			return fault.Settingf("%s: %s is a folder: give the name of a file", file.flag,
				file.name)
		}
		if _, err := os.Stat(filepath.Dir(file.name)); err != nil {
			return fault.Settingf("%s: there is no folder %s: make it first, or check the spelling",
				file.flag, filepath.Dir(file.name))
		}
		if err := writable(file.flag, filepath.Dir(file.name)); err != nil {
			return err
		}
	}
	return nil
}

// write writes what is no part.
func (o *outputs) write(a *app, f *found) error {
	if o.model != "" {
		if err := a.write(o.model, func() error { return model.Save(f.model, o.model) }); err != nil {
			return err
		}
		a.logf("the model is in %s", o.model)
	}
	if o.answers != "" {
		err := a.write(o.answers, func() error {
			return link.WriteFile(o.answers, f.asked, f.name)
		})
		if err != nil {
			return err
		}
		a.logf("%s in %s", words.Count(len(f.asked), "answer"), o.answers)
	}
	return nil
}

// write writes a file of this machine by a function that makes it for this user alone, and shares a
// new one where that is wanted.
func (a *app) write(name string, write func() error) error {
	_, missing := os.Stat(name)
	if err := write(); err != nil || missing == nil || !a.shared {
		return err
	}
	return atomicfile.Share(name)
}

// identity names all that a result depends on: the command, the flags that decide, the files as
// they are, and what else is given.
func identity(ctx context.Context, cmd *cobra.Command, s shard.Source, splits []shard.Split,
	also []string) (string, error) {
	stamps, err := shard.Stamps(ctx, splits)
	if err != nil {
		return "", err
	}
	passing := append([]string{"model", "answers", "json", "quiet", "shared", "threads", "block-rows"},
		ofRunning...)
	flags := map[string]string{}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if !slices.Contains(passing, f.Name) {
			flags[f.Name] = f.Value.String()
		}
	})
	return fold.Digest(map[string]any{"command": cmd.Name(), "flags": flags, "source": s,
		"splits": splits, "files": stamps, "also": also})
}

// hold takes the folder of a run's states, and that of its parts, for the run that is named, or
// refuses what is another's. "": there is none. What is written there is for this user alone, or
// shared.
func hold(ctx context.Context, work, out, run string, shared bool) error {
	written := false
	if out != "" {
		if err := free(ctx, out); err != nil {
			return err
		}
		if err := ready("--out", out, shared); err != nil {
			return err
		}
		names, err := shard.List(ctx, out)
		if err != nil {
			return err
		}
		written = len(names) > 0
		if err := shard.Claim(ctx, out, run, shared); err != nil {
			return err
		}
	}
	if work == "" {
		return nil
	}
	if err := ready("--work", work, shared); err != nil {
		return err
	}
	mark := shard.WorkMark(work)
	names, err := shard.List(ctx, work)
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(names, func(name string) bool { return path.Base(name) == path.Base(mark) }) {
		return shard.MarkWork(ctx, work, run, shared)
	}
	have, err := shard.ReadFile(ctx, mark)
	switch {
	case err != nil:
		return err
	case strings.TrimSpace(string(have)) != run:
		return &fault.Input{File: work,
			Problem: "--work holds what a run with other data or other flags left",
			Fix:     "give another folder, or remove this one to begin anew"}
	case out != "" && !written:
		return &fault.Input{File: out,
			Problem: "the parts that this run had written are gone, and --work has it that " +
				"they are there", Fix: "remove the folder " + work + " to begin anew"}
	}
	return nil
}
