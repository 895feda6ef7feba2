package competitive

import (
	"context"
	"errors"

	"github.com/kindred-go/kindred/dataset"
	"github.com/kindred-go/kindred/link"
)

// Errors of [Learner.Link] and [Learner.Forget].
var (
	ErrUnseen    = errors.New("the row has not been seen yet")
	ErrForgotten = errors.New("the row has left the memory")
)

// Label says where a row belongs.
type Label struct {
	Cluster  int32   // nearest prototype, from 0; the lowest among equals
	RunnerUp int32   // second nearest; -1 with one prototype
	Distance float64 // to the nearest prototype, before it learnt the row
	Margin   float64 // distance to the runner-up less Distance; 0 with one prototype
}

// LinkResult tells what a link did.
type LinkResult struct {
	Replaced bool // the pair had a link, which this one replaces or takes back
	Kept     bool // it contradicts others and is kept all the same, since the policy says so
	Met      bool // after learning, the two rows are labelled as the link says; true when a link was taken back
}

// Learner learns rows as they come. One goroutine at a time may change it; Label and Snapshot may be called by any number at the same time.
type Learner struct{}

// New places the starting prototypes by a sample of rows, which it neither learns nor changes.
func New(cfg Config, warm dataset.Matrix) (*Learner, error) { panic("not yet") }

// Observe learns one row.
func (l *Learner) Observe(row []float64) (number int64, label Label, err error) { panic("not yet") }

// ObserveRows learns m rows, row-major.
func (l *Learner) ObserveRows(ctx context.Context, rows []float64, labels []Label) (first int64, err error) {
	panic("not yet")
}

// Link states a link.
func (l *Learner) Link(a, b int64, kind link.Kind, confidence float64) (LinkResult, error) {
	panic("not yet")
}

// Forget makes a row and its links leave.
func (l *Learner) Forget(number int64) error { panic("not yet") }

// Label labels a row by the last published snapshot.
func (l *Learner) Label(row []float64) (Label, error) { panic("not yet") }

// Snapshot gives the last published snapshot.
func (l *Learner) Snapshot() *Snapshot { panic("not yet") }

// Publish publishes.
func (l *Learner) Publish() *Snapshot { panic("not yet") }

// Statistics counts.
func (l *Learner) Statistics() Statistics { panic("not yet") }

// Config gives the configuration, defaults filled in.
func (l *Learner) Config() Config { panic("not yet") }

// Cols gives the number of values of a row.
func (l *Learner) Cols() int { panic("not yet") }

// State gives everything that the learner knows.
func (l *Learner) State() State { panic("not yet") }

// Restore makes a learner that goes on where State was taken.
func Restore(s State) (*Learner, error) { panic("not yet") }

// Statistics counts what a learner has met.
type Statistics struct {
	Rows         int64 `json:"rows"`         // rows learnt
	Links        int64 `json:"links"`        // links given, those taken back included
	Must         int   `json:"must"`         // must-links held now
	Cannot       int   `json:"cannot"`       // cannot-links held now
	Met          int   `json:"met"`          // links held that the prototypes as they stand meet
	Violated     int   `json:"violated"`     // links held that they do not
	Contradicted int64 `json:"contradicted"` // links that contradicted others, refused or kept
	Evicted      int64 `json:"evicted"`      // linked rows that left to make room
	Forgotten    int64 `json:"forgotten"`    // rows that left by Forget
	Rehearsed    int64 `json:"rehearsed"`    // rows presented again
	Remembered   int   `json:"remembered"`   // latest rows that can be linked
	Linked       int   `json:"linked"`       // rows kept because links name them
	Clusters     int   `json:"clusters"`     // prototypes that stand for data
}

// Snapshot is a learner at one moment. It never changes.
type Snapshot struct {
	Prototypes dataset.Matrix // k×d
	Wins       []float64      // competitions won, a prototype
	Nearest    []float64      // rows that each prototype was nearest to
	Rows       int64          // rows learnt
	Active     []bool         // prototypes that stand for data
}

// Label labels a row.
func (s *Snapshot) Label(row []float64) (Label, error) { panic("not yet") }

// Clusters gives the number of active prototypes.
func (s *Snapshot) Clusters() int { panic("not yet") }

// Floats is marshalled as base64 of little-endian float64, exactly.
type Floats []float64

// State is everything that a learner knows.
type State struct {
	Version int `json:"version"`
}
