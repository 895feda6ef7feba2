package input

import (
	"context"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/method/param"
)

// Preview is what would become of DATA.
type Preview struct {
	Rows, Features int           // of the matrix; 0 where no table of features is prepared
	Gaps           *dataset.Gaps // missing values that nobody has said what to do about; nil: none
	Profile        *Profile      // what is understood of DATA
	// the column that rows are compared by in place of features, and the setting that names it, as
	// text; "": none
	Column, As string
	// why a project cannot be begun on them so, other than by Gaps; nil: it can
	Problem error
}

// Preview reads DATA and returns what would become of them by the settings, of which it keeps
// nothing. It fails as [Open] does where DATA cannot be read.
func (r *Recipe) Preview(ctx context.Context, place Place, name string, progress Progress) (*Preview,
	error) {
	r = r.Copy()
	m, err := r.Compared()
	if err != nil {
		return nil, err
	}
	_, where, err := place.Locate(name)
	if err != nil {
		return nil, err
	}
	if err := place.lasting(name); err != nil {
		return nil, err
	}
	p := &Preview{}
	if r.Square || where == InFolder || r.shows() || r.Embedding != "" {
		return p, p.whole(ctx, r, place, name, progress)
	}
	t, err := r.Read(ctx, place, name, true, progress)
	if err != nil {
		return nil, err
	}
	if r.settle(t); r.shows() {
		return p, p.whole(ctx, r, place, name, progress)
	}
	_, p.Problem = r.Asking()
	p.Rows, p.Features = t.Rows, t.MatrixCols()
	gaps := t.Gaps()
	missing, err := r.missing()
	switch {
	case err != nil:
		return nil, err
	case gaps == nil:
	case m == dissim.Gower:
		r.Missing = dataset.MissingMean.String() // to count columns alone: it fills nothing in
	case missing == dataset.MissingDrop:
		p.Rows -= gaps.Lacking
	case missing == dataset.MissingRefuse:
		p.Gaps = gaps
		r.Missing = dataset.MissingMean.String() // which all choices have as many columns as
	}
	if p.Profile, _, err = r.Source.Profile(ctx, t); err != nil {
		return nil, err
	}
	if p.Problem == nil && p.Profile.Problem != "" {
		p.Problem = problem(p.Profile.Problem)
	}
	return p, nil
}

// whole describes DATA that are no table of features.
func (p *Preview) whole(ctx context.Context, r *Recipe, place Place, name string,
	progress Progress) (err error) {
	if p.Profile, err = r.Profile(ctx, place, name, progress); err != nil {
		return err
	}
	if _, p.Problem = r.Asking(); p.Problem == nil && p.Profile.Problem != "" {
		p.Problem = problem(p.Profile.Problem)
	}
	p.Rows, p.Features = p.Profile.MatrixRows, p.Profile.Features
	switch {
	case r.Text != "":
		p.Column, p.As = r.Text, "text"
	case r.Series != "":
		p.Column, p.As = r.Series, "series"
	case r.Images != "":
		p.Column, p.As = r.Images, "images"
	}
	return nil
}

// problem is what a profile says is wrong with DATA.
type problem string

func (p problem) Error() string { return string(p) }

// Part is what a setting is about.
type Part string

// The parts of settings of the data.
const (
	PartReading   Part = "reading"   // how DATA become a table
	PartPreparing Part = "preparing" // how that becomes a matrix
	PartComparing Part = "comparing" // what is compared, and how
	PartKnowledge Part = "knowledge" // which method, and what is known before
)

// PartOf returns what a setting of [Recipe.General] is about.
func PartOf(name string) Part {
	var s Source
	for _, part := range []struct {
		Part
		declare func(*param.Set)
	}{{PartReading, s.declareReading}, {PartPreparing, s.declarePreparing},
		{PartComparing, s.declareComparing}} {
		var set param.Set
		part.declare(&set)
		if slices.ContainsFunc(set.Params(), func(p param.Param) bool { return p.Name == name }) {
			return part.Part
		}
	}
	return PartKnowledge
}
