package competitive

import (
	"encoding/base64"
	"encoding/binary"
	"math"
	"slices"

	"github.com/kindred-go/kindred/link"
)

// Floats are numbers that text keeps exactly: base64 of their bits, each in eight bytes, the lowest
// first.
type Floats []float64

// MarshalText returns base64.
func (f Floats) MarshalText() ([]byte, error) {
	raw := make([]byte, 0, 8*len(f))
	for _, v := range f {
		raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(v))
	}
	return base64.StdEncoding.AppendEncode(nil, raw), nil
}

// UnmarshalText reads what MarshalText returns.
func (f *Floats) UnmarshalText(text []byte) error {
	raw, err := base64.StdEncoding.AppendDecode(nil, text)
	if err != nil || len(raw)%8 != 0 {
		return damaged("numbers that are not base64 of eight bytes each")
	}
	*f = make(Floats, 0, len(raw)/8)
	for ; len(raw) > 0; raw = raw[8:] {
		*f = append(*f, math.Float64frombits(binary.LittleEndian.Uint64(raw)))
	}
	return nil
}

// StateVersion is the version of states that this package makes and takes.
const StateVersion = 1

// State is the whole state of a learner: one restored from it goes on as the one it was
// taken of would, to the bit. It shares no memory with either.
type State struct {
	Version int    `json:"version"`
	Config  Config `json:"config"`
	Cols    int    `json:"cols"`
	Rows    int64  `json:"rows"`

	Prototypes Floats  `json:"prototypes"` // k×d
	Wins       Floats  `json:"wins"`       // in units of Gain
	Nearest    Floats  `json:"nearest"`
	Gain       float64 `json:"gain"`
	Falling    float64 `json:"falling,omitempty"` // the learning rate of Power
	Now        []int64 `json:"now"`               // rows of this window nearest to each prototype
	Before     []int64 `json:"before"`            // and of the last

	Shapes *ShapesState `json:"shapes,omitempty"`

	Window Floats  `json:"window,omitempty"` // the latest rows, oldest first
	Gone   []int64 `json:"gone,omitempty"`   // those of them that were forgotten

	// rows that links name, as they are presented in turn
	Linked []LinkedState `json:"linked,omitempty"`
	Links  []LinkState   `json:"links,omitempty"` // by when they were made
	Clock  int64         `json:"clock,omitempty"`
	Turn   int           `json:"turn,omitempty"` // of Linked, who is presented next

	Counted counts `json:"counted"`
}

// ShapesState is the state of the metrics of prototypes.
type ShapesState struct {
	Start Floats  `json:"start"`
	Cov   Floats  `json:"cov"`
	Root  Floats  `json:"root"`
	Wins  []int64 `json:"wins"`
}

// LinkedState is a row that links name.
type LinkedState struct {
	Number int64  `json:"number"`
	Row    Floats `json:"row"`
	Latest int64  `json:"latest"` // clock when it was last linked
}

// LinkState is a link held.
type LinkState struct {
	A          int64     `json:"a"`
	B          int64     `json:"b"`
	Kind       link.Kind `json:"kind"`
	Confidence float64   `json:"confidence"`
	Since      int64     `json:"since"` // clock when it was made
}

// State returns the state of the learner.
func (l *Learner) State() State {
	c, m := l.core, l.memory
	s := State{Version: StateVersion, Config: c.cfg, Cols: c.d, Rows: c.rows,
		Prototypes: c.prototypes(), Wins: slices.Clone(c.wins), Nearest: slices.Clone(c.nearest),
		Gain: c.gain, Falling: c.rates.falling,
		Now: slices.Clone(c.now), Before: slices.Clone(c.before),
		Window: m.window(), Clock: m.clock, Turn: m.turn, Counted: l.counted}
	if c.shapes != nil {
		s.Shapes = &ShapesState{slices.Clone(c.shapes.start), slices.Clone(c.shapes.cov),
			slices.Clone(c.shapes.root), slices.Clone(c.shapes.wins)}
	}
	for number := range m.gone {
		if m.recent(number) {
			s.Gone = append(s.Gone, number)
		}
	}
	slices.Sort(s.Gone)
	for _, row := range m.order {
		s.Linked = append(s.Linked, LinkedState{row.number, slices.Clone(row.row), row.latest})
	}
	for _, t := range m.ties() {
		s.Links = append(s.Links, LinkState{t.a.number, t.b.number, t.kind, t.confidence, t.since})
	}
	return s
}

// window returns the latest rows, oldest first.
func (m *memory) window() Floats {
	held := int(min(m.total, int64(m.room)))
	if held == 0 {
		return nil
	}
	from := int((m.total-int64(held))%int64(m.room)) * m.d
	if held < m.room {
		return slices.Clone(m.ring[:held*m.d])
	}
	return slices.Concat(m.ring[from:], m.ring[:from])
}
