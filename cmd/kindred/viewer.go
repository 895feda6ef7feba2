package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/kindred-go/kindred/active"
	"github.com/kindred-go/kindred/dataset"
	"github.com/kindred-go/kindred/dataset/sample"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/partition"
)

// maxFields is how many fields of two rows are shown; of more, those that differ most.
const maxFields = 20

// viewer draws the two rows of a question.
type viewer struct {
	data    *prepared
	width   int
	picture sample.Sample  // the sample, when its rows are pictures
	columns []int          // columns of the table to show
	feature map[string]int // first matrix column of a table column
}

func newViewer(p *prepared, width int) *viewer {
	v := &viewer{data: p, width: width, feature: map[string]int{}}
	if p.isMatrix() {
		return v
	}
	if s, ok := sample.Find(p.table.Name); ok && s.Width > 0 && p.table.Rows == s.Rows && len(p.table.Columns) == s.Features+1 {
		v.picture = s
	}
	for i, c := range p.table.Columns {
		// The label would give the answer away, and the id heads the columns already.
		if c.Role == dataset.Label || c.Role == dataset.ID {
			continue
		}
		if c.Role == dataset.Unused && partition.LabelColumn([]string{c.Name}) != "" {
			continue
		}
		v.columns = append(v.columns, i)
	}
	if p.ready != nil {
		for j, name := range p.ready.Names {
			v.feature[name] = j
		}
	}
	return v
}

func (v *viewer) show(q link.Question) string {
	nameA, nameB := "row "+v.data.id(q.A), "row "+v.data.id(q.B)
	if v.data.isMatrix() {
		return active.SideBySide(nameA, nameB, nil, v.width) + v.distance(q)
	}
	a, b := v.data.source(q.A), v.data.source(q.B)
	if v.picture.Width > 0 {
		return active.Beside([]active.Picture{v.draw(a, nameA), v.draw(b, nameB)}, v.width)
	}
	fields, more := v.fields(q, a, b)
	shown := active.SideBySide(nameA, nameB, fields, v.width) + more
	if o := v.data.objects; o.Texts != nil {
		shown += v.full(nameA, o.Texts[q.A]) + v.full(nameB, o.Texts[q.B])
	}
	return shown
}

// distance says how far apart two rows of a matrix are, as nothing else is known of them.
func (v *viewer) distance(q link.Question) string {
	var d [1]float32
	v.data.src.Row(d[:], q.A, []int32{int32(q.B)})
	return fmt.Sprintf("    dissimilarity %s\n", round(float64(d[0])))
}

// draw gives a row of a picture sample as a picture.
func (v *viewer) draw(row int, name string) active.Picture {
	p := active.Picture{Name: name, Width: v.picture.Width, Height: v.picture.Height}
	for _, c := range v.columns {
		ink, _ := strconv.ParseFloat(v.data.table.Cell(row, c), 64)
		p.Pixels = append(p.Pixels, ink/float64(v.picture.Ink))
	}
	return p
}

// near is the share of a feature's range below which two values are close.
const near = 0.1

// apart tells how far two cells differ: in shares of the column's range for a number, 1 for words.
func (v *viewer) apart(f active.Field, c dataset.Column, q link.Question) float64 {
	if f.A == f.B {
		return 0
	}
	if j, isFeature := v.feature[f.Name]; isFeature && c.Max > c.Min && f.A != "" && f.B != "" {
		e := v.data.ready.Encoding
		return math.Abs(e.Original(j, v.data.ready.X.At(q.A, j))-e.Original(j, v.data.ready.X.At(q.B, j))) / (c.Max - c.Min)
	}
	return 1
}

// fields gives the fields to show, and a line about those left out.
func (v *viewer) fields(q link.Question, a, b int) ([]active.Field, string) {
	type gap struct {
		field active.Field
		by    float64
		at    int
	}
	gaps := make([]gap, len(v.columns))
	differ := 0
	for i, c := range v.columns {
		f := active.Field{Name: v.data.table.Columns[c].Name, A: v.data.table.Cell(a, c), B: v.data.table.Cell(b, c)}
		if v.isSeries(c) {
			gaps[i] = gap{field: v.curves(f.Name, q), at: i, by: 1}
			differ++
			continue
		}
		by := v.apart(f, v.data.table.Columns[c], q)
		if by > 0 {
			differ++
			f.Mark = "≠"
		}
		if by > 0 && by < near {
			f.Mark = "~"
		}
		f.A, f.B = cmp.Or(f.A, "(none)"), cmp.Or(f.B, "(none)")
		gaps[i] = gap{field: f, at: i, by: by}
	}
	more := ""
	if len(gaps) > maxFields {
		slices.SortStableFunc(gaps, func(x, y gap) int { return cmp.Compare(y.by, x.by) })
		more = fmt.Sprintf("    … and %d further fields, which differ less or not at all; %d of all %d differ\n", len(gaps)-maxFields, differ, len(gaps))
		gaps = gaps[:maxFields]
		slices.SortStableFunc(gaps, func(x, y gap) int { return cmp.Compare(x.at, y.at) })
	}
	fields := make([]active.Field, len(gaps))
	for i, g := range gaps {
		fields[i] = g.field
	}
	return fields, more
}
