package stream

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/data/dataset"
)

// fakeSource returns blocks that a test made.
type fakeSource struct {
	blocks  []*Block
	given   int
	mu      sync.Mutex
	stopped bool
	fails   error         // after the last block, instead of io.EOF
	wait    chan struct{} // before each block, where set
}

func (s *fakeSource) Fill(ctx context.Context, b *Block) error {
	if s.wait != nil {
		select {
		case <-s.wait:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped || s.given == len(s.blocks) {
		if s.given > 0 {
			b.After = s.blocks[s.given-1].After
		}
		if s.fails != nil {
			return s.fails
		}
		return io.EOF
	}
	from := s.blocks[s.given]
	s.given++
	b.Cols = from.Cols
	b.Rows = append(b.Rows, from.Rows...)
	b.Numbers = append(b.Numbers, from.Numbers...)
	b.IDText = append(b.IDText, from.IDText...)
	b.IDEnd = append(b.IDEnd, from.IDEnd...)
	b.Notes = append(b.Notes, from.Notes...)
	b.After = from.After
	return nil
}

func (s *fakeSource) Stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopped = true
}

func (s *fakeSource) Close() error { return nil }

// fakeSink keeps what it is given, as lines.
type fakeSink struct {
	lines []string
	puts  int
	fails error
	after func(puts int)
}

func (s *fakeSink) Put(_ context.Context, b *Block, labels []competitive.Label) error {
	if len(labels) != b.Len() {
		return fmt.Errorf("%d labels of %d rows", len(labels), b.Len())
	}
	for i, l := range labels {
		s.lines = append(s.lines,
			fmt.Sprintf("%s %d %d %x %x", b.AppendID(nil, i), l.Cluster, l.RunnerUp, l.Distance,
				l.Margin))
	}
	if s.puts++; s.after != nil {
		s.after(s.puts)
	}
	return s.fails
}

func (s *fakeSink) Flush(context.Context) error { return s.fails }
func (s *fakeSink) Settle(context.Context) (Position, error) {
	return Position{Rows: int64(len(s.lines))}, s.fails
}
func (s *fakeSink) Close() error { return nil }

// layout is that of rows of two numbers, x and y.
func layout(id string) Layout {
	column := func(name string) dataset.EncodedColumn {
		return dataset.EncodedColumn{Source: name, Type: dataset.Number}
	}
	return Layout{Format: dataset.FormatCSV, Columns: []string{"x", "y"}, ID: id,
		Encoding: dataset.Encoding{Columns: []dataset.EncodedColumn{column("x"), column("y")},
			Scale: dataset.ScaleNone}}
}

// groups makes n rows around (0,0), (10,0), (0,10) in turn.
func groups(n int, seed uint64) []float64 {
	rng := rand.New(rand.NewPCG(seed, 1))
	rows := make([]float64, 0, 2*n)
	for i := range n {
		middle := [][2]float64{{0, 0}, {10, 0}, {0, 10}}[i%3]
		rows = append(rows, middle[0]+rng.Float64(), middle[1]+rng.Float64())
	}
	return rows
}

// blocks cuts rows of two values into blocks of a size. Rows have the ids "a1", "a2" … where named.
func blocks(rows []float64, size int, named bool) []*Block {
	var out []*Block
	n := len(rows) / 2
	for lo := 0; lo < n; lo += size {
		hi := min(n, lo+size)
		b := &Block{Cols: 2, Rows: rows[2*lo : 2*hi],
			After: Position{Rows: int64(hi), Offset: int64(10 * hi)}}
		for i := lo; i < hi; i++ {
			b.Numbers = append(b.Numbers, int64(i+1))
			if named {
				b.IDText = fmt.Appendf(b.IDText, "a%d", i+1)
				b.IDEnd = append(b.IDEnd, int32(len(b.IDText)))
			}
		}
		out = append(out, b)
	}
	return out
}

// learner starts on the first rows.
func learner(t *testing.T, cfg competitive.Config, rows []float64) *competitive.Learner {
	t.Helper()
	if cfg.Clusters == 0 {
		cfg.Clusters = 3
	}
	l, err := competitive.New(cfg, dataset.Matrix{Rows: len(rows) / 2, Cols: 2, F64: rows})
	if err != nil {
		t.Fatal(err)
	}
	return l
}
