package stream_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/stream"
	"github.com/kindred-go/kindred/stream/lines"
)

// Rows are learnt as they come, and what was learnt is kept in a state.
func ExampleRun() {
	ctx := context.Background()
	folder, err := os.MkdirTemp("", "stream")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	rows := lines.From(strings.NewReader("x,y\n1,2\n9,8\n1,3\n8,8\n"), "rows")
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
	path := filepath.Join(folder, "rows.state")
	labels := lines.NewWriter(io.Discard, dataset.FormatCSV, stream.Position{})
	_, err = stream.Run(ctx, rows, labels, stream.Config{Learner: learner, Layout: first.Layout,
		ID: stream.NewID(), StatePath: path})
	if err != nil {
		fmt.Println(err)
		return
	}
	state, err := stream.Load(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(state.Learner.Config.Clusters, "prototypes of", state.Layout.Encoding.Sources())
	// Output: 2 prototypes of [x y]
}
