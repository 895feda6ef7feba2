package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/scale/competitive"
)

func newCompare(a *app) *cobra.Command {
	var cfg competitive.CompareConfig
	cmd := &cobra.Command{
		Use: "compare-online",
		Short: "Compare learning row by row by one learner, by several that are averaged, and by " +
			"several that do not wait",
		Long: `compare-online learns published data sets by O-LCVQE and C-RPCL in three ways, all on this machine: by one learner, row after row; by
several learners whose prototypes are averaged by wins; and by several that do not wait for each other. It writes tables in
Markdown: agreement with the true classes (NMI), and squared error, over seeds.`,
		Example: `  KINDRED_DATASETS=data kindred-scale compare-online --seeds 5
  kindred-scale compare-online --folder data --sets Letters,Pendigits`,
		Args: cli.Arguments(0, 0, "no arguments", plain),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cfg.Folder == "" {
				cfg.Folder = a.env("KINDRED_DATASETS")
			}
			if cfg.Folder == "" {
				return fault.Setting("name the folder of the data sets with --folder or " +
					"KINDRED_DATASETS; kindred reproduce list says which, and where to get them")
			}
			text, err := competitive.Compare(cmd.Context(), cfg)
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(a.out, text)
			return err
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&cfg.Folder, "folder", "", "folder of the data sets (default: KINDRED_DATASETS)")
	fs.StringSliceVar(&cfg.Sets, "sets", nil, "names of those wanted (default: all that are there)")
	fs.IntVar(&cfg.Seeds, "seeds", 0, "runs of each (default 10)")
	fs.IntVar(&cfg.Labelled, "labelled-per-class", 0,
		"labelled rows a class, all cannot-links among which are given (default 20; negative: none)")
	fs.IntVar(&cfg.Threads, "threads", 0,
		"runs at a time, 0 for one a processor; never changes a result")
	return cmd
}
