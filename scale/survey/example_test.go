package survey_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/shard"
	"github.com/kindred-go/kindred/scale/survey"
)

func ExampleRun() {
	folder, err := os.MkdirTemp("", "table")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	os.WriteFile(filepath.Join(folder, "part-1.csv"),
		[]byte("length,width,species\n1,10,a\n2,oops,a\n2,20,a\n"), 0o644)
	os.WriteFile(filepath.Join(folder, "part-2.csv"),
		[]byte("width,length,species\n30,3,b\n,4,b\n"), 0o644)

	ctx := context.Background()
	src, splits, err := shard.Plan(ctx,
		shard.Source{Paths: []string{folder}, Columns: []string{"length", "width"},
			Label:   "species",
			BadRows: shard.Bad{Most: 1}})
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := survey.Run(ctx, fold.Local{}, src, splits)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Rows, "rows,", s.Tally.Unreadable, "unreadable, classes", s.Classes)
	for _, c := range s.Columns {
		fmt.Printf("%s: %v to %v, mean %.4g, %d missing\n", c.Name, c.Min, c.Max, c.Mean, c.Missing)
	}
	src.Prepare, err = s.Prepare("minmax", "drop")
	fmt.Println(src.Prepare.Shift, src.Prepare.Divisor, err)
	// Output:
	// 4 rows, 1 unreadable, classes [a b]
	// length: 1 to 4, mean 2.5, 0 missing
	// width: 10 to 30, mean 20, 1 missing
	// [1 10] [2 20] <nil>
}
