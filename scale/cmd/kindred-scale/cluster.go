package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/all"
	"github.com/kindred-go/kindred/method/param"
	"github.com/kindred-go/kindred/project/input"
	scaleeval "github.com/kindred-go/kindred/scale/eval"
	"github.com/kindred-go/kindred/scale/survey"
)

// clusterFlags are the flags of kindred-scale cluster: those of kindred cluster, and the engine's.
type clusterFlags struct {
	*input.Recipe
	reading  reading
	running  running
	outputs  outputs
	learners int
	oracle   string
	budget   int
	json     bool
}

func newCluster(a *app) *cobra.Command {
	f := clusterFlags{Recipe: input.New()}
	f.reading.Source = &f.Recipe.Source
	cmd := &cobra.Command{
		Use:   "cluster DATA…",
		Short: "Cluster tables of any size and write which row is in which group",
		Long: `cluster fits one method to all rows of DATA and writes the partition, ` +
			`id,cluster, in parts: one file
for each piece of the data, to the folder --out. DATA are files, folders or patterns of Parquet
(.parquet) and CSV (.csv, .tsv, .csv.gz), on a path that all workers reach, gs:// or s3://. What was
found is reported on stderr. The methods:

` + methodLines() + `

--work keeps what each round left. A run that was stopped, or whose engine failed, goes on from
there when the same command is run again, and writes the same bytes. The result depends on the
files, the flags and --split-rows, never on the engine or the number of its workers.`,
		Example: `  kindred-scale cluster big.parquet --method kmeans -k 25 --out groups ` +
			`--model groups.model
  kindred-scale cluster 'logs/2026-*/*.parquet' --method kevclus -k 5 --landmarks 4000 \
      --id key --out groups --parts parquet
  kindred-scale cluster big --method cobra --super-instances 300 --label class \
      --oracle labels --out groups
  kindred-scale cluster gs://bucket/table -k 100 --out gs://bucket/groups --runner dataflow \
      --work gs://bucket/work -- --project=NAME --region=europe-west1 \
      --temp_location=gs://bucket/tmp --staging_location=gs://bucket/staging
  kindred-scale cluster /mnt/table -k 25 --out /mnt/groups --runner flink \
      --endpoint localhost:8099 --environment_type PROCESS --work /mnt/work`,
		Args: cli.Arguments(1, 1<<20, "DATA: files, folders or patterns", plain),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, a, plain(cmd, args), args)
		},
	}
	fs := cmd.Flags()
	f.Flags(fs)
	f.reading.flags(cmd)
	f.knowledge(fs)
	f.outputs.flags(a, cmd)
	declareJSON(cmd, &f.json, "write one JSON object about the fit to stdout")
	f.running.flags(cmd)
	fs.Lookup("method").Usage = methodNames() +
		" (default: cobra with --oracle or links, kmeans with -k alone)"
	refusals(cmd)
	grouped(cmd, f.method)
	return cmd
}

// knowledge adds the flags of answers, and of how learning is shared out.
func (f *clusterFlags) knowledge(fs *pflag.FlagSet) {
	var set param.Set
	set.Choice(&f.oracle, param.Param{Name: "oracle", Choices: []string{"labels"},
		Help: "who answers cobra (to answer yourself, see kindred-scale super)"})
	set.Int(&f.budget, param.Param{Name: "budget", Default: "0",
		Help: "answers allowed, 0 for no limit"})
	cli.Declare(fs, input.KnowledgeGroup, &set)
	var method param.Set
	method.Int(&f.learners, param.Param{Name: "learners", Default: "0",
		Help: "competitive learning: splits that are learnt at the same time between two " +
			"averagings, 0 for all"})
	cli.Declare(fs, input.MethodGroup, &method)
}

// methodNames lists the methods.
func methodNames() string {
	var names []string
	for _, m := range methods() {
		names = append(names, m.name)
	}
	return strings.Join(names, ", ")
}

// methodLines lists the methods with what each does.
func methodLines() string {
	var b strings.Builder
	var names, titles []string
	for _, m := range methods() {
		names, titles = append(names, "  "+m.name), append(titles, m.title)
	}
	cli.List(&b, names, titles)
	return strings.TrimRight(b.String(), "\n")
}

// job is what a method works on.
type job struct {
	flags  *clusterFlags
	method *scaled
	how    *method.Configured // the method of that name on one machine
	fit    fitting
	on     *engineRunner
	table  *table
	links  []link.Link // rows are positions in ids
	ids    []string
}

func (f *clusterFlags) run(cmd *cobra.Command, a *app, paths, args []string) error {
	ctx, began := cmd.Context(), time.Now()
	j, err := f.check(cmd)
	if err != nil {
		return err
	}
	source, err := f.reading.source(cmd, paths)
	if err != nil {
		return err
	}
	if err := f.outputs.check(paths); err != nil {
		return err
	}
	var also []string
	if f.Links != "" {
		if j.links, j.ids, err = readLinks(ctx, f.Links); err != nil {
			return err
		}
		also = append(also, fmt.Sprint(j.links, j.ids))
	}
	if j.on, err = f.running.start(cmd, a, f.Threads, args); err != nil {
		return err
	}
	defer j.on.Close()
	if j.table, err = f.reading.take(ctx, cmd, j.on, source, f.outputs.folder,
		also...); err != nil {
		return err
	}
	fitting := time.Now()
	found, err := j.fit(ctx, j)
	if err != nil {
		return err
	}
	took := time.Since(fitting)
	if err := j.compare(ctx, found); err != nil {
		return err
	}
	r := &found.report
	r.complete(j)
	r.FitSeconds = took.Seconds()
	if err := f.outputs.write(a, found); err != nil {
		return err
	}
	r.Seconds = time.Since(began).Seconds()
	a.summarize(r)
	if f.outputs.out != "" {
		a.logf("the group of each row is in %s, in %s", f.outputs.out,
			words.Count(len(j.table.survey.Splits), "part"))
	}
	if f.json {
		return json.NewEncoder(a.out).Encode(r)
	}
	return nil
}

// method returns the method that is given, or what the other flags call for.
func (f *clusterFlags) method() (*scaled, error) {
	clusters, _ := f.Get("clusters")
	switch {
	case f.MethodName != "":
		return findMethod(f.MethodName)
	case f.oracle != "" || f.Links != "" || clusters == "":
		return findMethod("cobra")
	}
	return findMethod("kmeans")
}

// check looks at the flags before anything is read, and configures the method.
func (f *clusterFlags) check(cmd *cobra.Command) (*job, error) {
	m, err := f.method()
	if err != nil {
		return nil, err
	}
	if err := refused(cmd.Flags(), m); err != nil {
		return nil, err
	}
	if err := f.Check(); err != nil {
		return nil, err
	}
	starts, _ := f.Get("starts")
	switch {
	case f.oracle != "" && f.Label == "":
		err = fault.Setting("the column of true classes is needed: name it with --label")
	case m.name == "cobra" && f.oracle == "" && f.Links == "":
		err = fault.Setting("cobra needs someone to answer its questions: give --oracle labels " +
			"with --label, or --links, or make super-instances with kindred-scale super and " +
			"answer yourself with kindred ask")
	case starts != "" && starts != "1":
		err = fault.Settingf("--starts is %s: each start takes all passes over the data; give "+
			"--seed, and compare what --json reports of each", starts)
	case m.name == "spectral" && f.outputs.model != "":
		err = fault.Setting("--model: the groups of spectral clustering are no model that " +
			"kindred predict reads; --out has the group of every row")
	}
	if err != nil {
		return nil, err
	}
	known, err := all.Find(m.name)
	if err != nil {
		return nil, err
	}
	j := &job{flags: f, method: m}
	if j.how, err = f.Configure(known); err != nil {
		return nil, err
	}
	var set param.Set
	j.fit = m.configure(&set)
	for _, p := range m.params() {
		if text, _ := f.Get(p.Name); text != "" {
			if err := set.Set(p.Name, text); err != nil {
				return nil, err
			}
		}
	}
	return j, nil
}

// compare counts what was found against the column of true classes, where one is named and parts
// are written: a pass over both.
func (j *job) compare(ctx context.Context, f *found) error {
	label := j.table.source.Label
	if label == "" || j.flags.outputs.out == "" {
		return nil
	}
	if j.flags.outputs.parts == "jsonl" {
		f.note("not compared with %s: parts in JSON lines are not read again; --parts csv and "+
			"parquet are", label)
		return nil
	}
	if j.table.survey.ManyClasses {
		f.note("not compared with %s: it holds more than %d classes", label, survey.MaxClasses)
		return nil
	}
	counted, err := scaleeval.Compare(ctx, j.on, j.table.source, j.table.survey,
		scaleeval.Side{Folder: j.flags.outputs.folder}, scaleeval.Side{Column: label})
	if err == nil {
		var r eval.Report
		if r, err = counted.Report(); err == nil {
			f.Scores = &r
			return nil
		}
	}
	if fault.IsInput(err) { // the groups are found and written all the same
		f.note("not compared with %s: %v", label, err)
		return nil
	}
	return err
}

// readLinks reads a file of links between rows that are named by their ids, of which nothing is
// known yet: A and B are positions in the list of ids.
func readLinks(ctx context.Context, path string) (links []link.Link, ids []string, err error) {
	known := map[string]int{}
	links, err = link.ReadFile(ctx, path, func(id string) (int, bool) {
		at, ok := known[id]
		if !ok {
			at = len(ids)
			known[id], ids = at, append(ids, id)
		}
		return at, true
	})
	return links, ids, err
}
