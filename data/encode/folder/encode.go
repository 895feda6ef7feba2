package folder

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/encode"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/digest"
	"github.com/kindred-go/kindred/internal/kept"
	"github.com/kindred-go/kindred/internal/memory"
	"github.com/kindred-go/kindred/internal/parallel"
)

const (
	// wave is the number of texts that are taken apart at a time.
	wave = 8192
	// keep is the number of texts whose vectors are kept at a time.
	keep = 1024
	// batch is the number of pieces from which on texts are a batch.
	batch = 256
	// arithmetic is of the way in which vectors are made: those of another are not taken from a
	// file. It changes when TestVectorsAreTheSameOnAnyProcessor wants others.
	arithmetic = "1"
)

// Encode returns the vectors of texts, as an [encode.Encoder] does. It needs memory for all
// vectors.
func (e *Encoder) Encode(ctx context.Context, texts []string, o encode.Options) (x dataset.Matrix,
	err error) {
	var c *kept.File
	if e.cache != "" && e.by.most() > 0 {
		if c, err = kept.Open(ctx, e.cache); err != nil && !e.spares(err) {
			return x, err
		}
		defer func() { err = errors.Join(err, c.Close()) }()
	}
	different, of := encode.Distinct(texts)
	if err := memory.Check(4*float64(len(texts)+len(different))*float64(e.dims),
		"the vectors of the texts", "take fewer texts"); err != nil {
		return dataset.Matrix{}, err
	}
	found := make([]float32, len(different)*e.dims)
	counts := make([]int, len(different))
	for lo := 0; lo < len(different); lo += wave {
		hi := min(len(different), lo+wave)
		tell := func(share float64) {
			if o.Progress != nil {
				o.Progress("encoding texts", (float64(lo)+share*float64(hi-lo))/
					float64(len(different)))
			}
		}
		if err := e.wave(ctx, c, found[lo*e.dims:hi*e.dims], counts[lo:hi], different[lo:hi],
			o.Threads, tell); err != nil {
			return dataset.Matrix{}, err
		}
	}
	out, most := make([]float32, len(texts)*e.dims), e.by.most()
	for i, at := range of {
		copy(out[i*e.dims:(i+1)*e.dims], found[at*e.dims:])
		switch n := counts[at]; {
		case n == 0:
			e.empty.Add(1)
		case most > 0 && n > most:
			e.cut.Add(1)
		}
	}
	return dataset.Matrix{Rows: len(texts), Cols: e.dims, F32: out}, nil
}

// spares reports whether vectors are made although they cannot be kept.
func (e *Encoder) spares(err error) bool {
	failed, ok := errors.AsType[*fault.Storage](err)
	return ok && e.spare && failed.Kind == fault.Unwritable
}

// key is what the vector of a text is kept by, made in a way as [arithmetic] names it.
func (e *Encoder) key(way, text string) digest.Sum {
	return digest.Of([]byte(way), e.identity[:], digest.AppendText(nil, encode.Front(text)))
}

// wave sets the vectors of texts, and their counts of pieces. Vectors that are kept are not made
// again.
func (e *Encoder) wave(ctx context.Context, c *kept.File, dst []float32, counts []int,
	texts []string, threads int, tell func(share float64)) error {
	pieces := make([][]int32, len(texts))
	err := parallel.Blocks(ctx, len(texts), 64, threads, func(_, lo, hi int) {
		for i := lo; i < hi && ctx.Err() == nil; i++ {
			text := e.prompt + encode.Front(texts[i])
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
	keys, found := make([]digest.Sum, len(texts)), make([][]float32, len(texts))
	if c != nil {
		for i, text := range texts {
			keys[i] = e.key(arithmetic, text)
		}
		if err := c.Get(ctx, keys, found); err != nil {
			return err
		}
	}
	var missing []int
	for i, v := range found {
		if len(v) == e.dims {
			copy(dst[i*e.dims:], v)
		} else {
			missing = append(missing, i)
		}
	}
	step := keep
	if c == nil {
		step = wave
	}
	for lo := 0; lo < len(missing); lo += step {
		some := missing[lo:min(len(missing), lo+step)]
		err := e.run(ctx, dst, pieces, some, threads, func(done int) {
			tell(float64(len(texts)-len(missing)+lo+done) / float64(len(texts)))
		})
		if err != nil {
			return err
		}
		for _, i := range some {
			found[i] = dst[i*e.dims : (i+1)*e.dims]
			if slices.ContainsFunc(found[i], func(v float32) bool { return v-v != 0 }) {
				return (&fault.Input{Problem: "a vector has values that are not finite",
					Fix: "copy the folder of the encoder again, or use another"}).In(e.folder)
			}
		}
		if err := c.Put(ctx, keys, some, found); err != nil && !e.spares(err) {
			return err
		}
	}
	return nil
}

// run sets the vectors of some texts, given by their pieces.
func (e *Encoder) run(ctx context.Context, dst []float32, all [][]int32, some []int, threads int,
	tell func(done int)) error {
	// Texts lie one after the other without padding, so that their lengths do not matter.
	pieces, rows := make([][]int32, len(some)), make([]float32, len(some)*e.dims)
	for i, at := range some {
		pieces[i] = all[at]
	}
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
	err := parallel.Try(ctx, len(ends), 1, threads, func(b, _, _ int) error {
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
		rows := rows[lo*e.dims : hi*e.dims]
		if err := run(ctx, rows, pieces[lo:hi]); err != nil {
			return err
		}
		for at := 0; at < len(rows); at += e.dims {
			row := rows[at : at+e.dims]
			encode.Unit(row, row)
		}
		lock.Lock()
		defer lock.Unlock()
		free = append(free, run)
		done += hi - lo
		tell(done)
		return nil
	})
	for i, at := range some {
		copy(dst[at*e.dims:], rows[i*e.dims:(i+1)*e.dims])
	}
	return err
}
