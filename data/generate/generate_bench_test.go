package generate

import (
	"io"
	"testing"
)

func BenchmarkMakeBlobs(b *testing.B) {
	cfg := Config{Rows: 100000, Dimensions: 16, Clusters: 25}
	b.SetBytes(int64(cfg.Rows * cfg.Dimensions * 8))
	for b.Loop() {
		if _, _, err := Make(b.Context(), "blobs", cfg); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	x, class, err := Make(b.Context(), "blobs", Config{Rows: 100000, Dimensions: 16})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(x.Rows * x.Cols * 8))
	for b.Loop() {
		if err := Write(b.Context(), io.Discard, x, class); err != nil {
			b.Fatal(err)
		}
	}
}
