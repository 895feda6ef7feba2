package stream

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/kindred-go/kindred/cluster/competitive"
)

// DefaultSaveEvery is the default interval of saving the state.
const DefaultSaveEvery = 10 * time.Second

// Config reports how to run. Learner and Layout, or From, must be set.
type Config struct {
	Learner *competitive.Learner // that of From where there is a state
	Layout  Layout
	ID      string // of the run, for as long as its state lives; see [NewID]
	From    *State // the state to go on from; nil: begin

	StatePath string        // where the state is saved; "": nowhere
	SaveEvery time.Duration // 0: DefaultSaveEvery; less than 0: at the end alone
	// links that wait for rows not yet seen, at most, if there are not more at the beginning; 0:
	// DefaultHold
	Hold int

	Links  []NamedLink // links known before; not for a run that goes on
	Follow *Follower   // links that come beside the rows, those that are there first; nil: none
	Stop   bool        // the first bad row, or link that cannot count, ends the run
	// called with bad rows and links that cannot count, by one goroutine; nil: not called
	Report  func(error)
	Monitor *Monitor // shows statistics to other goroutines; nil: none
}

// Run labels and learns rows until the source ends or fails, or ctx is done; the state is saved,
// and the sink settled, in all these cases. It returns the statistics of the run with, when ctx was
// done, its error. What is wrong with a row or a link, a *fault.Input or *link.Contradiction, ends
// it only if cfg.Stop is set. The state is then that before the block with the row or line that
// could not be read; a link or row that the learner refuses within a block leaves the state that
// was saved last. Run closes neither source nor sink.
func Run(ctx context.Context, src Source, sink Sink, cfg Config) (Statistics, error) {
	r, err := newRunner(sink, cfg)
	if err != nil {
		return Statistics{}, err
	}
	// What was taken from a pipe cannot be read again: the end of ctx stops the reading, and what
	// was read is still learnt.
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	stop := context.AfterFunc(ctx, func() {
		src.Stop()
		for range graces {
			select {
			case <-time.After(grace):
			case <-work.Done():
				return
			}
		}
		cancel()
	})
	defer stop()
	feed := newFeed(work, src)
	defer func() {
		src.Stop()
		cancel()
		<-feed.done
	}()
	err = r.loop(work, feed)
	if failed := r.end(work, err); err == nil {
		err = failed
	}
	if ctx.Err() != nil && (err == nil || errors.Is(err, context.Canceled)) {
		err = ctx.Err()
	}
	r.show()
	return r.statistics(), err
}

// Rows that were read, and their labels, may take 800 ms once ctx is done. They are waited for one
// by one, so that a process that is stopped meanwhile, as when its machine sleeps, loses one of
// them.
const (
	graces = 16
	grace  = 50 * time.Millisecond
)

// feed reads blocks ahead, a few at most.
type feed struct {
	blocks chan *Block
	free   chan *Block
	done   chan struct{}
	err    error // set before blocks is closed; nil at the end of the rows
	last   Position
}

// ahead is how many blocks are read ahead at most.
const ahead = 4

func newFeed(ctx context.Context, src Source) *feed {
	f := &feed{blocks: make(chan *Block, ahead), free: make(chan *Block, ahead+2),
		done: make(chan struct{})}
	for range ahead + 2 {
		f.free <- &Block{}
	}
	go f.read(ctx, src)
	return f
}

func (f *feed) read(ctx context.Context, src Source) {
	defer close(f.done)
	defer close(f.blocks)
	for {
		select {
		case b := <-f.free:
			b.Reset()
			if err := src.Fill(ctx, b); err != nil {
				f.last = b.After
				if err != io.EOF {
					f.err = err
				}
				return
			}
			select {
			case f.blocks <- b:
			case <-ctx.Done():
				f.err = ctx.Err()
				return
			}
		case <-ctx.Done():
			f.err = ctx.Err()
			return
		}
	}
}

// runner is a run under way. One goroutine works it.
type runner struct {
	cfg     Config
	learner *competitive.Learner
	sink    Sink
	roll    *rowIndex
	held    *waiting
	saver   *saver
	after   Position // the position of the source behind the last block
	torn    bool     // a block behind that was begun
	labels  []competitive.Label
	id      []byte
	count   Statistics // what this run and those before it counted
	follow  *followed  // nil: no file is followed
	links   int64      // bytes of that file that were taken
	began   time.Time
}

func newRunner(sink Sink, cfg Config) (*runner, error) {
	if cfg.Report == nil {
		cfg.Report = func(error) {}
	}
	if cfg.SaveEvery == 0 {
		cfg.SaveEvery = DefaultSaveEvery
	}
	from, known := int64(0), len(cfg.Links)
	if cfg.From != nil {
		from, known = cfg.From.Links, len(cfg.From.Held)
	}
	r := &runner{cfg: cfg, learner: cfg.Learner, sink: sink, follow: cfg.Follow.open(from),
		links: from, began: time.Now()}
	// what the file holds already is known before the first row, however fast rows come
	there := r.follow.now()
	r.held = newWaiting(cfg.Hold, known+len(there))
	r.roll = newRowIndex(r.learner, cfg.Layout.ID != "")
	r.saver = &saver{path: cfg.StatePath}
	if s := cfg.From; s != nil {
		if !r.roll.restore(s.Roll) {
			return nil, s.damaged()
		}
		for _, w := range s.Held {
			r.held.add(w.NamedLink, w.Row)
		}
		r.after, r.count = s.Source, s.Counted
	} else {
		for _, l := range cfg.Links {
			if err := r.link(l); err != nil {
				return nil, err
			}
		}
	}
	for _, l := range there {
		if err := r.takeLine(l); err != nil {
			return nil, err
		}
	}
	r.show()
	return r, nil
}
