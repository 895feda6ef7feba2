package studio

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/kindred-go/kindred/plot/gallery"
	"github.com/kindred-go/kindred/project"
)

// PictureOffer is a picture of the groups, and whether it can be drawn of them as they stand.
type PictureOffer struct {
	Name     string `json:"name" doc:"as the kind of exports/picture.svg and .png"`
	Title    string `json:"title"`
	Argument string `json:"argument,omitempty" doc:"what follows the name after a colon"`
	Example  string `json:"example,omitempty" doc:"kinds with an argument"`
	Default  bool   `json:"default,omitempty" doc:"it is drawn where no kind is given"`
	Lacks    string `json:"lacks,omitempty" doc:"why it cannot be drawn; absent: it can"`
}

// PictureOffers are all pictures.
type PictureOffers struct {
	Pictures []PictureOffer `json:"pictures"`
}

// pictureCalls registers which pictures there are.
func (s *Server) pictureCalls(api huma.API) {
	show(s, api, call("pictures", "GET /projects/{p}/pictures", "results",
		"Which pictures can be drawn of the groups"),
		func(ctx context.Context, v visit, _ *InProject) (PictureOffers, error) {
			scene, err := v.Scene(ctx)
			if err != nil {
				return PictureOffers{}, err
			}
			list := []PictureOffer{}
			for _, o := range gallery.Offers(scene) {
				p := PictureOffer{Name: o.Name, Title: o.Title, Argument: o.Argument,
					Example: o.Example, Default: o.Default}
				if o.Lacks != nil {
					p.Lacks = o.Lacks.Error()
				}
				list = append(list, p)
			}
			return PictureOffers{list}, nil
		})
}

// writePicture draws the groups. kind is a name of the gallery; "" is its default.
func writePicture(ctx context.Context, d *project.Project, kind, path string) error {
	scene, err := d.Scene(ctx)
	if err != nil {
		return err
	}
	fig, err := gallery.Draw(ctx, scene, kind)
	if err != nil {
		return err
	}
	return fig.Save(path)
}
