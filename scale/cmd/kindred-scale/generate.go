package main

import (
	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/scale/generate"
)

func newGenerate(a *app) *cobra.Command {
	var cfg generate.Config
	cmd := &cobra.Command{
		Use:   "generate FOLDER",
		Short: "Write made-up data of any size, in Parquet files, for trials and benchmarks",
		Long: `generate writes Gaussian clusters, columns x1, x2, … and class, to Parquet files in FOLDER. The rows depend on the flags alone, and are
never in memory together.`,
		Example: `  kindred-scale generate rows --rows 10000000 --dimensions 16 -k 25 --files 8
  kindred-scale cluster rows -k 25 --ignore class --out groups`,
		Args: cli.Arguments(1, 1, "one FOLDER, new or empty", plain),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cfg.Rows < 1 {
				return fault.Setting("--rows: give 1 or more")
			}
			if err := free(cmd.Context(), args[0]); err != nil {
				return err
			}
			if err := generate.Write(cmd.Context(), args[0], cfg); err != nil {
				return err
			}
			a.say("%s in %s", words.Count(int(cfg.Rows), "row"), args[0])
			return nil
		},
	}
	fs := cmd.Flags()
	fs.Int64Var(&cfg.Rows, "rows", 100_000, "rows")
	fs.IntVar(&cfg.Dimensions, "dimensions", 16, "columns")
	fs.IntVarP(&cfg.Clusters, "clusters", "k", 25, "clusters")
	fs.Float64Var(&cfg.Noise, "noise", 1,
		"standard deviation within a cluster; centres lie in the cube from −10 to 10")
	fs.IntVar(&cfg.Files, "files", 1, "files")
	fs.BoolVar(&cfg.Class, "class", true, "a column class with the cluster of each row")
	fs.BoolVar(&cfg.Single, "single", false, "32-bit numbers")
	fs.StringVar(&cfg.Compression, "compression", "none", "none, snappy or zstd")
	fs.Int64Var(&cfg.GroupRows, "group-rows", 1<<17, "rows of a row group of a file")
	fs.Uint64Var(&cfg.Seed, "seed", 0, "seed")
	fs.IntVar(&cfg.Threads, "threads", 0, "files that are written at a time, 0 for one a processor")
	return cmd
}
