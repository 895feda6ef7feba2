package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/scale/scoring"
	"github.com/kindred-go/kindred/score"
)

// scoreFlags are the flags of kindred-scale score.
type scoreFlags struct {
	reading reading
	running running
	json    bool
}

// scores is what score --json writes.
type scores struct {
	score.Report
	Left int64 `json:"left_out"` // rows that have no cluster or no class
}

func newScore(a *app) *cobra.Command {
	var f scoreFlags
	cmd := &cobra.Command{
		Use:   "score PARTS DATA…",
		Short: "Judge a partition in parts against true classes",
		Long: `score compares the clusters in PARTS, the folder that cluster or expand wrote with --out, with the classes in a column of DATA,
the same files in the same splits: Rand, adjusted Rand, NMI, purity, pair precision and recall, as kindred score does.
PARTS may also be COLUMN=NAME, a column of DATA that holds clusters.`,
		Example: `  kindred-scale cluster big -k 25 --ignore class --out groups
  kindred-scale score groups big --label class`,
		Args: arguments(2, 1<<20, "PARTS and DATA"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, a, plain(cmd, args), args)
		},
	}
	f.reading.flags(cmd)
	f.running.flags(cmd)
	hide(cmd, "scale")
	cmd.Flags().BoolVar(&f.json, "json", false, "write one JSON object to stdout")
	return cmd
}

func (f *scoreFlags) run(cmd *cobra.Command, a *app, paths, args []string) error {
	ctx := cmd.Context()
	source, err := f.reading.source(cmd, paths[1:])
	if err != nil {
		return err
	}
	if f.reading.Label == "" {
		return usage{"name the column of true classes with --label"}
	}
	on, err := f.running.start(cmd, a, f.reading.Threads, args)
	if err != nil {
		return err
	}
	defer on.Close()
	t, err := f.reading.take(ctx, cmd, on, source, "")
	if err != nil {
		return err
	}
	counted, err := scoring.Compare(ctx, on, t.source, t.survey, foundSide(paths[0]), scoring.Side{Column: f.reading.Label})
	if err != nil {
		return err
	}
	report, err := counted.Report()
	if err != nil {
		return err
	}
	s := scores{report, counted.Left}
	if f.json {
		return json.NewEncoder(a.out).Encode(s)
	}
	return s.show(a.out)
}

// foundSide says where the clusters lie.
func foundSide(text string) scoring.Side {
	if column, ok := strings.CutPrefix(text, "COLUMN="); ok {
		return scoring.Side{Column: column}
	}
	return scoring.Side{Folder: text}
}

// show writes the indices as kindred score does.
func (s scores) show(out io.Writer) error {
	fmt.Fprintf(out, "%s compared: %s, %s\n", words.Count(s.N, "row"), words.Count(s.Clusters, "cluster"), classes(s.Classes))
	if s.Left > 0 {
		fmt.Fprintf(out, "%s without a cluster or a class left out\n", words.Count(int(s.Left), "row"))
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, index := range []struct {
		name  string
		value float64
	}{
		{"adjusted Rand index", s.AdjustedRand}, {"Rand index", s.Rand}, {"NMI (geometric)", s.NMI}, {"NMI (arithmetic)", s.NMIArithmetic},
		{"purity", s.Purity}, {"pair precision", s.PairPrecision}, {"pair recall", s.PairRecall}, {"pair F1", s.PairF1},
	} {
		fmt.Fprintf(w, "%s\t%.4f\n", index.name, index.value)
	}
	return w.Flush()
}

func classes(n int) string {
	if n == 1 {
		return "1 class"
	}
	return fmt.Sprintf("%d classes", n)
}
