package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/partition"
	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/project/input"
)

// scoreFlags are the flags of kindred score.
type scoreFlags struct {
	truth      input.Source
	predColumn string
	predID     string
	links      string
	silhouette bool
	singletons bool
	seed       uint64
	json       bool
}

// scores is what --json writes.
type scores struct {
	eval.Report
	Left       int               `json:"left_out"` // rows of the truth that were not compared
	Untouched  *eval.Report      `json:"untouched,omitempty"`
	Violated   *eval.LinkReport  `json:"violated,omitempty"`
	Silhouette *eval.Silhouettes `json:"silhouette,omitempty"`
	Credal     *credalRand       `json:"credal_rand,omitempty"` // of two credal partitions
}

func newScore(a *app) *cobra.Command {
	var f scoreFlags
	cmd := &cobra.Command{
		Use:   "score PRED TRUTH",
		Short: "Judge a partition against true classes, links and the data",
		Long: `score compares a partition (id,cluster) with the classes of TRUTH, row by row by id:
Rand, adjusted Rand, NMI, purity, pair precision and recall. With --links it counts the violated
links and compares the rows that no link touches; with --silhouette it judges by the features of
TRUTH, or by its texts, as vectors: those of --text, or those of the only column that can be
compared.

Two credal partitions, as the evidential methods write them, are also compared by their masses: the
credal Rand indices are 1 where no two masses contradict each other (consistency), and where both
say the same (belief, Jousselme).`,
		Example: `  kindred cluster iris -k 3 --out groups.csv
  kindred score groups.csv iris --label class --silhouette`,
		Args: cli.Arguments(2, 2, "a partition and the TRUTH", nil),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), a, args[0], args[1])
		},
	}
	fs := cmd.Flags()
	f.truth.Flags(fs)
	f.truth.TextFlags(fs)
	fs.StringVar(&f.predColumn, "pred-column", "",
		"column of clusters in PRED (default: cluster, class, label, target or species)")
	fs.StringVar(&f.predID, "pred-id", "",
		"column of row ids in PRED (default: that of --id where PRED has it, else id)")
	fs.StringVar(&f.links, "links", "",
		"file of links: count those violated, and compare the rows no link touches")
	fs.BoolVar(&f.silhouette, "silhouette", false, "mean silhouette by the features or texts of TRUTH")
	fs.BoolVar(&f.singletons, "noise-apart", false,
		"take each row of cluster 0 (noise) as a cluster of its own, instead of all as one")
	fs.Uint64Var(&f.seed, "seed", 0,
		"seed of the sample that a silhouette or credal Rand indices of many rows are taken on")
	fs.BoolVar(&f.json, "json", false, "write one JSON object to stdout")
	return cmd
}

// check looks at the flags before anything is read.
func (f *scoreFlags) check() error {
	if _, err := f.truth.Preparation(true); err != nil {
		return err
	}
	if f.truth.Text != "" && !f.silhouette {
		return fault.Setting("--text names what --silhouette judges by: give that, too, or leave " +
			"out --text")
	}
	if err := f.truth.CheckTexts(); err != nil {
		return err
	}
	_, err := f.truth.Compared()
	return err
}

func (f *scoreFlags) run(ctx context.Context, a *app, predName, truthName string) error {
	if err := f.check(); err != nil {
		return err
	}
	of := input.Source{ID: f.predID, Label: f.predColumn, InflateLimit: f.truth.InflateLimit,
		Threads: f.truth.Threads}
	pred, err := readPartition(ctx, a, of, predName, f.truth.ID)
	if err != nil {
		return err
	}
	truth, err := readPartition(ctx, a, f.truth, truthName, "")
	if errors.Is(err, errNoClasses) && f.silhouette && f.links == "" {
		return f.shapeAlone(ctx, a, pred, truthName)
	}
	if err != nil {
		return err
	}
	if err := input.CheckClasses(truth.Labels, truthName, f.truth.Label); err != nil {
		return err
	}
	m, err := partition.Match(ctx, pred, truth)
	if err != nil {
		return err
	}
	if err := sameRows(m, predName, truth.Table); err != nil {
		return err
	}
	found, classes, rows := m.Both()
	if len(rows) == 0 {
		return fault.Inputf("name the columns with --pred-column and --label",
			"no row is labelled both here and in %s", truthName).In(predName)
	}
	if f.singletons {
		found = eval.Singletons(found)
	}
	var s scores
	s.Left = len(truth.Labels) - len(rows)
	if s.Report, err = eval.Compare(found, classes); err != nil {
		return err
	}
	if f.links != "" {
		if err := f.judgeLinks(ctx, &s, rows, found, classes, truth.Table); err != nil {
			return err
		}
	}
	if f.silhouette {
		if err := f.judgeShape(ctx, a, &s, m, truthName, truth.Table); err != nil {
			return err
		}
	}
	if hasMasses(pred.Table) && hasMasses(truth.Table) {
		if s.Credal, err = f.judgeMasses(ctx, a, predName, truthName); err != nil {
			return err
		}
	}
	if f.json {
		return json.NewEncoder(a.out).Encode(s)
	}
	return s.print(a)
}

// shapeAlone judges a partition of data without classes by its silhouettes.
func (f *scoreFlags) shapeAlone(ctx context.Context, a *app, pred *partition.Partition,
	name string) error {
	t, err := read(ctx, a, &f.truth, name, f.truth.Text != "")
	if err != nil {
		return err
	}
	all := &partition.Partition{Labels: make([]int, t.Rows), Table: t}
	m, err := partition.Match(ctx, pred, all)
	if err != nil {
		return err
	}
	if err := sameRows(m, pred.Table.Name, t); err != nil {
		return err
	}
	var s scores
	if err := f.judgeShape(ctx, a, &s, m, name, t); err != nil {
		return err
	}
	if f.json {
		return json.NewEncoder(a.out).Encode(struct {
			Silhouette *eval.Silhouettes `json:"silhouette"`
		}{s.Silhouette})
	}
	_, err = fmt.Fprintf(a.out, "%s has no column of classes to compare with.\n\n%s\n",
		t.Name, sentence(s.Silhouette))
	return err
}

// sameRows refuses a partition of other data that merely have rows of the same numbers: those
// compared are the first of the truth, whose rows have no ids, and none can be missing because it
// lacks a value.
func sameRows(m *partition.Matched, predName string, truth *dataset.Table) error {
	n := len(m.Rows)
	lacking := func(c dataset.Column) bool { return c.Role == dataset.Feature && c.Missing > 0 }
	if n == 0 || n == truth.Rows || slices.Max(m.Rows) >= n || hasIDs(truth) ||
		slices.ContainsFunc(truth.Columns, lacking) {
		return nil
	}
	return fault.Inputf(
		"give the data that the partition was made from, or name their column of ids with --id",
		"it has %s, and %s has %d", words.Count(n, "row"), truth.Name, truth.Rows).In(predName)
}

// columnsOfSets are the columns of a partition that hold lists of clusters, which may look like
// numbers at first.
var columnsOfSets = []string{"lower", "upper"}

// holdsSets reports whether a text file begins as a credal partition does, with masses or without.
func (a *app) holdsSets(name string) bool {
	path, where, err := a.place().Locate(name)
	if err != nil || where != input.InFile {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false // which reading it reports
	}
	defer f.Close()
	r, _, done, err := input.Unpacked(f, path)
	if err != nil {
		return false
	}
	defer done()
	head := make([]byte, 1<<16)
	n, _ := io.ReadFull(r, head)
	first, _, _ := bytes.Cut(head[:n], []byte("\n")) // the names of columns, or a row with them
	names := strings.FieldsFunc(string(first),
		func(c rune) bool { return strings.ContainsRune(",;\t\"\r", c) })
	if bytes.HasPrefix(first, []byte("{")) {
		names = strings.Split(string(first), `"`)
	}
	has := func(name string) bool { return slices.Contains(names, name) }
	return has("lower") && has("upper") && has("outlier") && (has("certainty") ||
		slices.ContainsFunc(names, func(s string) bool { return strings.HasPrefix(s, "m_{") }))
}

// errNoClasses is the cause where a table has no column of clusters or classes.
var errNoClasses = errors.New("no classes")

// readPartition reads a column of clusters or classes. Without a label flag the usual names are
// looked for, and likeID is the column of ids if there is one of that name.
func readPartition(ctx context.Context, a *app, s input.Source, name,
	likeID string) (*partition.Partition, error) {
	s.AsTexts = true // which mean nothing here
	once := name == "-" || a.place().Once(name)
	if len(s.Drop) == 0 && len(s.Features) == 0 && !once && a.holdsSets(name) {
		s.Drop = columnsOfSets
	}
	if s.Label == "" || s.ID == "" && likeID != "" {
		if once {
			return nil, fault.Setting(
				"stdin and pipes are read once, and the columns are looked for before: give a " +
					"file, or with kindred score name them, by --pred-column and --pred-id, or " +
					"--label and --id")
		}
		t, err := read(ctx, a, &s, name, s.Text != "")
		if err != nil {
			return nil, err
		}
		var names []string
		for _, c := range t.Columns {
			names = append(names, c.Name)
		}
		if s.ID == "" && slices.Contains(names, likeID) {
			s.ID = likeID
		}
		if s.Label == "" {
			s.Label = partition.LabelColumn(names)
		}
		if s.Label == "" {
			return nil, fault.Inputf("name it with --label, or --pred-column for the partition",
				"no column looks like clusters or classes").In(name).Because(errNoClasses)
		}
	}
	t, err := read(ctx, a, &s, name, s.Text != "")
	if err != nil {
		return nil, err
	}
	return partition.Of(t)
}

// judgeLinks counts the links that the partition breaks, among the rows compared.
func (f *scoreFlags) judgeLinks(ctx context.Context, s *scores, rows, found, classes []int,
	t *dataset.Table) error {
	links, err := link.ReadFile(ctx, f.links, t.RowOf)
	if err != nil {
		return err
	}
	at := make(map[int]int, len(rows))
	for i, row := range rows {
		at[row] = i
	}
	kept := input.Among(links, at)
	violated, err := eval.CheckLinks(found, kept)
	if err != nil {
		return err
	}
	s.Violated = &violated
	if len(eval.Untouched(len(found), kept)) == 0 {
		return nil
	}
	untouched, err := eval.CompareUntouched(found, classes, kept)
	s.Untouched = &untouched
	return err
}

// judgeShape takes the silhouettes of all rows that the partition labels, true class or not.
func (f *scoreFlags) judgeShape(ctx context.Context, a *app, s *scores, m *partition.Matched,
	name string, t *dataset.Table) error {
	p, err := watched(a, func(progress input.Progress) (*input.Data, error) {
		return f.truth.VectorsOf(ctx, a.place(), name, t, progress)
	})
	if in, ok := errors.AsType[*fault.Input](err); ok && len(t.Features()) == 0 {
		in.Fix = "--silhouette judges by features or texts: name some with --features or --text, " +
			"or leave it out"
	}
	if err != nil {
		return err
	}
	if p.Encoded() {
		a.notef("the silhouette is of %s", p.What())
	}
	s.Silhouette, err = eval.Silhouette(ctx, p.Ready.X, place(p, m),
		eval.SilhouetteConfig{Seed: f.seed, Threads: f.truth.Threads})
	return err
}

func (s *scores) print(a *app) error {
	text := s.Report.String()
	if s.Left > 0 {
		text += fmt.Sprintf(
			"\n%s of the truth not compared: not in the partition, or without a class",
			words.Count(s.Left, "row"))
	}
	if s.Violated != nil {
		text += "\n\n" + s.Violated.String()
		if s.Untouched != nil {
			text += "\n\nThe rows no link touches:\n" + s.Untouched.String()
		} else {
			text += "\nEvery row is touched by a link, so none is left to compare apart."
		}
	}
	if s.Credal != nil {
		text += "\n\n" + s.Credal.String()
	}
	if s.Silhouette != nil {
		text += "\n\n" + sentence(s.Silhouette)
	}
	_, err := fmt.Fprintln(a.out, text)
	return err
}

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
// compared, clusters still can, so that is only reported.
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
			if fault.IsInput(err) && !errors.Is(err, fault.Damaged) {
				a.notef("masses are not compared: %v", err)
				return nil, nil
			}
			return nil, err
		}
		if note := credal.Note(read[i], path); note != "" {
			a.notef("%s", note)
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

// sentence returns the silhouette as a line of its own begins, as in "Silhouette 0.62 over …".
func sentence(s *eval.Silhouettes) string {
	return "S" + strings.TrimPrefix(s.String(), "s")
}
