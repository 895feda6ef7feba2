package link_test

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

// fuzz asks two things of a reader: whatever it refuses is the fault of the input, and whatever it
// accepts is written and read again unchanged.
func fuzz(f *testing.F, read reader, write func(io.Writer, []link.Link, func(int) string) error) {
	f.Fuzz(func(t *testing.T, text []byte) {
		links, err := read(t.Context(), bytes.NewReader(text), "f", link.Numbered(50))
		if err != nil {
			if !fault.IsInput(err) {
				t.Fatalf("%v is not an input fault", err)
			}
			return
		}
		for _, l := range links {
			if err := link.NewSet(50).Add(l); err != nil {
				t.Fatalf("read %v, which no set takes: %v", l, err)
			}
		}
		var out bytes.Buffer
		if err := write(&out, links, nil); err != nil {
			if slices.ContainsFunc(links,
				func(l link.Link) bool { return strings.Contains(l.Source, "\r\n") }) {
				return // known: CSV cannot hold it
			}
			t.Fatal(err)
		}
		back, err := read(t.Context(), &out, "f", nil)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.EqualFunc(links, back, sameLink) {
			t.Fatalf("read %v, and after writing %v", links, back)
		}
	})
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("a,b,link,p,source,time\n1,2,same,.5,'=x,2024-05-01T12:30:00.5+01:00\n3,4,cl,," +
		"\"a\n\"\"b\",\n"))
	f.Add([]byte("\xef\xbb\xbflink,a,b\r\nunknown,1,50\r\n"))
	f.Add([]byte("a,b,link\n\"1,2,same"))
	fuzz(f, link.Read, link.Write)
}

func FuzzReadJSONL(f *testing.F) {
	f.Add([]byte(`{"a":"1","b":2,"link":"same","p":1e-3,"source":"\ud83d",` +
		`"time":"2024-05-01T12:30:00Z"}`))
	f.Add([]byte("{\"a\":1,\"b\":3,\"link\":\"cl\"}\n\n[]"))
	fuzz(f, link.ReadJSONL, link.WriteJSONL)
}
