package project_test

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/kindred-go/kindred/data/generate"
	"github.com/kindred-go/kindred/project"
	"github.com/kindred-go/kindred/project/input"
	"github.com/kindred-go/kindred/project/store"
)

// file writes n×d made-up rows of ten groups as CSV.
func file(b *testing.B, n, d int) string {
	b.Helper()
	x, classes, err := generate.Make(b.Context(), "blobs",
		generate.Config{Rows: n, Dimensions: d, Clusters: 10, Seed: 1})
	if err != nil {
		b.Fatal(err)
	}
	path := filepath.Join(b.TempDir(), "data.csv")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	if err := generate.Write(b.Context(), w, x, classes); err != nil {
		b.Fatal(err)
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	return path
}

// reportHeld reports the memory that is held while a project is open, and closes it.
func reportHeld(b *testing.B, d *project.Project) {
	b.StopTimer()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.HeapAlloc)/1e6, "MB-held")
	d.Close()
	b.StartTimer()
}

// From a file to the first question.
func BenchmarkOpen(b *testing.B) {
	for _, size := range [][2]int{{100_000, 64}, {1_000_000, 16}} {
		b.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(b *testing.B) {
			path := file(b, size[0], size[1])
			runtime.GC()
			b.ResetTimer()
			for b.Loop() {
				r := input.New()
				if err := r.Set("label", "class"); err != nil {
					b.Fatal(err)
				}
				d, err := project.Open(b.Context(),
					project.Config{Path: projectFile(b), Data: path, Recipe: r})
				if err != nil {
					b.Fatal(err)
				}
				if turn(b, d, "").Question == nil {
					b.Fatal("there is no question")
				}
				reportHeld(b, d)
			}
		})
	}
}

// From an answer to the next question, on disk and with the state that the page shows.
func BenchmarkAnswer(b *testing.B) {
	for _, c := range []struct {
		name string
		n, d int
		set  []string
	}{
		{"cobra/100000x64", 100_000, 64, []string{"method", "cobra"}},
		{"cobra/1000000x16", 1_000_000, 16, []string{"method", "cobra"}},
		{"kevclus/100000x64", 100_000, 64, []string{"method", "kevclus", "clusters", "10"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			d := open(b, projectFile(b), file(b, c.n, c.d),
				append([]string{"label", "class"}, c.set...)...)
			var took []time.Duration
			for i := 0; b.Loop(); i++ {
				q := turn(b, d, "").Question
				if q == nil {
					b.StopTimer()
					for range 10 {
						if _, err := d.Undo(context.Background(), "", ""); err != nil {
							b.Fatal(err)
						}
					}
					b.StartTimer()
					continue
				}
				start := time.Now()
				if _, err := d.Answer(context.Background(), "",
					project.Step{A: q.A.Row, B: q.B.Row, Answer: truth(d, q.A.Row, q.B.Row),
						Question: q.Number}); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(start))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1e3, "ms-median")
			b.ReportMetric(float64(took[len(took)-1].Microseconds())/1e3, "ms-longest")
		})
	}
}

// Opening a project that has answers, up to the next question.
func BenchmarkReopen(b *testing.B) {
	for _, c := range []struct {
		method  string
		answers int
	}{{"kin", 1_000}, {"kin", 25_000}, {"kin", 100_000}, {"cobras", 5_000}} {
		b.Run(fmt.Sprintf("%s/%d", c.method, c.answers), func(b *testing.B) {
			path, data := projectFile(b), file(b, 20_000, 16)
			d := open(b, path, data, "label", "class", "method", c.method)
			answers(b, d, path, c.answers)
			b.ResetTimer()
			for b.Loop() {
				d := open(b, path, data)
				if turn(b, d, "").Question == nil {
					b.Fatal("there is no question")
				}
				reportHeld(b, d)
			}
		})
	}
}

// answers closes a project and adds right answers about random pairs of rows to it.
func answers(b *testing.B, d *project.Project, path string, n int) {
	b.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	var events []store.Event
	for range n {
		a, c := rng.IntN(20_000), rng.IntN(20_000-1)
		if c >= a {
			c++
		}
		events = append(events, store.Event{Step: store.Step(truth(d, a, c)),
			A: d.Data().ID(a), B: d.Data().ID(c)})
	}
	d.Close()
	f, err := store.Open(b.Context(), path)
	if err != nil {
		b.Fatal(err)
	}
	for _, e := range events {
		if _, _, err := f.Submit(b.Context(), []store.Event{e}); err != nil {
			b.Fatal(err)
		}
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
}
