package worker

import (
	"context"
	"slices"

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
		if slices.Contains(s.Want, "degrees") {
			degrees, rows, err := model.Degrees(ctx, m, made, recipe.Threads)
			if err != nil {
				return nil, nil, input.Placed(err, name)
			}
			return map[string]any{"notes": notes}, []*array{
				of("degrees", placed(n, rows, degrees.F64, degrees.Cols), n, degrees.Cols)}, nil
		}
		out, rows, err = model.Place(ctx, m, made, recipe.Threads)
	}
	if err != nil {
		return nil, nil, input.Placed(err, name)
	}
	if out.Labels == nil && out.Credal != nil {
		out.Labels = out.Credal.Hard(belief.MaxPlausibility)
	}
	labels := make([]int32, len(out.Labels))
	for i, l := range out.Labels {
		labels[i] = int32(l)
	}
	arrays := []*array{of("labels", placed(n, rows, labels, 1), n)}
	if out.Strength != nil {
		arrays = append(arrays, of("strength", placed(n, rows, out.Strength, 1), n))
	}
	if p := out.Credal; p != nil {
		f := len(p.Focal)
		arrays = append(arrays, focal(p.Focal, p.Clusters),
			of("mass", placed(n, rows, p.Mass, f), n, f))
	}
	return map[string]any{"notes": notes}, arrays, nil
}

// placed returns values of n rows, width a row, of those of the rows that are kept (nil: all).
// Others have zeros.
func placed[T any](n int, rows []int32, values []T, width int) []T {
	if rows == nil {
		return values
	}
	out := make([]T, n*width)
	for i, at := range rows {
		copy(out[int(at)*width:], values[i*width:(i+1)*width])
	}
	return out
}
