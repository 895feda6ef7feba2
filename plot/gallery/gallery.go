// Package gallery lists the pictures of a result: which there are, what each needs, and how it is
// drawn. The command and the studio draw the same ones, by their names here. A new picture of any
// result is an entry in the table of this package and a function that draws it; one of a method's
// own results is in [method.Method.Pictures].
package gallery

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/all"
	"github.com/kindred-go/kindred/plot"
)

// ofAny returns the pictures of results of any method.
func ofAny() []method.Picture {
	ofMasses := func(c *method.Configured, _ string) string { return suitsMasses(c) }
	return []method.Picture{
		{
			Name: "groups", Title: "the groups in the plane",
			Draw: drawGroups,
		},
		{
			Name:  "rough",
			Title: "which rows surely and possibly belong to each group, in the plane",
			Needs: needsFewClusters, Draw: drawRough,
		},
		{
			Name: "masses", Title: "the masses of each row",
			Suits: ofMasses, Needs: needsMasses, Draw: drawMasses,
		},
		{
			Name: "focal", Title: "the mass of one focal set",
			Argument: "SET", Example: "focal:1+2, focal:all or focal:empty", Any: anyFocal,
			Suits: suitsFocal, Needs: needsFocal, Draw: drawFocal,
		},
		{ // of any number of rows: plot.HeatMap takes means over some of each block
			Name: "heatmap", Title: "the dissimilarities, in the order of groups and certainty",
			Suits: ofMasses, Needs: needsMasses, Draw: drawHeatMap,
		},
		{
			Name: "dendrogram", Title: "the tree that rows are joined into",
			Suits: suitsTree, Needs: needsTree, Draw: drawDendrogram,
		},
		{ // of any number of rows: eval.Silhouette scores a sample of many
			Name:  "silhouette",
			Title: "how much nearer rows are to their own group than to the next (silhouettes)",
			Needs: needsSilhouettes, Draw: drawSilhouettes,
		},
		{
			Name: "choice", Title: "the criterion at each number of clusters of a range",
			Suits: suitsChoice, Needs: needsChoice, Draw: drawChoice,
		},
	}
}

// All returns all pictures: those of any result, and then those of single methods.
func All() []method.Picture {
	list := ofAny()
	for _, m := range all.List() {
		for _, p := range m.Pictures {
			if !slices.ContainsFunc(list, func(q method.Picture) bool { return q.Name == p.Name }) {
				list = append(list, p)
			}
		}
	}
	return list
}

// Names lists the names of all pictures with their arguments, as in "groups, focal:SET or trace".
func Names() string {
	var names []string
	for _, p := range All() {
		name := p.Name
		if p.Argument != "" {
			name += ":" + p.Argument
		}
		names = append(names, name)
	}
	return words.List(names, "or")
}

// Find returns the picture of a choice, as in "rough" or "focal:1+2", and its argument. A choice
// that names none is a [fault.Setting].
func Find(choice string) (p method.Picture, argument string, err error) {
	name, argument, has := strings.Cut(choice, ":")
	for _, p := range All() {
		switch {
		case p.Name != name:
		case has && p.Argument == "":
			return p, "", fault.Settingf("--picture is %.40q: %s takes nothing after it", choice,
				name)
		case p.Argument != "" && argument == "":
			return p, "", fault.Settingf("--picture %s:%s shows %s: name it, as in %s", name,
				p.Argument, p.Title, p.Example)
		default:
			return p, argument, nil
		}
	}
	return p, "", fault.Settingf("--picture is %.40q: give %s", choice, Names())
}

// Check returns a [fault.Setting] where a choice names no picture, or one of what a configured
// method does not find, as far as that is known before a fit. "" is the default, which every method
// has.
func Check(c *method.Configured, choice string) error {
	if choice == "" {
		return nil
	}
	p, argument, err := Find(choice)
	if err != nil {
		return err
	}
	is := func(q method.Picture) bool { return q.Name == p.Name }
	if !slices.ContainsFunc(ofAny(), is) && !slices.ContainsFunc(c.Pictures, is) {
		return fault.Settingf("--picture %s: it is of a fit by %s, and %s is none", choice,
			makers(p.Name), c.Name)
	}
	if p.Suits != nil {
		if why := p.Suits(c, argument); why != "" {
			return fault.Settingf("--picture %s: %s", choice, why)
		}
	}
	return nil
}

// makers lists the methods that have a picture of their own.
func makers(picture string) string {
	var names []string
	for _, m := range all.List() {
		for _, p := range m.Pictures {
			if p.Name == picture {
				names = append(names, m.Name)
			}
		}
	}
	return strings.Join(names, ", ")
}

// Default returns the name of the picture that is drawn of a scene where none is chosen: rough
// where there are masses, and of objects that are no vectors; groups of all else.
func Default(s *method.Scene) string {
	out := s.Outcome
	if out.Credal != nil || !s.Vectors() && out.Clusters <= belief.MaxClusters {
		return "rough"
	}
	return "groups"
}

// Draw draws a scene. "" chooses the default. It fails with a [fault.Setting] where the choice
// names no picture, and otherwise as [method.Picture.Needs] and Draw do.
func Draw(ctx context.Context, s *method.Scene, choice string) (*plot.Figure, error) {
	choice = cmp.Or(choice, Default(s))
	p, argument, err := Find(choice)
	if err != nil {
		return nil, err
	}
	scene := *s
	scene.Argument = argument
	if p.Needs != nil {
		if err := p.Needs(&scene); err != nil {
			return nil, err
		}
	}
	return p.Draw(ctx, &scene)
}

// Offer is a picture, and whether it can be drawn of a scene.
type Offer struct {
	method.Picture
	Default bool
	// Lacks explains why the picture cannot be drawn; nil: it can. Of a picture with an argument it
	// is nil where there is an argument that it can be drawn with.
	Lacks error
}

// Offers returns all pictures, and which of them can be drawn of a scene.
func Offers(s *method.Scene) []Offer {
	var offers []Offer
	standard := Default(s)
	for _, p := range All() {
		o := Offer{Picture: p, Default: p.Name == standard}
		scene := *s
		if p.Any != nil {
			scene.Argument = p.Any(s)
		}
		if p.Needs != nil {
			o.Lacks = p.Needs(&scene)
		}
		offers = append(offers, o)
	}
	return offers
}
