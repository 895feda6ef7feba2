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
	if r.Square || where == InFolder {
		p.Profile, err = r.Profile(ctx, place, name, progress)
		return p.conclude(r), err
	}
	t, err := r.Read(ctx, place, name, true, progress)
	if err != nil {
		return nil, err
	}
	r.settle(t)
	whole := r.shows() || r.Embedding != ""
	if gaps := t.Gaps(); gaps != nil && !whole && m != dissim.Gower &&
		r.Missing == dataset.MissingRefuse.String() {
		p.Gaps = gaps
		// all choices have as many columns as this one
		r.Missing = dataset.MissingMean.String()
	}
	if p.Profile, err = r.profile(ctx, place, name, t, progress); err != nil {
		return nil, err
	}
	if p.Gaps != nil { // nobody has said so
		p.Profile.Notes = slices.DeleteFunc(p.Profile.Notes,
			func(note string) bool { return note == p.Profile.filled })
	}
	switch {
	case r.Text != "":
		p.Column, p.As = r.Text, "text"
	case r.Series != "":
		p.Column, p.As = r.Series, "series"
	case r.Images != "":
		p.Column, p.As = r.Images, "images"
	}
	return p.conclude(r), nil
}

// conclude takes what follows by the settings from the profile, if there is one.
func (p *Preview) conclude(r *Recipe) *Preview {
	if p.Profile == nil {
		return nil
	}
	p.Rows, p.Features = p.Profile.MatrixRows, p.Profile.Features
	if _, p.Problem = r.Asking(); p.Problem == nil && p.Profile.Problem != "" {
		p.Problem = problem(p.Profile.Problem)
	}
	return p
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
