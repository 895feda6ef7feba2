package main

import (
	"bufio"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/kindred-go/kindred/data/dataset"
)

// BenchmarkFirstQuestion is kindred ask on a .npy file of 100 000 vectors of 768 float32 in 50
// groups, from its start to the first question: the time, and that of the processors.
func BenchmarkFirstQuestion(b *testing.B) {
	path := vectorFile(b, 100_000, 768, 50)
	for _, name := range []string{"kin", "cobra"} {
		b.Run(name, func(b *testing.B) {
			var asked, processors time.Duration
			for b.Loop() {
				in := &leaver{began: time.Now(), busy: busy()}
				a := newApp(in, io.Discard, io.Discard, func(string) string { return "" })
				project := filepath.Join(b.TempDir(), "p.kindred")
				if code := run(b.Context(), a, []string{"ask", path, "--method", name, "--terminal",
					"--project", project}); code != 0 || in.after == 0 {
					b.Fatalf("exit code %d, first question after %v", code, in.after)
				}
				asked, processors = asked+in.after, processors+in.worked
			}
			b.ReportMetric(asked.Seconds()/float64(b.N), "s-asked")
			b.ReportMetric(processors.Seconds()/float64(b.N), "s-processors")
		})
	}
}

// leaver leaves at the first question, and keeps when it was.
type leaver struct {
	began               time.Time
	busy, after, worked time.Duration
}

func (a *leaver) Read(p []byte) (int, error) {
	if a.after == 0 {
		a.after, a.worked = time.Since(a.began), busy()-a.busy
	}
	return copy(p, "q\n"), nil
}

// busy returns how long the processors have worked for this process.
func busy() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// vectorFile writes n vectors of d float32 in k groups as .npy.
func vectorFile(b *testing.B, n, d, k int) string {
	b.Helper()
	rng := rand.New(rand.NewPCG(1, 1))
	centres := make([]float32, k*d)
	for i := range centres {
		centres[i] = 0.5 * float32(rng.NormFloat64())
	}
	x := dataset.Matrix{Rows: n, Cols: d, F32: make([]float32, 0, n*d)}
	for range n {
		at := rng.IntN(k) * d
		for _, c := range centres[at : at+d] {
			x.F32 = append(x.F32, c+float32(rng.NormFloat64()))
		}
	}
	path := filepath.Join(b.TempDir(), "x.npy")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	if err := x.WriteNPY(w, nil); err != nil {
		b.Fatal(err)
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
	return path
}
