package lines_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/stream"
	"github.com/kindred-go/kindred/stream/lines"
)

// Rows of CSV are labelled while they come; a link comes with them.
func Example() {
	ctx := context.Background()
	rows := lines.From(strings.NewReader("id,x,y\na,1,2\nb,9,8\n@link,a,b,different\nc,1,2\n"),
		"rows")
	first, err := rows.WarmUp(ctx, lines.WarmUp{})
	if err != nil {
		fmt.Println(err)
		return
	}
	learner, err := competitive.New(competitive.Config{Clusters: 2}, first.X)
	if err != nil {
		fmt.Println(err)
		return
	}
	labels := lines.NewWriter(os.Stdout, dataset.FormatJSONL, stream.Position{})
	reported, err := stream.Run(ctx, rows, labels,
		stream.Config{Learner: learner, Layout: first.Layout, ID: stream.NewID()})
	fmt.Println(reported.Rows, "rows,", reported.Links, "link,", err)
	// Output:
	// {"id":"a","cluster":1,"distance":0,"runner_up":2,"margin":1.41421}
	// {"id":"b","cluster":2,"distance":0,"runner_up":1,"margin":1.41421}
	// {"id":"c","cluster":1,"distance":0,"runner_up":2,"margin":1.41421}
	// 3 rows, 1 link, <nil>
}

// A decoder takes rows out of text that is cut anywhere.
func ExampleDecoder() {
	layout := stream.Layout{Format: dataset.FormatCSV, Columns: []string{"x", "y"},
		Encoding: dataset.Encoding{
			Scale:   dataset.ScaleNone,
			Columns: []dataset.EncodedColumn{{Source: "x"}, {Source: "y"}}}}
	d, err := lines.NewDecoder("rows", layout, 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	var b stream.Block
	text := []byte("1,2\n3,x\n5,6\n7,")
	used := d.Decode(text, false, &b, stream.MostRows)
	fmt.Println(b.Rows, b.Numbers, b.Notes[0].Problem)
	fmt.Printf("%q is not whole\n", text[used:])
	// Output:
	// [1 2 5 6] [1 3] rows, row 2, column y: "x" is not a number; fix the value, leave it empty if it is missing, or leave the column out (--drop)
	// "7," is not whole
}
