package sentence

import (
	"context"
	"math"
	"strings"
	"sync"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/memory"
	"github.com/kindred-go/kindred/internal/parallel"
)

// Report describes how texts were used.
type Report struct {
	Texts int // number of texts
	Empty int // texts without any piece: of a table their vectors are 0
	Cut   int // texts of which the end was left out
	Most  int // pieces of a text that are read at most; 0: all
}

const (
	// wave is the number of texts that are taken apart at a time.
	wave = 8192
	// batch is the number of pieces from which on texts are a batch.
	batch = 128
)

// Encode returns the vectors of texts, a row each, on so many threads (≤ 0: one per processor). The
// matrix is float32, and does not depend on the number of threads. Progress, if not nil, is called
// by one goroutine at a time with what is being done and the share of it that is done. If ctx is
// cancelled, its error is returned.
func (e *Encoder) Encode(ctx context.Context, texts []string, threads int,
	progress func(what string, share float64)) (dataset.Matrix, Report, error) {
	report := Report{Texts: len(texts), Most: e.by.most()}
	different, of := distinct(texts)
	if err := memory.Check(4*float64(len(texts)+len(different))*float64(e.dims),
		"the vectors of the texts", "take fewer texts"); err != nil {
		return dataset.Matrix{}, report, err
	}
	found := make([]float32, len(different)*e.dims)
	counts := make([]int, len(different))
	for lo := 0; lo < len(different); lo += wave {
		hi := min(len(different), lo+wave)
		tell := func(share float64) {
			if progress != nil {
				progress("encoding texts", (float64(lo)+share*float64(hi-lo))/
					float64(len(different)))
			}
		}
		if err := e.wave(ctx, found[lo*e.dims:hi*e.dims], counts[lo:hi], different[lo:hi], threads,
			tell); err != nil {
			return dataset.Matrix{}, report, err
		}
	}
	for i := range found {
		if v := found[i]; v-v != 0 {
			return dataset.Matrix{}, report, (&fault.Input{
				Problem: "a vector has values that are not finite",
				Fix:     "copy the folder of the encoder again, or use another"}).In(e.folder)
		}
	}
	out := make([]float32, len(texts)*e.dims)
	for i, at := range of {
		copy(out[i*e.dims:(i+1)*e.dims], found[at*e.dims:])
		switch n := counts[at]; {
		case n == 0:
			report.Empty++
		case report.Most > 0 && n > report.Most:
			report.Cut++
		}
	}
	return dataset.Matrix{Rows: len(texts), Cols: e.dims, F32: out}, report, nil
}

// distinct returns the different texts in the order of their first places, and of each text the
// place among them.
func distinct(texts []string) (different []string, of []int) {
	at := make(map[string]int, len(texts))
	of = make([]int, len(texts))
	for i, text := range texts {
		place, ok := at[text]
		if !ok {
			place = len(different)
			at[text] = place
			different = append(different, text)
		}
		of[i] = place
	}
	return different, of
}

// wave sets the vectors of texts, and their counts of pieces.
func (e *Encoder) wave(ctx context.Context, dst []float32, counts []int, texts []string,
	threads int, tell func(share float64)) error {
	pieces := make([][]int32, len(texts))
	err := parallel.Blocks(ctx, len(texts), 64, threads, func(_, lo, hi int) {
		for i := lo; i < hi; i++ {
			text := e.prompt + texts[i]
			if e.lower {
				text = strings.ToLower(text)
			}
			pieces[i] = e.pieces.Encode(nil, text)
			counts[i] = len(pieces[i])
			if most := e.by.most(); most > 0 && len(pieces[i]) > most {
				pieces[i] = append([]int32(nil), pieces[i][:most]...)
			}
		}
	})
	if err != nil {
		return err
	}
	// Texts lie one after the other without padding, so that their lengths do not matter.
	var ends []int
	size := 0
	for i, text := range pieces {
		if size += len(text) + 2; size >= batch || i == len(pieces)-1 {
			ends = append(ends, i+1)
			size = 0
		}
	}
	var lock sync.Mutex
	var free []func(context.Context, []float32, [][]int32) error
	done := 0
	return parallel.Try(ctx, len(ends), 1, threads, func(b, _, _ int) error {
		lo, hi := 0, ends[b]
		if b > 0 {
			lo = ends[b-1]
		}
		lock.Lock()
		var run func(context.Context, []float32, [][]int32) error
		if n := len(free); n > 0 {
			run, free = free[n-1], free[:n-1]
		} else {
			run = e.by.start()
		}
		lock.Unlock()
		rows := dst[lo*e.dims : hi*e.dims]
		if err := run(ctx, rows, pieces[lo:hi]); err != nil {
			return err
		}
		if e.unit {
			for at := 0; at < len(rows); at += e.dims {
				unit(rows[at : at+e.dims])
			}
		}
		lock.Lock()
		defer lock.Unlock()
		free = append(free, run)
		done += hi - lo
		tell(float64(done) / float64(len(texts)))
		return nil
	})
}

// unit brings a vector to length 1, unless it is 0.
func unit(x []float32) {
	squares := 0.0
	for _, v := range x {
		squares += float64(float64(v) * float64(v))
	}
	if squares > 0 {
		by := 1 / math.Sqrt(squares)
		for j, v := range x {
			x[j] = float32(float64(v) * by)
		}
	}
}
