package dissim

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
)

func normals(n, d int) dataset.Matrix {
	r := rand.New(rand.NewPCG(1, 2))
	x := dataset.Matrix{Rows: n, Cols: d, F64: make([]float64, n*d)}
	for i := range x.F64 {
		x.F64[i] = r.NormFloat64()
	}
	return x
}

// TestDenseHoldsWhatItsSourceReturns, each pair asked for once, whatever the number of threads.
func TestDenseHoldsWhatItsSourceReturns(t *testing.T) {
	for _, n := range []int{1, 2, 63, 64, 65, 200} {
		for _, d := range []int{2, 3, 16} {
			src, err := Vectors(normals(n, d), Euclidean)
			if err != nil {
				t.Fatal(err)
			}
			want := full(src)
			for _, threads := range []int{1, 3} {
				last := int64(0)
				m, err := NewDense(t.Context(), src, threads, func(done, total int64) {
					if total != int64(n*(n-1)/2) || done <= last {
						t.Errorf("%d of %d done after %d", done, total, last)
					}
					last = done
				})
				if err != nil || !slices.Equal(m.D, want) || last != int64(n*(n-1)/2) {
					t.Fatalf("n = %d, %d threads: another matrix, or %d pairs done (%v)", n,
						threads, last, err)
				}
				rows := []int32{int32(n - 1), 0}
				sub := m.Subset(rows)
				if sub.D[1] != want[(n-1)*n] || sub.D[0] != 0 || sub.Len() != 2 {
					t.Fatalf("n = %d: subset %v", n, sub.D)
				}
			}
		}
	}
}

// slow is a source whose pairs take a millisecond, and which is given up soon.
type slow struct {
	asked  atomic.Int64
	cancel context.CancelFunc
}

func (s *slow) Len() int { return 3000 }

func (s *slow) Row(dst []float32, _ int, _ []int32) {
	if s.asked.Add(int64(len(dst))) >= 50 {
		s.cancel()
	}
	time.Sleep(time.Duration(len(dst)) * time.Millisecond)
}

func TestDenseStopsInTime(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	src := &slow{cancel: cancel}
	if _, err := NewDense(ctx, src, 2, nil); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if n := src.asked.Load(); n > 60 { // a pair that takes a millisecond is asked for by itself
		t.Errorf("%d pairs of a millisecond were asked for, and 50 before the end", n)
	}
}

// last is a source that is given up when it is first asked.
type last struct {
	cancel context.CancelFunc
	asked  int
}

func (l *last) Len() int { return 200 }

func (l *last) Row(dst []float32, _ int, _ []int32) {
	l.asked += len(dst)
	l.cancel()
}

// TestOnePairIsAskedForFirst, as it may take seconds.
func TestOnePairIsAskedForFirst(t *testing.T) {
	for name, from := range map[string]func(context.Context, Source) error{
		"dense": func(ctx context.Context,
			src Source) error {
			_, err := NewDense(ctx, src, 1, nil)
			return err
		},
		"sampled": func(ctx context.Context,
			src Source) error {
			_, err := Sample(ctx, src, 50, 1, 1, nil)
			return err
		},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		src := &last{cancel: cancel}
		if err := from(ctx, src); !errors.Is(err, context.Canceled) || src.asked != 1 {
			t.Errorf("%s: %d pairs, %v", name, src.asked, err)
		}
	}
}

type huge struct{ Rows }

func (huge) Len() int { return 1 << 28 }

func TestDenseRefusesWhatMemoryCannotHold(t *testing.T) {
	_, err := NewDense(t.Context(), huge{}, 1, nil)
	if !fault.IsInput(err) {
		t.Fatal(err)
	}
	want := "all dissimilarities of 268435456 objects take 4·268435456² bytes, 288230.4 TB"
	if got := err.Error(); len(got) < len(want) || got[:len(want)] != want {
		t.Error(got)
	}
}

func TestMemoryThatIsNotKnownHasABound(t *testing.T) {
	if fits(1<<29, 0) || fits(1<<20, 0) || !fits(100_000, 0) || fits(100_000, 1<<30) {
		t.Error("the bound is not kept")
	}
}
