package worker

import (
	"bytes"
	"context"
	"slices"
	"strconv"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/plot/gallery"
)

// drawing are the fields of a request for a picture.
type drawing struct {
	Result  int64    `json:"result"`  // number of a result kept; 0: the request has the rows
	Picture string   `json:"picture"` // as in --picture; "": that of the command
	Layout  string   `json:"layout"`  // as in --layout
	Format  string   `json:"format"`  // svg or png
	DPI     int      `json:"dpi"`     // of png; 0: 150
	Title   string   `json:"title"`
	Names   []string `json:"names"` // of the clusters; nil: group 1, group 2, …
}

// draw draws a result: one that is kept, that of fitting the rows once more, or labels that come
// with them.
func draw(ctx context.Context, r *request) (any, []*array, error) {
	var d drawing
	if err := r.into(&d); err != nil {
		return nil, nil, err
	}
	if d.Format != "svg" && d.Format != "png" {
		return nil, nil, fault.Settingf("the format of a picture is %q: give svg or png", d.Format)
	}
	if err := gallery.CheckLayout(method.Layout(d.Layout)); err != nil {
		return nil, nil, err
	}
	k, release, err := r.drawn(ctx, d)
	if err != nil {
		return nil, nil, err
	}
	defer release()
	problem := k.problem
	problem.Progress = r.progress()
	s := k.data.Scene(k.out, problem.Links, k.out.Asked)
	s.Problem, s.Layout = problem, method.Layout(d.Layout)
	s.Title, s.ClusterNames = d.Title, d.Names
	s.ID = func(row int) string { return strconv.Itoa(k.data.At(row)) }
	fig, err := gallery.Draw(ctx, s, d.Picture)
	if err != nil {
		return nil, nil, k.named(err)
	}
	var b bytes.Buffer
	if d.Format == "svg" {
		err = fig.WriteSVG(&b)
	} else {
		if d.DPI == 0 {
			d.DPI = 150
		}
		err = fig.WritePNG(&b, d.DPI)
	}
	if err != nil {
		return nil, nil, err
	}
	return map[string]any{}, []*array{of("picture", b.Bytes(), b.Len())}, nil
}

// drawn returns the result that a picture is of.
func (r *request) drawn(ctx context.Context, d drawing) (k *kept, release func(), err error) {
	if d.Result > 0 {
		return r.server.shelf.take(d.Result)
	}
	t, err := r.task(ctx, configured)
	if err != nil {
		return nil, nil, err
	}
	t.problem.Consume = false
	k = &kept{task: t}
	if a, given := r.arrays["labels"]; given {
		k.out, err = labelled(a, t)
	} else if k.out, err = t.method.Fit(ctx, t.problem); err != nil {
		err = t.named(err)
	}
	return k, func() {}, err
}

// labelled returns the outcome that labels of the rows stand for, from 1, 0 for noise.
func labelled(a *array, t *task) (*method.Outcome, error) {
	labels, err := a.ints()
	if err != nil {
		return nil, err
	}
	if len(labels) != t.data.Read() {
		return nil, a.expected("one label a row")
	}
	out := &method.Outcome{Labels: make([]int, t.data.N())}
	for i := range out.Labels {
		l := labels[t.data.At(i)]
		if l < 0 || l > int64(len(labels)) {
			return nil, &fault.Input{File: a.Name, Row: t.data.At(i) + 1,
				Problem: "the label is " + strconv.FormatInt(l, 10),
				Fix:     "give labels from 1, and 0 for noise"}
		}
		out.Labels[i] = int(l)
	}
	out.Clusters = slices.Max(out.Labels)
	return out, nil
}
