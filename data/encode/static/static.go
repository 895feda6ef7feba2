// Package static turns texts in English into vectors by a table that is built in: each piece of a
// word has a vector, and a text is the weighted mean of those of its pieces.
//
// The vectors are those that the sentence encoder all-MiniLM-L6-v2 returns for each piece alone,
// brought down to fewer dimensions by their principal components; tools/textvectors makes the table.
// Pieces that are frequent weigh less: a/(a+p), where p is the share of the piece among all, of the
// texts at hand, and where these are few, of English by the rank of the piece (Zipf's law). What the
// vectors of the texts at hand have in common, their mean, is subtracted.
//
// S. Arora, Y. Liang and T. Ma, A Simple but Tough-to-Beat Baseline for Sentence Embeddings, ICLR
// 2017; S. Tulkens and T. van Dongen, Model2Vec: Fast State-of-the-Art Static Embeddings, 2024.
package static

import (
	"context"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/encode"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/memory"
	"github.com/kindred-go/kindred/internal/parallel"
)

const (
	smoothing = 1e-2 // a of the weights
	prior     = 1000 // pieces that the shares of English count as
	passage   = 256  // pieces of a text that become one vector; longer texts are means of those
	fewTexts  = 10   // texts of which half of what they have in common is subtracted
	blockSize = 256  // texts of a block of work
	waveSize  = 64   // blocks between two calls of Progress
)

// Encoder turns texts into vectors by the built-in table and weights of pieces.
type Encoder struct {
	table   *table
	dims    int
	counts  *encode.Counts // of the texts that it was fitted to
	common  []float32      // what is subtracted from vectors; nil: nothing
	weights []float32      // of pieces, with the scales of their rows
}

// Fit returns the encoder that weighs pieces by how frequent they are in texts, and subtracts what
// their vectors have in common, and the vectors of the texts. Dims is their length, up to
// [Dimensions]; 0 means that.
func Fit(ctx context.Context, texts []string, dims int, o encode.Options) (*Encoder,
	dataset.Matrix, error) {
	t, err := builtin()
	if err != nil {
		return nil, dataset.Matrix{}, err
	}
	counts, err := t.count(ctx, texts, o)
	if err != nil {
		return nil, dataset.Matrix{}, err
	}
	e := t.encoder(counts, nil, dims)
	x, err := e.Encode(ctx, texts, o)
	if err != nil {
		return nil, dataset.Matrix{}, err
	}
	e.common = common(x)
	for i := range x.Rows {
		e.centre(x.F32[i*x.Cols:][:x.Cols])
	}
	return e, x, ctx.Err()
}

// count counts the pieces of texts.
func (t *table) count(ctx context.Context, texts []string, o encode.Options) (*encode.Counts,
	error) {
	total := make([]int64, t.rows)
	var of [waveSize][]int32
	err := inBlocks(ctx, len(texts), "reading words", o, func(slot, lo, hi int) {
		ids := of[slot][:0]
		for i := lo; i < hi && ctx.Err() == nil; i++ {
			ids = t.tokens.Encode(ids, encode.Front(texts[i]))
		}
		of[slot] = ids
	}, func(slot int) {
		for _, id := range of[slot] {
			total[id]++
		}
	})
	counts := &encode.Counts{Pieces: []int32{}, Times: []int64{}}
	for piece, times := range total {
		if times > 0 {
			counts.Pieces = append(counts.Pieces, int32(piece))
			counts.Times = append(counts.Times, times)
		}
	}
	return counts, err
}

// common returns what to subtract from rows: their mean, and less of it where they are few.
func common(x dataset.Matrix) []float32 {
	sums, rows := make([]float64, x.Cols), 0
	for i := range x.Rows {
		row := x.F32[i*x.Cols:][:x.Cols]
		if slices.IndexFunc(row, func(v float32) bool { return v != 0 }) < 0 {
			continue
		}
		rows++
		for j, v := range row {
			sums[j] += float64(v)
		}
	}
	out := make([]float32, x.Cols)
	for j, sum := range sums {
		out[j] = float32(sum / float64(rows+fewTexts))
	}
	return out
}

// centre subtracts what rows have in common from one, unless it is 0.
func (e *Encoder) centre(row []float32) {
	if e.common == nil || slices.IndexFunc(row, func(v float32) bool { return v != 0 }) < 0 {
		return
	}
	for j, v := range e.common {
		row[j] -= v
	}
	encode.Unit(row, row)
}

// Restore returns the encoder that a model was made with. An identity that is not of the built-in
// table is a [*fault.Input].
func Restore(id encode.Identity) (*Encoder, error) {
	if err := id.Check(); err != nil {
		return nil, err
	}
	t, err := builtin()
	if err != nil {
		return nil, err
	}
	if id.Digest != t.digest {
		return nil, &fault.Input{
			Problem: "the model was made with another table of built-in text vectors",
			Fix:     "use the kindred that made it, or make it again"}
	}
	if c := id.Counts; c == nil || id.Dimensions > t.cols ||
		len(c.Pieces) > 0 && int(c.Pieces[len(c.Pieces)-1]) >= t.rows {
		return nil, &fault.Input{Problem: "the encoder of the model cannot be used: it does not " +
			"suit the built-in table", Fix: "make the model again"}
	}
	return t.encoder(id.Counts, id.Common, id.Dimensions), nil
}

// Dimensions returns the length of the vectors of the table.
func Dimensions() (int, error) {
	t, err := builtin()
	if err != nil {
		return 0, err
	}
	return t.cols, nil
}

// encoder weighs the pieces of a table.
func (t *table) encoder(counts *encode.Counts, common []float32, dims int) *Encoder {
	if dims == 0 || dims > t.cols {
		dims = t.cols
	}
	e := &Encoder{table: t, dims: dims, counts: counts, common: common,
		weights: make([]float32, t.rows)}
	all := float64(prior)
	for _, times := range counts.Times {
		all += float64(times)
	}
	// The pieces are in the order of their frequency, so that the share of the one of rank r is
	// near 1/r.
	var harmonic float64
	for rank := range t.rows {
		harmonic += 1 / float64(rank+2)
	}
	at := 0
	for piece := range t.rows {
		share := prior / (float64(piece+2) * harmonic)
		if at < len(counts.Pieces) && int(counts.Pieces[at]) == piece {
			share += float64(counts.Times[at])
			at++
		}
		weight := smoothing / (smoothing + share/all)
		e.weights[piece] = float32(weight * float64(t.scales[piece]))
	}
	return e
}

// Identity returns what a model keeps of the encoder.
func (e *Encoder) Identity() encode.Identity {
	return encode.Identity{Name: encode.Builtin, Digest: e.table.digest, Dimensions: e.dims,
		Counts: e.counts, Common: e.common}
}

// Encode returns a row per text, of type float32: of length 1, or all 0 where the table knows no
// piece of the text. Texts of more than 256 pieces are the means of their passages; of each text the
// first MiB is read. If ctx is cancelled, its error is returned.
func (e *Encoder) Encode(ctx context.Context, texts []string, o encode.Options) (dataset.Matrix,
	error) {
	if err := memory.Check(4*float64(len(texts))*float64(e.dims), "the vectors of the texts",
		"take fewer texts, or fewer --dimensions"); err != nil {
		return dataset.Matrix{}, err
	}
	out := make([]float32, len(texts)*e.dims)
	err := inBlocks(ctx, len(texts), "placing texts", o, func(_, lo, hi int) {
		var ids []int32
		sum := make([]float32, e.dims)
		for i := lo; i < hi && ctx.Err() == nil; i++ {
			ids = e.table.tokens.Encode(ids[:0], encode.Front(texts[i]))
			row := out[i*e.dims:][:e.dims]
			if len(ids) <= passage {
				e.mean(row, ids)
				e.centre(row)
				continue
			}
			// Passages of nearly equal length.
			passages := parallel.Count(len(ids), passage)
			for p := range passages {
				e.mean(sum, ids[p*len(ids)/passages:(p+1)*len(ids)/passages])
				for j, v := range sum {
					row[j] += v
				}
			}
			encode.Unit(row, row)
			e.centre(row)
		}
	}, nil)
	return dataset.Matrix{Rows: len(texts), Cols: e.dims, F32: out}, err
}

// mean sets row to the weighted mean of pieces, at length 1.
func (e *Encoder) mean(row []float32, ids []int32) {
	clear(row)
	for ; len(ids) >= 4; ids = ids[4:] { // side by side, added in their order
		a, b, c, d := e.values(ids[0]), e.values(ids[1]), e.values(ids[2]), e.values(ids[3])
		v, w, x, y := e.weights[ids[0]], e.weights[ids[1]], e.weights[ids[2]], e.weights[ids[3]]
		a, b, c, d = a[:len(row)], b[:len(row)], c[:len(row)], d[:len(row)]
		for j := range row {
			sum := row[j] + float32(v*float32(a[j]))
			sum += float32(w * float32(b[j]))
			sum += float32(x * float32(c[j]))
			row[j] = sum + float32(y*float32(d[j]))
		}
	}
	for _, id := range ids {
		weight, values := e.weights[id], e.values(id)[:len(row)]
		for j := range row {
			row[j] += float32(weight * float32(values[j]))
		}
	}
	encode.Unit(row, row)
}

// values returns the row of the table of a piece.
func (e *Encoder) values(piece int32) []int8 {
	return e.table.values[int(piece)*e.table.cols:][:e.dims]
}

// inBlocks does work on n texts in blocks, and after each wave of them picks up results in the
// order of the blocks.
func inBlocks(ctx context.Context, n int, what string, o encode.Options,
	do func(slot, lo, hi int), after func(slot int)) error {
	const wave = blockSize * waveSize
	for from := 0; from < n; from += wave {
		count := min(wave, n-from)
		err := parallel.Blocks(ctx, count, blockSize, o.Threads,
			func(slot, lo, hi int) { do(slot, from+lo, from+hi) })
		if err != nil {
			return err
		}
		if after != nil {
			for slot := range parallel.Count(count, blockSize) {
				after(slot)
			}
		}
		if o.Progress != nil {
			o.Progress(what, float64(from+count)/float64(n))
		}
	}
	return ctx.Err()
}

// English is the share of known words from which on texts are taken to be in English.
const English = 0.65

// Known returns the share of the words of texts that the table has whole, in [0, 1]: most of
// English, and few of other languages. Numbers, single letters and signs do not count. Texts without
// words have a share of 1.
func Known(ctx context.Context, texts []string) (float64, error) {
	t, err := builtin()
	if err != nil {
		return 0, err
	}
	whole, begun := 0, 0
	var ids []int32
	for _, text := range texts {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		ids = t.tokens.Encode(ids[:0], encode.Front(text))
		for i, id := range ids {
			switch {
			case t.kinds[id] == within:
			case t.kinds[id] == sign:
				if i+1 < len(ids) && t.kinds[ids[i+1]] == within { // it begins a word
					begun++
				}
			case t.kinds[id] == unknown, t.kinds[id] == foreign:
				begun++
			default:
				begun++
				if i+1 == len(ids) || t.kinds[ids[i+1]] != within {
					whole++
				}
			}
		}
	}
	if begun == 0 {
		return 1, nil
	}
	return float64(whole) / float64(begun), nil
}
