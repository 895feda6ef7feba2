package broker_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/freeport"
	"github.com/kindred-go/kindred/stream"
	"github.com/kindred-go/kindred/stream/broker"
)

// block makes a block of n rows, as from a message of a broker.
func block(sequence uint64, n int) *stream.Block {
	b := &stream.Block{Cols: 2,
		After: stream.Position{Sequence: sequence, Rows: int64(n) * int64(sequence)}}
	for i := range n {
		row := int64(n)*(int64(sequence)-1) + int64(i) + 1
		b.Rows = append(b.Rows, float64(row), float64(row)/8)
		b.Numbers = append(b.Numbers, row)
	}
	return b
}

func put(t testing.TB, s *broker.Sink, b *stream.Block) {
	t.Helper()
	if err := s.Put(t.Context(), b, labelled(b)); err != nil {
		t.Fatal(err)
	}
}

func settle(t testing.TB, s *broker.Sink) stream.Position {
	t.Helper()
	at, err := s.Settle(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// TestLabelsOnce: a run that begins again, or goes on, publishes what is not there, and nothing
// twice.
func TestLabelsOnce(t *testing.T) {
	for _, shared := range []bool{false, true} {
		t.Run(fmt.Sprintf("shared %v", shared), func(t *testing.T) {
			b := newBench(t)
			if shared {
				if _, err := b.js.CreateStream(t.Context(),
					jetstream.StreamConfig{Name: "ALL",
						Subjects: []string{"labels", "noise"}}); err != nil {
					t.Fatal(err)
				}
			}
			first := b.sink(broker.SinkConfig{})
			for i := range 5 {
				put(t, first, block(uint64(i+1), 3))
			}
			// nothing but notes
			put(t, first, &stream.Block{Cols: 2, After: stream.Position{Sequence: 6, Rows: 15}})
			at := settle(t, first)
			if at.Sequence != 5 || at.Rows != 15 {
				t.Errorf("position %+v", at)
			}
			first.Close()
			// killed before the first state was saved, and after
			for _, after := range []stream.Position{{}, {Sequence: 2, Rows: 6}} {
				if shared {
					b.publish("noise", nil)
				}
				again := b.sink(broker.SinkConfig{After: after})
				for i := after.Sequence; i < 9; i++ {
					put(t, again, block(i+1, 3))
				}
				settle(t, again)
				again.Close()
			}
			messages := b.messages("labels")
			if len(messages) != 9 {
				t.Fatalf("%d messages of labels", len(messages))
			}
			for i, m := range messages {
				if m.Header.Get(broker.SequenceHeader) != fmt.Sprint(i+1) ||
					m.Header.Get("Nats-Msg-Id") != fmt.Sprintf("run-%d-%d", i+1, 3*i+3) ||
					m.Header.Get(broker.ColumnsHeader) != "id,cluster,distance,runner_up,margin" {
					t.Errorf("message %d has the headers %v", i+1, m.Header)
				}
			}
			if got := string(messages[1].Data); got != "4,2,0.5,,0\n5,3,0.625,,0\n6,1,0.75,,0\n" {
				t.Errorf("the second message is %q", got)
			}
		})
	}
}

// TestRowsOfAFile: without a broker's sequence numbers rows count, however they are blocked.
func TestRowsOfAFile(t *testing.T) {
	b := newBench(t)
	whole := block(1, 10)
	whole.After.Sequence = 0
	part := *whole
	part.Rows, part.Numbers = part.Rows[:2*4], part.Numbers[:4]
	first := b.sink(broker.SinkConfig{Format: dataset.FormatJSONL})
	put(t, first, &part)
	settle(t, first)
	first.Close()
	again := b.sink(broker.SinkConfig{Format: dataset.FormatJSONL})
	put(t, again, whole)
	if at := settle(t, again); at.Rows != 10 {
		t.Errorf("position %+v", at)
	}
	got := b.text("labels")
	if strings.Count(got, "\n") != 10 ||
		!strings.HasPrefix(got, `{"id":"1","cluster":2,"distance":0.125,"runner_up":null,`+
			`"margin":0}`) {
		t.Error(got)
	}
}

// TestLongBlocks: labels that are too long for one message come in several, each row once, also
// after a break in the middle.
func TestLongBlocks(t *testing.T) {
	b := newBench(t)
	const rows = 40_000
	long := block(1, rows)
	for i := range rows {
		long.IDText = fmt.Appendf(long.IDText, "row-number-%d", i)
		long.IDEnd = append(long.IDEnd, int32(len(long.IDText)))
	}
	first := b.sink(broker.SinkConfig{})
	put(t, first, long)
	settle(t, first)
	first.Close()
	before := b.messages("labels")
	if len(before) < 2 {
		t.Fatalf("%d messages", len(before))
	}
	name, _ := b.js.StreamNameBySubject(t.Context(), "labels")
	log, err := b.js.Stream(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	if err := log.DeleteMsg(t.Context(), uint64(len(before))); err != nil {
		t.Fatal(err)
	}
	again := b.sink(broker.SinkConfig{})
	put(t, again, long)
	settle(t, again)
	after := b.messages("labels")
	if len(after) != len(before) ||
		string(after[len(after)-1].Data) != string(before[len(before)-1].Data) {
		t.Errorf("%d messages, then %d", len(before), len(after))
	}
	text := b.text("labels")
	for i, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if !strings.HasPrefix(line, fmt.Sprintf("row-number-%d,", i)) {
			t.Fatalf("line %d is %q", i, line)
		}
	}
}

// TestOtherWriters: labels of another run stay where they are; a message of somebody else's that
// comes in between stops the run.
func TestOtherWriters(t *testing.T) {
	b := newBench(t)
	old := b.sink(broker.SinkConfig{Run: "old"})
	put(t, old, block(7, 2))
	settle(t, old)
	old.Close()
	s := b.sink(broker.SinkConfig{})
	put(t, s, block(1, 2))
	settle(t, s)
	b.publish("labels", []byte("mine"))
	put(t, s, block(2, 2)) // comes behind it
	settle(t, s)
	if n := len(b.messages("labels")); n != 4 {
		t.Errorf("%d messages", n)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var rivals sync.WaitGroup
	defer rivals.Wait()
	defer cancel()
	for range 8 { // who never give way
		rivals.Go(func() {
			for ctx.Err() == nil {
				b.js.Publish(ctx, "labels", []byte("mine"))
			}
		})
	}
	var err error
	for i := uint64(3); err == nil && i < 10_000; i++ {
		next := block(i, 2)
		err = s.Put(t.Context(), next, labelled(next))
	}
	if !fault.IsInput(err) || !strings.Contains(err.Error(), "somebody else publishes to labels") {
		t.Errorf("%v", err)
	}
}

// TestOneMessageBetween: a message of somebody else's, in the place of labels that are on their
// way, does not let in those behind them.
func TestOneMessageBetween(t *testing.T) {
	b := newBench(t)
	s := b.sink(broker.SinkConfig{})
	const rounds, blocks = 50, 20
	for i := range uint64(rounds) {
		for k := range uint64(blocks) {
			put(t, s, block(blocks*i+k+1, 1))
		}
		settle(t, s)
		b.publish("labels", []byte("mine"))
	}
	inOrder(t, b, rounds*blocks)
}

// inOrder checks that the labels of rows 1 to n, a message each, are there once and in order,
// whatever others said in between.
func inOrder(t *testing.T, b *bench, n int) {
	t.Helper()
	row := 0
	for _, m := range b.messages("labels") {
		if string(m.Data) == "mine" {
			continue
		}
		if row++; !strings.HasPrefix(string(m.Data), fmt.Sprintf("%d,", row)) {
			t.Fatalf("where the label of row %d was due there is %q", row, m.Data)
		}
	}
	if row != n {
		t.Errorf("%d labels of %d", row, n)
	}
}

// TestEmptiedLog: where the log was emptied, the ids that the broker remembers do not keep labels
// out.
func TestEmptiedLog(t *testing.T) {
	b := newBench(t)
	first := b.sink(broker.SinkConfig{})
	put(t, first, block(1, 2))
	settle(t, first)
	first.Close()
	name, _ := b.js.StreamNameBySubject(t.Context(), "labels")
	log, err := b.js.Stream(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	if err := log.Purge(t.Context()); err != nil {
		t.Fatal(err)
	}
	again := b.sink(broker.SinkConfig{})
	put(t, again, block(1, 2))
	put(t, again, block(2, 2))
	settle(t, again)
	if n := len(b.messages("labels")); n != 2 {
		t.Errorf("%d messages", n)
	}
}

// TestLostLabels: a log that ends before the labels that were confirmed is said to have lost them.
func TestLostLabels(t *testing.T) {
	b := newBench(t)
	b.sink(broker.SinkConfig{After: stream.Position{Sequence: 9, Rows: 18}})
	b.reported.waitFor(t, "the broker lost messages of labels that it had confirmed: those behind "+
		"row 0, up to row 18 of message 9")
}

// TestBrokerGoesAndComes: while rows come and labels go, the broker ends and begins again, a few
// times. Nothing is lost or doubled, and it is said once each time.
func TestBrokerGoesAndComes(t *testing.T) {
	cfg := broker.ServerConfig{Store: t.TempDir(), Listen: freeport.Address(t)}
	server, err := broker.Serve(cfg)
	if err != nil {
		t.Fatal(err)
	}
	var reported reports
	client, err := broker.Dial(t.Context(),
		broker.Config{URL: server.Address(), Token: server.Token(), Say: reported.say})
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{t: t, server: server, client: client}
	source, sink := b.source(broker.SourceConfig{}), b.sink(broker.SinkConfig{})
	const messages = 400
	text, rows := io.Pipe()
	further, back := make(chan struct{}), make(chan *broker.Server, 1)
	go func() {
		if _, err := client.Feed(t.Context(), text, "data",
			broker.FeedConfig{Subject: "rows", Name: "data", Block: 10,
				Columns: []string{"x", "y"}}); err != nil {
			t.Error(err)
		}
	}()
	go func() {
		defer rows.Close()
		for i := range messages {
			if i%100 == 51 {
				<-further
			}
			rows.Write(rowsText(10*i, 10))
		}
	}()
	for i := range messages {
		next := fill(t, source)
		if next.After.Sequence != uint64(i+1) {
			t.Fatalf("after %d messages came %d", i, next.After.Sequence)
		}
		put(t, sink, next)
		if i%100 == 50 { // no message was sent ahead, so that all miss the broker
			if err := server.Close(); err != nil {
				t.Fatal(err)
			}
			further <- struct{}{}
			go func() {
				for client.Away() < 3 {
					time.Sleep(5 * time.Millisecond)
				}
				s, err := broker.Serve(cfg)
				if err != nil {
					panic(err) // all wait for it
				}
				back <- s
			}()
		}
		if i%100 == 99 {
			settle(t, sink)
			server = <-back
		}
	}
	b.server = server
	defer server.Close()
	b.reach()
	var want strings.Builder
	for i := range 10 * messages {
		fmt.Fprintf(&want, "%d,%d,%.6g,,0\n", i+1, i%3+1, float64(i)/8)
	}
	if got := b.text("labels"); got != want.String() {
		t.Errorf("%d bytes of labels, want %d", len(got), want.Len())
	}
	if gone := strings.Count(reported.String(), "is away"); gone != 4 ||
		strings.Count(reported.String(), "is back") != 4 {
		t.Errorf("got %q", &reported)
	}
}

// TestOthersBehind: labels of a killed run are known again though somebody else's messages lie
// behind them.
func TestOthersBehind(t *testing.T) {
	for _, run := range []struct {
		name   string
		others int
		shared bool
	}{{"few", 3, false}, {"many", 2500, false}, {"shared", 3, true}} {
		t.Run(run.name, func(t *testing.T) {
			b := newBench(t)
			if run.shared {
				if _, err := b.js.CreateStream(t.Context(),
					jetstream.StreamConfig{Name: "ALL",
						Subjects: []string{"labels", "noise"}}); err != nil {
					t.Fatal(err)
				}
			}
			first := b.sink(broker.SinkConfig{})
			for i := range uint64(5) {
				put(t, first, block(i+1, 3))
			}
			settle(t, first)
			first.Close()
			for range run.others {
				b.publish("labels", []byte("mine"), broker.RunHeader, "another")
			}
			again := b.sink(broker.SinkConfig{After: stream.Position{Sequence: 2, Rows: 6}})
			b.reported.waitFor(t, "labels up to row 15 of message 5 are in labels already")
			for i := uint64(2); i < 7; i++ {
				put(t, again, block(i+1, 3))
			}
			settle(t, again)
			if n := len(b.messages("labels")); n != 7+run.others {
				t.Errorf("%d messages, of them %d of others", n, run.others)
			}
			if strings.Contains(b.reported.String(), "lost") {
				t.Errorf("got %q", &b.reported)
			}
		})
	}
}

// TestForgedLabels: a message that claims to be of the run, and does not name the row, is
// refused.
func TestForgedLabels(t *testing.T) {
	for _, behind := range []bool{false, true} {
		b := newBench(t)
		b.sink(broker.SinkConfig{})
		b.publish("labels", nil, broker.RunHeader, "run", broker.RowHeader, "many")
		if behind {
			b.publish("labels", []byte("mine"))
		}
		_, err := b.client.Sink(t.Context(), broker.SinkConfig{Subject: "labels", Run: "run"})
		if !fault.IsInput(err) ||
			!strings.Contains(err.Error(),
				"a message of labels claims to be of this run and is not") {
			t.Errorf("behind another %v: %v", behind, err)
		}
	}
}
