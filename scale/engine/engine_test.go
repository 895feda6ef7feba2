package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/shard"
)

func TestMain(m *testing.M) {
	Init()
	os.Exit(m.Run())
}

// halve is a job that is easy to follow: the state is a number, and each round adds the sum of all
// rows divided by the state.
type halve struct {
	Stop, Fail int
	Wait       bool // for ever
}

type number struct {
	Value float64
	Round int
}

func init() {
	fold.Register("engine-test-halve", func(config []byte) (fold.Job, error) {
		h := new(halve)
		return h, json.Unmarshal(config, h)
	})
}

func (h *halve) Kernel(state []byte, s shard.Split) (fold.Kernel, error) {
	var n number
	if err := json.Unmarshal(state, &n); err != nil {
		return nil, err
	}
	return &halveKernel{by: n.Value, wait: h.Wait, fail: h.Fail > 0 && s.Index >= h.Fail, split: s},
		nil
}

func (h *halve) Merge(state []byte, key int64, parts []fold.Part) ([]byte, error) {
	sum := 0.0
	for _, p := range parts {
		var v float64
		if err := json.Unmarshal(p.Data, &v); err != nil {
			return nil, err
		}
		sum += v
	}
	return json.Marshal(sum)
}

func (h *halve) Next(state []byte, merged []fold.Merged) ([]byte, bool, error) {
	var n number
	if err := json.Unmarshal(state, &n); err != nil {
		return nil, false, err
	}
	for _, m := range merged {
		var v float64
		if err := json.Unmarshal(m.Data, &v); err != nil {
			return nil, false, err
		}
		n.Value += v * float64(m.Key+1)
	}
	n.Round++
	next, err := json.Marshal(n)
	return next, n.Round == h.Stop, err
}

type halveKernel struct {
	by    float64
	sums  [3]float64
	fail  bool
	wait  bool
	split shard.Split
}

func (k *halveKernel) Block(b *shard.Block) error {
	if k.fail {
		return &fault.Input{File: k.split.File, Row: k.split.Index, Problem: "cannot be halved"}
	}
	for k.wait {
		time.Sleep(time.Second)
	}
	for i := range b.X.Rows {
		for j := range b.X.Cols {
			k.sums[i%3] += b.X.At(i, j) / k.by
		}
	}
	return nil
}

func (k *halveKernel) End(emit func(int64, []byte)) error {
	for i, v := range k.sums {
		data, err := json.Marshal(v)
		if err != nil {
			return err
		}
		emit(int64(i), data)
	}
	return nil
}

// table writes a table of many small splits.
func table(t *testing.T) (shard.Source, []shard.Split) {
	t.Helper()
	dir := t.TempDir()
	for f := range 3 {
		var b strings.Builder
		b.WriteString("x,y\n")
		for i := range 400 {
			fmt.Fprintf(&b, "%g,%g\n", float64(i*f%17)/7, float64(i%(5+f))/3)
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("t%d.csv", f)), []byte(b.String()),
			0o644); err != nil {
			t.Fatal(err)
		}
	}
	source, splits, err := shard.Plan(context.Background(),
		shard.Source{Paths: []string{dir}, SplitRows: 50, BlockRows: 16})
	if err != nil {
		t.Fatal(err)
	}
	if len(splits) < 6 {
		t.Fatalf("only %d splits", len(splits))
	}
	return source, splits
}

func plan(t *testing.T, h halve, rounds int) fold.Plan {
	t.Helper()
	source, splits := table(t)
	config, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	return fold.Plan{Name: "halve", Job: "engine-test-halve", Config: config, Source: source,
		Splits: splits,
		State:  []byte(`{"Value":2}`), Rounds: rounds}
}

func runner(t *testing.T, o Options) *Runner {
	t.Helper()
	r, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

func TestAnEngineGivesTheBytesOfThisProcess(t *testing.T) {
	p := plan(t, halve{Stop: 4}, 6)
	want, err := fold.Local{Threads: 1}.Rounds(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if want.Rounds != 4 || !want.Done {
		t.Fatalf("the twin ran %d rounds, done %v", want.Rounds, want.Done)
	}
	for _, o := range []Options{{}, {Threads: 1}, {Threads: 5, RoundsPerJob: 3},
		{RoundsPerJob: 6}} {
		got, err := runner(t, o).Rounds(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		if string(got.State) != string(want.State) || got.Rounds != 4 || !got.Done {
			t.Errorf("%+v: %d rounds to %s, want 4 to %s", o, got.Rounds, got.State, want.State)
		}
		if got.Tally.Rows != 1200 {
			t.Errorf("%+v: %d rows in all, want 1200", o, got.Tally.Rows)
		}
	}
}

func TestARunGoesOnFromTheLastRound(t *testing.T) {
	p := plan(t, halve{}, 2)
	work := t.TempDir()
	if _, err := runner(t, Options{Work: work}).Rounds(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	whole := p
	whole.Rounds = 5
	got, err := runner(t, Options{Work: work}).Rounds(t.Context(), whole)
	if err != nil {
		t.Fatal(err)
	}
	want, err := fold.Local{}.Rounds(t.Context(), whole)
	if err != nil {
		t.Fatal(err)
	}
	if got.Resumed != 2 || string(got.State) != string(want.State) {
		t.Errorf("went on from round %d to %s, want from 2 to %s", got.Resumed, got.State,
			want.State)
	}
	other := p
	other.State = []byte(`{"Value":3}`)
	_, err = runner(t, Options{Work: work}).Rounds(t.Context(), other)
	if !fault.IsInput(err) ||
		!strings.Contains(err.Error(), "other data or another configuration") {
		t.Errorf("another plan in the same folder: %v", err)
	}
}

func TestDataThatCannotBeUsedAreToldAsTheyAre(t *testing.T) {
	p := plan(t, halve{Fail: 3}, 1)
	_, err := runner(t, Options{}).Rounds(t.Context(), p)
	var in *fault.Input
	if !errors.As(err, &in) || in.Problem != "cannot be halved" || in.File != p.Splits[3].File ||
		in.Row != 3 {
		t.Errorf("got %v, want the fault of the first bad split", err)
	}
}

func TestDataThatWerePutRightAreReadAgain(t *testing.T) {
	work := t.TempDir()
	p := plan(t, halve{}, 2)
	file := p.Splits[0].File
	whole, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, bytes.Replace(whole, []byte("\n0,"), []byte("\n?,"), 1),
		0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := runner(t, Options{Work: work}).Rounds(t.Context(), p); !fault.IsInput(err) {
		t.Fatalf("a value that is no number: %v", err)
	}
	if err := os.WriteFile(file, whole, 0o644); err != nil {
		t.Fatal(err)
	}
	if got, err := runner(t, Options{Work: work}).Rounds(t.Context(), p); err != nil ||
		got.Rounds != 2 || got.Resumed != 0 {
		t.Errorf("%d rounds, %d of them taken over, %v", got.Rounds, got.Resumed, err)
	}
}

func TestARoundThatLeftItsStateIsNotReadAgain(t *testing.T) {
	p := plan(t, halve{Stop: 3}, 3)
	work := t.TempDir()
	o, err := Options{Work: work, RoundsPerJob: 3}.filled()
	if err != nil {
		t.Fatal(err)
	}
	want, err := runner(t, o).Rounds(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	// The same job once more, as an engine does that lost a worker, over files that are gone: only
	// the states can be read.
	for _, s := range p.Splits {
		os.Remove(s.File)
	}
	o.Runner = "universal" // groups look for states
	folder := shard.Join(work, p.Name)
	id, err := identity(p)
	if err != nil {
		t.Fatal(err)
	}
	pipe, err := pipeline(p, &envelope{Plan: id, Round: 1}, 2, folder, o)
	if err != nil {
		t.Fatal(err)
	}
	flags.pool.begin()
	defer flags.pool.rest()
	if err := run(t.Context(), Options{Runner: "prism"}, "again", pipe); err != nil {
		t.Fatal(err)
	}
	e, err := newest(t.Context(), folder, p, 1)
	if err != nil || string(e.State) != string(want.State) {
		t.Errorf("the states were changed: %v, %v", e, err)
	}
}

func TestACancelledRunEndsAtOnce(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := runner(t, Options{}).Rounds(ctx, plan(t, halve{}, 3)); !errors.Is(err,
		context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestARunIsCancelledInItsMidst(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	p := plan(t, halve{Wait: true}, 3)
	rowsSeen.Store(0)
	go func() {
		for rowsSeen.Load() == 0 {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	ended := make(chan error, 1)
	go func() {
		_, err := runner(t, Options{}).Rounds(ctx, p)
		ended <- err
	}()
	select {
	case err := <-ended:
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	case <-time.After(time.Minute):
		t.Fatal("it goes on")
	}
}

// Beam's options are flags of the process, which the job that is given up reads, and in which it
// puts where Prism listens.
func TestARunMayBeCancelledWhileItsJobIsSent(t *testing.T) {
	p := plan(t, halve{Wait: true}, 1)
	for _, after := range []time.Duration{0, time.Millisecond, 10 * time.Millisecond} {
		flags.Lock()
		flags.prism = "" // the first job of a process
		flags.Unlock()
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(after, cancel)
		if _, err := runner(t, Options{}).Rounds(ctx, p); !errors.Is(err, context.Canceled) {
			t.Errorf("after %v: %v", after, err)
		}
	}
}

func TestAnEndpointThatIsNoneOfBeamsIsSaidToBeSo(t *testing.T) {
	for _, c := range []struct{ endpoint, want string }{
		{"127.0.0.1:1", "does not answer"},
		{notBeam(t), "none of Beam's"},
	} {
		_, err := runner(t, Options{Runner: "flink", Endpoint: c.endpoint,
			Work: t.TempDir()}).Rounds(t.Context(), plan(t, halve{}, 1))
		var u *Unreachable
		if !errors.As(err, &u) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.endpoint, err)
		}
	}
}

func TestOptionsThatDoNotFitAreRefused(t *testing.T) {
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Runner: "hadoop"}, "no runner is named"},
		{Options{Runner: "flink", Work: "w"}, "--endpoint"},
		{Options{Runner: "flink", Endpoint: "h:1", EnvironmentType: "DOCKER"}, "--work"},
		{Options{Log: "loud"}, "level"},
		{Options{EnvironmentType: "VM"}, "no environment type"},
		{Options{Threads: -1}, "not negative"},
	} {
		if _, err := New(c.o); !fault.IsInput(err) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.o, err, c.want)
		}
	}
}
