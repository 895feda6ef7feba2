package store_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/kindred-go/kindred/project/store"
)

// BenchmarkOpen opens a project of many answers about rows without ids, and reads them.
func BenchmarkOpen(b *testing.B) {
	for _, n := range []int{25_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "p.kindred")
			p, err := store.Open(b.Context(), path)
			if err != nil {
				b.Fatal(err)
			}
			rows := make(map[string]string)
			for i := range 20_000 {
				rows[fmt.Sprint(i)] = fmt.Sprintf("%064x", i)
			}
			if err := p.Describe(rows); err != nil {
				b.Fatal(err)
			}
			events := make([]store.Event, n)
			for i := range events {
				events[i] = store.Event{Step: store.Same, A: fmt.Sprint(i % 20_000),
					B: fmt.Sprint(i%20_000 + 1), ID: fmt.Sprintf("3f1b6d52-0e1c-4c7a-8f%012d", i),
					Why: "these two stand for the nearest groups that no answer compares yet"}
			}
			if _, err := p.AppendAll(b.Context(), events); err != nil {
				b.Fatal(err)
			}
			if err := p.Close(); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if p, err = store.Open(b.Context(), path); err != nil {
					b.Fatal(err)
				}
				all, err := p.Events(b.Context())
				if err != nil || len(all) != n {
					b.Fatal(len(all), err)
				}
				if _, err := p.Contents(b.Context()); err != nil {
					b.Fatal(err)
				}
				if err := p.Close(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
