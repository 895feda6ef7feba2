package broker_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/stream/broker"
)

func (b *bench) feed(file, text string, cfg broker.FeedConfig) (broker.FeedResult, error) {
	cfg.Subject, cfg.Name = "rows", or(cfg.Name, file)
	return b.client.Feed(b.t.Context(), strings.NewReader(text), file, cfg)
}

func or(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// TestFeed: lines go out as they lie, in blocks, and the header along with them.
func TestFeed(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte("a,b\n1,2\n3,4\n5,6"))
	z.Close()
	for _, c := range []struct {
		file, text    string
		columns       []string
		want          []string // the messages
		kind, headers string
	}{
		{"head.csv", "a,b\n1,2\n3,4\n5,6", nil, []string{"1,2\n3,4\n", "5,6\n"}, "text/csv", "a,b"},
		{"head.csv.gz", packed.String(), nil, []string{"1,2\n3,4\n", "5,6\n"}, "text/csv", "a,b"},
		{"bare.csv", "1,2\n3,4\n", nil, []string{"1,2\n3,4\n"}, "text/csv", ""},
		{"named.csv", "1,2\n3,4\n", []string{"u", "v"}, []string{"1,2\n3,4\n"}, "text/csv", "u,v"},
		{"quoted.csv", "a,b,c\n1,2,\"x\ny\"\n3,4,z\n@link,1,2,same\n", nil,
			[]string{"1,2,\"x\ny\"\n", "3,4,z\n@link,1,2,same\n"}, "text/csv", "a,b,c"},
		{"tabs.txt", "1\t2\n3\t4\n", []string{"u", "v"}, []string{"1\t2\n3\t4\n"},
			"text/tab-separated-values", "u,v"},
		{"break.csv", "\"a\nb\",c\n1,2\n", nil, []string{"1,2\n"}, "text/csv", "\"a b\",c"},
		{"semi.csv", "a;b\n1;2\n3;4\n", nil, []string{"1;2\n3;4\n"}, "text/csv", "a,b"},
		{"tabs.tsv", "a\tb\n1\t2\n", nil, []string{"1\t2\n"}, "text/tab-separated-values", "a,b"},
		{"lines.jsonl", "{\"a\":1}\n{\"a\":2}\n", nil, []string{"{\"a\":1}\n{\"a\":2}\n"},
			"application/x-ndjson", ""},
		{"bad.csv", "a,b\n1,2\n3,4\n1,2,3\nx,y\n", nil, []string{"1,2\n3,4\n", "1,2,3\nx,y\n"},
			"text/csv", "a,b"},
	} {
		t.Run(c.file, func(t *testing.T) {
			b := newBench(t)
			if _, err := b.feed(c.file, c.text,
				broker.FeedConfig{Block: 2, Columns: c.columns}); err != nil {
				t.Fatal(err)
			}
			messages := b.messages("rows")
			if len(messages) != len(c.want) {
				t.Fatalf("%d messages", len(messages))
			}
			for i, m := range messages {
				if string(m.Data) != c.want[i] || m.Header.Get("Content-Type") != c.kind ||
					m.Header.Get(broker.ColumnsHeader) != c.headers {
					t.Errorf("message %d is %q with %v, want %q", i+1, m.Data, m.Header, c.want[i])
				}
			}
			if got := messages[0].Header.Get(broker.SeparatorHeader); c.file == "semi.csv" &&
				got != ";" {
				t.Errorf("the separator is %q", got)
			}
		})
	}
}

// TestFeedAgain: a feed that broke off is taken up, one that is through adds what was added to the
// file, and another name feeds anew.
func TestFeedAgain(t *testing.T) {
	b := newBench(t)
	var text strings.Builder
	text.WriteString("x,y\n")
	for i := range 100 {
		fmt.Fprintf(&text, "%d,%d\n", i, i)
	}
	broken := io.MultiReader(strings.NewReader(text.String()[:300]), errReader{})
	if _, err := b.client.Feed(t.Context(), broken, "d.csv",
		broker.FeedConfig{Subject: "rows", Name: "d.csv", Block: 7}); !errors.Is(err,
		io.ErrClosedPipe) {
		t.Fatal(err)
	}
	for range 3 {
		fed, err := b.feed("d.csv", text.String(), broker.FeedConfig{Block: 7})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d lines, %d of them there before", fed.Lines, fed.Found)
		text.WriteString("7,7\n7,7\n7,7\n")
	}
	if got, want := b.text("rows"),
		text.String()[len("x,y\n"):text.Len()-len("7,7\n7,7\n7,7\n")]; got != want {
		t.Errorf("the log holds\n%s", got)
	}
	before := len(b.messages("rows"))
	other := broker.FeedConfig{Block: 7, Name: "other"}
	if _, err := b.feed("d.csv", "x,y\n1,1\n", other); err != nil {
		t.Fatal(err)
	}
	if n := len(b.messages("rows")); n != before+1 {
		t.Errorf("another feed adds %d messages", n-before)
	}
	fed, err := b.feed("d.csv", "x,y\n1,1\n", other)
	if err != nil || fed.Found != 1 {
		t.Errorf("the same once more finds %d lines (%v)", fed.Found, err)
	}
	if fed, err = b.feed("d.csv", text.String(), broker.FeedConfig{Block: 7}); err != nil ||
		fed.Found == 0 {
		t.Errorf("with another feed in between, the broker's memory finds %d lines (%v)", fed.Found,
			err)
	}
}

// TestFeedOfAnotherTable: under a name that was fed, a table that begins otherwise, or is shorter,
// is refused, and nothing is published.
func TestFeedOfAnotherTable(t *testing.T) {
	b := newBench(t)
	if _, err := b.feed("r.csv", "x,y\n1,1\n2,2\n3,3\n", broker.FeedConfig{Block: 2}); err != nil {
		t.Fatal(err)
	}
	before := len(b.messages("rows"))
	for name, text := range map[string]string{
		"others":  "x,y\n5,5\n6,6\n7,7\n8,8\n9,9\n",
		"one":     "x,y\n1,1\n2,0\n3,3\n4,4\n",
		"shorter": "x,y\n1,1\n2,2\n",
		"columns": "y,x\n1,1\n2,2\n3,3\n",
		"breaks":  "x,y\n1,1\n2,2\n\"3\n\",3\n",
	} {
		if _, err := b.feed("r.csv", text, broker.FeedConfig{Block: 2}); !fault.IsInput(err) ||
			!strings.Contains(err.Error(), "is not what was fed as r.csv") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := len(b.messages("rows")); n != before {
		t.Errorf("%d messages were added", n-before)
	}
	if fed, err := b.feed("r.csv", "x,y\n1,1\n2,2\n3,3\n4,4\n",
		broker.FeedConfig{Block: 2}); err != nil || fed.Found != 3 || fed.Lines != 4 {
		t.Errorf("%+v, %v", fed, err)
	}
}

// errReader is a pipe that breaks.
type errReader struct{}

func (errReader) Read([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestFeedRefuses(t *testing.T) {
	b := newBench(t)
	for want, text := range map[string]string{
		"is empty": "\n\n",
		"the compressed data are damaged": "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x00" +
			"broken",
		"is an NPY matrix, which is not fed by lines": string(npy(8, 2, 1, 2)),
		"longer than 1 MiB": "x,y\n1,2\n" + strings.Repeat("1",
			9<<20) + ",1\n",
	} {
		if _, err := b.feed("data", text, broker.FeedConfig{}); !fault.IsInput(err) ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, err := b.feed("data", "x\n1\n", broker.FeedConfig{Name: "a b"}); !fault.IsInput(err) {
		t.Error(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	quiet, writer := io.Pipe()
	defer writer.Close()
	if _, err := b.client.Feed(ctx, quiet, "-",
		broker.FeedConfig{Subject: "rows", Name: "pipe"}); !errors.Is(err,
		context.DeadlineExceeded) {
		t.Errorf("a pipe without data: %v", err)
	}
}
