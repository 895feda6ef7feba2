package main

import (
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// writer is a command line that writes files into the folder in which it runs, for the tests of what
// faults do to them. What it reads is in ../in.
type writer struct {
	args  string
	files string // those that are whole or not there, whatever happens; before, each is old
	// files that the same command goes on with after a fault, and their project if they are one
	goesOn  string
	project string
}

// writers are the commands and formats that write files. TestEveryWriterIsTried wants every command
// here, or in writeNothing, and every flag that writes with every format that it has.
var writers = []writer{
	{args: "cluster iris -k 3 --out g.csv --model g.model --plot g.svg",
		files: "g.csv g.model g.svg"},
	{args: "cluster iris -k 3 --out g.parquet --plot g.png", files: "g.parquet g.png"},
	{args: "cluster iris -k 3 --out g.jsonl", files: "g.jsonl"},
	{args: "cluster iris --method evclus -k 3 --out c.csv --model c.model",
		files: "c.csv c.model"},
	{args: "cluster iris --method evclus -k 3 --out c.parquet", files: "c.parquet"},
	{args: "cluster iris --method evclus -k 3 --out c.jsonl", files: "c.jsonl"},
	{args: "cluster iris --method agglomerative -k 3 --tree t.csv", files: "t.csv"},
	{args: "cluster iris --method agglomerative -k 3 --tree t.json", files: "t.json"},
	{args: "cluster iris --method hdbscan --tree t.csv --model h.model", files: "t.csv h.model"},
	{args: "cluster iris --method hdbscan --tree t.json", files: "t.json"},
	{args: "cluster iris --method hdbscan --tree t.parquet", files: "t.parquet"},
	{args: "cluster iris --method cobra --label class --oracle labels --answers a.csv",
		files: "a.csv"},
	{args: "cluster iris --method cobra --label class --oracle labels --answers a.jsonl",
		files: "a.jsonl"},
	{args: "predict ../in/g.model iris --out p.csv", files: "p.csv"},
	{args: "predict ../in/g.model iris --out p.parquet", files: "p.parquet"},
	{args: "predict ../in/g.model iris --out p.jsonl", files: "p.jsonl"},
	{args: "plot ../in/g.csv --data iris --out p.svg", files: "p.svg"},
	{args: "plot ../in/g.csv --data iris --out p.png", files: "p.png"},
	{args: "plot ../in/g.csv --data iris --layout neighbours --out p.svg", files: "p.svg"},
	{args: "neighbours iris --out n.csv", files: "n.csv"},
	{args: "neighbours iris --out n.parquet", files: "n.parquet"},
	{args: "neighbours iris --out n.jsonl", files: "n.jsonl"},
	{args: "links ../in/notes.csv --text note --rules ../in/rules.txt --out l.csv",
		files: "l.csv"},
	{args: "links ../in/notes.csv --text note --rules ../in/rules.txt --out l.jsonl",
		files: "l.jsonl"},
	{args: "data make moons --rows 200 --out m.csv", files: "m.csv"},
	{args: "data convert wine w.csv", files: "w.csv"},
	{args: "data convert wine w.tsv", files: "w.tsv"},
	{args: "data convert wine w.jsonl", files: "w.jsonl"},
	{args: "data convert wine w.parquet", files: "w.parquet"},
	{args: "data convert wine w.npy --drop class", files: "w.npy"},
	{args: "data convert iris d.csv --metric manhattan", files: "d.csv"},
	{args: "data convert iris d.npy --metric manhattan", files: "d.npy"},
	{args: "ask iris --label class --oracle labels --budget 12 --out g.csv --model g.model " +
		"--plot g.svg --answers a.csv", files: "g.csv g.model g.svg a.csv",
		project: "iris.kindred"},
	{args: "ask iris --label class --oracle labels --budget 3 --out g.parquet --plot g.png " +
		"--answers a.jsonl --project mine.kindred", files: "g.parquet g.png a.jsonl",
		project: "mine.kindred"},
	{args: "ask iris --label class --oracle labels --budget 3 --out g.jsonl",
		files: "g.jsonl", project: "iris.kindred"},
	{args: "ask iris --method ccl -k 3 --label class --oracle labels --budget 3 --tree t.csv",
		files: "t.csv", project: "iris.kindred"},
	{args: "ask iris --method ccl -k 3 --label class --oracle labels --budget 3 --tree t.json",
		files: "t.json", project: "iris.kindred"},
	{args: "ask iris --method hdbscan --label class --oracle labels --budget 3 --tree t.parquet",
		files: "t.parquet", project: "iris.kindred"},
	{args: "cluster ../in/notes.csv --text note -k 2 --encoder ../in/encoder --encoder-cache " +
		"v.vectors --out g.csv", files: "g.csv", goesOn: "v.vectors"},
	{args: "stream ../in/rows.csv -k 2 --out l.csv --state l.state --save-every 1ms " +
		"--model l.model", files: "l.model", goesOn: "l.csv l.state"},
	{args: "stream ../in/rows.csv -k 2 --out l.jsonl --state l.state --save-every 1ms",
		goesOn: "l.jsonl l.state"},
	{args: "reproduce competitive-learning-2013 --trials 1 --parts tables --sets iris --out res",
		goesOn: "res/table1.md res/table3.csv"},
}

// writeNothing are the commands that write no files of their own, or that other tests try.
var writeNothing = map[string]string{
	"completion bash": "stdout", "completion fish": "stdout", "completion powershell": "stdout",
	"completion zsh": "stdout", "help": "stdout", "methods": "stdout", "version": "stdout",
	"score": "stdout", "data explain": "stdout", "data info": "stdout", "data list": "stdout",
	"reproduce list": "stdout", "token": "stdout",
	"work":          "stdout; worker_test.go",
	"check":         "check.txtar and project/store: --repair works on a copy",
	"demo":          "ask on a sample, with the page of serve",
	"sessions":      "as serve; sessions_test.go",
	"serve":         "TestAPowerCutUnderAServer, TestAServerThatIsKilled, trouble_linux_test.go",
	"stream broker": "TestKilledAtAnyMoment: NATS JetStream keeps its files",
	"stream feed":   "TestKilledAtAnyMoment: it writes to a broker",
}

// writes finds flags that name a file to write, and the formats in their help.
var (
	writes  = regexp.MustCompile(`\b(write|draw)\b.* here\b|picture to write|project file that keeps`)
	formats = regexp.MustCompile(`\.(csv|tsv|jsonl|json|parquet|npy|svg|png)\b`)
)

func TestEveryWriterIsTried(t *testing.T) {
	root := newRoot(newApp(strings.NewReader(""), io.Discard, io.Discard, os.Getenv))
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	tried := func(words ...string) bool {
		return slices.ContainsFunc(writers, func(w writer) bool {
			for _, word := range words {
				if !strings.Contains(w.args+" ", word) {
					return false
				}
			}
			return strings.HasPrefix(w.args, words[0])
		})
	}
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
		name := strings.TrimPrefix(cmd.CommandPath(), "kindred ")
		if !cmd.Runnable() || cmd == root || cmd.HasSubCommands() && cmd.Run == nil &&
			cmd.RunE == nil {
			return
		}
		if _, nothing := writeNothing[name]; nothing {
			return
		}
		if !tried(name + " ") {
			t.Errorf("no fault is tried on kindred %s: add it to writers, or to writeNothing", name)
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !writes.MatchString(f.Usage) {
				return
			}
			kinds := formats.FindAllString(f.Usage, -1)
			if len(kinds) == 0 {
				kinds = []string{""}
			}
			for _, kind := range kinds {
				if !tried(name+" ", "--"+f.Name+" ", kind+" ") {
					t.Errorf("no fault is tried on kindred %s --%s %s: add it to writers", name,
						f.Name, kind)
				}
			}
		})
	}
	walk(root)
	for _, kind := range []string{".csv", ".tsv", ".jsonl", ".parquet", ".npy"} {
		if _, err := tableFormat("x" + kind); err != nil || !tried("data convert ", kind+" ") {
			t.Errorf("no fault is tried on kindred data convert to %s", kind)
		}
	}
}
