package worker

import (
	"bytes"
	"context"

	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/model"
)

// modelOf returns the model of a result that is kept.
func modelOf(_ context.Context, r *request) (any, []*array, error) {
	var h struct {
		Result int64 `json:"result"`
	}
	if err := r.into(&h); err != nil {
		return nil, nil, err
	}
	k, release, err := r.server.shelf.take(h.Result)
	if err != nil {
		return nil, nil, err
	}
	defer release()
	a, err := k.model(k.out)
	if a == nil && err == nil {
		err = &fault.Input{Problem: "these groups make no model that places new rows",
			Fix: "cluster by another method"}
	}
	return map[string]any{}, []*array{a}, err
}

// indices compares two partitions, and looks at the shape of the first where X is given.
func indices(ctx context.Context, r *request) (any, []*array, error) {
	var labels [2][]int
	for i, name := range []string{"a", "b"} {
		a, given := r.arrays[name]
		if !given {
			continue
		}
		values, err := a.ints()
		if err != nil {
			return nil, nil, err
		}
		labels[i] = make([]int, len(values))
		for row, v := range values {
			labels[i][row] = int(v)
		}
	}
	var found struct {
		Compared   *eval.Report      `json:"compared,omitempty"`
		Silhouette *eval.Silhouettes `json:"silhouette,omitempty"`
	}
	if labels[0] == nil {
		return nil, nil, fault.Setting("the array a is missing: give labels")
	}
	if labels[1] != nil {
		rep, err := eval.Compare(labels[0], labels[1])
		if err != nil {
			return nil, nil, err
		}
		found.Compared = &rep
	}
	if a, given := r.arrays[called]; given {
		x, err := a.matrix()
		if err != nil {
			return nil, nil, err
		}
		if found.Silhouette, err = eval.Silhouette(ctx, x, labels[0],
			eval.SilhouetteConfig{}); err != nil {
			return nil, nil, err
		}
	}
	return found, nil, nil
}

// model returns the model of an outcome; nil where it has none.
func (t *task) model(out *method.Outcome) (*array, error) {
	if out.Model == nil || !t.data.Placeable() {
		return nil, nil
	}
	var b bytes.Buffer
	if err := model.Write(out.Model, &b); err != nil {
		return nil, err
	}
	return of("model", b.Bytes(), b.Len()), nil
}
