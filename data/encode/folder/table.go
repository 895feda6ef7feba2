package folder

import (
	"context"
	"fmt"
	"path"

	"github.com/kindred-go/kindred/internal/safetensors"
	"github.com/kindred-go/kindred/internal/words"
)

// table is a vector for each piece: that of a text is their mean.
type table struct {
	dims    int
	vectors []float32
	weights []float32 // of pieces; nil: all 1
	rows    []int64   // of pieces in vectors; nil: their number
	unknown int32
}

// openTable opens a Model2Vec model. Those of sentence-transformers have other names for tensors.
func (e *Encoder) openTable(ctx context.Context, f *files, s stack) error {
	v, err := f.tokenizer(s.first)
	if err != nil {
		return err
	}
	t := &table{unknown: v.Unknown()}
	name := path.Join(s.first, "model.safetensors")
	err = f.tensors(ctx, s.first, func(file *safetensors.File) error {
		tensor := "embeddings"
		if !file.Has(tensor) && file.Has("embedding.weight") {
			tensor = "embedding.weight"
		}
		shape := file.Shape(tensor)
		if len(shape) != 2 || shape[1] < 1 || shape[0] < 1 {
			return f.bad(name, anew, "there is no table %q with a vector for each piece", tensor)
		}
		t.dims = shape[1]
		rows := shape[0]
		if file.Has("mapping") {
			if t.rows, err = file.Ints("mapping", v.size); err != nil {
				return err
			}
			for i, row := range t.rows {
				if row < 0 || row >= int64(rows) {
					return f.bad(name, anew, "piece %d has vector %d of %d", i, row, rows)
				}
			}
		} else if rows != v.size {
			return f.bad(name, anew, "%s for %s", words.Count(rows, "vector"),
				words.Count(v.size, "piece"))
		}
		if file.Has("weights") {
			if t.weights, err = file.Floats("weights", v.size); err != nil {
				return err
			}
		}
		t.vectors, err = file.Floats(tensor, shape...)
		return err
	})
	e.pieces, e.by, e.dims = v.Tokenizer, t, t.dims
	e.kind = fmt.Sprintf("a table of %s", words.Count(v.size, "piece"))
	return err
}

func (t *table) most() int { return 0 }

// start leaves pieces out that stand for unknown words. A text without others has a vector of
// zeros.
func (t *table) start() func(context.Context, []float32, [][]int32) error {
	return func(ctx context.Context, dst []float32, texts [][]int32) error {
		for i, text := range texts {
			to, n := dst[i*t.dims:(i+1)*t.dims], 0
			clear(to)
			for _, id := range text {
				if id == t.unknown {
					continue
				}
				n++
				row, weight := int(id), float32(1)
				if t.rows != nil {
					row = int(t.rows[id])
				}
				if t.weights != nil {
					weight = t.weights[id]
				}
				for j, v := range t.vectors[row*t.dims : (row+1)*t.dims] {
					to[j] += float32(v * weight)
				}
			}
			for j := range to {
				to[j] /= float32(max(1, n))
			}
		}
		return ctx.Err()
	}
}
