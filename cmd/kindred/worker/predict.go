package worker

import (
	"context"

	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/model"
	"github.com/kindred-go/kindred/project/input"
)

// predict places new rows by a model: X are rows of features, or dissimilarities to the fitted
// objects where the model knows no more.
func predict(ctx context.Context, r *request) (any, []*array, error) {
	var s settings
	if err := r.into(&s); err != nil {
		return nil, nil, err
	}
	a, given := r.arrays["model"]
	if !given {
		return nil, nil, fault.Setting("the array model is missing: give a model")
	}
	text, err := a.raw()
	if err != nil {
		return nil, nil, err
	}
	m, err := model.Parse(text, "the model")
	if err != nil {
		return nil, nil, err
	}
	recipe := input.New()
	for name, text := range s.Params {
		if err := recipe.Set(name, text); err != nil {
			return nil, nil, err
		}
	}
	name, place, err := r.place(&s)
	if err != nil {
		return nil, nil, err
	}
	notes := []string{}
	place.Notify = func(note string) { notes = append(notes, note) }
	var out *method.Outcome
	var rows []int32
	n := 0
	if recipe.Square && place.Memory != nil {
		n = place.Memory.Values.Rows
		out, err = model.PlaceColumns(ctx, m, place.Memory.Values, recipe.Threads)
	} else {
		source := recipe.Source.Reading()
		t, made, said, wrong := source.ForModel(ctx, place, m, name, nil)
		if wrong != nil {
			return nil, nil, wrong
		}
		notes = append(notes, said...)
		n = t.Rows
		out, rows, err = model.Place(ctx, m, made, recipe.Threads)
	}
	if err != nil {
		return nil, nil, input.Placed(err, name)
	}
	at := func(i int) int {
		if rows == nil {
			return i
		}
		return int(rows[i])
	}
	if out.Labels == nil && out.Credal != nil {
		out.Labels = out.Credal.Hard(belief.MaxPlausibility)
	}
	labels := make([]int32, n)
	for i, l := range out.Labels {
		labels[at(i)] = int32(l)
	}
	arrays := []*array{of("labels", labels, n)}
	if out.Strength != nil {
		strength := make([]float64, n)
		for i, v := range out.Strength {
			strength[at(i)] = v
		}
		arrays = append(arrays, of("strength", strength, n))
	}
	if p := out.Credal; p != nil {
		f := len(p.Focal)
		mass := make([]float64, n*f)
		for i := range p.Len() {
			copy(mass[at(i)*f:], p.Row(i))
		}
		arrays = append(arrays, focal(p.Focal, p.Clusters), of("mass", mass, n, f))
	}
	return map[string]any{"notes": notes}, arrays, nil
}
