package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/method/param"
	"github.com/kindred-go/kindred/scale/competitive"
)

func newCompare(a *app) *cobra.Command {
	var cfg competitive.CompareConfig
	cmd := &cobra.Command{
		Use: "compare-online",
		Short: "Compare learning row by row by one learner, by several that are averaged, and by " +
			"several that do not wait",
		Long: `compare-online learns published data sets by O-LCVQE and C-RPCL in three ` +
			`ways, all on this machine:
by one learner, row after row; by several learners whose prototypes are averaged by wins; and by
several that do not wait for each other. It writes tables in Markdown: agreement with the true
classes (NMI), and squared error, over seeds.`,
		Example: `  KINDRED_DATASETS=data kindred-scale compare-online --seeds 5
  kindred-scale compare-online --folder data --sets Letters,Pendigits`,
		Args: cli.Arguments(0, 0, "no arguments", plain),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if cfg.Folder == "" {
				cfg.Folder = a.env("KINDRED_DATASETS")
			}
			if cfg.Folder == "" {
				return fault.Setting("name the folder of the data sets with --folder or " +
					"KINDRED_DATASETS; kindred reproduce list names them, and where to get them")
			}
			text, err := competitive.Compare(cmd.Context(), cfg)
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(a.out, text)
			return err
		},
	}
	var set param.Set
	set.File(&cfg.Folder, param.Param{Name: "folder", Help: "folder of the data sets",
		Auto: "KINDRED_DATASETS"})
	set.List(&cfg.Sets, param.Param{Name: "sets", Help: "names of those wanted",
		Auto: "all that are there"})
	set.Int(&cfg.Seeds, param.Param{Name: "seeds", Min: 1, Default: "10", Help: "runs of each"})
	set.Int(&cfg.Labelled, param.Param{Name: "labelled-per-class", Min: -1, Default: "20",
		Help: "labelled rows a class, all cannot-links among which are given; −1: none"})
	set.Int(&cfg.Threads, param.Param{Name: "threads", Default: "0",
		Help: "runs at a time, 0 for one a processor; it never changes a result"})
	cli.Declare(cmd.Flags(), "", &set)
	return cmd
}
