package competitive

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"

	"github.com/kindred-go/kindred/cluster/competitive"
)

// progress is the state between rounds.
type progress struct {
	Round   int // rounds learnt
	Shared  competitive.Shared
	Pass    competitive.Share  // of the pass under way, without prototypes
	Last    competitive.Floats // of the last whole pass: rows nearest to each prototype
	Rows    int64              // of the last whole pass
	Trace   []float64
	Started bool // a pass is under way
}

// advance takes over what the learners of a round came to.
func (p *progress) advance(all competitive.Share, turns int) {
	p.Shared = p.Shared.After(all)
	if !p.Started {
		p.Pass = competitive.Share{Nearest: make(competitive.Floats, len(all.Nearest))}
		p.Started = true
	}
	p.Pass.Rows += all.Rows
	p.Pass.Squared += all.Squared
	for j, n := range all.Nearest {
		p.Pass.Nearest[j] += n
	}
	p.Round++
	if p.Round%turns == 0 {
		p.Last, p.Rows, p.Trace, p.Started = p.Pass.Nearest, p.Pass.Rows,
			append(p.Trace, p.Pass.Squared), false
	}
}

func (p progress) encode() []byte {
	data, err := json.Marshal(p)
	if err != nil {
		panic(err) // numbers are finite: rows and prototypes are bounded
	}
	return data
}

func decodeProgress(state []byte) (p progress, err error) {
	return p, json.Unmarshal(state, &p)
}

// encodeShare returns a share in as many bytes as its numbers have.
func encodeShare(s competitive.Share) []byte {
	out := make([]byte, 0, 8*(4+len(s.Prototypes)+2*len(s.Wins)))
	out = binary.LittleEndian.AppendUint64(out, uint64(s.Rows))
	out = binary.LittleEndian.AppendUint64(out, uint64(len(s.Wins)))
	out = binary.LittleEndian.AppendUint64(out, math.Float64bits(s.Squared))
	for _, values := range [3]competitive.Floats{s.Wins, s.Nearest, s.Prototypes} {
		for _, v := range values {
			out = binary.LittleEndian.AppendUint64(out, math.Float64bits(v))
		}
	}
	return out
}

func decodeShare(data []byte) (s competitive.Share, err error) {
	if len(data) < 24 || len(data)%8 != 0 ||
		binary.LittleEndian.Uint64(data[8:])*2 > uint64(len(data)/8-3) {
		return s, errors.New("online: what a learner came to is damaged")
	}
	number := func(i int) float64 {
		return math.Float64frombits(binary.LittleEndian.Uint64(data[8*i:]))
	}
	k := int(binary.LittleEndian.Uint64(data[8:]))
	s.Rows, s.Squared = int64(binary.LittleEndian.Uint64(data)), number(2)
	values := make(competitive.Floats, len(data)/8-3)
	for i := range values {
		values[i] = number(3 + i)
	}
	s.Wins, s.Nearest, s.Prototypes = values[:k], values[k:2*k], values[2*k:]
	return s, nil
}
