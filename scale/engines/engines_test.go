package engines

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kindred-go/kindred/method/all"
	"github.com/kindred-go/kindred/scale/engine"
	"github.com/kindred-go/kindred/scale/evclus"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/kmeans"
	"github.com/kindred-go/kindred/scale/shard"
	"github.com/kindred-go/kindred/scale/survey"
)

// table writes 48 000 rows in five overlapping clouds to four files, and looks at them in this
// process.
func table(t *testing.T) (shard.Source, *survey.Survey) {
	t.Helper()
	const files, rows, columns = 4, 12_000, 6
	dir := t.TempDir()
	for f := range files {
		rng := rand.New(rand.NewPCG(7, uint64(f)))
		var b strings.Builder
		b.WriteString("id,a,b,c,d,e,f\n")
		for i := range rows {
			fmt.Fprintf(&b, "r%d-%d", f, i)
			cloud := rng.IntN(5)
			for j := range columns {
				fmt.Fprintf(&b, ",%.6f", rng.NormFloat64()+1.5*float64((cloud*(j+2))%5))
			}
			b.WriteByte('\n')
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("t%d.csv", f)), []byte(b.String()),
			0o644); err != nil {
			t.Fatal(err)
		}
	}
	source, splits, err := shard.Plan(t.Context(),
		shard.Source{Paths: []string{dir}, ID: "id", SplitRows: 4000})
	if err != nil {
		t.Fatal(err)
	}
	if len(splits) < 8 {
		t.Fatalf("only %d splits", len(splits))
	}
	sv, err := survey.Run(t.Context(), fold.Local{}, source, splits)
	if err != nil {
		t.Fatal(err)
	}
	return source, sv
}

// work is a computation that writes part files to a folder.
type work struct {
	name   string
	parts  string // pattern of files that tell that it is under way
	source shard.Source
	survey *survey.Survey
	do     func(t *testing.T, r fold.Runner, out string) any
}

// works are k-means, whose many rounds leave states, and placing rows by landmarks, one long round.
func works(t *testing.T) []work {
	t.Helper()
	source, sv := table(t)
	fit := func(t *testing.T, r fold.Runner, out string) any {
		t.Helper()
		res, err := kmeans.Fit(t.Context(), r, source, sv,
			kmeans.Config{Clusters: 12, MaxIterations: 5, Tolerance: -1, Seed: 3, Out: out})
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	m, err := all.Find("kevclus")
	if err != nil {
		t.Fatal(err)
	}
	how, err := m.With(map[string]string{"clusters": "5", "seed": "2", "landmarks": "300"})
	if err != nil {
		t.Fatal(err)
	}
	fitted, err := evclus.Fit(t.Context(), fold.Local{}, source, sv, evclus.Config{
		Method: how})
	if err != nil {
		t.Fatal(err)
	}
	place := func(t *testing.T, r fold.Runner, out string) any {
		t.Helper()
		sum, err := evclus.Place(t.Context(), r, source, sv, fitted.Model,
			evclus.Output{Path: out, Format: "csv"})
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	return []work{{"k-means", "work/*/*02.state", source, sv, fit},
		{"placing", "out/part-*.csv", source, sv, place}}
}

// outcome is what a computation came to, with every file that it wrote.
type outcome struct {
	Result any
	Files  map[string]string
}

func (w work) on(t *testing.T, r fold.Runner, dir string) outcome {
	t.Helper()
	out := filepath.Join(dir, "out")
	o := outcome{Result: w.do(t, r, out), Files: map[string]string{}}
	entries, err := os.ReadDir(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") { // a try that was lost may still be writing
			continue
		}
		data, err := os.ReadFile(filepath.Join(out, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		o.Files[e.Name()] = string(data)
	}
	if len(o.Files) < len(w.survey.Splits) {
		t.Fatalf("%d files of %d splits", len(o.Files), len(w.survey.Splits))
	}
	return o
}

// same reports whether two outcomes are the same to the last bit.
func same(t *testing.T, got, want outcome) {
	t.Helper()
	if d := cmp.Diff(want.Result, got.Result); d != "" {
		t.Errorf("another result:\n%s", d)
	}
	if len(got.Files) != len(want.Files) {
		t.Errorf("%d files, want %d", len(got.Files), len(want.Files))
	}
	for name, data := range want.Files {
		if got.Files[name] != data {
			t.Errorf("%s is another", name)
		}
	}
}

// runner returns one of an engine whose workers are started in a way.
func runner(t *testing.T, name string, jobs int, environment, dir string) *engine.Runner {
	t.Helper()
	r, err := engine.New(engine.Options{Runner: name, Endpoint: fmt.Sprintf("localhost:%d", jobs),
		EnvironmentType: environment,
		Work:            filepath.Join(dir, "work"), Parallelism: 2, RoundsPerJob: 4})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestFlinkGivesTheBytesOfThisProcess: k-means and the placing of rows come to the same in this
// process, in Prism, and on Flink with workers in this process and in others; and so they do when a
// task manager or workers are killed in their midst.
func TestFlinkGivesTheBytesOfThisProcess(t *testing.T) {
	c := started(t)
	for _, w := range works(t) {
		want := w.on(t, fold.Local{}, t.TempDir())
		t.Run(w.name+" on Prism", func(t *testing.T) {
			r, err := engine.New(engine.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			same(t, w.on(t, r, t.TempDir()), want)
		})
		for _, environment := range []string{"LOOPBACK", "PROCESS"} {
			t.Run(w.name+" by "+environment, func(t *testing.T) {
				c.whole(t)
				before, err := c.failures()
				if err != nil {
					t.Fatal(err)
				}
				dir := folder(t)
				same(t, w.on(t, runner(t, "flink", c.jobs, environment, dir), dir), want)
				if after, err := c.failures(); err != nil || after != before {
					t.Errorf("%d failures where nothing was killed: %v", after-before, err)
				}
			})
			t.Run(w.name+" by "+environment+", a task manager killed", func(t *testing.T) {
				c.disturb(t, w, environment, want, func() { c.kill(t, 2) })
			})
		}
		t.Run(w.name+" by PROCESS, workers killed", func(t *testing.T) {
			c.disturb(t, w, "PROCESS", want, func() {
				// some are about to end anyway, so those that follow are killed too
				for _, pid := range workers() {
					syscall.Kill(pid, syscall.SIGKILL)
				}
			})
		})
	}
	if t.Failed() {
		c.complain(t)
	}
	c.stop()
	flink = nil
	eventually(t, 2*time.Minute, "no worker outlives its task manager",
		func() bool { return len(workers()) == 0 })
}

// TestSparkGivesTheBytesOfThisProcess: the same, behind Spark's job server.
func TestSparkGivesTheBytesOfThisProcess(t *testing.T) {
	jobs := spark(t)
	for _, w := range works(t) {
		t.Run(w.name, func(t *testing.T) {
			dir := t.TempDir()
			same(t, w.on(t, runner(t, "spark", jobs, "LOOPBACK", dir), dir),
				w.on(t, fold.Local{}, t.TempDir()))
		})
	}
}

// disturb does a work, and kills something once it is under way until Flink notices. The outcome
// must be the same. A work that was done before that is done again.
func (c *cluster) disturb(t *testing.T, w work, environment string, want outcome, kill func()) {
	t.Helper()
	for range 5 {
		if c.disturbed(t, w, environment, want, kill) || t.Failed() {
			return
		}
		t.Log("the work was done before Flink noticed that anything was killed: once more")
	}
	t.Error("Flink never noticed that anything was killed")
}

func (c *cluster) disturbed(t *testing.T, w work, environment string, want outcome,
	kill func()) (noticed bool) {
	t.Helper()
	c.whole(t)
	before, err := c.failures()
	if err != nil {
		t.Fatal(err)
	}
	dir := folder(t)
	stop := make(chan struct{})
	var killer sync.WaitGroup
	killer.Go(func() {
		for underWay := false; !noticed; {
			select {
			case <-stop:
				return
			case <-time.After(10 * time.Millisecond):
			}
			if !underWay {
				seen, _ := filepath.Glob(filepath.Join(dir, w.parts))
				underWay = len(seen) > 0
			}
			if underWay {
				kill()
				after, err := c.failures()
				noticed = err == nil && after > before
			}
		}
	})
	end := sync.OnceFunc(func() { close(stop); killer.Wait() })
	defer end() // where the work fails
	begun := time.Now()
	got := w.on(t, runner(t, "flink", c.jobs, environment, dir), dir)
	end()
	t.Logf("done in %.1f s", time.Since(begun).Seconds())
	same(t, got, want)
	return noticed
}

// folder is a temporary one, in which tries that were lost may still be writing when it is removed.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "kindred-engines-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for range 100 {
			if os.RemoveAll(dir) == nil {
				return
			}
			time.Sleep(100 * time.Millisecond)
		}
	})
	return dir
}
