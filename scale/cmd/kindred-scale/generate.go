package main

import (
	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/method/param"
	"github.com/kindred-go/kindred/scale/generate"
)

func newGenerate(a *app) *cobra.Command {
	cfg := generate.Config{Rows: 100_000, Dimensions: 16, Clusters: 25, Noise: 1, Files: 1,
		Class: true, Compression: "none", GroupRows: 1 << 17}
	cmd := &cobra.Command{
		Use:   "generate FOLDER",
		Short: "Write made-up data of any size, in Parquet files, for trials and benchmarks",
		Long: `generate writes Gaussian clusters, columns x1, x2, … and class, to Parquet ` +
			`files in FOLDER. The rows
depend on the flags alone, and are never in memory together.`,
		Example: `  kindred-scale generate rows --rows 10000000 --dimensions 16 -k 25 --files 8
  kindred-scale cluster rows -k 25 --ignore class --out groups`,
		Args: cli.Arguments(1, 1, "one FOLDER, new or empty", plain),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := free(cmd.Context(), args[0]); err != nil {
				return err
			}
			if err := generate.Write(cmd.Context(), args[0], cfg); err != nil {
				return err
			}
			a.logf("%s in %s", words.Count(int(cfg.Rows), "row"), args[0])
			return nil
		},
	}
	var set param.Set
	set.Int64(&cfg.Rows, param.Param{Name: "rows", Min: 1, Default: "100000", Help: "rows"})
	set.Int(&cfg.Dimensions, param.Param{Name: "dimensions", Min: 1, Default: "16",
		Help: "columns"})
	set.Int(&cfg.Clusters, param.Param{Name: "clusters", Short: "k", Min: 1, Default: "25",
		Help: "clusters"})
	set.Float(&cfg.Noise, param.Param{Name: "noise", Default: "1",
		Help: "standard deviation within a cluster; centres lie in the cube from −10 to 10"})
	set.Int(&cfg.Files, param.Param{Name: "files", Min: 1, Default: "1", Help: "files"})
	set.Bool(&cfg.Class, param.Param{Name: "class", Default: "true",
		Help: "a column class with the cluster of each row"})
	set.Bool(&cfg.Single, param.Param{Name: "single", Default: "false", Help: "32-bit numbers"})
	set.Choice(&cfg.Compression, param.Param{Name: "compression", Default: cfg.Compression,
		Choices: []string{"none", "snappy", "zstd"}, Help: "compression of the files"})
	set.Int64(&cfg.GroupRows, param.Param{Name: "group-rows", Min: 1, Default: "131072",
		Help: "rows of a row group of a file"})
	set.Uint64(&cfg.Seed, param.Param{Name: "seed", Default: "0", Help: "seed"})
	set.Int(&cfg.Threads, param.Param{Name: "threads", Default: "0",
		Help: "files that are written at a time, 0 for one a processor"})
	cli.Declare(cmd.Flags(), "", &set)
	cli.Shared(cmd.Flags(), "", &cfg.Shared)
	return cmd
}
