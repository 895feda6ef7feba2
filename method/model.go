package method

import (
	"context"
	"errors"
	"fmt"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/data/encode"
	"github.com/kindred-go/kindred/data/lsa"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/internal/disjoint"
)

// Model places new rows into a partition: a row belongs to the cluster of the nearest mean, or of
// the nearest object kept, or, in a credal partition, gets the mass function that its distances from
// means or its dissimilarities to landmarks call for. Package method/model reads, writes and applies
// it.
type Model struct {
	Method string
	// Means is K×d float64, in prepared units; empty where there are landmarks or exemplars.
	Means     dataset.Matrix
	ClusterOf []int // cluster of each mean, from 1
	// Metric is the metric in which the mean is nearest: "" (Euclidean), diagonal or full.
	Metric    string
	Roots     []float64        // of each mean's metric; see competitive.Result
	Offsets   []float64        // added to the squared distance from each mean; nil: nothing is
	Degrees   *Degrees         // how far rows belong to each mean; nil: to the nearest alone
	Masses    *Masses          // means place rows into a credal partition; nil: they do not
	Exemplars *Exemplars       // objects kept; nil where there are means or landmarks
	Landmarks *Landmarks       // nil where there are means or exemplars
	Condensed *Condensed       // the fitted objects in a condensed tree; else nil
	Encoding  dataset.Encoding // how rows are prepared
	// Texts is how texts become the rows that Encoding prepares; nil: they are those of a table.
	Texts *Texts
	// Vectors is the column of lists of numbers whose numbers are columns of the table; "": none.
	Vectors string
	// Unverified means that the model was read from a file without a digest, as the first edition
	// wrote them, so that damage to it is not noticed.
	Unverified bool
}

// Degrees is how far a row belongs to each mean, by its squared distances s from them, offsets
// included.
type Degrees struct {
	// Fuzziness is the exponent m of fuzzy memberships, above 1, which are in the ratio of
	// s^(−1/(m−1)). 0: the degrees are probabilities, in the ratio of exp(−s/2).
	Fuzziness float64 `json:"fuzziness,omitempty"`
}

// Check returns an error unless the degrees, read from a file, are of a model of means.
func (d *Degrees) Check(m *Model) error {
	fuzzy := d.Fuzziness > 1 && m.Offsets == nil
	if m.Means.Rows == 0 || d.Fuzziness != 0 && !fuzzy {
		return errors.New("the model does not say how rows belong to its means")
	}
	for _, c := range m.ClusterOf {
		if c > m.Means.Rows {
			return fmt.Errorf("a mean of the model is of cluster %d of %d", c, m.Means.Rows)
		}
	}
	return nil
}

// Masses is how a row shares its mass out among sets of clusters by its distances from the means, the
// first of which is that of cluster 1, as the evidential c-means does (package cluster/ecm). Its
// fields can be written and read as JSON.
type Masses struct {
	Focal         []belief.Set `json:"focal"`
	Fuzziness     float64      `json:"fuzziness"`             // β
	SetPenalty    float64      `json:"set_penalty,omitempty"` // α; 0: 1
	Barycentre    float64      `json:"barycentre,omitempty"`  // γ of the credal c-means; 0: it is not this
	NoiseDistance float64      `json:"noise_distance"`        // δ, in prepared units
}

// Texts is how the texts of a column become rows of numbers: by latent semantic analysis or by an
// encoder.
type Texts struct {
	Column  string           `json:"column"`
	Words   *lsa.Model       `json:"words,omitempty"`
	Encoder *encode.Identity `json:"encoder,omitempty"` // nil where there are Words
	Beside  []string         `json:"beside,omitempty"`  // columns that are features, too
}

// Check returns an error unless the texts, read from a file, become rows of so many numbers.
func (t *Texts) Check(columns int) error {
	dims := 0
	switch {
	case (t.Words == nil) == (t.Encoder == nil):
	case t.Words != nil:
		dims = t.Words.Dimensions()
	default:
		if err := t.Encoder.Check(); err != nil {
			return err
		}
		dims = t.Encoder.Dimensions
	}
	if dims == 0 || dims+len(t.Beside) != columns {
		return errors.New("the model does not say how its texts become rows")
	}
	return nil
}

// DefaultModelRows is how many fitted objects a credal model keeps to place new ones by, when
// nobody says: 500.
const DefaultModelRows = 500

// Landmarks place new objects into a credal partition: fitted objects that stand for all.
type Landmarks struct {
	Kept
	By CredalPlacer
}

// CredalPlacer finds the mass functions of new objects by their dissimilarities to landmarks.
type CredalPlacer interface {
	// Len returns the number of landmarks.
	Len() int
	// Check returns an error unless the placer, read from a file, can be used.
	Check() error
	// Place returns the masses of n objects, whose dissimilarities to the landmarks rows has.
	Place(ctx context.Context, rows dissim.Rows, n, threads int) (*credal.Partition, error)
}

// Condensed place new objects by the condensed tree of all that were fitted.
type Condensed struct {
	Kept
	By Placer
}

// Placer finds the clusters of new objects among the fitted ones.
type Placer interface {
	// Len returns the number of fitted objects.
	Len() int
	// Check returns an error unless the placer, read from a file, can be used.
	Check() error
	// Place returns where each of n objects is, its labels and strengths, and masses unless there are
	// too many clusters. Rows has their dissimilarities to the fitted objects.
	Place(ctx context.Context, rows dissim.Rows, n, threads int) (*Outcome, error)
	// PlaceVectors does so for vectors that are compared by Euclidean distance.
	PlaceVectors(ctx context.Context, fitted, new dataset.Matrix, threads int) (*Outcome, error)
}

// PlaceByCondensed returns the model of a condensed tree of all objects of a problem. It shares its
// rows.
func PlaceByCondensed(p Problem, by Placer) (*Model, error) {
	_, objects, err := p.Compared()
	if err != nil {
		return nil, err
	}
	c := &Condensed{By: by}
	c.Fitted, c.Which, c.Objects = by.Len(), disjoint.Singletons(by.Len()), objects
	return &Model{Condensed: c}, nil
}

// Credal reports whether the model places rows into a credal partition.
func (m *Model) Credal() bool { return m.Landmarks != nil || m.Masses != nil }
