package broker_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/stream"
	"github.com/kindred-go/kindred/stream/broker"
)

// bench is a server, and a plain NATS client beside ours.
type bench struct {
	t        testing.TB
	server   *broker.Server
	client   *broker.Client
	reported reports
	js       jetstream.JetStream
}

func newBench(t testing.TB) *bench {
	t.Helper()
	b := &bench{t: t, server: serve(t, broker.ServerConfig{Listen: "127.0.0.1:0"})}
	b.reach()
	var err error
	if b.client, err = broker.Dial(t.Context(),
		broker.Config{URL: b.server.Address(), Token: b.server.Token(), Say: b.reported.say}); err != nil {
		t.Fatal(err)
	}
	return b
}

// reach connects the plain client.
func (b *bench) reach() {
	b.t.Helper()
	nc, err := nats.Connect(b.server.Address(), nats.Token(b.server.Token()),
		nats.Timeout(time.Minute))
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(nc.Close)
	if b.js, err = jetstream.New(nc, jetstream.WithDefaultTimeout(time.Minute)); err != nil {
		b.t.Fatal(err)
	}
}

// publish publishes a message; headers alternate between name and value.
func (b *bench) publish(subject string, data []byte, headers ...string) {
	b.t.Helper()
	m := &nats.Msg{Subject: subject, Data: data, Header: nats.Header{}}
	for i := 0; i < len(headers); i += 2 {
		m.Header.Set(headers[i], headers[i+1])
	}
	if _, err := b.js.PublishMsg(b.t.Context(), m); err != nil {
		b.t.Fatal(err)
	}
}

// messages returns all messages of a subject.
func (b *bench) messages(subject string) (all []*jetstream.RawStreamMsg) {
	b.t.Helper()
	name, err := b.js.StreamNameBySubject(b.t.Context(), subject)
	if err != nil {
		b.t.Fatal(err)
	}
	s, err := b.js.Stream(b.t.Context(), name)
	if err != nil {
		b.t.Fatal(err)
	}
	for seq := s.CachedInfo().State.FirstSeq; seq <= s.CachedInfo().State.LastSeq; seq++ {
		m, err := s.GetMsg(b.t.Context(), seq)
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			continue
		}
		if err != nil {
			b.t.Fatal(err)
		}
		if m.Subject == subject {
			all = append(all, m)
		}
	}
	return all
}

// text joins what the messages of a subject hold.
func (b *bench) text(subject string) string {
	var text strings.Builder
	for _, m := range b.messages(subject) {
		text.Write(m.Data)
	}
	return text.String()
}

func (b *bench) source(cfg broker.SourceConfig) *broker.Source {
	b.t.Helper()
	cfg.Subject = "rows"
	s, err := b.client.Source(b.t.Context(), cfg)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { s.Close() })
	if err := s.Use(plane); err != nil {
		b.t.Fatal(err)
	}
	return s
}

func (b *bench) sink(cfg broker.SinkConfig) *broker.Sink {
	b.t.Helper()
	cfg.Subject = "labels"
	if cfg.Run == "" {
		cfg.Run = "run"
	}
	s, err := b.client.Sink(b.t.Context(), cfg)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { s.Close() })
	return s
}

// plane is rows of two numbers, as they are.
var plane = stream.Layout{
	Format: dataset.FormatCSV, Columns: []string{"x", "y"},
	Encoding: dataset.Encoding{Columns: []dataset.EncodedColumn{{Source: "x", Type: dataset.Number},
		{Source: "y", Type: dataset.Number}}, Scale: dataset.ScaleNone},
}

// labelled returns made-up labels, a function of the rows.
func labelled(b *stream.Block) []competitive.Label {
	labels := make([]competitive.Label, b.Len())
	for i := range labels {
		labels[i] = competitive.Label{Cluster: int32(b.Row(i)[0]) % 3, RunnerUp: -1,
			Distance: b.Row(i)[1]}
	}
	return labels
}

// fill takes the next block.
func fill(t testing.TB, s *broker.Source) *stream.Block {
	t.Helper()
	var b stream.Block
	if err := s.Fill(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return &b
}

// all takes blocks until the end.
func all(t testing.TB, s *broker.Source) (blocks []*stream.Block) {
	t.Helper()
	for {
		var b stream.Block
		err := s.Fill(t.Context(), &b)
		if err == io.EOF {
			return blocks
		}
		if err != nil {
			t.Fatal(err)
		}
		blocks = append(blocks, &b)
	}
}

// rowsText returns n rows from a number on, as CSV.
func rowsText(from, n int) []byte {
	var b bytes.Buffer
	for i := from; i < from+n; i++ {
		fmt.Fprintf(&b, "%d,%g\n", i, float64(i)/8)
	}
	return b.Bytes()
}

// npy makes a matrix of 4- or 8-byte values.
func npy(width, cols int, values ...float64) []byte {
	head := fmt.Sprintf("{'descr': '<f%d', 'fortran_order': False, 'shape': (%d, %d), }", width,
		len(values)/cols, cols)
	head += strings.Repeat(" ", 63-(10+len(head))%64) + "\n"
	out := []byte("\x93NUMPY\x01\x00")
	out = append(binary.LittleEndian.AppendUint16(out, uint16(len(head))), head...)
	for _, v := range values {
		if width == 4 {
			out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(v)))
		} else {
			out = binary.LittleEndian.AppendUint64(out, math.Float64bits(v))
		}
	}
	return out
}
