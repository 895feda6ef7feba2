package broker_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/stream"
	"github.com/kindred-go/kindred/stream/broker"
	"github.com/kindred-go/kindred/stream/lines"
)

// TestMessagesOfEveryKind: CSV, JSON lines and matrices give rows; what cannot be read is one bad
// row, and names it.
func TestMessagesOfEveryKind(t *testing.T) {
	b := newBench(t)
	b.source(broker.SourceConfig{}) // makes the stream
	for _, m := range []struct {
		data    []byte
		headers []string
	}{
		{[]byte("1,2\n3,4\n"), nil},
		{[]byte("5,6"), []string{"Content-Type", "text/csv; charset=utf-8"}},
		{[]byte("y,7,8\n"), []string{broker.ColumnsHeader, "name,y,x"}},
		{[]byte(`{"y":10,"x":9}` + "\n" + `{"@link":"same","a":"1","b":"2","p":0.5}`), nil},
		{npy(4, 2, 11, 12, math.NaN(), 0, 13, 14), nil},
		{npy(8, 3, 16, 0, 15), []string{broker.ColumnsHeader, "y,other,x"}},
		{[]byte("17\t18"), []string{"Content-Type", "text/tab-separated-values"}},
		{[]byte("19;20"), []string{broker.SeparatorHeader, ";"}},
		{nil, nil},
		{[]byte("x"), []string{"Content-Type", "image/png"}},
		{[]byte("1\n"), []string{broker.ColumnsHeader, "x"}},
		{npy(8, 2, 1, 2)[:60], nil},
		{[]byte("@forget,3\n21,22\nfoo,1\n1,2,3\n@link,1,2,different\n"), nil},
	} {
		b.publish("rows", m.data, m.headers...)
	}
	var rows []float64
	var numbers []int64
	var reported []string
	for i, block := range all(t, b.source(broker.SourceConfig{StopAtEnd: true})) {
		rows, numbers = append(rows, block.Rows...), append(numbers, block.Numbers...)
		for _, n := range block.Notes {
			switch n.Kind {
			case stream.BadNote:
				reported = append(reported, fmt.Sprintf("%d: %v", n.Before, n.Problem))
			case stream.ForgetNote:
				reported = append(reported, fmt.Sprintf("%d: forget %s", n.Before, n.A))
			default:
				reported = append(reported,
					fmt.Sprintf("%d: %s and %s %s %g", n.Before, n.A, n.B, n.Link,
						n.Confidence))
			}
		}
		if block.After.Sequence != uint64(i+1) {
			t.Errorf("message %d: the block has %d", i+1, block.After.Sequence)
		}
	}
	want := []float64{1, 2, 3, 4, 5, 6, 8, 7, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22}
	if !slices.Equal(rows, want) {
		t.Errorf("rows %v\nwant %v", rows, want)
	}
	if want := []int64{1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 15}; !slices.Equal(numbers, want) {
		t.Errorf("numbers %v, want %v", numbers, want)
	}
	for i, want := range []string{
		"1: 1 and 2 same 0.5",
		"1: rows message 5, row 7, column x: the value is missing",
		`0: rows message 10, row 12: its Content-Type is "image/png"`,
		"0: rows message 11, row 13, column y: is missing",
		"0: rows message 12, row 14: is not an NPY matrix",
		"0: forget 3",
		`1: rows message 13, row 16, column x: "foo" is not a number`,
		"1: rows message 13, row 17: ",
		"1: 1 and 2 " + link.CannotLink.String(),
	} {
		if i >= len(reported) || !strings.HasPrefix(reported[i], want) {
			t.Errorf("note %d of\n%s\nwant %s", i, strings.Join(reported, "\n"), want)
			break
		}
	}
}

// TestMatrices: heads that promise what is not there, or what cannot be used, make one bad row.
func TestMatrices(t *testing.T) {
	whole := npy(8, 2, 1, 2, 3, 4)
	for want, data := range map[string][]byte{
		"column after column": []byte(strings.Replace(string(whole), "False", "True ",
			1)),
		"values of type": []byte(strings.Replace(string(whole), "<f8", ">f8", 1)),
		"not one of rows and columns": []byte(strings.Replace(string(whole), "(2, 2)", "(4,)  ",
			1)),
		"bytes are there":          whole[:len(whole)-1],
		"is not an NPY matrix":     whole[:20],
		"the matrix has 1 columns": npy(8, 1, 1, 2),
		"to have 3 rows": []byte(strings.Replace(string(whole), "(2, 2)", "(3, 2)",
			1)),
		"the value is infinite": npy(8, 2, math.Inf(1), 2),
		"to have 2000000000 rows of 2 ": []byte(strings.Replace(string(whole), "(2, 2), }         ",
			"(2000000000, 2), }", 1)),
	} {
		t.Run(want, func(t *testing.T) {
			b := newBench(t)
			s := b.source(broker.SourceConfig{})
			b.publish("rows", data)
			b.publish("rows", whole)
			bad := fill(t, s)
			if len(bad.Notes) != 1 || bad.Len() != 0 ||
				!strings.Contains(bad.Notes[0].Problem.Error(), want) {
				t.Fatalf("%d rows, %v", bad.Len(), bad.Notes)
			}
			if next := fill(t, s); !slices.Equal(next.Numbers, []int64{2, 3}) {
				t.Errorf("the next message has rows %v", next.Numbers)
			}
		})
	}
}

// TestWarmUp: the first messages make the layout, as if they were a file, and their rows come again
// with those after them.
func TestWarmUp(t *testing.T) {
	for name, m := range map[string]struct {
		first, second []byte
		columns       string
	}{
		"csv":    {[]byte("1,2,a\n3,4,b\n"), []byte("5,6,a\n"), "x,y,z"},
		"json":   {[]byte(`{"x":1,"y":2}` + "\n" + `{"x":3,"y":4}`), []byte(`{"x":5,"y":6}`), ""},
		"matrix": {npy(4, 2, 1, 2, 3, 4), npy(8, 2, 5, 6), ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.source(broker.SourceConfig{}) // makes the stream
			var headers []string
			if m.columns != "" {
				headers = []string{broker.ColumnsHeader, m.columns}
			}
			reported := "@link,1,2,same\n"
			if name == "json" {
				reported = `{"@link":"same","a":"1","b":"2"}`
			}
			b.publish("rows", []byte(reported), headers...)
			b.publish("rows", m.first, headers...)
			b.publish("rows", m.second, headers...)
			s, err := b.client.Source(t.Context(),
				broker.SourceConfig{Subject: "rows", StopAtEnd: true})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			first, err := s.WarmUp(t.Context(), lines.WarmUp{Rows: 2})
			if err != nil {
				t.Fatal(err)
			}
			if first.X.Rows < 2 {
				t.Errorf("%d rows make the layout", first.X.Rows)
			}
			blocks := all(t, s)
			if len(blocks) != 3 || len(blocks[0].Notes) != 1 || blocks[1].Len() != 2 ||
				blocks[2].Numbers[0] != 3 {
				t.Fatalf("%d blocks: %+v", len(blocks), blocks)
			}
			d := blocks[1].Cols
			if got := blocks[1].Rows[:2]; got[0] != 0 || got[1] != 0 || blocks[1].Rows[d] != 1 ||
				blocks[2].Rows[0] != 2 {
				t.Errorf("rows are scaled to %v and %v", blocks[1].Rows, blocks[2].Rows)
			}
		})
	}
}

// TestGoesOnWhereItStood: a second source takes up what the first left, in a stream of its own and
// in one with other subjects.
func TestGoesOnWhereItStood(t *testing.T) {
	for _, shared := range []bool{false, true} {
		b := newBench(t)
		if shared {
			if _, err := b.js.CreateStream(t.Context(),
				jetstream.StreamConfig{Name: "ALL",
					Subjects: []string{"rows", "noise"}}); err != nil {
				t.Fatal(err)
			}
		}
		first := b.source(broker.SourceConfig{})
		for i := range 5 {
			if shared {
				b.publish("noise", []byte("99,99"))
			}
			b.publish("rows", rowsText(10*i, 10))
		}
		fill(t, first)
		stood := fill(t, first).After
		if stood.Rows != 20 {
			t.Fatalf("two messages: position %+v", stood)
		}
		blocks := all(t, b.source(broker.SourceConfig{After: stood, StopAtEnd: true}))
		if len(blocks) != 3 || blocks[0].Numbers[0] != 21 || blocks[0].Row(0)[0] != 20 ||
			len(blocks[0].Notes) != 0 {
			t.Errorf("shared %v: %d blocks, the first %+v", shared, len(blocks), blocks[0])
		}
		_, err := b.client.Source(t.Context(),
			broker.SourceConfig{Subject: "rows", After: stream.Position{Sequence: 1000}})
		if !fault.IsInput(err) || !strings.Contains(err.Error(), "message 1000 has been read") {
			t.Errorf("another log: %v", err)
		}
	}
}

// TestDroppedMessages: what the broker let go of before it was read is said.
func TestDroppedMessages(t *testing.T) {
	b := newBench(t)
	if _, err := b.js.CreateStream(t.Context(),
		jetstream.StreamConfig{Name: "R", Subjects: []string{"rows"}, MaxMsgs: 3}); err != nil {
		t.Fatal(err)
	}
	for i := range 10 {
		b.publish("rows", rowsText(i, 1))
	}
	blocks := all(t, b.source(broker.SourceConfig{StopAtEnd: true,
		After: stream.Position{Rows: 2, Sequence: 2}}))
	if len(blocks) != 3 || len(blocks[0].Notes) != 1 || len(blocks[1].Notes) != 0 {
		t.Fatalf("%d blocks, the first with %v", len(blocks), blocks[0].Notes)
	}
	if got := blocks[0].Notes[0].Problem.Error(); !strings.Contains(got,
		"messages 3 to 7 were dropped by the broker before they were read") {
		t.Error(got)
	}
}

// TestWaitingEnds: Stop and the context end the wait for a message.
func TestWaitingEnds(t *testing.T) {
	b := newBench(t)
	s := b.source(broker.SourceConfig{After: stream.Position{Rows: 7}})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	var block stream.Block
	if err := s.Fill(ctx, &block); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the context: %v", err)
	}
	time.AfterFunc(50*time.Millisecond, s.Stop)
	if err := s.Fill(t.Context(), &block); err != io.EOF || block.After.Rows != 7 {
		t.Errorf("Stop: %v, standing at %+v", err, block.After)
	}
	for _, subject := range []string{"", "a b", "a.*", ">", "a..b", "$JS.x"} {
		if _, err := b.client.Source(t.Context(),
			broker.SourceConfig{Subject: subject}); !fault.IsInput(err) {
			t.Errorf("subject %q: %v", subject, err)
		}
	}
}

// TestBackPressure: a source asks for no more than its prefetch while nobody takes the messages.
func TestBackPressure(t *testing.T) {
	b := newBench(t)
	b.source(broker.SourceConfig{}) // makes the stream
	const messages = 1000
	text := rowsText(0, 4)
	for range messages {
		if _, err := b.js.PublishAsync("rows", text); err != nil {
			t.Fatal(err)
		}
	}
	<-b.js.PublishAsyncComplete()
	s := b.source(broker.SourceConfig{StopAtEnd: true})
	name, _ := b.js.StreamNameBySubject(t.Context(), "rows")
	log, err := b.js.Stream(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	fill(t, s)
	time.Sleep(100 * time.Millisecond)
	for info := range log.ListConsumers(t.Context()).Info() {
		if sent := info.Delivered.Consumer; sent > 256 {
			t.Errorf("%d messages were sent ahead", sent)
		}
	}
	if blocks := all(t, s); len(blocks) != messages-1 ||
		blocks[messages-2].After.Rows != 4*messages {
		t.Errorf("%d blocks", len(blocks))
	}
}
