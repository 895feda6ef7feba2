package competitive

// Floats is marshalled as base64 of little-endian float64, exactly.
type Floats []float64

// State is everything that a learner knows.
type State struct {
	Version int `json:"version"`
}

// State gives everything that the learner knows.
func (l *Learner) State() State { panic("not yet") }

// Restore makes a learner that goes on where State was taken.
func Restore(s State) (*Learner, error) { panic("not yet") }
