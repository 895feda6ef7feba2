// Package fold runs computations that read blocks of rows in rounds: on an engine through Apache
// Beam, or in this process.
//
// A [Job] describes how a split of a table is folded into a few parts, how the parts of all splits
// are merged, and what state the next round starts from. Parts are merged in order of split, so the
// outcome depends on the files and the configuration, and not on how many workers there are, how
// the engine cuts its bundles, or how often it repeats one that failed.
//
// Jobs are registered by name, as a worker is another process: it gets the name, the configuration
// and the state as bytes.
package fold

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/kindred-go/kindred/scale/shard"
)

// Job is a computation in rounds. In each round every split is read once, with the state of the
// round before at hand. A Job is used by many goroutines at once and must not change.
type Job interface {
	// Kernel returns what folds a split; it is made on a worker. Nil, without an error, means that
	// the split is not read in this round.
	Kernel(state []byte, split shard.Split) (Kernel, error)

	// Merge makes one of all parts that have a key, sorted by split. Keys are merged each by
	// itself, on any worker.
	Merge(state []byte, key int64, parts []Part) ([]byte, error)

	// Next makes the state that the next round starts from. It is called on one worker, with what
	// was merged sorted by key. Done reports that no further round is wanted.
	Next(state []byte, merged []Merged) (next []byte, done bool, err error)
}

// Kernel folds the blocks of one split. One goroutine uses it.
type Kernel interface {
	// Block takes the next block of the split. The block is used again afterwards.
	Block(b *shard.Block) error

	// End returns what the split comes to: at most one part for each key. What is large is cut into
	// keys, so that many workers merge it.
	End(emit func(key int64, data []byte)) error
}

// Part is what a split comes to, for one key.
type Part struct {
	Split int
	Data  []byte
}

func (p Part) bytes() []byte { return p.Data }

// Merged is what the parts of a key come to.
type Merged struct {
	Key  int64
	Data []byte
}

func (m Merged) bytes() []byte { return m.Data }

// Heavy is a [Job] that knows how many bytes a kernel takes, beside the block it is given. A worker
// that lacks them fails before it begins.
type Heavy interface {
	KernelBytes(state []byte) int64
}

// Plan is a computation to be run.
type Plan struct {
	Name   string // names its checkpoints: letters, digits and hyphens
	Job    string // the name it was registered by
	Config []byte // of the job, as JSON
	Source shard.Source
	Splits []shard.Split
	State  []byte // of the first round; the others have that of the round before
	Rounds int    // at most; 0: 1
}

// Outcome is what a computation came to.
type Outcome struct {
	State   []byte
	Rounds  int         // that were run, those of earlier tries included
	Resumed int         // of them, those of earlier tries
	Done    bool        // as the job reported
	Tally   shard.Tally // of the last round that was run; zero when none had to be
}

// Runner runs plans.
type Runner interface {
	// Rounds runs a plan, going on from where an earlier try of the same plan left off. It fails
	// with a *fault.Input for data that cannot be used, and when ctx is done.
	Rounds(ctx context.Context, p Plan) (Outcome, error)
}

// Check refuses plans that no runner can run.
func (p Plan) Check() error {
	if len(p.Splits) == 0 {
		return fmt.Errorf("fold: plan %q has no splits", p.Name)
	}
	for i, s := range p.Splits {
		if s.Index != i {
			return fmt.Errorf("fold: split %d of plan %q has the index %d", i, p.Name, s.Index)
		}
	}
	return nil
}

// Digest returns the SHA-256 of a value's JSON, in hexadecimal.
func Digest(v any) (string, error) {
	data, err := json.Marshal(v)
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), err
}

// Most returns how many rounds to run at most.
func (p Plan) Most() int { return max(1, p.Rounds) }
