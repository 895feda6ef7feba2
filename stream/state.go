package stream

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/atomicfile"
	"github.com/kindred-go/kindred/internal/digest"
	"github.com/kindred-go/kindred/internal/infile"
	"github.com/kindred-go/kindred/internal/memory"
	"github.com/kindred-go/kindred/internal/ours"
)

// stateFormat begins a state file; its version follows.
const (
	stateFormat  = ours.StateFormat
	stateVersion = 1
	mostState    = 1 << 32 // bytes of a state file that is read
)

// State is everything that a run needs to go on: see docs/files.md for the file.
type State struct {
	ID      string            `json:"id"` // of the run, for as long as its state lives
	Layout  Layout            `json:"layout"`
	Source  Position          `json:"source"` // behind the last block that was learnt
	Sink    Position          `json:"sink"`   // where the labels of that block end
	Links   int64             `json:"links"`  // bytes of the followed file of links that were taken
	Learner competitive.State `json:"learner"`
	Roll    rowIndexState     `json:"roll"`
	Held    []heldState       `json:"held,omitempty"`
	Counted Statistics        `json:"counted"`

	path string
}

// NewID returns a name to a run that begins.
func NewID() string { return uuid.NewString() }

// Load reads a state file and checks it whole. Where there is none the error is fs.ErrNotExist; one
// that may not be read, of another version, or damaged, is a [*fault.Input].
func Load(path string) (*State, error) {
	f, err := infile.Open(path, "the state of a stream")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, fault.Inputf("name a file for it",
			"the state is not a file").In(path).Because(err)
	}
	if err := memory.CheckText(f, path); err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(f, mostState))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	s := &State{path: path}
	head, body, _ := bytes.Cut(text, []byte("\n"))
	var version int
	var sum string
	if n, _ := fmt.Sscanf(string(head), stateFormat+" %d %s", &version, &sum); n < 1 {
		if other := ours.Instead(text, ours.State); other != nil {
			return nil, other.In(path)
		}
		return nil, fault.Inputf("name another file: this one is left as it is",
			"this is not the state of a stream").In(path)
	}
	if version != stateVersion {
		return nil, fault.Inputf("go on with the kindred that wrote it, or begin a new state",
			"the state is of format %d, and this kindred reads format %d", version,
			stateVersion).In(path)
	}
	if want, ok := digest.Parse(sum); !ok || digest.Of(body) != want {
		return nil, s.damaged()
	}
	if err := json.Unmarshal(body, s); err != nil || s.ID == "" || s.Source.Rows < 0 ||
		s.Layout.Encoding.Check() != nil {
		return nil, s.damaged()
	}
	return s, nil
}

// Restore returns the learner of the state.
func (s *State) Restore() (*competitive.Learner, error) {
	l, err := competitive.Restore(s.Learner)
	if err != nil {
		return nil, fault.Inputf("begin a new state", "the learner in the state is damaged: %v",
			err).In(s.path).Because(err)
	}
	if c := s.Counted; l.Cols() != s.Layout.Encoding.Cols() || l.Rows() != s.Roll.Count ||
		c.Rows < 0 || len(c.Sizes) > l.Config().Clusters {
		return nil, s.damaged()
	}
	return l, nil
}

func (s *State) damaged() error {
	return fault.Inputf("restore it from a copy, or remove the file to begin anew",
		"the state is damaged: it is not as it was written, and no run can go on from "+
			"it").In(s.path)
}

// save writes the state, whole or not at all.
func (s *State) save(path string) error {
	body, err := json.Marshal(s)
	if err != nil {
		return err
	}
	body = append(body, '\n')
	sum := digest.Of(body)
	return atomicfile.Write(path, func(w io.Writer) error {
		if _, err := fmt.Fprintf(w, "%s %d %s\n", stateFormat, stateVersion,
			sum); err != nil {
			return err
		}
		_, err := w.Write(body)
		return err
	})
}

// state gathers everything, with the sink at a position. It shares nothing with the run.
func (r *runner) state(sink Position) *State {
	s := &State{
		ID: r.cfg.ID, Layout: r.cfg.Layout, Source: r.after, Sink: sink, Links: r.links,
		Learner: r.learner.State(), Roll: r.roll.state(), Held: r.held.state(), Counted: r.count,
	}
	s.Source.Rest = bytes.Clone(s.Source.Rest)
	s.Counted.Sizes = slices.Clone(s.Counted.Sizes)
	return s
}

// saver writes one state at a time beside the work.
type saver struct {
	path string
	wg   sync.WaitGroup

	mu      sync.Mutex
	writing bool
	err     error
	saved   time.Time
}

func (s *saver) busy() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.writing
}

func (s *saver) last() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.saved
}

// start begins to write, after what is being written; the error is that of the time before.
func (s *saver) start(state *State) error {
	if err := s.wait(); err != nil {
		return err
	}
	s.mu.Lock()
	s.writing = true
	s.mu.Unlock()
	s.wg.Go(func() {
		err := state.save(s.path)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.writing, s.err = false, err
		if err == nil {
			s.saved = time.Now()
		}
	})
	return nil
}

// wait waits until nothing is being written.
func (s *saver) wait() error {
	s.wg.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}
