package broker_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/stream"
	"github.com/kindred-go/kindred/stream/broker"
	"github.com/kindred-go/kindred/stream/lines"
)

// A table is fed to a broker in this process, clustered from there, and the labels are published.
func Example() {
	ctx := context.Background()
	folder, err := os.MkdirTemp("", "broker")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(folder)
	server, err := broker.Serve(broker.ServerConfig{Store: folder})
	if err != nil {
		log.Fatal(err)
	}
	defer server.Close()
	client, err := broker.Dial(ctx, broker.Config{Server: server})
	if err != nil {
		log.Fatal(err)
	}
	fed, err := client.Feed(ctx, strings.NewReader("x,y\n0,0\n1,0\n9,9\n8,9\n"), "rows.csv",
		broker.FeedConfig{Subject: "rows", Name: "rows.csv"})
	if err != nil {
		log.Fatal(err)
	}

	source, err := client.Source(ctx, broker.SourceConfig{Subject: "rows", StopAtEnd: true})
	if err != nil {
		log.Fatal(err)
	}
	defer source.Close()
	first, err := source.WarmUp(ctx, lines.WarmUp{})
	if err != nil {
		log.Fatal(err)
	}
	learner, err := competitive.New(competitive.Config{Clusters: 2}, first.X)
	if err != nil {
		log.Fatal(err)
	}
	run := broker.RunID("rows", "labels", "k=2")
	sink, err := client.Sink(ctx, broker.SinkConfig{Subject: "labels", Run: run})
	if err != nil {
		log.Fatal(err)
	}
	defer sink.Close()
	statistics, err := stream.Run(ctx, source, sink,
		stream.Config{Learner: learner, Layout: first.Layout, ID: run})
	fmt.Println(fed.Lines, "lines fed,", statistics.Rows, "rows labelled,", err)
	// Output: 4 lines fed, 4 rows labelled, <nil>
}
