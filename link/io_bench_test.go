package link_test

import (
	"bytes"
	"testing"

	"github.com/kindred-go/kindred/link"
)

func BenchmarkRead(b *testing.B) {
	links := consistentLinks(1e5, 10, 1e5)
	var csv, jsonl bytes.Buffer
	if err := link.Write(&csv, links, nil); err != nil {
		b.Fatal(err)
	}
	if err := link.WriteJSONL(&jsonl, links, nil); err != nil {
		b.Fatal(err)
	}
	for name, c := range map[string]struct {
		read reader
		text []byte
	}{"CSV": {link.Read, csv.Bytes()}, "JSON lines": {link.ReadJSONL, jsonl.Bytes()}} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(c.text)))
			for b.Loop() {
				if _, err := c.read(b.Context(), bytes.NewReader(c.text), "f", nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
