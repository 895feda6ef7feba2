package input

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/method"
)

// ForModel reads the columns of a table that a model needs, and makes the rows that the model takes
// of them: of texts their vectors, else the same table. Notes are sentences on values that the
// model does not know.
func (s Source) ForModel(ctx context.Context, place Place, m *method.Model, name string,
	progress Progress) (t, rows *dataset.Table, notes []string, err error) {
	var o method.Objects
	switch {
	case m.Landmarks != nil:
		o = m.Landmarks.Objects
	case m.Exemplars != nil:
		o = m.Exemplars.Objects
	case m.Condensed != nil:
		o = m.Condensed.Objects
	}
	keep := false
	s.Vectors = cmp.Or(s.Vectors, m.Vectors)
	types := map[string]dataset.Type{}
	switch {
	case m.Texts != nil:
		s.Text, keep = m.Texts.Column, true
		if s.Features = m.Texts.Beside; s.Features != nil {
			types = m.Encoding.Types()
			maps.DeleteFunc(types, func(name string, _ dataset.Type) bool {
				return !slices.Contains(s.Features, name)
			})
		}
	case o.Series != nil:
		s.Series, keep = o.Column, true
	case o.Texts != nil:
		s.Text, keep = o.Column, true
	case o.Gower != nil:
		for _, c := range o.Gower.Columns {
			s.Features = append(s.Features, c.Name)
			if c.Levels != nil {
				types[c.Name] = dataset.Category
			}
		}
	default:
		s.Features, types = m.Encoding.Sources(), m.Encoding.Types()
	}
	s.known = types
	if r := m.Encoding.Reading; r != nil {
		s.assume = *r
		if len(s.NA) == 0 {
			s.NA = r.NA
		}
	}
	if t, err = s.Read(ctx, place, name, keep, progress); err != nil {
		return nil, nil, nil, err
	}
	if m.Texts != nil {
		rows, err = s.textRows(ctx, place, t, m.Texts, m.Encoding.Missing, progress)
		return t, rows, nil, err
	}
	return t, t, append(s.differs(t.Reading()), m.Encoding.Unknown(t)...), nil
}

// differs returns a sentence on each way in which a text shows another reading than that which the
// model was made from.
func (s *Source) differs(r dataset.Reading) (notes []string) {
	add := func(flag, what, set, here, before string) {
		if set == "" && here != "" && before != "" && here != before {
			notes = append(notes, what+" here is "+here+", and was "+before+
				" when the model was made: --"+flag+" "+before+" reads it so")
		}
	}
	add("decimal", "the decimal mark", s.Decimal, r.Decimal, s.assume.Decimal)
	add("date-order", "the order of dates", s.DateOrder, r.DateOrder, s.assume.DateOrder)
	return notes
}
