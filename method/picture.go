package method

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/plot"
)

// Picture is one way to draw a result. Package gallery lists them all; a method has those that are
// of its own results in [Method.Pictures].
type Picture struct {
	Name  string // as in --picture
	Title string // one line, without a full stop

	// Argument is what follows the name after a colon, as in SET; "": nothing does. Example has
	// choices with it. Any returns an argument that a scene can be drawn with; "": there is none.
	Argument string
	Example  string
	Any      func(s *Scene) string

	// Suits, unless nil, returns a clause on why what a configured method finds cannot be drawn,
	// as in "it is of masses, and kmeans has none"; "" where it can, as far as is known before a
	// fit.
	Suits func(c *Configured, argument string) string

	// Needs, unless nil, returns an error about what a scene lacks; nil where it can be drawn.
	// It is quick.
	Needs func(s *Scene) error

	// Draw draws a scene that has what the picture needs.
	Draw func(ctx context.Context, s *Scene) (*plot.Figure, error)
}

// Layout names a way to bring rows into the plane. "" is PCA for vectors, and MDS for other
// objects.
type Layout string

const (
	// PCA is the first two principal components of vectors, or their one or two columns.
	PCA Layout = "pca"

	// MDS is multidimensional scaling of the dissimilarities (package plot/mds).
	MDS Layout = "mds"

	// Neighbours places rows near their nearest neighbours (package plot/layout).
	Neighbours Layout = "neighbours"
)

// Scene is a result to be drawn. Only Problem and Outcome are needed. What they hold stays as it
// is.
type Scene struct {
	Problem Problem // what was clustered; Threads and Progress are of the drawing
	Outcome *Outcome
	Name    string      // of the data; of a path, the last part is shown
	Title   string      // "": Name and the number of clusters
	Links   []link.Link // to draw

	// Units are the rows as the plane shows them, where that is not as Problem.Data has them, such
	// as in the units of a file. Columns names the columns of both.
	Units   dataset.Matrix
	Columns []string

	Layout Layout // how rows are brought into the plane

	// View returns where the rows lie in the plane by a layout. nil: it is worked out.
	View func(ctx context.Context, l Layout) (plot.View, error)

	// Placed, unless nil, is called with where the rows lie in a picture of the plane, and how well
	// neighbours are kept there.
	Placed func(view plot.View)

	ClusterNames []string             // of cluster c at c−1; nil: group 1, group 2, …
	ID           func(row int) string // nil: numbers from 1
	Argument     string               // of the picture, without the colon
}

// Vectors reports whether the rows are vectors.
func (s *Scene) Vectors() bool { return s.Problem.Data.Rows > 0 && s.Problem.Data.Cols > 0 }

// Heading returns the title for so many clusters.
func (s *Scene) Heading(clusters int) string {
	if s.Title != "" {
		return s.Title
	}
	return fmt.Sprintf("%s: %s", filepath.Base(s.Name), words.Count(clusters, "group"))
}

// Names returns the names of so many clusters.
func (s *Scene) Names(clusters int) []string {
	names := make([]string, clusters)
	for k := range names {
		if names[k] = fmt.Sprintf("group %d", k+1); k < len(s.ClusterNames) {
			names[k] = s.ClusterNames[k]
		}
	}
	return names
}

// RowID returns the name of a row.
func (s *Scene) RowID(row int) string {
	if s.ID == nil {
		return fmt.Sprint(row + 1)
	}
	return s.ID(row)
}
