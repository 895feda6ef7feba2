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
	data := file(b, 20_000, 16)
	for _, c := range []struct {
		name    string
		answers []int
		set     []string
	}{
		{"kin", []int{1_000, 25_000, 100_000}, []string{"method", "kin"}},
		{"cobra", []int{5_000, 25_000, 100_000}, []string{"method", "cobra"}},
		{"cobras", []int{5_000, 25_000, 100_000}, []string{"method", "cobras"}},
		{"ncobras", []int{5_000}, []string{"method", "ncobras"}},
		{"constrained-kmeans", []int{5_000, 25_000},
			[]string{"method", "constrained-kmeans", "clusters", "10"}},
		{"copkmeans", []int{5_000, 25_000}, []string{"method", "copkmeans", "clusters", "10"}},
		{"cvqe", []int{5_000, 25_000}, []string{"method", "cvqe", "clusters", "10"}},
		{"kevclus", []int{5_000, 25_000}, []string{"method", "kevclus", "clusters", "10"}},
		{"lcvqe", []int{5_000, 25_000}, []string{"method", "lcvqe", "clusters", "10"}},
		{"mpckmeans", []int{5_000, 25_000}, []string{"method", "mpckmeans", "clusters", "10"}},
		{"pckmeans", []int{5_000, 25_000, 100_000},
			[]string{"method", "pckmeans", "clusters", "10"}},
		{"random", []int{5_000, 25_000}, []string{"method", "pckmeans", "clusters", "10",
			"strategy", "random"}},
		{"random-order", []int{5_000, 25_000}, []string{"method", "pckmeans", "clusters", "10",
			"strategy", "random-order"}},
		{"farthest-first", []int{5_000, 25_000}, []string{"method", "pckmeans", "clusters", "10",
			"strategy", "farthest-first"}},
		{"explore-consolidate", []int{5_000, 25_000}, []string{"method", "pckmeans", "clusters",
			"10", "strategy", "explore-consolidate"}},
		{"density", []int{5_000, 25_000}, []string{"method", "pckmeans", "clusters", "10",
			"strategy", "density"}},
		{"npu", []int{5_000, 25_000}, []string{"method", "pckmeans", "clusters", "10",
			"strategy", "npu"}},
	} {
		for _, n := range c.answers {
			b.Run(fmt.Sprintf("%s/%d", c.name, n), func(b *testing.B) {
				path := projectFile(b)
				answers(b, open(b, path, data, append([]string{"label", "class"}, c.set...)...),
					path, n)
				b.ResetTimer()
				for b.Loop() {
					d := open(b, path, data)
					turn(b, d, "")
					reportHeld(b, d)
				}
			})
		}
	}
}

// Answers, undo and redo of a project that has many answers: how long a page waits for the reply
// while it shows the next question, and until the questions and groups that follow are there.
func BenchmarkSteps(b *testing.B) {
	data := file(b, 20_000, 16)
	for _, set := range [][]string{{"method", "kin"}, {"method", "cobras"},
		{"method", "pckmeans", "clusters", "10"}} {
		for _, n := range []int{1_000, 25_000, 100_000} {
			b.Run(fmt.Sprintf("%s/%d", set[1], n), func(b *testing.B) {
				path := projectFile(b)
				answers(b, open(b, path, data, append([]string{"label", "class"}, set...)...),
					path, n)
				d := open(b, path, data)
				took := make(map[string][]time.Duration)
				step := func(name string, do func() (project.Reply, error)) {
					start := time.Now()
					if _, err := do(); err != nil {
						b.Fatal(err)
					}
					took[name] = append(took[name], time.Since(start))
					if _, _, err := d.Outcome(b.Context()); err != nil {
						b.Fatal(err)
					}
					took["groups"] = append(took["groups"], time.Since(start))
				}
				for b.Loop() {
					now := turn(b, d, "")
					q, next := now.Question, now.Ahead[0]
					d.Show("", &[2]int{next.A.Row, next.B.Row})
					step("answer", func() (project.Reply, error) {
						return d.Answer(b.Context(), "", project.Step{A: q.A.Row, B: q.B.Row,
							Answer: truth(d, q.A.Row, q.B.Row), Question: q.Number})
					})
					step("undo", func() (project.Reply, error) { return d.Undo(b.Context(), "", "") })
					step("redo", func() (project.Reply, error) { return d.Redo(b.Context(), "", "") })
					d.Show("", nil)
				}
				for name, all := range took {
					slices.Sort(all)
					b.ReportMetric(float64(all[len(all)/2].Microseconds())/1e3, "ms-"+name)
				}
			})
		}
	}
}

// answers closes a project and adds right answers about random pairs of rows to it, each pair once.
func answers(b *testing.B, d *project.Project, path string, n int) {
	b.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	var events []store.Event
	seen := make(map[[2]int]bool)
	for len(events) < n {
		a, c := rng.IntN(20_000), rng.IntN(20_000-1)
		if c >= a {
			c++
		}
		pair := [2]int{min(a, c), max(a, c)}
		if seen[pair] {
			continue
		}
		seen[pair] = true
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
