// Package encode is what turns texts into vectors by their meaning: an encoder, and how a model
// remembers the one that it was made with. Package data/encode/static has the encoder that is built
// in; latent semantic analysis, which is fitted to the texts at hand, is package data/lsa.
package encode

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
)

// Names of encoders that are no folder and no address.
const (
	Builtin = "builtin" // package data/encode/static
	LSA     = "lsa"     // package data/lsa
)

// An Encoder turns texts into vectors. It is safe for many goroutines.
type Encoder interface {
	// Identity returns what a model keeps of the encoder, to find it again.
	Identity() Identity

	// Encode returns a row per text, of type float32 and [Identity.Dimensions] columns: of length 1,
	// or all 0 where the encoder knows nothing of the text. The rows depend on no setting of o. If
	// ctx is cancelled, its error is returned, within a second.
	Encode(ctx context.Context, texts []string, o Options) (dataset.Matrix, error)
}

// Options are how an encoder works, and not what it returns. The zero value works.
type Options struct {
	// Threads to use. 0 means one per processor.
	Threads int

	// Progress, if not nil, is called with what is being done and the share of it that is done, in
	// [0, 1]. It is called by one goroutine at a time.
	Progress func(what string, share float64)
}

// Identity is what a model keeps of its encoder.
type Identity struct {
	Name       string `json:"name"`            // as in --encoder
	Model      string `json:"model,omitempty"` // of an endpoint that has several
	Digest     string `json:"digest"`          // of all that vectors depend on, SHA-256 in hex
	Dimensions int    `json:"dimensions"`

	// Counts is how often the pieces of words occurred in the texts that the encoder was fitted to,
	// where it goes by that.
	Counts *Counts `json:"counts,omitempty"`

	// Common is what is subtracted from each vector, as those of the texts that the encoder was
	// fitted to have it in common; nil: nothing is.
	Common []float32 `json:"common,omitempty"`
}

// Counts is how often pieces of words occurred.
type Counts struct {
	Pieces []int32 `json:"pieces"` // their numbers, ascending
	Times  []int64 `json:"times"`  // of each, above 0
}

// maxDimensions bounds the vectors of texts.
const maxDimensions = 1 << 16

// Check returns a [*fault.Input] unless the identity, read from a file, holds together.
func (id *Identity) Check() error {
	bad := func(format string, args ...any) error {
		return &fault.Input{Problem: "the encoder of the model cannot be used: " +
			fmt.Sprintf(format, args...), Fix: "make the model again"}
	}
	switch c := id.Counts; {
	case id.Name == "" || id.Name == LSA:
		return bad("it has the name %q", id.Name)
	case id.Dimensions < 1 || id.Dimensions > maxDimensions:
		return bad("it has %d dimensions", id.Dimensions)
	case id.Common != nil && len(id.Common) != id.Dimensions:
		return bad("%d numbers are subtracted from %d", len(id.Common), id.Dimensions)
	case slices.ContainsFunc(id.Common, func(v float32) bool { return !(v >= -1 && v <= 1) }):
		return bad("numbers are subtracted that are not from -1 to 1")
	case c == nil:
	case len(c.Pieces) != len(c.Times):
		return bad("%d pieces of words were counted %d times", len(c.Pieces), len(c.Times))
	default:
		for i, piece := range c.Pieces {
			if piece < 0 || i > 0 && c.Pieces[i-1] >= piece {
				return bad("its pieces of words are not in order")
			}
			if c.Times[i] < 1 || c.Times[i] > math.MaxInt64/2/int64(len(c.Pieces)) {
				return bad("a piece of a word was counted %d times", c.Times[i])
			}
		}
	}
	return nil
}

// Same returns a [*fault.Input] unless an encoder that was found again is the one of an identity.
func (id *Identity) Same(found Identity) error {
	if found.Digest == id.Digest && found.Dimensions == id.Dimensions && found.Model == id.Model {
		return nil
	}
	return &fault.Input{Problem: fmt.Sprintf("the model was made with another encoder than %s is now",
		id.Name), Fix: "give the encoder that it was made with, or make the model again"}
}
