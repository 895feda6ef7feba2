package fold_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/shard"
)

// total adds up a column, and the state before: a sum of floats depends on its order.
type total struct{}

func init() {
	fold.Register("fold-test-total", func([]byte) (fold.Job, error) { return total{}, nil })
	fold.Register("fold-test-broken", func([]byte) (fold.Job, error) { return broken{}, nil })
}

func bytesOf(v float64) []byte { return binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)) }
func valueOf(b []byte) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(b)) }

func (total) Kernel([]byte, shard.Split) (fold.Kernel, error) { return new(totalKernel), nil }

func (total) Merge(_ []byte, key int64, parts []fold.Part) ([]byte, error) {
	sum := 0.0
	for _, p := range parts {
		sum += valueOf(p.Data)
	}
	return bytesOf(sum), nil
}

func (total) Next(state []byte, merged []fold.Merged) ([]byte, bool, error) {
	sum := valueOf(state)
	for _, m := range merged {
		sum += float64(m.Key+1) * valueOf(m.Data)
	}
	return bytesOf(sum), sum > 1e15, nil
}

type totalKernel struct{ sums [2]float64 }

func (k *totalKernel) Block(b *shard.Block) error {
	for i := range b.X.Rows {
		k.sums[i%2] += b.X.At(i, 0)
	}
	return nil
}

func (k *totalKernel) End(emit func(int64, []byte)) error {
	for key, v := range k.sums {
		emit(int64(key), bytesOf(v))
	}
	return nil
}

// broken has kernels that fail, and reports whether they were closed.
type broken struct{ total }

var errBroken, errClosed = errors.New("broken"), errors.New("closed")

func (broken) Kernel(_ []byte, s shard.Split) (fold.Kernel, error) {
	if s.Index == 0 {
		return nil, nil // not read
	}
	return &brokenKernel{}, nil
}

type brokenKernel struct{ totalKernel }

func (*brokenKernel) Block(*shard.Block) error { return errBroken }
func (*brokenKernel) Close() error             { return errClosed }

func table(t *testing.T) (shard.Source, []shard.Split) {
	t.Helper()
	var b strings.Builder
	b.WriteString("x\n")
	for i := range 2000 {
		fmt.Fprintf(&b, "%g\n", math.Exp(float64(i%40)-20)/3)
	}
	path := filepath.Join(t.TempDir(), "t.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	source, splits, err := shard.Plan(t.Context(),
		shard.Source{Paths: []string{path}, SplitRows: 100, BlockRows: 32})
	if err != nil {
		t.Fatal(err)
	}
	return source, splits
}

func TestSumsDoNotDependOnThreads(t *testing.T) {
	source, splits := table(t)
	var first []byte
	for _, threads := range []int{1, 2, 7} {
		out, err := fold.Local{Threads: threads}.Rounds(t.Context(),
			fold.Plan{Name: "total", Job: "fold-test-total", Source: source,
				Splits: splits, State: bytesOf(1), Rounds: 3})
		if err != nil {
			t.Fatal(err)
		}
		if out.Rounds != 3 || out.Tally.Rows != 2000 {
			t.Errorf("%d rounds over %d rows", out.Rounds, out.Tally.Rows)
		}
		if first == nil {
			first = out.State
		}
		if string(first) != string(out.State) {
			t.Errorf("with %d threads %v, with one %v", threads, valueOf(out.State), valueOf(first))
		}
	}
}

func TestRoundsEndWhenTheJobSaysSo(t *testing.T) {
	source, splits := table(t)
	out, err := fold.Local{}.Rounds(t.Context(),
		fold.Plan{Name: "total", Job: "fold-test-total", Source: source, Splits: splits,
			State: bytesOf(1e15), Rounds: 5})
	if err != nil || out.Rounds != 1 || !out.Done {
		t.Errorf("%d rounds, done %v, %v", out.Rounds, out.Done, err)
	}
}

func TestAKernelThatFailsIsClosedAndOneThatIsNilIsNotRead(t *testing.T) {
	source, splits := table(t)
	p := fold.Plan{Name: "broken", Job: "fold-test-broken", Source: source, Splits: splits,
		State: bytesOf(1)}
	if _, err := (fold.Local{}).Rounds(t.Context(), p); !errors.Is(err, errBroken) ||
		!errors.Is(err, errClosed) {
		t.Errorf("got %v", err)
	}
	p.Splits = splits[:1]
	out, err := fold.Local{}.Rounds(t.Context(), p)
	if err != nil || out.Tally.Rows != 0 {
		t.Errorf("%d rows were read, %v", out.Tally.Rows, err)
	}
}

func TestPlansThatCannotBeRunAreRefused(t *testing.T) {
	source, splits := table(t)
	for _, c := range []struct {
		p    fold.Plan
		want string
	}{
		{fold.Plan{Name: "total", Job: "fold-test-total", Source: source}, "no splits"},
		{fold.Plan{Name: "total", Job: "fold-test-total", Source: source, Splits: splits[1:]},
			"has the index"},
		{fold.Plan{Name: "total", Job: "nobody's", Source: source, Splits: splits},
			"the same program"},
	} {
		if _, err := (fold.Local{}).Rounds(context.Background(), c.p); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q", err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	p := fold.Plan{Name: "total", Job: "fold-test-total", Source: source, Splits: splits,
		State: bytesOf(1)}
	if _, err := (fold.Local{}).Rounds(ctx, p); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestAKeyHasOnePartASplit(t *testing.T) {
	twice := []fold.Part{{Split: 2, Data: bytesOf(1)}, {Split: 2, Data: bytesOf(1)}}
	if _, err := fold.Merge(total{}, nil, 0, twice); err == nil {
		t.Error("two parts of one split were merged")
	}
}
