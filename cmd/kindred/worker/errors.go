package worker

import (
	"context"
	"errors"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

// failure is an error as a client sees it.
type failure struct {
	Kind    string `json:"kind"` // input, setting, cancelled, gone, memory, protocol or internal
	Message string `json:"message"`

	// of bad input: what is wrong with which row, from 0, and column, and the fix
	Problem string `json:"problem,omitempty"`
	Fix     string `json:"fix,omitempty"`
	File    string `json:"file,omitempty"`
	Row     *int   `json:"row,omitempty"`
	Column  string `json:"column,omitempty"`

	Chain [][3]any `json:"chain,omitempty"` // links that contradict, as a, b, same or different
}

// explain returns an error as a client sees it.
func explain(err error) failure {
	f := failure{Kind: "internal", Message: err.Error()}
	var frame errFrame
	var setting fault.Setting
	var clash *link.Contradiction
	switch in, isInput := errors.AsType[*fault.Input](err); {
	case errors.As(err, &frame):
		f.Kind = "protocol"
	case errors.Is(err, errGone):
		f.Kind = "gone"
	case errors.Is(err, errMemory):
		f.Kind = "memory"
	case errors.Is(err, context.Canceled):
		f.Kind = "cancelled"
	case errors.As(err, &clash):
		f.Kind = "input"
		for _, l := range append(clash.Chain, clash.Link) {
			f.Chain = append(f.Chain, [3]any{l.A, l.B, l.Kind.String()})
		}
	case errors.As(err, &setting):
		f.Kind = "setting"
	case isInput:
		f.Kind, f.Problem, f.Fix, f.File, f.Column = "input", in.Problem, in.Fix, in.File, in.Column
		if in.Row > 0 {
			row := in.Row - 1
			f.Row = &row
		}
	}
	return f
}
