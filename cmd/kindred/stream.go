package main

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/param"
	"github.com/kindred-go/kindred/project/input"
	"github.com/kindred-go/kindred/stream"
	"github.com/kindred-go/kindred/stream/lines"
)

// streamFlags are the flags of kindred stream.
type streamFlags struct {
	learning competitive.Config // as far as its parameters are declared
	broker   *brokerFlags

	method     string
	clusters   int
	warmUp     int
	remember   int
	mostLinked int
	rehearse   int
	hold       int

	id, label, format, scale, missing string
	features, drop, types             []string
	badRows, decimal, encoding        string

	links        string
	follow       bool
	state        string
	saveEvery    time.Duration
	replayed     bool
	out          string
	outputFormat string
	model        string
	statsEvery   time.Duration
	metrics      string
	json         bool
}

func newStream(a *app) *cobra.Command {
	f := &streamFlags{}
	cmd := &cobra.Command{
		Use:   "stream [DATA]",
		Short: "Cluster rows while they come, under links that come with them",
		Long: `stream reads rows, CSV or JSON lines, from DATA (default -, stdin), learns each by
competitive learning, and writes its label at once, to stdout or --out:

  id,cluster,distance,runner_up,margin

distance is that to the nearest prototype, margin how much further the runner-up is. The first rows
(--warm-up) settle types, roles and scaling of the columns and where prototypes start; they are then
learnt and labelled like all others. Memory does not grow with the stream: a slow reader of the
labels slows the rows down.

Links may stand between the rows, come from a file (--links), or from a file while it grows
(--follow):

  @link,12,15,same          a link of rows 12 and 15: same, different, or unknown, to take it back
  @link,12,15,different,.9  with a confidence
  @forget,12                the row leaves, and its links
  {"@link":"same","a":"12","b":"15","p":0.9}   {"@forget":"12"}    the same in JSON lines

A link to a row that has not come waits for it (--hold). crpcl and olcvqe learn from links; the
others only count them.

With --state, what was learnt is saved every --save-every, at the end, and on Ctrl-C. The same
command then goes on: a file behind the last row that was learnt, stdin with what comes next
(--replayed: stdin begins again at its first row), and --out is cut back to the labels that the
state knows, so that each row has one. What stdin gave between the last save and a kill -9 is lost,
unless it is replayed.

Rows and labels may also go through a NATS broker (--broker, --rows, --labels).`,
		Example: `  kindred stream flights.csv -k 8 --out labels.csv --state flights.state
  tail -n +1 -f sensors.jsonl | kindred stream -k 5 --method crpcl --links links.csv --follow
  kindred stream -k 8 --broker nats://127.0.0.1:4222 --rows rows --labels labels --state rows.state
  kindred stream flights.csv -k 8 --label carrier --model flights.model --out labels.csv --json`,
		Args: cli.Arguments(0, 1,
			"at most one DATA: a file of CSV or JSON lines, - for stdin, or a sample", nil),
		RunE: func(cmd *cobra.Command, args []string) error {
			data := ""
			if len(args) > 0 {
				data = args[0]
			}
			return f.run(cmd.Context(), a, cmd.Flags(), data)
		},
	}
	f.flags(cmd.Flags())
	a.sharing(cmd.Flags())
	f.broker = addBroker(a, cmd)
	return cmd
}

func (f *streamFlags) flags(fs *pflag.FlagSet) {
	fs.StringVar(&f.method, "method", "olcvqe", "how to learn: olcvqe, crpcl, rpcl, fscl or wta")
	fs.IntVarP(&f.clusters, "clusters", "k", 0,
		"number of prototypes; rpcl and crpcl drive needless ones away")
	fs.IntVar(&f.warmUp, "warm-up", lines.DefaultWarmUp,
		"first rows, which settle columns, scaling and where prototypes start")
	var set param.Set
	competitive.Declare(&set, &f.learning, competitive.WinnerTakeAll,
		competitive.FrequencySensitive,
		competitive.RPCL, competitive.CRPCL, competitive.OLCVQE)
	method.Seed(&set, &f.learning.Seed)
	method.Contradictions(&set, &f.learning.Contradictions)
	cli.Declare(fs, "", &set)
	fs.IntVar(&f.remember, "remember", 10_000, "latest rows that can still be linked")
	fs.IntVar(&f.mostLinked, "most-linked", 4096,
		"rows kept longer because links name them, at most")
	fs.IntVar(&f.rehearse, "rehearse", 0,
		"every so many rows, learn a linked row and its partners again (default: never)")
	fs.IntVar(&f.hold, "hold", stream.DefaultHold, "links that wait for rows yet to come, at most")

	fs.StringVar(&f.id, "id", "", "column that names the rows; else they are numbered from 1")
	fs.StringVar(&f.label, "label", "",
		"column of true classes: never a feature; scores are given at the end")
	fs.StringSliceVar(&f.features, "features", nil,
		"columns to use, separated by commas; else all that suit")
	fs.StringSliceVar(&f.drop, "drop", nil, "columns to leave out, separated by commas")
	fs.StringSliceVar(&f.types, "types", nil,
		"types of columns, as zip=category,price=number (also boolean, text); else by the first "+
			"rows")
	fs.StringVar(&f.scale, "scale", "minmax",
		"scaling of features by the first rows: none, minmax or zscore")
	fs.StringVar(&f.missing, "missing", "refuse",
		"missing values: refuse (the row is bad), keep the row, drop it, or fill with the mean or "+
			"median of the first rows")
	fs.StringVar(&f.format, "format", "",
		"format of the rows: csv, tsv or jsonl; else by name or content")
	fs.StringVar(&f.decimal, "decimal", "",
		"decimal mark of the numbers of CSV: . or ,; else by the first rows")
	fs.StringVar(&f.encoding, "encoding", "",
		"encoding of the rows, such as utf-16le or windows-1252; else by the first bytes")
	fs.StringVar(&f.badRows, "bad-rows", "skip",
		"rows that cannot be read, and links that cannot count: skip, saying so, or stop")

	fs.StringVar(&f.links, "links", "",
		"file of links (a,b,link and p where wanted), known before the first row")
	fs.BoolVar(&f.follow, "follow", false, "go on reading --links while it grows")
	fs.StringVar(&f.state, "state", "",
		"keep here what was learnt, and go on from it where it is there")
	fs.DurationVar(&f.saveEvery, "save-every", stream.DefaultSaveEvery,
		"how often --state is saved; 0: at the end alone")
	fs.BoolVar(&f.replayed, "replayed", false,
		"with --state: stdin begins again at its first row, and rows that were learnt are passed "+
			"over")
	fs.StringVar(&f.out, "out", "", "write labels here instead of to stdout (.csv or .jsonl)")
	fs.StringVar(&f.outputFormat, "output-format", "",
		"format of labels: csv or jsonl (default: by the name of --out, else csv)")
	fs.StringVar(&f.model, "model", "", "write here what kindred predict needs, at the end")
	fs.DurationVar(&f.statsEvery, "stats-every", 0,
		"say on stderr how it goes, as every 10s (default: not)")
	fs.StringVar(&f.metrics, "metrics", "",
		"serve statistics for Prometheus at this PORT of 127.0.0.1, or HOST:PORT")
	fs.BoolVar(&f.json, "json", false,
		"write one JSON object about the run, at the end, to stdout with --out or --labels, else "+
			"to stderr")
}

// settings are what the flags mean.
type settings struct {
	learner competitive.Config
	read    dataset.ReadOptions
	prepare dataset.Preparation
	output  dataset.Format
}

// check looks at the flags before anything is read.
func (f *streamFlags) check(a *app, given *pflag.FlagSet, data string) (s settings, err error) {
	if err := f.broker.check(data, f.out); err != nil {
		return s, err
	}
	s.learner = f.learning
	s.learner.Clusters, s.learner.Remember = f.clusters, f.remember
	s.learner.MostLinked, s.learner.Rehearse = f.mostLinked, f.rehearse
	if s.learner.Remember == 0 {
		s.learner.Remember = -1 // none
	}
	if s.learner.Rule, err = competitive.ParseRule(f.method); err != nil {
		return s, fault.Setting("--method: " + err.Error())
	}
	if s.read.Format, err = dataset.ParseFormat(f.format); err != nil {
		return s, fault.Setting("--format: " + err.Error())
	}
	if s.prepare.Scale, err = dataset.ParseScale(f.scale); err != nil {
		return s, fault.Setting("--scale: " + err.Error())
	}
	if s.prepare.Missing, err = dataset.ParseMissing(f.missing); err != nil {
		return s, fault.Setting("--missing: " + err.Error())
	}
	if s.read.Decimal = f.decimal; f.decimal != "" && f.decimal != "." && f.decimal != "," {
		return s, fault.Settingf("--decimal is %q: give . or ,", f.decimal)
	}
	if s.read.Encoding = f.encoding; f.encoding != "" {
		if _, _, err := dataset.FindEncoding(nil, true, f.encoding); err != nil {
			return s, err
		}
	}
	s.read.ID, s.read.Label, s.read.Features, s.read.Drop = f.id, f.label, f.features, f.drop
	if s.read.Types, err = input.ParseTypes(f.types); err != nil {
		return s, err
	}
	for name, t := range s.read.Types {
		if t == dataset.Time {
			return s, fault.Settingf("--types, column %s: a stream compares no dates or times", name)
		}
	}
	s.output = dataset.FormatCSV
	if end := strings.ToLower(filepath.Ext(f.out)); f.outputFormat == "jsonl" ||
		f.outputFormat == "" && (end == ".jsonl" || end == ".ndjson") {
		s.output = dataset.FormatJSONL
	}
	return s, f.checkNumbers(a, given, data, s)
}

// checkNumbers looks at the rest, and at the names of files.
func (f *streamFlags) checkNumbers(a *app, given *pflag.FlagSet, data string, s settings) error {
	stdin := (data == "" || data == "-") && f.broker.rows == ""
	for _, c := range []struct {
		wrong   bool
		problem string
	}{
		{given.Changed("clusters") && f.clusters < 1,
			fmt.Sprintf("--clusters is %d: give 1 or more", f.clusters)},
		{f.warmUp < 1 || f.warmUp > 1_000_000,
			fmt.Sprintf("--warm-up is %d: give 1 to 1000000 rows", f.warmUp)},
		{f.clusters > f.warmUp,
			fmt.Sprintf("-k is %d, but prototypes start from the first %d rows: give a longer "+
				"--warm-up", f.clusters, f.warmUp)},
		{f.remember < 0 || f.rehearse < 0, "--remember and --rehearse cannot be negative"},
		{f.mostLinked < 2, fmt.Sprintf("--most-linked is %d: give 2 or more", f.mostLinked)},
		{f.hold < 1, fmt.Sprintf("--hold is %d: give 1 or more", f.hold)},
		{f.badRows != "skip" && f.badRows != "stop",
			fmt.Sprintf("--bad-rows is %q: give skip or stop", f.badRows)},
		{f.outputFormat != "" && f.outputFormat != "csv" && f.outputFormat != "jsonl",
			fmt.Sprintf("--output-format is %q: give csv or jsonl", f.outputFormat)},
		{s.read.Format != "" && s.read.Format != dataset.FormatCSV &&
			s.read.Format != dataset.FormatTSV && s.read.Format != dataset.FormatJSONL &&
			f.broker.rows == "",
			fmt.Sprintf("--format is %s, which does not come by lines: give csv, tsv or jsonl",
				f.format)},
		{f.encoding != "" && f.broker.rows != "",
			"--encoding is about files and stdin: messages of a broker are UTF-8"},
		{f.saveEvery < 0 || f.statsEvery < 0, "--save-every and --stats-every cannot be negative"},
		{f.follow && f.links == "",
			"--follow goes on reading a file of links: name it with --links"},
		{f.replayed && f.state == "",
			"--replayed is about rows that a state knows: name it with --state"},
		{f.replayed && !stdin, "--replayed is about stdin: a file, and a broker, are taken up " +
			"where they were left anyway"},
		{f.clusters == 0 && !there(f.state),
			f.method + " needs the number of prototypes: give it with -k"},
	} {
		if c.wrong {
			return fault.Setting(c.problem)
		}
	}
	if f.clusters > 0 {
		if err := s.learner.Check(1); err != nil {
			return fault.Setting(err.Error())
		}
	}
	if err := a.checkFiles([]string{data, f.links}, outFile{"--out", f.out, nil},
		outFile{"--state", f.state, nil}, outFile{"--model", f.model, nil}); err != nil {
		return err
	}
	if end := strings.ToLower(filepath.Ext(f.out)); f.out != "" && f.outputFormat == "" &&
		end != ".csv" && end != ".jsonl" && end != ".ndjson" {
		return fault.Settingf("--out: the name %s does not tell the format to write: end it with "+
			".csv or .jsonl, or give --output-format", f.out)
	}
	return nil
}

// goesOn refuses flags that differ from the state; those that were not given are as in the state.
func goesOn(given *pflag.FlagSet, s settings, state *stream.State) error {
	l, c, want := state.Layout, state.Learner.Config, s.learner
	near := func(a, b, standard float64) bool {
		return a == b || a == 0 && b == standard || math.Signbit(a) && math.Signbit(b)
	}
	sources := l.Encoding.Sources()
	sorted := func(names []string) []string { return slices.Sorted(slices.Values(names)) }
	used := func(name string) bool { return slices.Contains(sources, name) }
	types := l.Encoding.Types()
	retyped := func(name string) bool { return used(name) && types[name] != s.read.Types[name] }
	var as []string
	for _, name := range sources {
		as = append(as, name+"="+types[name].String())
	}
	for _, f := range []struct {
		flag string
		same bool
		has  any
	}{
		{"method", want.Rule == c.Rule, c.Rule},
		{"clusters", want.Clusters == c.Clusters, c.Clusters},
		{"learning-rate", near(want.Rate.Start, c.Rate.Start, 0.05), c.Rate.Start},
		{"unlearning-rate", near(want.Rate.Unlearn, c.Rate.Unlearn, 0.002), max(0, c.Rate.Unlearn)},
		{"penalty", want.Rate.Penalty == c.Rate.Penalty, c.Rate.Penalty},
		{"rate", want.Rate.Schedule == c.Rate.Schedule, c.Rate.Schedule},
		{"prototype-metric", want.Metric == c.Metric, c.Metric},
		{"init", want.Init == c.Init, c.Init},
		{"half-life", want.HalfLife == c.HalfLife, c.HalfLife},
		{"remember", want.Remember == c.Remember, max(0, c.Remember)},
		{"most-linked", want.MostLinked == c.MostLinked, c.MostLinked},
		{"rehearse", want.Rehearse == c.Rehearse, c.Rehearse},
		{"contradictions", want.Contradictions == c.Contradictions,
			map[link.Policy]string{link.Refuse: "refuse", link.Keep: "keep"}[c.Contradictions]},
		{"seed", want.Seed == c.Seed, c.Seed},
		{"id", s.read.ID == l.ID, l.ID},
		{"label", s.read.Label == l.Label, l.Label},
		{"format", s.read.Format == l.Format, l.Format},
		{"decimal", s.read.Decimal == cmp.Or(l.Decimal, "."), cmp.Or(l.Decimal, ".")},
		{"encoding", strings.EqualFold(s.read.Encoding, cmp.Or(l.Charset, "utf-8")),
			cmp.Or(l.Charset, "utf-8")},
		{"scale", s.prepare.Scale == l.Encoding.Scale, l.Encoding.Scale},
		{"missing", s.prepare.Missing == l.Encoding.Missing, l.Encoding.Missing},
		{"features", slices.Equal(sorted(s.read.Features), sorted(sources)),
			strings.Join(sources, ",")},
		{"types", !slices.ContainsFunc(slices.Collect(maps.Keys(s.read.Types)), retyped),
			strings.Join(as, ",")},
		{"drop", !slices.ContainsFunc(s.read.Drop, used), ""},
	} {
		if given.Changed(f.flag) && !f.same {
			return fault.Settingf(
				"--%s is not as in the state, where it is %q: leave it out to go on, or name "+
					"another file with --state to begin anew", f.flag, fmt.Sprint(f.has))
		}
	}
	return nil
}
