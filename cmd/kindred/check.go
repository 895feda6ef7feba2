package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/internal/infile"
	"github.com/kindred-go/kindred/internal/ours"
	"github.com/kindred-go/kindred/internal/safe"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/method/model"
	"github.com/kindred-go/kindred/project/input"
	"github.com/kindred-go/kindred/project/store"
	"github.com/kindred-go/kindred/stream"
)

// checkReport is what --json writes.
type checkReport struct {
	Version string        `json:"version"`
	Files   []checkedFile `json:"files"`
}

// checkedFile is what is found of a file.
type checkedFile struct {
	File     string         `json:"file"`
	Kind     string         `json:"kind"`
	Sound    bool           `json:"sound"` // also after a repair
	What     string         `json:"what,omitempty"`
	Damage   []store.Damage `json:"damage,omitempty"` // that was found, repaired or not
	Repaired *repairedFile  `json:"repaired,omitempty"`
	Notes    []string       `json:"notes,omitempty"`

	lost bool // nothing of it can be kept
}

// repairedFile is what became of a project.
type repairedFile struct {
	Copy    string `json:"copy"`    // the file as it was
	Steps   int    `json:"steps"`   // that are kept
	Answers int    `json:"answers"` // in effect among these; a step of several links is one
	Stated  int    `json:"stated"`  // links that these state
	Lost    int64  `json:"lost"`    // steps that are not; 0 also if that is not known
}

// Kinds of files.
const (
	kindProject = "project"
	kindModel   = "model"
	kindState   = "stream state"
	kindCredal  = "credal partition"
	kindTable   = "table"
	kindPicture = "picture"
)

func newCheck(a *app) *cobra.Command {
	var repair, asJSON bool
	cmd := &cobra.Command{
		Use:   "check FILE...",
		Short: "See whether projects, models, states and other files are damaged, and repair projects",
		Long: `check reads files whole, and reports for each whether it is as it was written, what is
damaged, and what that affects: projects, models, states of streams, credal partitions; of other
files, whether they can be read as a table. Pictures are left alone. Nothing is changed.

--repair puts a sound project in the place of a damaged one. It keeps the steps before the first
that is damaged, and first copies the file as it was to FILE.damaged, or FILE.damaged-2 and so on.
Other files can only be restored or made again.

The exit code is 0 if all files are sound, or were repaired, and 3 if one is damaged.`,
		Example: `  kindred check customers.kindred groups.model
  kindred check customers.kindred --repair`,
		Args: cli.Arguments(1, math.MaxInt, "one FILE or more", nil),
		RunE: func(cmd *cobra.Command, args []string) error {
			return check(cmd.Context(), a, args, repair, asJSON)
		},
	}
	cmd.Flags().BoolVar(&repair, "repair", false,
		"put a sound project in the place of a damaged one, after a copy of it")
	cmd.Flags().BoolVar(&asJSON, "json", false, "write one JSON object to stdout")
	return cmd
}

// check checks files, and reports all of them even if one cannot be checked.
func check(ctx context.Context, a *app, paths []string, repair, asJSON bool) error {
	report := checkReport{Version: cli.Version(version), Files: []checkedFile{}}
	var failed error
	damaged := 0
	for _, path := range paths {
		f, err := a.checkFile(ctx, path, repair)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			if failed == nil {
				failed = err
			} else {
				a.notef("%v", err)
			}
			continue
		}
		if !f.Sound {
			damaged++
		}
		report.Files = append(report.Files, *f)
		if asJSON {
			continue
		}
		if err := f.write(a.out); err != nil {
			return err
		}
	}
	if asJSON {
		e := json.NewEncoder(a.out)
		e.SetIndent("", "  ")
		e.SetEscapeHTML(false)
		if err := e.Encode(report); err != nil {
			return err
		}
	}
	if damaged == 0 {
		return failed
	}
	found := notSound(report.Files, len(paths), damaged, repair)
	if failed == nil {
		return found
	}
	a.notef("%v", found)
	return failed
}

// notSound is the error for damaged files among those that were checked.
func notSound(files []checkedFile, checked, damaged int, repaired bool) error {
	fix := "restore it from a copy"
	if damaged > 1 {
		fix = "restore them from copies"
	}
	for _, f := range files {
		if !f.Sound && f.Kind == kindProject && !repaired && !f.lost {
			fix += ", or keep what is sound with --repair"
			break
		}
	}
	return fault.Inputf(fix, "of %s not sound: %d", words.Count(checked, "file"),
		damaged).Because(fault.Damaged)
}

// write writes what was found in lines.
func (f *checkedFile) write(w io.Writer) error {
	var b bytes.Buffer
	state := "sound"
	switch {
	case f.Kind == kindPicture:
		state = "not checked"
	case f.Repaired != nil:
		state = "was damaged, and is repaired"
	case f.Kind == kindTable && f.Sound:
		state = "it can be read"
	case f.Kind == kindTable:
		state = "it CANNOT be read"
	case !f.Sound:
		state = "DAMAGED"
	}
	fmt.Fprintf(&b, "%s: %s, %s", safe.Line(f.File), f.Kind, state)
	if f.What != "" {
		fmt.Fprintf(&b, ": %s", safe.Line(f.What))
	}
	b.WriteByte('\n')
	for _, d := range f.Damage {
		fmt.Fprintf(&b, "  %s\n", safe.Line(d.What))
		if d.Affects != "" {
			fmt.Fprintf(&b, "    %s\n", safe.Line(d.Affects))
		}
	}
	if r := f.Repaired; r != nil {
		fmt.Fprintf(&b, "  kept: %s, of which %s in effect\n", words.Count(r.Steps, "step"),
			store.Tally{Answers: r.Answers, Links: r.Stated})
		if r.Lost > 0 {
			fmt.Fprintf(&b, "  lost: %s\n", words.Count(r.Lost, "step"))
		}
		fmt.Fprintf(&b, "  the file as it was: %s\n", safe.Line(r.Copy))
	}
	for _, n := range f.Notes {
		fmt.Fprintf(&b, "  %s\n", safe.Line(n))
	}
	_, err := w.Write(b.Bytes())
	return err
}

// checkFile checks a file by its kind.
func (a *app) checkFile(ctx context.Context, path string, repair bool) (*checkedFile, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, fault.Reading(path, err)
	case !info.Mode().IsRegular():
		return nil, fault.Inputf("name a file", "this is not a regular file").In(path)
	}
	f := &checkedFile{File: path}
	if f.Kind, err = kindOf(path); err != nil {
		return nil, err
	}
	switch f.Kind {
	case kindProject:
		return f, f.project(ctx, repair)
	case kindModel:
		err = f.model()
	case kindState:
		err = f.state()
	case kindPicture:
	default:
		err = f.table(ctx, a)
	}
	in, wrong := errors.AsType[*fault.Input](err)
	if !wrong {
		f.Sound = err == nil
		return f, err
	}
	f.Damage = []store.Damage{{What: (&fault.Input{Line: in.Line, Row: in.Row, Column: in.Column,
		Problem: in.Problem}).Error()}}
	fix := in.Fix
	if f.Kind == kindTable && strings.Contains(fix, "--") { // kindred check has no such flags
		fix = "with kindred cluster or ask: " + fix
	}
	f.note(fix)
	return f, nil
}

// kindOf returns the kind of a file by its first bytes, and of one whose first bytes are damaged by
// its name.
func kindOf(path string) (string, error) {
	file, err := infile.Open(path, "a file")
	if err != nil {
		return "", err
	}
	defer file.Close()
	head := make([]byte, ours.HeadBytes)
	n, err := io.ReadFull(file, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return "", err
	}
	head = head[:n]
	switch ours.Of(head) {
	case ours.Project:
		return kindProject, nil
	case ours.Model:
		return kindModel, nil
	case ours.State:
		return kindState, nil
	case ours.Partition:
		return kindTable, nil
	}
	switch filepath.Ext(path) {
	case ".kindred":
		return kindProject, nil
	case ".model":
		return kindModel, nil
	case ".state":
		return kindState, nil
	case ".svg", ".png": // which --plot writes
		return kindPicture, nil
	}
	return kindTable, nil
}

func (f *checkedFile) project(ctx context.Context, repair bool) error {
	if info, err := os.Stat(f.File); err == nil && info.Size() == 0 && !there(f.File+"-wal") {
		f.Sound, f.What = true, "nothing is in it yet"
		return nil
	}
	r, err := store.Check(ctx, f.File)
	if err != nil {
		return err
	}
	f.Damage, f.Notes, f.Sound = r.Damage, r.Notes, len(r.Damage) == 0
	f.lost = slices.ContainsFunc(r.Damage, func(d store.Damage) bool {
		return d.What == store.ErrNothing.Error()
	})
	if r.Format > 0 {
		f.What = fmt.Sprintf("format %d, %s, %s in effect", r.Format,
			words.Count(r.Steps, "sound step"), r.Count)
	}
	if f.Sound || !repair {
		return nil
	}
	r, copied, err := store.Repair(ctx, f.File)
	if errors.Is(err, store.ErrNothing) {
		f.note("nothing can be kept of it; it was left as it is")
		return nil
	}
	if err != nil {
		return err
	}
	f.Sound, f.What = true, ""
	f.Repaired = &repairedFile{Copy: copied, Steps: r.Steps, Answers: r.Count.Answers,
		Stated: r.Count.Links, Lost: max(0, r.Stated-int64(r.Steps))}
	if !r.About {
		f.Notes = append(f.Notes, "which data it is about is lost: name them, and the settings, by "+
			"kindred ask DATA --project "+words.Shell(f.File))
	}
	return nil
}

func (f *checkedFile) model() error {
	m, err := model.Load(f.File)
	if err != nil {
		return err
	}
	f.What = m.Method
	f.note(model.Note(m, f.File))
	return nil
}

// note adds a sentence, without the name of the file before it.
func (f *checkedFile) note(note string) {
	if note != "" {
		f.Notes = append(f.Notes, strings.TrimPrefix(note, f.File+": "))
	}
}

func (f *checkedFile) state() error {
	s, err := stream.Load(f.File)
	if err != nil {
		return err
	}
	if _, err := s.Restore(); err != nil {
		return err
	}
	f.What = words.Count(s.Source.Rows, "row") + " labelled"
	return nil
}

// table reads a credal partition, or another table, whole.
func (f *checkedFile) table(ctx context.Context, a *app) error {
	if credal.Is(f.File) {
		f.Kind = kindCredal
		// The columns that follow from the masses are read, too.
		if _, err := readPartition(ctx, a, input.Source{}, f.File, ""); err != nil {
			return err
		}
		p, _, err := credal.Read(ctx, f.File)
		if err != nil {
			return err
		}
		f.What = words.Count(p.Len(), "row")
		f.note(credal.Note(p, f.File))
		return nil
	}
	var s input.Source
	if a.holdsSets(f.File) {
		s.Drop = columnsOfSets
	}
	t, err := read(ctx, a, &s, f.File, false)
	if err != nil {
		return err
	}
	f.What = words.Count(t.Rows, "row")
	return nil
}
