package broker_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/stream"
	"github.com/kindred-go/kindred/stream/broker"
	"github.com/kindred-go/kindred/stream/lines"
)

// kddMessages returns the KDD'99 rows in messages of so many rows, as CSV (width 0) or matrices of
// 4- or 8-byte values.
func kddMessages(b *testing.B, block, width int) (messages [][]byte, columns string, rows int) {
	folder := os.Getenv("KINDRED_DATASETS")
	if folder == "" {
		b.Skip("KINDRED_DATASETS names no folder of data sets")
	}
	f, err := os.Open(filepath.Join(folder, "kddcup99_10pct_ge1000.csv.gz"))
	if err != nil {
		b.Skip(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		b.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		b.Fatal(err)
	}
	head, text, _ := bytes.Cut(text, []byte("\n"))
	names := strings.Split(strings.TrimSpace(string(head)), ",")
	d := len(names) - 1 // the class comes last
	var message []byte
	var values []float64
	n := 0
	flush := func() {
		if width > 0 && n > 0 {
			message = npy(width, d, values...)
		}
		messages, message, values, n = append(messages, message), nil, values[:0], 0
	}
	for line := range bytes.Lines(text) {
		end := bytes.LastIndexByte(line, ',')
		if width == 0 {
			message = append(append(message, line[:end]...), '\n')
		} else {
			for field := range bytes.SplitSeq(line[:end], []byte(",")) {
				v, err := strconv.ParseFloat(string(field), 64)
				if err != nil {
					b.Fatal(err)
				}
				values = append(values, v)
			}
		}
		rows++
		if n++; n == block {
			flush()
		}
	}
	flush()
	return messages, strings.Join(names[:d], ","), rows
}

// fedBroker is an embedded broker with the messages in files.
func fedBroker(b *testing.B, messages [][]byte, columns string) *broker.Client {
	b.Helper()
	server := serve(b, broker.ServerConfig{Listen: "127.0.0.1:0"})
	nc, err := nats.Connect(server.Address(), nats.Token(server.Token()))
	if err != nil {
		b.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc, jetstream.WithPublishAsyncMaxPending(64))
	if err != nil {
		b.Fatal(err)
	}
	if _, err := js.CreateStream(b.Context(),
		jetstream.StreamConfig{Name: "rows", Subjects: []string{"rows"}}); err != nil {
		b.Fatal(err)
	}
	for _, data := range messages {
		m := &nats.Msg{Subject: "rows", Data: data,
			Header: nats.Header{broker.ColumnsHeader: {columns}}}
		if _, err := js.PublishMsgAsync(m, jetstream.WithStallWait(time.Minute)); err != nil {
			b.Fatal(err)
		}
	}
	<-js.PublishAsyncComplete()
	client, err := broker.Dial(b.Context(), broker.Config{Server: server})
	if err != nil {
		b.Fatal(err)
	}
	return client
}

// BenchmarkStream labels KDD'99 rows (34 columns, k = 8) from an embedded broker's files to labels
// in its files. The parts are measured apart: taking messages, decoding as well, learning, and
// publishing labels.
func BenchmarkStream(b *testing.B) {
	for _, kind := range []struct {
		name  string
		width int
	}{{"csv", 0}, {"npy32", 4}, {"npy64", 8}} {
		for _, block := range []int{256, 512, 1024} {
			b.Run(fmt.Sprintf("%s/block%d", kind.name, block), func(b *testing.B) {
				messages, columns, rows := kddMessages(b, block, kind.width)
				client := fedBroker(b, messages, columns)
				per := func(b *testing.B) {
					b.ReportMetric(float64(rows)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mrows/s")
				}
				var first *lines.First
				open := func(b *testing.B) *broker.Source {
					s, err := client.Source(b.Context(),
						broker.SourceConfig{Subject: "rows", StopAtEnd: true})
					if err != nil {
						b.Fatal(err)
					}
					if first == nil {
						if first, err = s.WarmUp(b.Context(),
							lines.WarmUp{Prepare: dataset.Preparation{}}); err != nil {
							b.Fatal(err)
						}
						s.Close()
						if s, err = client.Source(b.Context(),
							broker.SourceConfig{Subject: "rows", StopAtEnd: true}); err != nil {
							b.Fatal(err)
						}
					}
					if err := s.Use(first.Layout); err != nil {
						b.Fatal(err)
					}
					return s
				}
				learner := func(b *testing.B) *competitive.Learner {
					l, err := competitive.New(competitive.Config{Clusters: 8}, first.X)
					if err != nil {
						b.Fatal(err)
					}
					return l
				}
				run := 0
				b.Run("whole", func(b *testing.B) {
					for b.Loop() {
						s := open(b)
						run++
						sink, err := client.Sink(b.Context(),
							broker.SinkConfig{Subject: "labels", Run: fmt.Sprint("run", run)})
						if err != nil {
							b.Fatal(err)
						}
						stats, err := stream.Run(b.Context(), s, sink,
							stream.Config{Learner: learner(b), Layout: first.Layout, ID: "run"})
						if err != nil || stats.Rows != int64(rows) {
							b.Fatal(err, stats.Rows)
						}
						s.Close()
						sink.Close()
					}
					per(b)
				})
				var blocks []*stream.Block
				b.Run("take-and-decode", func(b *testing.B) {
					for b.Loop() {
						s := open(b)
						var block stream.Block
						for {
							block.Reset()
							if err := s.Fill(b.Context(), &block); err == io.EOF {
								break
							} else if err != nil {
								b.Fatal(err)
							}
							if len(blocks) < len(messages) {
								copied := block
								copied.Rows, copied.Numbers = append([]float64(nil), block.Rows...),
									append([]int64(nil), block.Numbers...)
								blocks = append(blocks, &copied)
							}
						}
						s.Close()
					}
					per(b)
				})
				labels := make([][]competitive.Label, len(blocks))
				b.Run("learn", func(b *testing.B) {
					for b.Loop() {
						l := learner(b)
						for i, block := range blocks {
							labels[i] = make([]competitive.Label, block.Len())
							if _, err := l.ObserveRows(b.Context(), block.Rows,
								labels[i]); err != nil {
								b.Fatal(err)
							}
						}
					}
					per(b)
				})
				b.Run("publish", func(b *testing.B) {
					for b.Loop() {
						run++
						sink, err := client.Sink(b.Context(),
							broker.SinkConfig{Subject: "labels", Run: fmt.Sprint("run", run)})
						if err != nil {
							b.Fatal(err)
						}
						for i, block := range blocks {
							if err := sink.Put(b.Context(), block, labels[i]); err != nil {
								b.Fatal(err)
							}
						}
						if _, err := sink.Settle(b.Context()); err != nil {
							b.Fatal(err)
						}
						sink.Close()
					}
					per(b)
				})
			})
		}
	}
}
