package dataset_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/kindred-go/kindred/data/dataset"
)

func ExampleReadStream() {
	plants := strings.NewReader(`id,height,colour,species
p1,1.5,red,oak
p2,,green,oak
p3,3,red,ash
`)
	table, err := dataset.ReadStream(context.Background(), plants, "plants.csv",
		dataset.ReadOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range table.Columns {
		fmt.Println(c.Name, c.Type, c.Role, c.Missing)
	}
	for _, note := range table.Notes {
		fmt.Println(note)
	}
	// Output:
	// id text id 0
	// height number feature 1
	// colour category feature 0
	// species category unused 0
	// column id is the id: it is named like an id and all its values differ
	// not a feature: species, which looks like the true classes: --label species uses it, --features puts it in
}

func ExampleTable_Prepare() {
	table, err := dataset.ReadStream(context.Background(), strings.NewReader(`height,colour
1,red
,green
3,red
2,red
`), "plants.csv", dataset.ReadOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := table.Prepare(context.Background(), dataset.Preparation{Missing: dataset.MissingMean})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.Names)
	for i := range p.X.Rows {
		fmt.Println(p.X.AppendRow(nil, i))
	}
	fmt.Println(p.Notes[0])
	// Output:
	// [height colour=green colour=red]
	// [0 0 0.4714045207910316]
	// [0.5 0.4714045207910316 0]
	// [1 0 0.4714045207910316]
	// [0.5 0 0.4714045207910316]
	// 1 missing value was filled in by the mean of the column, or the most frequent value (1 column)
}

func ExampleEncoding_Apply() {
	ctx := context.Background()
	read := func(text string, o dataset.ReadOptions) *dataset.Table {
		table, err := dataset.ReadStream(ctx, strings.NewReader(text), "plants.csv", o)
		if err != nil {
			panic(err)
		}
		return table
	}
	p, err := read("height\n1\n2\n5\n", dataset.ReadOptions{}).Prepare(ctx, dataset.Preparation{})
	if err != nil {
		fmt.Println(err)
		return
	}
	later := read("colour,height\nred,3\n", dataset.ReadOptions{Features: p.Encoding.Sources()})
	x, _, err := p.Encoding.Apply(ctx, later)
	fmt.Println(x.F64, err)
	// Output: [0.5] <nil>
}

// Missing values are refused, as the command does; the error has what can be done about them.
func ExamplePreparation() {
	ctx := context.Background()
	table, err := dataset.ReadStream(ctx, strings.NewReader("height,width\n1,2\n2,\n3,6\n"),
		"plants.csv", dataset.ReadOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	how := dataset.Preparation{Scale: dataset.ScaleNone}
	p, err := table.Prepare(ctx, how)
	if gaps, ok := errors.AsType[*dataset.Gaps](err); ok {
		for _, m := range gaps.Choices {
			fmt.Printf("%s: %s\n", m, gaps.About(m))
		}
		how.Missing = gaps.Choices[0]
		p, err = table.Prepare(ctx, how)
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.X.Rows, "rows")
	// Output:
	// keep: keep all rows: what is missing is predicted from the other columns
	// drop: leave out 1 row, so that 2 stay
	// median: fill in the median of the column, or its most frequent word
	// mean: fill in the mean of the column, or its most frequent word
	// 3 rows
}
