package model

import (
	"encoding/binary"
	"errors"

	"github.com/kindred-go/kindred/cluster/density"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/method"
)

// condensedFile is a condensed tree and its objects as JSON. Values of vectors are packed, as
// little-endian bytes: there may be many.
type condensedFile struct {
	Tree    *density.Placer `json:"tree"`
	Fitted  int             `json:"fitted"`
	Objects method.Objects  `json:"objects,omitzero"` // of vectors, how they are compared
	Columns int             `json:"columns,omitempty"`
	Single  bool            `json:"single,omitempty"` // values are float32
	Values  []byte          `json:"values,omitempty"`
}

func newCondensedFile(by *density.Placer, k method.Kept) *condensedFile {
	f := &condensedFile{Tree: by, Fitted: k.Fitted, Objects: k.Objects}
	if x := k.Objects.Rows; k.Objects.Metric.OfVectors() {
		f.Columns, f.Single, f.Objects.Rows = x.Cols, x.Single(), dataset.Matrix{}
		if f.Single {
			f.Values, _ = binary.Append(nil, binary.LittleEndian, x.F32)
		} else {
			f.Values, _ = binary.Append(nil, binary.LittleEndian, x.F64)
		}
	}
	return f
}

// condensed checks what a file holds.
func (f *condensedFile) condensed(e dataset.Encoding) (*method.Condensed, error) {
	if f == nil || f.Tree == nil {
		return nil, errors.New("the model has no condensed tree")
	}
	if err := f.Tree.Check(); err != nil {
		return nil, err
	}
	n := f.Tree.Len()
	if f.Fitted != n {
		return nil, errors.New("the model is of other objects than its tree")
	}
	c := &method.Condensed{By: f.Tree}
	c.Fitted, c.Objects, c.Which = n, f.Objects, make([]int32, n)
	for i := range c.Which {
		c.Which[i] = int32(i)
	}
	if f.Objects.Metric.OfVectors() {
		size := 8
		if f.Single {
			size = 4
		}
		if f.Columns < 1 || len(f.Values)%(size*f.Columns) != 0 ||
			len(f.Values)/(size*f.Columns) != n {
			return nil, errors.New("the model has other objects than its tree")
		}
		x := &c.Objects.Rows
		x.Rows, x.Cols = n, f.Columns
		if f.Single {
			x.F32 = make([]float32, n*f.Columns)
			binary.Decode(f.Values, binary.LittleEndian, x.F32) // of the right size
		} else {
			x.F64 = make([]float64, n*f.Columns)
			binary.Decode(f.Values, binary.LittleEndian, x.F64)
		}
		for i := range n {
			for j := range f.Columns {
				if v := x.At(i, j); v-v != 0 {
					return nil, errors.New("the model has a value that is not finite")
				}
			}
		}
	}
	return c, c.Check(n, e)
}
