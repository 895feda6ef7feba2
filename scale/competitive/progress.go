package competitive

import (
	"encoding/json"
	"errors"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/scale/fold"
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
	return fold.AppendNumbers(nil, s.Rows, int64(len(s.Wins)), s.Squared, []float64(s.Wins),
		[]float64(s.Nearest), []float64(s.Prototypes))
}

func decodeShare(data []byte) (s competitive.Share, err error) {
	values, k := make(competitive.Floats, max(0, len(data)/8-3)), int64(0)
	if err = fold.Numbers(data, &s.Rows, &k, &s.Squared, []float64(values)); err != nil ||
		k < 0 || k > int64(len(values)/2) {
		return s, errors.New("online: what a learner came to is damaged")
	}
	s.Wins, s.Nearest, s.Prototypes = values[:k], values[k:2*k], values[2*k:]
	return s, nil
}
