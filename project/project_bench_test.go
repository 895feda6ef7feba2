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

	"github.com/kindred-go/kindred/ask/strategy"
	"github.com/kindred-go/kindred/data/generate"
	"github.com/kindred-go/kindred/method/all"
	"github.com/kindred-go/kindred/project"
	"github.com/kindred-go/kindred/project/input"
	"github.com/kindred-go/kindred/project/store"
)

// file writes n×d made-up rows of ten groups as CSV.
func file(b testing.TB, n, d int) string {
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

// way is how a project asks.
type way struct {
	name string
	rows int      // of the data
	set  []string // settings
}

// Rows of the data of ways, fewRows where their time or memory grows with the square of them.
const manyRows, fewRows = 20_000, 2_000

// ways lists how projects ask: every method that does, by questions of its own or by the strategy
// of default, and every strategy, for a method that fits in little time.
func ways() (list []way) {
	// their time or memory grows with the square of rows, or more
	slow := []string{"ccl", "ccsr", "cevclus", "cosc", "evclus", "sscard", strategy.ClosestPairs}
	add := func(name string, settings ...string) {
		rows := manyRows
		if slices.Contains(slow, name) {
			rows = fewRows
		}
		list = append(list, way{name, rows, append(settings, "label", "class")})
	}
	for _, m := range all.List() {
		if !m.Asks() {
			continue
		}
		settings := []string{"method", m.Name}
		if m.Takes("clusters") || m.Strategic() {
			settings = append(settings, "clusters", "10")
		}
		if m.Takes("focal") {
			settings = append(settings, "focal", "simple") // not all sets of ten clusters
		}
		add(m.Name, settings...)
	}
	for _, s := range strategy.List() {
		fits := "pckmeans"
		if s.NeedsMasses {
			fits = "cecm"
		}
		add(s.Name, "method", fits, "clusters", "10", "strategy", s.Name)
	}
	return list
}

// copied copies a project file.
func copied(t testing.TB, from string) (path string) {
	t.Helper()
	path = projectFile(t)
	content, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(path, content, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// eachWay runs a benchmark for every way to ask and number of answers. open opens a project of its
// own with so many answers.
func eachWay(b *testing.B, run func(b *testing.B, open func() *project.Project)) {
	type size struct{ rows, answers int }
	files := make(map[size][2]string) // of a project and its data
	for _, w := range ways() {
		for _, n := range []int{5_000, 25_000, 100_000} {
			b.Run(fmt.Sprintf("%s/%d", w.name, n), func(sub *testing.B) {
				at := size{w.rows, n}
				if files[at][0] == "" {
					path, data := projectFile(b), file(b, w.rows, 16)
					answers(b, open(b, path, data, "label", "class", "method", "cobra"), path, n)
					files[at] = [2]string{path, data}
				}
				path := copied(sub, files[at][0])
				run(sub, func() *project.Project { return open(sub, path, files[at][1], w.set...) })
			})
		}
	}
}

// Opening a project that has answers, up to the next question.
func BenchmarkReopen(b *testing.B) {
	eachWay(b, func(b *testing.B, open func() *project.Project) {
		for b.Loop() {
			d := open()
			turn(b, d, "")
			reportHeld(b, d)
		}
	})
}

// Answers, undo and redo of a project that has many answers: how long a page waits for the reply
// while it shows the next question, and until the questions and groups that follow are there.
func BenchmarkSteps(b *testing.B) {
	eachWay(b, func(b *testing.B, open func() *project.Project) {
		d := open()
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
		rng := rand.New(rand.NewPCG(3, 4))
		for b.Loop() {
			s := project.Step{A: rng.IntN(d.Data().N() - 1), B: d.Data().N() - 1}
			if now := turn(b, d, ""); now.Question != nil { // else nothing is left to ask
				s.A, s.B, s.Question = now.Question.A.Row, now.Question.B.Row, now.Question.Number
				if len(now.Ahead) > 0 {
					d.Show("", &[2]int{now.Ahead[0].A.Row, now.Ahead[0].B.Row})
				}
			}
			s.Answer = truth(d, s.A, s.B)
			step("answer", func() (project.Reply, error) { return d.Answer(b.Context(), "", s) })
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

// answers closes a project and adds right answers about random pairs of rows to it, each pair once.
func answers(b testing.TB, d *project.Project, path string, n int) {
	b.Helper()
	rng, rows := rand.New(rand.NewPCG(1, 2)), d.Data().N()
	var events []store.Event
	seen := make(map[[2]int]bool)
	for len(events) < n {
		a, c := rng.IntN(rows), rng.IntN(rows-1)
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
