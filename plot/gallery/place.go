package gallery

import (
	"context"
	"fmt"
	"slices"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/plot"
	"github.com/kindred-go/kindred/plot/layout"
	"github.com/kindred-go/kindred/plot/mds"
)

// LayoutNames returns the names of all layouts.
func LayoutNames() []string {
	return []string{string(method.Neighbours), string(method.PCA), string(method.MDS)}
}

// Layouts lists the names of all layouts, as in "neighbours, pca or mds".
func Layouts() string { return words.List(LayoutNames(), "or") }

// CheckLayout returns a [fault.Setting] where l names no layout. "" is the default.
func CheckLayout(l method.Layout) error {
	if slices.Contains([]method.Layout{"", method.PCA, method.MDS, method.Neighbours}, l) {
		return nil
	}
	return fault.Settingf("--layout is %.40q: give %s", string(l), Layouts())
}

// Place returns where the rows of a scene lie in the plane, as [method.Scene.Layout] describes, and
// how well neighbours are kept where that is known or asked for.
func Place(ctx context.Context, s *method.Scene) (plot.View, error) {
	view, err := s.View, error(nil)
	if view == nil {
		view = func(ctx context.Context, l method.Layout) (plot.View, error) {
			of := *s
			of.Layout = l
			return Arrange(ctx, &of)
		}
	}
	placed, err := view(ctx, s.Layout)
	if err != nil {
		return placed, err
	}
	if s.Placed != nil || s.Layout == method.Neighbours {
		if err := Measure(ctx, s, &placed); err != nil {
			return placed, err
		}
	}
	if s.Layout == method.Neighbours && placed.Quality.Neighbours > 0 {
		placed.Note += ", " + placed.Quality.String()
	}
	if s.Placed != nil {
		s.Placed(placed)
	}
	return placed, nil
}

// Measure adds to a view of a scene how well it keeps neighbours, unless it is known, or the view
// has the columns themselves.
func Measure(ctx context.Context, s *method.Scene, view *plot.View) error {
	if view.Quality.All > 0 || view.Layout == "" {
		return nil
	}
	src, _, err := s.Problem.Compared()
	if err == nil {
		view.Quality, err = layout.Measure(ctx, src, view.Points, 0, s.Problem.Threads)
	}
	return err
}

// Arrange works out where the rows of a scene lie in the plane, whether it has a View or not.
func Arrange(ctx context.Context, s *method.Scene) (plot.View, error) {
	if err := CheckLayout(s.Layout); err != nil {
		return plot.View{}, err
	}
	if s.Vectors() && (s.Layout == "" || s.Layout == method.PCA) {
		x := s.Units
		if x.Rows == 0 {
			x = s.Problem.Data
		}
		view, err := plot.Plane(ctx, x, s.Columns, s.Problem.Threads)
		if view.Projection != nil {
			view.Layout = string(method.PCA)
		}
		return view, err
	}
	if s.Layout == method.PCA {
		return plot.View{}, fault.Settingf("the layout pca: the rows are no vectors, and have no "+
			"principal components: use %s or %s", method.MDS, method.Neighbours)
	}
	src, _, err := s.Problem.Compared()
	if err != nil {
		return plot.View{}, err
	}
	report := fit.Share(s.Problem.Progress)
	if s.Layout == method.Neighbours {
		got, err := layout.Fit(ctx, src,
			layout.Config{Threads: s.Problem.Threads, Progress: report})
		if err != nil {
			return plot.View{}, err
		}
		note := "placed by " + words.Count(got.Neighbours, "nearest neighbour")
		if !got.Exact {
			note += fmt.Sprintf(", of which about %.0f %% are true", 100*got.Recall)
		}
		return plot.View{Points: got.Points, EqualScale: true, Note: note,
			Layout: string(method.Neighbours)}, nil
	}
	cfg := mds.Config{Threads: s.Problem.Threads}
	if report != nil {
		cfg.Progress = func(p mds.Progress) { report(p.Share) }
	}
	got, err := mds.Fit(ctx, src, cfg)
	if err != nil {
		return plot.View{}, err
	}
	return plot.View{
		Points: got.Points, XLabel: "MDS 1", YLabel: "MDS 2", EqualScale: true,
		Layout: string(method.MDS),
		Note: fmt.Sprintf("multidimensional scaling of the dissimilarities, stress-1 %.3f",
			got.Stress1),
	}, nil
}
